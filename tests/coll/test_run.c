/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * coll_run over the real engine and fabric: results in both ways of private memory, the time of a barrier by
 * hand, one switch per call, repeatable runs, and the reports of a deadlock and of a mismatch.
 */
#include "coll/stage.h"

enum { RANKS = 13, PER_HOST = 4, WORDS = 6, CALLS = COLL_EXSCAN + 1 };

/* --- results ------------------------------------------------------------------------------------ */

/* Memory of a rank: WORDS words of source for each member, then room for the results of each call. */
static uint64_t *words(uint32_t rank, size_t at)
{
    return (uint64_t *)(void *)(stage.heap[rank] + 8 * at);
}
static size_t result_at(unsigned call)
{
    return (size_t)RANKS * WORDS * (1 + call);
}
static uint64_t value(uint32_t rank, size_t k)
{
    return 1000 * (uint64_t)rank + k;
}

static struct coll_call call_of(const struct rank *r, enum coll_op op, size_t n_words)
{
    return (struct coll_call){.name = coll_op_name(op),
                              .op = op,
                              .group = {0, 1, RANKS, 0, NULL},
                              .me = r->id,
                              .source = stage_at(r, 0),
                              .dest = stage_at(r, 8 * result_at(op)),
                              .bytes = 8 * n_words,
                              .element = 8,
                              .operator= {TYPES_SUM, TYPES_UINT64, false} };
}

static void all_operations(struct rank *r)
{
    for (size_t k = 0; k < (size_t)RANKS * WORDS; k++)
        *words(r->id, k) = value(r->id, k);
    for (int op = 0; op < CALLS; op++) {
        size_t n = op == COLL_COLLECT ? r->id % WORDS : WORDS;
        struct coll_call call = call_of(r, (enum coll_op)op, n);
        call.root = op == COLL_BROADCAST ? 2 : 0;
        stage_call(r, &call);
    }
}

static void expect_word(uint32_t rank, unsigned op, size_t k, uint64_t expected)
{
    uint64_t got = *words(rank, result_at(op) + k);
    if (got != expected)
        fail_msg("%s: word %zu at rank %u is %llu, expected %llu", coll_op_name((enum coll_op)op), k, rank,
                 (unsigned long long)got, (unsigned long long)expected);
}

static void expect_results(uint32_t rank)
{
    size_t collected = 0;
    for (uint32_t p = 0; p < RANKS; p++) {
        for (size_t k = 0; k < p % WORDS; k++)
            expect_word(rank, COLL_COLLECT, collected++, value(p, k));
        for (size_t k = 0; k < WORDS; k++) {
            expect_word(rank, COLL_FCOLLECT, p * WORDS + k, value(p, k));
            expect_word(rank, COLL_ALLTOALL, p * WORDS + k, value(p, rank * WORDS + k));
        }
    }
    for (size_t k = 0; k < WORDS; k++) {
        expect_word(rank, COLL_BROADCAST, k, value(2, k));
        expect_word(rank, COLL_INSCAN, k, 1000 * (rank * (rank + 1) / 2) + (rank + 1) * k);
        expect_word(rank, COLL_EXSCAN, k, rank ? 1000 * (rank * (rank - 1) / 2) + rank * k : 0);
        expect_word(rank, COLL_REDUCE, k, 1000 * (RANKS * (RANKS - 1) / 2) + RANKS * k);
    }
}

/* Every operation once, `op` by this algorithm; results must be right. */
static void run_with(enum coll_op op, const char *name)
{
    char key[32];
    snprintf(key, sizeof key, "coll/%s", coll_op_name(op));
    stage_prepare(RANKS, 8 * result_at(CALLS));
    ranks_setting(&stage, key, name);
    stage_begin(platform_default(4 * 64), PER_HOST);
    assert_int_equal(stage_run(all_operations), ENGINE_ALL_DONE);
    for (uint32_t p = 0; p < RANKS; p++)
        expect_results(p);
    assert_true(engine_switch_count(stage.engine) <= RANKS * (CALLS + 1) + 1);
    ranks_end(&stage);
}

static void test_algorithms(void **state)
{
    (void)state;
    size_t n;
    const struct coll_algorithm_info *info = coll_algorithms(&n);
    for (size_t k = 0; k < n; k++) {
        if ((unsigned)info[k].op >= CALLS)
            continue;
        print_message("%s by %s\n", coll_op_name(info[k].op), info[k].name);
        run_with(info[k].op, info[k].name);
    }
}

