# SPDX-License-Identifier: BSD-3-Clause
"""MPI 4.1, chapter 12: the conflicts on window memory, each with a group of variants of rules_mpi.py.

Section 12.7 says which accesses conflict, 12.7.1 what is atomic, 12.7.2 how accumulates are ordered.
"""
from rules_mpi import (AFTER_OWNER, AGAIN, ALL, BARRIER, FENCE, FENCED, FLUSH, GOT, INTO, RULES, SYNC, THEN_ORIGIN,
                       THEN_OWNER, acc, add, fetch, lock, only, op)
from table import Rule, between, gray, right, wrong

STORE, LOAD = "$X[0] = 7;", "got = $X[0];"
MAIN = ("fence", "pscw", "lock_barrier", "exclusive", "flush", "same_epoch", "pscw_exposed", "shared", "barrier_only",
        "flush_local", "flush_late")
FEW = ("fence", "flush", "lock_barrier", "same_epoch", "barrier_only", "flush_only")

# The owner's load or store.
add("put_load", "target", "a put and a load at its target", "12.7", op("Put"), LOAD, THEN_OWNER, check=GOT)
add("put_store", "target", "a put and a store at its target", "12.7", op("Put"), STORE, only(THEN_OWNER, *MAIN),
    final=(7, 41))
add("get_store", "target", "a get and a store at its target", "12.7", op("Get", "into"), STORE,
    [v for v in only(THEN_OWNER, *MAIN) if v.name != "flush_local"] + [
        gray("flush_local", "a get is locally complete when it has read its target", "12.5.4", **ALL,
             a_close="MPI_Win_flush_local($T, win);", mid=BARRIER)], final=(7, 7))
add("acc_load", "atomic", "an accumulate and a load at its target", "12.7.1", acc(), LOAD, only(THEN_OWNER, *MAIN),
    check=GOT)
add("acc_store", "atomic", "an accumulate and a store at its target", "12.7.1", acc(), STORE, only(THEN_OWNER, *FEW),
    final=(7, 48))
add("fetch_store", "atomic", "a fetch-and-op and a store at its target", "12.7.1", fetch(), STORE,
    only(THEN_OWNER, *FEW), final=(7, 48))
add("cas_load", "atomic", "a compare-and-swap and a load at its target", "12.7.1",
    "MPI_Compare_and_swap(src, &zero, into, MPI_LONG, $T, $D, win);", LOAD, only(THEN_OWNER, *FEW), check=GOT)
add("rput_load", "target", "a put with a request and a load at its target", "12.3.5", op("Rput", extra=", &request"),
    LOAD, [
        wrong("wait", "the request is complete locally only", "12.3.5", **ALL,
              a_close="MPI_Wait(&request, MPI_STATUS_IGNORE);", mid=BARRIER, b_open=SYNC),
        right("wait_flush", "complete at the flush", "12.3.5", **ALL,
              a_close="MPI_Wait(&request, MPI_STATUS_IGNORE); " + FLUSH, mid=BARRIER, b_open=SYNC),
        wrong("wait_only", "nothing orders the ranks", "12.3.5", **ALL,
              a_close="MPI_Wait(&request, MPI_STATUS_IGNORE); " + FLUSH)], check=GOT)
add("raccumulate_load", "atomic", "an accumulate with a request and a load at its target", "12.3.5",
    "MPI_Raccumulate(src, 1, MPI_LONG, $T, $D, 1, MPI_LONG, MPI_SUM, win, &request);", LOAD, [
        wrong("wait", "the request is complete locally only", "12.3.5", **ALL,
              a_close="MPI_Wait(&request, MPI_STATUS_IGNORE);", mid=BARRIER, b_open=SYNC),
        right("wait_flush", "complete at the flush", "12.3.5", **ALL,
              a_close="MPI_Wait(&request, MPI_STATUS_IGNORE); " + FLUSH, mid=BARRIER, b_open=SYNC)], check=GOT)
