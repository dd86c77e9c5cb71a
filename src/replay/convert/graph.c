/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * graph: actions as a schedule. A rank's program goes on from an operation when it has ended, or, if it is not waited
 * for, when it has started; so each operation depends on the one before it. A wait adds those that it waits for.
 */
#include "p2p/p2p.h"
#include "replay/convert/graph.h"

#include <math.h>
#include <stdlib.h>

/* --- operations -------------------------------------------------------------------------------------------- */

static void edge(struct replay_graph *x, uint32_t before, uint32_t after, bool start)
{
    const struct replay_goal_edge e = {before, after, start};
    BASE_ARRAY_PUSH(&x->draft.edges, e);
}

void replay_graph_edge(struct replay_graph *x, uint32_t before, uint32_t after)
{
    edge(x, before, after, false);
}

void replay_graph_edge_start(struct replay_graph *x, uint32_t before, uint32_t after)
{
    edge(x, before, after, true);
}

uint32_t replay_graph_put(struct replay_graph *x, const struct replay_goal_op *op)
{
    BASE_ARRAY_PUSH(&x->draft.ops, *op);
    return (uint32_t)x->draft.ops.n - 1;
}

uint32_t replay_graph_add(struct replay_graph *x, const struct replay_goal_op *op)
{
    uint32_t k = replay_graph_put(x, op);
    for (size_t i = 0; i < x->ended.n; i++)
        edge(x, x->ended.at[i], k, false);
    if (x->started != REPLAY_NO_OP)
        edge(x, x->started, k, true);
    x->ended.n = 0;
    x->started = k;
    return k;
}

void replay_graph_wait(struct replay_graph *x, uint32_t op)
{
    BASE_ARRAY_PUSH(&x->ended, op);
    if (x->started == op)
        x->started = REPLAY_NO_OP;
}

/* Fractions of nanoseconds go to the next calculation. */
static void calculate(struct replay_graph *x, double seconds)
{
    double ns = seconds * 1e9 + x->rest, whole = floor(ns);
    if (!(whole >= 1)) {
        x->rest = ns;
        return;
    }
    x->rest = ns - whole;
    uint64_t size = whole < 0x1p62 ? (uint64_t)whole : UINT64_C(1) << 62;
    replay_graph_wait(
        x, replay_graph_add(x, &(struct replay_goal_op){.kind = REPLAY_GOAL_CALCULATION, .size = size}));
}

/* --- actions ------------------------------------------------------------------------------------------------ */

static void unsay(struct replay_graph *x, const struct replay_action *a, const char *became)
{
    replay_unsay(x->sink.out, replay_name_of(a), became);
}

static struct replay_goal_op send_of(uint32_t to, int32_t tag, uint64_t bytes)
{
    return (struct replay_goal_op){.kind = REPLAY_GOAL_SEND, .peer = to, .tag = (uint32_t)tag, .size = bytes};
}

static struct replay_goal_op receive_of(uint32_t from, int32_t tag, uint64_t bytes)
{
    return (struct replay_goal_op){.kind = REPLAY_GOAL_RECEIVE,
                                   .peer = from == REPLAY_ANY ? (uint32_t)REPLAY_GOAL_ANY : from,
                                   .tag = tag == REPLAY_ANY_TAG ? (uint32_t)REPLAY_GOAL_ANY : (uint32_t)tag,
                                   .size = bytes};
}

static void message(struct replay_graph *x, uint32_t rank, const struct replay_action *a)
{
    bool sends = a->kind == REPLAY_SEND || a->kind == REPLAY_ISEND;
    uint64_t bytes = a->bytes;
    if (sends && a->number != P2P_STANDARD)
        unsay(x, a, "in standard mode");
    if (bytes == REPLAY_UNKNOWN_SIZE) {
        unsay(x, a, "of the largest message that the rank gets, where its size is not known");
        bytes = x->largest[rank];
    }
    const struct replay_goal_op op =
        sends ? send_of(a->peer, a->tag, bytes) : receive_of(a->peer, a->tag, bytes);
    uint32_t k = replay_graph_add(x, &op);
    if (a->kind == REPLAY_ISEND || a->kind == REPLAY_IRECV)
        replay_started_add(&x->open, a, rank, k);
    else
        replay_graph_wait(x, k);
}

static void exchange(struct replay_graph *x, uint32_t rank, const struct replay_action *a)
{
    if (a->peer == rank && a->peer2 == rank) /* of no time in SMPI's traces */
        return;
    const struct replay_goal_op s = send_of(a->peer, 0, a->bytes), r = receive_of(a->peer2, 0, a->bytes2);
    uint32_t sent = replay_graph_add(x, &s), received = replay_graph_add(x, &r);
    replay_graph_wait(x, sent);
    replay_graph_wait(x, received);
}

