/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * vector: a reduction's vector in dest: how it is split into parts of whole items, and what algorithms do
 * with it: exchanges, and binomial trees of blocking calls, in which a member has one message at a time.
 */
#ifndef PGASIM_COLL_VECTOR_H
#define PGASIM_COLL_VECTOR_H

#include "coll/schedule/steps.h"

/* Bytes [at, at + bytes) of the vector. */
struct coll_run {
    uint64_t at, bytes;
};
/* Parts [first, first + count) of `parts`. They differ by an item at most. */
static inline struct coll_run coll_run_even(const struct coll_schedule *s, uint32_t first, uint32_t count,
                                            uint32_t parts)
{
    uint64_t item = coll_item(s), n = s->bytes / item;
    uint64_t low = (uint64_t)((unsigned __int128)n * first / parts);
    uint64_t high = (uint64_t)((unsigned __int128)n * (first + count) / parts);
    return (struct coll_run){low * item, (high - low) * item};
}
/* Parts of equal size, as small as an item or less allows; the last one also has the rest: MPICH's way. */
static inline struct coll_run coll_run_rest_last(const struct coll_schedule *s, uint32_t first,
                                                 uint32_t count, uint32_t parts)
{
    uint64_t item = coll_item(s), n = s->bytes / item, each = n / parts;
    uint64_t low = first * each, high = first + count == parts ? n : low + count * each;
    return (struct coll_run){low * item, (high - low) * item};
}

/* One exchange with `peer`: `out` of dest goes there, and what comes is reduced into `in`, or written to it.
 * Where they overlap, the send comes first (C5). */
void coll_add_swap(struct coll_schedule *s, uint32_t peer, uint32_t tag, struct coll_run out,
                   struct coll_run in, bool reduce);
/* Any n by an algorithm for a power of two (pairing.h): the first round, in which the pairs' vectors are
 * reduced, and the last one. */
void coll_add_fold(struct coll_schedule *s, uint32_t tag);
void coll_add_unfold(struct coll_schedule *s, uint32_t tag);

/* Rounds 0 to ceil(log2 n) - 1 of a binomial tree to or from member 0, a message a round at a member:
 * MPI_Send and MPI_Recv. `tag` for all of them. False: no such round. */
bool coll_blocking_up(struct coll_schedule *s, uint32_t round, uint32_t tag, struct coll_run run);
bool coll_blocking_down(struct coll_schedule *s, uint32_t round, uint32_t tag, struct coll_run run);

#endif
