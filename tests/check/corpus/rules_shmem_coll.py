# SPDX-License-Identifier: BSD-3-Clause
"""OpenSHMEM 1.6: arrays of collectives, locks, pointers to other PEs' memory, several flags."""
from rules_shmem import GOT, RULES, WAIT, add, only, tell
from table import ONE_HOST, Rule, between, right, wrong

# The array of a collective that everybody has called, and a put of a PE that has left it.
LEFT = [
    right("sync", "after the sync everybody has left", "9.10", mid="shmem_sync_all();"),
    right("barrier", "after the barrier everybody has left", "9.10", mid="shmem_barrier_all();"),
    wrong("nothing", "others may still be in the collective", "9.10"),
    wrong("quiet", "quiet completes the caller's operations only", "9.12.2", mid="if (me == $B) shmem_quiet();"),
]
# A put to the array, and the collective.
ENTERED = [
    right("barrier", "the barrier completes the put", "9.10.1", mid="shmem_barrier_all();"),
    right("quiet_sync", "quiet completes the put, the sync orders the PEs", "9.12.2, 9.10.4",
          a_close="shmem_quiet();", mid="shmem_sync_all();"),
    wrong("nothing", "a collective completes no earlier put", "9.10"),
    wrong("sync", "a sync completes nothing", "9.10.4", mid="shmem_sync_all();"),
]
T = "SHMEM_TEAM_WORLD"


def collective(name, what, cite, call, first, roles=(0, 1, 1), **more):
    """Two rules: the collective `call` on $X, then a put of another PE to $X, and the reverse."""
    put = f"shmem_long_put($X, src, 1, {roles[2]});"
    after = f"@A {call}\n<mid>\nif (me == $B) {{\n    @B {put}\n}}"
    before = f"if (me == $A) {{\n    @A {put}\n    <a_close>\n}}\n<mid>\n@B {call}"
    order = (roles[2], first, roles[2])
    RULES.append(Rule(name + "_then_put", "shmem", "collective", f"{what}, and a put of a PE that has left", cite, after,
                      LEFT, "symmetric", ranks=3, roles=order, shapes=False, **more))
    if name.endswith("source"):
        RULES.append(Rule("put_then_" + name, "shmem", "collective", f"a put, and {what}", cite, before, ENTERED,
                          "symmetric", ranks=3, roles=(first, roles[2], roles[2]), shapes=False, **more))


collective("broadcast_dest", "the destination of a broadcast", "9.10.7",
           f"shmem_long_broadcast({T}, $X, one, 1, 0);", 2)
collective("reduce_dest", "the destination of a reduction", "9.10.9", f"shmem_long_sum_reduce({T}, $X, one, 1);", 0)
collective("reduce_source", "the source of a reduction", "9.10.9", f"shmem_long_max_reduce({T}, two, $X, 1);", 0)
collective("fcollect_dest", "the destination of a collect", "9.10.8", f"shmem_long_fcollect({T}, $X, one, 1);", 2)
collective("fcollect_source", "the source of a collect", "9.10.8", f"shmem_long_fcollect({T}, two, $X, 1);", 0)
collective("alltoall_dest", "the destination of an alltoall", "9.10.5", f"shmem_long_alltoall({T}, $X, one, 1);", 0)
collective("alltoall_source", "the source of an alltoall", "9.10.5", f"shmem_long_alltoall({T}, two, $X, 1);", 2)
collective("scan_dest", "the destination of a scan", "9.10.10", f"shmem_long_sum_inscan({T}, $X, one, 1);", 0)
collective("broadcast_source", "the source of a broadcast", "9.10.7",
           f"shmem_long_broadcast({T}, two, $X, 1, 0);", 1, (1, 0, 0))

