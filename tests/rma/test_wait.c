/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting: when a rank is woken, by what, how often its condition is asked, and what the deadlock report
 * says. */
#include "rma/fake_fold.h"

#include <math.h>

#define US 1e-6

static int setup(void **state)
{
    (void)state;
    fake_begin(false);
    return 0;
}
static int setup_exchanged(void **state)
{
    (void)state;
    fake_begin(true);
    return 0;
}
static int teardown(void **state)
{
    (void)state;
    fake_end();
    return 0;
}

/* A condition: the word at `address` is at least `least`. */
struct least {
    uintptr_t address;
    uint64_t least;
    int asked;
};
static bool is_least(struct fold_rank *r, void *arg)
{
    struct least *l = arg;
    uint64_t v;
    fold_read(r, l->address, &v, sizeof v);
    l->asked++;
    return v >= l->least;
}
static struct least least;
static void wait_least(struct fold_rank *r, uint64_t value)
{
    struct engine_reason why = {.what = "wait_until"};
    least = (struct least){heap_at(r->id, 64), value, 0};
    rma_wait(r, &(struct rma_condition){is_least, &least, least.address, least.address + 8}, &why);
}

static void put_word(struct rma_ctx *c, size_t offset, uint64_t value)
{
    rma_put(c, 1, heap_at(1, offset), &value, sizeof value, RMA_BLOCKING, "put");
}

static void sender(struct fold_rank *r)
{
    struct rma_ctx *c = rma_ctx_create(r);
    put_word(c, 128, 5); /* elsewhere: not asked again */
    put_word(c, 64, 1);  /* too small: asked, not woken */
    put_word(c, 72, 9);
    put_word(c, 56, 9);
    put_word(c, 64, 2); /* issued at 5 x 0.108 */
    put_word(c, 64, 3);
}
static void receiver(struct fold_rank *r)
{
    wait_least(r, 2);
    assert_true(fabs(fake_now() - (0.54 + 1.008) * US) < 1e-12);
    assert_int_equal(least.asked, 3);
    wait_least(r, 2); /* true at once */
    assert_true(fabs(fake_now() - (0.54 + 1.008 + 0.025) * US) < 1e-12);
    assert_int_equal(least.asked, 1);
    rma_poll(r);
    assert_true(fabs(fake_now() - (0.54 + 1.008 + 0.05) * US) < 1e-12);
}
static void waiter_is_woken_when_its_condition_holds(void **state)
{
    (void)state;
    fake.body[0] = sender;
    fake.body[1] = receiver;
    assert_int_equal(fake_run(), ENGINE_ALL_DONE);
}

static void adder(struct fold_rank *r)
{
    struct rma_ctx *c = rma_ctx_create(r);
    for (int k = 0; k < 10; k++)
        rma_atomic_post(c, 1, heap_at(1, 64), &(struct rma_atomic_args){RMA_ADD, 8, 1, 0}, "add");
}
static void wait_30(struct fold_rank *r)
{
    wait_least(r, 30);
    assert_int_equal(least.asked, 31);
}
static void atomics_wake_too(void **state)
{
    (void)state;
    fake.body[0] = fake.body[2] = fake.body[3] = adder;
    fake.body[1] = wait_30;
    assert_int_equal(fake_run(), ENGINE_ALL_DONE);
}

static void toucher(struct fold_rank *r)
{
    uint64_t v = 7;
    engine_sleep(r->engine, 3 * US);
    rma_deliver(&fake.rank[1], heap_at(1, 64), &v, sizeof v);
    engine_sleep(r->engine, 3 * US);
    v = 8;
    fold_write(&fake.rank[1], heap_at(1, 64), &v, sizeof v);
    rma_touched(&fake.rank[1], heap_at(1, 60), 8);
}
static void wait_touched(struct fold_rank *r)
{
    wait_least(r, 7);
    assert_true(fabs(fake_now() - 3 * US) < 1e-12);
    wait_least(r, 8);
    assert_true(fabs(fake_now() - 6 * US) < 1e-12);
}
static void other_modules_wake_by_delivering_and_touching(void **state)
{
    (void)state;
    fake.body[0] = toucher;
    fake.body[1] = wait_touched;
    assert_int_equal(fake_run(), ENGINE_ALL_DONE);
}

static uint64_t number(void *owner)
{
    return ((struct fold_rank *)owner)->id;
}
static void wait_forever(struct fold_rank *r)
{
    wait_least(r, 1);
}
static void waiting_for_nothing_is_a_deadlock(void **state)
{
    (void)state;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fake.body[1] = wait_forever;
    assert_int_equal(fake_run(), ENGINE_DEADLOCK);
    engine_deadlock_report(fake.engine, out, "rank", number);
    fclose(out);
    if (!strstr(text, "wait_until"))
        fail_msg("the report does not name the call: %s", text);
    free(text);
}

static void poller(struct fold_rank *r)
{
    int asked = 0;
    uint64_t v = 0;
    for (; !v; asked++) {
        rma_poll(r);
        fold_read(r, heap_at(1, 64), &v, sizeof v);
    }
    assert_int_equal(asked, 45); /* at 1.116 us, every 25 ns */
}
static void late_sender(struct fold_rank *r)
{
    struct rma_ctx *c = rma_ctx_create(r);
    put_word(c, 64, 1);
}
static void a_loop_that_polls_lets_time_go_on(void **state)
{
    (void)state;
    fake.body[0] = late_sender;
    fake.body[1] = poller;
    assert_int_equal(fake_run(), ENGINE_ALL_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(waiter_is_woken_when_its_condition_holds, setup, teardown),
        cmocka_unit_test_setup_teardown(waiter_is_woken_when_its_condition_holds, setup_exchanged, teardown),
        cmocka_unit_test_setup_teardown(atomics_wake_too, setup, teardown),
        cmocka_unit_test_setup_teardown(other_modules_wake_by_delivering_and_touching, setup, teardown),
        cmocka_unit_test_setup_teardown(waiting_for_nothing_is_a_deadlock, setup, teardown),
        cmocka_unit_test_setup_teardown(a_loop_that_polls_lets_time_go_on, setup, teardown),
        cmocka_unit_test_setup_teardown(a_loop_that_polls_lets_time_go_on, setup_exchanged, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
