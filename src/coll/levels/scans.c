/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scans: prefix reductions of two levels, where the members of every host are neighbours in order of place;
 * elsewhere they are done by recursive doubling (MPICH's smp). The last member of a host, which knows the
 * host's sum, is its leader. Temporary memory: the prefix within the host (of an exscan, with the member's
 * own operand), then the sum of all hosts before it. a is the time of one small message between hosts, b
 * within one, m the bytes, B the bandwidth, g the time to reduce a byte, H hosts of P members.
 */
#include "coll/levels/levels.h"
#include "coll/scan/scan.h"

#include <string.h>

static uint64_t room(const struct coll_schedule *s)
{
    return (s->bytes + 15) / 16 * 16;
}

static coll_place own_prefix(const struct coll_schedule *s)
{
    return s->call->op == COLL_INSCAN ? coll_at(COLL_DEST, 0) : coll_at(COLL_TEMP, 0);
}

static coll_place hosts_prefix(const struct coll_schedule *s)
{
    return coll_at(COLL_TEMP, room(s));
}

/* --- parts -------------------------------------------------------------------------------------- */

static uint32_t from_first(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    return s->hosts->member[p->first + k];
}

static uint32_t from_last(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    return s->hosts->member[p->first + p->size - 1 - k];
}

static uint32_t leader(const struct coll_schedule *s, const struct coll_part *p, uint32_t k)
{
    (void)p;
    return s->hosts->member[s->hosts->first[k + 1] - 1];
}

static uint32_t host_of(const struct coll_schedule *s)
{
    return s->hosts->host[s->me];
}

static void whole_host(struct coll_schedule *s, struct coll_part *p)
{
    uint32_t h = host_of(s);
    coll_temp(s, 2 * room(s) + 1);
    p->first = s->hosts->first[h];
    p->size = s->hosts->first[h + 1] - p->first;
    p->me = s->hosts->index[s->me];
    p->member = from_first;
    p->temp = 2 * room(s);
}

/* --- stages ------------------------------------------------------------------------------------- */

static coll_build_fn host_scans(struct coll_schedule *s, struct coll_part *p)
{
    whole_host(s, p);
    p->dest = own_prefix(s);
    return coll_inscan_recursive_doubling;
}

static coll_build_fn leaders_scan(struct coll_schedule *s, struct coll_part *p)
{
    uint32_t h = host_of(s);
    bool leads = s->hosts->first[h + 1] - 1 == s->hosts->first[h] + s->hosts->index[s->me];
    whole_host(s, p);
    p->member = leader;
    p->me = h;
    p->size = s->hosts->count;
    p->source = own_prefix(s);
    p->dest = hosts_prefix(s);
    return leads ? coll_exscan_recursive_doubling : NULL;
}

static bool prefix_down(struct coll_schedule *s, uint32_t round)
{
    return coll_blocking_down(s, round, 0, (struct coll_run){0, s->bytes});
}

static coll_build_fn host_gets_prefix(struct coll_schedule *s, struct coll_part *p)
{
    whole_host(s, p);
    p->member = from_last;
    p->me = p->size - 1 - p->me;
    p->dest = hosts_prefix(s);
    return host_of(s) ? prefix_down : NULL;
}

static bool add_prefix(struct coll_schedule *s, uint32_t round)
{
    if (round == 0 && host_of(s) && s->bytes)
        coll_add_combine(s, hosts_prefix(s), coll_at(COLL_DEST, 0), s->bytes);
    return round == 0;
}

/* b log2 P + a log2 H + b log2 P, each with m/B, and g m as often; of recursive doubling's messages only
 * those of the leaders are between hosts. */
bool coll_inscan_two_level(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {
        {.part = host_scans}, {.part = leaders_scan}, {.part = host_gets_prefix}, {.all = add_prefix}};
    bool levels = coll_part_hosts(s) && s->hosts->in_order;
    return levels ? coll_stages_round(s, round, stages, BASE_LENGTH(stages))
                  : coll_inscan_recursive_doubling(s, round);
}

/* --- exscan ------------------------------------------------------------------------------------- */

/* Each prefix moves on to the next member of the host, the first of which has those of the hosts before. */
static bool shift(struct coll_schedule *s, uint32_t round)
{
    const struct coll_hosts *l = s->hosts;
    uint32_t h = l->host[s->me], k = l->index[s->me], size = l->first[h + 1] - l->first[h];
    coll_place dest = coll_at(COLL_DEST, 0), mine = own_prefix(s);
    uint64_t m = s->bytes;
    if (round == 0 && k)
        coll_add_receive(s, l->member[l->first[h] + k - 1], 0, dest, m);
    if (round == 0 && k + 1 < size)
        coll_add_send(s, l->member[l->first[h] + k + 1], 0, mine, m);
    if (round == 1 && h && m) {
        if (k)
            coll_add_combine(s, hosts_prefix(s), dest, m);
        else
            coll_add_copy(s, hosts_prefix(s), dest, m);
    }
    return round < 2;
}

/* Place 0 gets zeros, if anything: what a leaders' exscan leaves at the first host's. */
static bool clear(struct coll_schedule *s, uint32_t round)
{
    unsigned char *temp = coll_temp(s, 2 * room(s) + 1);
    if (round == 0 && s->me == 0 && s->bytes && !s->call->keep_first) {
        if (temp) /* NULL: nothing is moved */
            memset(temp + room(s), 0, s->bytes);
        coll_add_copy(s, hosts_prefix(s), coll_at(COLL_DEST, 0), s->bytes);
    }
    return round == 0;
}

/* The inscan's, and b + m/B. */
bool coll_exscan_two_level(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.part = host_scans},
                                                   {.part = leaders_scan},
                                                   {.part = host_gets_prefix},
                                                   {.all = shift},
                                                   {.all = clear}};
    bool levels = coll_part_hosts(s) && s->hosts->in_order;
    return levels ? coll_stages_round(s, round, stages, BASE_LENGTH(stages))
                  : coll_exscan_recursive_doubling(s, round);
}
