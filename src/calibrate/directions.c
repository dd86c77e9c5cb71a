/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * directions: what both directions of the network lose when both are used, and why. Four kinds of streams tell causes
 * apart, each as a part of what its nodes have one way and alone:
 *
 *   cause       oneway, many pairs   ring of two nodes   ring of all     bisection       shorter messages
 *   full        1                    1                   1               1               1
 *   half        1                    1/2                 1/2             1/2             the same
 *   middle      any                  1, if that is less  less            less            the same
 *   protocol    1                    least               more, or equal  as of two       less is lost
 *
 * The protocol: a message beyond the rendezvous threshold waits for words of its receiver, which wait behind what
 * that one sends to others (crosstraffic), and more so behind what it sends to the same node (bidirectional).
 */
#include "calibrate/internal.h"

#include <math.h>

#define LOST      0.95 /* of what is there one way: less is a loss */
#define SAME      0.07 /* two parts that differ by less are the same */
#define HALF_LOST 0.75

/* Parts of what as many nodes have one way, for messages of one size. 0: not measured. */
struct parts {
    uint64_t bytes;
    double node;                     /* what one node has one way, bytes/s */
    double oneway, pair, ring, both; /* ring: the widest; pair: the one of two nodes; both: the bisection */
    struct calibrate_stream two, whole; /* the streams of pair, or both, and of ring, or both */
    double middle;                      /* the most that all streams of a kind had together, bytes/s */
};

const char *calibrate_cause_text(enum calibrate_cause cause)
{
    static const char *const text[CALIBRATE_CAUSES] = {
        [CALIBRATE_UNKNOWN] = "not known: no streams of both directions were measured",
        [CALIBRATE_FULL] = "each has its own bandwidth",
        [CALIBRATE_HALF] = "links are half duplex: both directions share one bandwidth, whatever is sent",
        [CALIBRATE_MIDDLE] = "all nodes share the middle of the network",
        [CALIBRATE_PROTOCOL] =
            "the MPI's protocol: messages wait for words of their receivers, behind what these send",
    };
    return text[cause];
}

static uint64_t widest(const struct calibrate_result *r, enum calibrate_kind kind, uint64_t bytes)
{
    struct calibrate_query q = {.kind = kind};
    uint64_t most = 0;
    const struct calibrate_point *p;
    for (size_t at = 0; (p = calibrate_next(r->table, &q, &at));)
        most = p->bytes == bytes && p->width > most ? p->width : most;
    return most;
}

static struct calibrate_stream stream(const struct calibrate_result *r, enum calibrate_kind kind,
                                      uint64_t width, uint64_t bytes)
{
    return width ? calibrate_stream_of(r, kind, CALIBRATE_ANYWHERE, width, bytes)
                 : (struct calibrate_stream){0};
}

/* What a node has one way, of streams of all its ranks. */
static double node_rate(const struct calibrate_result *r, uint64_t each, uint64_t bytes, bool longest)
{
    struct calibrate_stream s = stream(r, CALIBRATE_ONEWAY, each, bytes);
    if (!s.points)
        s = calibrate_stream_of(r, CALIBRATE_PAIRS, CALIBRATE_NETWORK, each, bytes);
    if (!s.points && longest)
        s.rate = r->link > 0 ? r->link : r->bandwidth;
    return s.rate;
}

/* false: both halves were not measured, or nothing to compare with. */
static bool parts_find(const struct calibrate_result *r, uint64_t bytes, bool longest, struct parts *out)
{
    uint32_t nodes = calibrate_nodes(r) ? calibrate_nodes(r) : 2, half = nodes / 2;
    uint64_t width = widest(r, CALIBRATE_BISECTION, bytes), each = half && width > half ? width / half : 1;
    struct calibrate_stream both = stream(r, CALIBRATE_BISECTION, width, bytes);
    struct calibrate_stream one = stream(r, CALIBRATE_ONEWAY, widest(r, CALIBRATE_ONEWAY, bytes), bytes);
    struct calibrate_stream ring = stream(r, CALIBRATE_RING, widest(r, CALIBRATE_RING, bytes), bytes);
    struct calibrate_stream two = stream(r, CALIBRATE_RING, 2 * each, bytes);
    double node = node_rate(r, each, bytes, longest);
    if (!both.points || !(node > 0) || !half)
        return false;
    *out = (struct parts){.bytes = bytes, .node = node, .both = both.rate / (half * node)};
    out->middle = fmax(2 * both.rate, ring.rate);
    out->two = out->whole = both;
    if (one.points && one.width > each)
        out->oneway = one.rate / ((double)one.width / (double)each * node);
    if (two.points) {
        out->pair = two.rate / (2 * node);
        out->two = two;
    }
    if (ring.points && ring.width > 2 * each) {
        out->ring = ring.rate / ((double)ring.width / (double)each * node);
        out->whole = ring;
    }
    return true;
}