static void run_all(bool exchanged, const char *limit, uint64_t *events, double *end)
{
    stage_prepare(RANKS, 8 * result_at(CALLS));
    ranks_setting(&stage, "rdma/buffered-limit", limit);
    stage.exchanged = exchanged;
    stage_begin(platform_default(4 * 64), PER_HOST);
    assert_int_equal(stage_run(all_operations), ENGINE_ALL_DONE);
    for (uint32_t p = 0; p < RANKS; p++)
        expect_results(p);
    assert_int_equal(stage_counts.calls, RANKS * CALLS);
    *events = engine_event_count(stage.engine);
    *end = engine_now(stage.engine);
    /* Each rank is entered once at its start and at most once after each call. */
    assert_true(engine_switch_count(stage.engine) <= RANKS * (CALLS + 1) + 1);
    ranks_end(&stage);
}

static void test_results(void **state)
{
    (void)state;
    static const char *const limits[] = {"0", "40", "8KiB"};
    for (size_t k = 0; k < BASE_LENGTH(limits); k++) {
        uint64_t events[3];
        double end[3];
        run_all(false, limits[k], &events[0], &end[0]);
        run_all(false, limits[k], &events[1], &end[1]);
        run_all(true, limits[k], &events[2], &end[2]);
        for (int again = 1; again < 3; again++) {
            assert_int_equal(events[0], events[again]);
            assert_memory_equal(&end[0], &end[again], sizeof end[0]);
        }
    }
}

/* --- many members ------------------------------------------------------------------------------- */

enum { MANY = 5000, EACH = 4 };

static void barrier_and_sum(struct rank *r)
{
    struct coll_call barrier = {
        .name = "barrier", .op = COLL_BARRIER, .group = {0, 1, MANY, 0, NULL}, .me = r->id};
    struct coll_call sum = {.name = "sum",
                            .op = COLL_REDUCE,
                            .group = {0, 1, MANY, 0, NULL},
                            .me = r->id,
                            .source = stage_at(r, 0),
                            .dest = stage_at(r, 8),
                            .bytes = 8,
                            .element = 8,
                            .operator= {TYPES_SUM, TYPES_UINT64, false} };
    *words(r->id, 0) = r->id;
    for (int k = 0; k < EACH; k += 2) {
        stage_call(r, &barrier);
        stage_call(r, &sum);
    }
}

/* However many messages a collective takes, each rank sleeps once: it is entered at its start and after
 * each call. */
static void test_one_switch(void **state)
{
    (void)state;
    static const char *const names[] = {"auto", "binomial", "k-nomial", "hierarchical"};
    for (size_t k = 0; k < BASE_LENGTH(names); k++) {
        stage_prepare(MANY, 16);
        ranks_setting(&stage, "coll/barrier", names[k]);
        ranks_setting(&stage, "coll/reduce", names[k]);
        stage_begin(platform_default(MANY), 64);
        assert_int_equal(stage_run(barrier_and_sum), ENGINE_ALL_DONE);
        for (uint32_t p = 0; p < MANY; p++)
            assert_int_equal(*words(p, 1), (uint64_t)MANY * (MANY - 1) / 2);
        uint64_t switches = engine_switch_count(stage.engine), messages = stage_counts.messages;
        print_message("%s: %llu switches, %llu messages\n", names[k], (unsigned long long)switches,
                      (unsigned long long)messages);
        assert_true(switches <= (uint64_t)MANY * (EACH + 1) + 1);
        assert_true(messages >= (uint64_t)EACH * 2 * (MANY - 1));
        ranks_end(&stage);
    }
}

/* --- threads ------------------------------------------------------------------------------------- */

enum { ROUNDS = 20 };
static unsigned thread_ends;

