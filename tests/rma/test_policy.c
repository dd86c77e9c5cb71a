/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A policy, by hand: what it is asked, when what it keeps back goes, and at which times; that no completion
 * call waits for ever, and that a job whose policy gives nothing ends with a deadlock.
 */
#include "rma/stage.h"
#include "rma/policies.h"

static unsigned char block[70000];
static struct rma_ctx *ctx;

/* --- a policy whose verdicts the test gives ----------------------------------------------------------- */

enum { MOST = 64 };
static struct {
    struct rma_verdict verdict[RMA_AT_ORIGIN + 1][MOST]; /* of each step, in the order of questions */
    uint32_t asked[RMA_AT_ORIGIN + 1];
    struct rma_question last[RMA_AT_ORIGIN + 1];
    size_t gives[RMA_FOR_PROGRESS + 1]; /* how many go */
    uint32_t demands[RMA_FOR_PROGRESS + 1];
    size_t demanded; /* the last demand's operations */
    double at;       /* and its time, us */
} plan;

static struct rma_verdict planned(void *arg, const struct rma_question *q)
{
    uint32_t k = plan.asked[q->step]++;
    (void)arg;
    assert_true(k < MOST);
    plan.last[q->step] = *q;
    return plan.verdict[q->step][k];
}
static size_t planned_demand(void *arg, const struct rma_demand *d, uint64_t *operations, size_t n)
{
    (void)arg, (void)operations;
    plan.demands[d->reason]++;
    plan.demanded = n;
    plan.at = stage_now() / US;
    assert_true(d->reason == RMA_FOR_PROGRESS ? !d->rank : d->rank != NULL);
    return plan.gives[d->reason] < n ? plan.gives[d->reason] : n;
}
static struct rma_policy policy = {planned, planned_demand, false};

static void at_begin(struct rank_job *job)
{
    rma_police(job, &policy, NULL);
}
static void run_planned(ranks_body_fn body)
{
    stage_at_begin = at_begin;
    stage_run_rank0(body);
    policy.early = false;
}

static const struct rma_verdict now = {0, UINT64_MAX, 0, false}, keep = {0, 0, INFINITY, false};
static void all_verdicts(enum rma_step step, struct rma_verdict v)
{
    for (int k = 0; k < MOST; k++)
        plan.verdict[step][k] = v;
}
static void plan_begin(void)
{
    memset(&plan, 0, sizeof plan);
    for (enum rma_step s = RMA_SOURCE; s <= RMA_AT_ORIGIN; s++)
        all_verdicts(s, now);
    for (int k = 0; k <= RMA_FOR_PROGRESS; k++)
        plan.gives[k] = SIZE_MAX;
}

static struct rma_target at(uint32_t rank, size_t offset)
{
    return stage_to(rank, ranks_heap_at(rank, offset));
}
static void put_word(size_t offset, uint64_t value)
{
    rma_put(ctx, at(1, offset), &value, sizeof value, RMA_BLOCKING, "put");
}
static uint64_t there(size_t offset)
{
    return word(stage.heap[1] + offset);
}

/* --- times: 8 bytes to b are delivered 0.1 + 0.008 + 1 + 0.008 after the call ---------------------------- */

/* Kept until the quiet, which comes at its own time; then the acknowledgement's way. */
static void kept(struct rank *r)
{
    ctx = stage_ctx(r);
    put_word(0, 5);
    until(7);
    assert_int_equal(there(0), 0);
    assert_int_equal(plan.asked[RMA_AT_TARGET], 1);
    assert_false(rma_ctx_idle(ctx));
    rma_quiet(ctx, "quiet");
    TIME_IS(7 + 1.01);
    assert_int_equal(there(0), 5);
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 1);
    assert_int_equal(plan.asked[RMA_AT_TARGET], 2);
    assert_true(plan.last[RMA_AT_TARGET].released && plan.last[RMA_AT_TARGET].asked == 1);
}
static void a_kept_put_goes_with_quiet(void **state)
{
    (void)state;
    plan_begin();
    all_verdicts(RMA_AT_TARGET, keep); /* although released */
    run_planned(kept);
}