/* Where the MPI's protocol changes: at `bytes`, for certain from `high` on. */
struct change {
    double bytes, high;
};

static struct change change_of(const struct calibrate_result *r)
{
    const struct calibrate_threshold *t = r->async.known ? &r->async : &r->detached;
    if (!t->known)
        return (struct change){INFINITY, INFINITY};
    return (struct change){t->bytes, isfinite(t->high) ? fmax(t->high, t->bytes) : t->bytes};
}

/* The longest messages of the lower protocol, or that may be; if they do not fill the link, they tell nothing. */
static bool shorter_find(const struct calibrate_result *r, const struct parts *all, struct parts *out)
{
    double below = change_of(r).high;
    struct calibrate_query q = {.kind = CALIBRATE_BISECTION};
    uint64_t bytes = 0;
    const struct calibrate_point *p;
    for (size_t at = 0; (p = calibrate_next(r->table, &q, &at));)
        if ((double)p->bytes < fmin(below, (double)all->bytes) && p->bytes > bytes)
            bytes = p->bytes;
    return bytes && parts_find(r, bytes, false, out) && out->node > 0.7 * all->node;
}

/* From where on messages lose more than shorter ones. */
static double above_of(const struct calibrate_result *r, const struct parts *all, const struct parts *shorter)
{
    if (!shorter)
        return 0;
    struct change c = change_of(r);
    double from = c.bytes > (double)shorter->bytes ? c.bytes : c.high;
    if (from > (double)shorter->bytes && from <= (double)all->bytes)
        return from - 1 + CALIBRATE_ENVELOPE;
    return floor(sqrt((double)shorter->bytes * (double)all->bytes)) + CALIBRATE_ENVELOPE;
}

/* A part's constant: `from` says of which streams. */
static void part_add(struct calibrate_result *r, const char *name, double part,
                     const struct calibrate_stream *s, const char *from)
{
    double low = part * s->low / s->rate, high = part * s->high / s->rate;
    calibrate_add(r, &(struct calibrate_constant){base_strdup(name), CALIBRATE_RATIO, part,
                                                  fmin(low, part * (1 - FIT_FLOOR)),
                                                  fmax(high, part * (1 + FIT_FLOOR)), s->points, from});
}

static void parts_add(struct calibrate_result *r, const struct parts *p)
{
    calibrate_stream_add(r, "one way between both halves", &p->whole, p->ring > 0 ? "ring" : "bisection");
    if (p->oneway > 0)
        calibrate_add(r,
                      &(struct calibrate_constant){base_strdup("many nodes one way, of what they have alone"),
                                                   CALIBRATE_RATIO, p->oneway, p->oneway * (1 - FIT_FLOOR),
                                                   p->oneway * (1 + FIT_FLOOR), 1, "oneway"});
    if (p->pair > 0)
        part_add(r, "two nodes both ways, of what they have one way", p->pair, &p->two, "ring");
    if (p->ring > 0)
        part_add(r, "a ring of all nodes, of what they have one way", p->ring, &p->whole, "ring");
    struct calibrate_stream s = p->pair > 0 || p->ring > 0
                                    ? (struct calibrate_stream){.low = 1, .rate = 1, .high = 1, .points = 1}
                                    : p->two;
    part_add(r, "both halves both ways, of what they have one way", p->both, &s, "bisection");
}

