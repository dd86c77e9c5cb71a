# SPDX-License-Identifier: BSD-3-Clause
"""OpenSHMEM 1.6: remote memory, by operations of one or two PEs and by its owner's loads and stores.

Section 9.12.4 lists what fence and quiet order; 9.10.1 and 9.10.4 say what barriers and syncs complete; 9.11 says
what a wait or test observes.
"""
from table import ONE_HOST, Rule, between, gray, right, same_rank, wrong

WAIT = "shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);"
POLL = "while (!shmem_long_test(&flag, SHMEM_CMP_EQ, 1));"


def tell(ctx=""):
    """Sets the second PE's flag."""
    return f"shmem_ctx_long_atomic_set({ctx}, &flag, 1, $B);" if ctx else "shmem_long_atomic_set(&flag, 1, $B);"


# After an update (put, p, iput, their nonblocking forms, AMOs) on the default context.
UPDATE = [
    right("barrier", "shmem_barrier_all completes the update before anybody leaves", "9.10.1",
          mid="shmem_barrier_all();"),
    right("quiet_sync", "quiet completes the update, the sync orders the PEs", "9.12.2, 9.10.4",
          a_close="shmem_quiet();", mid="shmem_sync_all();"),
    right("quiet_team_sync", "quiet completes the update, the sync orders the PEs", "9.12.2, 9.10.3",
          a_close="shmem_quiet();", mid="shmem_team_sync(SHMEM_TEAM_WORLD);"),
    right("pe_quiet_sync", "pe_quiet completes what was sent to the named PE", "9.12.3",
          a_close="shmem_pe_quiet(&owner, 1);", mid="shmem_sync_all();"),
    right("quiet_flag", "the update is complete before the flag is set", "9.12.2, 9.11.1",
          a_close="shmem_quiet(); " + tell(), b_open=WAIT),
    right("quiet_flag_test", "as a wait, in a loop of tests", "9.12.2, 9.11.8",
          a_close="shmem_quiet(); " + tell(), b_open=POLL),
    wrong("nothing", "nothing orders the accesses"),
    wrong("quiet_only", "complete at some time, but the second PE does not know when", a_close="shmem_quiet();"),
    wrong("sync_only", "a sync does not complete remote updates", "9.10.4", mid="shmem_sync_all();"),
    wrong("team_sync_only", "a sync does not complete remote updates", "9.10.3",
          mid="shmem_team_sync(SHMEM_TEAM_WORLD);"),
    wrong("fence_sync", "a fence does not complete anything, and a sync is no operation that it orders", "9.12.1",
          a_close="shmem_fence();", mid="shmem_sync_all();"),
    wrong("sync_quiet", "the quiet comes after the sync", "9.10.4", mid="shmem_sync_all();",
          a_late="shmem_quiet();"),
    wrong("other_ctx", "quiet of another context", "9.12.2", a_close="shmem_ctx_quiet(ctx);",
          mid="shmem_sync_all();"),
    wrong("other_pe_quiet", "pe_quiet names another PE", "9.12.3",
          a_close="shmem_pe_quiet(&first, 1);", mid="shmem_sync_all();"),
    wrong("flag_only", "the flag may be delivered before the update", "9.12.1", a_close=tell(), b_open=WAIT),
    wrong("flag_first", "the flag is set before the update is issued", "9.12.1",
          a_open=tell(), b_open=WAIT),
    wrong("flag_then_quiet", "the flag may be delivered before the update", "9.12.2",
          a_close=tell() + " shmem_quiet();", b_open=WAIT),
    wrong("flag_other_ctx", "fence orders the operations of its own context only", "9.12.1",
          a_close="shmem_ctx_fence(ctx); " + tell("ctx"), b_open=WAIT),
]
# ... when the second access is at the PE that was updated.
FENCED = [
    right("fence_flag", "the update is delivered before the flag", "9.12.1, 9.11.1",
          a_close="shmem_fence(); " + tell(), b_open=WAIT),
    right("fence_flag_test", "the update is delivered before the flag", "9.12.1, 9.11.8",
          a_close="shmem_fence(); " + tell(), b_open=POLL),
    right("fence_flag_all", "wait_until_all, all elements", "9.12.1, 9.11.2",
          a_close="shmem_fence(); " + tell(),
          b_open="shmem_long_wait_until_all(&flag, 1, NULL, SHMEM_CMP_EQ, 1);"),
    right("fence_flag_any", "wait_until_any, one element", "9.12.1, 9.11.3",
          a_close="shmem_fence(); " + tell(),
          b_open="shmem_long_wait_until_any(&flag, 1, NULL, SHMEM_CMP_EQ, 1);"),
    right("fence_flag_some", "wait_until_some, one element", "9.12.1, 9.11.4",
          a_close="shmem_fence(); " + tell(),
          b_open="shmem_long_wait_until_some(&flag, 1, &which, NULL, SHMEM_CMP_EQ, 1);"),
    right("fence_signal", "a fence orders puts before a later put-with-signal", "9.12.1, 9.8.3",
          a_close="shmem_fence(); shmem_long_put_signal(other, src, 1, &sig, 1, SHMEM_SIGNAL_SET, $B);",
          b_open="shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);"),
    right("fence_signal_set", "a fence orders puts before a later signal", "9.12.1, 9.8.6",
          a_close="shmem_fence(); shmem_signal_set(&sig, 1, $B);",
          b_open="shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);"),
    wrong("signal_only", "the signal comes after its own data only", "9.8.3",
          a_close="shmem_long_put_signal(other, src, 1, &sig, 1, SHMEM_SIGNAL_SET, $B);",
          b_open="shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);"),
    wrong("other_flag", "waits for a flag that says nothing of this update", "9.11.1",
          a_open="shmem_long_atomic_set(&flag, 1, $B);", a_close="shmem_fence(); "
          "shmem_long_atomic_set(&other[1], 1, $B);", b_open=WAIT),
    gray("fence_flag_fetch", "only waits and tests are said to observe the initiator's order", "9.11",
         a_close="shmem_fence(); " + tell(), b_open="while (shmem_long_atomic_fetch(&flag, me) != 1);"),
    gray("fence_put_flag", "the flag \"may be updated by an AMO\": a put is not mentioned", "9.11.1",
         a_close="shmem_fence(); shmem_long_p(&flag, 1, $B);", b_open=WAIT),
    gray("quiet_reduce", "whether a reduction orders other memory is not said", "9.10",
         a_close="shmem_quiet();", mid="shmem_long_sum_reduce(SHMEM_TEAM_WORLD, one, two, 1);"),
]
# ... when it is at a third PE.
THIRD = [
    wrong("fence_flag_third", "a fence orders deliveries to one PE only", "9.12.1",
          a_close="shmem_fence(); " + tell(), b_open=WAIT),
    wrong("fence_signal_third", "a fence orders deliveries to one PE only", "9.12.1",
          a_close="shmem_fence(); shmem_signal_set(&sig, 1, $B);",
          b_open="shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);"),
    wrong("team_of_others", "a sync of a team without the first PE orders nothing with it", "9.10.3",
          a_close="shmem_quiet();", mid="if (me > 0) shmem_team_sync(team);"),
]
# After an update on a context of its own.
CONTEXT = [
    right("ctx_quiet_sync", "quiet of the right context", "9.12.2", a_close="shmem_ctx_quiet(ctx);",
          mid="shmem_sync_all();"),
    right("ctx_quiet_barrier", "quiet of the right context", "9.12.2", a_close="shmem_ctx_quiet(ctx);",
          mid="shmem_barrier_all();"),
    right("ctx_fence_flag", "fence and flag on the same context", "9.12.1",
          a_close="shmem_ctx_fence(ctx); " + tell("ctx"), b_open=WAIT),
    right("ctx_quiet_flag", "complete before the flag is set, on whatever context", "9.12.2",
          a_close="shmem_ctx_quiet(ctx); " + tell(), b_open=WAIT),
    wrong("barrier", "the barrier completes the default context only", "9.10.1", mid="shmem_barrier_all();"),
    wrong("quiet_sync", "quiet of the default context", "9.12.2", a_close="shmem_quiet();",
          mid="shmem_sync_all();"),
    wrong("fence_flag", "fence of the default context", "9.12.1", a_close="shmem_fence(); " + tell(),
          b_open=WAIT),
    wrong("ctx_fence_default_flag", "the flag is on another context than the fence", "9.12.1",
          a_close="shmem_ctx_fence(ctx); " + tell(), b_open=WAIT),
    wrong("ctx_other_quiet", "quiet of another context", "9.12.2", a_close="shmem_ctx_quiet(ctx2);",
          mid="shmem_sync_all();"),
]
# After a blocking get, or a fetching AMO: complete on return.
FETCHED = [
    right("sync", "a get is complete when it returns", "9.6.1.5, 9.10.4", mid="shmem_sync_all();"),
    right("barrier", "a get is complete when it returns", "9.6.1.5, 9.10.1", mid="shmem_barrier_all();"),
    right("flag", "a get is complete when it returns", "9.6.1.5, 9.11.1", a_close=tell(), b_open=WAIT),
    wrong("nothing", "nothing orders the accesses"),
    wrong("flag_first", "the flag is set before the get", a_open=tell(), b_open=WAIT),
    wrong("quiet_only", "quiet does not tell the other PE", "9.12.2", a_close="shmem_quiet();"),
]
# After a nonblocking get or fetching AMO.
FETCHING = [
    right("quiet_sync", "quiet completes nonblocking gets", "9.12.2", a_close="shmem_quiet();",
          mid="shmem_sync_all();"),
    right("barrier", "the barrier completes nonblocking gets", "9.10.1", mid="shmem_barrier_all();"),
    right("quiet_flag", "complete before the flag is set", "9.12.2", a_close="shmem_quiet(); " + tell(),
          b_open=WAIT),
    wrong("nothing", "nothing orders the accesses"),
    wrong("sync_only", "a sync completes nothing", "9.10.4", mid="shmem_sync_all();"),
    wrong("fence_flag", "a fence does not order nonblocking gets", "9.12.1",
          a_close="shmem_fence(); " + tell(), b_open=WAIT),
    wrong("flag_only", "nothing completes the get", "9.12.2", a_close=tell(), b_open=WAIT),
]
# After the owner's own load or store.
OWN = [
    right("sync", "a sync makes stores visible", "9.10.4", mid="shmem_sync_all();"),
    right("barrier", "a barrier makes stores visible", "9.10.1", mid="shmem_barrier_all();"),
    right("fence_flag", "a fence orders stores before the flag", "9.12.1", a_close="shmem_fence(); " + tell(),
          b_open=WAIT),
    right("quiet_flag", "quiet makes stores visible", "9.12.2", a_close="shmem_quiet(); " + tell(), b_open=WAIT),
    wrong("nothing", "nothing orders the accesses"),
    wrong("flag_first", "the flag is set before the access", a_open=tell(), b_open=WAIT),
    wrong("quiet_only", "quiet does not tell the other PE", "9.12.2", a_close="shmem_quiet();"),
    gray("flag_only", "a store and an AMO of one PE are ordered only by fence, strictly read", "9.12.1",
         a_close=tell(), b_open=WAIT),
    gray("nostore_flag", "the same if the context's fence orders no stores", "9.5",
         a_close="shmem_ctx_fence(nostore); " + tell("nostore"), b_open=WAIT),
    right("nostore_sync", "a sync makes stores visible, whatever contexts there are", "9.10.4",
          a_close="shmem_ctx_quiet(nostore);", mid="shmem_sync_all();"),
]
# Between two accesses of one PE to another's memory; the first is an update.
AGAIN = [
    right("quiet", "quiet completes the update", "9.12.2", mid="shmem_quiet();"),
    right("pe_quiet", "pe_quiet completes what was sent to the named PE", "9.12.3",
          mid="shmem_pe_quiet(&owner, 1);"),
    right("barrier", "the barrier completes the update", "9.10.1", all="shmem_barrier_all();"),
    wrong("nothing", "updates may be delivered at any later time, in any order", "9.12"),
    wrong("other_ctx", "quiet of another context", "9.12.2", mid="shmem_ctx_quiet(ctx);"),
    wrong("sync", "a sync completes nothing", "9.10.4", all="shmem_sync_all();"),
]
FENCE_RIGHT = [right("fence", "a fence orders puts and AMOs to one PE", "9.12.1", mid="shmem_fence();")]
FENCE_WRONG = [wrong("fence", "a fence does not order gets", "9.12.1", mid="shmem_fence();")]

