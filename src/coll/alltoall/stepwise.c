/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stepwise: n - 1 steps, in each of which a member sends a part to one member and receives one from another
 * (ring) or the same (pair). The forms with barriers keep the members in step, so that on switches no two
 * messages of different steps meet: a barrier before each step, one before the first, or "light" ones, by
 * which each member tells the next sender that it is ready (Faraj, Yuan, "Message scheduling for all-to-all
 * personalized communication on Ethernet switched clusters", IPDPS 2005; STAR-MPI, ICS 2006).
 *
 * a is the time of one small message, B the bandwidth, M the bytes of a member's parts, n members.
 */
#include "coll/alltoall/alltoall.h"
#include "coll/alltoall/direct.h"

/* Tags of exchanges, of light barriers, and from which on those of barriers are. A member that has left
 * barrier k has no message of barrier k - 1 left to receive, so tags may come again after two. */
enum { DATA, READY, BARRIERS = 8, BARRIER_TAGS = 8184, BARRIERS_APART = 4 };

static bool steps(struct coll_schedule *s, uint32_t round, coll_partners_fn partners)
{
    if (round >= s->size)
        return false;
    if (round == 0)
        coll_direct_own(s);
    else
        coll_direct_exchange(s, partners(s, round), DATA);
    return true;
}

/* (n - 1) a + M/B; n (n - 1) messages. */
bool coll_alltoall_ring(struct coll_schedule *s, uint32_t round)
{
    return steps(s, round, coll_partners_shifted);
}

/* As the ring, with one partner per step: place xor k. For a power of two of members. */
bool coll_alltoall_pair(struct coll_schedule *s, uint32_t round)
{
    return steps(s, round, coll_partners_paired);
}

/* --- light barriers ------------------------------------------------------------------------------ */

/* One byte to the member that sends to me in step k, and one from the member that I shall send to. */
static void say_ready(struct coll_schedule *s, struct coll_partners next)
{
    unsigned char *byte = coll_temp(s, 2);
    if (byte)
        *byte = 0;
    coll_add_receive(s, next.to, READY, coll_at(COLL_TEMP, 1), 1);
    coll_add_send(s, next.from, READY, coll_at(COLL_TEMP, 0), 1);
}

static bool light(struct coll_schedule *s, uint32_t round, coll_partners_fn partners)
{
    if (round && round >= 2 * s->size - 2)
        return false;
    if (round == 0)
        coll_direct_own(s);
    else if (round % 2)
        coll_direct_exchange(s, partners(s, (round + 1) / 2), DATA);
    else
        say_ready(s, partners(s, round / 2 + 1));
    return true;
}

/* (n - 1) a + (n - 2) a + M/B; n (2 n - 3) messages. */
bool coll_alltoall_ring_light_barrier(struct coll_schedule *s, uint32_t round)
{
    return light(s, round, coll_partners_shifted);
}

/* The same for a power of two of members. */
bool coll_alltoall_pair_light_barrier(struct coll_schedule *s, uint32_t round)
{
    return light(s, round, coll_partners_paired);
}

/* --- whole barriers ------------------------------------------------------------------------------- */

static bool meet(struct coll_schedule *s, uint32_t step, uint32_t round)
{
    struct coll_part all = {
        .me = s->me, .size = s->size, .tag = BARRIERS + step % BARRIERS_APART * BARRIER_TAGS};
    coll_build_fn barrier = s->tuning->choose(s, &all, COLL_LEVEL_ALL, COLL_BARRIER, 0, s->size);
    return coll_part_round(s, &all, barrier, round);
}

/* Stages 2 k and 2 k + 1 are the barrier before step k, and the step. */
static bool meeting(struct coll_schedule *s, uint32_t round, coll_partners_fn partners)
{
    struct coll_stage *at = coll_stage_open(s, round);
    bool any = false;
    while (!any && at->number < 2 * s->size) {
        uint32_t step = at->number / 2, within = round - at->from;
        any = at->number % 2 ? within == 0 : meet(s, step, within);
        if (any && at->number % 2)
            steps(s, step, partners);
        if (!any)
            *at = (struct coll_stage){at->number + 1, round};
    }
    coll_stage_close(s);
    return any;
}

/* The ring's time and messages, and those of n barriers. */
bool coll_alltoall_ring_barriers(struct coll_schedule *s, uint32_t round)
{
    return meeting(s, round, coll_partners_shifted);
}

/* The same for a power of two of members. */
bool coll_alltoall_pair_barriers(struct coll_schedule *s, uint32_t round)
{
    return meeting(s, round, coll_partners_paired);
}

/* A barrier among all. */
static coll_build_fn all_meet(struct coll_schedule *s, struct coll_part *p)
{
    return s->tuning->choose(s, p, COLL_LEVEL_ALL, COLL_BARRIER, p->bytes, p->size);
}

/* The ring's time and messages, and a barrier's. */
bool coll_alltoall_ring_one_barrier(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.part = all_meet}, {.all = coll_alltoall_ring}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

/* The same for a power of two of members. */
bool coll_alltoall_pair_one_barrier(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.part = all_meet}, {.all = coll_alltoall_pair}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}

/* --- one-sided ------------------------------------------------------------------------------------ */

static bool put_all(struct coll_schedule *s, uint32_t round)
{
    if (round)
        return false;
    for (uint32_t p = 0; p < s->size; p++)
        if (p != s->me)
            coll_direct_receive(s, p, DATA);
    for (uint32_t k = 1; k < s->size; k++)
        coll_direct_send(s, s->me ^ k, DATA);
    coll_direct_own(s);
    return true;
}

/* Puts into all members' windows between two fences: all parts at once, between barriers. a + M/B and two
 * barriers; n (n - 1) messages and those of the barriers. For a power of two of members. */
bool coll_alltoall_pair_rma(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.part = all_meet}, {.all = put_all}, {.part = all_meet}};
    return coll_stages_round(s, round, stages, BASE_LENGTH(stages));
}
