/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups with numbers: one that was forgotten may come again as another, one in which a collective still
 * runs is kept. The halves of a call. What is counted.
 */
#include "coll/stage.h"

#include <malloc.h>

enum { RANKS = 6, FEW = 3, NUMBER = 7 };

static void collect_bytes(struct rank *r, uint32_t size)
{
    struct coll_call call = {.name = "fcollect",
                             .op = COLL_FCOLLECT,
                             .group = {0, 1, size, NUMBER, NULL},
                             .me = r->id,
                             .source = stage_at(r, 0),
                             .dest = stage_at(r, 8),
                             .bytes = 1,
                             .element = 1};
    stage.heap[r->id][0] = (unsigned char)(10 * size + r->id);
    stage_call(r, &call);
    for (uint32_t p = 0; p < size; p++)
        assert_int_equal(stage.heap[r->id][8 + p], 10 * size + p);
}

static void run_all(ranks_body_fn body)
{
    stage_prepare(RANKS, 4096);
    stage_begin(platform_default(RANKS), 1);
    if (stage_run(body) != ENGINE_ALL_DONE)
        fail_msg("%s", stage.report);
    ranks_end(&stage);
}

static const struct coll_group few = {0, 1, FEW, NUMBER, NULL};
static void grows(struct rank *r)
{
    if (r->id < FEW)
        collect_bytes(r, FEW);
    engine_sleep_until(r->engine, 1e-3);
    if (r->id == 0)
        coll_forget(r->job, &few);
    engine_sleep_until(r->engine, 2e-3);
    collect_bytes(r, RANKS);
    collect_bytes(r, RANKS);
}
static void a_forgotten_number_is_free(void **state)
{
    (void)state;
    run_all(grows);
    assert_int_equal(stage_counts.calls, FEW + 2 * RANKS);
}

static void forgets_too_early(struct rank *r)
{
    if (r->id >= FEW)
        return;
    engine_sleep_until(r->engine, 1e-3 * r->id);
    if (r->id == 1)
        coll_forget(r->job, &few); /* rank 0 is in it */
    collect_bytes(r, FEW);
    engine_sleep_until(r->engine, 1);
    if (r->id == 2)
        coll_forget(r->job, &few);
    coll_forget(r->job, &few); /* nobody knows it any more */
    collect_bytes(r, FEW);
}
static void a_running_group_is_kept(void **state)
{
    (void)state;
    run_all(forgets_too_early);
    assert_int_equal(stage_counts.calls, 2 * FEW);
}

/* --- the halves of a call ------------------------------------------------------------------------- */

/* Rank 0 enters and looks at other things before it waits; the others' messages come meanwhile. */
static void enters_early(struct rank *r)
{
    struct coll_call call = {.name = "fcollect",
                             .op = COLL_FCOLLECT,
                             .group = {0, 1, RANKS, NUMBER, NULL},
                             .me = r->id,
                             .transport = coll_put_transport(stage_puts),
                             .source = stage_at(r, 0),
                             .dest = stage_at(r, 8),
                             .bytes = 1,
                             .element = 1};
    stage.heap[r->id][0] = (unsigned char)(1 + r->id);
    struct coll_member *m = coll_enter(r, &call);
    if (r->id == 0)
        engine_sleep_until(r->engine, 1);
    coll_await(m);
    for (uint32_t p = 0; p < RANKS; p++)
        assert_int_equal(stage.heap[r->id][8 + p], 1 + p);
}
/* Whatever was in the memory that the job gets (sanitizers fill it themselves). */
static void messages_come_between_enter_and_await(void **state)
{
    (void)state;
    mallopt(M_PERTURB, 0x5a);
    run_all(enters_early);
    mallopt(M_PERTURB, 0);
    assert_int_equal(stage_counts.calls, RANKS);
}

/* --- counts --------------------------------------------------------------------------------------- */

enum { PART = 1000 };
static void broadcasts(struct rank *r)
{
    stage_call(r, &(struct coll_call){.name = "broadcast",
                                      .op = COLL_BROADCAST,
                                      .group = {0, 1, RANKS, 0, NULL},
                                      .me = r->id,
                                      .source = stage_at(r, 0),
                                      .dest = stage_at(r, PART),
                                      .bytes = PART,
                                      .element = 1,
                                      .root = 1});
}
static void calls_messages_and_bytes_are_counted(void **state)
{
    (void)state;
    stage_prepare(RANKS, 4096);
    ranks_setting(&stage, "coll/broadcast", "linear");
    stage_begin(platform_default(RANKS), 1);
    assert_int_equal(stage_run(broadcasts), ENGINE_ALL_DONE);
    ranks_end(&stage);
    assert_int_equal(stage_counts.calls, RANKS);
    assert_int_equal(stage_counts.messages, RANKS - 1);
    assert_int_equal(stage_counts.bytes, (RANKS - 1) * PART);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_forgotten_number_is_free),
        cmocka_unit_test(a_running_group_is_kept),
        cmocka_unit_test(messages_come_between_enter_and_await),
        cmocka_unit_test(calls_messages_and_bytes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
