/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Listeners, by hand: how each kind of operation is described, and the synchronizations that they are told
 * of. That touches happen when and where they are said to is the random model's to check (test_model.c).
 */
#include "rma/stage.h"

enum { MOST = 64 };
static struct {
    struct rma_issue issue[MOST];
    struct rma_touch touch[MOST];
    struct rma_completion completion[MOST];
    struct rma_sync sync[MOST];
    uint32_t issues, touches, completions, syncs;
} told;

static void told_issued(void *arg, const struct rma_issue *i)
{
    (void)arg;
    told.issue[told.issues++] = *i;
}
static void told_touched(void *arg, const struct rma_touch *t)
{
    (void)arg;
    told.touch[told.touches++] = *t;
}
static void told_completed(void *arg, const struct rma_completion *c)
{
    (void)arg;
    told.completion[told.completions++] = *c;
}
static void told_synchronized(void *arg, const struct rma_sync *s)
{
    (void)arg;
    told.sync[told.syncs++] = *s;
}
static const struct rma_listener listener = {told_issued, told_touched, told_completed, told_synchronized};

static uint32_t second; /* listeners come in order */
static void second_issued(void *arg, const struct rma_issue *i)
{
    (void)arg, (void)i;
    assert_int_equal(++second, told.issues);
}
static void second_touched(void *arg, const struct rma_touch *t)
{
    (void)arg, (void)t;
}
static void second_completed(void *arg, const struct rma_completion *c)
{
    (void)arg, (void)c;
}
static void second_synchronized(void *arg, const struct rma_sync *s)
{
    (void)arg, (void)s;
}
static const struct rma_listener another = {second_issued, second_touched, second_completed,
                                            second_synchronized};

static void at_begin(struct rank_job *job)
{
    rma_listen(job, &listener, NULL);
    rma_listen(job, &another, NULL);
}
static void run(ranks_body_fn body)
{
    memset(&told, 0, sizeof told);
    second = 0;
    stage_at_begin = at_begin;
    stage_run_rank0(body);
    assert_int_equal(second, told.issues);
}

/* The last operation's area at this step. */
static void area(enum rma_step step, const struct rank *r, uintptr_t address, uint64_t bytes,
                 const struct types_layout *l, enum rma_access access, int line)
{
    const struct rma_issue *i = &told.issue[told.issues - 1];
    for (uint32_t k = 0; k < i->areas; k++) {
        const struct rma_area *a = &i->area[k];
        if (a->step != step)
            continue;
        if (a->rank != r || a->address != address || a->bytes != bytes || !a->items != !l ||
            a->access != access)
            fail_msg("line %d: %" PRIu64 " bytes, access %d", line, a->bytes, a->access);
        return;
    }
    fail_msg("line %d: nothing at step %d", line, step);
}
#define AREA(step, r, address, bytes, l, access)                                                             \
    area(step, r, (uintptr_t)(address), bytes, l, access, __LINE__)
static void areas_are(uint32_t n, uint32_t element, int op, bool local, int line)
{
    const struct rma_issue *i = &told.issue[told.issues - 1];
    if (i->areas != n || i->element != element || (element && i->op != op) || i->local != local)
        fail_msg("line %d: %" PRIu32 " areas, element %" PRIu32 ", op %d, local %d", line, i->areas,
                 i->element, i->op, i->local);
}
#define AREAS(n, element, op, local) areas_are(n, element, op, local, __LINE__)

