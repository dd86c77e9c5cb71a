/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting: when a rank is woken, by what, how often its condition is asked, and what the deadlock report
 * says. */
#include "rma/stage.h"

/* A condition: the word at `address` is at least `least`. */
struct least {
    uintptr_t address;
    uint64_t least;
    int asked;
};
static bool is_least(struct rank *r, void *arg)
{
    struct least *l = arg;
    uint64_t v;
    rank_read(r, l->address, &v, sizeof v);
    l->asked++;
    return v >= l->least;
}
static struct least least;
static void wait_least(struct rank *r, uint64_t value)
{
    struct engine_reason why = {.what = "wait_until"};
    least = (struct least){ranks_heap_at(r->id, 64), value, 0};
    rma_wait(r, &(struct rma_condition){is_least, &least, least.address, least.address + 8}, &why);
}

static void put_word(struct rma_ctx *c, size_t offset, uint64_t value)
{
    rma_put(c, stage_to(1, ranks_heap_at(1, offset)), &value, sizeof value, RMA_BLOCKING, "put");
}

static void sender(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    put_word(c, 128, 5); /* elsewhere: not asked again */
    put_word(c, 64, 1);  /* too small: asked, not woken */
    put_word(c, 72, 9);
    put_word(c, 56, 9);
    put_word(c, 64, 2); /* issued at 5 x 0.108 */
    put_word(c, 64, 3);
}
static void receiver(struct rank *r)
{
    wait_least(r, 2);
    assert_true(fabs(stage_now() - (0.54 + 1.008) * US) < 1e-12);
    assert_int_equal(least.asked, 3);
    wait_least(r, 2); /* true at once */
    assert_true(fabs(stage_now() - (0.54 + 1.008 + 0.025) * US) < 1e-12);
    assert_int_equal(least.asked, 1);
    rma_poll(r);
    assert_true(fabs(stage_now() - (0.54 + 1.008 + 0.05) * US) < 1e-12);
}
static void waiter_is_woken_when_its_condition_holds(void **state)
{
    (void)state;
    stage.body[0] = sender;
    stage.body[1] = receiver;
    stage_run();
}

static void adder(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    for (int k = 0; k < 10; k++)
        rma_atomic_post(c, stage_to(1, ranks_heap_at(1, 64)),
                        &(struct rma_atomic_args){.op = RMA_ADD, .size = 8, .operand = 1}, "add");
}
static void wait_30(struct rank *r)
{
    wait_least(r, 30);
    assert_int_equal(least.asked, 31);
}
static void atomics_wake_too(void **state)
{
    (void)state;
    stage.body[0] = stage.body[2] = stage.body[3] = adder;
    stage.body[1] = wait_30;
    stage_run();
}

static void toucher(struct rank *r)
{
    uint64_t v = 7;
    engine_sleep(r->engine, 3 * US);
    rma_deliver(rank_at(stage.job, 1), ranks_heap_at(1, 64), &v, sizeof v);
    engine_sleep(r->engine, 3 * US);
    v = 8;
    rank_write(rank_at(stage.job, 1), ranks_heap_at(1, 64), &v, sizeof v);
    rma_touched(rank_at(stage.job, 1), ranks_heap_at(1, 60), 8);
}
static void wait_touched(struct rank *r)
{
    wait_least(r, 7);
    assert_true(fabs(stage_now() - 3 * US) < 1e-12);
    wait_least(r, 8);
    assert_true(fabs(stage_now() - 6 * US) < 1e-12);
}
static void other_modules_wake_by_delivering_and_touching(void **state)
{
    (void)state;
    stage.body[0] = toucher;
    stage.body[1] = wait_touched;
    stage_run();
}

/* A rank that is ahead of the clock looks when its own time has come: at 5 us it need not look again, since
 * the change comes just then. */
static double changes_at;
static void changer(struct rank *r)
{
    uint64_t v = 7;
    engine_sleep_until(r->engine, changes_at);
    rma_deliver(rank_at(stage.job, 1), ranks_heap_at(1, 64), &v, sizeof v);
}
static void wait_ahead(struct rank *r)
{
    double own = 5 * US;
    r->ahead_until = own;
    wait_least(r, 7);
    double expected = changes_at < own ? own + 0.025 * US : changes_at;
    if (fabs(rank_now(r) - expected) > 1e-12)
        fail_msg("at %.9g us, expected %.9g us", rank_now(r) / US, expected / US);
}
static void a_rank_ahead_waits_from_its_own_time_on(void **state)
{
    static const double at[] = {4 * US, 5 * US, 6 * US};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(at); k++) {
        changes_at = at[k];
        stage.body[0] = changer;
        stage.body[1] = wait_ahead;
        stage_run();
        if (k + 1 < BASE_LENGTH(at)) {
            stage_teardown(state);
            stage_setup(state);
        }
    }
}

static void wait_forever(struct rank *r)
{
    wait_least(r, 1);
}
static void waiting_for_nothing_is_a_deadlock(void **state)
{
    (void)state;
    stage.body[1] = wait_forever;
    assert_int_equal(ranks_run(&stage), ENGINE_DEADLOCK);
    if (!strstr(stage.report, "1 of 4 ranks wait") || !strstr(stage.report, "wait_until: 1 rank: 1"))
        fail_msg("the report does not name the call: %s", stage.report);
}

static void poller(struct rank *r)
{
    int asked = 0;
    uint64_t v = 0;
    for (; !v; asked++) {
        rma_poll(r);
        rank_read(r, ranks_heap_at(1, 64), &v, sizeof v);
    }
    assert_int_equal(asked, 45); /* at 1.116 us, every 25 ns */
}
static void late_sender(struct rank *r)
{
    struct rma_ctx *c = stage_ctx(r);
    put_word(c, 64, 1);
}
static void a_loop_that_polls_lets_time_go_on(void **state)
{
    (void)state;
    stage.body[0] = late_sender;
    stage.body[1] = poller;
    stage_run();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        STAGE_TEST(waiter_is_woken_when_its_condition_holds),
        STAGE_TEST_EXCHANGED(waiter_is_woken_when_its_condition_holds),
        STAGE_TEST(atomics_wake_too),
        STAGE_TEST(other_modules_wake_by_delivering_and_touching),
        STAGE_TEST(a_rank_ahead_waits_from_its_own_time_on),
        STAGE_TEST(waiting_for_nothing_is_a_deadlock),
        STAGE_TEST(a_loop_that_polls_lets_time_go_on),
        STAGE_TEST_EXCHANGED(a_loop_that_polls_lets_time_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
