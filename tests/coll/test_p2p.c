/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives over two-sided messages: every algorithm's results in all modes of messages; together with
 * collectives over puts; users' receives and probes see nothing of them; one copy where the receive is
 * posted; failures and jobs that end in the middle. Their times: test_p2p_time.c.
 */
#include "coll/every.h"
#include "coll/waiter.h"

/* --- results -------------------------------------------------------------------------------------- */

/* Asynchronous below, and detached below, how many bytes: all modes, and mixtures of them. */
static const struct mode {
    const char *asynchronous, *detached;
} modes[] = {{"0", "0"}, {"0", "1MiB"}, {"1MiB", "1MiB"}, {"9", "41"}};

static uint32_t members;
static double entered[EVERY_MOST], left_barrier[EVERY_MOST];

static void prepare(uint32_t n, const struct mode *m)
{
    members = n;
    every_prepare(n);
    stage_prepare(n, EVERY_BYTES);
    ranks_setting(&stage, "smpi/async-small-thresh", m->asynchronous);
    ranks_setting(&stage, "smpi/send-is-detached-thresh", m->detached);
}

static void all_operations(struct rank *r)
{
    every_fill(r);
    for (int op = 0; op < COLL_OPS; op++) {
        struct coll_call call = every_call(r, members, (enum coll_op)op);
        call.transport = stage_two_sided();
        engine_sleep(r->engine, 1e-6 * (double)(r->id * 7 % 5));
        if (op == COLL_BARRIER)
            entered[r->id] = engine_now(r->engine);
        coll_run(r, &call);
        if (op == COLL_BARRIER)
            left_barrier[r->id] = engine_now(r->engine);
    }
}

static void expect_all(void)
{
    for (uint32_t r = 0; r < members; r++) {
        for (uint32_t p = 0; p < members; p++)
            if (left_barrier[r] < entered[p])
                fail_msg("rank %u left the barrier at %g s, rank %u came at %g s", r, left_barrier[r], p,
                         entered[p]);
        for (int op = 0; op < COLL_OPS; op++)
            every_expect(r, members, (enum coll_op)op);
    }
}

static void run_with(const struct coll_algorithm_info *a, uint32_t n, const struct mode *m, const char *costs)
{
    char key[32];
    snprintf(key, sizeof key, "coll/%s", coll_op_name(a->op));
    prepare(n, m);
    every_adds = a->op == COLL_REDUCE && !strcmp(a->name, "ring"); /* it does not keep the order of place */
    ranks_setting(&stage, key, a->name);
    ranks_setting(&stage, "coll/segment", "16");
    ranks_setting(&stage, "smpi/ois", costs);
    ranks_setting(&stage, "smpi/or", costs);
    stage_begin(platform_default(64), 3);
    if (stage_run(all_operations) != ENGINE_ALL_DONE)
        fail_msg("%s by %s, %u members, detached below %s: %s", coll_op_name(a->op), a->name, n, m->detached,
                 stage.report);
    expect_all();
    assert_int_equal(stage_counts.calls, n * COLL_OPS);
    ranks_end(&stage);
}

static void test_algorithms(void **state)
{
    static const uint32_t sizes[] = {1, 2, 5, 8, 13, 16};
    size_t n;
    const struct coll_algorithm_info *a = coll_algorithms(&n);
    (void)state;
    for (size_t k = 0; k < n; k++)
        for (size_t s = 0; s < BASE_LENGTH(sizes); s++)
            for (size_t m = 0; m < BASE_LENGTH(modes); m++)
                run_with(&a[k], sizes[s], &modes[m], (k + s + m) % 2 ? "0:0:0" : "0:1us:1ns");
}

/* --- two transports ------------------------------------------------------------------------------- */

/* Every operation over messages in a group of its own, and at the same time over puts in another one; the
 * first thing that each call does is to wait in its turn for the rank's one CPU. */
