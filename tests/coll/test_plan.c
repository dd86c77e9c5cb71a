/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plans: every operation by every algorithm, started several times with other contents, gives what fresh
 * starts give, at the same times to the last bit, over both transports; several plans of one group under way;
 * starts allocate nothing; a plan outlives what its group's owner keeps.
 */
#include "coll/every.h"
#include "coll/waiter.h"

#include <malloc.h>

enum { RANKS = 13, TIMES = 3 };
static uint32_t members;
static bool planned, two_sided;
static double ended[2][RANKS][TIMES][COLL_OPS];

static const struct coll_transport *transport(void)
{
    return two_sided ? stage_two_sided() : coll_put_transport(stage_puts);
}

static struct coll_call call_of(const struct rank *r, enum coll_op op)
{
    struct coll_call c = every_call(r, members, op);
    c.transport = transport();
    return c;
}

/* --- one after the other ---------------------------------------------------------------------------- */

static void start_one(struct rank *r, struct coll_plan *p, const struct coll_call *call)
{
    struct waiter w = {.engine = r->engine, .open = 1};
    if (planned)
        coll_plan_start(p, one_done, &w);
    else
        coll_start(r, call, one_done, &w);
    await(r, &w);
}

/* The contents change between the starts. All ranks check their results before any goes on. */
static void every_operation(struct rank *r)
{
    struct coll_plan *plan[COLL_OPS];
    struct coll_call call[COLL_OPS];
    for (int op = 0; op < COLL_OPS; op++) {
        call[op] = call_of(r, (enum coll_op)op);
        plan[op] = planned ? coll_plan_create(r, &call[op]) : NULL;
    }
    for (unsigned k = 0; k < TIMES; k++) {
        every_shift = 100 * k;
        every_fill(r);
        memset(stage.heap[r->id] + EVERY_AREA, 0x5a, EVERY_BYTES - EVERY_AREA);
        engine_sleep(r->engine, 1e-6 * (double)((r->id + k) % 4));
        for (int op = 0; op < COLL_OPS; op++) {
            start_one(r, plan[op], &call[op]);
            ended[planned][r->id][k][op] = engine_now(r->engine);
        }
        engine_sleep_until(r->engine, 1e-2 * (k + 1)); /* until all are through */
        for (int op = 0; op < COLL_OPS; op++)
            every_expect(r->id, members, (enum coll_op)op);
        engine_sleep_until(r->engine, 1e-2 * (k + 1) + 1e-3);
    }
    for (int op = 0; op < COLL_OPS && planned; op++)
        coll_plan_free(plan[op]);
}

static void run(const struct coll_algorithm_info *a, uint32_t n)
{
    char key[32];
    snprintf(key, sizeof key, "coll/%s", coll_op_name(a->op));
    members = n;
    every_shift = 0;
    every_adds = a->op == COLL_REDUCE && !strcmp(a->name, "ring"); /* it does not keep the order of place */
    every_prepare(n);
    stage_prepare(n, EVERY_BYTES);
    ranks_setting(&stage, key, a->name);
    ranks_setting(&stage, "coll/segment", "16");
    ranks_setting(&stage, "smpi/ois", "0:1us:1ns");
    ranks_setting(&stage, "smpi/or", "0:2us:1ns");
    ranks_setting(&stage, "smpi/send-is-detached-thresh", "41");
    ranks_setting(&stage, "rdma/buffered-limit", "41");
    stage_begin(platform_default(64), 3);
    if (stage_run(every_operation) != ENGINE_ALL_DONE)
        fail_msg("%s by %s: %s", coll_op_name(a->op), a->name, stage.report);
    ranks_end(&stage);
}

static void test_every(void **state)
{
    size_t n;
    const struct coll_algorithm_info *a = coll_algorithms(&n);
    (void)state;
    for (size_t k = 0; k < n; k++)
        for (int way = 0; way < 2; way++) {
            uint32_t size = (k + (size_t)way) % 2 ? RANKS : 8;
            two_sided = way;
            planned = false;
            memset(ended, 0, sizeof ended);
            run(&a[k], size);
            planned = true;
            run(&a[k], size);
            const double *fresh = ended[0][0][0], *by_plan = ended[1][0][0];
            for (size_t i = 0; i < sizeof ended[0] / sizeof *fresh; i++)
                if (fresh[i] != by_plan[i])
                    fail_msg("%s by %s: a plan takes another time", coll_op_name(a[k].op), a[k].name);
        }
}

/* --- several at once -------------------------------------------------------------------------------- */

