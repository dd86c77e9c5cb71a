/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * topology: broadcasts down trees that are made for a network: for its latency, or for hosts that members
 * share, so that each host is sent the data once. The root is the leader of its host, elsewhere the first
 * member is.
 *
 * a is the time of one small message between hosts, b within one, o a sender's overhead, B the bandwidth, m
 * the bytes, S segments, H hosts of P members.
 */
#include "coll/broadcast/broadcast.h"
#include "coll/broadcast/down.h"

#define KIB(n) ((uint64_t)(n) << 10)

/* --- the postal model --------------------------------------------------------------------------- */

enum { MOST_UNITS = 640 };

/* In `units` of an overhead, at most reached[units] members can have the data: those of one unit before,
 * and those to which the ones of `fan` units before have sent. */
struct postal {
    uint64_t reached[MOST_UNITS];
    uint32_t units; /* the fewest for all members of a run */
};

static void count(struct postal *x, uint32_t fan, uint64_t members)
{
    x->reached[0] = 1;
    for (x->units = 0; x->reached[x->units] < members && x->units + 1 < MOST_UNITS; x->units++)
        x->reached[x->units + 1] =
            x->reached[x->units] + (x->units + 1 >= fan ? x->reached[x->units + 1 - fan] : 0);
}

/* Of a run, the first member keeps as many as it can reach in one unit less, and sends to the first of the
 * others, who is responsible for them. Returns how many it keeps. */
static uint64_t keep(struct postal *x, uint64_t members)
{
    BASE_ASSERT("C10", members > 1 && x->units > 0 && x->units < MOST_UNITS);
    while (x->units > 1 && x->reached[x->units - 1] >= members)
        x->units--;
    return x->reached[x->units - 1];
}

/* Goes from 0 down to v; *members: of v's run. Returns v's parent. */
static uint32_t find(struct postal *x, const struct broadcast_tree *t, uint32_t v, uint64_t *members)
{
    uint32_t at = 0, parent = 0;
    *members = t->n;
    count(x, t->fan, t->n);
    while (at != v) {
        uint64_t kept = keep(x, *members);
        if (v < at + kept) {
            *members = kept;
        } else {
            parent = at;
            at += (uint32_t)kept;
            *members -= kept;
        }
    }
    return parent;
}

static uint32_t postal_parent(const struct broadcast_tree *t, uint32_t v)
{
    struct postal x;
    uint64_t members;
    return find(&x, t, v, &members);
}

static uint32_t postal_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    struct postal x;
    uint64_t members;
    find(&x, t, v, &members);
    for (; members > 1; k--) {
        members = keep(&x, members);
        if (k == 0)
            return (uint32_t)(v + members);
    }
    return COLL_NOBODY;
}

const struct broadcast_shape broadcast_postal_tree = {postal_parent, postal_child};

/* --- hosts -------------------------------------------------------------------------------------- */

/* Where a member is: its host, counted from the root's, and its place there, counted from its leader's. */
struct spot {
    uint32_t host, i;
};

static uint32_t leader_index(const struct broadcast_tree *t, uint32_t host)
{
    return t->hosts->host[t->first] == host ? t->hosts->index[t->first] : 0;
}

static uint32_t cores(const struct broadcast_tree *t, uint32_t host)
{
    return t->hosts->first[host + 1] - t->hosts->first[host];
}

static struct spot spot_of(const struct broadcast_tree *t, uint32_t v)
{
    const struct coll_hosts *l = t->hosts;
    uint32_t place = broadcast_place(t, v), h = l->host[place], from = leader_index(t, h),
             root = l->host[t->first];
    uint32_t i = l->index[place];
    return (struct spot){h >= root ? h - root : h + (l->count - root),
                         i >= from ? i - from : i + (cores(t, h) - from)};
}

static uint32_t number_of(const struct broadcast_tree *t, struct spot x)
{
    const struct coll_hosts *l = t->hosts;
    uint64_t h = (uint64_t)x.host + l->host[t->first];
    uint32_t host = (uint32_t)(h >= l->count ? h - l->count : h);
    uint64_t i = (uint64_t)x.i + leader_index(t, host);
    uint32_t place = l->member[l->first[host] + (i >= cores(t, host) ? i - cores(t, host) : i)];
    return place >= t->first ? place - t->first : place + (t->n - t->first);
}