/* A second thread of each rank: reductions of a group of its own, while the first makes barriers of all. */
static void thread_body(void *arg)
{
    struct rank *r = arg;
    struct coll_call sum = {.name = "sum",
                            .op = COLL_REDUCE,
                            .group = {0, 1, RANKS, 7, NULL},
                            .me = r->id,
                            .source = stage_at(r, 0),
                            .dest = stage_at(r, 8),
                            .bytes = 8,
                            .element = 8,
                            .operator= {TYPES_SUM, TYPES_UINT64, false} };
    for (uint64_t k = 0; k < ROUNDS; k++) {
        *words(r->id, 0) = r->id + k;
        stage_call(r, &sum);
        assert_int_equal(*words(r->id, 1), RANKS * (RANKS - 1) / 2 + RANKS * k);
        engine_sleep(r->engine, 1e-6 * (double)(r->id % 3));
    }
    thread_ends++;
}

static void with_a_thread(struct rank *r)
{
    struct coll_call barrier = {
        .name = "barrier", .op = COLL_BARRIER, .group = {0, 1, RANKS, 0, NULL}, .me = r->id};
    engine_actor_spawn(r->engine, thread_body, r, r);
    for (int k = 0; k < 3 * ROUNDS; k++) {
        stage_call(r, &barrier);
        engine_sleep(r->engine, 1e-6 * (double)(r->id % 2));
    }
    thread_ends++;
}

/* Two threads of a rank may be in collectives of different groups at once: each is woken by its own. */
static void test_threads(void **state)
{
    (void)state;
    thread_ends = 0;
    stage_prepare(RANKS, 64);
    stage_begin(platform_default(4 * 64), PER_HOST);
    assert_int_equal(stage_run(with_a_thread), ENGINE_ALL_DONE);
    assert_int_equal(thread_ends, 2 * RANKS);
    ranks_end(&stage);
}

/* --- time --------------------------------------------------------------------------------------- */

static const char two_hosts[] = "<?xml version='1.0'?>\n"
                                "<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
                                "<platform version='4.1'><zone id='z' routing='Full'>\n"
                                "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n"
                                "<link id='ab' bandwidth='1GBps' latency='1us'/>\n"
                                "<route src='a' dst='b'><link_ctn id='ab'/></route>\n</zone></platform>\n";

static double left[2];

static void two_barriers(struct rank *r)
{
    struct coll_call call = {.name = "barrier", .op = COLL_BARRIER, .group = {0, 1, 2, 0, NULL}, .me = r->id};
    engine_sleep(r->engine, r->id ? 5e-6 : 0);
    stage_call(r, &call);
    stage_call(r, &call);
    left[r->id] = engine_now(r->engine);
}

/* A message: 100 ns of overhead and 8 ns to copy its signal, 1 us of latency, 8 + 32 bytes at 1 GB/s, 25
 * ns to see it. Rank 1 comes at 5 us and finds rank 0's, so that rank 0 leaves the first barrier one
 * message later; rank 1 goes on to the second as soon as its own message is issued. */
static void test_time(void **state)
{
    (void)state;
    static const char *const parameters[][2] = {
        {"rdma/put-overhead", "100ns"}, {"rdma/copy-per-byte", "1ns"},
        {"rdma/inline-limit", "64"},    {"rdma/gap", "0"},
        {"rdma/header-bytes", "32"},    {"rdma/poll-cost", "25ns"},
    };
    stage_prepare(2, 0);
    for (size_t k = 0; k < BASE_LENGTH(parameters); k++)
        ranks_setting(&stage, parameters[k][0], parameters[k][1]);
    stage_begin(ranks_platform(&stage, two_hosts), 1);
    assert_int_equal(stage_run(two_barriers), ENGINE_ALL_DONE);
    ranks_end(&stage);
    double message = 1000 + 8 + 32, overhead = 108, poll = 25;
    double first_0 = 5000 + poll + overhead + message + poll; /* when rank 0 leaves the first barrier */
    double sent_0 = first_0 + overhead;
    double sent_1 = 5000 + poll + overhead + overhead;
    double expected_1 = sent_0 + message + poll;
    double expected_0 = (sent_1 + message > sent_0 ? sent_1 + message : sent_0) + poll;
    if (left[1] * 1e9 < expected_1 - 1e-3 || left[1] * 1e9 > expected_1 + 1e-3)
        fail_msg("rank 1 left the second barrier at %.3f ns, expected %.3f", left[1] * 1e9, expected_1);
    if (left[0] * 1e9 < expected_0 - 1e-3 || left[0] * 1e9 > expected_0 + 1e-3)
        fail_msg("rank 0 left the second barrier at %.3f ns, expected %.3f", left[0] * 1e9, expected_0);
}

/* --- reports ------------------------------------------------------------------------------------ */

