/* SPDX-License-Identifier: BSD-3-Clause */
/* flows: a reduction of two levels in segments that do not wait for each other (flow.h). */
#include "coll/levels/levels.h"

enum { OWN_SEGMENT = 64 << 10 };

/* The k-th member of a host; its leader is the first. */
static uint32_t member(const struct coll_hosts *l, uint32_t host, uint32_t k)
{
    return l->member[l->first[host] + k];
}

static uint32_t lowest_bit(uint32_t v)
{
    return v & (~v + 1);
}

/* Children of number v of n in a binomial tree. */
static uint32_t child(uint32_t v, uint32_t n, uint32_t k)
{
    uint64_t c = v + (UINT64_C(1) << k);
    return (!v || UINT64_C(1) << k < lowest_bit(v)) && c < n ? (uint32_t)c : 0;
}

/* A binomial tree within each host, and one of the leaders. */
static void grow(const struct coll_schedule *s, struct coll_flow *f)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t h = l->host[s->me], k = l->index[s->me], size = l->first[h + 1] - l->first[h];
    f->n = 0;
    f->parent = k   ? (int64_t)member(l, h, k - lowest_bit(k))
                : h ? (int64_t)member(l, h - lowest_bit(h), 0)
                    : COLL_NO_PARENT;
    for (uint32_t bit = 0; child(k, size, bit); bit++)
        coll_flow_add_child(f, member(l, h, child(k, size, bit)));
    for (uint32_t bit = 0; !k && child(h, l->count, bit); bit++)
        coll_flow_add_child(f, member(l, child(h, l->count, bit), 0));
}

/* While one segment is reduced among the leaders, hosts reduce the next one, and leaders send an earlier
 * result to their hosts (Luo et al., "HAN: a hierarchical autotuned collective communication framework",
 * CLUSTER 2020). 2 b log2 P + 2 a log2 H + m (2/B + g) log2 H or less, for H hosts of P members and long
 * vectors; a is the time of one small message between hosts, b within one; 2 (n - 1) messages for each
 * segment. */
bool coll_reduce_han(struct coll_schedule *s, uint32_t round)
{
    uint64_t item = coll_item(s), segment = coll_segment(s, OWN_SEGMENT);
    struct coll_flow f;
    if (!s->hosts)
        return s->tuning->choose(s, COLL_REDUCE, s->bytes, s->size)(s, round);
    f.run = (struct coll_run){0, s->bytes};
    grow(s, &f);
    if (round == 0)
        coll_add_own(s, 0, 0, s->bytes);
    return round == 0 || coll_flow_round(s, round - 1, &f, 1, segment < item ? item : segment / item * item,
                                         coll_outstanding(s, COLL_WINDOW));
}
