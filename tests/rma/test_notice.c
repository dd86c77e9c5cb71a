/* SPDX-License-Identifier: BSD-3-Clause */
/* Who is told of an operation's completion, and when, with times computed by hand; waiting only for local
 * completion. */
#include "rma/stage.h"

static unsigned char block[100000];

struct noted {
    struct rma_notice notice;
    double local, complete; /* us; < 0: not yet */
};
static void note_local(struct rma_notice *n)
{
    struct noted *x = BASE_CONTAINER(n, struct noted, notice);
    assert_true(x->local < 0 && x->complete < 0);
    x->local = stage_now() / US;
}
static void note_complete(struct rma_notice *n)
{
    struct noted *x = BASE_CONTAINER(n, struct noted, notice);
    assert_true(x->local >= 0 && x->complete < 0);
    x->complete = stage_now() / US;
}

static struct rma_ctx *ctx;
static struct rma_ctx *asking(struct noted *x)
{
    *x = (struct noted){.notice = {.local = note_local, .complete = note_complete}, -1, -1};
    rma_notify_next(ctx, &x->notice);
    return ctx;
}
static void is(const struct noted *x, double local, double complete, int line)
{
    if (fabs(x->local - local) > 1e-9 || fabs(x->complete - complete) > 1e-9)
        fail_msg("line %d: told at %.9g and %.9g us, expected %.9g and %.9g us", line, x->local, x->complete,
                 local, complete);
}
#define TOLD(x, local, complete) is(&(x), local, complete, __LINE__)

/* Each alone on the network; the times are those of the tests of puts, gets and atomics. */
static void each(struct rank *r)
{
    static struct noted x; /* on no stack */
    struct rma_target t = stage_to(1, ranks_heap_at(1, 1024));
    const struct rma_items ten = {types_layout_of(TYPES_UINT64), 10};
    uint64_t word_of = 1, old;
    (void)r;
    rma_put(asking(&x), t, &word_of, 8, RMA_NONBLOCKING, "put");
    rma_quiet(ctx, "quiet");
    TOLD(x, 0.1 + 0.008, 0.1 + 0.008 + 1 + 0.008 + 1.01);
    double from = stage_now() / US;
    rma_put(asking(&x), t, block, 100000, RMA_NONBLOCKING, "put"); /* its source is in use until then */
    rma_quiet(ctx, "quiet");
    TOLD(x, from + 0.1 + 0.5 + 1 + 100 + 1.01, from + 0.1 + 0.5 + 1 + 100 + 1.01);
    from = stage_now() / US;
    rma_get(asking(&x), t, &old, 8, RMA_NONBLOCKING, "get");
    rma_quiet(ctx, "quiet");
    TOLD(x, from + 0.2 + 1.3 + 1.008, from + 0.2 + 1.3 + 1.008);
    from = stage_now() / US;
    rma_fetch_op(asking(&x), t, TYPES_UINT64, TYPES_SUM, &word_of, &old, RMA_BLOCKING, "fetch_and_op");
    TOLD(x, from + 2.7, from + 2.7);
    from = stage_now() / US;
    rma_accumulate(asking(&x), t, &ten, &(struct rma_operands){TYPES_SUM, block, ten}, "accumulate");
    rma_quiet(ctx, "quiet");
    TOLD(x, from + 0.18, from + 0.18 + 0.5 + 1 + 0.08 + 0.4 + 1.01);
}

static void with_ctx(struct rank *r)
{
    ctx = stage_ctx(r);
    each(r);
}
static void each_kind_of_operation(void **state)
{
    (void)state;
    stage_run_rank0(with_ctx);
}

/* What moves nothing is complete at once, and leaves the next operation alone. */
static void nothing(struct rank *r)
{
    static struct noted x[5];
    struct rma_target t = stage_to(1, ranks_heap_at(1, 1024));
    const struct rma_items none = {types_layout_of(TYPES_UINT64), 0};
    const struct rma_operands from = {TYPES_SUM, NULL, none};
    ctx = stage_ctx(r);
    until(5);
    rma_put(asking(&x[0]), t, NULL, 0, RMA_BLOCKING, "put");
    rma_get(asking(&x[1]), t, NULL, 0, RMA_BLOCKING, "get");
    rma_put_packed(asking(&x[2]), t, &none, NULL, &none, "put");
    rma_accumulate(asking(&x[3]), t, &none, &from, "accumulate");
    rma_get_accumulate(asking(&x[4]), t, &none, &from, NULL, &none, RMA_BLOCKING, "get_accumulate");
    rma_put(ctx, t, block, 8, RMA_BLOCKING, "put");
    rma_quiet(ctx, "quiet");
    for (size_t k = 0; k < BASE_LENGTH(x); k++)
        TOLD(x[k], 5, 5);
}
static void operations_that_move_nothing(void **state)
{
    (void)state;
    stage_run_rank0(nothing);
}

/* Short puts are not waited for; gets and long puts are. */
static void local(struct rank *r)
{
    uint64_t word_of = 1, got = 0;
    struct rma_target t = stage_to(1, ranks_heap_at(1, 1024));
    ctx = stage_ctx(r);
    rma_put(ctx, t, &word_of, 8, RMA_NONBLOCKING, "put");
    TIME_IS(0.1 + 0.008);
    rma_quiet_local(ctx, "flush_local");
    assert_false(rma_ctx_idle(ctx));
    TIME_IS(0.1 + 0.008);
    rma_quiet(ctx, "quiet");
    double before = stage_now() / US;
    rma_get(ctx, t, &got, 8, RMA_NONBLOCKING, "get");
    rma_quiet_local(ctx, "flush_local");
    TIME_IS(before + 0.2 + 1.3 + 1.008);
    assert_int_equal(got, 1);
    before = stage_now() / US;
    rma_put(ctx, t, block, 100000, RMA_NONBLOCKING, "put");
    rma_put(ctx, stage_to(2, ranks_heap_at(2, 1024)), &word_of, 8, RMA_NONBLOCKING, "put");
    rma_quiet_local(ctx, "flush_local");
    assert_true(stage_now() / US > before + 0.1 + 0.5 + 1 + 100 + 1);
    before = stage_now();
    rma_quiet_local(ctx, "flush_local"); /* nothing is left */
    assert_true(stage_now() == before);
}
static void local_completion_can_be_waited_for(void **state)
{
    (void)state;
    stage_run_rank0(local);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(each_kind_of_operation),
        STAGE_TEST(operations_that_move_nothing),
        STAGE_TEST(local_completion_can_be_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
