/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kept: operations that the adversary has kept back (pgasim run --check=nasty), and for how long, at all their steps
 * together. The next instant of an operation ends it.
 */
#include "report/internal.h"

#include <stdlib.h>

void report_kept_event(struct report_facts *f, const struct trace_event *ev)
{
    struct report_work *w = f->work;
    uint32_t found = report_op_find(w, ev->op);
    if (!found)
        return; /* issued before the trace begins */
    struct report_kept *k = base_table_add(&w->kept, ev->op, NULL);
    k->op = found - 1;
    if (!k->now)
        k->since = w->now;
    k->now = true;
}

void report_kept_over(struct report_work *w, uint64_t number)
{
    struct report_kept *k = w->kept.live ? base_table_find(&w->kept, number) : NULL;
    if (k && k->now)
        k->seconds += w->now - k->since;
    if (k)
        k->now = false;
}

double report_kept_seconds(const struct report_work *w, uint64_t number)
{
    const struct report_kept *k = base_table_find(&w->kept, number);
    return k ? k->seconds : 0;
}

static int longest_first(const void *a, const void *b)
{
    const struct report_kept *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds > y->seconds ? -1 : 1;
    return (x->op > y->op) - (x->op < y->op);
}

void report_kept_finish(struct report_facts *f)
{
    struct report_work *w = f->work;
    uint32_t at = 0;
    if (!w->kept.live)
        return;
    f->kept = base_zalloc(w->kept.live * sizeof *f->kept, "operations that were kept back");
    for (struct report_kept *k; (k = base_table_next(&w->kept, &at));) {
        k->seconds += k->now ? f->end - k->since : 0;
        f->kept_seconds += k->seconds;
        f->kept[f->kept_back++] = *k;
    }
    qsort(f->kept, f->kept_back, sizeof *f->kept, longest_first);
}