/* A quiet that is called ahead of the clock demands at the rank's own time; what is still on its way is
 * waited for before the others have to go. */
static void kept_ahead(struct rank *r)
{
    ctx = stage_ctx(r);
    put_word(0, 1); /* issued at 0.108 */
    r->issuing = true;
    until(3);
    rma_put(ctx, at(1, 4096), block, 10000, RMA_NONBLOCKING, "put"); /* delivered 11.5 later, at 14.6 */
    assert_true(r->ahead_until > 3 * US);
    rma_quiet(ctx, "quiet");
    assert_int_equal(plan.demanded, 2);
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 1);
    TIME_IS(3.1 + 11.5 + 1.01);
    r->issuing = false;
}
static void demands_wait_for_what_moves(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0] = plan.verdict[RMA_AT_TARGET][1] = keep;
    run_planned(kept_ahead);
}

/* A quiet that is called at 3 by a rank that is at 3.108. */
static void demands_ahead(struct rank *r)
{
    uint64_t value = 0;
    struct rma_ctx *other = stage_ctx(r);
    ctx = stage_ctx(r);
    put_word(0, 1);
    until(3);
    r->issuing = true;
    rma_put(other, at(2, 0), &value, 8, RMA_BLOCKING, "put");
    rma_quiet(ctx, "quiet");
    r->issuing = false;
    TIME_IS(3.108 + 1.01);
}
static void demands_come_at_the_own_time(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0] = keep;
    run_planned(demands_ahead);
    assert_true(fabs(plan.at - 3.108) < 1e-9);
}

/* The long one, the last that moves, goes by itself; then the other must. */
static void last_mover(struct rank *r)
{
    (void)r;
    ctx = stage_ctx(r);
    put_word(0, 1);
    rma_put(ctx, at(1, 4096), block, 10000, RMA_NONBLOCKING, "put");
    rma_quiet(ctx, "quiet");
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 1);
    assert_int_equal(plan.demands[RMA_FOR_PROGRESS], 0);
}
static void the_last_that_moves_goes_by_itself(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0] = keep;
    run_planned(last_mover);
}

/* What another actor issues during a quiet is not needed. */
static void issues_later(void *arg)
{
    (void)arg;
    until(1);
    put_word(0, 1);
}
static void only_before(struct rank *r)
{
    ctx = stage_ctx(r);
    engine_actor_spawn(stage.engine, issues_later, r, r);
    rma_put(ctx, at(1, 4096), block, 10000, RMA_NONBLOCKING, "put");
    rma_quiet(ctx, "quiet");
    assert_int_equal(plan.demanded, 1);
    assert_int_equal(there(0), 0);
    assert_true(there(4096) == 0 && plan.asked[RMA_AT_TARGET] == 3);
    rma_quiet(ctx, "quiet");
    assert_int_equal(there(0), 1);
}
static void a_quiet_needs_what_came_before(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0] = plan.verdict[RMA_AT_TARGET][1] = keep;
    memset(block, 0, sizeof block);
    run_planned(only_before);
}

/* 2 us later, and then 3 us later. */
static void delays(struct rank *r)
{
    uint64_t got = 0, v = 9;
    ctx = stage_ctx(r);
    put_word(0, 5);
    until(1.116 + 1.99);
    assert_int_equal(there(0), 0);
    until(1.116 + 2.01);
    assert_int_equal(there(0), 5);
    rma_quiet(ctx, "quiet");
    TIME_IS(1.116 + 2 + 1.01);
    double from = stage_now() / US;
    memcpy(stage.heap[1] + 64, &v, 8);
    rma_get(ctx, at(1, 64), &got, 8, RMA_BLOCKING, "get");
    TIME_IS(from + 0.2 + 1 + 0.3 + 3 + 1.008 + 4);
    assert_int_equal(got, 9);
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 0);
    assert_int_equal(plan.last[RMA_AT_ORIGIN].asked, 1); /* about this step */
}
static void delays_are_to_the_nanosecond(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0].to = plan.verdict[RMA_AT_TARGET][2].to = 0;
    plan.verdict[RMA_AT_TARGET][0].again = 2 * US;
    plan.verdict[RMA_AT_TARGET][2].again = 3 * US;
    plan.verdict[RMA_AT_ORIGIN][0] = (struct rma_verdict){0, 0, 4 * US, false};
    run_planned(delays);
}