add("store_get", "target", "a store and a get of it", "12.7", "$X[0] = 41;", op("Get", "into"), AFTER_OWNER,
    (1, 0, 1), final=(41, 41))
add("store_put", "target", "a store and a put over it", "12.7", STORE, op("Put"), AFTER_OWNER, (1, 0, 1),
    final=(41, 7))
add("load_put", "target", "a load and a put over it", "12.7", LOAD, op("Put"),
    only(AFTER_OWNER, "fence", "pscw", "lock_barrier", "same_epoch", "pscw_exposed", "no_barrier", "barrier_early"),
    (1, 0, 1), final=(41, 41))
add("store_acc", "atomic", "a store and an accumulate on it", "12.7.1", STORE, acc(),
    only(AFTER_OWNER, "fence", "pscw", "sync_barrier", "same_epoch", "lock_all", "no_barrier"), (1, 0, 1),
    final=(48, 7))

# Two origins.
add("put_put", "origins", "puts of two ranks", "12.7", op("Put"), op("Put", "other"), THEN_ORIGIN, (0, 2, 1),
    final=(51, 41))
add("put_get", "origins", "a put and another rank's get", "12.7", op("Put"), op("Get", "into"), THEN_ORIGIN, (0, 2, 1),
    final=(41, 41))
add("get_put", "origins", "a get and another rank's put", "12.7", op("Get", "into"), op("Put"),
    [v for v in THEN_ORIGIN if v.name != "flush_local"], (0, 2, 1), final=(41, 41))
ORIGIN_FEW = ("fence", "exclusive", "flush_barrier", "same_epoch", "shared", "barrier", "flush_local")
add("put_acc", "atomic", "a put and another rank's accumulate", "12.7.1", op("Put"), acc("other"),
    only(THEN_ORIGIN, *ORIGIN_FEW), (0, 2, 1), final=(92, 41))
add("acc_get", "atomic", "an accumulate and another rank's get", "12.7.1", acc(), op("Get", "into"),
    only(THEN_ORIGIN, *ORIGIN_FEW), (0, 2, 1), final=(41, 41))
add("acc_types", "atomic", "accumulates of two datatypes", "12.7.1", acc(), acc("small", kind="INT"),
    only(THEN_ORIGIN, *ORIGIN_FEW), (0, 2, 1), final=(43, 43))
add("acc_operators", "atomic", "accumulates of two operators", "12.2.1", acc(), acc("other", "MAX"),
    only(THEN_ORIGIN, "fence", "exclusive", "flush_barrier", "same_epoch", "shared"), (0, 2, 1), final=(51, 92))
add("fetch_put", "atomic", "a fetch-and-op and another rank's put", "12.7.1", fetch(), op("Put", "other"),
    only(THEN_ORIGIN, "fence", "exclusive", "same_epoch", "shared", "barrier"), (0, 2, 1), final=(51, 92))
ATOMIC = [
    right("same_epoch", "accumulates of one type and operator are atomic", "12.7.1", either=True, **FENCED),
    right("shared", "accumulates of one type and operator are atomic", "12.7.1", either=True, a_open=lock("SHARED"),
          a_close="MPI_Win_unlock($T, win);", b_open=lock("SHARED"), b_close="MPI_Win_unlock($T, win);"),
]
add("acc_acc", "atomic", "accumulates of two ranks", "12.7.1", acc(), acc("other"), ATOMIC, (0, 2, 1), final=(92, 92))
add("acc_fetch", "atomic", "an accumulate and a fetch-and-op", "12.7.1", acc(), fetch("other"), ATOMIC, (0, 2, 1),
    final=(92, 92))
add("acc_no_op", "atomic", "an accumulate and an atomic read", "12.2.1", acc(), fetch("other", how="NO_OP"), ATOMIC,
    (0, 2, 1), final=(41, 41))
