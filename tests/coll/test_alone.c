/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short messages of collectives go alone, unless there is a trace: the times are the same to the last bit, with
 * every algorithm. Random collectives, several at once in several groups, among ranks that come at different
 * times and have messages of their own under way, ahead of the clock too.
 */
#include "coll/every.h"
#include "coll/seeds.h"
#include "coll/waiter.h"

enum { ROUNDS = 8, OPEN = 4, GROUPS = 3, OWN = 200, AREAS = 2 + OPEN };

/* --- the program ---------------------------------------------------------------------------------- */

/* All ranks draw the same calls, and each its own delays. */
static const struct coll_algorithm_info *played;
static uint64_t seed;
static uint32_t members;
static double left[2][ROUNDS][EVERY_MOST];
static bool traced;

static struct coll_call random_call(const struct rank *r, struct base_random *random, unsigned area)
{
    static const enum coll_op beside[] = {COLL_BARRIER, COLL_BROADCAST, COLL_REDUCE};
    uint64_t kind = base_random_below(random, 2 * BASE_LENGTH(beside));
    bool by_user = base_random_below(random, 4) == 0;
    enum coll_op op = kind < BASE_LENGTH(beside) ? beside[kind] : played->op;
    struct coll_call c = every_call(r, members, op);
    c.group.id = (uint32_t)base_random_below(random, GROUPS);
    c.dest = stage_at(r, (2 + area) * EVERY_AREA);
    if (!by_user)
        c.operator=(struct coll_operator){TYPES_SUM, TYPES_UINT64, false};
    return c;
}

/* A message to itself, which the rank's own time may be ahead with. */
static void send_to_self(struct rank *r, uint64_t bytes)
{
    struct p2p_buffer from = {ranks_heap_at(r->id, EVERY_AREA), bytes, types_layout_of(TYPES_BYTE)},
                      to = from;
    struct p2p_request *q[2];
    to.address += OWN;
    r->issuing = true;
    q[0] = p2p_receive_create(r, &(struct p2p_envelope){1, r->id, 0}, &to, "irecv");
    q[1] = p2p_send_create(r, r->id, 1, 0, &from, P2P_STANDARD, "isend");
    p2p_issue(q[0]);
    p2p_issue(q[1]);
    for (int k = 0; k < 2; k++)
        p2p_request_destroy(q[k]);
    r->issuing = false;
}

static void dawdle(struct rank *r, struct base_random *own)
{
    for (uint64_t k = base_random_below(own, 3); k > 0; k--)
        send_to_self(r, base_random_below(own, OWN));
    rank_catch_up(r);
    if (base_random_below(own, 2))
        engine_sleep(r->engine, 1e-6 * (double)base_random_below(own, 4));
}

static void program(struct rank *r)
{
    struct base_random all, own;
    base_random_seed(&all, seed, 0);
    base_random_seed(&own, seed, 1 + r->id);
    every_fill(r);
    for (int round = 0; round < ROUNDS; round++) {
        struct waiter w = {0};
        uint64_t open = 1 + base_random_below(&all, OPEN);
        for (unsigned k = 0; k < open; k++) {
            struct coll_call call = random_call(r, &all, k);
            dawdle(r, &own);
            start_by(r, &call, stage_two_sided(), &w);
        }
        await(r, &w);
        left[traced][round][r->id] = engine_now(r->engine);
    }
    engine_sleep(r->engine, 1); /* until its own messages are received */
}

/* --- twice ---------------------------------------------------------------------------------------- */

static uint64_t events;
static void count(void *ctx, const struct trace_event *ev)
{
    (void)ctx;
    events += ev->type == TRACE_SEND_ISSUED;
}
static int close_nothing(void *ctx)
{
    (void)ctx;
    return 0;
}

/* Messages go alone below, and are detached below, how many bytes; the costs of a message. */
static const struct mode {
    const char *alone, *detached, *costs;
    uint32_t per_host;
} modes[] = {{"1MiB", "1MiB", "0:0:0", 1},
             {"40", "300", "0:0.3us:1ns", 16},
             {"1MiB", "1MiB", "0:0.3us:1ns", 3},
             {"200", "200", "0:1us:0", 16}};

static void run(const struct mode *m, bool with)
{
    char key[48];
    snprintf(key, sizeof key, "coll/%s", coll_op_name(played->op));
    traced = with;
    stage_prepare(members, AREAS * EVERY_AREA);
    ranks_setting(&stage, key, played->name);
    ranks_setting(&stage, "coll/selector", "fixed");
    ranks_setting(&stage, "coll/segment", "64");
    ranks_setting(&stage, "smpi/async-small-thresh", m->alone);
    ranks_setting(&stage, "smpi/send-is-detached-thresh", m->detached);
    ranks_setting(&stage, "smpi/ois", m->costs);
    ranks_setting(&stage, "smpi/or", m->costs);
    if (with)
        trace_attach(&stage.trace, &(struct trace_sink){.event = count, .close = close_nothing});
    stage_begin(platform_default(64), m->per_host);
    if (stage_run(program) != ENGINE_ALL_DONE)
        fail_msg("%s by %s, %u members: %s", coll_op_name(played->op), played->name, members, stage.report);
    ranks_end(&stage);
}

static void compare(uint32_t n, const struct mode *m)
{
    members = n;
    every_prepare(n);
    run(m, false);
    run(m, true);
    for (int round = 0; round < ROUNDS; round++)
        for (uint32_t r = 0; r < n; r++)
            if (left[0][round][r] != left[1][round][r])
                fail_msg("%s by %s, seed %llu, rank %u of %u, round %d, alone below %s: %.17g us, traced "
                         "%.17g us",
                         coll_op_name(played->op), played->name, (unsigned long long)seed, r, n, round,
                         m->alone, left[0][round][r] * 1e6, left[1][round][r] * 1e6);
}

static void test_all(void **state)
{
    static const uint32_t sizes[] = {5, 6, 7, 12};
    struct seeds seeds = seeds_to_play(2);
    size_t n;
    const struct coll_algorithm_info *a = coll_algorithms(&n);
    (void)state;
    for (size_t k = 0; k < n; k++)
        for (seed = seeds.first; seed <= seeds.last; seed++)
            for (size_t s = 0; s < BASE_LENGTH(sizes); s++) {
                played = &a[k];
                if (algorithm_is_played(coll_op_name(a[k].op), a[k].name))
                    compare(sizes[s], &modes[(k + s + seed) % BASE_LENGTH(modes)]);
            }
    assert_true(events > 0); /* there were messages with records */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
