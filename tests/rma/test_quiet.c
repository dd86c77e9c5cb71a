/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * quiet and local quiet to some targets, to the nanosecond; several actors of one rank in quiet and waiting
 * at once, what each waits for and what it does not.
 */
#include "rma/stage.h"

static unsigned char block[70000];
static struct rma_ctx *shared;
static int ended;

static void put(struct rma_ctx *c, uint32_t to, size_t bytes)
{
    rma_put(c, stage_to(to, ranks_heap_at(to, 16384)), block, bytes, RMA_NONBLOCKING, "put_nbi");
}

/* --- some targets ------------------------------------------------------------------------------- */

/* To b: 10 000 bytes, issued at 0.1: 0.5 + 1 + 10, known at 11.6 + 1.01. To c: 8 bytes, issued at 0.208: they
 * share link ab, 0.2 us at 0.5 GB/s are 16 bytes: 0.208 + 3 + 0.016 or so; to the own host at once. */
static void some(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    const uint32_t none[] = {0}, near[] = {0, 3}, far[] = {2, 2}, all[] = {3, 1, 2, 1};
    put(c, 1, 10000);
    put(c, 2, 8);
    rma_quiet_targets(c, none, 0, "pe_quiet");
    rma_quiet_targets(c, near, 2, "pe_quiet"); /* nothing was sent there */
    TIME_IS(0.208);
    rma_quiet_targets(c, far, 2, "pe_quiet");
    TIME_IS(0.208 + 3 + 0.016 + 3.01);
    assert_false(rma_ctx_idle(c));
    rma_quiet_targets(c, all, 4, "pe_quiet");
    TIME_IS(0.1 + 0.5 + 1 + 10.008 + 1.01);
    assert_true(rma_ctx_idle(c));
}
static void waits_for_its_targets_alone(void **state)
{
    (void)state;
    stage_run_rank0(some);
}

/* Delivered, but the acknowledgement is on its way; and a get, which is over when its bytes are here. */
static void acknowledged(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    const uint32_t b[] = {1}, there[] = {2};
    uint64_t got = 0, value = 9;
    memcpy(stage.heap[2] + 64, &value, sizeof value);
    put(c, 1, 8);
    until(1.2); /* delivered at 1.116 */
    rma_quiet_targets(c, there, 1, "pe_quiet");
    TIME_IS(1.2);
    rma_quiet_targets(c, b, 1, "pe_quiet");
    TIME_IS(0.108 + 1.008 + 1.01);
    rma_get(c, stage_to(2, ranks_heap_at(2, 64)), &got, 8, RMA_NONBLOCKING, "get_nbi");
    rma_quiet_targets(c, b, 1, "pe_quiet");
    TIME_IS(2.126 + 0.2);
    rma_quiet_targets(c, there, 1, "pe_quiet");
    TIME_IS(2.326 + 3 + 0.3 + 3 + 0.008);
    assert_int_equal(got, 9);
}
/* A long list is looked through another way. */
static void long_list(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    uint32_t list[40];
    for (size_t k = 0; k < BASE_LENGTH(list); k++)
        list[k] = k % 2 ? 0 : 3;
    for (int k = 0; k < 20; k++) /* issued at 0.108, 0.216, ..., 2.16 */
        put(c, 1, 8);
    until(4); /* the last is delivered at 3.168, and known to be at 4.178 */
    rma_quiet_targets(c, list, BASE_LENGTH(list), "pe_quiet");
    TIME_IS(4);
    list[39] = 1;
    rma_quiet_targets(c, list, BASE_LENGTH(list), "pe_quiet");
    TIME_IS(4.178);
    assert_true(rma_ctx_idle(c));
}
static void any_number_of_targets(void **state)
{
    (void)state;
    stage_run_rank0(long_list);
}

