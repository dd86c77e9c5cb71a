/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * runs: the parts that go along the edges of a span tree, in a member's temporary memory. Parts of one size
 * are known to all. Where sizes differ, each member knows its own and the root all of them; the others that
 * have children learn those of their descendants first, and keep them in front of the parts.
 */
#ifndef PGASIM_COLL_ROOTED_RUNS_H
#define PGASIM_COLL_ROOTED_RUNS_H

#include "coll/schedule/schedule.h"

enum { COLL_RUN_PARTS, COLL_RUN_SIZES }; /* tags */
enum { COLL_RUN_SIZE = 8 };              /* bytes of a size in a message */

/* The operation has parts of different sizes. */
static inline bool coll_runs_differ(const struct coll_schedule *s)
{
    return !s->regular && (s->call->op == COLL_GATHERV || s->call->op == COLL_SCATTERV);
}
/* Different sizes: makes room for those of my run, and fills in what I know: my own, or at the root those of
 * its `base`. */
void coll_runs_begin(struct coll_schedule *s, const struct coll_span *t, enum coll_base base);
/* Where the size of a number is kept. */
static inline coll_place coll_runs_size_at(const struct coll_span *t, uint32_t number)
{
    return coll_at(COLL_TEMP, (uint64_t)COLL_RUN_SIZE * (number - t->me));
}
/* Bytes of the numbers [from, end) of my run, whose sizes are known. */
uint64_t coll_runs_bytes(struct coll_schedule *s, const struct coll_span *t, uint32_t from, uint32_t end);
/* Where the part of a number is. Makes room for the parts of my run. */
coll_place coll_runs_at(struct coll_schedule *s, const struct coll_span *t, uint32_t number);
/* At the root: copies all parts between temporary memory, in order of number, and `base`, in order of place.
 * */
void coll_runs_collect(struct coll_schedule *s, const struct coll_span *t);
void coll_runs_deliver(struct coll_schedule *s, const struct coll_span *t);

#endif
