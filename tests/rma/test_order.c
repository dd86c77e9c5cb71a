/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fence and quiet: cases by hand, and random operations of many sizes (so that later ones would overtake)
 * against the plain reading of the standard: at each delivery, no operation of the same context to the same
 * target that an earlier fence separates from it may still be on its way.
 */
#define STAGE_RANKS 300 /* most of them targets only */
#include "rma/stage.h"

static unsigned char block[70000];

/* --- by hand: 10 000 bytes, then a flag, from a to b: issued at 0.1 and 0.208, the flag is there at 1.216,
 * the data at 0.1 + 0.5 + 1 + 10 = 11.6 (with the flag 8 bytes of the link: the flag came before)
 * ---------------- */

enum { DATA = 16384, FLAG = 0 };

static void data_then_flag(struct rma_ctx *data, struct rma_ctx *flag, uint32_t data_to, bool fence)
{
    uint64_t one = 1;
    memset(block, 7, sizeof block);
    rma_put(data, stage_to(data_to, ranks_heap_at(data_to, DATA)), block, 10000, RMA_NONBLOCKING, "put");
    if (fence)
        rma_fence(data);
    rma_put(flag, stage_to(1, ranks_heap_at(1, FLAG)), &one, sizeof one, RMA_BLOCKING, "put");
    assert_true(fabs(stage_now() - 0.208 * US) < 1e-12); /* fence takes no time */
}

static void without_fence(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    data_then_flag(c, c, 1, false);
    until(1.3);
    assert_int_equal(word(stage.heap[1] + FLAG), 1);
    assert_int_equal(word(stage.heap[1] + DATA), 0);
}
static void flag_overtakes_data_without_fence(void **state)
{
    (void)state;
    stage_run_rank0(without_fence);
}

static void with_fence(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    data_then_flag(c, c, 1, true);
    until(11.59);
    assert_int_equal(word(stage.heap[1] + FLAG), 0);
    until(11.61); /* both, in one instant */
    assert_int_equal(word(stage.heap[1] + FLAG), 1);
    assert_int_equal(word(stage.heap[1] + DATA + 9992), UINT64_C(0x0707070707070707));
    rma_quiet(c, "quiet");
    assert_true(fabs(stage_now() - 12.61 * US) <
                1e-10); /* the held flag's acknowledgement counts from then */
}
static void flag_waits_for_data_behind_a_fence(void **state)
{
    (void)state;
    stage_run_rank0(with_fence);
}

static void other_target(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    data_then_flag(c, c, 2, true);
    until(1.3);
    assert_int_equal(word(stage.heap[1] + FLAG), 1);
}
static void fence_orders_each_target_alone(void **state)
{
    (void)state;
    stage_run_rank0(other_target);
}

static void other_context(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r), *d = stage_ctx(r);
    data_then_flag(c, d, 1, true);
    until(1.3);
    assert_int_equal(word(stage.heap[1] + FLAG), 1);
    rma_ctx_destroy(c); /* waits: delivered, acknowledged */
    assert_int_equal(word(stage.heap[1] + DATA + 9992), UINT64_C(0x0707070707070707));
    assert_true(fabs(stage_now() - 12.61 * US) < 1e-10);
}
static void fence_orders_its_context_alone(void **state)
{
    (void)state;
    stage_run_rank0(other_context);
}

/* Two held epochs are let go one after the other, each in order of issue. */
static void two_fences(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    uint64_t v[4] = {1, 2, 3, 4};
    rma_put(c, stage_to(1, ranks_heap_at(1, DATA)), block, 10000, RMA_NONBLOCKING, "put");
    for (int k = 0; k < 4; k++) {
        if (k % 2 == 0)
            rma_fence(c);
        rma_put(c, stage_to(1, ranks_heap_at(1, FLAG)), &v[k], sizeof v[k], RMA_BLOCKING, "put");
    }
    until(11);
    assert_int_equal(word(stage.heap[1] + FLAG), 0);
    rma_quiet(c, "quiet");
    assert_int_equal(word(stage.heap[1] + FLAG), 4);
}
static void held_epochs_follow_each_other(void **state)
{
    (void)state;
    stage_run_rank0(two_fences);
}

static void fetched(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    uint64_t old = 0, five = 5;
    struct rma_atomic_args add = {.op = RMA_ADD, .size = 8, .operand = 1};
    memset(block, 0, sizeof block);
    memcpy(block + 9992, &five, 8);
    rma_put(c, stage_to(1, ranks_heap_at(1, DATA)), block, 10000, RMA_NONBLOCKING, "put");
    rma_fence(c);
    rma_atomic_fetch_nbi(c, stage_to(1, ranks_heap_at(1, DATA + 9992)), &add, &old, "fetch_add");
    rma_quiet(c, "quiet");
    assert_int_equal(old, 5);
    assert_int_equal(word(stage.heap[1] + DATA + 9992), 6);
    rma_put(c, stage_to(1, ranks_heap_at(1, DATA)), block, 10000, RMA_NONBLOCKING, "put");
    rma_fence(c);
    assert_int_equal(rma_atomic_fetch(c, stage_to(1, ranks_heap_at(1, DATA + 9992)), &add, "fetch_add"), 5);
}
static void atomics_are_ordered_too(void **state)
{
    (void)state;
    stage_run_rank0(fetched);
}