RULES.append(Rule("amo_then_reduce", "shmem", "collective", "an AMO, and a reduction of what it updates", "3.2, 9.10",
                  "if (me == $A) {\n    @A shmem_long_atomic_inc($X, 1);\n    <a_close>\n}\n<mid>\n"
                  f"@B shmem_long_sum_reduce({T}, two, $X, 1);", ENTERED, "symmetric", ranks=3, roles=(0, 1, 1),
                  shapes=False))
RULES.append(Rule("reduce_then_store", "shmem", "collective", "the caller's own arrays after a reduction", "9.10",
                  f"@A shmem_long_sum_reduce({T}, $X, one, 1);\nif (me == $B) {{\n    @B $X[0] = 7;\n}}",
                  [right("nothing", "the caller's own arrays are settled on return", "9.10")], "symmetric",
                  roles=(1, 1, 1), shapes=False))

# What a broadcast orders.
CAST = f"shmem_long_broadcast({T}, one, two, 1, %d);"
add("put_broadcast_load", "collective", "a put, a broadcast, and a load at the put's target", "9.10",
    "shmem_long_put($X, src, 4, 1);", "got = $X[0];", [
        wrong("not_quiet", "a broadcast completes no earlier put", "9.10", mid=CAST % 0),
        wrong("other_root", "a broadcast orders the root before the others, not the reverse", "9.10",
              a_close="shmem_quiet();", mid=CAST % 1),
        right("quiet_sync_too", "quiet and sync before the broadcast", "9.12.2", a_close="shmem_quiet();",
              mid="shmem_sync_all(); " + CAST % 0)], check=GOT, shapes=False)

# Locks. Where it matters who is first, the other sleeps a while: usually the first access is first.
PUT, GET = "shmem_long_put($X, src, 4, 1);", "shmem_long_get(into, $X, 4, 1);"
SET, CLEAR = "shmem_set_lock(&lock);", "shmem_clear_lock(&lock);"
TRY = "while (shmem_test_lock(&lock));"
LOCKED = [
    right("lock", "clear_lock completes the put, the lock orders the PEs", "9.13", True, a_open=SET, a_close=CLEAR,
          b_open=SET, b_close=CLEAR),
    right("test_lock", "a lock taken by test_lock", "9.13", True, a_open=TRY, a_close=CLEAR, b_open=TRY,
          b_close=CLEAR),
    wrong("no_lock", "nothing orders the accesses"),
    wrong("one_locks", "the other PE does not take the lock", "9.13", a_open=SET, a_close=CLEAR),
    wrong("two_locks", "two different locks", "9.13", a_open=SET, a_close=CLEAR,
          b_open="shmem_set_lock(&lock2);", b_close="shmem_clear_lock(&lock2);"),
    wrong("late", "the put comes after the lock is cleared", "9.13", a_open=SET + " " + CLEAR,
          b_open="usleep(1000); " + SET, b_close=CLEAR),
]
add("lock_put_put", "lock", "puts of two PEs", "9.13", PUT, "shmem_long_p($X, 43, 1);", LOCKED, (0, 2, 1),
    final=(43, 41))
add("lock_put_get", "lock", "a put and another PE's get", "9.13", PUT, GET, LOCKED, (0, 2, 1),
    check=("into[0]", 41, 0))
add("lock_ctx_put", "lock", "a put on a context in a critical region", "9.13",
    "shmem_ctx_long_put(ctx, $X, src, 4, 1);", "shmem_ctx_long_put(ctx, $X, other, 4, 1);", [
        wrong("ctx", "clear_lock completes the default context only", "9.13", a_open=SET, a_close=CLEAR,
              b_open=SET, b_close=CLEAR),
        right("ctx_quiet", "completed before the lock is cleared", "9.13", a_open=SET,
              a_close="shmem_ctx_quiet(ctx); " + CLEAR, b_open=SET, b_close="shmem_ctx_quiet(ctx); " + CLEAR,
              either=True)],
    (0, 2, 1), final=(0, 41))