GOT = ("got", 41, 0)
PUT = "shmem_long_put($X, src, 4, 1);"
RULES = []


def add(name, kind, what, cite, first, second, variants, roles=(0, 1, 1), **more):
    """One rule of two PEs, or of one if the roles say so."""
    body = same_rank(first, second) if roles[0] == roles[1] else between(first, second)
    RULES.append(Rule(name, "shmem", kind, what, cite, body, variants, "symmetric", ranks=max(roles) + 1,
                      roles=roles, **more))


def only(variants, *names):
    """Some of a group's variants."""
    return [variant for variant in variants if variant.name in names]


MAIN = ("barrier", "quiet_sync", "quiet_flag", "nothing", "sync_only", "fence_sync", "sync_quiet", "flag_only",
        "fence_flag", "signal_only", "fence_flag_third", "other_ctx")

# An update, and the owner's load or store.
add("put_load", "target", "a put and a load at its target", "9.6.1.1", PUT, "got = $X[0];", UPDATE + FENCED,
    check=GOT)
add("put_store", "target", "a put and a store at its target", "9.6.1.1", PUT, "$X[0] = 7;",
    only(UPDATE + FENCED, *MAIN), final=(7, 41))
add("p_load", "target", "a p and a load at its target", "9.6.1.2", "shmem_long_p($X, 41, 1);", "got = $X[0];",
    only(UPDATE + FENCED, *MAIN), check=GOT)
