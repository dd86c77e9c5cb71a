/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: when collectives end (against the algorithms' cost formulas), how far a member may run
 * ahead, the order of operands whatever the timing, and the reports on members that make different calls or
 * none.
 */
#include "coll/net.h"

static const double EPSILON = 1e-9;

static void expect_time(double got, double expected, const char *what, uint32_t n)
{
    if (got > expected + EPSILON || got < expected - EPSILON)
        fail_msg("%s with %u members ended at %.9g, expected %.9g", what, n, got, expected);
}

static void add_doubles(void *inout, const void *in, size_t n)
{
    double *a = inout;
    const double *b = in;
    for (size_t k = 0; k < n; k++)
        a[k] += b[k];
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
        calls[k].reduce = add_doubles;
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
        calls[k].reduce = add_doubles;
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

/* --- operands ----------------------------------------------------------------------------------- */

/* x -> a x + b over 32-bit words: associative, not commutative. */
struct affine {
    uint32_t a, b;
};

static void compose(void *inout, const void *in, size_t n)
{
    struct affine f, g;
    for (size_t k = 0; k < n; k++) {
        memcpy(&f, (struct affine *)inout + k, sizeof f);
        memcpy(&g, (const struct affine *)in + k, sizeof g);
        f = (struct affine){f.a * g.a, f.a * g.b + f.b};
        memcpy((struct affine *)inout + k, &f, sizeof f);
    }
}

enum { ELEMENTS = 50, MEMBERS = 21 };

/* The result of one reduction at place `who`, for a seed of data and one of timing. */
static void reduce_once(const char *name, coll_reduce_fn reduce, uint32_t who, uint64_t data, uint64_t timing,
                        void *result)
{
    struct net n = {.latency = 1, .jitter = timing ? 20 : 0, .limit = timing % 2 ? 0 : 1 << 20};
    struct coll_call calls[MEMBERS];
    struct base_random random;
    base_random_seed(&random, data, 2);
    n.radix = 2 + (uint32_t)(data % 4);
    net_init(&n, MEMBERS, timing);
    net_choose(&n, COLL_REDUCE, name);
    for (uint32_t p = 0; p < MEMBERS; p++) {
        n.ranks[p].rank->host = p / 4;
        unsigned char *memory = net_give_memory(&n, p, 8192);
        for (unsigned k = 0; k < ELEMENTS; k++) {
            double d = base_random_unit(&random);
            memcpy(memory + 8 * k, &d, 8);
        }
        calls[p] = net_call(COLL_REDUCE, p, MEMBERS, 8 * ELEMENTS);
        calls[p].reduce = reduce;
        net_script(&n, p, &calls[p], 1, timing ? 30 * base_random_unit(&n.random) : 0);
    }
    net_run(&n);
    net_expect_over(&n);
    memcpy(result, n.ranks[who].memory + 4096, 8 * ELEMENTS);
    net_release(&n);
}

static void test_operands_in_order(void **state)
{
    (void)state;
    static const char *const names[] = {"linear",   "recursive-doubling", "rabenseifner",
                                        "binomial", "k-nomial",           "hierarchical"};
    for (uint64_t seed = 1; seed < 10; seed++) {
        struct base_random random;
        struct affine expected[ELEMENTS], f[ELEMENTS], got[ELEMENTS];
        base_random_seed(&random, seed, 2);
        for (uint32_t p = 0; p < MEMBERS; p++) {
            for (unsigned k = 0; k < ELEMENTS; k++) {
                double d = base_random_unit(&random);
                memcpy(p ? &f[k] : &expected[k], &d, 8);
            }
            if (p)
                compose(expected, f, ELEMENTS);
        }
        for (size_t k = 0; k < BASE_LENGTH(names); k++) {
            reduce_once(names[k], compose, (uint32_t)seed, seed, seed, got);
            if (memcmp(got, expected, sizeof got))
                fail_msg("seed %llu: %s does not keep the operands in order", (unsigned long long)seed,
                         names[k]);
        }
    }
}

/* Operands are texts, and the operation joins two in parentheses. */
enum { TEXT = 48 };

static void join(void *inout, const void *in, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        char *a = (char *)inout + k * TEXT;
        const char *b = (const char *)in + k * TEXT;
        size_t first = strlen(a), second = strlen(b);
        assert_true(first + second + 3 <= TEXT);
        memmove(a + 1, a, first);
        a[0] = '(';
        memcpy(a + 1 + first, b, second);
        a[1 + first + second] = ')';
        a[2 + first + second] = 0;
    }
}

/* How place `place` of `size` combines the operands 0, 1, ... of the last of `size` elements. */
static void expect_order(enum coll_op op, const char *name, uint32_t size, uint32_t place,
                         const char *expected)
{
    struct net n = {.latency = 1, .jitter = 5, .limit = 1 << 20};
    struct coll_call calls[8];
    net_init(&n, size, 3);
    net_choose(&n, op, name);
    for (uint32_t p = 0; p < size; p++) {
        n.ranks[p].rank->host = p / 2;
        char *memory = (char *)net_give_memory(&n, p, 8192);
        memset(memory, 0, 8192);
        for (uint32_t k = 0; k < size; k++)
            memory[k * TEXT] = (char)('0' + p);
        calls[p] = net_call(op, p, size, size * TEXT);
        calls[p].element = TEXT;
        calls[p].reduce = join;
        net_script(&n, p, &calls[p], 1, 0);
    }
    net_run(&n);
    net_expect_over(&n);
    const char *got = (const char *)n.ranks[place].memory + 4096 + (size - 1) * TEXT;
    if (strcmp(got, expected))
        fail_msg("%s by %s of %u at place %u is %s, expected %s", coll_op_name(op), name, size, place, got,
                 expected);
    net_release(&n);
}

/* The table of docs/collectives.md. */
static void test_parentheses(void **state)
{
    (void)state;
    static const struct {
        const char *name, *of_4, *of_5;
    } reductions[] = {
        {"linear", "(((01)2)3)", "((((01)2)3)4)"},
        {"recursive-doubling", "((01)(23))", "(((01)2)(34))"},
        {"rabenseifner", "((01)(23))", "(((01)2)(34))"},
        {"binomial", "((01)(23))", "(((01)(23))4)"},
        {"k-nomial", "(((01)2)3)", "((((01)2)3)4)"},
        {"hierarchical", "((01)(23))", "(((01)(23))4)"},
        {"ring", "(((03)1)2)", "((((04)1)2)3)"},
    };
    static const struct {
        const char *name, *in_2, *in_4, *ex_4;
    } scans[] = {
        {"linear", "((01)2)", "((((01)2)3)4)", "(((01)2)3)"},
        {"recursive-doubling", "(0(12))", "(0((12)(34)))", "(0((12)3))"},
        {"binomial", "((01)2)", "(((01)(23))4)", "((01)(23))"},
    };
    for (size_t k = 0; k < BASE_LENGTH(reductions); k++) {
        expect_order(COLL_REDUCE, reductions[k].name, 4, (uint32_t)k % 4, reductions[k].of_4);
        expect_order(COLL_REDUCE, reductions[k].name, 5, (uint32_t)k % 5, reductions[k].of_5);
    }
    expect_order(COLL_REDUCE, "k-nomial", 8, 0, "((((01)2)3)(((45)6)7))");
    for (size_t k = 0; k < BASE_LENGTH(scans); k++) {
        expect_order(COLL_INSCAN, scans[k].name, 5, 2, scans[k].in_2);
        expect_order(COLL_INSCAN, scans[k].name, 5, 4, scans[k].in_4);
        expect_order(COLL_EXSCAN, scans[k].name, 5, 4, scans[k].ex_4);
        expect_order(COLL_EXSCAN, scans[k].name, 5, 0, "");
    }
}

static void test_timing_changes_no_sum(void **state)
{
    (void)state;
    static const char *const names[] = {"linear",   "recursive-doubling", "rabenseifner", "ring",
                                        "binomial", "k-nomial",           "hierarchical"};
    for (size_t k = 0; k < BASE_LENGTH(names); k++) {
        uint64_t expected[ELEMENTS], got[ELEMENTS]; /* the doubles' bits */
        reduce_once(names[k], add_doubles, 0, 5, 0, expected);
        for (uint64_t timing = 1; timing < 8; timing++) {
            reduce_once(names[k], add_doubles, (uint32_t)timing, 5, timing, got);
            if (memcmp(got, expected, sizeof got))
                fail_msg("%s: timing %llu changes the sum", names[k], (unsigned long long)timing);
        }
    }
}

/* --- errors of the program ---------------------------------------------------------------------- */

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
    struct coll_call sum = net_call(COLL_REDUCE, 0, 2, 64), max = sum;
    sum.reduce = max.reduce = add_doubles;
    max.reduce_id = 9;
    expect_mismatch(
        sum, max,
        "rank 6: reduce: the members' reductions differ in collective 0 of ranks 4 to 6 in steps of "
        "2: rank 6 calls reduce, 64 bytes, reduction 9; rank 4 called reduce, 64 bytes, reduction "
        "0");
    struct coll_call packed = net_call(COLL_ALLTOALL, 0, 2, 64), strided = packed;
    strided.dest_stride = 16;
    expect_mismatch(
        packed, strided,
        "rank 6: alltoall: the members' strides differ in collective 0 of ranks 4 to 6 in steps of "
        "2: rank 6 calls alltoall, 64 bytes, elements of 8 bytes 16 (dest) and 0 (source) apart; "
        "rank 4 called alltoall, 64 bytes");
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
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_long_send),
        cmocka_unit_test(test_run_ahead),
        cmocka_unit_test(test_groups_apart),
        cmocka_unit_test(test_operands_in_order),
        cmocka_unit_test(test_parentheses),
        cmocka_unit_test(test_timing_changes_no_sum),
        cmocka_unit_test(test_mismatch),
        cmocka_unit_test(test_missing_members),
        cmocka_unit_test(test_go_when_all_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