add("get_get", "origins", "gets of two ranks", "12.7", op("Get", "into"), op("Get", "into"), ATOMIC, (0, 2, 1))
add("put_apart", "origins", "puts of two ranks side by side", "12.7", op("Put", count=2),
    "MPI_Put(other, 2, MPI_LONG, $T, $D + 2, 2, MPI_LONG, win);", ATOMIC, (0, 2, 1), final=(41, 41))

# One origin.
add("put_then_put", "origin", "two puts of one rank", "12.7", op("Put"), op("Put", "other"), AGAIN, (0, 0, 1),
    final=(51, 41))
add("put_then_get", "origin", "a put and a get of one rank", "12.7", op("Put"), op("Get", "into"), AGAIN, (0, 0, 1),
    final=(41, 41))
AGAIN_FEW = ("flush", "relock", "fence", "nothing", "flush_local", "same_epoch", "pscw")
add("get_then_put", "origin", "a get and a put of one rank", "12.7", op("Get", "into"), op("Put"),
    [v for v in only(AGAIN, *AGAIN_FEW) if v.name != "flush_local"], (0, 0, 1), final=(41, 41))
add("put_then_acc", "origin", "a put and an accumulate of one rank", "12.7.1", op("Put"), acc("other"),
    only(AGAIN, *AGAIN_FEW), (0, 0, 1), final=(92, 51))
add("acc_then_get", "origin", "an accumulate and a get of one rank", "12.7.1", acc(), op("Get", "into"),
    only(AGAIN, *AGAIN_FEW), (0, 0, 1), final=(41, 41))
add("acc_then_acc", "origin", "accumulates of one rank", "12.7.2", acc(), fetch("other"), [
    right("nothing", "accumulates of one origin are ordered and atomic", "12.7.2", **ALL)], (0, 0, 1), final=(92, 92))
add("put_then_elsewhere", "origin", "puts of one rank side by side", "12.7", op("Put"),
    "MPI_Put(other, 1, MPI_LONG, $T, $D + 1, 1, MPI_LONG, win);", [
        right("nothing", "different memory", "12.7", **ALL)], (0, 0, 1), final=(41, 41))
add("put_strided", "origin", "puts of a rank with datatypes that have gaps", "12.7",
    "MPI_Put(src, 2, MPI_LONG, $T, $D, 1, strided, win);", "MPI_Put(other, 2, MPI_LONG, $T, $D + offset, 1, strided, win);", [
        right("interleaved", "one fills the gaps of the other", "12.7", **ALL, a_open="offset = 1;"),
        wrong("overlapping", "both put the third element", "12.7", **ALL, a_open="offset = 2;"),
        right("overlapping_flush", "complete at the flush", "12.5.4", **ALL, a_open="offset = 2;", mid=FLUSH)],
    (0, 0, 1), final=(41, 41), shapes=False)
add("rput_then_rput", "origin", "puts of one rank with requests", "12.3.5", op("Rput", extra=", &request"),
    op("Rput", "other", extra=", &request2"), [
        wrong("wait", "the request is complete locally only", "12.3.5", **ALL,
              mid="MPI_Wait(&request, MPI_STATUS_IGNORE);", a_close="MPI_Wait(&request2, MPI_STATUS_IGNORE);"),
        right("wait_flush", "complete at the flush", "12.5.4", **ALL,
              mid="MPI_Wait(&request, MPI_STATUS_IGNORE); " + FLUSH,
              a_close="MPI_Wait(&request2, MPI_STATUS_IGNORE);"),
    ], (0, 0, 1), final=(51, 41))
