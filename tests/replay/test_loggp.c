/* SPDX-License-Identifier: BSD-3-Clause */
/* The LogGP model: ends by hand, and random schedules against LogGOPSim's own loop, in which everything is one queue
 * of events and what is blocked is put back. */
#include "replay/goal_text.h"
#include "replay/loggp/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void ended(void *arg, uint32_t rank)
{
    if (arg)
        ((uint32_t *)arg)[rank]++;
}

static const struct replay_loggp_parameters hand = {
    .L = 100, .o = 10, .g = 30, .G = 2, .O = 1, .S = 50, .compute_scale = 1};

static struct replay_loggp *play(const char *text, const struct replay_loggp_parameters *p,
                                 struct replay_goal **g)
{
    struct base_status st = {""};
    *g = goal_read(text, strlen(text), &st);
    struct replay_loggp *x = *g ? replay_loggp_create(*g, p, ended, NULL, &st) : NULL;
    if (!x)
        fail_msg("%s", st.text);
    while (replay_loggp_advance(x, 1))
        continue;
    return x;
}

/* Ends of rank 0 and 1, in ns. */
static void takes(const char *text, const struct replay_loggp_parameters *p, double end0, double end1)
{
    struct replay_goal *g;
    struct replay_loggp *x = play(text, p, &g);
    if (replay_loggp_end(x, 0) != end0 || replay_loggp_end(x, 1) != end1)
        fail_msg("%s: ends at %g and %g, expected %g and %g", text, replay_loggp_end(x, 0),
                 replay_loggp_end(x, 1), end0, end1);
    assert_int_equal(replay_loggp_left(x, 0) + replay_loggp_left(x, 1), 0);
    replay_loggp_destroy(x);
    replay_goal_destroy(g);
}

static void ends_by_hand(void **state)
{
    (void)state;
    /* o + 10 O; then o + L, and o + 10 G there */
    takes("num_ranks 2\nrank 0 {\nsend 11b to 1\n}\nrank 1 {\nrecv 11b from 0\n}\n", &hand, 20, 140);
    /* the second send waits for the NIC: g + 10 G = 50; its message for the first one's NIC: 110 + 50 */
    takes("num_ranks 2\nrank 0 {\nsend 11b to 1\nsend 1b to 1\n}\nrank 1 {\nrecv 11b from 0\nrecv 1b from "
          "0\n}\n",
          &hand, 60, 170);
    /* it is there before its receive, which takes nothing more; an empty message is as one of a byte */
    takes(
        "num_ranks 2\nrank 0 {\nsend 0b to 1\n}\nrank 1 {\na: calc 500\nb: recv 0b from 0\nb requires a\n}\n",
        &hand, 10, 510);
    /* of more than S bytes: the calculation waits until the receive is there, at 500 */
    takes("num_ranks 2\nrank 0 {\na: send 51b to 1\nb: calc 7\nb requires a\n}\n"
          "rank 1 {\na: calc 500\nb: recv 51b from 0\nb requires a\n}\n",
          &hand, 500 + 7, 500 + 110);
    struct replay_loggp_parameters half = hand;
    half.compute_scale = 0.5;
    takes("num_ranks 2\nrank 0 {\na: calc 100\nb: calc 60\nb irequires a\n}\nrank 1 {\n}\n", &half, 80, 0);
}

/* Two CPUs work at once; what waits for the other one's end waits. */
static void cpus_work_at_once(void **state)
{
    (void)state;
    takes("num_ranks 2\nrank 0 {\na: calc 100\nb: calc 60 cpu 1\n}\nrank 1 {\n}\n", &hand, 100, 0);
    takes("num_ranks 2\nrank 0 {\na: calc 100\nb: calc 60 cpu 1\nb requires a\nc: calc 5\nc requires "
          "b\n}\nrank 1 {\n}\n",
          &hand, 165, 0);
    takes("num_ranks 2\nrank 0 {\na: calc 100\nb: calc 160 cpu 1\nb irequires a\n}\nrank 1 {\n}\n", &hand,
          160, 0);
}