/* --- pieces ----------------------------------------------------------------------------------------- */

static void put_in_pieces(struct rank *r)
{
    unsigned char *out = stage.heap[1];
    ctx = stage_ctx(r);
    memset(block, 1, 40);
    rma_put(ctx, at(1, 0), block, 40, RMA_NONBLOCKING, "put");
    until(2); /* delivered at 0.14 + 1 + 0.04 */
    assert_true(!out[9] && out[10] && out[19] && !out[20]);
    assert_int_equal(plan.last[RMA_AT_TARGET].left, 40);
    until(2.3); /* a microsecond after */
    assert_true(!out[9] && out[10] && out[19] && !out[20] && !out[29] && out[30] && out[39]);
    assert_int_equal(plan.last[RMA_AT_TARGET].left, 30);
    assert_false(rma_ctx_idle(ctx));
    until(3.3);
    assert_true(out[0] && out[20] && out[29] && !out[40]);
    assert_int_equal(plan.last[RMA_AT_TARGET].left, 20);
}
static void a_put_in_pieces(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0] = (struct rma_verdict){10, 20, 1 * US, false};
    plan.verdict[RMA_AT_TARGET][1] =
        (struct rma_verdict){15, 16, 0, false}; /* nothing new; in this instant */
    plan.verdict[RMA_AT_TARGET][2] = (struct rma_verdict){30, 99, 1 * US, false};
    run_planned(put_in_pieces);
    assert_int_equal(plan.asked[RMA_AT_TARGET], 4);
}

/* Every second byte: the gaps are limited, and nothing is written twice. */
static void combed(struct rank *r)
{
    ctx = stage_ctx(r);
    memset(block, 3, 100);
    rma_put(ctx, at(1, 0), block, 100, RMA_NONBLOCKING, "put");
    rma_quiet(ctx, "quiet");
    for (int k = 0; k < 100; k++)
        assert_int_equal(stage.heap[1][k], 3);
}
static void many_gaps_are_few(void **state)
{
    (void)state;
    plan_begin();
    for (int k = 0; k < 20; k++)
        plan.verdict[RMA_AT_TARGET][k] =
            (struct rma_verdict){90 - 4 * (uint64_t)k, 91 - 4 * (uint64_t)k, 0, false};
    run_planned(combed);
    assert_int_equal(plan.asked[RMA_AT_TARGET], 21);
    /* the seven highest split; each further one takes the lower part of its gap: all from 0 on */
    assert_true(plan.last[RMA_AT_TARGET].left > 20 && plan.last[RMA_AT_TARGET].left < 40);
}

/* Whole elements, in one event each; the old values come back as one. */
static void summed(struct rank *r)
{
    uint64_t operand[4] = {1, 2, 3, 4}, old[4] = {0};
    const struct rma_items four = {types_layout_of(TYPES_UINT64), 4};
    ctx = stage_ctx(r);
    rma_get_accumulate(ctx, at(1, 0), &four, &(struct rma_operands){TYPES_SUM, operand, four}, old, &four,
                       RMA_NONBLOCKING, "get_accumulate");
    memset(operand, 0, sizeof operand);
    until(3);
    assert_true(!there(0) && there(8) == 2 && there(16) == 3 && !there(24));
    const uint64_t hundred = 100;
    memcpy(stage.heap[1] + 24, &hundred, 8);
    until(5);
    assert_true(there(0) == 1 && there(24) == 104);
    rma_quiet(ctx, "quiet");
    assert_true(!old[0] && !old[1] && !old[2] && old[3] == 100);
    assert_int_equal(plan.last[RMA_IN_UNIT].unit, 8);
}
static void accumulates_are_cut_between_elements(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_IN_UNIT][0] = (struct rma_verdict){9, 17, 2 * US, false};
    run_planned(summed);
}

