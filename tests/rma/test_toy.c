/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A toy front end, the shortest that is whole: three calls, toy_init, toy_put and toy_finalize, on ranks that
 * are plain C functions. It shows what any front end does (docs/first-change.md): it keeps its part of a rank
 * in a slot, registers what its names are for traces, opens and closes each call, checks what the program
 * gave it, and leaves bytes, order and time to rma/. No lower module knows of it.
 */
#include "rma/stage.h"

/* --- the front end ---------------------------------------------------------------------------------- */

/* One array of numbers at each rank, which the others put into. */
struct toy_rank {
    struct rma_ctx *ctx; /* NULL: not initialized */
    uintptr_t array;     /* in the rank's own terms */
    size_t n;
};
static struct rank_slot toy_slot;
static uint32_t initialized; /* ranks so far */

static const struct trace_call toy_calls[] = {
    {"toy_finalize", TRACE_KIND_SETUP, 0}, {"toy_init", TRACE_KIND_SETUP, 0}, {"toy_put", TRACE_KIND_PUT, 0}};

static struct toy_rank *toy_of(struct rank *r, const char *call)
{
    struct toy_rank *self = rank_slot(r, &toy_slot);
    if (!self->ctx)
        rank_program_error(r, call, "called before toy_init");
    return self;
}

static void toy_init(uintptr_t array, size_t n)
{
    struct rank *r = rank_enter("toy_init");
    *(struct toy_rank *)rank_slot(r, &toy_slot) = (struct toy_rank){stage_ctx(r), array, n};
    rank_api_opened(r);
    initialized++;
    rank_leave(r, "toy_init");
}

/* Puts one number into the array of another rank. It is there after toy_finalize of the caller. */
static void toy_put(size_t place, double value, uint32_t rank)
{
    static const char call[] = "toy_put";
    struct rank *r = rank_enter_issue(call);
    const struct toy_rank *self = toy_of(r, call);
    if (rank >= rank_count(r->job))
        rank_program_error(r, call, "rank %u: there are %u", rank, rank_count(r->job));
    struct rank *to = rank_at(r->job, rank);
    const struct toy_rank *there = toy_of(to, call);
    if (place >= there->n)
        rank_program_error(r, call, "place %zu of rank %u: its array has %zu", place, rank, there->n);
    rma_put(self->ctx, (struct rma_target){to, there->array + place * sizeof value, 0}, &value, sizeof value,
            RMA_BLOCKING, call);
    rank_leave(r, call);
}

static void toy_finalize(void)
{
    struct rank *r = rank_enter("toy_finalize");
    struct toy_rank *self = toy_of(r, "toy_finalize");
    rma_ctx_destroy(self->ctx);
    self->ctx = NULL;
    rank_api_closed(r);
    rank_leave(r, "toy_finalize");
}

static void toy_job_begin(struct rank_job *job)
{
    (void)job;
    initialized = 0;
}

static void toy_register(void)
{
    static const struct rank_front front = {"toy", toy_job_begin, NULL, NULL};
    rank_slot_register(&toy_slot, sizeof(struct toy_rank));
    trace_calls_register(toy_calls, BASE_LENGTH(toy_calls));
    rank_front_register(&front);
}

/* --- programs that use it ----------------------------------------------------------------------------- */

static int setup(void **state)
{
    toy_register(); /* as all modules: before the first job */
    return stage_setup(state);
}

/* All ranks are initialized before one puts: the toy has no barrier, so time has to do. */
static void neighbours(struct rank *r)
{
    toy_init(ranks_heap_at(r->id, 0), 8);
    engine_sleep(r->engine, 10 * US);
    for (size_t place = 0; place < 4; place++)
        toy_put(place, 100.0 * r->id + (double)place, (r->id + 1) % STAGE_RANKS);
    toy_finalize();
}

static void numbers_reach_the_next_rank(void **state)
{
    (void)state;
    stage.all = neighbours;
    assert_int_equal(ranks_run(&stage), ENGINE_ALL_DONE);
    assert_int_equal(initialized, STAGE_RANKS);
    for (uint32_t k = 0; k < STAGE_RANKS; k++)
        for (size_t place = 0; place < 4; place++) {
            double got, expected = 100.0 * ((k + STAGE_RANKS - 1) % STAGE_RANKS) + (double)place;
            memcpy(&got, stage.heap[k] + place * sizeof got, sizeof got);
            assert_true(got == expected);
        }
    /* From rank 2 on c to rank 3 on a: four issues of 108 ns, 3 us and 8 bytes at 1 GB/s, 3.01 us until
     * known. */
    assert_true(fabs(engine_now(stage.engine) - (10 + 4 * 0.108 + 3.008 + 3.01) * US) < 1e-12);
}

static void far_away(struct rank *r)
{
    toy_init(ranks_heap_at(r->id, 0), 8);
    engine_sleep(r->engine, 10 * US);
    toy_put(8, 1, 1);
}

static void a_wrong_place_is_reported(void **state)
{
    (void)state;
    stage.body[1] = neighbours;
    stage.body[0] = far_away;
    assert_int_equal(ranks_run(&stage), ENGINE_STOPPED);
    assert_int_equal(stage.status, BASE_EXIT_PROGRAM);
    assert_non_null(
        strstr(stage.report, "rank 0 (host a) at 10.00 us: toy_put: place 8 of rank 1: its array has 8"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_reach_the_next_rank, setup, stage_teardown),
        cmocka_unit_test_setup_teardown(a_wrong_place_is_reported, setup, stage_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
