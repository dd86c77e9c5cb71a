/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reductions by operators that are code of the program: on the rank's actor, with its globals, in order of
 * place, by every algorithm and both transports, several at once, also of ranks that compute meanwhile; and
 * the time that they take.
 */
#include "coll/every.h"
#include "coll/waiter.h"

#define US 1e-6
static uint32_t members;
static double flops; /* of an operator, per call */
static unsigned calls_of[EVERY_MOST];

/* What the operator needs is in a variable of its rank's: the prime, hidden by the rank's number. */
static uint64_t *global_of(const struct rank *r)
{
    return (uint64_t *)(void *)stage.statics[r->id];
}

static void operator(void *arg, const void *left, void *right, uint64_t items)
{
    struct rank *r = rank_current;
    const uint64_t *a = left;
    uint64_t *b = right;
    (void)arg;
    assert_non_null(r);
    assert_ptr_equal(engine_actor_owner(engine_current(stage.engine)), r);
    uint64_t prime = *global_of(r) - r->id;
    calls_of[r->id]++;
    if (flops > 0)
        rank_execute(r, flops);
    for (uint64_t k = 0; k < items; k++)
        b[k] = (a[k] >> 32) * (b[k] >> 32) % prime << 32 |
               ((b[k] >> 32) * (a[k] & UINT32_MAX) + (b[k] & UINT32_MAX)) % prime;
}
static const struct coll_user user = {operator, NULL, NULL};

static const struct coll_transport *transport_of(bool two_sided)
{
    return two_sided ? stage_two_sided() : coll_put_transport(stage_puts);
}

static struct coll_call call_of(const struct rank *r, enum coll_op op, bool two_sided)
{
    struct coll_call c = every_call(r, members, op);
    c.group.id = two_sided ? 9 : 0;
    c.transport = transport_of(two_sided);
    return c;
}

static bool reduces(enum coll_op op)
{
    return op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN || op == COLL_REDUCE_ROOT ||
           coll_op_scatters_result(op);
}

static void prepare(uint32_t n)
{
    members = n;
    memset(calls_of, 0, sizeof calls_of);
    every_prepare(n);
    for (uint32_t r = 0; r < n; r++)
        for (int op = 0; op < COLL_OPS; op++)
            every_sizes[r].local[op].user = &user;
    stage_prepare(n, EVERY_BYTES);
}

static void begin_rank(const struct rank *r)
{
    every_fill(r);
    *global_of(r) = EVERY_PRIME + r->id;
}

static void expect_results(void)
{
    for (uint32_t r = 0; r < members; r++)
        for (int op = 0; op < COLL_OPS; op++)
            if (reduces((enum coll_op)op))
                every_expect(r, members, (enum coll_op)op);
}

/* --- results -------------------------------------------------------------------------------------------- */

static bool two_sided_now;

static void one_after_the_other(struct rank *r)
{
    begin_rank(r);
    for (int op = 0; op < COLL_OPS; op++)
        if (reduces((enum coll_op)op)) {
            struct coll_call call = call_of(r, (enum coll_op)op, two_sided_now);
            coll_run(r, &call);
        }
}

/* All at once, on both transports; half of the ranks compute before they wait. */
static void all_at_once(struct rank *r)
{
    struct waiter w = {0};
    begin_rank(r);
    for (int op = 0; op < COLL_OPS; op++)
        if (reduces((enum coll_op)op)) {
            bool two_sided = (op % 2 == 0) == two_sided_now;
            struct coll_call call = call_of(r, (enum coll_op)op, two_sided);
            start_by(r, &call, call.transport, &w);
        }
    if (r->id % 2)
        rank_execute(r, 20000);
    await(r, &w);
}

static void run(const char *key, const char *name, bool exchanged, ranks_body_fn body, const char *limit)
{
    prepare(EVERY_MOST - 3);
    if (key)
        ranks_setting(&stage, key, name);
    ranks_setting(&stage, "rdma/buffered-limit", limit);
    ranks_setting(&stage, "smpi/send-is-detached-thresh", limit);
    stage.exchanged = exchanged;
    stage_begin(platform_default(64), 3);
    if (stage_run(body) != ENGINE_ALL_DONE)
        fail_msg("%s", stage.report);
    expect_results();
    ranks_end(&stage);
}

static void test_algorithms(void **state)
{
    size_t n;
    const struct coll_algorithm_info *a = coll_algorithms(&n);
    (void)state;
    flops = 500;
    for (size_t k = 0; k < n; k++) {
        char key[32];
        if (!reduces(a[k].op) || (a[k].op == COLL_REDUCE && !strcmp(a[k].name, "ring")))
            continue;
        snprintf(key, sizeof key, "coll/%s", coll_op_name(a[k].op));
        for (int way = 0; way < 8; way++) {
            two_sided_now = way & 1;
            run(key, a[k].name, way & 2, way & 4 ? all_at_once : one_after_the_other, way % 3 ? "0" : "8KiB");
        }
    }
}