/* A large put to b, whose source is in use until it is known to be complete, and its source is then free; a
 * short one to c, which is locally complete at once; a get from c: issued at 0.408, 8 bytes of the reply
 * share link ab with the put, which has lost as many to the short put. */
static void local_to_some(struct rank *r)
{
    static uint64_t got;
    struct rma_ctx *c = stage_ctx(r);
    const uint32_t b[] = {1}, far[] = {2}, both[] = {2, 1, 2};
    put(c, 1, 10000);
    put(c, 2, 8);
    rma_quiet_local_targets(c, far, 1, "flush_local");
    TIME_IS(0.208);
    rma_get(c, stage_to(2, ranks_heap_at(2, 64)), &got, 8, RMA_NONBLOCKING, "get_nbi");
    rma_quiet_local_targets(c, far, 1, "flush_local");
    TIME_IS(0.408 + 3 + 0.3 + 3 + 0.016);
    rma_quiet_local_targets(c, b, 1, "flush_local");
    TIME_IS(0.1 + 0.5 + 1 + 10.016 + 1.01);
    assert_true(rma_ctx_idle(c));
    put(c, 1, 8);
    put(c, 2, 2000);
    until(19); /* both are delivered, and the acknowledgement of the second is on its way */
    assert_false(rma_ctx_idle(c));
    rma_quiet_local_targets(c, b, 1, "flush_local");
    TIME_IS(19);
    rma_quiet_local_targets(c, both, 3, "flush_local");
    TIME_IS(12.626 + 0.108 + 0.1 + 0.5 + 3 + 2 + 3.01);
}
static void local_quiet_to_some_targets(void **state)
{
    (void)state;
    stage_run_rank0(local_to_some);
}

/* What is locally complete may be changed before it is delivered; what is not may not. */
static void changed_sources(struct rank *r)
{
    static unsigned char source[3][8];
    struct rma_ctx *c = stage_ctx(r);
    for (uint32_t k = 0; k < 3; k++)
        rma_put(c, stage_to(k + 1, ranks_heap_at(k + 1, 0)), source[k], 8, RMA_NONBLOCKING, "put_nbi");
    rma_quiet_local_targets(c, (const uint32_t[]){2}, 1, "flush_local");
    source[1][0] = 1;
    rma_quiet(c, "quiet");
    assert_false(base_warn_again("misuse/source-changed"));
    rma_put(c, stage_to(1, ranks_heap_at(1, 0)), source[0], 8, RMA_NONBLOCKING, "put_nbi");
    rma_quiet_local(c, "flush_local");
    source[0][0] = 1;
    rma_quiet(c, "quiet");
    assert_false(base_warn_again("misuse/source-changed"));
    rma_put(c, stage_to(1, ranks_heap_at(1, 0)), source[0], 8, RMA_NONBLOCKING, "put_nbi");
    rma_put(c, stage_to(2, ranks_heap_at(2, 0)), source[1], 8, RMA_NONBLOCKING, "put_nbi");
    rma_quiet_local_targets(c, (const uint32_t[]){2}, 1, "flush_local");
    source[0][0] = 2;
    rma_quiet(c, "quiet");
    assert_true(base_warn_again("misuse/source-changed"));
}
static void sources_after_a_local_quiet(void **state)
{
    (void)state;
    stage_run_rank0(changed_sources);
}

static void counts_acknowledgements_and_replies(void **state)
{
    (void)state;
    stage_run_rank0(acknowledged);
}

/* --- several actors of one rank --------------------------------------------------------------------- */

static void spawn(void (*fn)(void *))
{
    engine_actor_spawn(stage.engine, fn, rank_at(stage.job, 0), rank_at(stage.job, 0));
}

