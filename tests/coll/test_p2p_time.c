/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time of collectives over two-sided messages: to the last bit that of ranks which carry out the
 * algorithm by hand, with receives and sends of p2p/ that they post, issue and wait for.
 */
#include "coll/schedule/schedule.h"
#include "coll/stage.h"

enum { MOST = 16, AREA = 1 << 19, WINDOW = 3 };

static const char *algorithm;
static enum coll_op op;
static uint32_t members, root;
static size_t bytes;
static uint64_t seed;
static bool by_hand;
static double left[2][MOST];

/* --- by hand -------------------------------------------------------------------------------------- */

static size_t n_open[MOST];
static struct p2p_request *of_rank[MOST][2 * MOST];

static struct p2p_buffer at(const struct rank *r, size_t offset, size_t n)
{
    return (struct p2p_buffer){ranks_heap_at(r->id, offset), n, types_layout_of(TYPES_BYTE)};
}

static void irecv(struct rank *r, uint32_t from, size_t offset, size_t n)
{
    struct p2p_buffer b = at(r, offset, n);
    struct p2p_request *q = p2p_receive_create(r, &(struct p2p_envelope){1, from, 7}, &b, "hand");
    of_rank[r->id][n_open[r->id]++] = q;
    p2p_issue(q);
}

static void isend(struct rank *r, uint32_t to, size_t offset, size_t n)
{
    struct p2p_buffer b = at(r, offset, n);
    struct p2p_request *q = p2p_send_create(r, to, 1, 7, &b, P2P_STANDARD, "hand");
    of_rank[r->id][n_open[r->id]++] = q;
    p2p_issue(q);
    rank_catch_up(r);
}

/* As SMPI's Waitall: each is paid for when it is complete. */
static void waitall(struct rank *r)
{
    struct p2p_request **q = of_rank[r->id];
    size_t n = n_open[r->id];
    while (p2p_wait_any(r, q, n, "hand") < n)
        rank_catch_up(r);
    for (size_t k = 0; k < n; k++)
        p2p_request_destroy(q[k]);
    n_open[r->id] = 0;
}

static uint32_t place(uint32_t v)
{
    return (v + root) % members;
}

static void hand_broadcast(struct rank *r)
{
    uint32_t v = (r->id + members - root) % members, low = v ? v & (~v + 1) : 1u << coll_log2_above(members);
    if (v)
        irecv(r, place(v - low), 0, bytes);
    waitall(r);
    for (uint32_t d = low / 2; d; d /= 2)
        if (v + d < members)
            isend(r, place(v + d), 0, bytes);
    waitall(r);
}

static void hand_ring(struct rank *r)
{
    uint32_t n = members, me = r->id;
    for (uint32_t k = 0; k + 1 < n; k++) {
        irecv(r, (me + n - 1) % n, (me + 2 * n - k - 1) % n * bytes, bytes);
        isend(r, (me + 1) % n, (me + n - k) % n * bytes, bytes);
        waitall(r);
    }
}

static void reduce(struct rank *r)
{
    double seconds = (double)bytes * coll_reduce_cost(stage.settings);
    if (seconds > 0)
        rank_spend(r, seconds);
}

static void hand_doubling(struct rank *r) /* a power of two of members */
{
    for (uint32_t d = 1; d < members; d *= 2) {
        irecv(r, r->id ^ d, bytes, bytes);
        isend(r, r->id ^ d, 0, bytes);
        waitall(r);
        reduce(r);
    }
}

static void hand_gather(struct rank *r)
{
    for (uint32_t p = 0; r->id == root && p < members; p++)
        if (p != root)
            irecv(r, p, p * bytes, bytes);
    if (r->id != root)
        isend(r, root, 0, bytes);
    waitall(r);
}

/* The root has at most three sends under way. */
static void hand_scatter_windows(struct rank *r)
{
    if (r->id != root)
        irecv(r, root, 0, bytes);
    for (uint32_t k = 0; r->id == root && k + 1 < members; k++) {
        uint32_t to = k < root ? k : k + 1;
        if (k >= WINDOW) {
            p2p_wait_any(r, &of_rank[r->id][k - WINDOW], 1, "hand");
            rank_catch_up(r);
        }
        isend(r, to, to * bytes, bytes);
    }
    waitall(r);
}

/* Sends before receives, which come meanwhile. */
static void hand_alltoall(struct rank *r)
{
    uint32_t n = members, me = r->id;
    for (uint32_t d = n - 1; d; d--)
        irecv(r, (me + n - d) % n, (me + n - d) % n * bytes, bytes);
    for (uint32_t d = 1; d < n; d++)
        isend(r, (me + d) % n, (me + d) % n * bytes, bytes);
    waitall(r);
}