add("iput_load", "target", "an iput and a load at its target", "9.6.1.3", "shmem_long_iput($X, src, 2, 1, 2, 1);",
    "got = $X[2];", only(UPDATE + FENCED, *MAIN), check=("got", 42, 0), shapes=False)
add("put_nbi_load", "target", "a nonblocking put and a load at its target", "9.6.2.1",
    "shmem_long_put_nbi($X, src, 4, 1);", "got = $X[0];", only(UPDATE + FENCED, *MAIN), check=GOT)
add("putmem_load", "target", "a putmem and a load at its target", "9.6.1.1", "shmem_putmem($X, src, sizeof src, 1);",
    "got = $X[0];", only(UPDATE + FENCED, *MAIN), check=GOT)
add("ctx_put_load", "target", "a put on a context and a load at its target", "9.5, 9.6.1.1",
    "shmem_ctx_long_put(ctx, $X, src, 4, 1);", "got = $X[0];", CONTEXT, check=GOT)
add("amo_load", "atomic", "a non-fetching AMO and a load at its target", "3.2", "shmem_long_atomic_add($X, 41, 1);",
    "got = $X[0];", only(UPDATE + FENCED, *MAIN), check=GOT)
add("amo_store", "atomic", "a non-fetching AMO and a store at its target", "3.2",
    "shmem_long_atomic_inc($X, 1);", "$X[0] = 7;", only(UPDATE + FENCED, *MAIN), final=(7, 8))