# Memory of another PE by pointer.
BY_POINTER = [
    right("sync", "a sync orders stores", "9.10.4", mid="shmem_sync_all();"),
    right("barrier", "a barrier orders stores", "9.10.1", mid="shmem_barrier_all();"),
    right("fence_flag", "a fence orders stores before the flag", "9.12.1", a_close="shmem_fence(); " + tell(),
          b_open=WAIT),
    wrong("nothing", "nothing orders the accesses"),
    wrong("fence_only", "the other PE does not know", "9.12.1", a_close="shmem_fence();"),
    wrong("flag_first", "the flag is set before the store", a_open=tell(), b_open=WAIT),
]
POINT = "long *view = (long *)shmem_ptr($X, 1);"


def pointer(name, what, first, second, variants, roles, pre="", **more):
    """Accesses of which one or both go through shmem_ptr."""
    RULES.append(Rule(name, "shmem", "pointer", what, "9.1.9", f"{POINT}\n" + between(first, second, pre), variants,
                      "symmetric", ranks=max(roles) + 1, roles=roles, shapes=False, options=ONE_HOST, **more))


pointer("ptr_store_load", "a store by pointer and the owner's load", "view[0] = 41;", "got = $X[0];", BY_POINTER,
        (0, 1, 1), check=GOT)
pointer("ptr_load_store", "a load by pointer and the owner's store", "got = view[0];", "$X[0] = 7;", BY_POINTER,
        (0, 1, 1), final=(7, 7))
pointer("ptr_store_get", "a store by pointer and a third PE's get", "view[0] = 41;", GET, BY_POINTER, (0, 2, 1),
        check=("into[0]", 41, 0))
pointer("ptr_put_load", "a put and a third PE's load by pointer", PUT, "got = view[0];", [
    right("barrier", "the barrier completes the put", "9.10.1", mid="shmem_barrier_all();"),
    wrong("sync", "a sync completes nothing", "9.10.4", mid="shmem_sync_all();"),
    wrong("nothing", "nothing orders the accesses")], (0, 2, 1), check=GOT)
pointer("ptr_store_store", "stores of two PEs by pointer", "view[0] = 41;", "view[0] = 43;", 
        only(BY_POINTER, "sync", "fence_flag", "nothing", "fence_only"), (0, 2, 1), final=(43, 41))

# Two flags.
FLAGS = "shmem_fence(); shmem_long_atomic_set(&flags[0], 1, $B);"
OTHER = "if (me == 2) shmem_long_atomic_set(&flags[1], 1, 1);"
add("two_flags", "target", "a put, and a load after waiting for flags of two PEs", "9.11", PUT, "got = $X[0];", [
    right("all", "waits for both", "9.11.2", ranks=3, a_close=FLAGS, other=OTHER,
          b_open="shmem_long_wait_until_all(flags, 2, NULL, SHMEM_CMP_EQ, 1);"),
    right("both", "waits for one after the other", "9.11.1", ranks=3, a_close=FLAGS, other=OTHER,
          b_open="shmem_long_wait_until(&flags[1], SHMEM_CMP_EQ, 1); "
                 "shmem_long_wait_until(&flags[0], SHMEM_CMP_EQ, 1);"),
    right("test_all", "tests both", "9.11.9", ranks=3, a_close=FLAGS, other=OTHER,
          b_open="while (!shmem_long_test_all(flags, 2, NULL, SHMEM_CMP_EQ, 1));"),
    right("all_vector", "waits for both", "9.11.5", ranks=3, a_close=FLAGS, other=OTHER,
          b_open="shmem_long_wait_until_all_vector(flags, 2, NULL, SHMEM_CMP_EQ, ones);"),
    right("any_of_one", "the other flag is excluded", "9.11.3", ranks=3, a_close=FLAGS, other=OTHER,
          b_open="shmem_long_wait_until_any(flags, 2, not_second, SHMEM_CMP_EQ, 1);"),
    wrong("wrong_one", "waits for the flag of the PE that did not put", "9.11.1", ranks=3, a_close=FLAGS,
          other=OTHER, b_open="shmem_long_wait_until(&flags[1], SHMEM_CMP_EQ, 1);"),
    wrong("excluded", "the flag of the PE that put is excluded", "9.11.2", ranks=3, a_close=FLAGS, other=OTHER,
          b_open="shmem_long_wait_until_all(flags, 2, not_first, SHMEM_CMP_EQ, 1);"),
    wrong("test_other", "tests the flag of the PE that did not put", "9.11.8", ranks=3, a_close=FLAGS, other=OTHER,
          b_open="while (!shmem_long_test(&flags[1], SHMEM_CMP_EQ, 1));")], check=GOT)
