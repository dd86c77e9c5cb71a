/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * race: the races that the detector found in the run (trace/events.def): each is one event for the race and two for
 * its accesses. One without both accesses, as a trace that was cut off has it, is left out.
 */
#include "report/internal.h"

#include <math.h>
#include <stdlib.h>

static void begin(struct report_facts *f, const struct trace_event *ev)
{
    struct report_work *w = f->work;
    struct report_race race = {.number = ev->op,
                               .bytes = ev->bytes,
                               .object = ev->detail ? ev->detail : "memory",
                               .missing = ev->call ? ev->call : "",
                               .owner = (uint32_t)ev->context};
    if (w->race_accesses == 2 || !w->races.n)
        BASE_ARRAY_PUSH(&w->races, race);
    else
        w->races.at[w->races.n - 1] = race;
    w->race_accesses = 0;
}

static void access(struct report_facts *f, const struct trace_event *ev)
{
    struct report_work *w = f->work;
    struct report_race *race = w->races.n ? &w->races.at[w->races.n - 1] : NULL;
    if (!race || w->race_accesses == 2 || race->number != ev->op || !isfinite(ev->least))
        return;
    race->access[w->race_accesses++] = (struct report_access){.rank = ev->rank,
                                                              .thread = ev->thread,
                                                              .time = ev->least,
                                                              .does = trace_access_text(ev->tag),
                                                              .call = ev->call ? ev->call : "a call",
                                                              .place = ev->detail ? ev->detail : ""};
}

void report_race_event(struct report_facts *f, const struct trace_event *ev)
{
    if (ev->type == TRACE_RACE)
        begin(f, ev);
    else
        access(f, ev);
}

void report_races_finish(struct report_facts *f)
{
    const struct report_work *w = f->work;
    f->race = w->races.at;
    f->races = w->races.n && w->race_accesses < 2 ? w->races.n - 1 : w->races.n;
}
