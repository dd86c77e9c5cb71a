/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * in_place: all-to-alls for one buffer, in which each part that comes takes the place of the one that leaves
 * for the same member. They work with two buffers as well. A part that comes is written when what was there
 * has left (C5).
 *
 * a is the time of one small message, B the bandwidth, M the bytes of a member's parts, n members. All send
 * n (n - 1) messages.
 */
#include "coll/alltoall/alltoall.h"
#include "coll/alltoall/direct.h"

static void swap_with(struct coll_schedule *s, uint32_t peer, uint32_t tag)
{
    uint32_t in = coll_direct_receive(s, peer, tag), out = coll_direct_send(s, peer, tag);
    coll_order(s, out, in);
}

/* In round k the places that add up to k modulo n swap parts. Place k/2 rests. n a + M/B. */
bool coll_alltoall_exchange(struct coll_schedule *s, uint32_t round)
{
    uint32_t peer = round >= s->me ? round - s->me : round + (s->size - s->me);
    if (round > s->size)
        return false;
    if (round == s->size)
        coll_direct_own(s);
    else if (peer != s->me)
        swap_with(s, peer, round);
    return true;
}

/* Every member swaps parts with places 0, 1, ... in turn, as MPICH does with MPI_Sendrecv_replace: a place's
 * k-th partner is also busy with others, so the swaps form a pipeline. (2 n - 3) a + 2 M/B. */
bool coll_alltoall_replace(struct coll_schedule *s, uint32_t round)
{
    if (round >= s->size)
        return false;
    if (round == s->me)
        coll_direct_own(s);
    else
        swap_with(s, round, 0);
    return true;
}

/* --- both ways -------------------------------------------------------------------------------------- */

static void put_aside(struct coll_schedule *s, uint32_t right)
{
    uint64_t bytes = coll_part_bytes(s, COLL_SOURCE, right);
    coll_temp(s, bytes + 1);
    if (bytes)
        coll_add_copy(s, coll_part_at(s, COLL_SOURCE, right), coll_at(COLL_TEMP, 0), bytes);
}

static void swap_both(struct coll_schedule *s, uint32_t left, uint32_t right)
{
    struct coll_program p;
    coll_program_begin(&p, s);
    uint32_t in = coll_program_receive(&p, right, 0, coll_part_at(s, COLL_DEST, right),
                                       coll_part_bytes(s, COLL_DEST, right));
    coll_program_send_wait(&p, left, 0, coll_part_at(s, COLL_SOURCE, left),
                           coll_part_bytes(s, COLL_SOURCE, left));
    coll_program_wait(&p, in);
    in = coll_program_receive(&p, left, 0, coll_part_at(s, COLL_DEST, left),
                              coll_part_bytes(s, COLL_DEST, left));
    coll_program_send_wait(&p, right, 0, coll_at(COLL_TEMP, 0), coll_part_bytes(s, COLL_SOURCE, right));
    coll_program_wait(&p, in);
    coll_program_end(&p);
}

/* In step k a member puts aside what it has for the place k after it, so that what comes from there has room,
 * while its part for the place k before leaves; then the same the other way round (Open MPI 5). (n - 1) a +
 * M/B. */
bool coll_alltoall_both_ways(struct coll_schedule *s, uint32_t round)
{
    uint32_t k = round / 2 + 1, steps = s->size / 2;
    if (k > steps + 1 || (k == steps + 1 && round % 2))
        return false;
    if (k == steps + 1)
        coll_direct_own(s);
    else if (round % 2 == 0)
        put_aside(s, coll_after(s, k));
    else if (2 * k == s->size)
        swap_with(s, coll_after(s, k), 0);
    else
        swap_both(s, coll_before(s, k), coll_after(s, k));
    return true;
}
