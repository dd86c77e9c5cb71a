/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strands: threads of ranks, what they release and acquire, and where in the program they are: strand.c, moment.c,
 * object.c, place.c, frame.c.
 */
#ifndef PGASIM_CHECK_RACE_STRANDS_H
#define PGASIM_CHECK_RACE_STRANDS_H

#include "check/race/detector.h"

/* strand.c */
struct race_strand *race_strand_look_up(struct race *d);
struct race_strand *race_strand_of(struct race *d, struct rank *r, const struct engine_actor *a);
static inline struct race_strand *race_strand_now(struct race *d)
{
    return BASE_LIKELY(d->now != NULL) ? d->now : race_strand_look_up(d);
}
static inline void race_strand_forget(struct race *d)
{
    if (d->now)
        d->now->stored += d->stored;
    d->stored = 0;
    d->now = NULL;
    d->quick = (const void *)d;
    d->era = 0;
}
void race_strands_init(struct race *d);
void race_strands_release(struct race *d);
void race_strand_end(struct race *d, struct race_strand *s);
void race_strand_raise(struct race *d, struct race_strand *s);
const struct race_strand *race_strand_find(const struct race *d, uint32_t id);
static inline bool race_knows(const struct race_strand *s, uint32_t strand, uint32_t count)
{
    return strand == s->id || clock_get(&s->clock, strand) >= count;
}

/* moment.c */
extern const struct rank_checker race_checker;
rank_moment race_release(struct race *d, struct race_strand *s);
/* The same within a call of an API, which reports may name. */
rank_moment race_release_in_call(struct race *d, struct race_strand *s);
void race_acquire(struct race *d, struct race_strand *s, rank_moment m);
/* The same without a moment of its own; nothing is in it but what race_told_... below understand. */
struct race_told race_release_in_update(struct race *d, struct race_strand *s);
void race_told_acquire(struct race *d, struct race_strand *s, const struct race_told *t);
rank_moment race_told_moment(struct race *d, struct race_told *t); /* a copy */
void race_told_raise(struct race *d, struct race_told *t, uint32_t id, uint32_t count);
rank_moment race_moment_join(struct race *d, rank_moment a, rank_moment b);
rank_moment race_moment_copy(struct race *d, rank_moment m);
void race_moment_forget(struct race *d, rank_moment m);
bool race_moment_knows(const struct race *d, rank_moment m, uint32_t strand, uint32_t count);
void race_moments_release(struct race *d);

/* object.c */
void race_object_release(struct race *d, const struct rank *r, uintptr_t address);
void race_object_acquire(struct race *d, const struct rank *r, uintptr_t address);
void race_atomic_made(struct race *d, const struct race_atomic *a);
void race_objects_release(struct race *d);

/* place.c */
uint32_t race_place(struct race *d, const struct race_place *p);
uint32_t race_place_of_call(struct race *d, struct rank *r, const char *call);
uint32_t race_stack_enter(struct race *d, uint32_t above, const void *pc);
uint32_t race_stack_above(const struct race *d, uint32_t stack);
void race_place_source(const struct race *d, uint32_t place, struct rank_source *out);

/* frame.c */
void race_frame_hold(struct race *d, const struct rank *r, uint64_t low, uint64_t high);
void race_frame_ends(struct race *d, struct race_strand *s, const void *pc, const void *frame);

#endif
