/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of ranks: where addresses say, or somewhere else; the frames of ranks that share a stack and
 * wait. */
#include "rank/stage.h"

#if defined(__SANITIZE_ADDRESS__)
#define SHARED_POSSIBLE false /* engine_lodge_open */
#else
#define SHARED_POSSIBLE true
#endif

/* --- tables ------------------------------------------------------------------------------------------ */

static void reads_and_writes(struct rank *r)
{
    char got[6] = "";
    struct rank *other = rank_at(r->job, 1);
    uintptr_t heap = ranks_heap_at(1, 100), statics = ranks_statics_at(1, 100);
    memcpy(stage.heap[1] + 100, "heap!", 6);
    memcpy(stage.statics[1] + 100, "stat!", 6);
    rank_read(other, heap, got, 6);
    assert_string_equal(got, "heap!");
    rank_read(other, statics, got, 6);
    assert_string_equal(got, "stat!");
    rank_write(other, heap, "there", 6);
    assert_string_equal((char *)stage.heap[1] + 100, "there");
    assert_int_equal(stage.heap[0][100], 0);
    if (stage.exchanged) {
        assert_null(rank_direct(other, heap, 6));
        assert_null(rank_direct(other, statics, 6));
    } else {
        assert_ptr_equal(rank_direct(other, heap, 6), stage.heap[1] + 100);
    }
    assert_ptr_equal(rank_share(other, heap, 6), stage.heap[1] + 100);
}
static void tables_say_where_bytes_are(void **state)
{
    (void)state;
    for (int exchanged = 0; exchanged < 2; exchanged++) {
        stage_prepare(2);
        stage.exchanged = exchanged;
        stage_begin();
        stage.body[0] = reads_and_writes;
        stage_run(0);
        stage_close();
    }
}

static const struct rank_object objects[] = {{"grid", 0, 0, 64}, {"table", 0, 256, 64}};
static void names_of_a_providers_memory(void **state)
{
    struct rank_object o;
    char name[32];
    static const struct rank_provider nameless = {"nameless", &rank_memory_plain, &ranks_life, NULL, NULL};
    (void)state;
    stage_prepare(2);
    stage.objects = objects;
    stage.n_objects = 2;
    stage_begin();
    const struct rank *r = rank_at(stage.job, 1);
    assert_int_equal(rank_span_count(r), 1);
    assert_true(rank_span_of(r, 0).base == (uintptr_t)stage.statics[1]);
    assert_int_equal(rank_span_of(r, 0).size, stage.bytes);
    assert_true(rank_object_find(r, 0, 300, &o));
    assert_string_equal(o.name, "table");
    assert_true(rank_static_name(r, ranks_statics_at(1, 5), name, sizeof name));
    assert_string_equal(name, "'grid'");
    rank_job_supply(stage.job, &nameless, 1, 1);
    assert_int_equal(rank_span_count(r), 0);
    assert_false(rank_object_find(r, 0, 300, &o));
    assert_false(rank_static_name(r, ranks_statics_at(1, 5), name, sizeof name));
    assert_int_equal(rank_code_of(r, names_of_a_providers_memory).object, 0);
    assert_int_equal(rank_code_caller(r).object, 0);
    assert_string_equal(rank_code_name(r, (struct rank_code){1, 2}, name, sizeof name), "");
    stage_close();
}

/* --- shared stacks ------------------------------------------------------------------------------------- */

static uintptr_t variable; /* on rank 0's stack */
static struct engine_actor *waiter;

static void waits_with_a_variable(struct rank *r)
{
    static const struct engine_reason why = {"signal", NULL, NULL};
    volatile uint64_t value = 41;
    variable = (uintptr_t)&value;
    waiter = r->actor;
    assert_ptr_equal(rank_direct(r, variable, 8), &value); /* while it runs */
    engine_block(r->engine, &why);
    assert_int_equal(value, 43);
}
static void reaches_for_it(struct rank *r)
{
    struct rank *other = rank_at(r->job, 0);
    uint64_t value = 0, more = 43;
    rank_read(other, variable, &value, 8);
    assert_int_equal(value, 41);
    const uint64_t *there = rank_direct(other, variable, 8);
    assert_int_equal(*there, 41);
    assert_int_equal((uintptr_t)there == variable, !rank_stacks_shared(r->job));
    rank_write(other, variable, &more, 8);
    engine_wake(r->engine, waiter);
}

