/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traced: what a trace is told of races (trace/events.def), and the times of accesses, which are kept only for
 * that. An access that stands for many, all loads of one line between two releases, has the time of the first.
 * Times are ranks' own: a rank may be ahead of the clock.
 *
 * Invariants
 *  T1  In a traced run each access has a time.
 */
#include "check/race/parts.h"

/* The first access is none. */
void race_trace_access(struct race *d)
{
    double now = rank_now(rank_current);
    while (d->times.n < d->accesses.n)
        BASE_ARRAY_PUSH(&d->times, now);
}

static struct trace_event event_of(const struct race *d, uint32_t access, uint32_t other,
                                   enum trace_type type)
{
    const struct race_strand *s = race_strand_find(d, d->accesses.at[access].strand),
                             *o = race_strand_find(d, d->accesses.at[other].strand);
    return (struct trace_event){.time = rank_now(rank_current),
                                .type = type,
                                .rank = s->rank->id,
                                .peer = o->rank->id,
                                .thread = s->thread,
                                .op = d->counts.races};
}

static const char *kept(struct trace *t, const char *text)
{
    return text && *text ? trace_keep(t, text) : NULL;
}

struct end {
    uint32_t access, other;
    double time;
    const char *what, *place;
};

static void emit_access(const struct race *d, const struct end *e)
{
    static const enum trace_access does[] = {[RACE_READ] = TRACE_ACCESS_READS,
                                             [RACE_WRITE] = TRACE_ACCESS_WRITES,
                                             [RACE_FETCH] = TRACE_ACCESS_FETCHES,
                                             [RACE_UPDATE] = TRACE_ACCESS_UPDATES};
    struct trace *t = rank_trace(d->job);
    struct trace_event ev = event_of(d, e->access, e->other, TRACE_RACE_ACCESS);
    ev.call = kept(t, e->what);
    ev.detail = kept(t, e->place);
    ev.tag = (int32_t)does[d->accesses.at[e->access].kind];
    ev.least = e->time;
    trace_emit(t, &ev);
}

void race_traced(struct race *d, uint32_t earlier, uint32_t later, const struct race_words *w)
{
    struct trace *t = rank_trace(d->job);
    if (!d->traced || !t->on)
        return;
    BASE_ASSERT("T1", d->times.n == d->accesses.n);
    struct trace_event ev = event_of(d, later, earlier, TRACE_RACE);
    ev.bytes = d->bytes;
    ev.call = kept(t, w->missing);
    ev.detail = kept(t, w->object);
    ev.context = w->owner;
    trace_emit(t, &ev);
    emit_access(d,
                &(struct end){earlier, later, d->times.at[earlier], w->access[0].what, w->access[0].place});
    emit_access(d, &(struct end){later, earlier, ev.time, w->access[1].what, w->access[1].place});
}
