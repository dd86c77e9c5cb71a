/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hierarchical: algorithms of two levels: the members of each host communicate among themselves, through
 * memory, and one member of each host, its leader, with the other leaders, by an algorithm for as many
 * members as there are hosts. An algorithm is a list of stages (Karonis et al., "Exploiting hierarchy in
 * parallel computer networks to optimize collective operation performance", IPDPS 2000; Graham and Shipman,
 * "MPI support for multi-core architectures", EuroPVM/MPI 2008).
 *
 * a is the time of one small message between hosts, b within one; H hosts of P members, m bytes. A
 * broadcast's root is its host's leader; elsewhere the leader is the first in order of place.
 */
#include "coll/levels/levels.h"
#include "coll/allgather/allgather.h"
#include "coll/barrier/barrier.h"
#include "coll/broadcast/broadcast.h"
#include "coll/reduce/reduce.h"

static const coll_place whole = (uint64_t)COLL_DEST << 62;

/* --- parts -------------------------------------------------------------------------------------- */

static bool broadcasts(const struct coll_schedule *s)
{
    return s->call->op == COLL_BROADCAST;
}

static uint32_t leader(const struct coll_schedule *s, uint32_t host)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t root = s->call->root;
    if (broadcasts(s) && l->host[root] == host)
        return root;
    return l->member[l->first[host]];
}

static uint32_t leader_of(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    (void)p;
    return leader(s, k);
}

static uint32_t of_host(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    return s->hosts->member[p->first + k];
}

/* The members of my host. */
static coll_build_fn host(const struct coll_schedule *s, struct coll_part *p, coll_build_fn build)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t h = l->host[s->me], first = leader(s, h);
    p->first = l->first[h];
    p->size = l->first[h + 1] - p->first;
    p->me = l->index[s->me];
    p->root = l->index[first];
    p->member = of_host;
    if (broadcasts(s) && first != s->root) /* it has got the data from another leader */
        p->source = whole;
    return build;
}

/* The leaders, if I am one; a reduction's have their host's result in dest. */
static coll_build_fn leaders(const struct coll_schedule *s, struct coll_part *p, coll_build_fn build)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t h = l->host[s->me];
    p->me = h;
    p->size = l->count;
    p->root = broadcasts(s) ? l->host[s->root] : 0;
    p->member = leader_of;
    p->bounds = l->first;
    p->no_dest = broadcasts(s);
    if (!broadcasts(s))
        p->source = whole;
    return leader(s, h) == s->me ? build : NULL;
}

/* --- stages ------------------------------------------------------------------------------------- */

/* What would be chosen for n members without hosts in common. */
static coll_build_fn flat(const struct coll_schedule *s, struct coll_part *p, enum coll_level level,
                          uint32_t n)
{
    /* cppcheck-suppress CastIntegerToAddressAtReturn ; it is a function */
    return s->tuning->choose(s, p, level, s->call->op, s->bytes, n);
}

/* In stages; without hosts in common as would be chosen, and as a part of another algorithm by `inner`. */
static bool in_levels(struct coll_schedule *s, uint32_t round, const struct coll_stage_def *stages,
                      uint32_t n, coll_build_fn inner)
{
    if (s->part)
        return inner(s, round);
    return s->hosts ? coll_stages_round(s, round, stages, n)
                    : flat(s, NULL, COLL_LEVEL_ALL, s->size)(s, round);
}

static coll_build_fn leaders_flat(struct coll_schedule *s, struct coll_part *p)
{
    return leaders(s, p, flat(s, p, COLL_LEVEL_BETWEEN, s->hosts->count));
}

static bool signal_up(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_load nothing = {0, 0, false, false};
    return coll_tree_up(s, round, 2, &nothing);
}

static bool signal_down(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_load nothing = {0, 0, false, false};
    return coll_tree_down(s, round, 2, &nothing);
}

static bool load(struct coll_schedule *s, uint32_t round)
{
    if (round == 0)
        coll_add_own(s, 0, 0, s->bytes);
    return round == 0;
}

static bool reduce_up(struct coll_schedule *s, uint32_t round)
{
    struct coll_load all = {whole, s->bytes, true, false};
    return coll_tree_up(s, round, 2, &all);
}

