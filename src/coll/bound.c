/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bound: a time below which no algorithm can be, by the latencies and bandwidths of the platform: some member,
 * or all members of some host together, have to send or receive so many bytes, and the first of them takes a
 * message's time. With a reduction, combined operands count once (Chan, Heimlich, Purkayastha, van de Geijn,
 * "Collective communication: theory, practice, and experience", CCPE 19(13), 2007, section 3).
 */
#include "coll/exec.h"

#include <math.h>

enum { PAIRS = 64 };

/* The fastest of some pairs of members, and the longest way that data must take. */
struct speeds {
    double least, longest; /* seconds of an empty message */
    double byte;           /* seconds, between hosts if there are two */
};

static void measure(struct speeds *s, const struct coll_group_record *g, const struct coll_call *c,
                    uint32_t k)
{
    const struct coll_exec *x = g->exec;
    uint32_t fixed = coll_op_is_rooted(c->op) ? c->root : 0;
    bool up = c->op == COLL_GATHER || c->op == COLL_GATHERV || c->op == COLL_REDUCE_ROOT;
    const struct rank *a = x->runtime->rank(x->ctx, coll_group_rank(&g->key, fixed));
    const struct rank *b = x->runtime->rank(x->ctx, coll_group_rank(&g->key, k));
    const struct rank *from = up ? b : a, *to = up ? a : b;
    double empty = c->transport->ops->message_time(c->transport->ctx, from, to);
    double byte = c->transport->ops->byte_time(c->transport->ctx, from, to);
    s->least = empty < s->least ? empty : s->least;
    s->longest = empty > s->longest ? empty : s->longest;
    if (!g->hosts || g->hosts->count == 1 || a->host != b->host)
        s->byte = byte < s->byte ? byte : s->byte;
}

/* The smallest host: the others' data are the most for it. */
static uint32_t fewest(const struct coll_hosts *l)
{
    uint32_t n = UINT32_MAX;
    for (uint32_t h = 0; h < l->count; h++)
        if (l->first[h + 1] - l->first[h] < n)
            n = l->first[h + 1] - l->first[h];
    return n;
}

/* Bytes that cross the border of a host with p of the n members; h hosts. */
static double crossing(const struct coll_call *c, double n, double p, double h)
{
    double m = (double)c->bytes;
    switch (c->op) {
    case COLL_BROADCAST:
    case COLL_REDUCE_ROOT:
    case COLL_INSCAN:
    case COLL_EXSCAN:
        return m;
    case COLL_FCOLLECT:
    case COLL_GATHER:
    case COLL_SCATTER:
        return (n - p) * m;
    case COLL_ALLTOALL:
        return p * (n - p) * m;
    case COLL_REDUCE:
        return 2 * (h - 1) / h * m;
    case COLL_REDUCE_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        return c->local && c->local->source.counts ? 0 : (n - p) * m;
    default: /* sizes differ, or nothing is sent */
        return 0;
    }
}

double coll_bound(struct coll_group_record *g, const struct coll_call *c)
{
    uint32_t n = g->key.size, fixed = coll_op_is_rooted(c->op) ? c->root : 0;
    const struct coll_hosts *l = coll_group_hosts(g);
    struct speeds s = {.least = INFINITY, .byte = INFINITY};
    if (n < 2)
        return 0;
    for (uint32_t k = 0; k < PAIRS; k++) {
        uint32_t place = (uint32_t)((uint64_t)(n - 1) * (k + 1) / PAIRS);
        if (place != fixed)
            measure(&s, g, c, place);
    }
    bool shared = l && l->count > 1;
    double p = shared ? fewest(l) : 1, hosts = shared ? l->count : n;
    if (c->op == COLL_GATHER || c->op == COLL_SCATTER)
        p = shared ? l->first[l->host[c->root] + 1] - l->first[l->host[c->root]] : 1;
    double bytes = isfinite(s.byte) ? crossing(c, n, p, hosts) * s.byte : 0;
    return fmax(s.longest, s.least + bytes);
}