static void swapped(struct rank *r)
{
    uint64_t value[2] = {1, 2}, compare[2] = {0, 0}, old[2];
    ctx = stage_ctx(r);
    rma_compare_swap(ctx, at(1, 0), 16, compare, value, old, RMA_BLOCKING, "swap");
    assert_true(there(0) == 1 && there(8) == 2);
    assert_int_equal(plan.last[RMA_AT_TARGET].unit, 16);
    assert_int_equal(plan.last[RMA_AT_ORIGIN].unit, 16);
}
static void words_are_not_cut(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0] = (struct rma_verdict){7, 8, 0, false};
    run_planned(swapped);
    assert_int_equal(plan.asked[RMA_AT_TARGET], 1);
}

/* --- early, and late ---------------------------------------------------------------------------------- */

/* A put at its issue; a get reads at its issue and writes half of it when the reply leaves. */
static void early(struct rank *r)
{
    uint64_t got[2] = {0, 0}, v[2] = {6, 7};
    ctx = stage_ctx(r);
    put_word(0, 5);
    until(0.2);
    assert_int_equal(there(0), 5);
    until(4);
    assert_true(rma_ctx_idle(ctx)); /* at the usual time */
    assert_int_equal(plan.asked[RMA_AT_TARGET], 0);
    memcpy(stage.heap[1] + 64, v, sizeof v);
    rma_get(ctx, at(1, 64), got, 16, RMA_NONBLOCKING, "get");
    until(4.5);
    memset(stage.heap[1] + 64, 0, sizeof v);
    until(5.6); /* read at 4 + 0.2 + 1.3 */
    assert_true(got[0] == 6 && got[1] == 0);
    rma_quiet(ctx, "quiet");
    assert_int_equal(got[1], 7);
    assert_int_equal(plan.last[RMA_AT_ORIGIN].left, 8);
}
static void effects_can_be_early(void **state)
{
    (void)state;
    plan_begin();
    policy.early = true;
    plan.verdict[RMA_REPLIED][0] = (struct rma_verdict){0, 8, INFINITY, false};
    run_planned(early);
    assert_int_equal(plan.asked[RMA_AT_ORIGIN], 1);
}

/* Not before its turn: the second put is behind a fence. */
static void early_behind(struct rank *r)
{
    ctx = stage_ctx(r);
    put_word(0, 1);
    rma_fence(ctx);
    put_word(8, 2);
    until(1);
    assert_int_equal(there(0), 0);
    assert_int_equal(there(8), 0);
    rma_quiet(ctx, "quiet");
    assert_int_equal(there(8), 2);
    assert_int_equal(plan.asked[RMA_ISSUED], 1);
}
static void nothing_is_early_before_its_turn(void **state)
{
    (void)state;
    plan_begin();
    policy.early = true;
    plan.verdict[RMA_ISSUED][0] = (struct rma_verdict){0, 0, INFINITY, false};
    run_planned(early_behind);
}

/* The source is read when the put is let go, until the local quiet gives it back. */
static void late(struct rank *r)
{
    uint64_t v = 1;
    ctx = stage_ctx(r);
    rma_put(ctx, at(1, 0), &v, 8, RMA_NONBLOCKING, "put");
    rma_put(ctx, at(1, 8), &v, 8, RMA_BLOCKING, "put");
    v = 2;
    rma_quiet(ctx, "quiet");
    assert_int_equal(there(0), 2);
    assert_int_equal(there(8), 1);
    rma_put(ctx, at(1, 16), &v, 8, RMA_NONBLOCKING, "put");
    rma_put(ctx, at(2, 16), &v, 8, RMA_NONBLOCKING, "put");
    v = 3;
    rma_quiet_local_targets(ctx, (const uint32_t[]){2}, 1, "local");
    v = 4;
    rma_quiet_local(ctx, "local");
    v = 5;
    rma_quiet(ctx, "quiet");
    assert_int_equal(there(16), 4);
    assert_int_equal(word(stage.heap[2] + 16), 3);
    assert_int_equal(plan.asked[RMA_SOURCE], 2);
}
static void sources_are_read_as_late_as_they_may(void **state)
{
    (void)state;
    plan_begin();
    for (int k = 0; k < MOST; k++)
        plan.verdict[RMA_AT_TARGET][k].late = plan.verdict[RMA_SOURCE][k].late = true;
    for (int k = 0; k < 8; k += 2) /* each is kept until the quiet */
        plan.verdict[RMA_AT_TARGET][k / 4 * 4] = plan.verdict[RMA_AT_TARGET][k / 4 * 4 + 1] = keep;
    run_planned(late);
    assert_true(base_warn_again("misuse/source-changed"));
}