static void begin_small(void)
{
    stage_prepare(3, 8192);
    stage_begin(platform_default(3), 64);
}

static void two_of_three(struct rank *r)
{
    struct coll_call call = {
        .name = "shmem_barrier_all", .op = COLL_BARRIER, .group = {0, 1, 3, 0, NULL}, .me = r->id};
    if (r->id != 1)
        stage_call(r, &call);
}

static void test_deadlock(void **state)
{
    (void)state;
    begin_small();
    assert_int_equal(stage_run(two_of_three), ENGINE_DEADLOCK);
    if (!strstr(stage.report, "shmem_barrier_all") ||
        !strstr(stage.report, "collective 0 of ranks 0 to 2, 1 of 3 members have not called it: rank 1"))
        fail_msg("the report is:\n%s", stage.report);
    ranks_end(&stage);
}

static void other_sizes(struct rank *r)
{
    struct coll_call call = {.name = "shmem_broadcastmem", .op = COLL_BROADCAST, .group = {0, 1, 3, 0, NULL}};
    call.me = r->id;
    call.source = stage_at(r, 0);
    call.dest = stage_at(r, 64);
    call.bytes = r->id == 2 ? 16 : 8;
    stage_call(r, &call);
}

static void test_mismatch(void **state)
{
    (void)state;
    begin_small();
    stage_expect_error(
        other_sizes, " 0 s: shmem_broadcastmem: the members' sizes "
                     "differ in collective 0 of ranks 0 to 2: "
                     "rank 2 calls shmem_broadcastmem, 16 bytes, root 0; rank 0 called shmem_broadcastmem, 8 "
                     "bytes, root 0\n");
    ranks_end(&stage);
}

/* 2000 + 1000 + 500 bytes, of which the last 100 have no room. */
static void too_much(struct rank *r)
{
    static const size_t bytes[] = {2000, 1000, 500};
    struct coll_call call = {.name = "shmem_collectmem", .op = COLL_COLLECT, .group = {0, 1, 3, 0, NULL}};
    call.me = r->id;
    call.source = stage_at(r, 0);
    call.dest = stage_at(r, 8192 - 3400);
    call.bytes = bytes[r->id];
    stage_call(r, &call);
}

static void test_collect_overrun(void **state)
{
    (void)state;
    begin_small();
    stage_expect_error(
        too_much, "s: shmem_collectmem: 3500 bytes of rank 2 run 100 bytes past the end of the heap+4792\n");
    ranks_end(&stage);
}

static size_t asked_room[3]; /* the most that each rank was asked for, from its dest on */

static void note_room(struct rank *r, uintptr_t address, size_t bytes, const char *call)
{
    assert_string_equal(call, "shmem_collectmem");
    assert_ptr_equal((void *)address, stage_at(r, 4096));
    if (bytes > asked_room[r->id])
        asked_room[r->id] = bytes;
}

/* The last call has a dest of the caller's own, of which nobody else knows the size. */
static void collect_three(struct rank *r)
{
    static const size_t bytes[] = {2000, 1000, 500};
    struct coll_call call = {.name = "shmem_collectmem", .op = COLL_COLLECT, .group = {0, 1, 3, 0, NULL}};
    call.me = r->id;
    call.source = stage_at(r, 0);
    call.dest = stage_at(r, 4096);
    call.bytes = bytes[r->id];
    stage_call(r, &call);
    if (asked_room[r->id] != 3500)
        fail_msg("rank %u is asked for room of %zu bytes, expected 3500", r->id, asked_room[r->id]);
    asked_room[r->id] = 0;
    call.private_dest = true;
    stage_call(r, &call);
    assert_int_equal(asked_room[r->id], 0);
}

/* A front end that checks for itself is asked for the room of the whole result at each member. */
static void test_collect_room(void **state)
{
    (void)state;
    begin_small();
    stage_ask_room = note_room;
    assert_int_equal(stage_run(collect_three), ENGINE_ALL_DONE);
    stage_ask_room = NULL;
    ranks_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),      cmocka_unit_test(test_algorithms),
        cmocka_unit_test(test_one_switch),   cmocka_unit_test(test_threads),
        cmocka_unit_test(test_time),         cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_mismatch),     cmocka_unit_test(test_collect_overrun),
        cmocka_unit_test(test_collect_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
