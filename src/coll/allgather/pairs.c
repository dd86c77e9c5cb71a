/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs: allgathers in which each member sends its own part to all others: to one in each round, or to all
 * at once; and Sparbit, where parts are passed on. a is the time of one small message, B the bandwidth, m
 * the bytes of a part, n members.
 */
#include "coll/allgather/allgather.h"
#include "coll/allgather/runs.h"

/* In round k to the member k after and from the one k before. (n - 1) (a + m/B); n (n - 1) messages. */
bool coll_allgather_pairwise(struct coll_schedule *s, uint32_t round)
{
    if (round + 1 == s->size)
        coll_add_single_own(s);
    if (round + 1 < s->size) {
        uint32_t before = coll_before(s, round + 1);
        coll_add_single_receive(s, before, 0, before);
        coll_add_single_send(s, coll_after(s, round + 1), 0, s->me);
    }
    return round < s->size;
}

/* In round k with the member whose place differs by an exclusive or with k; those that are not there are
 * left out, so any n will do (SMPI requires a power of two). (p - 1) (a + m/B) for the next power of two p;
 * n (n - 1) messages. */
bool coll_allgather_pair(struct coll_schedule *s, uint32_t round)
{
    uint32_t rounds = UINT32_C(1) << coll_log2_above(s->size), peer = s->me ^ (round + 1);
    if (round + 1 == rounds)
        coll_add_single_own(s);
    if (round + 1 < rounds && peer < s->size) {
        coll_add_single_receive(s, peer, 0, peer);
        coll_add_single_send(s, peer, 0, s->me);
    }
    return round < rounds;
}

/* Two members swap their parts. a + m/B; 2 messages. */
bool coll_allgather_two(struct coll_schedule *s, uint32_t round)
{
    return coll_allgather_pairwise(s, round);
}

/* All receives and sends at once, beginning with the next member. (n - 1) o + a + (n - 1) m/B; n (n - 1)
 * messages. */
bool coll_allgather_spread(struct coll_schedule *s, uint32_t round)
{
    struct coll_program p;
    if (round == 1)
        coll_add_single_own(s);
    if (round)
        return round == 1;
    coll_program_begin(&p, s);
    for (uint32_t k = 1; k < s->size; k++)
        coll_program_receive(&p, coll_after(s, k), 0, coll_run_final(s, coll_after(s, k)),
                             coll_run_part(s, coll_after(s, k)));
    for (uint32_t k = 1; k < s->size; k++)
        coll_program_send(&p, coll_after(s, k), 0, coll_at(COLL_SOURCE, 0), coll_run_part(s, s->me));
    coll_program_end(&p);
    return true;
}

/* The same, but all send to the members in order of place: place 0 is everyone's first. */
bool coll_allgather_in_order(struct coll_schedule *s, uint32_t round)
{
    for (uint32_t p = 0; round == 0 && p < s->size; p++)
        if (p != s->me)
            coll_add_single_receive(s, p, 0, p);
    for (uint32_t p = 0; round == 0 && p < s->size; p++)
        if (p != s->me)
            coll_add_single_send(s, p, 0, s->me);
    if (round == 1)
        coll_add_single_own(s);
    return round < 2;
}

/* Loch and Koslovski, "Sparbit: a new logarithmic-cost and data locality-aware MPI Allgather algorithm",
 * 2021: n binomial trees at once, far members first. At distance d = 2^k, which halves from round to round,
 * a member has the parts of the ceil(n / 2d) members 2d apart, itself the last of them, and passes on to
 * the one d after it the first floor(ceil(n / d) / 2), each as a message of its own, as parts are not
 * neighbours. a ceil(log2 n) + n o + (n - 1) m/B; n (n - 1) messages. */
bool coll_allgather_sparbit(struct coll_schedule *s, uint32_t round)
{
    uint32_t n = s->size, rounds = coll_log2_above(n);
    if (round == rounds)
        coll_add_single_own(s);
    if (round >= rounds)
        return round == rounds;
    uint64_t d = UINT64_C(1) << (rounds - 1 - round), count = (n + d - 1) / d / 2;
    uint32_t after = coll_after(s, (uint32_t)d), before = coll_before(s, (uint32_t)d);
    for (uint64_t t = 0; t < count; t++)
        coll_add_single_receive(s, before, (uint32_t)t, coll_before(s, (uint32_t)(d + 2 * d * t)));
    for (uint64_t t = 0; t < count; t++)
        coll_add_single_send(s, after, (uint32_t)t, coll_before(s, (uint32_t)(2 * d * t)));
    return true;
}