/* --- who needs what ------------------------------------------------------------------------------------- */

/* A blocking fetch waits behind a fence for a put that is kept back; a local quiet for the same. The put to
 * another target stays where it is. */
static void behind(struct rank *r)
{
    struct rma_atomic_args add = {.op = RMA_ADD, .size = 8, .operand = 1};
    uint64_t old = 0;
    ctx = stage_ctx(r);
    for (uint64_t round = 1; round < 3; round++) {
        put_word(0, 5);
        rma_put(ctx, at(2, 0), &round, 8, RMA_NONBLOCKING, "put");
        rma_fence(ctx);
        if (round == 1) {
            old = rma_atomic_fetch(ctx, at(1, 0), &add, "fetch");
        } else {
            rma_atomic_fetch_nbi(ctx, at(1, 0), &add, &old, "fetch_nbi");
            rma_quiet_local(ctx, "local");
        }
        assert_int_equal(old, 5);
        assert_int_equal(there(0), 6);
        assert_int_equal(word(stage.heap[2]), round - 1);
        assert_false(rma_ctx_idle(ctx));
        rma_quiet(ctx, "quiet");
        assert_int_equal(word(stage.heap[2]), round);
        assert_int_equal(plan.demanded, 1);
    }
}
static void what_is_ahead_is_needed_too(void **state)
{
    (void)state;
    plan_begin();
    all_verdicts(RMA_AT_TARGET, keep);
    all_verdicts(RMA_AT_ORIGIN, keep);
    run_planned(behind);
}

/* A quiet to some targets leaves the others where they are. */
static void some_targets(struct rank *r)
{
    ctx = stage_ctx(r);
    put_word(0, 1);
    rma_put(ctx, at(2, 0), block, 8, RMA_NONBLOCKING, "put");
    rma_quiet_targets(ctx, (const uint32_t[]){1}, 1, "pe_quiet");
    assert_int_equal(plan.demanded, 1);
    assert_int_equal(there(0), 1);
    assert_false(rma_ctx_idle(ctx));
    until(20);
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 1);
    rma_ctx_destroy(ctx);
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 2);
}
static void a_quiet_needs_its_targets_alone(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0] = plan.verdict[RMA_AT_TARGET][1] = keep;
    plan.verdict[RMA_AT_TARGET][2] = keep;
    run_planned(some_targets);
}

static bool noted;
static void note(struct rma_notice *n)
{
    (void)n;
    noted = true;
}
static void requested(struct rank *r)
{
    static struct rma_notice n;
    static uint64_t got;
    uint64_t v = 3;
    ctx = stage_ctx(r);
    memcpy(stage.heap[1], &v, 8);
    n = (struct rma_notice){.complete = note};
    rma_need(ctx, &n); /* not under way: nothing */
    rma_notify_next(ctx, &n);
    rma_get(ctx, at(1, 0), &got, 8, RMA_NONBLOCKING, "get");
    until(20);
    assert_false(noted);
    rma_need(ctx, &n);
    rma_need(ctx, &n);
    until(30);
    assert_true(noted && got == 3);
    assert_int_equal(plan.demands[RMA_FOR_COMPLETION], 2); /* at the target, at the origin */
}
static void a_request_can_be_needed(void **state)
{
    (void)state;
    plan_begin();
    noted = false;
    plan.verdict[RMA_AT_TARGET][0] = plan.verdict[RMA_AT_ORIGIN][0] = keep;
    run_planned(requested);
    assert_true(noted);
}

