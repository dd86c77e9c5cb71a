# SPDX-License-Identifier: BSD-3-Clause
"""MPI 4.1: buffers of one-sided operations (12.3), of messages (3.7) and of nonblocking collectives (6.12)."""
from rules_mpi import ALL, FENCE, FENCED
from table import Rule, right, same_rank, wrong

HERE = (0, 0, 0)
STORE, LOAD = "$X[0] = 7;", "got = $X[0];"
WAIT, WAIT2 = "MPI_Wait(&request, MPI_STATUS_IGNORE);", "MPI_Wait(&request2, MPI_STATUS_IGNORE);"
EPOCH = {"a_open": "MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);", "a_close": "MPI_Win_unlock(1, win);"}
STARTED = {"a_open": "MPI_Win_start(to_1, 0, win);",
           "other": "if (me == 1) { MPI_Win_post(to_0, 0, win); MPI_Win_wait(win); }"}
RULES = []

IN_USE = [
    right("flush_local", "complete at the origin", "12.5.4", **ALL, mid="MPI_Win_flush_local(1, win);"),
    right("flush_local_all", "complete at the origin", "12.5.4", **ALL, mid="MPI_Win_flush_local_all(win);"),
    right("flush", "complete", "12.5.4", **ALL, mid="MPI_Win_flush(1, win);"),
    right("flush_all", "complete", "12.5.4", **ALL, mid="MPI_Win_flush_all(win);"),
    right("unlock", "complete", "12.5.3", a_open=EPOCH["a_open"], mid=EPOCH["a_close"]),
    right("fence", "complete at the origin", "12.5.1", **FENCED, all=FENCE),
    right("complete", "complete at the origin", "12.5.2", **STARTED, mid="MPI_Win_complete(win);"),
    wrong("nothing", "in use until the operation is complete at the origin", "12.3", **ALL),
    wrong("one_lock", "in use until unlock", "12.5.3", **EPOCH),
    wrong("same_epoch", "in use until the fence", "12.5.1", **FENCED),
    wrong("started", "in use until MPI_Win_complete", "12.5.2", **STARTED, a_close="MPI_Win_complete(win);"),
    wrong("flush_other_rank", "a flush of another target", "12.5.4", **ALL, mid="MPI_Win_flush(0, win);"),
    wrong("flush_other_window", "a flush of another window", "12.5.4", open=ALL["open"] + " MPI_Win_lock_all(0, win2);",
          mid="MPI_Win_flush(1, win2);", end=ALL["end"] + " MPI_Win_unlock_all(win2);"),
    wrong("sync", "MPI_Win_sync completes nothing", "12.5.4", **ALL, mid="MPI_Win_sync(win);"),
    wrong("barrier", "a barrier completes nothing", "12.5", **ALL, all="MPI_Barrier(MPI_COMM_WORLD);"),
]
FEW = [v for v in IN_USE if v.name in ("flush_local", "unlock", "fence", "complete", "nothing", "same_epoch", "started",
                                       "flush_other_rank")]
SHARED_READ = [right("nothing", "both only read", "12.3", **ALL), right("one_lock", "both only read", "12.3", **EPOCH)]
REQUEST = [
    right("wait", "the request is complete", "12.3.5", **ALL, mid=WAIT),
    right("test", "the request is complete", "12.3.5", **ALL,
          mid="while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);"),
    wrong("wait_late", "the request is not complete yet", "12.3.5", **ALL, a_close=WAIT),
    wrong("wait_other", "waits for another request", "12.3.5", **ALL,
          a_open="MPI_Rput(src, 1, MPI_LONG, 1, 2, 1, MPI_LONG, win, &request2);", mid=WAIT2, a_close=WAIT),
]


def local(name, what, first, second, variants, kind="local", cite="12.3", **more):
    """A conflict on a buffer of the first rank."""
    RULES.append(Rule(name, "mpi", kind, what, cite, same_rank(first, second), variants, "private", roles=HERE, **more))


def op(name, extra=""):
    """A put or get that uses the object as its buffer."""
    return f"MPI_{name}($X, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win{extra});"


local("put_origin_store", "the origin buffer of a put, stored to", op("Put"), STORE, IN_USE)
local("put_origin_load", "the origin buffer of a put, loaded from", op("Put"), LOAD, SHARED_READ)
local("put_origin_again", "two puts of one origin buffer", op("Put"),
      "MPI_Put($X, 1, MPI_LONG, 1, 1, 1, MPI_LONG, win);", SHARED_READ)
local("get_origin_load", "the origin buffer of a get, loaded from", op("Get"), LOAD, IN_USE)
local("get_origin_store", "the origin buffer of a get, stored to", op("Get"), STORE, FEW)
local("get_get_origin", "two gets into one origin buffer", op("Get"),
      "MPI_Get($X, 1, MPI_LONG, 1, 1, 1, MPI_LONG, win);", [v for v in FEW if v.name not in ("unlock", "complete")])
