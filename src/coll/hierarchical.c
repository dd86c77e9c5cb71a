/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hierarchical: algorithms of two levels: the members of each host communicate among themselves, through
 * memory, and one member of each host, its leader, with the other leaders, by an algorithm for as many
 * members as there are hosts. An algorithm is a list of phases; a phase runs rounds of another algorithm as
 * if its part of the group were the whole (Karonis et al., "Exploiting hierarchy in parallel computer
 * networks to optimize collective operation performance", IPDPS 2000; Graham and Shipman, "MPI support for
 * multi-core architectures", EuroPVM/MPI 2008).
 *
 * a is the time of one small message between hosts, b within one; H hosts of P members, m bytes. A
 * broadcast's root is its host's leader; elsewhere the leader is the first in order of place.
 */
#include "coll/algorithms.h"
#include "coll/select.h"
#include "coll/tree.h"

enum part { ALL, HOST, LEADERS };
struct phase {
    enum part part;
    coll_build_fn build;
    uint32_t skip; /* the algorithm's first rounds, already done by an earlier phase */
};

static const coll_place whole = (uint64_t)COLL_DEST << 62;

/* --- parts -------------------------------------------------------------------------------------- */

static uint32_t leader(const struct coll_schedule *s, uint32_t host)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t root = s->call->root;
    if (s->call->op == COLL_BROADCAST && l->host[root] == host)
        return root;
    return l->member[l->first[host]];
}

/* Turns the schedule into that of a part of the group; the caller restores it. */
static void enter_part(struct coll_schedule *s, enum part part)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t host = l->host[s->me], root = s->root;
    bool rooted = s->call->op == COLL_BROADCAST;
    if (part == LEADERS) {
        s->me = host;
        s->size = l->count;
        s->root = rooted ? l->host[root] : 0;
        s->among_leaders = true;
        s->bounds = l->first;
    } else if (part == HOST) {
        s->root = l->index[leader(s, host)];
        s->root_in_dest = rooted && leader(s, host) != root;
        s->me = l->index[s->me];
        s->size = l->first[host + 1] - l->first[host];
    }
}

/* Converts numbers in the part to places in the group. */
static void name_peers(struct coll_schedule *s, enum part part)
{
    const struct coll_hosts *l = s->hosts;
    const uint32_t *member = l->member + l->first[l->host[s->me]];
    for (uint32_t k = 0; part != ALL && k < s->n; k++)
        s->steps[k].peer = part == HOST ? member[s->steps[k].peer] : leader(s, s->steps[k].peer);
}

static bool build_phase(struct coll_schedule *s, const struct phase *p, uint32_t round)
{
    if (p->part == LEADERS && leader(s, s->hosts->host[s->me]) != s->me)
        return false;
    uint32_t me = s->me, size = s->size, root = s->root;
    enter_part(s, p->part);
    bool any = p->build(s, round + p->skip);
    s->me = me;
    s->size = size;
    s->root = root;
    s->bounds = NULL;
    s->root_in_dest = s->among_leaders = false;
    name_peers(s, p->part);
    return any;
}

static bool build_phases(struct coll_schedule *s, uint32_t round, const struct phase *phases, uint32_t n)
{
    for (; s->phase < n; s->phase++, s->phase_from = round)
        if (build_phase(s, &phases[s->phase], round - s->phase_from))
            return true;
    return false;
}

/* --- phases ------------------------------------------------------------------------------------- */

/* The leaders' algorithm: what `auto` takes for that many members. */
static coll_build_fn flat(const struct coll_schedule *s)
{
    uint32_t n = s->hosts ? s->hosts->count : s->size;
    return coll_select_flat(s->call, n);
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

/* 2 b log2 P + the leaders'; 2 (n - H) messages and the leaders'. */
bool coll_barrier_hierarchical(struct coll_schedule *s, uint32_t round)
{
    const struct phase phases[] = {{HOST, signal_up, 0}, {LEADERS, flat(s), 0}, {HOST, signal_down, 0}};
    return s->hosts ? build_phases(s, round, phases, BASE_LENGTH(phases)) : flat(s)(s, round);
}

/* The leaders', then (b + m/B) log2 P; n - H messages and the leaders'. */
bool coll_broadcast_hierarchical(struct coll_schedule *s, uint32_t round)
{
    const struct phase phases[] = {{LEADERS, flat(s), 0}, {HOST, coll_broadcast_binomial, 0}};
    return s->hosts ? build_phases(s, round, phases, BASE_LENGTH(phases)) : flat(s)(s, round);
}

/* (2 b + 2 m/B + g m) log2 P + the leaders'; 2 (n - H) messages and the leaders'. Operands of one host are
 * combined in order of place, then the hosts in order of their first place. */
bool coll_reduce_hierarchical(struct coll_schedule *s, uint32_t round)
{
    const struct phase phases[] = {
        {ALL, load, 0}, {HOST, reduce_up, 0}, {LEADERS, flat(s), 1}, {HOST, result_down, 0}};
    return s->hosts ? build_phases(s, round, phases, BASE_LENGTH(phases)) : flat(s)(s, round);
}

/* Each leader gathers its host's parts, the leaders exchange them by Bruck's algorithm, then each sends the
 * whole result to its host. b log2 P + m P/B, a ceil(log2 H) + n m/B, (b + n m/B) log2 P; 2 (n - H) messages
 * and the leaders'. Where the members of a host are not neighbours, Bruck's algorithm runs among all. */
bool coll_fcollect_hierarchical(struct coll_schedule *s, uint32_t round)
{
    static const struct phase phases[] = {
        {ALL, own_part, 0}, {HOST, gather_up, 0}, {LEADERS, coll_fcollect_bruck, 1}, {HOST, parts_down, 0}};
    bool in_order = s->hosts && s->hosts->in_order;
    return in_order ? build_phases(s, round, phases, BASE_LENGTH(phases)) : coll_fcollect_bruck(s, round);
}
