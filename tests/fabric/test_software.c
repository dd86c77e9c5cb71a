/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profile software: every time worked out by hand. Serving takes 1 us and 1 ns a byte of the target's CPU; a
 * to b is 1 us and 1 GB/s.
 */
#include "fabric/stage.h"

static uint32_t server; /* of a rank of b */

static void begin(const char *progress)
{
    set("rdma/profile", "software");
    set("software/progress", progress);
    create("", "", "");
    server = fabric_server_add(stage.fabric, B);
    assert_true(server > 0);
}

static struct probe *to_b(double issue_us, enum fabric_kind kind, uint64_t bytes)
{
    struct probe *p = plan(issue_us, kind, A, B, bytes);
    p->op.event.owners = server;
    return p;
}

static void arrivals_are_served_by_the_cpu(void **state)
{
    (void)state;
    begin("calls");
    struct probe *put = to_b(0, FABRIC_PUT, 8), *get = to_b(10, FABRIC_GET, 1000);
    struct probe *add = to_b(20, FABRIC_ATOMIC, 8);
    play();
    TARGET_AT(put, 1.008 + 1.008);
    IS(fabric_ack_delay(stage.fabric, &put->op), 1.01);
    TARGET_AT(get, 10 + 1 + 1 + 1); /* no read-service: the CPU copies */
    ORIGIN_AT(get, 13 + 1 + 1);
    TARGET_AT(add, 20 + 1 + 1); /* no atomic unit */
    ORIGIN_AT(add, 22 + 1);
}

/* They arrive at 1.008, 1.1 and 2.1; the CPU has them until 2.016, 3.016 and 5.016. */
static void one_after_the_other(void **state)
{
    (void)state;
    begin("calls");
    struct probe *put = to_b(0, FABRIC_PUT, 8), *add = to_b(0.1, FABRIC_ATOMIC, 8);
    struct probe *get = to_b(1.1, FABRIC_GET, 1000), *late = to_b(10, FABRIC_ATOMIC, 8);
    play();
    TARGET_AT(put, 2.016);
    TARGET_AT(add, 3.016);
    TARGET_AT(get, 5.016);
    TARGET_AT(late, 12);
    IS(fabric_server_free(stage.fabric, server), 12);
}

static void signals_are_part_of_the_service(void **state)
{
    (void)state;
    begin("calls");
    struct probe *put = to_b(0, FABRIC_PUT, 8);
    put->signals = true;
    play();
    TARGET_AT(put, 2.016);
    IS(put->updated, 2.016);
}

static void target_rank(void *arg)
{
    (void)arg;
    fabric_server_away(stage.fabric, server);
    engine_sleep(stage.engine, 10 * US);
    IS(fabric_server_back(stage.fabric, server), 10 + 1 + 1.008);
    engine_sleep(stage.engine, 10 * US);
    IS(fabric_server_back(stage.fabric, server), 14); /* nothing was held */
}
static void a_rank_that_computes_serves_nothing(void **state)
{
    (void)state;
    begin("calls");
    struct probe *add = to_b(0, FABRIC_ATOMIC, 8), *put = to_b(2, FABRIC_PUT, 8);
    struct probe *other = plan(3, FABRIC_PUT, A, B, 8), *after = to_b(12, FABRIC_ATOMIC, 8);
    other->op.event.owners = fabric_server_add(stage.fabric, B); /* another rank of b */
    assert_int_not_equal(other->op.event.owners, server);
    engine_actor_spawn(stage.engine, target_rank, NULL, NULL);
    play();
    TARGET_AT(add, 11);
    TARGET_AT(put, 12.008);
    TARGET_AT(other, 4.008 + 1.008);
    TARGET_AT(after, 14);
}

static void a_thread_serves_all_ranks_of_its_host(void **state)
{
    (void)state;
    begin("thread");
    assert_int_equal(fabric_server_add(stage.fabric, B), server);
    assert_int_not_equal(fabric_server_add(stage.fabric, C), server);
    assert_int_equal(fabric_host_progress(stage.fabric, B), FABRIC_BY_THREAD);
    struct probe *one = to_b(0, FABRIC_ATOMIC, 8), *two = to_b(0, FABRIC_ATOMIC, 8);
    play();
    TARGET_AT(one, 2);
    TARGET_AT(two, 3);
}

static void ranks_of_one_host_need_nobody(void **state)
{
    (void)state;
    begin("calls");
    fabric_server_away(stage.fabric, server);
    struct probe *near_put = plan(0, FABRIC_PUT, B, B, 8), *near_add = plan(0, FABRIC_ATOMIC, B, B, 8);
    near_put->op.event.owners = near_add->op.event.owners = server;
    near_put->signals = true;
    play();
    TARGET_AT(near_put, 0.2);
    IS(near_put->updated, 0.28);
    TARGET_AT(near_add, 0.36); /* the same word */
}