/* --- time ----------------------------------------------------------------------------------------------- */

static double ended[2];
static enum { WAITS, COMPUTES, COMPUTES_AND_CALLS } manner;

/* A sum at root 1, of two members; what the other one sends comes at about 2 us. */
static void reduce_to_one(struct rank *r)
{
    struct waiter w = {0};
    struct coll_call call = call_of(r, COLL_REDUCE_ROOT, two_sided_now);
    call.root = 1;
    begin_rank(r);
    start_by(r, &call, call.transport, &w);
    if (r->id == 1 && manner != WAITS) {
        rank_execute(r, 50000);
        assert_int_equal(calls_of[1], 0);
        assert_int_equal(w.open, 1);
    }
    if (r->id == 1 && manner == COMPUTES_AND_CALLS) {
        rank_enter("call");
        rank_leave(r, "call");
        assert_int_equal(w.open, 0);
    }
    await(r, &w);
    ended[r->id] = w.last;
}

static double end_of(double work, int how)
{
    manner = how;
    flops = work;
    prepare(2);
    ranks_setting(&stage, "coll/reduce-root", "linear");
    ranks_setting(&stage, "coll/reduce-bandwidth", "1Bps"); /* not what the program's operator takes */
    stage_begin(platform_default(2), 1);
    if (stage_run(reduce_to_one) != ENGINE_ALL_DONE)
        fail_msg("%s", stage.report);
    assert_int_equal(calls_of[1], 1);
    assert_int_equal(calls_of[0], 0);
    ranks_end(&stage);
    return ended[1];
}

static void near(double got, double expected, int line)
{
    if (got < expected - 1e-12 || got > expected + 1e-12)
        fail_msg("line %d: %.9g us, expected %.9g us", line, got / US, expected / US);
}

static void test_time(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        two_sided_now = k;
        double without = end_of(0, WAITS);
        assert_true(without < 20 * US);
        double speed = 5000 / (end_of(5000, WAITS) - without); /* of the host, flop/s */
        near(end_of(10000, WAITS), without + 1e4 / speed, __LINE__);
        near(end_of(10000, COMPUTES), (5e4 + 1e4) / speed, __LINE__);
        near(end_of(10000, COMPUTES_AND_CALLS), (5e4 + 1e4) / speed, __LINE__);
    }
}

/* Members 0 to 2 scan, from 5 us on; meanwhile 1 reduces what 0 sent it before, and passes the scan on to 2
 * when it is through with that, for it has one CPU. */
static double reduced_at, passed_at;

static void reduce_and_scan(struct rank *r)
{
    struct waiter w = {0}, v = {0};
    struct coll_call call = call_of(r, COLL_REDUCE_ROOT, two_sided_now), scan = every_call(r, 3, COLL_INSCAN);
    call.root = 1;
    call.group = (struct coll_group){0, 1, 2, 10, NULL};
    begin_rank(r);
    if (r->id < 2)
        start_by(r, &call, call.transport, &w);
    if (r->id == 0)
        engine_sleep_until(r->engine, 5 * US);
    scan.group.id = 33;
    scan.operator=(struct coll_operator){TYPES_SUM, TYPES_UINT64, false};
    scan.local = NULL;
    start_by(r, &scan, transport_of(two_sided_now), &v);
    await(r, &w);
    await(r, &v);
    if (r->id == 1)
        reduced_at = w.last;
    if (r->id == 2)
        passed_at = v.last;
}

static void test_one_cpu(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        two_sided_now = k % 2;
        flops = k < 2 ? 0 : 1e6;
        prepare(3);
        ranks_setting(&stage, "coll/inscan", "linear");
        ranks_setting(&stage, "coll/reduce-root", "linear");
        stage_begin(platform_default(3), 1);
        if (stage_run(reduce_and_scan) != ENGINE_ALL_DONE)
            fail_msg("%s", stage.report);
        if (k < 2) {
            assert_true(reduced_at < 5 * US && passed_at < 12 * US);
        } else if (reduced_at < 10 * US || passed_at < reduced_at + 0.1 * US ||
                   passed_at > reduced_at + 5 * US) {
            fail_msg("reduced at %g us, passed on at %g us", reduced_at / US, passed_at / US);
        }
        ranks_end(&stage);
    }
}

/* --- a member that ends --------------------------------------------------------------------------------- */

static void leaves_its_work(struct rank *r)
{
    struct waiter w = {0};
    struct coll_call call = call_of(r, COLL_REDUCE, two_sided_now);
    begin_rank(r);
    start_by(r, &call, call.transport, &w);
    if (r->id == 1) {
        rank_execute(r, 50000);
        return;
    }
    await(r, &w);
}

static void test_never_done(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        two_sided_now = k;
        flops = 100;
        prepare(4);
        stage_begin(platform_default(4), 1);
        assert_int_equal(stage_run(leaves_its_work), ENGINE_DEADLOCK);
        ranks_end(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_algorithms),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_one_cpu),
        cmocka_unit_test(test_never_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