static double slow_first(void *arg, uint32_t from, uint32_t to, double sent, double L)
{
    (void)arg, (void)to;
    return sent + (from == 1 ? 10 : 1) * L;
}

static double interrupted(void *arg, uint32_t rank, double at, double length)
{
    (void)arg;
    return rank == 0 ? at / 10 + length : 0;
}

static double half_bandwidth(void *arg, uint32_t rank, double G)
{
    (void)arg, (void)rank;
    return 2 * G;
}

/* Messages that are sent at one time arrive at several, each of which the receiver's CPU is busy for o. */
static void noise_is_added(void **state)
{
    static const char two[] =
        "num_ranks 3\nrank 0 {\nrecv 1b from 1\nrecv 1b from 2\n}\nrank 1 {\nsend 1b to 0\n}\n"
        "rank 2 {\nsend 1b to 0\n}\n";
    (void)state;
    struct replay_loggp_parameters p = hand;
    p.noise.arrival = slow_first;
    takes(two, &p, 10 + 1000 + 10, 10);
    /* at 110 rank 0 takes a message: o, and 11 + o; at 1010 the other one: o, and 101 + o */
    p.noise.late = interrupted;
    takes(two, &p, 1010 + 10 + 101 + 10, 10);
    p = hand;
    p.noise.byte_gap = half_bandwidth;
    takes("num_ranks 2\nrank 0 {\nsend 11b to 1\n}\nrank 1 {\nrecv 11b from 0\n}\n", &p, 20, 110 + 10 + 40);
    p = hand;
    p.noise.late = interrupted; /* a calculation of 100 takes as long again, and 20 more for the one at 200 */
    takes("num_ranks 2\nrank 0 {\na: calc 100\nb: calc 100\nb requires a\n}\nrank 1 {\n}\n", &p,
          200 + 100 + 120, 0);
}

/* Many messages on their way, in another order than they were sent in: each is there once. */
static void late_messages_arrive(void **state)
{
    enum { MESSAGES = 3000 };
    static char text[200 * MESSAGES];
    struct replay_goal *g;
    size_t n = (size_t)snprintf(text, sizeof text, "num_ranks 3\n");
    (void)state;
    for (unsigned rank = 1; rank < 3; rank++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "rank %u {\n", rank);
        for (unsigned k = 0; k < MESSAGES; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, "send 1b to 0 tag %u\n", k);
        n += (size_t)snprintf(text + n, sizeof text - n, "}\n");
    }
    n += (size_t)snprintf(text + n, sizeof text - n, "rank 0 {\n");
    for (unsigned k = 0; k < 2 * MESSAGES; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "recv 1b from %u tag %u\n", 1 + k % 2, k / 2);
    snprintf(text + n, sizeof text - n, "}\n");
    struct replay_loggp_parameters p = hand;
    p.L = 1e6;
    p.noise.arrival = slow_first;
    struct replay_loggp *x = play(text, &p, &g);
    const struct replay_loggp_counts c = replay_loggp_counts(x);
    assert_int_equal(replay_loggp_left(x, 0), 0);
    assert_int_equal(c.unreceived, 0);
    assert_int_equal(c.messages, 2 * MESSAGES);
    assert_int_equal(c.events, 6 * MESSAGES);
    assert_true(replay_loggp_end(x, 0) == 10 + 30.0 * (MESSAGES - 1) + 1e7 + 10);
    replay_loggp_destroy(x);
    replay_goal_destroy(g);
}

