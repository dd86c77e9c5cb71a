/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * two_level: all-to-alls in which only few messages leave a host, each with the parts of many members. Either
 * leaders gather what their hosts have, exchange it, and hand out what came (Kumar et al., "Scaling alltoall
 * collective on multi-core systems", IPDPS 2008), or the members of a host first exchange parts among
 * themselves, such that each then sends to one member per host (Traeff, "Decomposing MPI collectives for
 * exploiting multi-lane communication", CLUSTER 2020). For parts of one size; in place, too.
 *
 * a is the time of one small message between hosts, b within one, B the bandwidth, m the bytes of a part; n
 * members on H hosts, P each.
 */
#include "coll/alltoall/alltoall.h"
#include "coll/alltoall/index.h"

/* --- a leader's memory ------------------------------------------------------------------------------- */

/* Temporary memory of a leader: three areas of n parts for each member of its host. Rows are what a member
 * has for all n members, or gets from them; blocks are what goes from one host to another, in the area of
 * what leaves (or comes) at the number of parts for (from) the hosts before. */
enum { ROWS, LEAVES, COMES, AREAS };

static uint32_t members(const struct coll_hosts *l, uint32_t host)
{
    return l->first[host + 1] - l->first[host];
}

static uint32_t my_host(const struct coll_schedule *s)
{
    return s->hosts->host[s->me];
}

static uint64_t area_bytes(const struct coll_schedule *s)
{
    return (uint64_t)members(s->hosts, my_host(s)) * s->size * s->bytes;
}

static coll_place row(const struct coll_schedule *s, uint32_t index, uint64_t part)
{
    return coll_at(COLL_TEMP, (index * (uint64_t)s->size + part) * s->bytes);
}

static coll_place block(const struct coll_schedule *s, int area, uint32_t host, uint64_t part)
{
    uint64_t before = (uint64_t)members(s->hosts, my_host(s)) * s->hosts->first[host];
    return coll_at(COLL_TEMP, area * area_bytes(s) + (before + part) * s->bytes);
}

static uint64_t block_bytes(const struct coll_schedule *s, uint32_t host)
{
    return (uint64_t)members(s->hosts, my_host(s)) * members(s->hosts, host) * s->bytes;
}

static uint32_t leader_of(const struct coll_schedule *s, const struct coll_part *p, uint32_t host)
{
    (void)p;
    return s->hosts->member[s->hosts->first[host]];
}

static bool is_leader(const struct coll_schedule *s)
{
    return s->hosts->index[s->me] == 0;
}

/* --- rounds ------------------------------------------------------------------------------------------ */

enum { UP, DOWN, ACROSS };

/* Between each member of a host and its row in the leader's memory. */
static bool between_rows(struct coll_schedule *s, uint32_t round, bool up)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t h = my_host(s), first = l->first[h], tag = up ? UP : DOWN;
    uint64_t all = s->size * s->bytes;
    coll_place own = coll_at(up ? COLL_SOURCE : COLL_DEST, 0);
    if (round)
        return false;
    if (!is_leader(s)) {
        coll_add_message(s, up, l->member[first], tag, own, all);
        return true;
    }
    coll_temp(s, AREAS * area_bytes(s) + 1);
    for (uint32_t k = 1; k < members(l, h); k++)
        coll_add_message(s, !up, l->member[first + k], tag, row(s, k, 0), all);
    if (all)
        coll_add_copy(s, up ? own : row(s, 0, 0), up ? row(s, 0, 0) : own, all);
    return true;
}

static bool gather(struct coll_schedule *s, uint32_t round)
{
    return between_rows(s, round, true);
}

static bool scatter(struct coll_schedule *s, uint32_t round)
{
    return between_rows(s, round, false);
}

/* Between the rows and one host's block. */
static void move_block(struct coll_schedule *s, uint32_t host, bool leaves)
{
    const struct coll_hosts *l = s->hosts;
    uint64_t mine = members(l, my_host(s)), theirs = members(l, host);
    for (uint32_t i = 0; i < mine; i++)
        for (uint32_t j = 0; j < theirs; j++) {
            coll_place in_row = row(s, i, l->member[l->first[host] + j]);
            coll_place in_block =
                block(s, leaves ? LEAVES : COMES, host, leaves ? i * theirs + j : j * mine + i);
            coll_add_copy(s, leaves ? in_row : in_block, leaves ? in_block : in_row, s->bytes);
        }
}

static bool move(struct coll_schedule *s, uint32_t round, bool leaves)
{
    if (round)
        return false;
    for (uint32_t g = 0; s->bytes && g < s->hosts->count; g++)
        move_block(s, g, leaves);
    return true;
}

static bool pack(struct coll_schedule *s, uint32_t round)
{
    return move(s, round, true);
}

static bool unpack(struct coll_schedule *s, uint32_t round)
{
    return move(s, round, false);
}

/* The block that stays, then one partner of each leader at a time. */
static bool exchange(struct coll_schedule *s, uint32_t round)
{
    uint32_t hosts = s->hosts->count, h = my_host(s);
    if (round >= hosts)
        return false;
    uint32_t to = (uint32_t)(((uint64_t)h + round) % hosts);
    uint32_t from = (uint32_t)(((uint64_t)h + hosts - round) % hosts);
    if (round) {
        coll_add_receive(s, leader_of(s, NULL, from), ACROSS, block(s, COMES, from, 0), block_bytes(s, from));
        coll_add_send(s, leader_of(s, NULL, to), ACROSS, block(s, LEAVES, to, 0), block_bytes(s, to));
    } else if (s->bytes) {
        coll_add_copy(s, block(s, LEAVES, h, 0), block(s, COMES, h, 0), block_bytes(s, h));
    }
    return true;
}

/* --- algorithms ---------------------------------------------------------------------------------------- */

static coll_build_fn leaders_pack(struct coll_schedule *s, struct coll_part *p)
{
    (void)p;
    return is_leader(s) ? pack : NULL;
}

static coll_build_fn leaders_exchange(struct coll_schedule *s, struct coll_part *p)
{
    (void)p;
    return is_leader(s) ? exchange : NULL;
}

static coll_build_fn leaders_unpack(struct coll_schedule *s, struct coll_part *p)
{
    (void)p;
    return is_leader(s) ? unpack : NULL;
}

/* Leaders exchange pairwise. 2 (b + (P - 1) n m/B) + (H - 1)(a + P^2 m/B); 2 (n - H) + H (H - 1) messages, of
 * which the latter leave a host. For members that share hosts. */
bool coll_alltoall_two_level(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.all = gather},
                                                   {.part = leaders_pack},
                                                   {.part = leaders_exchange},
                                                   {.part = leaders_unpack},
                                                   {.all = scatter}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

static coll_build_fn leaders_bruck(struct coll_schedule *s, struct coll_part *p)
{
    uint64_t area = area_bytes(s);
    p->me = my_host(s);
    p->size = s->hosts->count;
    p->member = leader_of;
    p->source = coll_at(COLL_TEMP, LEAVES * area);
    p->dest = coll_at(COLL_TEMP, COMES * area);
    p->bytes = block_bytes(s, 0);
    p->temp = AREAS * area + 1;
    p->irregular = false;
    p->in_place = false;
    p->no_dest = false;
    return is_leader(s) ? coll_alltoall_bruck : NULL;
}

/* Leaders exchange by Bruck's algorithm. 2 (b + (P - 1) n m/B) + log H (a + H P^2 m/(2 B)); 2 (n - H) + H
 * log H messages. For equally many members on each host, next to each other. */
bool coll_alltoall_two_level_bruck(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.all = gather},
                                                   {.part = leaders_pack},
                                                   {.part = leaders_bruck},
                                                   {.part = leaders_unpack},
                                                   {.all = scatter}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

/* Members of a host exchange what each of them passes on; then those of equal number on their hosts exchange
 * across hosts, all network cards at work. (P - 1) b + (H - 1) a + n (2 - 1/P - 1/H) m/B; n (P + H - 2)
 * messages, of which n (H - 1) leave a host. For equally many members on each host, next to each other. */
bool coll_alltoall_multi_lane(struct coll_schedule *s, uint32_t round)
{
    struct coll_ways x = {.kind = COLL_WAYS_GRID, .n = s->size, .part = s->bytes, .at_once = true};
    coll_ways_add(&x, s->size / s->hosts->count);
    coll_ways_add(&x, s->hosts->count);
    return coll_ways_round(s, round, &x);
}
