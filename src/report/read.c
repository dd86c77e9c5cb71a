/* SPDX-License-Identifier: BSD-3-Clause */
/* read: reads a trace file into facts in one pass, and passes each event on to an optional second sink. */
#include "report/report.h"
#include "trace/trace.h"

static void read_all(struct report *r, const struct trace_sink *also)
{
    struct trace_event ev;
    while (trace_file_next(r->file, &ev)) {
        report_facts_add(r->facts, &ev);
        if (also)
            also->event(also->ctx, &ev);
    }
}

int report_open(struct report *r, const char *path, const struct trace_sink *also, struct base_status *st)
{
    struct trace_file *file;
    if (trace_file_open(&file, path, st))
        return -1;
    *r = (struct report){.file = file, .path = path};
    r->facts = report_facts_create(trace_file_about(file));
    read_all(r, also);
    struct trace_totals totals = trace_file_totals(file);
    r->damage = trace_file_damage(file);
    r->facts->truncated = !totals.known || r->damage;
    report_facts_finish(r->facts, totals.known ? totals.end : -1);
    return 0;
}

void report_close(struct report *r)
{
    report_facts_destroy(r->facts);
    trace_file_close(r->file);
    *r = (struct report){0};
}