/* Two nodes lose the most, for they have words and messages on one way; whoever has two neighbours less. */
static void protocol(struct calibrate_result *r, const struct parts *p, const struct parts *shorter)
{
    double pair = p->pair > 0 ? p->pair : p->both, ring = p->ring;
    r->cause = CALIBRATE_PROTOCOL;
    r->above = above_of(r, p, shorter);
    if (ring > 0 && ring < LOST)
        r->crosstraffic = fmin(1 / ring - 1, 1);
    if (pair < LOST && (!(ring > 0) || pair < ring - SAME))
        r->bidirectional = fmin(fmax(2 * pair, 1), 2);
    if (!(ring > 0))
        calibrate_miss(r, "what is lost when nodes send to some and receive from others",
                       "expected rings of three nodes or more: none is written (network/crosstraffic)");
    if (pair < 0.5 * LOST || (ring > 0 && ring < 0.5 * LOST))
        calibrate_miss(r, "both directions",
                       "they have %.0f%% of one: the platform has half of each at least",
                       100 * fmin(pair, ring > 0 ? ring : pair));
}

static void middle(struct calibrate_result *r, const struct parts *p)
{
    r->cause = CALIBRATE_MIDDLE;
    r->backbone = p->middle;
    if (p->oneway > 0 && p->oneway < LOST && p->both > p->oneway - SAME)
        calibrate_miss(r, "the middle of the network",
                       "each direction has its own: the platform's backbone is that of both together");
}

static bool near(double a, double b)
{
    return fabs(a - b) <= SAME;
}

/* With rings. */
static void tell(struct calibrate_result *r, const struct parts *p, const struct parts *shorter)
{
    double pair = p->pair > 0 ? p->pair : p->both;
    if (fmin(fmin(pair, p->ring), p->both) >= LOST)
        r->cause = CALIBRATE_FULL;
    else if (shorter)
        protocol(r, p, shorter);
    else if (pair >= LOST)
        middle(r, p);
    else if (near(pair, 0.5) && near(p->ring, 0.5))
        r->cause = CALIBRATE_HALF;
    else
        protocol(r, p, NULL);
    r->half_duplex = r->cause == CALIBRATE_HALF;
}

/* Without rings: two nodes, or an older file. */
static void guess(struct calibrate_result *r, const struct parts *p, const struct parts *shorter)
{
    bool two = calibrate_nodes(r) <= 2;
    if (p->both >= LOST) {
        r->cause = CALIBRATE_FULL;
    } else if (!shorter && !two && p->both > HALF_LOST) {
        calibrate_miss(
            r, "both directions of a link",
            "both halves get %.0f%% of what their links have: rings would tell why, and nothing is "
            "written",
            100 * p->both);
    } else if (shorter || (two && !near(p->both, 0.5))) {
        protocol(r, p, shorter);
    } else if (two) {
        r->cause = CALIBRATE_HALF;
        calibrate_miss(
            r, "both directions of a link",
            "as half-duplex links in the platform; a protocol of the MPI would do the same, and shorter "
            "messages that fill the link, or a third node, would tell");
    } else {
        middle(r, p);
        calibrate_miss(
            r, "both directions of a link",
            "both halves get %.0f%% of what their links have: by a backbone that all share in the "
            "platform; half-duplex links or a protocol of the MPI would do the same, and rings would tell",
            100 * p->both);
    }
    r->half_duplex = r->cause == CALIBRATE_HALF;
}

void calibrate_find_directions(struct calibrate_result *r)
{
    struct calibrate_query q = {.kind = CALIBRATE_BISECTION};
    struct parts all, less;
    bool known = r->where == CALIBRATE_NETWORK && parts_find(r, calibrate_longest(r, &q), true, &all);
    if (!known) {
        calibrate_miss(r, "both directions of a link",
                       "expected streams between both halves of the ranks (bisection)");
        return;
    }
    bool has = shorter_find(r, &all, &less) && less.both > fmax(all.both, 0.5) + SAME;
    parts_add(r, &all);
    if (all.oneway > 0 && all.oneway < LOST)
        middle(r, &all);
    else if (all.ring > 0)
        tell(r, &all, has ? &less : NULL);
    else
        guess(r, &all, has ? &less : NULL);
    if (has)
        part_add(r, "the same of messages below the threshold", less.both, &less.two, "bisection");
}
