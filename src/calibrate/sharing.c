/* SPDX-License-Identifier: BSD-3-Clause */
/* sharing: what a node's link carries for all its ranks together, whether both directions share it, and what the
 * network carries for all nodes. Long messages tell. */
#include "calibrate/internal.h"

#include <math.h>
#include <stdlib.h>

/* All points of a kind, of its longest messages: what all streams carry together, bytes/s. */
struct stream {
    uint64_t width, bytes;
    double rate, low, high; /* low, high: of the fastest and the slowest point */
    size_t points;
};

static uint64_t longest(const struct calibrate_result *r, const struct calibrate_query *q)
{
    uint64_t most = 0;
    const struct calibrate_point *p;
    for (size_t at = 0; (p = calibrate_next(r->table, q, &at));)
        most = p->bytes > most ? p->bytes : most;
    return most;
}

/* Of all points of this kind, size and width the median. `ways`: how often a pair carries the bytes. */
static struct stream stream_of(const struct calibrate_result *r, enum calibrate_kind kind,
                               enum calibrate_where where, uint64_t width, uint64_t bytes)
{
    struct calibrate_query q = {kind, CALIBRATE_PLAIN, where, width, false};
    struct stream s = {.width = width, .bytes = bytes, .low = INFINITY};
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

static void stream_add(struct calibrate_result *r, const char *name, const struct stream *s, const char *from)
{
    calibrate_add(
        r, &(struct calibrate_constant){base_strfmt("%s, %llu at a time", name, (unsigned long long)s->width),
                                        CALIBRATE_BANDWIDTH, s->rate, fmin(s->low, s->rate * (1 - FIT_FLOOR)),
                                        fmax(s->high, s->rate * (1 + FIT_FLOOR)), s->points, from});
}

/* The widths of a kind, one after the other. 0: no more. */
static uint64_t next_width(const struct calibrate_result *r, const struct calibrate_query *q, uint64_t after)
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
    uint64_t bytes = longest(r, &q), widest = 0;
    struct stream best = {0}, one = {0}, last = {0};
    for (uint64_t width = 0; bytes && (width = next_width(r, &q, width));) {
        struct stream s = stream_of(r, CALIBRATE_PAIRS, CALIBRATE_NETWORK, width, bytes);
        if (!s.points)
            continue;
        stream_add(r, "pairs of two nodes together", &s, "pairs");
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
    uint64_t bytes = longest(r, &q), width = 0, widest = 0;
    while ((width = next_width(r, &q, width)))
        widest = width;
    struct stream s = widest ? stream_of(r, kind, CALIBRATE_ANYWHERE, widest, bytes) : (struct stream){0};
    double link = r->link > 0 ? r->link : r->bandwidth;
    if (!s.points)
        return;
    stream_add(r, name, &s, calibrate_kind_name(kind));
    if (widest > 1 && s.rate < 0.8 * link)
        calibrate_miss(r, name,
                       "%llu streams together have %.0f%% of a link's bandwidth: the model has no such loss",
                       (unsigned long long)widest, 100 * s.rate / link);
}

static uint32_t nodes_of(const struct calibrate_result *r)
{
    uint32_t nodes = 0;
    for (size_t k = 0; k < r->table->file.n; k++)
        nodes = r->table->file.at[k].nodes > nodes ? r->table->file.at[k].nodes : nodes;
    return nodes;
}

/* Both halves of the ranks send to each other. With two nodes it tells whether directions share a link; with more,
 * what the middle of the network carries. */
static void find_bisection(struct calibrate_result *r)
{
    struct calibrate_query q = {.kind = CALIBRATE_BISECTION};
    uint64_t bytes = longest(r, &q), width = next_width(r, &q, 0);
    struct stream s =
        bytes ? stream_of(r, CALIBRATE_BISECTION, CALIBRATE_ANYWHERE, width, bytes) : (struct stream){0};
    uint32_t nodes = nodes_of(r) ? nodes_of(r) : 2;
    uint32_t half = nodes / 2;
    double one_way = half * (r->link > 0 ? r->link : r->bandwidth);
    if (!s.points || r->where != CALIBRATE_NETWORK || !(one_way > 0)) {
        calibrate_miss(r, "both directions of a link",
                       "expected streams between both halves of the ranks (bisection)");
        return;
    }
    if (nodes == 2) { /* as many pairs in one direction are the better measure */
        struct stream pairs = stream_of(r, CALIBRATE_PAIRS, CALIBRATE_NETWORK, width, bytes);
        one_way = pairs.points ? pairs.rate : one_way;
    }
    stream_add(r, "one way between both halves", &s, "bisection");
    if (s.rate > 0.75 * one_way)
        return;
    if (nodes == 2) {
        r->half_duplex = true;
    } else {
        r->backbone = 2 * s.rate;
        calibrate_miss(r, "both directions of a link",
                       "both halves get %.0f%% of what their links have: by a backbone that all share in the "
                       "platform; half-duplex links would do the same",
                       100 * s.rate / one_way);
    }
}

/* Whether messages between two ranks of a node share their path, as a stream of them shows. */
static void find_local_stream(struct calibrate_result *r)
{
    struct calibrate_query q = {.kind = CALIBRATE_PAIRS, .where = CALIBRATE_NODE};
    uint64_t bytes = longest(r, &q);
    struct stream s = stream_of(r, CALIBRATE_PAIRS, CALIBRATE_NODE, 1, bytes);
    if (!s.points || !(r->local_bandwidth > 0))
        return;
    stream_add(r, "pairs within a node together", &s, "pairs");
    r->local_shared = s.rate < 2 * r->local_bandwidth;
    if (r->local_shared && r->where == CALIBRATE_NETWORK)
        calibrate_miss(
            r, "sharing within a node",
            "messages of a node share their bandwidth; the loopback of a cluster gives it to each of them");
}

void calibrate_find_sharing(struct calibrate_result *r)
{
    find_local_stream(r);
    if (r->where != CALIBRATE_NETWORK)
        return;
    find_link(r);
    find_many_to_one(r, CALIBRATE_INCAST, "from many nodes to one");
    find_many_to_one(r, CALIBRATE_OUTCAST, "from one node to many");
    find_bisection(r);
}