static void hand_scan(struct rank *r)
{
    if (r->id) {
        irecv(r, r->id - 1, 0, bytes);
        waitall(r);
        reduce(r);
    }
    if (r->id + 1 < members)
        isend(r, r->id + 1, 0, bytes);
    waitall(r);
}

/* --- both ----------------------------------------------------------------------------------------- */

static void (*hand)(struct rank *r);

static void body(struct rank *r)
{
    struct coll_call call = {.name = "coll",
                             .op = op,
                             .group = {0, 1, members, 0, NULL},
                             .me = r->id,
                             .source = stage_at(r, 0),
                             .dest = stage_at(r, AREA),
                             .bytes = bytes,
                             .element = op == COLL_ALLTOALL ? bytes : 1,
                             .root = root,
                             .operator= {TYPES_MAX, TYPES_CHAR, false} };
    call.transport = stage_two_sided();
    engine_sleep(r->engine, 1e-6 * (double)(r->id * seed % 37) / 3);
    for (int k = 0; k < 3; k++) {
        if (by_hand)
            hand(r);
        else
            coll_run(r, &call);
        rank_catch_up(r);
    }
    left[by_hand][r->id] = engine_now(r->engine);
}

static const char *overlap, *issue = "0:1us:0.25ns";

static void run(void)
{
    char key[32];
    snprintf(key, sizeof key, "coll/%s", coll_op_name(op));
    stage_prepare(members, 2 * AREA);
    ranks_setting(&stage, key, algorithm);
    ranks_setting(&stage, "coll/reduce-bandwidth", "1GBps");
    ranks_setting(&stage, "coll/window", "3");
    ranks_setting(&stage, "smpi/ois", issue);
    ranks_setting(&stage, "smpi/or", "0:3us:1ns");
    ranks_setting(&stage, "smpi/async-small-thresh", "1000");
    ranks_setting(&stage, "smpi/send-is-detached-thresh", "10000");
    ranks_setting(&stage, "smpi/overlap-send", overlap);
    stage_begin(platform_default(64), 2);
    if (stage_run(body) != ENGINE_ALL_DONE)
        fail_msg("%s", stage.report);
    ranks_end(&stage);
}

/* In all modes of messages, with ranks that come at different times. */
static void compare(enum coll_op what, const char *name, void (*f)(struct rank *r), uint32_t n)
{
    static const size_t sizes[] = {8, 800, 8000, 30000};
    op = what;
    algorithm = name;
    hand = f;
    members = n;
    for (unsigned k = 0; k < 2 * BASE_LENGTH(sizes); k++) {
        overlap = k % 2 ? "yes" : "no";
        bytes = sizes[k / 2];
        seed = k + 1;
        root = coll_op_is_rooted(op) ? k % n : 0;
        by_hand = true;
        run();
        by_hand = false;
        run();
        for (uint32_t r = 0; r < n; r++)
            if (left[0][r] != left[1][r])
                fail_msg("%s by %s, %zu bytes, rank %u of %u, overlap %s: %.17g us, by hand %.17g us",
                         coll_op_name(op), name, bytes, r, n, overlap, left[0][r] * 1e6, left[1][r] * 1e6);
    }
}

static void test_broadcast(void **state)
{
    (void)state;
    compare(COLL_BROADCAST, "binomial", hand_broadcast, 8);
    compare(COLL_BROADCAST, "binomial", hand_broadcast, 13);
}
static void test_ring(void **state)
{
    (void)state;
    compare(COLL_FCOLLECT, "ring", hand_ring, 5);
    compare(COLL_FCOLLECT, "ring", hand_ring, 12);
}
static void test_doubling(void **state)
{
    (void)state;
    compare(COLL_REDUCE, "recursive-doubling", hand_doubling, 8);
    compare(COLL_REDUCE, "recursive-doubling", hand_doubling, 16);
}
static void test_gather(void **state)
{
    (void)state;
    compare(COLL_GATHER, "linear", hand_gather, 9);
}
static void test_scatter(void **state)
{
    (void)state;
    compare(COLL_SCATTER, "window", hand_scatter_windows, 11);
    issue = "0:0.1us:0"; /* so that sends wait for each other */
    compare(COLL_SCATTER, "window", hand_scatter_windows, 11);
}
static void test_alltoall(void **state)
{
    (void)state;
    compare(COLL_ALLTOALL, "linear", hand_alltoall, 11);
}
static void test_scan(void **state)
{
    (void)state;
    compare(COLL_INSCAN, "linear", hand_scan, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_broadcast), cmocka_unit_test(test_ring),     cmocka_unit_test(test_doubling),
        cmocka_unit_test(test_gather),    cmocka_unit_test(test_alltoall), cmocka_unit_test(test_scan),
        cmocka_unit_test(test_scatter), /* the last: it changes the cost of a send */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