/* The policy's own release, in an event of the instant. */
static void released(struct rank *r)
{
    uint64_t number;
    ctx = stage_ctx(r);
    put_word(0, 5);
    assert_false(rma_release(r->job, 1));
    until(4);
    number = plan.last[RMA_AT_TARGET].operation;
    assert_false(rma_release(r->job, number + 1));
    assert_true(rma_release(r->job, number));
    assert_false(rma_release(r->job, number)); /* it is not kept any more, though it has not acted yet */
    assert_int_equal(there(0), 0);
    until(4.001);
    assert_int_equal(there(0), 5);
    assert_false(rma_release(r->job, number));
    rma_quiet(ctx, "quiet");
    TIME_IS(4 + 1.01);
    put_word(8, 5);
    until(8);
    assert_false(rma_release(r->job, number)); /* of an operation that is over */
    assert_true(rma_release(r->job, plan.last[RMA_AT_TARGET].operation));
}
static void a_policy_releases(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0] = plan.verdict[RMA_AT_TARGET][2] = keep;
    run_planned(released);
}

/* --- waits and standstill ------------------------------------------------------------------------------- */

static bool is_five(struct rank *r, void *arg)
{
    uint64_t v;
    (void)arg;
    rank_read(r, ranks_heap_at(r->id, 0), &v, sizeof v);
    return v == 5;
}
static void waiter(struct rank *r)
{
    struct engine_reason why = {.what = "wait_until"};
    uintptr_t low = ranks_heap_at(1, 0);
    until(6);
    rma_wait(r, &(struct rma_condition){is_five, NULL, low, low + 8}, &why);
}
static void puts_and_sleeps(struct rank *r)
{
    ctx = stage_ctx(r);
    put_word(0, 5);
    put_word(64, 5); /* of no interest to the wait */
    until(50);
}
static double waited_until;
static void waits(struct rank *r)
{
    waiter(r);
    waited_until = stage_now() / US;
}
static void memory_that_is_waited_for(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0] = plan.verdict[RMA_AT_TARGET][1] = keep;
    plan.verdict[RMA_AT_TARGET][3] = keep;
    stage.body[1] = waits;
    run_planned(puts_and_sleeps);
    assert_true(fabs(waited_until - 6) < 1e-9);
    assert_int_equal(plan.demands[RMA_FOR_MEMORY], 1);
    assert_int_equal(plan.demanded, 1);
}

/* The last of a layout's bytes; its data is shorter than its span. */
static bool has_one(struct rank *r, void *arg)
{
    uint64_t v;
    (void)arg;
    rank_read(r, ranks_heap_at(r->id, 16), &v, sizeof v);
    return v == 1;
}
static void waits_for_the_end(struct rank *r)
{
    struct engine_reason why = {.what = "wait_until"};
    uintptr_t low = ranks_heap_at(1, 16);
    until(6);
    rma_wait(r, &(struct rma_condition){has_one, NULL, low, low + 8}, &why);
}
static void puts_a_layout(struct rank *r)
{
    const uint64_t ones[2] = {1, 1};
    struct base_status st;
    struct types_layout *v = types_layout_vector(2, 1, 2, types_layout_of(TYPES_UINT64), &st);
    const struct rma_items there_items = {v, 1}, here = {types_layout_of(TYPES_UINT64), 2};
    ctx = stage_ctx(r);
    rma_put_packed(ctx, at(1, 0), &there_items, ones, &here, "put");
    types_layout_release(v);
    until(50);
}
static void memory_along_a_layout(void **state)
{
    (void)state;
    plan_begin();
    plan.verdict[RMA_AT_TARGET][0] = keep;
    stage.body[1] = waits_for_the_end;
    run_planned(puts_a_layout);
    assert_int_equal(plan.demands[RMA_FOR_MEMORY], 1);
}

static void polls(struct rank *r)
{
    until(6);
    while (!is_five(r, NULL))
        rma_poll(r);
    waited_until = stage_now() / US;
}
static void memory_that_is_polled(void **state)
{
    (void)state;
    plan_begin();
    all_verdicts(RMA_AT_TARGET, keep);
    stage.body[1] = polls;
    run_planned(puts_and_sleeps);
    assert_true(fabs(waited_until - 6.025) < 1e-9);
    assert_int_equal(plan.demands[RMA_FOR_POLL], 1);
}

