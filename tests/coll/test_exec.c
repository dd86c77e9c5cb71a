/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: when collectives end (against the algorithms' cost formulas), how far a member may run
 * ahead, and who may go on.
 */
#include "coll/net.h"

static const double EPSILON = 1e-9;

static void expect_time(double got, double expected, const char *what, uint32_t n)
{
    if (got > expected + EPSILON || got < expected - EPSILON)
        fail_msg("%s with %u members ended at %.9g, expected %.9g", what, n, got, expected);
}

/* --- time --------------------------------------------------------------------------------------- */

/* All enter at 0; returns when the last one goes on. */
static double time_of(enum coll_op op, const char *name, uint32_t size, size_t bytes, uint64_t limit)
{
    struct net n = {.latency = 10, .issue = 3, .receive = 0.5, .limit = limit};
    struct coll_call *calls = base_zalloc(size * sizeof *calls, "test");
    double end = 0;
    net_init(&n, size, 1);
    net_choose(&n, op, name);
    for (uint32_t k = 0; k < size; k++) {
        memset(net_give_memory(&n, k, 4096 + size * bytes), 0, 4096);
        calls[k] = net_call(op, k, size, bytes);
        net_script(&n, k, &calls[k], 1, 0);
    }
    net_run(&n);
    net_expect_over(&n);
    for (uint32_t k = 0; k < size; k++)
        if (n.ranks[k].returned > end)
            end = n.ranks[k].returned;
    net_release(&n);
    free(calls);
    return end;
}

static void test_time(void **state)
{
    (void)state;
    const double a = 3 + 10 + 0.5, o = 3, r = 0.5, latency = 10;
    static const uint32_t sizes[] = {1, 2, 3, 4, 7, 8, 17, 32};
    for (size_t k = 0; k < BASE_LENGTH(sizes); k++) {
        uint32_t n = sizes[k];
        double rounds = coll_log2_above(n), others = n - 1;
        expect_time(time_of(COLL_BARRIER, "dissemination", n, 0, 1 << 20), rounds * a, "dissemination", n);
        expect_time(time_of(COLL_FCOLLECT, "ring", n, 8, 1 << 20), others * a, "ring", n);
        expect_time(time_of(COLL_ALLTOALL, "pairwise", n, 8, 1 << 20), others * a, "pairwise", n);
        /* The root issues one send after the other; the last one's receiver ends last. */
        expect_time(time_of(COLL_BROADCAST, "linear", n, 8, 1 << 20), n > 1 ? others * o + latency + r : 0,
                    "linear broadcast", n);
        /* All signals come at once: the root's CPU takes n - 1 of them, then issues n - 1. */
        expect_time(time_of(COLL_BARRIER, "linear", n, 0, 1 << 20),
                    n > 1 ? o + latency + others * (r + o) + latency + r : 0, "linear barrier", n);
    }
    /* Each of two levels of 16 sends to three children one after the other. */
    expect_time(time_of(COLL_BROADCAST, "k-nomial", 16, 8, 1 << 20), 2 * (3 * o + latency + r), "k-nomial",
                16);
    /* The eight pairs' seats come one step late; what the other eight send them in the last exchange is
     * there. */
    expect_time(time_of(COLL_BARRIER, "recursive-doubling", 24, 0, 1 << 20), 5 * a + o + r,
                "recursive doubling", 24);
    expect_time(time_of(COLL_FCOLLECT, "neighbor-exchange", 24, 8, 1 << 20), 12 * a, "neighbor exchange", 24);
    expect_time(time_of(COLL_INSCAN, "recursive-doubling", 32, 8, 1 << 20), 5 * a, "inscan", 32);
    expect_time(time_of(COLL_INSCAN, "linear", 24, 8, 1 << 20), 23 * a, "linear inscan", 24);
    /* 5 segments of 512 bytes over 3 hops: one more than hops for each but the first, received before it
     * is sent. */
    expect_time(time_of(COLL_BROADCAST, "chain", 4, 5 * 512, 1 << 20), 3 * a + 4 * (o + r), "chain", 4);
    /* A root of 8 sends to 4, 2 and 1 in this order: the path 0-4-6-7 ends last, after three whole steps. */
    expect_time(time_of(COLL_BROADCAST, "binomial", 8, 8, 1 << 20), 3 * a, "binomial", 8);
}

/* What the CPU does to bytes delays what it does next: the copy to dest before the send, the reduction
 * before the return. */
static void test_work(void **state)
{
    (void)state;
    struct net n = {.latency = 10, .issue = 3, .receive = 0.5, .limit = 4096};
    struct coll_call calls[2];
    net_init(&n, 2, 1);
    n.transport.copy_byte = 1.0 / 64;
    n.transport.reduce_byte = 1.0 / 16;
    for (uint32_t k = 0; k < 2; k++) {
        memset(net_give_memory(&n, k, 8192), 0, 8192);
        calls[k] = net_call(COLL_REDUCE, k, 2, 256);
        net_script(&n, k, &calls[k], 1, 0);
    }
    net_run(&n);
    net_expect_over(&n);
    for (uint32_t k = 0; k < 2; k++)
        expect_time(n.ranks[k].returned, 4 + 3 + 10 + 0.5 + 16, "reduction of 256 bytes", 2);
    net_release(&n);
}

/* Above the buffered limit the sender goes on only when the arrival is acknowledged, below at once after the
 * overhead. */
static void test_long_send(void **state)
{
    (void)state;
    for (int is_long = 0; is_long < 2; is_long++) {
        struct net n = {.latency = 10, .issue = 3, .ack = 2, .limit = is_long ? 64 : 4096};
        struct coll_call calls[2];
        net_init(&n, 2, 1);
        for (uint32_t k = 0; k < 2; k++) {
            memset(net_give_memory(&n, k, 8192), 0, 8192);
            calls[k] = net_call(COLL_BROADCAST, k, 2, 256);
            calls[k].dest = k ? calls[k].dest : NULL;
            net_script(&n, k, &calls[k], 1, 0);
        }
        net_run(&n);
        net_expect_over(&n);
        expect_time(n.ranks[0].returned, is_long ? 15 : 3, is_long ? "long send" : "short send", 2);
        net_release(&n);
    }
}

/* --- running ahead ------------------------------------------------------------------------------ */

/* The root makes all its broadcasts before the others enter; each gets them in order. */
static void test_run_ahead(void **state)
{
    (void)state;
    enum { CALLS = 200, SIZE = 5 };
    struct net n = {.latency = 10, .jitter = 30, .issue = 0.01, .limit = 64, .check = true};
    struct coll_call calls[SIZE][CALLS];
    net_init(&n, SIZE, 3);
    for (uint32_t p = 0; p < SIZE; p++) {
        unsigned char *memory = net_give_memory(&n, p, 8192);
        memset(memory, 0, 8192);
        for (unsigned k = 0; k < CALLS; k++) {
            calls[p][k] = net_call(COLL_BROADCAST, p, SIZE, 8);
            calls[p][k].source = (void *)(NET_ADDRESS + 8 * (uintptr_t)k);
            calls[p][k].dest = (void *)(NET_ADDRESS + 4096 + 8 * (uintptr_t)k);
            if (p == 0)
                memory[8 * k] = (unsigned char)(k + 1);
        }
        net_script(&n, p, calls[p], CALLS, p ? 1000 * p : 0);
    }
    net_run(&n);
    net_expect_over(&n);
    for (uint32_t p = 0; p < SIZE; p++)
        for (unsigned k = 0; k < CALLS; k++)
            if (n.ranks[p].memory[4096 + 8 * k] != (unsigned char)(k + 1))
                fail_msg("place %u, call %u: got %u", p, k, n.ranks[p].memory[4096 + 8 * k]);
    net_release(&n);
}

/* Groups of one name space but other members, and of one set of members but other name spaces, do not meet.
 */
static void test_groups_apart(void **state)
{
    (void)state;
    struct net n = {.latency = 10};
    struct coll_call calls[4][3];
    net_init(&n, 4, 1);
    for (uint32_t p = 0; p < 4; p++) {
        calls[p][0] = net_call(COLL_BARRIER, p / 2, 2, 0); /* even and odd ranks */
        calls[p][0].group.first = p % 2;
        calls[p][0].group.stride = 2;
        calls[p][1] = net_call(COLL_BARRIER, p, 4, 0);
        calls[p][1].group.id = 1;
        calls[p][2] = net_call(COLL_BARRIER, p, 4, 0);
        net_script(&n, p, calls[p], 3, p % 2 ? 100 : 0);
    }
    net_run(&n);
    net_expect_over(&n);
    /* the odd ranks' at 100 takes 10, then two of two rounds */
    expect_time(n.ranks[0].returned, 150, "two barriers after that of the odd ranks", 4);
    assert_int_equal(n.exec.groups.live, 4);
    net_release(&n);
}

/* --- going on ----------------------------------------------------------------------------------- */

static unsigned gone; /* bits of places */
static void note_gone(struct coll_member *m)
{
    m->may_go = false;
    gone |= 1U << m->schedule.me;
}

/* Who only waits for the end of a call may go on when all members have called, not earlier; and nobody else
 * may. */
static void test_go_when_all_are_there(void **state)
{
    (void)state;
    enum { SIZE = 4 };
    struct net n = {.latency = 10};
    struct coll_call calls[SIZE];
    net_init(&n, SIZE, 1);
    gone = 0;
    for (uint32_t p = 0; p < SIZE; p++) {
        calls[p] = net_call(COLL_BARRIER, p, SIZE, 0);
        n.ranks[p].calls = &calls[p];
        n.ranks[p].n_calls = 1;
        net_enter(&n, &n.ranks[p]);
        n.ranks[p].member->may_go = p != 2;
        coll_exec_go(n.ranks[p].member, note_gone);
        if (gone != (p + 1 < SIZE ? 0 : 11))
            fail_msg("members 0 to %u have called, and those that go are %#x", (unsigned)p, gone);
    }
    net_run(&n);
    net_expect_over(&n);
    net_release(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time),         cmocka_unit_test(test_work),
        cmocka_unit_test(test_long_send),    cmocka_unit_test(test_run_ahead),
        cmocka_unit_test(test_groups_apart), cmocka_unit_test(test_go_when_all_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