# A read, and the owner's store.
add("get_store", "target", "a get and a store at its target", "9.6.1.5", "shmem_long_get(into, $X, 4, 1);",
    "$X[0] = 7;", FETCHED, final=(7, 7))
add("g_store", "target", "a g and a store at its target", "9.6.1.6", "got = shmem_long_g($X, 1);",
    "$X[0] = 7;", FETCHED, final=(7, 7))
add("get_nbi_store", "target", "a nonblocking get and a store at its target", "9.6.2.2",
    "shmem_long_get_nbi(into, $X, 4, 1);", "$X[0] = 7;", FETCHING, final=(7, 7))
add("fetch_add_store", "atomic", "a fetching AMO and a store at its target", "3.2",
    "got = shmem_long_atomic_fetch_add($X, 2, 1);", "$X[0] = 7;",
    only(FETCHED, "nothing", "flag_first") + [
        right("quiet_sync", "the update is complete at quiet", "9.12.2", a_close="shmem_quiet();",
              mid="shmem_sync_all();")], final=(7, 9))
add("swap_nbi_load", "atomic", "a nonblocking swap and a load at its target", "3.2",
    "shmem_long_atomic_swap_nbi(into, $X, 41, 1);", "got = $X[0];",
    only(UPDATE, "barrier", "quiet_sync", "nothing", "sync_only", "flag_only"), check=GOT)
