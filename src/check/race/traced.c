/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traced: what a trace is told of races (trace/events.def), and the times of accesses, which are kept only for
 * that. An access that stands for many, all loads of one line between two releases, has the time of the first.
 * Times are ranks' own: a rank may be ahead of the clock.
 *
 * Invariants
 *  T1  In a traced run each access has a time.
 */
#include "check/race/reports.h"

/* The first access is none. */
void race_trace_access(struct race *d)
{
    double now = rank_now(rank_current);
    while (d->times.n < d->accesses.n)
        BASE_ARRAY_PUSH(&d->times, now);
}

static const char *kept(struct trace *t, const char *text)
{
    return *text ? trace_keep(t, text) : NULL;
}

static void emit_access(const struct race *d, struct trace_event ev, uint32_t access, double time,
                        const struct finding_access *a)
{
    static const enum trace_access does[] = {[RACE_READ] = TRACE_ACCESS_READS,
                                             [RACE_WRITE] = TRACE_ACCESS_WRITES,
                                             [RACE_FETCH] = TRACE_ACCESS_FETCHES,
                                             [RACE_UPDATE] = TRACE_ACCESS_UPDATES,
                                             [RACE_UNSET] = TRACE_ACCESS_WRITES};
    struct trace *t = rank_trace(d->job);
    char place[FINDING_NAME];
    ev.type = TRACE_RACE_ACCESS;
    ev.call = kept(t, a->what);
    ev.detail = kept(t, finding_place_name(&a->place, place, sizeof place));
    ev.tag = (int32_t)does[d->accesses.at[access].kind];
    ev.least = time;
    trace_emit(t, &ev);
}

/* What is missing, and the repair, in one line. */
static const char *advice_of(struct trace *t, const struct finding *f)
{
    struct base_text text;
    base_text_init(&text, "a race in a trace");
    for (const char *at = f->missing; *at; at++)
        base_text_add(&text, *at == '\n' ? at[1] ? "; " : "" : (const char[]){*at, 0});
    if (*f->fix)
        base_text_format(&text, "%sfix: %s", text.n ? "; " : "", f->fix);
    base_text_char(&text, 0);
    const char *advice = kept(t, text.at);
    base_text_release(&text);
    return advice;
}

void race_traced(struct race *d, uint32_t earlier, uint32_t later, const struct finding *f, uint64_t number)
{
    struct trace *t = rank_trace(d->job);
    if (!d->traced || !t->on || f->accesses != 2)
        return;
    BASE_ASSERT("T1", d->times.n == d->accesses.n);
    const struct finding_access *a = &f->access[0], *b = &f->access[1];
    double now = rank_now(rank_current);
    struct trace_event
        first = {.time = now, .op = number, .rank = a->rank, .thread = a->thread, .peer = b->rank},
        second = {.time = now, .op = number, .rank = b->rank, .thread = b->thread, .peer = a->rank},
        race = second;
    race.type = TRACE_RACE;
    race.bytes = f->bytes;
    race.call = advice_of(t, f);
    race.detail = kept(t, f->object);
    race.context = f->owner;
    trace_emit(t, &race);
    emit_access(d, first, earlier, d->times.at[earlier], a);
    emit_access(d, second, later, now, b);
}