static void puts_and_waits(struct rank *r)
{
    struct engine_reason why = {.what = "wait_until"};
    uintptr_t low = ranks_heap_at(0, 0);
    ctx = stage_ctx(r);
    put_word(0, 5);
    rma_fence(ctx);
    put_word(8, 5); /* before its turn */
    rma_wait(r, &(struct rma_condition){is_five, NULL, low, low + 8}, &why);
}
static void answers(struct rank *r)
{
    uint64_t five = 5;
    waiter(r);
    rma_put(stage_ctx(r), at(0, 0), &five, 8, RMA_BLOCKING, "put");
}
/* Nothing else can happen: both are given in turn. */
static void standstill(void **state)
{
    (void)state;
    plan_begin();
    plan.gives[RMA_FOR_MEMORY] = 0;
    plan.gives[RMA_FOR_PROGRESS] = 1;
    plan.verdict[RMA_AT_TARGET][0] = plan.verdict[RMA_AT_TARGET][2] = keep;
    stage.body[1] = answers;
    run_planned(puts_and_waits);
    assert_true(plan.demands[RMA_FOR_PROGRESS] >= 1);
}
static void a_policy_that_gives_nothing(void **state)
{
    (void)state;
    plan_begin();
    plan.gives[RMA_FOR_MEMORY] = plan.gives[RMA_FOR_PROGRESS] = 0;
    plan.verdict[RMA_AT_TARGET][0] = keep;
    stage_at_begin = at_begin;
    stage.body[0] = puts_and_waits;
    stage.body[1] = answers;
    assert_int_equal(ranks_run(&stage), ENGINE_DEADLOCK);
    assert_int_equal(plan.demands[RMA_FOR_PROGRESS], 1);
    assert_int_equal(plan.demanded, 1);
    base_remainder_clear();
}

/* One that only delays is given up on. */
static struct rma_verdict never(void *arg, const struct rma_question *q)
{
    ++*(uint32_t *)arg;
    assert_true(q->asked < RMA_ASKED_MOST);
    return (struct rma_verdict){0, 0, 0, false};
}
static uint32_t evasions;
static const struct rma_policy evasive = {never, planned_demand, false};
static void evaded(struct rank *r)
{
    ctx = stage_ctx(r);
    put_word(0, 5);
    rma_quiet(ctx, "quiet");
    TIME_IS(1.116 + 1.01);
    assert_int_equal(there(0), 5);
}
static void evade_at_begin(struct rank_job *job)
{
    rma_police(job, &evasive, &evasions);
}
static void a_policy_that_evades(void **state)
{
    (void)state;
    evasions = 0;
    stage_at_begin = evade_at_begin;
    stage_run_rank0(evaded);
    assert_int_equal(evasions, RMA_ASKED_MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(a_kept_put_goes_with_quiet),
        STAGE_TEST_EXCHANGED(a_kept_put_goes_with_quiet),
        STAGE_TEST(demands_wait_for_what_moves),
        STAGE_TEST(demands_come_at_the_own_time),
        STAGE_TEST(the_last_that_moves_goes_by_itself),
        STAGE_TEST(a_quiet_needs_what_came_before),
        STAGE_TEST(memory_along_a_layout),
        STAGE_TEST(delays_are_to_the_nanosecond),
        STAGE_TEST(a_put_in_pieces),
        STAGE_TEST(many_gaps_are_few),
        STAGE_TEST(accumulates_are_cut_between_elements),
        STAGE_TEST_EXCHANGED(accumulates_are_cut_between_elements),
        STAGE_TEST(words_are_not_cut),
        STAGE_TEST(effects_can_be_early),
        STAGE_TEST(nothing_is_early_before_its_turn),
        STAGE_TEST(sources_are_read_as_late_as_they_may),
        STAGE_TEST(what_is_ahead_is_needed_too),
        STAGE_TEST(a_quiet_needs_its_targets_alone),
        STAGE_TEST(a_request_can_be_needed),
        STAGE_TEST(a_policy_releases),
        STAGE_TEST(memory_that_is_waited_for),
        STAGE_TEST(memory_that_is_polled),
        STAGE_TEST(standstill),
        STAGE_TEST(a_policy_that_gives_nothing),
        STAGE_TEST(a_policy_that_evades),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