# The owner's load or store, and a remote operation.
add("store_get", "target", "a store and a get of it", "9.6.1.5", "$X[0] = 41;", "shmem_long_get(into, $X, 4, 1);",
    OWN, (1, 0, 1), check=("into[0]", 41, 0))
add("store_g", "target", "a store and a g of it", "9.6.1.6", "$X[0] = 41;", "got = shmem_long_g($X, 1);",
    OWN, (1, 0, 1), check=GOT)
add("store_put", "target", "a store and a put over it", "9.6.1.1", "$X[0] = 7;", PUT,
    only(OWN, "sync", "barrier", "nothing", "flag_first", "fence_flag"), (1, 0, 1), final=(41, 7))
add("load_put", "target", "a load and a put over it", "9.6.1.1", "got = $X[0];", PUT,
    only(OWN, "sync", "barrier", "nothing", "flag_first"), (1, 0, 1), final=(41, 41))
add("store_amo", "atomic", "a store and an AMO on it", "3.2", "$X[0] = 7;", "shmem_long_atomic_add($X, 2, 1);",
    only(OWN, "sync", "barrier", "nothing", "flag_first", "fence_flag"), (1, 0, 1), final=(9, 7))
# Two origins.
THIRD_MAIN = only(UPDATE + THIRD, *MAIN) + THIRD[2:]
add("put_put", "origins", "puts of two PEs", "9.6.1.1", PUT, "shmem_long_p($X, 43, 1);", THIRD_MAIN, (0, 2, 1),
    final=(43, 41))
add("put_get", "origins", "a put and another PE's get", "9.6.1", PUT, "shmem_long_get(into, $X, 4, 1);",
    UPDATE + THIRD, (0, 2, 1), check=("into[0]", 41, 0))
add("get_put", "origins", "a get and another PE's put", "9.6.1", "shmem_long_get(into, $X, 4, 1);",
    "shmem_long_put($X, src, 4, 1);", FETCHED, (0, 2, 1), final=(41, 41))
add("amo_put", "atomic", "an AMO and another PE's put", "3.2", "shmem_long_atomic_inc($X, 1);",
    "shmem_long_p($X, 43, 1);", only(UPDATE, "barrier", "quiet_sync", "nothing", "sync_only"), (0, 2, 1),
    final=(43, 44))
add("put_fetch", "atomic", "a put and another PE's atomic fetch", "3.2", PUT,
    "got = shmem_long_atomic_fetch($X, 1);", only(UPDATE, "barrier", "quiet_sync", "nothing", "sync_only",
                                                  "other_ctx"), (0, 2, 1), check=GOT)
add("amo_get", "atomic", "an AMO and another PE's get", "3.2", "shmem_long_atomic_set($X, 41, 1);",
    "shmem_long_get(into, $X, 1, 1);", only(UPDATE + THIRD, *MAIN), (0, 2, 1), check=("into[0]", 41, 0))
