/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that meet a link or a host that is off: who is told, and of what; nothing of them takes effect any more, and
 * those of others go on. The links are `ab` (0) and `bc` (1); ranks 0, 1 and 2 are on hosts a, b and c. */
#include "rma/fake_fold.h"

#define US 1e-6
enum { LARGE = 100000 };
static unsigned char block[LARGE];

static int setup(void **state)
{
    (void)state;
    fake_begin(false);
    return 0;
}
static int teardown(void **state)
{
    (void)state;
    fake_end();
    return 0;
}

/* Something happens at a time, in an event. */
static struct {
    struct engine_event event;
    bool host;
    uint32_t id;
} failing;

static void fails(struct engine *e, struct engine_event *ev)
{
    (void)e, (void)ev;
    (failing.host ? fabric_host_fails : fabric_link_fails)(fake.fabric, failing.id);
}

static void plan_failure(double us, bool host, uint32_t id)
{
    failing.host = host;
    failing.id = id;
    engine_event_init(&failing.event, fails);
    engine_event_at(fake.engine, &failing.event, us * US);
}

static void put_over_ab(struct fold_rank *r)
{
    struct rma_ctx *c = rma_ctx_create(r);
    memset(block, 1, sizeof block);
    rma_put(c, 1, (uintptr_t)fake.heap[1], block, sizeof block, RMA_NONBLOCKING, "put");
    engine_sleep(fake.engine, 200 * US);
}
static void get_over_bc(struct fold_rank *r)
{
    static unsigned char here[64];
    struct rma_ctx *c = rma_ctx_create(r);
    rma_get(c, 1, (uintptr_t)fake.heap[1] + LARGE, here, sizeof here, RMA_BLOCKING, "get");
    assert_true(engine_now(fake.engine) < 6 * US);
}

/* Here nobody ends the rank: it waits for its put at its end. */
static void a_put_over_a_cut_link(void **state)
{
    (void)state;
    fake.body[0] = put_over_ab;
    fake.body[2] = get_over_bc;
    plan_failure(50, false, 0);
    assert_int_equal(fake_run(), ENGINE_DEADLOCK);
    assert_string_equal(fake.error, "rank 0: put of 100000 bytes to rank 1 (host b): link ab failed");
    for (size_t k = 0; k < LARGE; k++)
        assert_int_equal(fake.heap[1][k], 0);
}

static void fetch_from_b(struct fold_rank *r)
{
    static unsigned char here[64];
    struct rma_ctx *c = rma_ctx_create(r);
    rma_get(c, 1, (uintptr_t)fake.heap[1], here, sizeof here, RMA_BLOCKING, "get");
    fail_msg("a get from a dead host came back");
}

/* Who waits for it waits for ever, if fold does not end it. */
static void a_get_from_a_dead_host(void **state)
{
    (void)state;
    fake.body[0] = fetch_from_b;
    plan_failure(1.3, true, 1);
    assert_int_equal(fake_run(), ENGINE_DEADLOCK);
    assert_string_equal(fake.error, "rank 0: get of 64 bytes to rank 1 (host b): host b failed");
}

static void a_get_over_a_link_that_is_off(void **state)
{
    (void)state;
    fake.body[0] = fetch_from_b;
    plan_failure(0, false, 0);
    assert_int_equal(fake_run(), ENGINE_DEADLOCK);
    assert_string_equal(fake.error, "rank 0: get of 64 bytes to rank 1 (host b): link ab failed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_put_over_a_cut_link, setup, teardown),
        cmocka_unit_test_setup_teardown(a_get_from_a_dead_host, setup, teardown),
        cmocka_unit_test_setup_teardown(a_get_over_a_link_that_is_off, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