local("get_put_origin", "a put of the origin buffer of a get", op("Get"),
      "MPI_Put($X, 1, MPI_LONG, 1, 1, 1, MPI_LONG, win);", [v for v in FEW if v.name not in ("unlock", "complete")])
local("acc_origin_store", "the origin buffer of an accumulate, stored to",
      "MPI_Accumulate($X, 1, MPI_LONG, 1, 0, 1, MPI_LONG, MPI_SUM, win);", STORE, FEW, cite="12.3.4")
local("get_acc_result_load", "the result of a get-accumulate, loaded",
      "MPI_Get_accumulate(src, 1, MPI_LONG, $X, 1, MPI_LONG, 1, 0, 1, MPI_LONG, MPI_SUM, win);", LOAD, FEW,
      cite="12.3.4")
local("fetch_result_load", "the result of a fetch-and-op, loaded",
      "MPI_Fetch_and_op(src, $X, MPI_LONG, 1, 0, MPI_SUM, win);", LOAD, FEW, cite="12.3.4")
local("fetch_origin_store", "the origin buffer of a fetch-and-op, stored to",
      "MPI_Fetch_and_op($X, into, MPI_LONG, 1, 0, MPI_SUM, win);", STORE, FEW, cite="12.3.4")
local("cas_result_load", "the result of a compare-and-swap, loaded",
      "MPI_Compare_and_swap(src, &zero, $X, MPI_LONG, 1, 0, win);", LOAD, FEW, cite="12.3.4")
local("cas_compare_store", "the compared value of a compare-and-swap, stored to",
      "MPI_Compare_and_swap(src, $X, into, MPI_LONG, 1, 0, win);", STORE, FEW, cite="12.3.4")
local("rput_origin_store", "the origin buffer of a put with a request, stored to", op("Rput", ", &request"), STORE,
      REQUEST, cite="12.3.5")
local("rget_origin_load", "the origin buffer of a get with a request, loaded from", op("Rget", ", &request"), LOAD,
      REQUEST, cite="12.3.5")
local("get_origin_send", "the origin buffer of a get, sent", op("Get"),
      "MPI_Send($X, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD);", [
          right("flush", "complete", "12.5.4", **ALL, mid="MPI_Win_flush(1, win);",
                other="if (me == 1) MPI_Recv(into, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"),
          wrong("nothing", "in use until the operation is complete at the origin", "12.3", **ALL,
                other="if (me == 1) MPI_Recv(into, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);")])

# Messages.
WORLD = "MPI_COMM_WORLD"
SENT = f"if (me == 1) MPI_Send(src, 4, MPI_LONG, 0, 0, {WORLD});"
RECEIVED = f"if (me == 1) MPI_Recv(into, 4, MPI_LONG, 0, 0, {WORLD}, MPI_STATUS_IGNORE);"
ISEND = f"MPI_Isend($X, 4, MPI_LONG, 1, 0, {WORLD}, &request);"
IRECV = f"MPI_Irecv($X, 4, MPI_LONG, 1, 0, {WORLD}, &request);"


def pending(peer, cite="3.7.3", extra=""):
    """Variants for a request; `peer` is what the other rank does, `extra` frees a persistent request."""
    return [
        right("wait", "the request is complete", cite, mid=WAIT, other=peer, a_close=extra),
        right("test", "the request is complete", cite, other=peer, a_close=extra,
              mid="while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);"),
        right("waitall", "the request is complete", cite, mid="MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);",
              other=peer, a_close=extra),
        wrong("wait_late", "the request is not complete yet", cite, a_close=WAIT + " " + extra, other=peer),
        wrong("other_request", "waits for another request", cite, a_close=WAIT + " " + extra, other=peer,
              a_open=f"MPI_Isend(src, 1, MPI_LONG, 0, 5, {WORLD}, &request2); "
                     f"MPI_Recv(into, 1, MPI_LONG, 0, 5, {WORLD}, MPI_STATUS_IGNORE);", mid=WAIT2),
        wrong("barrier", "a barrier completes no request", cite, all=f"MPI_Barrier({WORLD});", b_close=WAIT + " " +
              extra, end=peer),
    ]


def message(name, what, first, second, variants, cite="3.7.2", **more):
    """A conflict on the buffer of a message."""
    local(name, what, first, second, variants, "message", cite, **more)


def reading(peer):
    """Two accesses that only read."""
    return [right("wait_late", "both only read", "3.7.2", a_close=WAIT, other=peer)]


message("isend_store", "the buffer of a nonblocking send, stored to", ISEND, STORE, pending(RECEIVED))
message("isend_load", "the buffer of a nonblocking send, loaded from", ISEND, LOAD, reading(RECEIVED))
message("irecv_load", "the buffer of a nonblocking receive, loaded from", IRECV, LOAD, pending(SENT),
        check=("got", 41, 0))
