/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coll_start: several collectives under way at each rank, on one group and on several, against what each
 * gives alone; who is told, and when; the CPU that they share; starting from within `done`.
 */
#include "coll/waiter.h"

#include <math.h>

enum { RANKS = 12, MOST = 24, PART = 96, AREA = 8192 };

static void start(struct rank *r, struct coll_call *call, struct waiter *w)
{
    start_by(r, call, coll_put_transport(stage_puts), w);
}

/* --- many at once --------------------------------------------------------------------------------- */

/* What all ranks do: call k is of `op`, in the group of all, of even and odd ranks, or of neighbours. */
static struct {
    enum coll_op op;
    uint32_t stride, size;
    size_t words;
    uint32_t root;
} plan[MOST];
static unsigned planned;
static uint64_t seed;

static void make_plan(uint64_t s)
{
    struct base_random random;
    seed = s;
    base_random_seed(&random, s, 3);
    planned = 2 + (unsigned)(base_random_below(&random, MOST - 1));
    for (unsigned k = 0; k < planned; k++) {
        static const uint32_t strides[] = {1, 2, 3};
        plan[k].op = (enum coll_op)(base_random_below(&random, COLL_EXSCAN + 1));
        plan[k].stride = strides[base_random_below(&random, 3)];
        plan[k].size = RANKS / plan[k].stride;
        plan[k].words = base_random_below(&random, 8);
        plan[k].root = (uint32_t)(base_random_below(&random, plan[k].size));
    }
}

/* Call k's source is at (2 k) AREA of the heap, its result behind it. */
static uint64_t *area(uint32_t rank, unsigned k, bool dest)
{
    return (uint64_t *)(void *)(stage.heap[rank] + (size_t)(2 * k + dest) * AREA);
}
static uint64_t value(uint32_t rank, unsigned k, size_t word)
{
    return seed + 1000000 * (uint64_t)k + 1000 * (uint64_t)rank + word;
}
static size_t words_of(unsigned k, uint32_t place)
{
    return plan[k].op == COLL_COLLECT ? (plan[k].words + place) % 5 : plan[k].words;
}

static struct coll_call call_of(const struct rank *r, unsigned k)
{
    uint32_t first = r->id % plan[k].stride, me = r->id / plan[k].stride;
    return (struct coll_call){.name = coll_op_name(plan[k].op),
                              .op = plan[k].op,
                              .group = {first, plan[k].stride, plan[k].size, 0, NULL},
                              .me = me,
                              .source = stage_at(r, (size_t)(2 * k) * AREA),
                              .dest = stage_at(r, (size_t)(2 * k + 1) * AREA),
                              .bytes = 8 * words_of(k, me),
                              .element = 8,
                              .root = plan[k].root,
                              .operator= {TYPES_SUM, TYPES_UINT64, false} };
}

static void all_at_once(struct rank *r)
{
    struct waiter w = {0};
    for (unsigned k = 0; k < planned; k++)
        for (size_t word = 0; word < PART; word++)
            area(r->id, k, false)[word] = value(r->id, k, word);
    engine_sleep(r->engine, 1e-7 * (double)((r->id * seed) % 40));
    for (unsigned k = 0; k < planned; k++) {
        struct coll_call call = call_of(r, k);
        start(r, &call, &w);
    }
    await(r, &w);
}

static void expect(uint32_t rank, unsigned k, size_t word, uint64_t expected)
{
    uint64_t got = area(rank, k, true)[word];
    if (got != expected)
        fail_msg("seed %llu, call %u (%s), word %zu at rank %u: %llu, expected %llu",
                 (unsigned long long)seed, k, coll_op_name(plan[k].op), word, rank, (unsigned long long)got,
                 (unsigned long long)expected);
}

static uint64_t sum(unsigned k, uint32_t first, uint32_t from, uint32_t to, size_t word)
{
    uint64_t s = 0;
    for (uint32_t p = from; p < to; p++)
        s += value(first + p * plan[k].stride, k, word);
    return s;
}

