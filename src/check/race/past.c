/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * past: what the threads of a rank have completed and fenced, beside each other. An end has one moment at which it is
 * over, and a context one number of fences; but a call completes, or orders, what its own thread knows of, for those
 * who know of the call. So the last calls of ranks with threads are kept, each with what its thread knew; and those of
 * ranks whose targets learn of deliveries themselves (PSCW).
 */
#include "check/race/operations.h"
#include "check/race/strands.h"

#include <stdlib.h>

static void add(struct race *d, struct race_context *c, struct race_past p)
{
    if (!c->calls)
        c->calls = base_zalloc(RACE_PAST * sizeof *c->calls, "calls of checked threads");
    struct race_past *at = &c->calls[c->called++ % RACE_PAST];
    if (at->fences > c->fences_taken)
        c->fences_taken = at->fences;
    race_moment_forget(d, at->knew);
    *at = p;
    at->knew = race_moment_copy(d, p.knew);
}

/* A call of the strand that runs, for each of n targets; targets NULL: for that of p. */
static void record(struct race *d, struct race_context *c, struct race_past p, const uint32_t *targets,
                   size_t n)
{
    p.knew = race_release(d, race_strand_now(d));
    for (size_t k = 0; targets && k < n; k++) {
        p.target = targets[k];
        add(d, c, p);
    }
    if (!targets)
        add(d, c, p);
    race_moment_forget(d, p.knew);
}

/* Some thread of the rank, or the target, may know of what the call has not done itself. */
static bool matters(const struct race_context *c, const struct rma_sync *s)
{
    return s->rank->threads > 1 || (c->delivers && s->kind == RMA_SYNC_QUIET);
}

void race_past_note(struct race *d, struct race_context *c, const struct rma_sync *s)
{
    const struct race_strand *self = race_strand_now(d);
    struct race_past p = {.strand = self->id, .count = self->count, .kind = s->kind, .target = RACE_NOBODY};
    if (s->kind == RMA_SYNC_FENCE)
        p.fences = s->limit;
    if (!matters(c, s)) {
        c->fences_taken = s->kind == RMA_SYNC_FENCE ? s->limit : c->fences_taken;
        return;
    }
    record(d, c, p, s->targets, s->n);
}

void race_past_note_one(struct race *d, uint32_t end, bool remote)
{
    const struct race_end *e = &d->ends.at[end];
    const struct race_strand *self = race_strand_now(d);
    struct race_past p = {.strand = self->id,
                          .count = self->count,
                          .kind = remote ? RMA_SYNC_QUIET : RMA_SYNC_LOCAL,
                          .target = e->target,
                          .end = end};
    if (self->rank->threads > 1)
        record(d, race_context_of(d, e->origin, e->context), p, NULL, 0);
}

/* The call was made after the operations of an end, and the strand that runs comes after it. */
static bool applies(struct race *d, const struct race_past *p, const struct race_end *e)
{
    return (p->target == RACE_NOBODY || p->target == e->target) && (!p->end || &d->ends.at[p->end] == e) &&
           race_knows(race_strand_now(d), p->strand, p->count) &&
           race_moment_knows(d, p->knew, e->strand, e->count);
}

bool race_past_completed(struct race *d, const struct race_end *e, bool remote)
{
    const struct race_context *c =
        e->origin == RACE_NOBODY ? NULL : race_context_of(d, e->origin, e->context);
    for (uint32_t k = 0; c && k < RACE_PAST && k < c->called; k++) {
        const struct race_past *p = &c->calls[k];
        if ((p->kind == RMA_SYNC_QUIET || (p->kind == RMA_SYNC_LOCAL && !remote)) && applies(d, p, e))
            return true;
    }
    return false;
}

bool race_past_fenced(struct race *d, const struct race_end *e, uint64_t upto)
{
    const struct race_context *c = race_context_of(d, e->origin, e->context);
    if (e->fences >= upto)
        return false;
    if (e->fences < c->fences_taken)
        return true;
    for (uint32_t k = 0; k < RACE_PAST && k < c->called; k++) {
        const struct race_past *p = &c->calls[k];
        if (p->kind == RMA_SYNC_FENCE && p->fences <= upto && applies(d, p, e))
            return true;
    }
    return false;
}

/* Counts the fences that a thread of a rank has made in a context, for those who learn of deliveries to a target. */
static uint32_t lane_of(struct race *d, const struct race_past *p, uint32_t origin, uint32_t context,
                        uint32_t target)
{
    uint64_t key = base_hash_fold((uint64_t)origin << 32 | context) ^
                   base_hash_fold(~((uint64_t)p->strand << 32 | target));
    bool fresh;
    uint32_t *lane = base_table_add(&d->lanes, key, &fresh);
    if (fresh)
        *lane = d->ids++;
    return *lane;
}

bool race_past_delivered(struct race *d, const struct race_end *e)
{
    const struct race_context *c = race_context_of(d, e->origin, e->context);
    const struct clock *clock = &race_strand_now(d)->clock;
    uint32_t lane = race_lane_of(d, e->origin, e->context, e->target, false);
    if (lane && e->fences < c->fences_taken && e->fences < clock_get(clock, lane))
        return true;
    for (uint32_t k = 0; k < RACE_PAST && k < c->called; k++) {
        const struct race_past *p = &c->calls[k];
        if (p->kind == RMA_SYNC_FENCE && race_moment_knows(d, p->knew, e->strand, e->count) &&
            clock_get(clock, lane_of(d, p, e->origin, e->context, e->target)) >= p->fences)
            return true;
    }
    return false;
}

void race_past_tell(struct race *d, const struct rma_issue *i, struct race_told *t)
{
    const struct race_context *c = race_context_of(d, i->origin->id, i->context);
    if (!t->moment || !i->fences)
        return;
    t->fences = (uint32_t)(i->fences < c->fences_taken ? i->fences : c->fences_taken);
    if (t->fences)
        t->lane = race_lane_of(d, i->origin->id, i->context, i->target->id, true);
    for (uint32_t k = 0; k < RACE_PAST && k < c->called; k++) {
        const struct race_past *p = &c->calls[k];
        if (p->kind == RMA_SYNC_FENCE && race_knows(race_strand_now(d), p->strand, p->count))
            race_told_raise(d, t, lane_of(d, p, i->origin->id, i->context, i->target->id),
                            (uint32_t)p->fences);
    }
}

void race_past_release(struct race *d, struct race_context *c)
{
    for (uint32_t k = 0; c->calls && k < RACE_PAST; k++)
        race_moment_forget(d, c->calls[k].knew);
    free(c->calls);
}