message("irecv_store", "the buffer of a nonblocking receive, stored to", IRECV, STORE, pending(SENT))
message("issend_store", "the buffer of a nonblocking synchronous send, stored to", ISEND.replace("Isend", "Issend"),
        STORE, pending(RECEIVED)[:5])
message("irecv_send", "the buffer of a nonblocking receive, sent", IRECV,
        f"MPI_Send($X, 4, MPI_LONG, 1, 1, {WORLD});", [
            right("wait", "the request is complete", "3.7.3", mid=WAIT, other=SENT + " " + RECEIVED.replace("0, 0", "0, 1")),
            wrong("wait_late", "the request is not complete yet", "3.7.3", a_close=WAIT,
                  other=SENT + " " + RECEIVED.replace("0, 0", "0, 1"))])
message("isend_recv", "the buffer of a nonblocking send, received into", ISEND,
        f"MPI_Recv($X, 4, MPI_LONG, 1, 1, {WORLD}, MPI_STATUS_IGNORE);", [
            right("wait", "the request is complete", "3.7.3", mid=WAIT, other=RECEIVED + " " + SENT.replace("0, 0", "0, 1")),
            wrong("wait_late", "the request is not complete yet", "3.7.3", a_close=WAIT,
                  other=RECEIVED + " " + SENT.replace("0, 0", "0, 1"))])
message("irecv_irecv", "two nonblocking receives into one buffer", IRECV,
        f"MPI_Irecv($X, 4, MPI_LONG, 1, 0, {WORLD}, &request2);", [
            right("wait", "the first is complete", "3.7.3", mid=WAIT, a_close=WAIT2, other=SENT + " " + SENT),
            wrong("wait_late", "the first is not complete yet", "3.7.3", a_close=WAIT + " " + WAIT2,
                  other=SENT + " " + SENT)])
message("isend_isend", "two nonblocking sends of one buffer", ISEND,
        f"MPI_Isend($X, 4, MPI_LONG, 1, 0, {WORLD}, &request2);", [
            right("wait_late", "both only read", "3.7.2", a_close=WAIT + " " + WAIT2, other=RECEIVED + " " + RECEIVED)])
PERSISTENT = [(f"MPI_Send_init($X, 4, MPI_LONG, 1, 0, {WORLD}, &request);", RECEIVED, STORE, "persistent_send_store"),
              (f"MPI_Recv_init($X, 4, MPI_LONG, 1, 0, {WORLD}, &request);", SENT, LOAD, "persistent_recv_load")]
for init, partner, access, title in PERSISTENT:
    group = pending(partner, "3.9", "MPI_Request_free(&request);")[:4]
    message(title, "the buffer of a persistent message", "MPI_Start(&request);", access, group, cite="3.9", shapes=False)
    RULES[-1].body = lambda v, init=init, access=access: same_rank("MPI_Start(&request);", access, pre=init)(v)

# Nonblocking collectives, which both ranks start.
for title, access, call in (
        ("ibcast_root_store", STORE, "MPI_Ibcast($X, 4, MPI_LONG, 0, %s, &request);"),
        ("ibcast_leaf_load", LOAD, "MPI_Ibcast($X, 4, MPI_LONG, 1, %s, &request);"),
        ("ireduce_source_store", STORE, "MPI_Ireduce($X, into, 4, MPI_LONG, MPI_SUM, 0, %s, &request);"),
        ("iallreduce_source_store", STORE, "MPI_Iallreduce($X, into, 4, MPI_LONG, MPI_SUM, %s, &request);"),
        ("iallreduce_result_load", LOAD, "MPI_Iallreduce(src, $X, 4, MPI_LONG, MPI_SUM, %s, &request);"),
        ("igather_result_load", LOAD, "MPI_Igather(src, 2, MPI_LONG, $X, 2, MPI_LONG, 0, %s, &request);"),
        ("ialltoall_result_store", STORE, "MPI_Ialltoall(src, 2, MPI_LONG, $X, 2, MPI_LONG, %s, &request);"),
        ("iscan_source_store", STORE, "MPI_Iscan($X, into, 4, MPI_LONG, MPI_SUM, %s, &request);")):
    RULES.append(Rule(title, "mpi", "icollective", "a buffer of a nonblocking collective, accessed", "6.12",
                      f"@A {call % WORLD}\n<mid>\nif (me == $B) {{\n    @B {access}\n}}\n<end>", [
                          right("wait", "the request is complete", "6.12", mid=WAIT),
                          right("test", "the request is complete", "6.12",
                                mid="while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);"),
                          wrong("wait_late", "the request is not complete yet", "6.12", end=WAIT)], "private",
                      roles=HERE))
RULES.append(Rule("ibcast_root_load", "mpi", "icollective", "the root's buffer of a nonblocking broadcast, loaded", "6.12",
                  f"@A MPI_Ibcast($X, 4, MPI_LONG, 0, {WORLD}, &request);\nif (me == $B) {{\n    @B {LOAD}\n}}\n<end>",
                  [right("wait_late", "both only read", "6.12", end=WAIT)], "private", roles=HERE))