static void each(struct rank *r)
{
    static unsigned char block[4096];
    static uint64_t result[4];
    struct rma_ctx *first = stage_ctx(r), *c = stage_ctx(r);
    struct rank *b = rank_at(stage.job, 1);
    struct rma_target t = stage_to(1, ranks_heap_at(1, 64));
    const struct types_layout *u64 = types_layout_of(TYPES_UINT64);
    struct base_status st;
    struct types_layout *v = types_layout_vector(2, 1, 2, u64, &st);
    const struct rma_items two = {v, 1}, run2 = {u64, 2}, one = {u64, 1};
    const struct rma_operands from = {TYPES_SUM, block, run2};
    struct rma_atomic_args add = {.op = RMA_ADD, .size = 4, .operand = 1};
    (void)first;
    rma_put(c, t, block, 8, RMA_BLOCKING, "put");
    AREAS(2, 0, 0, true);
    AREA(RMA_SOURCE, r, block, 8, NULL, RMA_READS);
    AREA(RMA_AT_TARGET, b, t.address, 8, NULL, RMA_WRITES);
    assert_int_equal(told.issue[0].context, 1);
    assert_true(told.issue[0].origin == r && told.issue[0].target == b);
    assert_string_equal(told.issue[0].call, "put");
    assert_true(fabs(told.issue[0].at - 0.108 * US) < 1e-12);
    rma_put(c, t, block, 2000, RMA_NONBLOCKING, "put");
    AREAS(2, 0, 0, false);
    rma_get(c, t, block, 16, RMA_NONBLOCKING, "get");
    AREAS(2, 0, 0, false);
    AREA(RMA_AT_TARGET, b, t.address, 16, NULL, RMA_READS);
    AREA(RMA_AT_ORIGIN, r, block, 16, NULL, RMA_WRITES);
    rma_put_items(c, t, &two, block, &run2, RMA_NONBLOCKING, "put");
    AREAS(2, 0, 0, true);
    AREA(RMA_SOURCE, r, block, 16, u64, RMA_READS);
    AREA(RMA_AT_TARGET, b, t.address, 16, v, RMA_WRITES);
    rma_get_items(c, t, &run2, block, &two, RMA_NONBLOCKING, "get");
    AREAS(2, 0, 0, false);
    AREA(RMA_AT_ORIGIN, r, block, 16, v, RMA_WRITES);
    rma_put_signal(c, t, block, 24, &(struct rma_signal){ranks_heap_at(1, 0), 1, 77, RMA_SIGNAL_ADD},
                   RMA_NONBLOCKING, "put_signal");
    AREAS(3, 8, TYPES_SUM, true);
    AREA(RMA_AT_TARGET, b, t.address, 24, NULL, RMA_WRITES);
    AREA(RMA_IN_UNIT, b, ranks_heap_at(1, 0), 8, NULL, RMA_UPDATES);
    assert_int_equal(told.issue[told.issues - 1].word, 77);
    rma_put_signal(c, t, block, 0, &(struct rma_signal){ranks_heap_at(1, 0), 1, 77, RMA_SIGNAL_SET},
                   RMA_NONBLOCKING, "put_signal");
    AREAS(1, 8, TYPES_REPLACE, true);
    rma_atomic_post(c, t, &add, "post");
    AREAS(1, 4, RMA_ADD, true);
    AREA(RMA_AT_TARGET, b, t.address, 4, NULL, RMA_UPDATES);
    rma_atomic_fetch_nbi(c, t, &add, result, "fetch_nbi");
    AREAS(2, 4, RMA_ADD, false);
    AREA(RMA_AT_ORIGIN, r, result, 4, NULL, RMA_WRITES);
    rma_atomic_fetch(c, t, &add, "fetch");
    AREAS(1, 4, RMA_ADD, false);
    rma_accumulate(c, t, &two, &from, "accumulate");
    AREAS(2, 8, TYPES_SUM, true);
    AREA(RMA_SOURCE, r, block, 16, u64, RMA_READS);
    AREA(RMA_IN_UNIT, b, t.address, 16, v, RMA_UPDATES);
    rma_get_accumulate(c, t, &run2, &(struct rma_operands){TYPES_NO_OP, NULL, run2}, result, &run2,
                       RMA_NONBLOCKING, "get_accumulate");
    AREAS(2, 8, TYPES_NO_OP, false);
    AREA(RMA_AT_ORIGIN, r, result, 16, u64, RMA_WRITES);
    rma_accumulate(c, t, &one, &(struct rma_operands){TYPES_MAX, block, one}, "accumulate");
    AREAS(2, 8, TYPES_MAX, true);
    AREA(RMA_AT_TARGET, b, t.address, 8, u64, RMA_UPDATES);
    rma_compare_swap(c, t, stage_word(16), block, block, result, RMA_NONBLOCKING, "swap");
    AREAS(4, 16, RMA_COMPARE_SWAP, false);
    AREA(RMA_SOURCE, r, block, 16, NULL, RMA_READS);
    AREA(RMA_AT_ORIGIN, r, result, 16, NULL, RMA_WRITES);
    rma_quiet(c, "quiet");
    types_layout_release(v);
    assert_int_equal(told.completions, told.issues);
}
static void how_operations_are_described(void **state)
{
    (void)state;
    run(each);
}

/* --- synchronization ---------------------------------------------------------------------------------- */

