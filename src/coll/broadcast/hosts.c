/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts: SMPI's broadcasts of two levels, within hosts and between their first members, the leaders. H hosts
 * of P members each; a is the time of one small message between hosts, b within one.
 */
#include "coll/broadcast/broadcast.h"
#include "coll/broadcast/down.h"
#include "coll/broadcast/scatter.h"

#define KIB(n) ((uint64_t)(n) << 10)
#define WHOLE  UINT64_MAX

/* Members of each host: 1 if hosts are not known to be shared, 0 if they have different numbers. */
static uint32_t cores(const struct coll_schedule *s)
{
    const struct coll_hosts *l = coll_part_hosts(s);
    for (uint32_t h = 0; l && h < l->count; h++)
        if (l->first[h + 1] - l->first[h] != l->first[1])
            return 0;
    return l ? l->first[1] : 1;
}

/* --- SMP: members of a host are taken to be neighbours --------------------------------------------- */

/* `fan` is P: member i of host h is number h P + i. */
static uint32_t binary_parent(const struct broadcast_tree *t, uint32_t v)
{
    uint32_t host = v / t->fan, i = v % t->fan;
    return i ? host * t->fan + (i - 1) / 2 : (host - 1) / 2 * t->fan;
}

/* The k-th that there is of `n` candidates. */
static uint32_t candidate(const uint32_t *all, uint32_t n, uint32_t k)
{
    for (uint32_t c = 0; c < n; c++)
        if (all[c] != COLL_NOBODY && k-- == 0)
            return all[c];
    return COLL_NOBODY;
}

static uint32_t leader_of(const struct broadcast_tree *t, uint64_t host)
{
    return host * t->fan < t->n ? (uint32_t)(host * t->fan) : COLL_NOBODY;
}

static uint32_t core_of(const struct broadcast_tree *t, uint32_t host, uint64_t i)
{
    return i < t->fan ? host * t->fan + (uint32_t)i : COLL_NOBODY;
}

static uint32_t binary_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    uint32_t h = v / t->fan, i = v % t->fan;
    uint32_t all[] = {i ? COLL_NOBODY : leader_of(t, 2 * (uint64_t)h + 1),
                      i ? COLL_NOBODY : leader_of(t, 2 * (uint64_t)h + 2), core_of(t, h, 2 * (uint64_t)i + 1),
                      core_of(t, h, 2 * (uint64_t)i + 2)};
    return candidate(all, BASE_LENGTH(all), k);
}

static uint32_t chain_parent(const struct broadcast_tree *t, uint32_t v)
{
    return v % t->fan ? v - 1 : v - t->fan;
}

static uint32_t chain_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    uint32_t h = v / t->fan, i = v % t->fan;
    uint32_t all[] = {i ? COLL_NOBODY : leader_of(t, (uint64_t)h + 1), core_of(t, h, (uint64_t)i + 1)};
    return candidate(all, BASE_LENGTH(all), k);
}

static uint32_t nomial_parent(const struct broadcast_tree *t, uint32_t v)
{
    uint32_t host = v / t->fan, i = v % t->fan;
    return i ? host * t->fan + (i & (i - 1)) : (host & (host - 1)) * t->fan;
}

/* The k-th child of v in a binomial tree of n, or COLL_NOBODY; *left: what remains of k. */
static uint32_t binomial_child(uint32_t v, uint32_t n, uint32_t *k)
{
    for (uint64_t w = v ? (v & (~v + 1)) / 2 : n > 1 ? coll_power_below(n - 1) : 0; w; w /= 2)
        if (v + w < n && (*k)-- == 0)
            return (uint32_t)(v + w);
    return COLL_NOBODY;
}

static uint32_t nomial_child(const struct broadcast_tree *t, uint32_t v, uint32_t k)
{
    uint32_t host = v / t->fan, i = v % t->fan;
    uint32_t next = i ? COLL_NOBODY : binomial_child(host, t->n / t->fan, &k);
    if (next != COLL_NOBODY)
        return next * t->fan;
    next = binomial_child(i, t->fan, &k);
    return next == COLL_NOBODY ? next : host * t->fan + next;
}

static const struct broadcast_shape smp_binary = {binary_parent, binary_child},
                                    smp_chain = {chain_parent, chain_child},
                                    smp_binomial = {nomial_parent, nomial_child};

/* The group's first member, to which another root hands the data, is the tree's root; a member waits for each
 * send before the next, first to other hosts. Where hosts have different numbers of members, MPICH's choice
 * runs, as in SMPI. */
static bool smp(struct coll_schedule *s, uint32_t round, const struct broadcast_shape *shape,
                uint64_t segment)
{
    struct broadcast_way way = {shape, cores(s), segment, BROADCAST_EACH, true, true, true, false};
    return way.fan ? broadcast_down(s, round, &way) : broadcast_of_mpich(s->bytes, s->size)(s, round);
}

/* Binary trees among leaders and in hosts, in segments of 8 KiB. About (a + 4 m/(S B))(log2 H + log2 P +
 * S); S (n - 1) messages. */