/* Issues as long as the first actor's quiet lasts, which does not wait for that. */
static void busy(void *arg)
{
    (void)arg;
    engine_sleep(stage.engine, 1 * US);
    while (!ended)
        put(shared, 1, 8);
    assert_true(stage_now() < 20 * US);
}
static void quiet_of_many(void *arg)
{
    (void)arg;
    const uint32_t far[] = {2};
    engine_sleep(stage.engine, 0.5 * US);
    rma_quiet_targets(shared, far, 1, "pe_quiet");
    assert_int_equal(ended, 0);
}
static void first(struct rank *r)
{
    shared = stage_ctx(r);
    put(shared, 1, 10000);
    put(shared, 2, 8);
    spawn(busy);
    spawn(quiet_of_many);
    rma_quiet(shared, "quiet");
    ended = 1;
    assert_true(stage_now() > 12.6 * US && stage_now() < 14 * US); /* the others take of the link */
}
static void quiet_is_for_what_came_before(void **state)
{
    (void)state;
    ended = 0;
    stage_run_rank0(first);
    assert_int_equal(ended, 1);
}

enum { QUIETS = 40 }; /* more than there are bits */
static void quiet_to_b(void *arg)
{
    (void)arg;
    const uint32_t b[] = {1};
    rma_quiet_targets(shared, b, 1, "pe_quiet");
    assert_true(stage_now() > 12.6 * US);
    ended++;
}
static void many_quiets(struct rank *r)
{
    shared = stage_ctx(r);
    put(shared, 1, 10000);
    for (int k = 0; k < QUIETS; k++)
        spawn(quiet_to_b);
    rma_quiet(shared, "quiet");
    TIME_IS(12.61);
}
static void any_number_of_quiets(void **state)
{
    (void)state;
    ended = 0;
    stage_run_rank0(many_quiets);
    assert_int_equal(ended, QUIETS);
}

/* --- several watches ---------------------------------------------------------------------------- */

struct wanted {
    size_t offset;
    uint64_t value;
    double at;
};
static const struct wanted wanted[] = {
    {64, 2, 2}, {64, 1, 1}, {72, 3, 3}, {64, 2, 2}, {72, 1, 3}, {64, 4, 4},
};

static bool holds(struct rank *r, void *arg)
{
    const struct wanted *w = arg;
    uint64_t v;
    rank_read(r, ranks_heap_at(r->id, w->offset), &v, sizeof v);
    return v >= w->value;
}
static void watcher(void *arg)
{
    struct wanted *w = arg;
    struct engine_reason why = {.what = "wait_until"};
    uintptr_t low = ranks_heap_at(0, w->offset);
    rma_wait(rank_at(stage.job, 0), &(struct rma_condition){holds, w, low, low + 8}, &why);
    if (fabs(stage_now() - w->at * US) > 1e-12)
        fail_msg("offset %zu, value %" PRIu64 ": woken at %.9g us, expected %.9g", w->offset, w->value,
                 stage_now() / US, w->at);
    ended++;
}
static void changer(struct rank *r)
{
    const uint64_t v[] = {1, 2, 3, 4};
    for (int k = 0; k < 4; k++) {
        engine_sleep(r->engine, 1 * US);
        rma_deliver(r, ranks_heap_at(0, k == 2 ? 72 : 64), &v[k], sizeof v[k]);
    }
}
static void each_watch_has_its_own_condition(void **state)
{
    (void)state;
    ended = 0;
    stage.body[0] = changer;
    for (size_t k = 0; k < BASE_LENGTH(wanted); k++)
        engine_actor_spawn(stage.engine, watcher, (void *)&wanted[k], rank_at(stage.job, 0));
    stage_run();
    assert_int_equal(ended, BASE_LENGTH(wanted));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(waits_for_its_targets_alone), STAGE_TEST(counts_acknowledgements_and_replies),
        STAGE_TEST(any_number_of_targets),       STAGE_TEST(quiet_is_for_what_came_before),
        STAGE_TEST(local_quiet_to_some_targets), STAGE_TEST(sources_after_a_local_quiet),
        STAGE_TEST(any_number_of_quiets),        STAGE_TEST(each_watch_has_its_own_condition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