add("flag_load", "atomic", "a flag that is set by an AMO, loaded", "3.2", "shmem_long_atomic_set($X, 1, 1);",
    "got = $X[0];", [
        wrong("plain", "a load is not atomic towards AMOs", "3.2"),
        right("wait", "the update is complete when the wait returns", "9.11.1",
              b_open="shmem_long_wait_until($X, SHMEM_CMP_EQ, 1);")], check=("got", 1, 1), shapes=False)
add("flag_fetch", "atomic", "a flag that is set by an AMO, fetched", "3.2", "shmem_long_atomic_set($X, 1, 1);",
    "got = shmem_long_atomic_fetch($X, 1);", [right("fetch", "AMOs exclude each other", "3.2", either=True)],
    shapes=False)

# A wait for a word of a longer put.
LAST_WORD = "shmem_long_wait_until(&$X[3], SHMEM_CMP_EQ, 44);"
FLAGGED = "shmem_long_put($X, src, 4, 1);"
add("put_word_load", "target", "a put of several words, and a load after waiting for the last one", "9.11.1", FLAGGED,
    "got = $X[0];", [
        wrong("other_word", "the words of a put arrive in any order", "9.6.1.1", b_open=LAST_WORD),
        right("barrier", "the barrier completes the put", "9.10.1", b_open=LAST_WORD + " ", mid="shmem_barrier_all();")],
    check=GOT, shapes=False)
add("put_word_store", "target", "a put of several words, and a store to the one that was waited for", "9.11.1", FLAGGED,
    "$X[3] = 7;", [right("wait", "the update of the variable is complete when the wait returns", "9.11.1",
                         b_open=LAST_WORD)], shapes=False)
add("put_word_earlier", "target", "a put, and a load after waiting for a word of a later one", "9.11.1", PUT,
    "got = $X[0];", [
        right("fence", "the first put is delivered before the second", "9.12.1",
              a_close="shmem_fence(); shmem_long_put(there, src, 4, 1);",
              b_open="shmem_long_wait_until(&there[3], SHMEM_CMP_EQ, 44);"),
        wrong("no_fence", "two puts arrive in any order", "9.12.1", a_close="shmem_long_put(there, src, 4, 1);",
              b_open="shmem_long_wait_until(&there[3], SHMEM_CMP_EQ, 44);")], check=GOT, shapes=False)
add("store_word_get", "target", "a store and a get of it, after waiting for a word of a put", "9.11.1", "$X[0] = 41;",
    "shmem_long_get(into, $X, 4, 1);", [
        right("fence", "the fence orders the store before the put", "9.12.1",
              a_close="shmem_fence(); shmem_long_put(there, src, 4, 0);",
              b_open="shmem_long_wait_until(&there[3], SHMEM_CMP_EQ, 44);"),
        wrong("before", "the put comes before the store", "9.12.1", a_open="shmem_long_put(there, src, 4, 0);",
              b_open="shmem_long_wait_until(&there[3], SHMEM_CMP_EQ, 44);")], (1, 0, 1), check=("into[0]", 41, 0),
    shapes=False)