static void expect_call(uint32_t rank, unsigned k)
{
    uint32_t first = rank % plan[k].stride, me = rank / plan[k].stride, n = plan[k].size;
    size_t words = plan[k].words, at = 0;
    for (uint32_t p = 0; p < n; p++) {
        uint32_t other = first + p * plan[k].stride;
        for (size_t word = 0; plan[k].op == COLL_COLLECT && word < words_of(k, p); word++)
            expect(rank, k, at++, value(other, k, word));
        for (size_t word = 0; plan[k].op == COLL_FCOLLECT && word < words; word++)
            expect(rank, k, p * words + word, value(other, k, word));
        for (size_t word = 0; plan[k].op == COLL_ALLTOALL && word < words; word++)
            expect(rank, k, p * words + word, value(other, k, me * words + word));
    }
    for (size_t word = 0; word < words; word++) {
        if (plan[k].op == COLL_BROADCAST)
            expect(rank, k, word, value(first + plan[k].root * plan[k].stride, k, word));
        if (plan[k].op == COLL_REDUCE)
            expect(rank, k, word, sum(k, first, 0, n, word));
        if (plan[k].op == COLL_INSCAN)
            expect(rank, k, word, sum(k, first, 0, me + 1, word));
        if (plan[k].op == COLL_EXSCAN)
            expect(rank, k, word, sum(k, first, 0, me, word));
    }
}

static void run_plan(uint64_t s, bool exchanged)
{
    static const char *const limits[] = {"0", "40", "8KiB"};
    make_plan(s);
    stage_prepare(RANKS, (size_t)2 * MOST * AREA);
    ranks_setting(&stage, "rdma/buffered-limit", limits[s % 3]);
    if (s % 4 == 0)
        ranks_setting(&stage, "rdma/put-overhead", "0");
    stage.exchanged = exchanged;
    stage_begin(platform_default(4 * 64), 1 + (uint32_t)(s % 4));
    assert_int_equal(stage_run(all_at_once), ENGINE_ALL_DONE);
    assert_int_equal(stage_counts.calls, (uint64_t)RANKS * planned);
    for (uint32_t rank = 0; rank < RANKS; rank++)
        for (unsigned k = 0; k < planned; k++)
            expect_call(rank, k);
    ranks_end(&stage);
}

static void test_many(void **state)
{
    (void)state;
    for (uint64_t s = 1; s <= 60; s++)
        run_plan(s, s % 5 == 0);
    print_message("seeds 1 to 60\n");
}

/* --- one CPU -------------------------------------------------------------------------------------- */

static double ended[2][2];
static unsigned at_once;
static double overhead; /* to issue a signal */

static struct coll_call barrier_of(const struct rank *r, uint32_t size)
{
    return (struct coll_call){
        .name = "barrier", .op = COLL_BARRIER, .group = {0, 1, size, 0, NULL}, .me = r->id};
}

static void two_barriers(struct rank *r)
{
    struct waiter w[2] = {{0}, {0}};
    for (unsigned k = 0; k < at_once; k++) {
        struct coll_call call = barrier_of(r, 2);
        start(r, &call, &w[k]);
    }
    for (unsigned k = 0; k < at_once; k++) {
        await(r, &w[k]);
        ended[k][r->id] = w[k].last;
    }
}

static void run_barriers(unsigned n)
{
    at_once = n;
    stage_prepare(2, 64);
    ranks_setting(&stage, "rdma/put-overhead", "2us");
    ranks_setting(&stage, "rdma/poll-cost", "0.5us");
    stage_begin(platform_default(2), 1);
    overhead = fabric_host_issue_cost(stage.fabric, FABRIC_PUT, 8, 0, 1);
    assert_int_equal(stage_run(two_barriers), ENGINE_ALL_DONE);
    ranks_end(&stage);
}

/* The CPU issues one message after the other, so that the second barrier ends one issue overhead later than
 * one alone; the first one's signal is seen when the CPU has issued both. */
static void test_one_cpu(void **state)
{
    (void)state;
    run_barriers(1);
    double alone = ended[0][0];
    run_barriers(2);
    for (int r = 0; r < 2; r++) {
        assert_true(fabs(ended[0][r] - fmax(alone, 2 * overhead + 0.5e-6)) < 1e-12);
        assert_true(fabs(ended[1][r] - alone - overhead) < 1e-12);
    }
}