add("rget_then_put", "origin", "a get with a request and a put of one rank", "12.3.5",
    op("Rget", "into", extra=", &request"), op("Put"), [
        gray("wait", "the get has read its target when its request is complete", "12.3.5", **ALL,
             mid="MPI_Wait(&request, MPI_STATUS_IGNORE);"),
        wrong("wait_late", "the request is not complete yet", "12.3.5", **ALL,
              a_close="MPI_Wait(&request, MPI_STATUS_IGNORE);"),
        right("wait_flush", "complete at the flush", "12.3.5", **ALL,
              mid="MPI_Wait(&request, MPI_STATUS_IGNORE); " + FLUSH)], (0, 0, 1), final=(41, 41))

# Memory of two windows, windows of shared and of dynamic memory.
add("two_windows", "origins", "puts of two ranks by two windows on the same memory", "12.7", op("Put"),
    "MPI_Put(other, 1, MPI_LONG, $T, $D, 1, MPI_LONG, twin);", [
        wrong("fences", "the fences of each window say nothing of the other", "12.7",
              open=FENCE + " MPI_Win_fence(0, twin);", end=FENCE + " MPI_Win_fence(0, twin);"),
        right("fence_between", "the first is complete at the fence", "12.7", open=FENCE, mid=FENCE + " MPI_Win_fence(0, twin);",
              end="MPI_Win_fence(0, twin);")], (0, 2, 1), place="twin", shapes=False)
SHARED = [
    right("sync_barrier", "syncs around a barrier", "12.7", **ALL, a_close=SYNC, mid=BARRIER, b_open=SYNC),
    right("fence", "a fence orders loads and stores of a shared window", "12.5.1", **FENCED, mid=FENCE),
    right("sync_send", "syncs around a message", "12.7", **ALL, a_close=SYNC + " MPI_Send(NULL, 0, MPI_INT, $B, 0, "
          "MPI_COMM_WORLD);", b_open="MPI_Recv(NULL, 0, MPI_INT, $A, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); " + SYNC),
    wrong("sync_only", "nothing orders the ranks", "12.7", **ALL, a_close=SYNC, b_open=SYNC),
    wrong("same_epoch", "no fence in between", "12.5.1", **FENCED),
    wrong("barrier_early", "the barrier comes before the store", "12.7", open=ALL["open"] + " " + BARRIER,
          a_close=SYNC, b_open=SYNC, end=ALL["end"]),
    gray("barrier", "whether a barrier needs syncs around it", "12.7", **ALL, mid=BARRIER),
]
for title, first, second, more in (
        ("store_load", "peer[0] = 41;", LOAD, {"check": GOT}), ("load_store", "got = peer[0];", STORE, {}),
        ("store_store", "peer[0] = 41;", STORE, {"final": (7, 41)})):
    add("shared_" + title, "pointer", "accesses to another rank's part of a shared window", "12.2.3", first, second,
        SHARED, place="shared", shapes=False, **more)
RULES.append(Rule("shared_put_load", "mpi", "pointer", "a put and a third rank's load of a shared window", "12.2.3",
                  between(op("Put"), "got = peer[0];"), [
                      right("flush_barrier", "complete at the flush", "12.7", **ALL, a_close=FLUSH, mid=BARRIER,
                            b_open=SYNC),
                      wrong("barrier", "a barrier completes nothing", "12.5", **ALL, mid=BARRIER, b_open=SYNC),
                      wrong("flush", "nothing orders the ranks", "12.5.4", **ALL, a_close=FLUSH, b_open=SYNC)],
                  "shared", ranks=3, roles=(0, 2, 1), check=GOT, shapes=False))
add("dynamic_put_load", "target", "a put and a load of attached memory", "12.2.4", op("Put"), LOAD,
    only(THEN_OWNER, "fence", "flush", "lock_barrier", "same_epoch", "barrier_only", "flush_local", "shared"), place="dynamic",
    check=GOT, shapes=False)
add("dynamic_put_put", "origins", "puts of two ranks to attached memory", "12.2.4", op("Put"), op("Put", "other"),
    only(THEN_ORIGIN, *ORIGIN_FEW), (0, 2, 1), place="dynamic", final=(51, 41), shapes=False)