static void hosts_may_differ(void **state)
{
    (void)state;
    create("", "<prop id='rdma/profile' value='software'/><prop id='software/service' value='3us'/>",
           "<prop id='rdma/profile' value='software'/><prop id='software/progress' value='thread'/>");
    assert_int_equal(fabric_server_add(stage.fabric, A), 0);
    assert_int_equal(fabric_host_progress(stage.fabric, A), FABRIC_BY_CARD);
    server = fabric_server_add(stage.fabric, B);
    struct probe *add = to_b(0, FABRIC_ATOMIC, 8), *far = plan(0, FABRIC_ATOMIC, A, C, 8);
    far->op.event.owners = fabric_server_add(stage.fabric, C);
    struct probe *back = plan(20, FABRIC_ATOMIC, B, A, 8);
    play();
    TARGET_AT(add, 1 + 3);
    TARGET_AT(far, 0.1 + 3 + 1); /* the second message of its card */
    TARGET_AT(back, 20 + 1 + 0.4);
}

/* --- a library's instructions ---------------------------------------------------------------------- */

static void is_count(const char *library, enum fabric_work work, uint64_t expected)
{
    teardown(NULL);
    setup(NULL);
    set("software/library", library);
    create("", "", "");
    uint64_t n = fabric_library_instructions(stage.fabric, A, work);
    if (n != expected)
        fail_msg("%s, %s: %lu instructions, expected %lu", library, fabric_work_name(work), n, expected);
}

static void libraries_have_counts(void **state)
{
    (void)state;
    is_count("off", FABRIC_WORK_ADD, 0);
    is_count("oshmem", FABRIC_WORK_ADD, 366);
    is_count("oshmem", FABRIC_WORK_CAS, 377);
    is_count("oshmem", FABRIC_WORK_PUT, 414);
    is_count("oshmem", FABRIC_WORK_MIN_MAX, 366); /* not measured: an addition's */
    is_count("mpi-rdma", FABRIC_WORK_MIN_MAX, 555);
    is_count("mpi-pt2pt", FABRIC_WORK_CAS, 1950);
    is_count("xbrtime", FABRIC_WORK_XOR, 104);
}

/* 500 instructions of 2 cycles at 1 GHz are 1 us for the origin; 300 of the target 0.6 us. */
static void a_library_takes_instructions(void **state)
{
    (void)state;
    set("software/library", "oshmem");
    set("software/add", "500");
    set("software/target", "300");
    set("software/cycles", "2");
    set("software/frequency", "1e9");
    begin("calls");
    struct probe *add = to_b(0, FABRIC_ATOMIC, 8);
    IS(fabric_library_cost(stage.fabric, A, fabric_library_call(stage.fabric, A, FABRIC_WORK_ADD)), 1);
    play();
    TARGET_AT(add, 1 + 0.6);
    struct fabric_library_counts c = fabric_library_counts(stage.fabric);
    assert_string_equal(fabric_library_facts(stage.fabric).name, "oshmem");
    assert_true(c.on);
    assert_int_equal(c.calls[FABRIC_WORK_ADD], 1);
    assert_int_equal(c.at_origins, 500);
    assert_int_equal(c.at_targets, 300);
}

/* Host b alone has a library; a count of its own is enough. */
static void hosts_may_have_libraries(void **state)
{
    (void)state;
    create("", "<prop id='software/get' value='200'/>", "");
    assert_int_equal(fabric_library_call(stage.fabric, A, FABRIC_WORK_GET), 0);
    assert_int_equal(fabric_library_call(stage.fabric, B, FABRIC_WORK_GET), 200);
    assert_int_equal(fabric_library_call(stage.fabric, B, FABRIC_WORK_PUT), 0);
    IS(fabric_library_cost(stage.fabric, B, 200), 0.1); /* at 2 GHz */
    assert_int_equal(fabric_library_counts(stage.fabric).at_origins, 200);
    assert_true(fabric_library_counts(stage.fabric).on);
    assert_string_equal(fabric_library_facts(stage.fabric).name, "of single hosts");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(arrivals_are_served_by_the_cpu),
        TEST(one_after_the_other),
        TEST(signals_are_part_of_the_service),
        TEST(a_rank_that_computes_serves_nothing),
        TEST(ranks_of_one_host_need_nobody),
        TEST(a_thread_serves_all_ranks_of_its_host),
        TEST(hosts_may_differ),
        TEST(libraries_have_counts),
        TEST(a_library_takes_instructions),
        TEST(hosts_may_have_libraries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