static void unreceived_are_told(void **state)
{
    struct replay_goal *g;
    (void)state;
    struct replay_loggp *x = play("num_ranks 2\nrank 0 {\nsend 1b to 1 tag 3\nsend 1b to 1 tag 4\n}\n"
                                  "rank 1 {\nrecv 1b from -1 tag 4\nrecv 1b from 0 tag 5\n}\n",
                                  &hand, &g);
    assert_int_equal(replay_loggp_counts(x).unreceived, 1);
    assert_int_equal(replay_loggp_counts(x).messages, 2);
    assert_int_equal(replay_loggp_counts(x).events, 6);
    assert_int_equal(replay_loggp_left(x, 0), 0);
    assert_int_equal(replay_loggp_left(x, 1), 1);
    replay_loggp_destroy(x);
    replay_goal_destroy(g);
}

/* --- against one queue ------------------------------------------------------------------------------- */

/* As LogGOPSim has it: entries wait in one list, the first by (time, number) is taken, and put back if it cannot
 * start. Matching is by lists. One CPU and one NIC. */
enum { RANKS = 6, OPS = 40, MOST = 20000 };
struct entry {
    double at;
    uint64_t number;
    uint32_t rank, op, from; /* from: of a message its sender; else RANKS */
    bool used;
};
struct plain {
    const struct replay_loggp_parameters *p;
    struct replay_goal_op op[RANKS][OPS];
    struct replay_goal_record record[RANKS][OPS]; /* with kinds alone, for their order */
    struct replay_goal_edge edge[RANKS][4 * OPS];
    uint32_t n[RANKS], edges[RANKS], left[RANKS], ready[RANKS][OPS], readies[RANKS];
    double cpu[RANKS], sends[RANKS], receives[RANKS];
    struct entry queue[MOST], posted[RANKS][OPS], unexpected[RANKS][RANKS * OPS];
    uint32_t entries, posts[RANKS], arrived[RANKS];
    uint64_t number;
};

static void plain_push(struct plain *x, struct entry e)
{
    if (x->entries == MOST)
        fail_msg("too many events");
    x->queue[x->entries++] = e;
}

static void plain_mark(struct plain *x, uint32_t r, uint32_t op, bool start)
{
    x->left[r] -= !start;
    for (uint32_t k = 0; k < x->edges[r]; k++)
        if (x->edge[r][k].before == op && x->edge[r][k].start == start &&
            !--x->op[r][x->edge[r][k].after].waits)
            x->ready[r][x->readies[r]++] = x->edge[r][k].after;
}

static void plain_ready(struct plain *x)
{
    for (uint32_t r = 0; r < RANKS; r++) {
        replay_goal_order(x->record[r], x->ready[r], x->readies[r]);
        for (uint32_t k = 0; k < x->readies[r]; k++) {
            uint32_t op = x->ready[r][k];
            double at = x->cpu[r];
            if (x->op[r][op].kind == REPLAY_GOAL_SEND && x->sends[r] > at)
                at = x->sends[r];
            plain_push(x, (struct entry){at, x->number++, r, op, RANKS, false});
        }
        x->readies[r] = 0;
    }
}

static void plain_meet(struct plain *x, const struct entry *message, double now)
{
    uint32_t r = message->from;
    if (x->op[r][message->op].size <= x->p->S)
        return;
    plain_mark(x, r, message->op, false);
    x->cpu[r] = x->cpu[r] < now ? now : x->cpu[r];
    x->sends[r] = x->sends[r] < now ? now : x->sends[r];
}

static bool plain_wants(const struct replay_goal_op *o, uint32_t from, uint32_t tag)
{
    return (o->peer == from || o->peer == REPLAY_GOAL_ANY) && (o->tag == tag || o->tag == REPLAY_GOAL_ANY);
}

static void plain_receive(struct plain *x, const struct entry *e)
{
    uint32_t r = e->rank;
    plain_mark(x, r, e->op, true);
    for (uint32_t k = 0; k < x->arrived[r]; k++) {
        struct entry *m = &x->unexpected[r][k];
        if (m->used || !plain_wants(&x->op[r][e->op], m->from, x->op[m->from][m->op].tag))
            continue;
        m->used = true;
        plain_meet(x, m, e->at);
        plain_mark(x, r, e->op, false);
        return;
    }
    x->posted[r][x->posts[r]++] = *e;
}

