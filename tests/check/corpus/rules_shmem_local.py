# SPDX-License-Identifier: BSD-3-Clause
"""OpenSHMEM 1.6: local buffers, signals, collectives' arrays, locks, pointers to other PEs' memory.

There, `there` is symmetric memory that is not in conflict.
"""
from rules_shmem import RULES, WAIT, add, only, tell
from table import Rule, between, gray, right, same_rank, wrong

HERE = (0, 0, 0)
SIGNALLED = "shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);"

# A buffer that a nonblocking operation uses.
IN_USE = [
    right("quiet", "quiet completes the operation", "9.12.2", mid="shmem_quiet();"),
    right("barrier", "the barrier completes the operation", "9.10.1", all="shmem_barrier_all();"),
    right("pe_quiet", "pe_quiet completes operations to the named PE", "9.12.3", mid="shmem_pe_quiet(&peer, 1);"),
    wrong("nothing", "the buffer is in use until quiet", "9.6.2"),
    wrong("fence", "a fence completes nothing", "9.12.1", mid="shmem_fence();"),
    wrong("other_ctx", "quiet of another context", "9.12.2", mid="shmem_ctx_quiet(ctx);"),
    wrong("sync", "a sync completes nothing", "9.10.4", all="shmem_sync_all();"),
    wrong("other_pe_quiet", "pe_quiet names another PE", "9.12.3", mid="shmem_pe_quiet(&first, 1);"),
]
SHORT = only(IN_USE, "quiet", "nothing", "fence", "other_ctx")
FREE = [right("nothing", "the buffer may be used again when the call returns", "9.6.1"),
        right("quiet", "complete everywhere", "9.12.2", mid="shmem_quiet();")]
SHARED_READ = [right("nothing", "both only read", "9.6.2")]
CTX_IN_USE = [
    right("ctx_quiet", "quiet of the right context", "9.12.2", mid="shmem_ctx_quiet(ctx);"),
    right("destroy", "shmem_ctx_destroy does a quiet", "9.5.3", mid="shmem_ctx_destroy(own); own = SHMEM_CTX_INVALID;"),
    wrong("quiet", "quiet of the default context", "9.12.2", mid="shmem_quiet();"),
    wrong("barrier", "the barrier completes the default context only", "9.10.1", all="shmem_barrier_all();"),
    wrong("nothing", "the buffer is in use until quiet", "9.6.2"),
]


def local(name, what, cite, first, second, variants, **more):
    """A conflict on a local buffer."""
    RULES.append(Rule(name, "shmem", "local", what, cite, same_rank(first, second), variants, "private",
                      roles=HERE, **more))


PUT_NBI = "shmem_long_put_nbi(there, $X, 4, 1);"
GET_NBI = "shmem_long_get_nbi($X, there, 4, 1);"
STORE, LOAD = "$X[0] = 7;", "got = $X[0];"
local("source_store", "the source of a nonblocking put, stored to", "9.6.2.1", PUT_NBI, STORE, IN_USE)
local("source_load", "the source of a nonblocking put, loaded from", "9.6.2.1", PUT_NBI, LOAD, SHARED_READ)
local("source_again", "two nonblocking puts of one source", "9.6.2.1", PUT_NBI,
      "shmem_long_put_nbi(other, $X, 4, 1);", SHARED_READ)
local("put_source_store", "the source of a blocking put, stored to", "9.6.1.1", "shmem_long_put(there, $X, 4, 1);",
      STORE, FREE)
local("iput_source_store", "the source of an iput, stored to", "9.6.1.3",
      "shmem_long_iput(there, $X, 1, 2, 2, 1);", STORE, FREE)
local("into_load", "the destination of a nonblocking get, loaded from", "9.6.2.2", GET_NBI, LOAD, IN_USE)
local("into_store", "the destination of a nonblocking get, stored to", "9.6.2.2", GET_NBI, STORE, SHORT)
local("get_into_load", "the destination of a blocking get, loaded from", "9.6.1.5",
      "shmem_long_get($X, there, 4, 1);", LOAD, FREE)
local("into_put", "the destination of a nonblocking get, put elsewhere", "9.6.2", GET_NBI,
      "shmem_long_put(other, $X, 4, 1);", SHORT)
local("into_into", "two nonblocking gets into one buffer", "9.6.2.2", GET_NBI,
      "shmem_long_get_nbi($X, other, 4, 1);", SHORT)
local("source_into", "a get into the source of a nonblocking put", "9.6.2", PUT_NBI,
      "shmem_long_get($X, other, 4, 1);", SHORT)
local("fetched_load", "the fetched value of a nonblocking AMO, loaded", "9.7.2.5",
      "shmem_long_atomic_fetch_add_nbi($X, there, 1, 1);", LOAD, IN_USE)
local("compared_load", "the fetched value of a nonblocking compare-and-swap, loaded", "9.7.2.2",
      "shmem_long_atomic_compare_swap_nbi($X, there, 0, 1, 1);", LOAD, SHORT)
local("signal_source_store", "the source of a nonblocking put-with-signal, stored to", "9.8.4",
      "shmem_long_put_signal_nbi(there, $X, 4, &sig, 1, SHMEM_SIGNAL_SET, 1);", STORE, SHORT)
