/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * work: what other code leaves for a rank to do on one of its own actors. The actor does it at a point where
 * the program could make a call: while it waits in a call, or when it enters a communication call.
 *
 * Invariants
 *  N14 r->errands is set exactly while r's list is not empty.
 *  N15 One actor of a rank at a time does its work, in the order of posting.
 */
#include "rank/internal.h"

#include <stdlib.h>

struct rank_works {
    struct rank_work *first, *last;
    bool busy; /* an actor is doing the work */
};

static struct rank_works *works_of(const struct rank *r)
{
    return &r->job->works[r->id];
}

static void on_errand(void *ctx, struct engine_actor *a)
{
    struct rank *r = engine_actor_owner(a);
    (void)ctx;
    if (r && r->errands)
        rank_work_do(r);
}

void rank_works_begin(struct rank_job *job)
{
    engine_on_errand(job->public.engine, on_errand, NULL);
}

void rank_works_end(struct rank_job *job)
{
    free(job->works);
    job->works = NULL;
}

/* --- posting -------------------------------------------------------------------------------------- */

static void append(struct rank_works *l, struct rank_work *w)
{
    w->next = NULL;
    if (l->first)
        l->last->next = w;
    else
        l->first = w;
    l->last = w;
}

/* The rank's first actor may have ended before others, and its record may be another actor's now. */
static bool call_first(struct rank *r)
{
    return engine_actor_owner(r->actor) == r && engine_errand_call(r->engine, r->actor);
}

void rank_work_post(struct rank *r, struct rank_work *w)
{
    struct rank_job *job = r->job;
    if (r->ended)
        return;
    if (BASE_UNLIKELY(!job->works))
        job->works = base_zalloc(job->public.room * sizeof *job->works, "work for ranks");
    struct rank_works *l = works_of(r);
    append(l, w);
    r->errands = true;
    engine_errands_add(r->engine, 1);
    if (l->busy || call_first(r) || r->threads <= 1)
        return;
    engine_errand_call_any(r->engine, r);
}

/* --- doing ---------------------------------------------------------------------------------------- */

static struct rank_work *take_first(struct rank *r)
{
    struct rank_works *l = works_of(r);
    struct rank_work *w = l->first;
    if (w) {
        l->first = w->next;
        engine_errands_add(r->engine, -1);
    }
    r->errands = l->first != NULL;
    return w;
}

bool rank_work_doing(const struct rank *r)
{
    return r->job->works && works_of(r)->busy;
}

void rank_work_do(struct rank *r)
{
    struct rank_works *l = works_of(r);
    struct rank_work *w;
    bool issuing = r->issuing;
    if (l->busy)
        return;
    l->busy = true;
    r->issuing = false;
    rank_catch_up(r);
    while ((w = take_first(r)))
        w->fn(r, w);
    r->issuing = issuing;
    l->busy = false;
}

void rank_call_back(struct rank *r, void (*fn)(void *arg), void *arg)
{
    if (BASE_UNLIKELY(r->measured_from >= 0))
        rank_compute_start(r);
    fn(arg);
    if (BASE_UNLIKELY(r->measured_from >= 0))
        rank_compute_stop(r);
    r->issuing = false;
    rank_catch_up(r);
}
