/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that run ahead of the clock (docs/decisions/0004-running-ahead.md): a put returns at once and its
 * rank's own time has moved; calls that block or look catch up; no rank gets far ahead; the network sees
 * every operation at the time at which it would have anyway. Everything here runs as if called by functions
 * that entered by rank_enter_issue.
 */
#include "rma/stage.h"

static int setup(void **state)
{
    stage_setup(state);
    for (uint32_t k = 0; k < STAGE_RANKS; k++)
        rank_at(stage.job, k)->issuing = true;
    return 0;
}

static void is(double got, double expected_us, int line)
{
    if (fabs(got - expected_us * US) > 1e-12)
        fail_msg("line %d: %.9g us, expected %.9g us", line, got / US, expected_us);
}
#define CLOCK_IS(t)  is(engine_now(stage.engine), t, __LINE__)
#define OWN_IS(r, t) is(rank_now(r), t, __LINE__)

static void put_word(struct rma_ctx *c, uint32_t to, size_t offset, uint64_t value)
{
    rma_put(c, stage_to(to, ranks_heap_at(to, offset)), &value, sizeof value, RMA_BLOCKING, "put");
}

static void putter(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    for (int k = 1; k <= 46; k++) {
        put_word(c, 1, 64, (uint64_t)k);
        CLOCK_IS(0);
        OWN_IS(r, 0.108 * k);
    }
    put_word(c, 1, 64, 47); /* more than 5 us */
    CLOCK_IS(5.076);
    OWN_IS(r, 5.076);
    put_word(c, 1, 64, 48);
    rank_catch_up(r);
    CLOCK_IS(5.184);
    rank_catch_up(r);
    CLOCK_IS(5.184);
    put_word(c, 1, 64, 49);
    rma_poll(r);
    CLOCK_IS(5.292 + 0.025);
    rma_quiet(c, "quiet");
    CLOCK_IS(5.292 + 1.008 + 1.01);
}
static void puts_run_ahead_but_not_far(void **state)
{
    (void)state;
    stage_run_rank0(putter);
}

static void getter(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    uint64_t word;
    put_word(c, 1, 64, 1);
    rma_get(c, stage_to(1, ranks_heap_at(1, 64)), &word, sizeof word, RMA_BLOCKING, "get");
    CLOCK_IS(0.108 + 0.2 + 1.3 + 1.008);
    OWN_IS(r, 0.108 + 0.2 + 1.3 + 1.008);
}
static void a_blocking_call_comes_up(void **state)
{
    (void)state;
    stage_run_rank0(getter);
}

static uintptr_t watched;
static bool is_set(struct rank *r, void *arg)
{
    uint64_t word;
    (void)arg;
    rank_read(r, watched, &word, sizeof word);
    return word != 0;
}

static void wait_word(struct rank *r)
{
    struct engine_reason why = {.what = "wait_until"};
    uintptr_t at = watched = ranks_heap_at(r->id, 64);
    rma_wait(r, &(struct rma_condition){is_set, NULL, at, at + 8}, &why);
}

/* Rank 3 is on this host: its word is here at 0.018 + 0.2, which is before own time 0.324, after 0.108. */
static void early_waiter(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    for (int k = 0; k < 3; k++)
        put_word(c, 1, 64, 1);
    CLOCK_IS(0);
    wait_word(r); /* as if it had looked at 0.324, when the word was there */
    CLOCK_IS(0.324 + 0.025);
}
static void late_waiter(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    put_word(c, 1, 64, 1);
    CLOCK_IS(0);
    wait_word(r);
    CLOCK_IS(0.218);
}
static void neighbour(struct rank *r)
{
    put_word(stage_ctx(r), 0, 64, 1);
}
static void waiting_counts_from_the_ranks_own_time(void **state)
{
    (void)state;
    stage.body[0] = early_waiter;
    stage.body[3] = neighbour;
    stage_run();
}
static void waiting_ends_at_the_delivery(void **state)
{
    (void)state;
    stage.body[0] = late_waiter;
    stage.body[3] = neighbour;
    stage_run();
}

/* A loop of puts that looks for an answer with plain loads, without any call that waits. */
static void looker(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    const volatile uint64_t *answer = (const volatile uint64_t *)(stage.heap[0] + 64);
    int rounds = 0;
    while (!*answer) {
        put_word(c, 1, 64, 1);
        assert_in_range(++rounds, 1, 100);
    }
}
static void a_loop_of_plain_loads_and_puts_ends(void **state)
{
    (void)state;
    stage.body[0] = looker;
    stage.body[3] = neighbour;
    stage_run();
}

/* The card of host a takes the messages of its two ranks in the order of their times, not of their calls:
 * asked for at 0.108 and 0.158, with a gap of 0.1 between them. Rank 0's next two are later. */
static double first_seen[2];
static void three_puts(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    if (r->id == 3)
        engine_sleep(r->engine, 0.05 * US);
    for (int k = 0; k < 3; k++)
        put_word(c, 1, 64 + 8 * r->id, 1);
}
static void watch_words(struct rank *r)
{
    for (int k = 0; k < 2; k++) {
        uintptr_t at = ranks_heap_at(r->id, k ? 64 + 24 : 64);
        struct engine_reason why = {.what = "wait_until"};
        watched = at;
        rma_wait(r, &(struct rma_condition){is_set, NULL, at, at + 8}, &why);
        first_seen[k] = rank_now(r);
    }
}
static void the_card_serves_ranks_in_order_of_time(void **state)
{
    (void)state;
    stage.body[0] = stage.body[3] = three_puts;
    stage.body[1] = watch_words;
    stage_run();
    is(first_seen[0], 0.108 + 1.008, __LINE__);
    is(first_seen[1], 0.208 + 1.008, __LINE__);
}