local("ctx_source_store", "the source of a nonblocking put on a context, stored to", "9.6.2.1",
      "shmem_ctx_long_put_nbi(ctx, there, $X, 4, 1);", STORE,
      [v for v in CTX_IN_USE if v.name != "destroy"])
local("own_ctx_into_load", "the destination of a nonblocking get on a context, loaded from", "9.6.2.2",
      "shmem_ctx_long_get_nbi(own, $X, there, 4, 1);", LOAD,
      [v for v in CTX_IN_USE if v.name != "ctx_quiet"])

# Data of a put-with-signal.
add("signal_data", "signal", "the data of a put-with-signal, loaded", "9.8.3",
    "shmem_long_put_signal($X, src, 4, &sig, 1, SHMEM_SIGNAL_SET, 1);", "got = $X[0];", [
        right("wait", "the signal comes after its data", "9.8.3", b_open=SIGNALLED),
        right("barrier", "the barrier completes it", "9.10.1", mid="shmem_barrier_all();"),
        wrong("nothing", "nothing orders the accesses"),
        wrong("other_signal", "waits for a signal that says nothing of this data",
              a_open="shmem_signal_set(&sig2, 1, 1);",
              b_open="shmem_signal_wait_until(&sig2, SHMEM_CMP_EQ, 1);"),
        wrong("sync", "a sync completes nothing", "9.10.4", mid="shmem_sync_all();"),
        gray("fetch", "only waits and tests are said to observe the initiator's order", "9.11",
             b_open="while (shmem_signal_fetch(&sig) != 1);"),
    ], check=("got", 41, 0))
add("signal_nbi_data", "signal", "the data of a nonblocking put-with-signal, loaded", "9.8.4",
    "shmem_long_put_signal_nbi($X, src, 4, &sig, 1, SHMEM_SIGNAL_ADD, 1);", "got = $X[0];", [
        right("wait", "the signal comes after its data", "9.8.4", b_open=SIGNALLED),
        right("barrier", "the barrier completes it", "9.10.1", mid="shmem_barrier_all();"),
        wrong("nothing", "nothing orders the accesses"),
        wrong("flag", "an AMO is not ordered after the data", "9.12.1", a_close=tell(), b_open=WAIT)],
    check=("got", 41, 0))
add("signal_answer", "signal", "data that is overwritten when the reader has said so", "9.8.3", "got = $X[0];",
    "shmem_long_put_signal($X, src, 4, &sig, 1, SHMEM_SIGNAL_SET, 1);", [
        right("answer", "the reader answers after the load", "9.11.1", a_close="shmem_fence(); " + tell(),
              b_open=WAIT),
        wrong("early_answer", "the reader answers before the load", "9.11.1", a_open=tell(), b_open=WAIT),
        wrong("nothing", "nothing orders the accesses")], (1, 0, 1), final=(41, 41))


def signal(name, what, first, second, variants, roles):
    """A conflict on a signal object itself: $X is its address."""
    RULES.append(Rule(name, "shmem", "signal", what, "9.8.1", between(first, second), variants, "signal",
                      ranks=max(roles) + 1, roles=roles, shapes=False))


SIGNAL = "shmem_long_put_signal(there, src, 1, $X, 1, SHMEM_SIGNAL_SET, 1);"
BARRIER = right("barrier", "ordered, so not concurrent", "9.10.1", mid="shmem_barrier_all();")
NOTHING = wrong("nothing", "not atomic towards each other", "9.8.1")
signal("signal_operators", "one signal by two operators", SIGNAL, "shmem_signal_add($X, 1, 1);", [
    BARRIER, NOTHING,
    wrong("sync", "a sync completes nothing", "9.10.4", mid="shmem_sync_all();")], (0, 2, 1))
signal("signal_one_operator", "one signal by one operator", "shmem_signal_add($X, 1, 1);",
       "shmem_long_put_signal(there, src, 1, $X, 1, SHMEM_SIGNAL_ADD, 1);", [
           right("nothing", "atomic towards each other", "9.8.1")], (0, 2, 1))
signal("signal_load", "a signal, loaded", SIGNAL, "got = (long)*$X;", [BARRIER, NOTHING], (0, 1, 1))
signal("signal_fetch", "a signal, fetched", SIGNAL, "got = (long)shmem_signal_fetch($X);", [
    right("nothing", "shmem_signal_fetch is atomic", "9.8.1")], (0, 1, 1))
signal("signal_reset", "a signal, reset by a store", SIGNAL, "*$X = 0;", [
    BARRIER, NOTHING,
    right("wait", "the update is complete when the wait returns", "9.11.14",
          b_open="shmem_signal_wait_until($X, SHMEM_CMP_EQ, 1);")], (0, 1, 1))
signal("signal_amo", "a signal and an AMO", SIGNAL, "shmem_uint64_atomic_add($X, 2, 1);", [BARRIER, NOTHING],
       (0, 2, 1))
signal("signal_put", "a signal and a put", SIGNAL, "shmem_putmem($X, src, sizeof *$X, 1);", [BARRIER, NOTHING],
       (0, 2, 1))