static void plain_arrive(struct plain *x, const struct entry *e)
{
    const struct replay_goal_op *o = &x->op[e->from][e->op];
    double more = o->size ? (double)(o->size - 1) : 0;
    uint32_t r = e->rank;
    x->cpu[r] = e->at + x->p->o + more * (x->p->O > x->p->G ? x->p->O : x->p->G);
    x->receives[r] = e->at + x->p->g + more * x->p->G;
    for (uint32_t k = 0; k < x->posts[r]; k++) {
        struct entry *p = &x->posted[r][k];
        if (p->used || !plain_wants(&x->op[r][p->op], e->from, o->tag))
            continue;
        p->used = true;
        plain_meet(x, e, e->at);
        plain_mark(x, r, p->op, false);
        return;
    }
    x->unexpected[r][x->arrived[r]++] = *e;
}

/* When the entry can start at the earliest. */
static double plain_free(const struct plain *x, const struct entry *e)
{
    double nic = e->from < RANKS                                  ? x->receives[e->rank]
                 : x->op[e->rank][e->op].kind == REPLAY_GOAL_SEND ? x->sends[e->rank]
                                                                  : 0;
    if (e->from == RANKS && x->op[e->rank][e->op].kind == REPLAY_GOAL_RECEIVE)
        return 0;
    return x->cpu[e->rank] > nic ? x->cpu[e->rank] : nic;
}

static void plain_start(struct plain *x, const struct entry *e)
{
    const struct replay_goal_op *o = &x->op[e->rank][e->op];
    double more = o->size ? (double)(o->size - 1) : 0;
    if (e->from < RANKS) {
        plain_arrive(x, e);
    } else if (o->kind == REPLAY_GOAL_RECEIVE) {
        plain_receive(x, e);
    } else if (o->kind == REPLAY_GOAL_CALCULATION) {
        x->cpu[e->rank] = e->at + (double)o->size;
        plain_mark(x, e->rank, e->op, true);
        plain_mark(x, e->rank, e->op, false);
    } else {
        x->cpu[e->rank] = e->at + x->p->o + more * x->p->O;
        x->sends[e->rank] = e->at + x->p->g + more * x->p->G;
        plain_mark(x, e->rank, e->op, true);
        plain_push(x, (struct entry){e->at + x->p->o + x->p->L, x->number++, o->peer, e->op, e->rank, false});
        if (o->size <= x->p->S)
            plain_mark(x, e->rank, e->op, false);
    }
}

static void plain_play(struct plain *x)
{
    for (uint32_t r = 0; r < RANKS; r++)
        for (uint32_t k = 0; k < x->n[r]; k++)
            if (!x->op[r][k].waits)
                x->ready[r][x->readies[r]++] = k;
    plain_ready(x);
    for (;;) {
        struct entry *first = NULL;
        for (uint32_t k = 0; k < x->entries; k++) {
            struct entry *e = &x->queue[k];
            if (!e->used &&
                (!first || e->at < first->at || (e->at == first->at && e->number < first->number)))
                first = e;
        }
        if (!first)
            return;
        if (plain_free(x, first) > first->at) {
            first->at = plain_free(x, first);
            continue;
        }
        const struct entry e = *first;
        first->used = true;
        plain_start(x, &e);
        plain_ready(x);
    }
}

