/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs: what the algorithms of an allgather share, whether parts are of one size (fcollect), of sizes that
 * all know (allgatherv) or of sizes that were exchanged before (collect, sized.c). All parts lie side by
 * side in order of place: in dest, or, where dest's parts have places of their own, in temporary memory
 * until the last round. So any run of parts is one message.
 */
#ifndef PGASIM_COLL_ALLGATHER_RUNS_H
#define PGASIM_COLL_ALLGATHER_RUNS_H

#include "coll/schedule/schedule.h"

/* Bytes of part k; of all parts before it, k <= n. */
uint64_t coll_run_part(const struct coll_schedule *s, uint32_t k);
uint64_t coll_run_before(const struct coll_schedule *s, uint32_t k);
static inline uint64_t coll_run_bytes(const struct coll_schedule *s, uint32_t from, uint32_t end)
{
    return coll_run_before(s, end) - coll_run_before(s, from);
}
/* Dest's parts have places of their own. */
static inline bool coll_runs_apart(const struct coll_schedule *s)
{
    return s->local && !s->regular && s->local->dest.counts;
}
/* Where part k lies among the others, and where it lies in the end. */
coll_place coll_run_at(const struct coll_schedule *s, uint32_t k);
coll_place coll_run_final(const struct coll_schedule *s, uint32_t k);

/* The parts [from, end), from or to a peer. */
void coll_add_run_receive(struct coll_schedule *s, uint32_t peer, uint32_t tag, uint32_t from, uint32_t end);
void coll_add_run_send(struct coll_schedule *s, uint32_t peer, uint32_t tag, uint32_t from, uint32_t end);
/* The member's own part to its place among the runs: before all others. Runs to their places: after them. */
void coll_add_run_begin(struct coll_schedule *s);
void coll_add_run_end(struct coll_schedule *s);

/* One part at its final place; the member's own is sent from source, and copied there. */
void coll_add_single_receive(struct coll_schedule *s, uint32_t peer, uint32_t tag, uint32_t part);
void coll_add_single_send(struct coll_schedule *s, uint32_t peer, uint32_t tag, uint32_t part);
void coll_add_single_own(struct coll_schedule *s);
static inline coll_place coll_single_from(const struct coll_schedule *s, uint32_t part)
{
    return part == s->me ? coll_at(COLL_SOURCE, 0) : coll_run_final(s, part);
}

/* collect: the sizes first, then the rounds of `build`. */
bool coll_collect_sized(struct coll_schedule *s, uint32_t round, coll_build_fn build);

#endif
