/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * races: a race comes as three events, the race and its two accesses (trace/events.def). A form gets it as one
 * step with both ends once all three are there.
 */
#include "trace/foreign/foreign.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* "race 1 on window+0x0 of rank 3: written by MPI_Put in main, order.c:18, at 2.345 us" */
static const char *text_of_end(struct trace_races *r, const struct trace_event *ev)
{
    char *text = NULL, time[32];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const struct trace_race *race = &r->open;
    fprintf(out, "race %" PRIu64 " on %s", race->number, race->object);
    if (race->owner != UINT32_MAX)
        fprintf(out, " of rank %" PRIu32, race->owner);
    fprintf(out, ": %s by %s", trace_access_text(ev->tag), ev->call ? ev->call : "a call");
    if (ev->detail)
        fprintf(out, " in %s", ev->detail);
    fprintf(out, ", at %s", base_show_time(time, ev->least));
    fclose(out);
    BASE_ARRAY_PUSH(&r->texts, text);
    return text;
}

static void add_access(struct trace_foreign *f, const struct trace_event *ev)
{
    struct trace_races *r = &f->races;
    if (r->ends == 2 || !r->open.number || ev->op != r->open.number)
        return;
    r->open.end[r->ends++] =
        (struct trace_race_end){.lane = trace_foreign_lane(f, ev->rank, ev->thread),
                                .time = (uint64_t)llrint(ev->least * 1e12),
                                .name = trace_foreign_name(f, TRACE_NAME_RACE, text_of_end(r, ev), NULL)};
    if (r->ends == 2)
        f->form->race(f, &r->open);
}

void trace_foreign_race(struct trace_foreign *f, const struct trace_event *ev)
{
    if (ev->type == TRACE_RACE_ACCESS) {
        add_access(f, ev);
        return;
    }
    f->races.ends = 0;
    f->races.open = (struct trace_race){.number = ev->op,
                                        .object = ev->detail ? ev->detail : "memory",
                                        .missing = ev->call ? ev->call : "",
                                        .owner = (uint32_t)ev->context,
                                        .bytes = ev->bytes};
}

void trace_races_release(struct trace_races *r)
{
    for (size_t k = 0; k < r->texts.n; k++)
        free(r->texts.at[k]);
    free(r->texts.at);
}