/* A send and its receive are drawn one after the other, and depend on what was drawn before. */
static void draw(struct plain *x, struct replay_goal *g, struct base_random *random)
{
    static const uint64_t sizes[] = {0, 1, 8, 50, 51, 1000};
    unsigned ops = 1 + (unsigned)base_random_below(random, RANKS * OPS / 3),
             wild = base_random_below(random, 4) == 0;
    for (unsigned k = 0; k < ops; k++) {
        uint32_t rank = (uint32_t)base_random_below(random, RANKS),
                 to = (uint32_t)base_random_below(random, RANKS);
        bool calc = base_random_below(random, 3) == 0;
        uint32_t tag = (uint32_t)base_random_below(random, 2);
        uint64_t size = sizes[(to + tag) % BASE_LENGTH(sizes)];
        for (unsigned half = 0; half < (calc ? 1U : 2U); half++) {
            uint32_t r = half ? to : rank;
            if (x->n[r] >= OPS)
                continue;
            uint32_t op = x->n[r]++;
            x->op[r][op] =
                (struct replay_goal_op){.size = calc ? base_random_below(random, 100) : size,
                                        .peer = half ? (wild ? (uint32_t)REPLAY_GOAL_ANY : rank) : to,
                                        .tag = tag,
                                        .kind = calc   ? REPLAY_GOAL_CALCULATION
                                                : half ? REPLAY_GOAL_RECEIVE
                                                       : REPLAY_GOAL_SEND};
            x->record[r][op].shape = x->op[r][op].kind;
            for (unsigned e = (unsigned)base_random_below(random, 3); e-- && op;) {
                uint32_t before = (uint32_t)base_random_below(random, op);
                x->edge[r][x->edges[r]++] =
                    (struct replay_goal_edge){before, op, base_random_below(random, 4) == 0};
                x->op[r][op].waits++;
            }
        }
    }
    for (uint32_t r = 0; r < RANKS; r++) {
        struct replay_goal_draft d = {{x->op[r], x->n[r], OPS}, {x->edge[r], x->edges[r], OPS}};
        replay_goal_add(g, r, &d);
        x->left[r] = x->n[r];
    }
}

static void is_loggopsims(void **state)
{
    static const struct replay_loggp_parameters p[] = {
        {.L = 100, .o = 10, .g = 30, .G = 2, .O = 1, .S = 50, .compute_scale = 1},
        {.L = 5, .o = 7, .g = 3, .G = 1, .O = 2, .S = 1000, .compute_scale = 1},
        {.S = 50, .compute_scale = 1},
        {.L = 1, .o = 1, .g = 50, .G = 1, .compute_scale = 1}};
    uint64_t stuck = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct base_random random;
        struct base_status st = {""};
        base_random_seed(&random, seed, 1);
        struct plain *x = calloc(1, sizeof *x);
        assert_non_null(x);
        x->p = &p[seed % BASE_LENGTH(p)];
        struct replay_goal *g = replay_goal_create(RANKS);
        uint32_t done[RANKS] = {0};
        draw(x, g, &random);
        plain_play(x);
        struct replay_loggp *y = replay_loggp_create(g, x->p, ended, done, &st);
        assert_non_null(y);
        while (replay_loggp_advance(y, 7))
            continue;
        for (uint32_t r = 0; r < RANKS; r++) {
            if (x->cpu[r] != replay_loggp_end(y, r) || x->left[r] != replay_loggp_left(y, r))
                fail_msg("seed %lu: rank %u ends at %g with %u left, expected %g, %u", (unsigned long)seed, r,
                         replay_loggp_end(y, r), replay_loggp_left(y, r), x->cpu[r], x->left[r]);
            assert_int_equal(done[r], x->n[r] && !x->left[r]);
            stuck += x->left[r] != 0;
        }
        assert_int_equal(replay_loggp_counts(y).events, x->number);
        replay_loggp_destroy(y);
        replay_goal_destroy(g);
        free(x);
    }
    assert_in_range(stuck, 1, 400 * RANKS / 2); /* some schedules wait for ever, not most */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_by_hand),        cmocka_unit_test(cpus_work_at_once),
        cmocka_unit_test(noise_is_added),      cmocka_unit_test(late_messages_arrive),
        cmocka_unit_test(unreceived_are_told), cmocka_unit_test(is_loggopsims),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
