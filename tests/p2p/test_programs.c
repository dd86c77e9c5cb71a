/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs of calls that block. A list of messages is drawn, and every rank goes through it in order:
 * it sends those that are its own, and receives those that are for it, so that no rank waits for ever,
 * whatever the modes. Ranks of equal speed do the same at the same instants all the time. Data are right,
 * times are the same in another run, without running ahead, and with ranks that share a stack.
 */
#include "world.h"

enum { RANKS = 9, MESSAGES = 1500, MOST_BYTES = 30000, WINDOW = 8 };
struct message {
    uint32_t from, to;
    int32_t tag;
    uint64_t bytes;
    enum p2p_sending how;
    bool nonblocking; /* the send; it is waited for later */
    bool any_tag;     /* the receive */
};
static struct message plan[MESSAGES];
static double times[2][MESSAGES][2]; /* when its send and its receive were over */
static int pass;
static bool beside;

static void draw(struct base_random *r)
{
    static const uint64_t most[] = {1, 100, 1500, 12000, MOST_BYTES};
    for (int k = 0; k < MESSAGES; k++) {
        struct message *m = &plan[k];
        m->from = (uint32_t)base_random_below(r, RANKS);
        m->to = (uint32_t)base_random_below(r, RANKS);
        m->tag = (int32_t)base_random_below(r, 4);
        m->bytes = base_random_below(r, most[base_random_below(r, BASE_LENGTH(most))]);
        m->how = (enum p2p_sending[]){P2P_STANDARD, P2P_SYNCHRONOUS, P2P_BUFFERED}[base_random_below(r, 3)];
        m->nonblocking = m->from == m->to || base_random_below(r, 2); /* nobody waits for itself */
        m->any_tag = base_random_below(r, 3) == 0;
    }
}

struct window {
    struct p2p_request *q[WINDOW];
    int message[WINDOW];
    size_t n;
};

static void close_window(struct rank *r, struct window *w)
{
    p2p_wait_all(r, w->q, w->n, "waitall");
    for (size_t k = 0; k < w->n; k++) {
        times[pass][w->message[k]][0] = p2p_status(w->q[k])->time;
        p2p_request_destroy(w->q[k]);
    }
    w->n = 0;
}

/* Each open send has an area of its own behind the first two. */
static void send_one(struct rank *r, int k, struct window *w)
{
    const struct message *m = &plan[k];
    size_t at = (m->nonblocking ? 2 + w->n : 1) * MOST_BYTES;
    fill(r, at, m->bytes, (uint64_t)k);
    if (!m->nonblocking) {
        send_to(r, m->to, m->tag, at, m->bytes, m->how);
        times[pass][k][0] = rank_now(r);
        return;
    }
    w->message[w->n] = k;
    w->q[w->n++] = isend_to(r, m->to, m->tag, at, m->bytes, m->how);
}

/* All earlier ones of that sender have been received: with any tag, too, it is this one. */
static void receive_one(struct rank *r, int k)
{
    const struct message *m = &plan[k];
    struct p2p_status st = receive_from(r, m->from, m->any_tag ? P2P_ANY_TAG : m->tag, 0, MOST_BYTES);
    assert_int_equal(st.outcome, P2P_OK);
    assert_int_equal(st.bytes, m->bytes);
    has(r, 0, m->bytes, (uint64_t)k);
    times[pass][k][1] = rank_now(r);
}

static void body(struct rank *r)
{
    struct window w = {.n = 0};
    r->issuing = !beside;
    for (int k = 0; k < MESSAGES; k++) {
        if (plan[k].from == r->id)
            send_one(r, k, &w);
        if (plan[k].to == r->id)
            receive_one(r, k);
        if (w.n == WINDOW)
            close_window(r, &w);
    }
    close_window(r, &w);
}

static void run(const char *stacks)
{
    world_prepare(RANKS);
    ranks_setting(&world, "fold/stacks", stacks);
    world_begin();
    world.all = body;
    if (ranks_run(&world) != ENGINE_ALL_DONE)
        fail_msg("%s", world.report);
    none_left();
    world_end();
}

static void again(const char *how, const char *stacks)
{
    run(stacks);
    for (int k = 0; k < MESSAGES; k++)
        for (int side = 0; side < 2; side++)
            if (times[0][k][side] != times[1][k][side])
                fail_msg("message %d, %s: %.17g us %s, %.17g us before", k, side ? "receive" : "send",
                         times[1][k][side] / US, how, times[0][k][side] / US);
}

static void the_same_in_every_way(void **state)
{
    uint64_t first = test_seed();
    (void)state;
    for (uint64_t round = 0; round < 4; round++) {
        struct base_random r;
        base_random_seed(&r, first + round, 0);
        draw(&r);
        pass = 0;
        beside = false;
        run("own");
        pass = 1;
        again("again", "own");
        again("with shared stacks", "shared");
        beside = true;
        again("beside the clock", "own");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_in_every_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