/* --- told ------------------------------------------------------------------------------------------ */

static unsigned chained[2];

struct chain {
    struct rank *rank;
    struct waiter *waiter;
    unsigned left;
};

static void next_of_chain(void *arg)
{
    struct chain *c = arg;
    struct coll_call call = barrier_of(c->rank, 2);
    chained[c->rank->id]++;
    if (!c->left--) {
        one_done(c->waiter);
        return;
    }
    call.transport = coll_put_transport(stage_puts);
    coll_start(c->rank, &call, next_of_chain, c);
}

static void chain_of_barriers(struct rank *r)
{
    struct waiter w = {.engine = r->engine, .open = 1}, alone = {0};
    struct chain c = {r, &w, 50};
    struct coll_call call = barrier_of(r, 1);
    call.me = 0;
    call.group.first = r->id;
    start(r, &call, &alone);
    assert_int_equal(alone.open, 0); /* told at once */
    next_of_chain(&c);
    await(r, &w);
}

static void test_chain(void **state)
{
    (void)state;
    chained[0] = chained[1] = 0;
    stage_prepare(2, 64);
    stage_begin(platform_default(2), 1);
    assert_int_equal(stage_run(chain_of_barriers), ENGINE_ALL_DONE);
    assert_int_equal(chained[0], 51);
    assert_int_equal(chained[1], 51);
    ranks_end(&stage);
}

/* --- traces ------------------------------------------------------------------------------------------ */

static struct trace_event seen[16];
static unsigned n_seen, n_chosen;

static void keep(void *ctx, const struct trace_event *ev)
{
    (void)ctx;
    if (ev->type == TRACE_COLLECTIVE_CHOSEN) {
        n_chosen++;
        assert_int_equal(strncmp(ev->detail, "auto:", 5), 0); /* the rule, with its line */
        assert_true(ev->peer == 2 && ev->least > 0);
    } else if (trace_types[ev->type].category == TRACE_CATEGORY_COLLECTIVES && n_seen < 16)
        seen[n_seen++] = *ev;
}
static int close_nothing(void *ctx)
{
    (void)ctx;
    return 0;
}

/* Two barriers of groups of their own, started; the second is done before it is waited for. */
static void traced_barriers(struct rank *r)
{
    struct waiter w[2] = {{0}, {0}};
    for (unsigned k = 0; k < 2; k++) {
        struct coll_call call = barrier_of(r, 2);
        call.group.id = 40 + k;
        start(r, &call, &w[k]);
    }
    await(r, &w[0]);
    await(r, &w[1]);
    ended[0][r->id] = w[0].last;
    ended[1][r->id] = w[1].last;
}

static void test_traced(void **state)
{
    (void)state;
    n_seen = n_chosen = 0;
    stage_prepare(2, 64);
    trace_attach(&stage.trace, &(struct trace_sink){.event = keep, .close = close_nothing});
    stage_begin(platform_default(2), 1);
    assert_int_equal(stage_run(traced_barriers), ENGINE_ALL_DONE);
    assert_int_equal(n_seen, 8);
    assert_int_equal(n_chosen, 2); /* once a group */
    for (unsigned k = 0; k < 8; k++) {
        const struct trace_event *ev = &seen[k], *begin = ev;
        for (unsigned j = 0; j < k && begin == ev; j++)
            if (seen[j].tag == ev->tag)
                begin = &seen[j];
        assert_string_equal(ev->call, "barrier");
        assert_true(ev->tag > 0 && ev->peer == 2 && ev->thread == 0);
        if (begin == ev) {
            assert_int_equal(ev->type, TRACE_COLLECTIVE_BEGIN);
            assert_true(ev->context == 40 || ev->context == 41);
        } else {
            assert_int_equal(ev->type, TRACE_COLLECTIVE_END);
            assert_true(begin->op == ev->op && begin->rank == ev->rank);
            double expected = ended[begin->context - 40][ev->rank];
            assert_memory_equal(&ev->time, &expected, sizeof expected);
        }
    }
    ranks_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_one_cpu),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_traced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
