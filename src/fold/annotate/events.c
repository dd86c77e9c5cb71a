/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events: events of types that the program makes, with values. Without a trace that wants them they cost a
 * test. A type is the same for all ranks: what two of them call alike is one type.
 */
#include "pgasim.h"

#include "fold/annotate/annotate.h"

#include <string.h>

struct type {
    const char *fields;
    uint32_t values;
};

void events_init(struct annotated_job *a)
{
    base_table_init(&a->events, BASE_NUMBERS, sizeof(struct type), "types of the program's events");
}

void events_release(struct annotated_job *a)
{
    base_table_release(&a->events);
}

static uint32_t count_fields(const char *fields)
{
    const char *name;
    uint32_t n = 0;
    while (trace_field_name(fields, n, &name))
        n++;
    return n;
}

static int refuse(const char *name, const char *why)
{
    base_warn("misuse/event-type", "pgasim_event_type(\"%s\", ...): %s", name, why);
    return -1;
}

/* Names are kept with the texts of the trace, which may last longer than the job. */
static int add_type(struct rank *r, const char *name, const char *fields)
{
    struct base_table *types = &fold_of(r)->annotated->events;
    uint32_t values = count_fields(fields);
    bool fresh;
    if (!*name)
        return refuse(name, "a type must have a name");
    if (values > TRACE_VALUES)
        return refuse(name, "it has more than 8 fields");
    struct type *t = base_table_add(types, (uintptr_t)trace_keep(rank_trace(r->job), name), &fresh);
    if (fresh)
        *t = (struct type){trace_keep(rank_trace(r->job), fields), values};
    else if (strcmp(t->fields, fields) != 0)
        return refuse(name, "a type of this name has other fields");
    return (int)base_table_number(types, t);
}

BASE_PUBLIC int pgasim_event_type(const char *name, const char *fields)
{
    struct rank *r = rank_current;
    if (!r && !rank_ahead)
        return 0;
    if (!r)
        r = rank_none("pgasim_event_type");
    return add_type(r, name ? name : "", fields ? fields : "");
}

BASE_PUBLIC int pgasim_event_wanted(void)
{
    const struct rank *r = rank_current;
    return r && trace_wants(rank_trace(r->job), TRACE_CATEGORY_USER);
}

static __attribute__((noinline)) void record(struct rank *r, int type, const long long *values)
{
    const struct base_table *types = &fold_of(r)->annotated->events;
    int64_t copy[TRACE_VALUES];
    if (type < 0 || (uint32_t)type >= types->n)
        return;
    const struct type *t = base_table_at(types, (uint32_t)type);
    for (uint32_t k = 0; k < t->values; k++)
        copy[k] = values[k];
    const struct fold_annotated *a = fold_part(r)->annotated;
    rank_trace_emit_computing(r, a ? a->owed : 0,
                              &(struct trace_event){.type = TRACE_USER,
                                                    .call = (const char *)(uintptr_t)base_table_key(t),
                                                    .detail = t->fields,
                                                    .peer = t->values,
                                                    .values = copy});
}

/* A rank that is ahead is not traced. */
BASE_PUBLIC void pgasim_event(int type, const long long *values)
{
    if (BASE_UNLIKELY(pgasim_event_wanted()))
        record(rank_current, type, values);
}