/* --- the same times as without running ahead ----------------------------------------------------------- */

/* In the second run nobody runs ahead. Each rank notes when its calls ended; both runs must give the same
 * to the last bit, also when all ranks do the same at almost the same instants. The first one has a trace,
 * which changes nothing.
 *
 * Almost: of two operations that reach one card or word at exactly the same instant, the one that was posted
 * first is served first, and a rank that is ahead posts earlier. So ties may end differently, and they are
 * common with the stage's round parameters: an atomic unit's reply meets a get of its own host's rank, two
 * ranks of one host have spent the same in another order. Therefore each rank first spends up to 1 ns, as
 * drawn from a stream of its own, at each step: in practice no two own times are equal. */
enum { STEPS = 400 };
static double ended[2][STAGE_RANKS][STEPS];
static uint64_t seed;
static bool lockstep;
static int run;

static void step(struct rank *r, struct rma_ctx *c, struct base_random *random)
{
    static unsigned char block[20000];
    static uint64_t sink[STAGE_RANKS];
    struct rma_atomic_args add = {.op = RMA_ADD, .size = 8, .operand = 1};
    uint32_t to = (r->id + (uint32_t)base_random_below(random, STAGE_RANKS)) % STAGE_RANKS;
    size_t bytes = 1 + (size_t)base_random_below(random, 2000);
    switch (base_random_below(random, 10)) {
    case 0:
        rma_get(c, stage_to(to, ranks_heap_at(to, 20000)), block, bytes, RMA_BLOCKING, "get");
        return;
    case 1:
        rma_atomic_fetch(c, stage_to(to, ranks_heap_at(to, 128)), &add, "fetch_add");
        return;
    case 2:
        rma_atomic_fetch_nbi(c, stage_to(to, ranks_heap_at(to, 128)), &add, &sink[r->id], "fetch_add");
        return;
    case 3:
        rank_catch_up(r);
        rma_quiet(c, "quiet");
        return;
    case 4:
        rma_fence(c);
        return;
    case 5:
        rma_poll(r);
        return;
    default:
        rma_put(c, stage_to(to, ranks_heap_at(to, 40000)), block, bytes, RMA_BLOCKING, "put");
        return;
    }
}
static void stepper(struct rank *r)
{
    struct base_random random, apart;
    struct rma_ctx *c = stage_ctx(r);
    base_random_seed(&random, seed, lockstep ? 0 : r->id);
    base_random_seed(&apart, seed, STAGE_RANKS + r->id);
    for (int k = 0; k < STEPS; k++) {
        rank_spend(r, 1e-9 * base_random_unit(&apart));
        step(r, c, &random);
        ended[run][r->id][k] = rank_now(r);
    }
}
static void unseen(void *ctx, const struct trace_event *ev)
{
    double *last = ctx; /* of the rank */
    assert_true(ev->time >= engine_now(stage.engine));
    if (ev->type <= TRACE_CALL_LEAVE || ev->type == TRACE_PUT_ISSUED) {
        assert_true(ev->time >= last[ev->rank]);
        last[ev->rank] = ev->time;
    }
}
static int nothing(void *ctx)
{
    (void)ctx;
    return 0;
}
static void compare_runs(bool same_steps)
{
    double last[STAGE_RANKS] = {0};
    seed = stage_seed();
    lockstep = same_steps;
    for (run = 0; run < 2; run++) {
        stage_teardown(NULL);
        stage_setup(NULL);
        if (run == 0)
            trace_attach(&stage.trace, &(struct trace_sink){unseen, nothing, last, NULL, NULL});
        for (uint32_t k = 0; k < STAGE_RANKS; k++) {
            stage.body[k] = stepper;
            rank_at(stage.job, k)->issuing = run == 0;
        }
        stage_run();
    }
    for (int k = 0; k < STAGE_RANKS * STEPS; k++) {
        double ahead = ended[0][k / STEPS][k % STEPS], beside = ended[1][k / STEPS][k % STEPS];
        if (ahead != beside)
            fail_msg("rank %d, step %d: %.17g us, not ahead %.17g us", k / STEPS, k % STEPS, ahead / US,
                     beside / US);
    }
}
static void times_are_those_of_a_run_beside_the_clock(void **state)
{
    (void)state;
    compare_runs(false);
}
static void so_they_are_in_lockstep(void **state)
{
    (void)state;
    compare_runs(true);
}

#define AHEAD(f) cmocka_unit_test_setup_teardown(f, setup, stage_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        AHEAD(puts_run_ahead_but_not_far),
        AHEAD(a_blocking_call_comes_up),
        AHEAD(waiting_counts_from_the_ranks_own_time),
        AHEAD(waiting_ends_at_the_delivery),
        AHEAD(a_loop_of_plain_loads_and_puts_ends),
        AHEAD(the_card_serves_ranks_in_order_of_time),
        AHEAD(times_are_those_of_a_run_beside_the_clock),
        AHEAD(so_they_are_in_lockstep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
