/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports on members that make different calls or none. */
#include "coll/net.h"
#include "coll/operators.h"

/* Ranks 4 and 6 call these, 6 second; the report must be `text`, or there must be none. */
static void expect_mismatch(struct coll_call first, struct coll_call second, const char *text)
{
    struct net n = {.latency = 10};
    jmp_buf back;
    net_init(&n, 8, 1);
    struct coll_call *calls[] = {&first, &second};
    for (uint32_t p = 0; p < 2; p++) {
        calls[p]->me = p;
        calls[p]->group = (struct coll_group){.first = 4, .stride = 2, .size = 2};
        memset(net_give_memory(&n, 4 + 2 * p, 8192), 0, 8192);
        net_script(&n, 4 + 2 * p, calls[p], 1, p);
    }
    n.mismatch = &back;
    if (setjmp(back) == 0)
        net_run(&n);
    assert_string_equal(n.text, text);
    net_release(&n);
}

static void test_mismatch(void **state)
{
    (void)state;
    struct coll_call barrier = net_call(COLL_BARRIER, 0, 2, 0),
                     broadcast = net_call(COLL_BROADCAST, 0, 2, 64);
    struct coll_call other = broadcast, collect = net_call(COLL_COLLECT, 0, 2, 64), other_part = collect;
    expect_mismatch(
        barrier, broadcast,
        "rank 6: broadcast: the members' functions differ in collective 0 of ranks 4 to 6 in steps "
        "of 2: rank 6 calls broadcast, 64 bytes, root 0; rank 4 called barrier");
    other.root = 1;
    expect_mismatch(
        broadcast, other,
        "rank 6: broadcast: the members' roots differ in collective 0 of ranks 4 to 6 in steps of "
        "2: rank 6 calls broadcast, 64 bytes, root 1; rank 4 called broadcast, 64 bytes, root 0");
    other = broadcast;
    other.bytes = 72;
    expect_mismatch(
        broadcast, other,
        "rank 6: broadcast: the members' sizes differ in collective 0 of ranks 4 to 6 in steps of "
        "2: rank 6 calls broadcast, 72 bytes, root 0; rank 4 called broadcast, 64 bytes, root 0");
    other = broadcast;
    other.name = "shmem_int_broadcast";
    expect_mismatch(
        broadcast, other,
        "rank 6: shmem_int_broadcast: the members' functions differ in collective 0 of ranks 4 to 6 "
        "in steps of 2: rank 6 calls shmem_int_broadcast, 64 bytes, root 0; rank 4 called "
        "broadcast, 64 bytes, root 0");
    struct coll_call sum = net_call(COLL_REDUCE, 0, 2, 64), max = sum, users = sum;
    max.operator.op = TYPES_MAX;
    expect_mismatch(sum, max, ""); /* possible, and a warning */
    users.operator= users_operator;
    users.local = &affine_local;
    expect_mismatch(
        sum, users,
        "rank 6: reduce: the members' reductions differ in collective 0 of ranks 4 to 6 in steps of "
        "2: rank 6 calls reduce, 64 bytes, a user's operator; rank 4 called reduce, 64 bytes, sum of double");
    struct coll_call packed = net_call(COLL_ALLTOALL, 0, 2, 64), strided = packed, in_place = packed;
    strided.same_strides[0] = 16;
    expect_mismatch(
        packed, strided,
        "rank 6: alltoall: the members' strides differ in collective 0 of ranks 4 to 6 in steps of "
        "2: rank 6 calls alltoall, 64 bytes, elements of 8 bytes 16 (dest) and 0 (source) apart; "
        "rank 4 called alltoall, 64 bytes");
    coll_in_place(&in_place, NULL);
    expect_mismatch(
        packed, in_place,
        "rank 6: alltoall: the members' buffers differ in collective 0 of ranks 4 to 6 in steps of "
        "2: rank 6 calls alltoall, 64 bytes, in place; rank 4 called alltoall, 64 bytes");
    other_part.bytes = 128;
    expect_mismatch(collect, other_part, "");
}

static void test_missing_members(void **state)
{
    (void)state;
    enum { SIZE = 9 };
    struct net n = {.latency = 10};
    struct coll_call calls[SIZE];
    char text[256];
    net_init(&n, SIZE, 1);
    for (uint32_t p = 0; p < SIZE; p++) {
        calls[p] = net_call(COLL_BARRIER, p, SIZE, 0);
        if (p < 2)
            net_script(&n, p, &calls[p], 1, 0);
    }
    net_run(&n);
    coll_exec_describe(n.ranks[0].member, text, sizeof text);
    assert_string_equal(text,
                        "collective 0 of ranks 0 to 8, 7 of 9 members have not called it: rank 2, 3, 4, "
                        "5, ...");
    for (uint32_t p = 2; p + 1 < SIZE; p++)
        net_script(&n, p, &calls[p], 1, n.now);
    net_run(&n);
    coll_exec_describe(n.ranks[0].member, text, sizeof text);
    assert_string_equal(text, "collective 0 of ranks 0 to 8, 1 of 9 members have not called it: rank 8");
    coll_exec_describe(n.ranks[0].member, text, 20);
    assert_string_equal(text, "collective 0 of ran");
    net_script(&n, SIZE - 1, &calls[SIZE - 1], 1, n.now);
    net_run(&n);
    net_expect_over(&n);
    net_release(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mismatch),
        cmocka_unit_test(test_missing_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
