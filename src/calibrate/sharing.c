/* SPDX-License-Identifier: BSD-3-Clause */
/* sharing: what a node's link carries for all its ranks together. Long messages tell. */
#include "calibrate/internal.h"

#include <math.h>
#include <stdlib.h>

uint64_t calibrate_longest(const struct calibrate_result *r, const struct calibrate_query *q)
{
    uint64_t most = 0;
    const struct calibrate_point *p;
    for (size_t at = 0; (p = calibrate_next(r->table, q, &at));)
        most = p->bytes > most ? p->bytes : most;
    return most;
}

/* Of all points of this kind, size and width the median. `ways`: how often a pair carries the bytes. */
struct calibrate_stream calibrate_stream_of(const struct calibrate_result *r, enum calibrate_kind kind,
                                            enum calibrate_where where, uint64_t width, uint64_t bytes)
{
    struct calibrate_query q = {kind, CALIBRATE_PLAIN, where, width, false};
    struct calibrate_stream s = {.width = width, .bytes = bytes, .low = INFINITY};
    double *rate = base_alloc((calibrate_count(r->table, &q) + 1) * sizeof *rate, "rates");
    double all = (double)(width ? width : 1) * (double)bytes;
    const struct calibrate_point *p;
    for (size_t at = 0; (p = calibrate_next(r->table, &q, &at));) {
        if (p->bytes != bytes || !(p->seconds > 0))
            continue;
        rate[s.points++] = all / p->seconds;
        s.low = fmin(s.low, all / (p->high > 0 ? p->high : p->seconds));
        s.high = fmax(s.high, all / (p->low > 0 ? p->low : p->seconds));
    }
    s.rate = fit_median(rate, s.points);
    free(rate);
    return s;
}

void calibrate_stream_add(struct calibrate_result *r, const char *name, const struct calibrate_stream *s,
                          const char *from)
{
    calibrate_add(
        r, &(struct calibrate_constant){base_strfmt("%s, %llu at a time", name, (unsigned long long)s->width),
                                        CALIBRATE_BANDWIDTH, s->rate, fmin(s->low, s->rate * (1 - FIT_FLOOR)),
                                        fmax(s->high, s->rate * (1 + FIT_FLOOR)), s->points, from});
}

/* The widths of a kind, one after the other. 0: no more. */
uint64_t calibrate_next_width(const struct calibrate_result *r, const struct calibrate_query *q,
                              uint64_t after)
{
    uint64_t next = UINT64_MAX;
    const struct calibrate_point *p;
    for (size_t at = 0; (p = calibrate_next(r->table, q, &at));)
        if (p->width > after && p->width < next)
            next = p->width;
    return next == UINT64_MAX ? 0 : next;
}

/* A link carries the most that any number of pairs got. One message alone may be slower: then it is bounded apart. */
static void find_link(struct calibrate_result *r)
{
    struct calibrate_query q = {.kind = CALIBRATE_PAIRS, .where = CALIBRATE_NETWORK};
    uint64_t bytes = calibrate_longest(r, &q), widest = 0;
    struct calibrate_stream best = {0}, one = {0}, last = {0};
    for (uint64_t width = 0; bytes && (width = calibrate_next_width(r, &q, width));) {
        struct calibrate_stream s = calibrate_stream_of(r, CALIBRATE_PAIRS, CALIBRATE_NETWORK, width, bytes);
        if (!s.points)
            continue;
        calibrate_stream_add(r, "pairs of two nodes together", &s, "pairs");
        best = s.rate > best.rate ? s : best;
        one = width == 1 ? s : one;
        last = s;
        widest = width;
    }
    if (!best.points) {
        calibrate_miss(r, "bandwidth of a node's link", "expected streams of pairs of two nodes");
        return;
    }
    if (best.rate > 1.1 * r->bandwidth)
        r->link = best.rate;
    if (widest < 2)
        calibrate_miss(r, "bandwidth of a node's link",
                       "no two pairs of ranks had streams at a time: a single one may not fill it");
    else if (one.rate > 0 && last.rate > 0.9 * (double)widest * one.rate)
        calibrate_miss(r, "bandwidth of a node's link",
                       "%llu pairs do not fill it: it is this value at least", (unsigned long long)widest);
}

static void find_many_to_one(struct calibrate_result *r, enum calibrate_kind kind, const char *name)
{
    struct calibrate_query q = {.kind = kind};
    uint64_t bytes = calibrate_longest(r, &q), width = 0, widest = 0;
    while ((width = calibrate_next_width(r, &q, width)))
        widest = width;
    struct calibrate_stream s = widest ? calibrate_stream_of(r, kind, CALIBRATE_ANYWHERE, widest, bytes)
                                       : (struct calibrate_stream){0};
    double link = r->link > 0 ? r->link : r->bandwidth;
    if (!s.points)
        return;
    calibrate_stream_add(r, name, &s, calibrate_kind_name(kind));
    if (widest > 1 && s.rate < 0.8 * link)
        calibrate_miss(r, name,
                       "%llu streams together have %.0f%% of a link's bandwidth: the model has no such loss",
                       (unsigned long long)widest, 100 * s.rate / link);
}

uint32_t calibrate_nodes(const struct calibrate_result *r)
{
    uint32_t nodes = 0;
    for (size_t k = 0; k < r->table->file.n; k++)
        nodes = r->table->file.at[k].nodes > nodes ? r->table->file.at[k].nodes : nodes;
    return nodes;
}

/* Whether messages between two ranks of a node share their path, as a stream of them shows. */
static void find_local_stream(struct calibrate_result *r)
{
    struct calibrate_query q = {.kind = CALIBRATE_PAIRS, .where = CALIBRATE_NODE};
    uint64_t bytes = calibrate_longest(r, &q);
    struct calibrate_stream s = calibrate_stream_of(r, CALIBRATE_PAIRS, CALIBRATE_NODE, 1, bytes);
    if (!s.points || !(r->local_bandwidth > 0))
        return;
    calibrate_stream_add(r, "pairs within a node together", &s, "pairs");
    r->local_shared = s.rate < 2 * r->local_bandwidth;
    for (uint64_t width = 1; (width = calibrate_next_width(r, &q, width));) {
        s = calibrate_stream_of(r, CALIBRATE_PAIRS, CALIBRATE_NODE, width, bytes);
        if (s.points)
            calibrate_stream_add(r, "pairs within a node together", &s, "pairs");
    }
}

void calibrate_find_sharing(struct calibrate_result *r)
{
    find_local_stream(r);
    if (r->where != CALIBRATE_NETWORK)
        return;
    find_link(r);
    find_many_to_one(r, CALIBRATE_INCAST, "from many nodes to one");
    find_many_to_one(r, CALIBRATE_OUTCAST, "from one node to many");
    calibrate_find_directions(r);
}