static bool has_come(struct rank *r, void *arg)
{
    uint64_t v;
    (void)arg;
    rank_read(r, ranks_heap_at(r->id, 0), &v, sizeof v);
    return v != 0;
}
static void waits(struct rank *r)
{
    struct engine_reason why = {.what = "wait_until"};
    uintptr_t low = ranks_heap_at(1, 0);
    rma_wait(r, &(struct rma_condition){has_come, NULL, low, low + 8}, &why);
    rma_wait(r, &(struct rma_condition){has_come, NULL, low, low + 8}, &why);
}
static void synchronizes(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    const uint32_t b[] = {1};
    static uint64_t got;
    uint64_t v = 1;
    rma_fence(c); /* it counts, although there is nothing to order */
    rma_put(c, stage_to(1, ranks_heap_at(1, 0)), &v, 8, RMA_NONBLOCKING, "put");
    rma_fence(c);
    rma_get(c, stage_to(1, ranks_heap_at(1, 64)), &got, 8, RMA_BLOCKING, "get");
    rma_quiet_targets(c, b, 1, "pe_quiet");
    rma_quiet_local(c, "flush_local");
    rma_quiet_local_targets(c, b, 1, "flush_local");
    rma_quiet(c, "quiet");
    rma_deliver(r, ranks_heap_at(0, 8), &v, sizeof v);
    rma_touched(r, ranks_heap_at(0, 16), 24);
}
static void sync_is(uint32_t k, enum rma_sync_kind kind, uint32_t rank, uint64_t limit, size_t targets,
                    const char *call)
{
    const struct rma_sync *s = &told.sync[k];
    if (s->kind != kind || s->rank->id != rank || s->limit != limit || s->n != targets ||
        !s->targets != !targets || strcmp(s->call, call) != 0)
        fail_msg("synchronization %" PRIu32 ": kind %d of rank %" PRIu32 ", limit %" PRIu64 ", %s", k,
                 s->kind, s->rank->id, s->limit, s->call);
}
static void touch_is(uint32_t k, uint64_t operation, enum rma_step step, uintptr_t from, uintptr_t to,
                     double at_us)
{
    const struct rma_touch *t = &told.touch[k];
    if (t->operation != operation || t->step != step || t->from != from || t->to != to ||
        fabs(t->at - at_us * US) > 1e-12)
        fail_msg("touch %" PRIu32 ": operation %" PRIu64 ", step %d, at %.9g us", k, t->operation, t->step,
                 t->at / US);
}

/* The put is issued at 0.108, there at 1.116, known at 2.126; the get issued at 0.308, read 1.3 later, back
 * after another 1.008. */
static void synchronizations(void **state)
{
    (void)state;
    stage.body[1] = waits;
    run(synchronizes);
    uint32_t k = 0;
    sync_is(k++, RMA_SYNC_FENCE, 0, 1, 0, "fence");
    sync_is(k++, RMA_SYNC_FENCE, 0, 2, 0, "fence");
    sync_is(k, RMA_SYNC_MEMORY, 1, 1, 0, "wait_until"); /* thanks to the put */
    assert_int_equal(told.sync[k].high - told.sync[k].low, 8);
    assert_true(fabs(told.sync[k++].at - 1.116 * US) < 1e-12);
    sync_is(k++, RMA_SYNC_MEMORY, 1, 0, 0, "wait_until"); /* it held before */
    sync_is(k++, RMA_SYNC_OPERATION, 0, 2, 0, "get");
    sync_is(k++, RMA_SYNC_QUIET, 0, 3, 1, "pe_quiet");
    sync_is(k++, RMA_SYNC_LOCAL, 0, 3, 0, "flush_local");
    sync_is(k++, RMA_SYNC_LOCAL, 0, 3, 1, "flush_local");
    sync_is(k++, RMA_SYNC_QUIET, 0, 3, 0, "quiet");
    sync_is(k++, RMA_SYNC_QUIET, 0, 3, 0, "exit");
    assert_int_equal(told.syncs, k);
    assert_int_equal(told.issue[0].fences, 1);
    assert_int_equal(told.issue[1].fences, 2);
    touch_is(0, 1, RMA_SOURCE, 0, 8, 0.108);
    touch_is(1, 1, RMA_AT_TARGET, 0, 8, 1.116);
    touch_is(2, 2, RMA_AT_TARGET, 0, 8, 1.608);
    touch_is(3, 2, RMA_AT_ORIGIN, 0, 8, 2.616);
    touch_is(4, 0, RMA_AT_TARGET, ranks_heap_at(0, 8), ranks_heap_at(0, 16), 2.616);
    touch_is(5, 0, RMA_AT_TARGET, ranks_heap_at(0, 16), ranks_heap_at(0, 40), 2.616);
    assert_int_equal(told.touches, 6);
    assert_int_equal(told.completion[0].operation, 1);
    assert_true(fabs(told.completion[0].known - 2.126 * US) < 1e-12);
    assert_true(fabs(told.completion[1].known - 2.616 * US) < 1e-12);
}

/* A large put's source is read when it is delivered. */
static void large(struct rank *r)
{
    static unsigned char block[100000];
    struct rma_ctx *c = stage_ctx(r);
    rma_put(c, stage_to(1, ranks_heap_at(1, 0)), block, sizeof block, RMA_NONBLOCKING, "put");
    assert_int_equal(told.touches, 0);
    rma_quiet(c, "quiet");
    touch_is(0, 1, RMA_SOURCE, 0, sizeof block, 101.6);
    touch_is(1, 1, RMA_AT_TARGET, 0, sizeof block, 101.6);
    assert_int_equal(told.touches, 2);
}
static void sources_that_are_not_copied(void **state)
{
    (void)state;
    run(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(how_operations_are_described),
        STAGE_TEST_EXCHANGED(how_operations_are_described),
        STAGE_TEST(synchronizations),
        STAGE_TEST_EXCHANGED(synchronizations),
        STAGE_TEST(sources_that_are_not_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
