/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list: a schedule as actions, one after the other: in the order in which they stand, as far as none waits for a later
 * one. Messages are started, and waited for before the first operation that requires their end.
 */
#include "replay/convert/parts.h"

#include "p2p/p2p.h"

#include <stdlib.h>

/* Of the rank that is read. */
struct lister {
    const struct replay_goal *g;
    struct replay_tape *to;
    struct replay_conversion *out;
    uint32_t rank, n;
    struct replay_goal_op *op;
    uint32_t *waits;  /* for how many others an operation does yet */
    uint32_t *order;  /* the operations */
    uint32_t *before; /* dependencies, by who waits: before[k + 1] ends those of k */
    struct replay_goal_edge *edge;
    bool *open; /* a message that was started and not waited for */
};

static void read_edges(struct lister *x)
{
    for (uint32_t k = 0; k <= x->n; k++)
        x->before[k] = 0;
    for (uint32_t k = 0; k < x->n; k++)
        x->before[k + 1] = x->op[k].waits;
    for (uint32_t k = 0; k < x->n; k++)
        x->before[k + 1] += x->before[k];
    for (uint32_t k = 0; k < x->n; k++) {
        const struct replay_goal_waiting w = replay_goal_waiting(x->g, x->rank, k);
        for (uint32_t i = 0; i < w.ends + w.starts; i++) {
            uint32_t after = k + (i < w.ends ? w.end[i] : w.start[i - w.ends]);
            x->edge[x->before[after] + x->waits[after]++] = (struct replay_goal_edge){k, after, i >= w.ends};
        }
    }
}

/* The operations in an order in which none waits for a later one; returns how many there are: those of a circle are
 * not. */
static uint32_t sort(struct lister *x)
{
    uint32_t n = 0;
    for (uint32_t k = 0, from = 0; k < x->n; k++) {
        if (x->op[k].waits)
            continue;
        for (x->order[n++] = k; from < n; from++) {
            uint32_t before = x->order[from];
            const struct replay_goal_waiting w = replay_goal_waiting(x->g, x->rank, before);
            for (uint32_t i = 0; i < w.ends + w.starts; i++) {
                uint32_t after = before + (i < w.ends ? w.end[i] : w.start[i - w.ends]);
                if (!--x->waits[after])
                    x->order[n++] = after;
            }
        }
    }
    return n;
}

/* Whether they stand in such an order already, as they mostly do. */
static bool in_order(const struct lister *x)
{
    for (uint32_t e = 0; e < x->before[x->n]; e++)
        if (x->edge[e].before >= x->edge[e].after)
            return false;
    return true;
}

/* --- actions ------------------------------------------------------------------------------------------------- */

static int32_t tag_of(struct lister *x, const struct replay_goal_op *o)
{
    if (o->tag == REPLAY_GOAL_ANY)
        return o->kind == REPLAY_GOAL_SEND ? INT32_MAX : REPLAY_ANY_TAG;
    if (o->tag > INT32_MAX)
        replay_unsay(x->out, "tags of 2^31 and more", "without the highest bit");
    return (int32_t)(o->tag & INT32_MAX);
}

static void put_wait(struct lister *x, uint32_t op)
{
    const struct replay_goal_op *o = &x->op[op];
    bool sends = o->kind == REPLAY_GOAL_SEND;
    const struct replay_action a = {.kind = REPLAY_WAIT,
                                    .peer = sends ? x->rank : o->peer,
                                    .peer2 = sends ? o->peer : x->rank,
                                    .tag = tag_of(x, o)};
    x->open[op] = false;
    replay_tape_write(x->to, x->rank, &a);
}

static void put_operation(struct lister *x, uint32_t op)
{
    const struct replay_goal_op *o = &x->op[op];
    struct replay_action a = {.kind = REPLAY_SECONDS, .amount = (double)o->size * 1e-9};
    if (o->kind != REPLAY_GOAL_CALCULATION)
        a = (struct replay_action){.kind = o->kind == REPLAY_GOAL_SEND ? REPLAY_ISEND : REPLAY_IRECV,
                                   .peer = o->peer,
                                   .tag = tag_of(x, o),
                                   .bytes = o->size,
                                   .number = P2P_STANDARD};
    x->open[op] = o->kind != REPLAY_GOAL_CALCULATION;
    replay_tape_write(x->to, x->rank, &a);
}

/* Waits for what an operation requires; the order of two that need not follow each other is of this list's making. */
static void put(struct lister *x, uint32_t op, uint32_t last)
{
    bool follows = last == op;
    for (uint32_t e = x->before[op]; e < x->before[op + 1]; e++) {
        follows |= x->edge[e].before == last;
        if (!x->edge[e].start && x->open[x->edge[e].before])
            put_wait(x, x->edge[e].before);
    }
    if (!follows)
        replay_unsay(x->out, "operations in no order", "in one");
    if (x->op[op].cpu)
        replay_unsay(x->out, "operations of another CPU", "on the one that there is");
    put_operation(x, op);
}

static void list_rank(struct lister *x)
{
    size_t listed = 0;
    replay_goal_records(x->g, x->rank, &x->n);
    x->op = base_alloc((x->n + 1) * sizeof *x->op, "a schedule");
    for (uint32_t k = 0; k < x->n; k++) {
        x->op[k] = replay_goal_op(x->g, x->rank, k);
        listed += x->op[k].waits;
    }
    x->waits = base_zalloc((x->n + 1) * sizeof *x->waits, "a schedule");
    x->order = base_alloc((x->n + 1) * sizeof *x->order, "a schedule");
    x->before = base_alloc((x->n + 1) * sizeof *x->before, "a schedule");
    x->edge = base_alloc((listed + 1) * sizeof *x->edge, "a schedule");
    x->open = base_zalloc(x->n + 1, "a schedule");
    read_edges(x); /* which leaves in `waits` how many each has */
    bool ordered = in_order(x);
    uint32_t n = ordered ? x->n : sort(x);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t op = ordered ? k : x->order[k];
        put(x, op, !k ? op : ordered ? k - 1 : x->order[k - 1]);
    }
    for (; n < x->n; n++)
        replay_unsay(x->out, "operations that wait for each other", "left out");
    free(x->op);
    free(x->waits);
    free(x->order);
    free(x->before);
    free(x->edge);
    free(x->open);
}

struct replay_tape *replay_convert_list(const struct replay_goal *g, struct replay_conversion *out)
{
    struct lister x = {.g = g, .to = replay_tape_create(), .out = out};
    replay_tape_ranks_least(x.to, replay_goal_ranks(g));
    for (x.rank = 0; x.rank < replay_goal_ranks(g); x.rank++)
        list_rank(&x);
    replay_tape_seal(x.to);
    return x.to;
}
