/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * han_broadcast: a broadcast of two levels in a pipeline of segments, as Open MPI's coll/han has it (Luo et
 * al., "HAN: a hierarchical autotuned collective communication framework", IEEE CLUSTER 2020). In round k,
 * segment k goes from leader to leader, while each leader gives segment k - 1 to its host.
 */
#include "coll/levels/levels.h"

enum { OWN_SEGMENT = 64 << 10, TAGS = 2048, HOST_TAG = TAGS };

/* A binomial tree over n numbers from the root's on: my number, and the place of a number. */
struct level {
    uint32_t me, n, root;
    bool leaders; /* of hosts; else members of my host */
};

/* The root is its host's leader. */
static uint32_t leader(const struct coll_schedule *s, uint32_t host)
{
    const struct coll_hosts *l = s->hosts;
    return l->host[s->root] == host ? s->root : l->member[l->first[host]];
}

static uint32_t place_of(const struct coll_schedule *s, const struct level *x, uint32_t v)
{
    const struct coll_hosts *l = s->hosts;
    uint64_t k = (uint64_t)v + x->root;
    k -= k >= x->n ? x->n : 0;
    return x->leaders ? leader(s, (uint32_t)k) : l->member[l->first[l->host[s->me]] + k];
}

static struct level level(const struct coll_schedule *s, bool leaders)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t h = l->host[s->me];
    uint32_t me = leaders ? h : l->index[s->me], root = leaders ? l->host[s->root] : l->index[leader(s, h)];
    uint32_t n = leaders ? l->count : l->first[h + 1] - l->first[h];
    return (struct level){me >= root ? me - root : me + (n - root), n, root, leaders};
}

struct piece {
    uint64_t low, bytes;
    uint32_t tag;
};

static struct piece segment(const struct coll_schedule *s, uint64_t k, uint64_t width, uint32_t tag)
{
    uint64_t left = s->bytes - k * width;
    return (struct piece){k * width, left < width ? left : width, tag + (uint32_t)(k % TAGS)};
}

static uint32_t receive(struct coll_schedule *s, const struct level *x, struct piece p)
{
    return coll_add_receive(s, place_of(s, x, x->me & (x->me - 1)), p.tag, coll_at(COLL_DEST, p.low),
                            p.bytes);
}

/* To my children, when step `after` is done (UINT32_MAX: at once). */
static void send_on(struct coll_schedule *s, const struct level *x, struct piece p, uint32_t after)
{
    coll_place from = coll_at(s->me == s->root ? COLL_SOURCE : COLL_DEST, p.low);
    uint64_t w = x->me ? x->me & (~x->me + 1) : UINT64_C(1) << coll_log2_above(x->n);
    for (w /= 2; w; w /= 2)
        if (x->me + w < x->n) {
            uint32_t step = coll_add_send(s, place_of(s, x, (uint32_t)(x->me + w)), p.tag, from, p.bytes);
            if (after != UINT32_MAX)
                coll_order(s, after, step);
        }
}

/* Segment k between leaders, and k - 1, which they have, in the hosts. */
static void add_round(struct coll_schedule *s, uint64_t k, uint64_t segments, uint64_t width)
{
    struct level hosts = level(s, true), host = level(s, false);
    bool leads = host.me == 0;
    uint32_t got = UINT32_MAX;
    struct piece between = segment(s, k < segments ? k : 0, width, 0);
    struct piece within = segment(s, k ? k - 1 : 0, width, HOST_TAG);
    if (k < segments && leads && hosts.me)
        got = receive(s, &hosts, between);
    if (k && !leads)
        got = receive(s, &host, within);
    if (k < segments && leads)
        send_on(s, &hosts, between, got);
    if (k)
        send_on(s, &host, within, leads ? UINT32_MAX : got);
}

/* Binomial trees in both levels, own segments of 64 KiB. H hosts of P members, S segments, a between hosts
 * and b within: about (a + m/(S B)) (log2 H + S - 1) + (b + m/(S B)) log2 P where the hosts' part is the
 * shorter one; S (n - 1) messages. Where no hosts are shared, the choice for one level runs. */
bool coll_broadcast_han(struct coll_schedule *s, uint32_t round)
{
    uint64_t width = coll_segment(s, OWN_SEGMENT), segments = s->bytes ? (s->bytes - 1) / width + 1 : 1;
    if (!s->hosts || s->part)
        return s->tuning->choose(s, COLL_BROADCAST, s->bytes, s->size)(s, round);
    if (round <= segments)
        add_round(s, round, segments, width);
    if (round == segments + 1 && s->me == s->root)
        coll_add_own(s, 0, 0, s->bytes);
    return round <= segments + 1;
}