static bool has_threads;
static bool makes_threads(const struct rank_job *job)
{
    assert_ptr_equal(job, stage.job);
    return has_threads;
}
static const struct rank_life threads_life = {
    .job_begin = ranks_job_begin, .run = ranks_main, .makes_threads = makes_threads};
static const struct rank_provider threads = {"threads", &rank_memory_plain, &threads_life, NULL, NULL};

static void expect_shared(const char *how, const char *from, bool with_threads, bool shared)
{
    stage_prepare(4);
    stage.provider = &threads;
    has_threads = with_threads;
    ranks_setting(&stage, "fold/stacks", how);
    if (from)
        ranks_setting(&stage, "fold/shared-stack-ranks", from);
    stage_begin();
    stage.body[0] = waits_with_a_variable;
    stage.body[1] = reaches_for_it;
    stage_run(0);
    assert_int_equal(rank_stacks_shared(stage.job), shared && SHARED_POSSIBLE);
    assert_ptr_equal(rank_at(stage.job, 0)->memory,
                     shared && SHARED_POSSIBLE ? &rank_memory_native : &rank_memory_plain);
    stage_close();
}

static void ranks_share_a_stack_when_told(void **state)
{
    (void)state;
    expect_shared("own", "1", false, false);
    expect_shared("shared", NULL, false, true);
    expect_shared("auto", NULL, false, false);
    expect_shared("auto", "4", false, true);
    expect_shared("auto", "5", false, false);
    assert_false(base_warn_again("fold/stacks"));
    expect_shared("auto", "4", true, false); /* nobody asked */
    assert_false(base_warn_again("fold/stacks"));
    expect_shared("shared", NULL, true, false);
    assert_true(base_warn_again("fold/stacks"));
}

/* The first rank that waits decides, by its frames; the others then lodge, or keep stacks of their own. */
static void *frames[4]; /* where each rank's are */
static void waits_here(struct rank *r, char *frame)
{
    static const struct engine_reason why = {"signal", NULL, NULL};
    frames[r->id] = frame;
    if (r->id == 3)
        for (uint32_t k = 0; k < 3; k++)
            engine_wake(r->engine, rank_at(r->job, k)->actor);
    else
        engine_block(r->engine, &why);
    assert_int_equal(*frame, 'a' + (char)r->id);
}
static void waits_shallow(struct rank *r)
{
    char frame = (char)('a' + r->id);
    waits_here(r, &frame);
}
static void waits_deep(struct rank *r)
{
    char frame[5000];
    frame[0] = (char)('a' + r->id);
    waits_here(r, frame);
}

static void expect_decided(void (*first)(struct rank *r), const char *from, bool shared)
{
    stage_prepare(4);
    stage.provider = &threads;
    has_threads = false;
    ranks_setting(&stage, "fold/stacks", "auto");
    ranks_setting(&stage, "fold/shallow-stack-ranks", from);
    stage_begin();
    stage.body[0] = first;
    for (uint32_t k = 1; k < 4; k++)
        stage.body[k] = waits_shallow;
    stage_run(0);
    shared = shared && SHARED_POSSIBLE;
    assert_int_equal(rank_stacks_shared(stage.job), shared);
    assert_ptr_equal(rank_at(stage.job, 3)->memory, shared ? &rank_memory_native : &rank_memory_plain);
    assert_ptr_not_equal(frames[0], frames[1]);
    assert_int_equal(frames[1] == frames[2] && frames[2] == frames[3], shared);
    stage_close();
}

static void the_first_wait_decides(void **state)
{
    (void)state;
    expect_decided(waits_shallow, "4", true);
    expect_decided(waits_deep, "4", false);
    expect_decided(waits_shallow, "5", false);
}

static void unknown_ways_are_refused(void **state)
{
    (void)state;
    stage_refuses("fold/stacks", "both", "setting fold/stacks: 'both'; expected auto, own or shared");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_say_where_bytes_are),    cmocka_unit_test(names_of_a_providers_memory),
        cmocka_unit_test(ranks_share_a_stack_when_told), cmocka_unit_test(the_first_wait_decides),
        cmocka_unit_test(unknown_ways_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
