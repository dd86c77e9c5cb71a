/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace: hands each event to the sinks, in the order in which they were attached. Knows nothing of what the
 * sinks do with it.
 *
 * Invariants
 *  T1  `on` is true exactly when a sink is attached.
 *  T2  A sink sees each event after it was attached once, in order, then one close.
 */
#include "trace/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void trace_init(struct trace *t)
{
    *t = (struct trace){.wanted = trace_categories_unasked()};
    base_table_init(&t->texts, BASE_BYTES, 0, "texts of a trace");
}

void trace_attach(struct trace *t, const struct trace_sink *sink)
{
    BASE_ASSERT("T1", t->sinks < BASE_LENGTH(t->sink));
    BASE_ASSERT("T2", sink->event && sink->close);
    t->sink[t->sinks++] = *sink;
    t->call = t->sinks == 1 ? sink->call : NULL;
    t->on = true;
}

/* --- texts -------------------------------------------------------------------------------------------- */

const char *trace_keep(struct trace *t, const char *text)
{
    bool fresh;
    void *found = base_table_add_bytes(&t->texts, text, strlen(text), &fresh);
    if (fresh)
        base_table_rekey(&t->texts, found, base_strdup(text));
    return base_table_bytes(found)->at;
}

static void forget_texts(struct trace *t)
{
    const void *text;
    for (uint32_t at = 0; (text = base_table_next(&t->texts, &at));)
        free((void *)base_table_bytes(text)->at);
    base_table_release(&t->texts);
}

int trace_close(struct trace *t)
{
    unsigned n = t->sinks;
    int status = 0;
    t->sinks = 0;
    t->call = NULL;
    t->on = false; /* a sink that reports while it closes must not meet a closed one */
    for (unsigned k = 0; k < n; k++)
        status |= t->sink[k].close(t->sink[k].ctx);
    forget_texts(t);
    return status;
}

void trace_emit_more(const struct trace *t, const struct trace_event *ev)
{
    for (unsigned k = 1; k < t->sinks; k++)
        t->sink[k].event(t->sink[k].ctx, ev);
}

void trace_record(struct trace *t, const void *text, size_t bytes)
{
    for (unsigned k = 0; k < t->sinks; k++)
        if (t->sink[k].record)
            t->sink[k].record(t->sink[k].ctx, text, bytes);
}

/* --- text --------------------------------------------------------------------------------------- */

/* Columns: time (seconds, to the picosecond), rank, event, peer, operation, bytes, call; a user's values. */
static void text_event(void *ctx, const struct trace_event *ev)
{
    fprintf(ctx, "%16.12f %7" PRIu32 " %-16s %7" PRIu32 " %9" PRIu64 " %10" PRIu64 " %s", ev->time, ev->rank,
            trace_types[ev->type].text, ev->peer, ev->op, ev->bytes, ev->call ? ev->call : "-");
    for (uint32_t k = 0; ev->values && k < ev->peer; k++)
        fprintf(ctx, " %" PRId64, ev->values[k]);
    fputc('\n', ctx);
}

static int text_close(void *ctx)
{
    return fflush(ctx) ? base_error("trace: %s", strerror(errno)), -1 : 0;
}

struct trace_sink trace_text_sink(FILE *out)
{
    return (struct trace_sink){.event = text_event, .close = text_close, .ctx = out};
}