bool coll_broadcast_smp_binary(struct coll_schedule *s, uint32_t round)
{
    return smp(s, round, &smp_binary, coll_segment(s, KIB(8)));
}

/* Chains, in segments of 8 KiB. About (a + m/(S B))(H + P + S); S (n - 1) messages. On a single host, a
 * binomial tree. */
bool coll_broadcast_smp_chain(struct coll_schedule *s, uint32_t round)
{
    if (cores(s) == s->size)
        return coll_broadcast_binomial_in_turn(s, round);
    return smp(s, round, &smp_chain, coll_segment(s, KIB(8)));
}

/* Binomial trees. (a + m/B) log2 H + (b + m/B) log2 P; n - 1 messages. */
bool coll_broadcast_smp_binomial(struct coll_schedule *s, uint32_t round)
{
    return smp(s, round, &smp_binomial, WHOLE);
}

/* --- MVAPICH2 ------------------------------------------------------------------------------------- */

static uint32_t of_host(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    return s->hosts->member[p->first + k];
}

static uint32_t of_leaders(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    (void)p;
    return s->hosts->member[s->hosts->first[k]];
}

static bool is_leader(const struct coll_schedule *s)
{
    return s->hosts->index[s->me] == 0;
}

/* A root that is not its host's leader gives the leader its data. */
static bool to_leader(struct coll_schedule *s, uint32_t round)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t leader = l->member[l->first[l->host[s->root]]];
    if (round == 0 && leader != s->root && s->me == leader)
        coll_add_receive(s, s->root, 0, coll_at(COLL_DEST, 0), s->bytes);
    if (round == 0 && leader != s->root && s->me == s->root)
        coll_add_send(s, leader, 0, coll_at(COLL_SOURCE, 0), s->bytes);
    return round == 0;
}

/* What the member has, or gets: the root's dest may be missing. */
static void use_data(const struct coll_schedule *s, struct coll_part *p)
{
    if (s->me != s->root)
        p->source = coll_at(COLL_DEST, 0);
    p->no_dest = true;
}

static coll_build_fn leaders_broadcast(struct coll_schedule *s, struct coll_part *p)
{
    const struct coll_hosts *l = s->hosts;
    use_data(s, p);
    p->me = l->host[s->me];
    p->size = l->count;
    p->root = l->host[s->root];
    p->member = of_leaders;
    if (!is_leader(s))
        return NULL;
    return coll_level_choice(s, p, COLL_LEVEL_BETWEEN, COLL_BROADCAST, s->bytes, l->count,
                             broadcast_of_mpich(s->bytes, l->count));
}

/* A root that gave its data away is like others of its host. */
static coll_build_fn host_broadcasts(struct coll_schedule *s, struct coll_part *p)
{
    enum { SHORT = 128 << 10 };
    const struct coll_hosts *l = s->hosts;
    uint32_t h = l->host[s->me];
    use_data(s, p);
    p->first = l->first[h];
    p->size = l->first[h + 1] - p->first;
    p->me = l->index[s->me];
    p->member = of_host;
    p->root = 0;
    if (s->me == s->root && p->me) {
        p->dest = coll_at(COLL_TEMP, 0);
        coll_temp(s, s->bytes);
        p->temp = s->bytes;
        p->source = coll_at(COLL_SOURCE, 0);
    }
    bool is_short = s->bytes <= SHORT;
    return coll_level_choice(s, p, COLL_LEVEL_WITHIN, COLL_BROADCAST, s->bytes, p->size,
                             is_short ? broadcast_of_mpich(s->bytes, p->size)
                                      : coll_broadcast_knomial_by_level);
}

static bool own(struct coll_schedule *s, uint32_t round)
{
    if (round == 0)
        broadcast_root_copy(s);
    return round == 0;
}

/* Leaders by MPICH's rules, then each host: by MPICH's rules up to 128 KiB, else by k-nomial-by-level. The
 * root's host gets the data through its leader. SMPI's mvapich2_inter_node leaves out the hosts, and its
 * mvapich2_intra_node takes a root's number for a place in each host, which only holds for the first. */
bool coll_broadcast_leaders_first(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.all = to_leader}, {.part = leaders_broadcast}, {.part = host_broadcasts}, {.all = own}};
    if (!coll_part_hosts(s))
        return coll_level_choice(s, NULL, COLL_LEVEL_BETWEEN, COLL_BROADCAST, s->bytes, s->size,
                                 broadcast_of_mpich(s->bytes, s->size))(s, round);
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

/* MVAPICH2's own rule: leaders-first for more than 64 members or from 16 to 512 KiB, else a binomial tree
 * or a scatter and a ring. */
bool coll_broadcast_leaders_middle(struct coll_schedule *s, uint32_t round)
{
    bool is_short = s->bytes <= KIB(16);
    if (s->size <= 64 && (is_short || s->bytes >= KIB(512)))
        return is_short ? coll_broadcast_binomial_in_turn(s, round)
                        : coll_broadcast_scatter_whole_ring(s, round);
    return coll_broadcast_leaders_first(s, round);
}