static void both_at_once(struct rank *r)
{
    struct waiter w = {0};
    every_fill(r);
    for (int op = 1; op < COLL_OPS; op++) {
        struct coll_call call = every_call(r, members, (enum coll_op)op);
        bool two_sided = op % 2;
        call.group.id = two_sided ? 17 : 0;
        start_by(r, &call, two_sided ? stage_two_sided() : coll_put_transport(stage_puts), &w);
    }
    await(r, &w);
}

static void test_both(void **state)
{
    (void)state;
    for (size_t m = 0; m < BASE_LENGTH(modes); m++) {
        prepare(12, &modes[m]);
        ranks_setting(&stage, "smpi/ois", "0:1us:1ns");
        ranks_setting(&stage, "smpi/or", "0:2us:1ns");
        stage_begin(platform_default(64), 3);
        if (stage_run(both_at_once) != ENGINE_ALL_DONE)
            fail_msg("%s", stage.report);
        for (uint32_t r = 0; r < members; r++)
            for (int op = 1; op < COLL_OPS; op++)
                every_expect(r, members, (enum coll_op)op);
        ranks_end(&stage);
    }
}

/* --- users' messages ------------------------------------------------------------------------------ */

enum { FROM_ANYBODY = 3 };

/* Rank 0 has a receive for anything posted, and probes, while the collectives run. */
static void beside_receives(struct rank *r)
{
    struct p2p_buffer b = {ranks_heap_at(r->id, EVERY_BYTES - 8), 8, types_layout_of(TYPES_BYTE)};
    struct p2p_envelope anything = {0, P2P_ANY_SOURCE, P2P_ANY_TAG};
    struct p2p_request *q = NULL;
    struct p2p_status st;
    struct waiter w = {0};
    struct coll_call call = every_call(r, members, COLL_ALLTOALL);
    every_fill(r);
    if (r->id == 0) {
        q = p2p_receive_create(r, &anything, &b, "irecv");
        p2p_issue(q);
    }
    start_by(r, &call, stage_two_sided(), &w);
    for (int k = 0; k < 20; k++) {
        anything.context = (uint32_t)k % 4;
        assert_false(p2p_find(r, &anything, &st));
        engine_sleep(r->engine, 5e-7);
    }
    await(r, &w);
    if (r->id == FROM_ANYBODY)
        p2p_send(r, 0, 0, 99, &b, P2P_STANDARD, "send", &st);
    if (!q)
        return;
    assert_true(p2p_active(q));
    p2p_wait_all(r, &q, 1, "wait");
    assert_int_equal(p2p_status(q)->source, FROM_ANYBODY);
    assert_int_equal(p2p_status(q)->tag, 99);
    p2p_request_destroy(q);
}

static void test_invisible(void **state)
{
    (void)state;
    for (size_t m = 0; m < BASE_LENGTH(modes); m++) {
        prepare(8, &modes[m]);
        stage_begin(platform_default(64), 1);
        if (stage_run(beside_receives) != ENGINE_ALL_DONE)
            fail_msg("%s", stage.report);
        for (uint32_t r = 0; r < members; r++)
            every_expect(r, members, COLL_ALLTOALL);
        ranks_end(&stage);
    }
}

/* --- one copy ------------------------------------------------------------------------------------- */

static const char two_hosts[] = "<?xml version='1.0'?>\n"
                                "<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
                                "<platform version='4.1'><zone id='z' routing='Full'>\n"
                                "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n"
                                "<link id='ab' bandwidth='1GBps' latency='1ms'/>\n"
                                "<route src='a' dst='b'><link_ctn id='ab'/></route>\n</zone></platform>\n";
static bool posted_before;

/* The broadcast of a source that its owner changes as soon as its call is over: at half a latency, rank 1 has
 * the bytes exactly if its receive was posted at the time of the send. */