static bool result_down(struct coll_schedule *s, uint32_t round)
{
    struct coll_load all = {whole, s->bytes, false, false};
    return coll_tree_down(s, round, 2, &all);
}

static bool own_part(struct coll_schedule *s, uint32_t round)
{
    if (round == 0)
        coll_add_own(s, 0, (uint64_t)s->me * s->bytes, s->bytes);
    return round == 0;
}

/* The parts of a host's members lie next to each other. */
static bool gather_up(struct coll_schedule *s, uint32_t round)
{
    const struct coll_hosts *l = s->hosts;
    uint64_t m = s->bytes;
    struct coll_load parts = {coll_at(COLL_DEST, l->first[l->host[s->place]] * m), m, false, true};
    return coll_tree_up(s, round, 2, &parts);
}

static bool parts_down(struct coll_schedule *s, uint32_t round)
{
    struct coll_load all = {whole, s->call->group.size * s->bytes, false, false};
    return coll_tree_down(s, round, 2, &all);
}

/* --- the algorithms ----------------------------------------------------------------------------- */

static coll_build_fn host_signals_up(struct coll_schedule *s, struct coll_part *p)
{
    return host(s, p, signal_up);
}

static coll_build_fn host_signals_down(struct coll_schedule *s, struct coll_part *p)
{
    return host(s, p, signal_down);
}

/* 2 b log2 P + the leaders'; 2 (n - H) messages and the leaders'. */
bool coll_barrier_hierarchical(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = host_signals_up}, {.part = leaders_flat}, {.part = host_signals_down}};
    return in_levels(s, round, stages, BASE_LENGTH(stages), coll_barrier_dissemination);
}

static coll_build_fn host_broadcasts(struct coll_schedule *s, struct coll_part *p)
{
    return host(s, p, coll_broadcast_binomial);
}

/* The leaders', then (b + m/B) log2 P; n - H messages and the leaders'. */
bool coll_broadcast_hierarchical(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.part = leaders_flat}, {.part = host_broadcasts}};
    return in_levels(s, round, stages, BASE_LENGTH(stages), coll_broadcast_binomial);
}

static coll_build_fn host_reduces(struct coll_schedule *s, struct coll_part *p)
{
    return host(s, p, reduce_up);
}

static coll_build_fn host_gets_result(struct coll_schedule *s, struct coll_part *p)
{
    return host(s, p, result_down);
}

/* (2 b + 2 m/B + g m) log2 P + the leaders'; 2 (n - H) messages and the leaders'. Operands of one host are
 * combined in order of place, then the hosts in order of their first place. */
bool coll_reduce_hierarchical(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.all = load}, {.part = host_reduces}, {.part = leaders_flat}, {.part = host_gets_result}};
    return in_levels(s, round, stages, BASE_LENGTH(stages), coll_reduce_recursive_doubling);
}

static coll_build_fn host_gathers(struct coll_schedule *s, struct coll_part *p)
{
    return host(s, p, gather_up);
}

static bool bruck_after_own(struct coll_schedule *s, uint32_t round)
{
    return coll_fcollect_bruck(s, round + 1);
}

static coll_build_fn leaders_exchange(struct coll_schedule *s, struct coll_part *p)
{
    return leaders(s, p, bruck_after_own);
}

static coll_build_fn host_gets_parts(struct coll_schedule *s, struct coll_part *p)
{
    return host(s, p, parts_down);
}

/* Each leader gathers its host's parts, the leaders exchange them by Bruck's algorithm, then each sends the
 * whole result to its host. b log2 P + m P/B, a ceil(log2 H) + n m/B, (b + n m/B) log2 P; 2 (n - H) messages
 * and the leaders'. Where the members of a host are not neighbours, Bruck's algorithm runs among all. */
bool coll_fcollect_hierarchical(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.all = own_part}, {.part = host_gathers}, {.part = leaders_exchange}, {.part = host_gets_parts}};
    bool in_order = !s->part && s->hosts && s->hosts->in_order;
    return in_order ? coll_stages_round(s, round, stages, BASE_LENGTH(stages))
                    : coll_fcollect_bruck(s, round);
}