/* --- many targets: the table of lanes grows and is swept -------------------------------------------- */

static void many(struct rank *r)
{
    struct rma_ctx *c[3];
    uint64_t v = 0;
    for (int k = 0; k < 3; k++)
        c[k] = stage_ctx(r);
    for (int k = 0; k < 4 * STAGE_RANKS; k++) {
        uint32_t to = (uint32_t)k % STAGE_RANKS;
        v++;
        rma_put(c[k % 3], stage_to(to, ranks_heap_at(to, 8 * (size_t)(k % 3))), &v, 8, RMA_BLOCKING, "put");
        if (k % 7 == 0)
            rma_fence(c[k % 3]);
    }
    rma_ctx_destroy(c[1]);
    rma_ctx_destroy(c[0]);
    rma_ctx_destroy(c[2]);
    for (uint32_t to = 0; to < STAGE_RANKS; to++) /* 300 is a multiple of 3: one context's */
        assert_int_equal(word(stage.heap[to] + 8 * (to % 3)), 3 * STAGE_RANKS + to + 1);
}
static void contexts_end_in_any_order(void **state)
{
    (void)state;
    stage_run_rank0(many);
}

/* --- random, against the plain reading ------------------------------------------------------------- */

enum { MAX_OPS = 40000, ORIGINS = 4, CONTEXTS = 3, OPS_EACH = 1500 };
struct issued {
    uint32_t rank, context, target, fences;
    bool ordered, signals, returns; /* what is to come: an update, a reply */
    bool delivered, over;
};
static struct issued issued[MAX_OPS];
static uint64_t n_issued, first_flying, delivered, swapped, crossed, left_by_quiet;
static uint32_t context_of[ORIGINS], fences_of[ORIGINS][CONTEXTS];
static uint64_t seed;

static void judge_effect(const struct trace_event *ev, bool last)
{
    struct issued *me = &issued[ev->op];
    assert_false(me->delivered);
    me->delivered = last;
    me->over = last && !me->returns;
    delivered += last;
    for (uint64_t k = first_flying; k < n_issued; k++) {
        const struct issued *o = &issued[k];
        if (k == ev->op || o->delivered || o->rank != me->rank || o->target != me->target)
            continue;
        if (o->context != me->context) { /* nothing orders them, whatever fences there were */
            crossed += k < ev->op && o->ordered && me->ordered && o->fences < fences_of[o->rank][o->context];
            continue;
        }
        swapped += k < ev->op;
        if (o->ordered && me->ordered && o->fences < me->fences)
            fail_msg("seed %" PRIu64 ": operation %" PRIu64 " (%" PRIu32
                     " fences) took effect before %" PRIu64 " (%" PRIu32 " fences)",
                     seed, ev->op, me->fences, k, o->fences);
    }
    while (first_flying < n_issued && issued[first_flying].delivered)
        first_flying++;
}

static void judge(void *ctx, const struct trace_event *ev)
{
    (void)ctx;
    switch (ev->type) {
    case TRACE_PUT_ISSUED:
    case TRACE_ATOMIC_ISSUED:
    case TRACE_GET_ISSUED:
        assert_true(ev->op < MAX_OPS);
        n_issued = ev->op + 1;
        issued[ev->op] = (struct issued){
            .rank = ev->rank,
            .context = context_of[ev->rank],
            .target = ev->peer,
            .fences = fences_of[ev->rank][context_of[ev->rank]],
            .ordered = ev->type != TRACE_GET_ISSUED,
            .signals = strcmp(ev->call, "put_signal") == 0,
            .returns = ev->type == TRACE_GET_ISSUED || strcmp(ev->call, "fetch_add") == 0,
        };
        return;
    case TRACE_PUT_DELIVERED:
    case TRACE_ATOMIC_EXECUTED:
    case TRACE_GET_READ:
        judge_effect(ev, !issued[ev->op].signals);
        return;
    case TRACE_SIGNAL_UPDATED:
        assert_true(issued[ev->op].signals);
        judge_effect(ev, true);
        return;
    case TRACE_GET_ARRIVED:
    case TRACE_ATOMIC_ARRIVED:
        issued[ev->op].over = true;
        return;
    default:
        return;
    }
}

static int judge_close(void *ctx)
{
    (void)ctx;
    return 0;
}