static void broadcast_of_two(struct rank *r)
{
    struct waiter w = {0};
    struct coll_call call = every_call(r, 2, COLL_BROADCAST);
    call.bytes = 8 * EVERY_WORDS * EVERY_MOST;
    call.root = 0;
    every_fill(r);
    engine_sleep_until(r->engine, r->id == (posted_before ? 0 : 1) ? 1e-4 : 0);
    start_by(r, &call, stage_two_sided(), &w);
    engine_sleep_until(r->engine, 5e-4);
    if (r->id == 0) {
        assert_int_equal(w.open, 0);
        memset(stage.heap[0], 0, EVERY_AREA);
    } else {
        const uint64_t *dest = (const uint64_t *)(void *)(stage.heap[1] + every_offset(COLL_BROADCAST));
        assert_int_equal(w.open, 1);
        assert_int_equal(dest[3], posted_before ? every_value(0, 3) : 0);
    }
    await(r, &w);
}

static void test_one_copy(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        posted_before = k;
        prepare(2, &modes[2]);
        stage_begin(ranks_platform(&stage, two_hosts), 1);
        if (stage_run(broadcast_of_two) != ENGINE_ALL_DONE)
            fail_msg("%s", stage.report);
        for (size_t word = 0; word < EVERY_AREA / 8; word++)
            every_word(1, COLL_BROADCAST, word, every_value(0, word));
        ranks_end(&stage);
    }
}

/* --- ends ----------------------------------------------------------------------------------------- */

enum { LINK_AB };

static void broadcast_over_a_broken_link(struct rank *r)
{
    struct waiter w = {0};
    struct coll_call call = every_call(r, 2, COLL_BROADCAST);
    call.root = 0;
    start_by(r, &call, stage_two_sided(), &w);
    engine_sleep_until(r->engine, 5e-4);
    if (r->id == 0)
        fabric_link_fails(rank_fabric(r->job), LINK_AB);
    await(r, &w);
    engine_sleep(r->engine, 1);
}

/* In rendezvous both wait, and the sender is told first; else only the receiver does. */
static void test_failure(void **state)
{
    static const char *const reports[] = {"a collective's message of 48 bytes to host b",
                                          "a collective's message of 48 bytes from host a"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        prepare(2, &modes[k ? 2 : 0]);
        stage_begin(ranks_platform(&stage, two_hosts), 1);
        assert_int_equal(stage_run(broadcast_over_a_broken_link), ENGINE_STOPPED);
        if (!strstr(stage.report, reports[k]))
            fail_msg("expected %s in %s", reports[k], stage.report);
        ranks_end(&stage);
    }
}

/* Long messages to a member that never comes. */
static void without_the_last(struct rank *r)
{
    struct waiter w = {0};
    struct coll_call call = every_call(r, members, COLL_ALLTOALL);
    if (r->id + 1 == members)
        return;
    start_by(r, &call, stage_two_sided(), &w);
    await(r, &w);
}

static void test_deadlock(void **state)
{
    (void)state;
    for (size_t m = 0; m < BASE_LENGTH(modes); m++) {
        prepare(4, &modes[m]);
        stage_begin(platform_default(64), 1);
        assert_int_equal(stage_run(without_the_last), ENGINE_DEADLOCK);
        ranks_end(&stage);
    }
}

/* A member that expects another size ends the job with a report. */
static void of_other_sizes(struct rank *r)
{
    struct coll_call call = every_call(r, 3, COLL_GATHERV);
    call.transport = stage_two_sided();
    if (r->id == 1)
        call.bytes += 8;
    coll_run(r, &call);
}

static void test_other_sizes(void **state)
{
    (void)state;
    for (size_t m = 0; m < BASE_LENGTH(modes); m++) {
        prepare(3, &modes[m]);
        stage_begin(platform_default(64), 64);
        stage_expect_error(of_other_sizes,
                           " gatherv: the part of member 1 has 48 bytes there but 40 at member 2 in "
                           "collective 0 of ranks 0 to 2\n");
        ranks_end(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_algorithms),  cmocka_unit_test(test_both),    cmocka_unit_test(test_invisible),
        cmocka_unit_test(test_one_copy),    cmocka_unit_test(test_failure), cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_other_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