/* A tree of n leaders, or of a host's members. */
static struct broadcast_tree among(const struct broadcast_shape *shape, uint32_t fan, uint32_t n)
{
    return (struct broadcast_tree){.shape = shape, .n = n, .fan = fan};
}

static uint32_t host_of(const struct broadcast_tree *t, struct spot x)
{
    return (uint32_t)(((uint64_t)x.host + t->hosts->host[t->first]) % t->hosts->count);
}

static uint32_t parent_in(const struct broadcast_tree *t, uint32_t v, const struct broadcast_shape *between,
                          const struct broadcast_shape *within)
{
    struct spot x = spot_of(t, v);
    struct broadcast_tree leaders = among(between, t->fan, t->hosts->count),
                          host = among(within, t->fan, cores(t, host_of(t, x)));
    if (x.i)
        return number_of(t, (struct spot){x.host, within->parent(&host, x.i)});
    return number_of(t, (struct spot){between->parent(&leaders, x.host), 0});
}

/* Other hosts first. */
static uint32_t child_in(const struct broadcast_tree *t, uint32_t v, uint32_t k,
                         const struct broadcast_shape *between, const struct broadcast_shape *within)
{
    struct spot x = spot_of(t, v);
    struct broadcast_tree leaders = among(between, t->fan, t->hosts->count),
                          host = among(within, t->fan, cores(t, host_of(t, x)));
    uint32_t others = 0, child;
    for (; !x.i && (child = between->child(&leaders, x.host, others)) != COLL_NOBODY; others++)
        if (others == k)
            return number_of(t, (struct spot){child, 0});
    child = within->child(&host, x.i, k - others);
    return child == COLL_NOBODY ? child : number_of(t, (struct spot){x.host, child});
}

static uint32_t heap_parent(const struct broadcast_tree *t, uint32_t v)
{
    return parent_in(t, v, &broadcast_heap_tree, &broadcast_star);
}

static uint32_t heap_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    return child_in(t, v, k, &broadcast_heap_tree, &broadcast_star);
}

static uint32_t wave_parent(const struct broadcast_tree *t, uint32_t v)
{
    return parent_in(t, v, &broadcast_postal_tree, &broadcast_binomial_tree);
}

static uint32_t wave_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    return child_in(t, v, k, &broadcast_postal_tree, &broadcast_binomial_tree);
}

static const struct broadcast_shape hosts_heap = {heap_parent, heap_child},
                                    hosts_wave = {wave_parent, wave_child};

/* --- the algorithms ----------------------------------------------------------------------------- */

static bool down(struct coll_schedule *s, uint32_t round, const struct broadcast_shape *shape, uint32_t fan)
{
    struct broadcast_way way = {shape, fan,  coll_segment(s, KIB(32)), BROADCAST_SEGMENT, false, false,
                                false, false};
    return broadcast_down(s, round, &way);
}

/* The tree of the postal model, in which a message takes as long as its sender needs for k sends, own 3
 * (Bar-Noy, Kipnis, "Designing broadcasting algorithms in the postal model for message-passing systems",
 * Mathematical Systems Theory 27(5), 1994). 2 is the Fibonacci tree. The fewest units of o in which all
 * have a short message; S (n - 1) messages. */
bool coll_broadcast_postal(struct coll_schedule *s, uint32_t round)
{
    return down(s, round, &broadcast_postal_tree, coll_radix(s, 3));
}

/* k-ary tree between hosts, k own 2, whose leaders send to the members of their host, as MPICH's
 * topology_aware. About (log_k H + S)(a + (k + P - 1) m/(S B)); S (n - 1) messages. Where no hosts are
 * shared, k-ary. */
bool coll_broadcast_hosts_tree(struct coll_schedule *s, uint32_t round)
{
    bool shared = s->hosts && !s->part;
    return down(s, round, shared ? &hosts_heap : &broadcast_heap_tree, coll_radix(s, 2));
}

/* The postal model's tree between hosts, k own 3, and binomial trees within, other hosts first, as MPICH's
 * topology_wave. S (n - 1) messages. Where no hosts are shared, postal. */
bool coll_broadcast_hosts_wave(struct coll_schedule *s, uint32_t round)
{
    bool shared = s->hosts && !s->part;
    return down(s, round, shared ? &hosts_wave : &broadcast_postal_tree, coll_radix(s, 3));
}