static void wait(struct replay_graph *x, const struct replay_action *a)
{
    size_t k = a->kind == REPLAY_WAIT_LAST ? x->open.n - 1 : replay_started_find(&x->open, a);
    if (k >= x->open.n)
        return;
    replay_graph_wait(x, x->open.at[k].op);
    replay_started_take(&x->open, k);
}

static void wait_all(struct replay_graph *x)
{
    for (size_t k = 0; k < x->open.n; k++)
        replay_graph_wait(x, x->open.at[k].op);
    x->open.n = 0;
}

static void compute(struct replay_graph *x, double flops)
{
    if (!(flops > 0))
        return;
    x->needs_speed |= !(x->sink.out->speed > 0);
    calculate(x, x->needs_speed ? 0 : flops / x->sink.out->speed);
}

static void put(struct replay_sink *s, uint32_t rank, const struct replay_action *a)
{
    struct replay_graph *x = (struct replay_graph *)(void *)s;
    switch (a->kind) {
    case REPLAY_COMPUTE:
        compute(x, a->amount);
        return;
    case REPLAY_SLEEP:
    case REPLAY_SECONDS:
        calculate(x, a->amount);
        return;
    case REPLAY_SEND:
    case REPLAY_ISEND:
    case REPLAY_RECV:
    case REPLAY_IRECV:
        message(x, rank, a);
        return;
    case REPLAY_SENDRECV:
        exchange(x, rank, a);
        return;
    case REPLAY_WAIT:
    case REPLAY_WAIT_LAST:
        wait(x, a);
        return;
    case REPLAY_WAITALL:
        wait_all(x);
        return;
    case REPLAY_TEST:
    case REPLAY_WAITANY:
    case REPLAY_TESTALL:
    case REPLAY_TESTANY:
        unsay(x, a, "left out");
        return;
    case REPLAY_SKIP:
        if (a->number)
            unsay(x, a, "left out");
        return;
    case REPLAY_COLLECTIVE:
    case REPLAY_ICOLLECTIVE:
        if (replay_graph_collective(x, rank, a))
            compute(x, a->amount);
        else
            unsay(x, a, "left out");
        return;
    default:
        if (replay_kind_is_of_threads(a->kind) || a->kind == REPLAY_MOVES || a->kind == REPLAY_PSTATE)
            unsay(x, a, "left out");
        return;
    }
}

static void end(struct replay_sink *s, uint32_t rank)
{
    struct replay_graph *x = (struct replay_graph *)(void *)s;
    replay_goal_add(x->goal, rank, &x->draft);
    replay_goal_draft_clear(&x->draft);
    x->ended.n = x->open.n = 0;
    x->started = REPLAY_NO_OP;
    x->rest = 0;
    x->pending.n = 0;
    replay_steps_next_rank(&x->steps);
    if (rank + 1 < replay_goal_ranks(x->goal))
        replay_graph_begin_rank(x, rank + 1);
}

/* --- before ------------------------------------------------------------------------------------------------- */

static void note(struct replay_graph *x, const struct replay_action *a)
{
    bool sends = a->kind == REPLAY_SEND || a->kind == REPLAY_ISEND || a->kind == REPLAY_SENDRECV;
    if (sends && a->bytes > x->largest[a->peer])
        x->largest[a->peer] = a->bytes;
}

static void survey(struct replay_graph *x, struct replay_tape *t)
{
    for (uint32_t rank = 0; rank < replay_tape_ranks(t); rank++) {
        struct replay_cursor c;
        struct replay_action a = {0};
        replay_cursor_begin(t, rank, &c);
        while (replay_cursor_next(t, &c, &a))
            note(x, &a);
        replay_cursor_end(&c);
    }
}

struct replay_goal *replay_convert_graph(struct replay_tape *t, struct replay_conversion *out,
                                         struct base_status *st)
{
    uint32_t ranks = replay_tape_ranks(t);
    struct replay_graph x = {.sink = {.put = put, .end = end, .remote = &replay_graph_remote, .out = out}, .started = REPLAY_NO_OP};
    if (replay_steps_init(&x.steps, t, out, st)) {
        replay_steps_release(&x.steps);
        return NULL;
    }
    x.goal = replay_goal_create(ranks);
    x.largest = base_zalloc(ranks * sizeof *x.largest, "sizes of messages");
    survey(&x, t);
    x.incoming = replay_incoming_find(t);
    if (ranks)
        replay_graph_begin_rank(&x, 0);
    replay_feed(t, &x.sink, false);
    replay_steps_release(&x.steps);
    replay_goal_draft_release(&x.draft);
    free(x.ended.at);
    free(x.open.at);
    free(x.pending.at);
    free(x.largest);
    replay_incoming_destroy(x.incoming);
    if (!x.needs_speed)
        return x.goal;
    replay_goal_destroy(x.goal);
    base_fail(
        st,
        "schedules in GOAL have computation in nanoseconds, and this trace has flops: --speed says how fast "
        "cores are");
    return NULL;
}