static void random_operation(struct rank *r, struct base_random *random, struct rma_ctx *c)
{
    static uint64_t sink[ORIGINS];
    uint32_t to = (uint32_t)base_random_below(random, base_random_below(random, 4) ? ORIGINS : STAGE_RANKS);
    size_t bytes = (size_t)1 << base_random_below(random, 17);
    uintptr_t there = ranks_heap_at(to, 16384);
    struct rma_atomic_args add = {.op = RMA_ADD, .size = 8, .operand = 1};
    struct rma_signal signal = {ranks_heap_at(to, 64), 1, 0, RMA_SIGNAL_ADD};
    switch (base_random_below(random, 10)) {
    case 0:
        rma_atomic_post(c, stage_to(to, there), &add, "add");
        return;
    case 1:
        rma_atomic_fetch_nbi(c, stage_to(to, there), &add, &sink[r->id], "fetch_add");
        return;
    case 2:
        rma_get(c, stage_to(to, there), &sink[r->id], 8, RMA_NONBLOCKING, "get");
        return;
    case 3:
        rma_put(c, stage_to(to, there), block, bytes % 2000 + 1, RMA_BLOCKING, "put");
        return;
    case 4:
        rma_put_signal(c, stage_to(to, there), block, bytes - 1, &signal, RMA_NONBLOCKING, "put_signal");
        return;
    case 5:
        rma_put_signal(c, stage_to(to, there), block, bytes % 2000, &signal, RMA_BLOCKING, "put_signal");
        return;
    default:
        rma_put(c, stage_to(to, there), block, bytes, RMA_NONBLOCKING, "put");
        return;
    }
}

/* Waits for one or two targets; what that context had issued to them must be over. */
static void random_quiet_targets(struct rank *r, struct base_random *random, struct rma_ctx *c)
{
    uint32_t targets[3];
    uint64_t before = n_issued;
    for (int k = 0; k < 3; k++)
        targets[k] = (uint32_t)base_random_below(random, k == 2 ? STAGE_RANKS : ORIGINS);
    rma_quiet_targets(c, targets, BASE_LENGTH(targets), "pe_quiet");
    for (uint64_t k = first_flying; k < before; k++) {
        const struct issued *o = &issued[k];
        if (o->over || o->rank != r->id || o->context != context_of[r->id])
            continue;
        left_by_quiet++;
        for (size_t i = 0; i < BASE_LENGTH(targets); i++)
            if (o->target == targets[i])
                fail_msg("seed %" PRIu64 ": operation %" PRIu64 " to %" PRIu32 " was not over", seed, k,
                         o->target);
    }
}

static void random_rank(struct rank *r)
{
    struct base_random random;
    struct rma_ctx *c[CONTEXTS];
    base_random_seed(&random, seed, r->id);
    for (int k = 0; k < CONTEXTS; k++)
        c[k] = stage_ctx(r);
    for (int k = 0; k < OPS_EACH; k++) {
        uint32_t which = (uint32_t)base_random_below(&random, CONTEXTS);
        context_of[r->id] = which;
        random_operation(r, &random, c[which]);
        if (base_random_below(&random, 3) == 0) {
            rma_fence(c[which]);
            fences_of[r->id][which]++;
        }
        if (base_random_below(&random, 100) == 0)
            rma_quiet(c[which], "quiet");
        if (base_random_below(&random, 30) == 0)
            random_quiet_targets(r, &random, c[which]);
    }
    for (int k = 0; k < CONTEXTS; k++)
        rma_ctx_destroy(c[k]);
}

static void random_operations_obey_epochs(void **state)
{
    (void)state;
    seed = stage_seed();
    n_issued = first_flying = 1; /* so are operations numbered */
    delivered = swapped = crossed = left_by_quiet = 0;
    memset(fences_of, 0, sizeof fences_of);
    trace_attach(&stage.trace, &(struct trace_sink){judge, judge_close, NULL, NULL, NULL});
    for (int k = 0; k < ORIGINS; k++)
        stage.body[k] = random_rank;
    stage_run();
    assert_int_equal(delivered, n_issued - 1);
    assert_true(swapped > 100);      /* without overtaking the test would prove nothing */
    assert_true(left_by_quiet > 20); /* to other targets */
    assert_true(crossed > 100);      /* of other contexts, behind a fence of theirs */
    fluid_check(stage.fluid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(flag_overtakes_data_without_fence),
        STAGE_TEST(flag_waits_for_data_behind_a_fence),
        STAGE_TEST_EXCHANGED(flag_waits_for_data_behind_a_fence),
        STAGE_TEST(fence_orders_each_target_alone),
        STAGE_TEST(fence_orders_its_context_alone),
        STAGE_TEST(held_epochs_follow_each_other),
        STAGE_TEST(atomics_are_ordered_too),
        STAGE_TEST(contexts_end_in_any_order),
        STAGE_TEST(random_operations_obey_epochs),
        STAGE_TEST_EXCHANGED(random_operations_obey_epochs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
