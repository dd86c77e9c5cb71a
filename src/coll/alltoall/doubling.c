/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doubling: all-to-alls that gather the whole sources of all members at each, by an allgather's pattern; each
 * then takes its parts. As short messages as an allgather has, but n times the data: only for parts of a few
 * bytes, and to see what that costs. For parts of one size.
 *
 * a is the time of one small message, B the bandwidth, m the bytes of a part, n members.
 */
#include "coll/alltoall/alltoall.h"

static coll_place source_of(const struct coll_schedule *s, uint32_t member)
{
    return coll_at(COLL_TEMP, (uint64_t)member * s->size * s->bytes);
}

/* The members [root, root + mask) that there are. */
static uint64_t bytes_of(const struct coll_schedule *s, uint32_t root, uint32_t mask)
{
    uint32_t members = s->size - root < mask ? s->size - root : mask;
    return (uint64_t)members * s->size * s->bytes;
}

/* In step `mask` subtrees of so many members meet. If only some members of a subtree have a partner, because
 * the other one is not complete, they then pass what they got down their own subtree. */
static void pass_down(struct coll_schedule *s, struct coll_program *p, uint32_t other, uint32_t mask,
                      uint32_t tag)
{
    uint32_t have = s->size - other; /* members at the beginning of each subtree that have got it */
    uint64_t bytes = bytes_of(s, other, mask);
    for (uint32_t half = mask / 2; half; half /= 2, tag++) {
        uint32_t peer = s->me ^ half, root = s->me & ~(2 * half - 1);
        if (peer > s->me && s->me < root + have && peer >= root + have)
            coll_program_send_wait(p, peer, tag, source_of(s, other), bytes);
        else if (peer < s->me && peer < root + have && s->me >= root + have)
            coll_program_receive_wait(p, peer, tag, source_of(s, other), bytes);
    }
}

static void meet(struct coll_schedule *s, struct coll_program *p, uint32_t mask, uint32_t tag)
{
    uint32_t peer = s->me ^ mask, mine = s->me & ~(mask - 1), other = peer & ~(mask - 1);
    if (peer < s->size) {
        uint32_t in = coll_program_receive(p, peer, tag, source_of(s, other), bytes_of(s, other, mask));
        uint32_t out = coll_program_send(p, peer, tag, source_of(s, mine), bytes_of(s, mine, mask));
        coll_program_wait(p, in);
        coll_program_wait(p, out);
    }
    if (other > mine && other < s->size && s->size - other < mask)
        pass_down(s, p, other, mask, tag + 1);
}

static void take_parts(struct coll_schedule *s, struct coll_program *p)
{
    for (uint32_t k = 0; k < s->size; k++)
        coll_program_copy(p, source_of(s, k) + s->me * s->bytes, coll_at(COLL_DEST, k * s->bytes), s->bytes);
}

enum { STEP_TAGS = 64 }; /* more than a step has messages to one member */

/* Recursive doubling of the sources (Thakur, Rabenseifner, Gropp 2005, section 4.1). a log n + n (n - 1) m/B,
 * and up to as much again where n is no power of two; n log n messages and those of uneven subtrees. */
bool coll_alltoall_recursive_doubling(struct coll_schedule *s, uint32_t round)
{
    struct coll_program p;
    uint32_t step = 0;
    if (round)
        return false;
    coll_temp(s, (uint64_t)s->size * s->size * s->bytes + 1);
    coll_program_begin(&p, s);
    coll_program_copy(&p, coll_at(COLL_SOURCE, 0), source_of(s, s->me), s->size * s->bytes);
    for (uint32_t mask = 1; mask < s->size; mask *= 2, step++)
        meet(s, &p, mask, step * STEP_TAGS);
    take_parts(s, &p);
    coll_program_end(&p);
    return true;
}

/* --- a ring ---------------------------------------------------------------------------------------- */

/* Each source goes once around the ring, as MPICH's tsp_ring does. (n - 1)(a + n m/B); n (n - 1) messages. */
bool coll_alltoall_whole_ring(struct coll_schedule *s, uint32_t round)
{
    uint64_t bytes = s->size * s->bytes;
    coll_place room[] = {coll_at(COLL_TEMP, 0), coll_at(COLL_TEMP, bytes)};
    if (round >= s->size)
        return false;
    coll_temp(s, 2 * bytes + 1);
    if (round + 1 < s->size) {
        coll_add_receive(s, coll_before(s, 1), round, room[round % 2], bytes);
        coll_add_send(s, coll_after(s, 1), round, round ? room[(round - 1) % 2] : coll_at(COLL_SOURCE, 0),
                      bytes);
    }
    if (round)
        coll_add_copy(s, room[(round - 1) % 2] + s->me * s->bytes,
                      coll_at(COLL_DEST, coll_before(s, round) * s->bytes), s->bytes);
    else
        coll_add_own(s, s->me * s->bytes, s->me * s->bytes, s->bytes);
    return true;
}