add("amo_int_long", "atomic", "AMOs of different types", "3.2", "shmem_long_atomic_add($X, 1, 1);",
    "shmem_int_atomic_add((int *)$X, 2, 1);", only(UPDATE, "barrier", "quiet_sync", "nothing", "sync_only",
                                                   "sync_quiet"), (0, 2, 1), final=(3, 3))
add("amo_double_long", "atomic", "AMOs of types of one size", "3.2", "shmem_long_atomic_add($X, 1, 1);",
    "shmem_double_atomic_set((double *)$X, 0, 1);", only(UPDATE, "barrier", "quiet_sync", "nothing"), (0, 2, 1),
    final=(0, 1))
add("amo_amo", "atomic", "AMOs of one type", "3.2", "shmem_long_atomic_add($X, 1, 1);",
    "got = shmem_long_atomic_fetch_inc($X, 1);", [
        right("nothing", "AMOs of one type and domain exclude each other", "3.2", either=True),
        right("barrier", "they do, and the barrier orders them", "3.2", mid="shmem_barrier_all();")], (0, 2, 1),
    final=(2, 2))
add("amo_amo_ctx", "atomic", "AMOs on contexts of one domain", "3.2", "shmem_ctx_long_atomic_add(ctx, $X, 1, 1);",
    "shmem_long_atomic_compare_swap($X, 77, 78, 1);", [
        right("nothing", "contexts of teams that descend from one predefined team", "3.2", either=True)],
    (0, 2, 1), final=(1, 1))
add("amo_domains", "atomic", "AMOs in different atomicity domains", "3.2",
    "shmem_ctx_long_atomic_add(shared_ctx, $X, 1, 1);",
    "shmem_long_atomic_add($X, 2, 1);", [
        wrong("nothing", "SHMEM_TEAM_SHARED and SHMEM_TEAM_WORLD are two domains", "3.2"),
        wrong("sync", "a sync does not complete the first AMO", "3.2, 9.10.4", mid="shmem_sync_all();"),
        right("quiet_sync", "ordered, so not concurrent", "3.2", a_close="shmem_ctx_quiet(shared_ctx);",
              mid="shmem_sync_all();")], (0, 2, 1), final=(3, 3), options=ONE_HOST)
add("amo_ulong", "atomic", "AMOs on long and unsigned long", "3.2", "shmem_long_atomic_add($X, 1, 1);",
    "shmem_ulong_atomic_add((unsigned long *)$X, 2, 1);", [
        gray("nothing", "different datatypes by the letter, the same bits", "3.2")], (0, 2, 1))
# One origin.
add("put_then_put", "origin", "two puts of one PE", "9.12.1", PUT, "shmem_long_p($X, 43, 1);", AGAIN + FENCE_RIGHT,
    (0, 0, 1), final=(43, 41))
add("put_then_get", "origin", "a put and a get of one PE", "9.12.1", PUT, "shmem_long_get(into, $X, 4, 1);",
    AGAIN + FENCE_WRONG, (0, 0, 1), check=("into[0]", 41, 0))
add("p_then_g", "origin", "a p and a g of one PE", "9.12.1", "shmem_long_p($X, 41, 1);",
    "got = shmem_long_g($X, 1);", AGAIN + FENCE_WRONG, (0, 0, 1), check=GOT)
add("put_then_amo", "origin", "a put and an AMO of one PE", "9.12.1", PUT, "shmem_long_atomic_inc($X, 1);",
    AGAIN + FENCE_RIGHT, (0, 0, 1), final=(42, 41))
add("nbi_then_p", "origin", "a nonblocking put and a p of one PE", "9.12.1", "shmem_long_put_nbi($X, src, 4, 1);",
    "shmem_long_p($X, 43, 1);", AGAIN + FENCE_RIGHT, (0, 0, 1), final=(43, 41))
add("get_nbi_then_put", "origin", "a nonblocking get and a put of one PE", "9.12.1",
    "shmem_long_get_nbi(into, $X, 4, 1);", "shmem_long_p($X, 43, 1);", AGAIN + FENCE_WRONG, (0, 0, 1),
    final=(43, 43))