/* All plans of one group, started together, in the same order at all members, twice. */
static void all_at_once(struct rank *r)
{
    struct coll_plan *plan[COLL_OPS];
    for (int op = 0; op < COLL_OPS; op++) {
        struct coll_call call = call_of(r, (enum coll_op)op);
        plan[op] = coll_plan_create(r, &call);
        memset(&call, 0x5a, sizeof call); /* the plan has its own */
    }
    every_fill(r);
    for (int k = 0; k < 2; k++) {
        struct waiter w = {.engine = r->engine, .open = COLL_OPS};
        for (int op = COLL_OPS; op-- > 0;)
            coll_plan_start(plan[op], one_done, &w);
        await(r, &w);
    }
    for (int op = 0; op < COLL_OPS; op++)
        coll_plan_free(plan[op]);
}

static void prepare(uint32_t n)
{
    members = n;
    every_shift = 0;
    every_adds = false;
    every_prepare(n);
    stage_prepare(n, EVERY_BYTES);
    stage_begin(platform_default(64), 3);
}

static void test_at_once(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        two_sided = way;
        prepare(RANKS);
        if (stage_run(all_at_once) != ENGINE_ALL_DONE)
            fail_msg("%s", stage.report);
        for (uint32_t r = 0; r < RANKS; r++)
            for (int op = 0; op < COLL_OPS; op++)
                every_expect(r, RANKS, (enum coll_op)op);
        ranks_end(&stage);
    }
}

/* --- memory ----------------------------------------------------------------------------------------- */

static size_t allocated[2];

static void many_starts(struct rank *r)
{
    struct coll_call call = call_of(r, COLL_ALLTOALL);
    struct coll_plan *p = coll_plan_create(r, &call);
    planned = true;
    for (int k = 0; k < 120; k++) {
        start_one(r, p, &call);
        if (r->id == 0 && k == 19)
            allocated[0] = mallinfo2().uordblks;
    }
    if (r->id == 0)
        allocated[1] = mallinfo2().uordblks;
    engine_sleep_until(r->engine, 1);
    coll_plan_free(p);
}

static void test_memory(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        two_sided = way;
        prepare(RANKS);
        assert_int_equal(stage_run(many_starts), ENGINE_ALL_DONE);
        assert_int_equal(allocated[0], allocated[1]);
        ranks_end(&stage);
    }
}

/* --- groups ------------------------------------------------------------------------------------------ */

/* The group's owner gives it up between the starts; its list is then the plan's alone. */
static void start_forgotten(struct rank *r)
{
    static const uint32_t ranks[] = {2, 0, 3, 1};
    enum { N = BASE_LENGTH(ranks) };
    struct coll_group g = coll_group_of(7, ranks, N);
    uint64_t *mine = (uint64_t *)(void *)stage.heap[r->id], *all = mine + 1;
    struct coll_call call = {.name = "gather",
                             .op = COLL_FCOLLECT,
                             .me = coll_group_place(&g, r->id),
                             .source = mine,
                             .dest = all,
                             .bytes = sizeof *mine,
                             .element = 1,
                             .group = g,
                             .transport = transport()};
    struct coll_plan *p = coll_plan_create(r, &call);
    planned = true;
    for (unsigned k = 0; k < TIMES; k++) {
        *mine = 100 * k + r->id;
        start_one(r, p, &call);
        for (uint32_t place = 0; place < N; place++)
            assert_int_equal(all[place], 100 * k + ranks[place]);
        engine_sleep_until(r->engine, 1e-2 * (k + 1));
        assert_int_equal(coll_counts(r->job).groups, 1);
        engine_sleep_until(r->engine, 1e-2 * (k + 1) + 1e-3);
        if (k > 0)
            continue;
        if (r->id == 0)
            coll_forget(r->job, &g);
        coll_group_release(&g);
        engine_sleep_until(r->engine, 1e-2 * (k + 1) + 2e-3);
        assert_int_equal(coll_counts(r->job).groups, 0);
        engine_sleep_until(r->engine, 1e-2 * (k + 1) + 3e-3);
    }
    coll_plan_free(p);
}

static void test_forgotten(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        two_sided = way;
        prepare(4);
        assert_int_equal(stage_run(start_forgotten), ENGINE_ALL_DONE);
        ranks_end(&stage);
    }
}

/* --- ends ------------------------------------------------------------------------------------------- */

/* A job may end with plans, of which one is under way. */
static void never_ends(struct rank *r)
{
    struct waiter w = {.engine = r->engine, .open = 1};
    struct coll_call call = call_of(r, COLL_ALLTOALL);
    struct coll_plan *p = coll_plan_create(r, &call);
    coll_plan_create(r, &call);
    if (r->id)
        coll_plan_start(p, one_done, &w);
    if (r->id)
        await(r, &w);
}

static void test_left_over(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        two_sided = way;
        prepare(4);
        assert_int_equal(stage_run(never_ends), ENGINE_DEADLOCK);
        ranks_end(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every),     cmocka_unit_test(test_at_once),   cmocka_unit_test(test_memory),
        cmocka_unit_test(test_forgotten), cmocka_unit_test(test_left_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
