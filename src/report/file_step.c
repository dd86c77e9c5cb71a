/* SPDX-License-Identifier: BSD-3-Clause */
/* file_step: the steps of accesses in two phases, and the aggregators. An access takes one step at a time. */
#include "report/file.h"

#include <string.h>

static struct report_step *step_of(struct report_files *x, const char *name)
{
    name = name ? name : "";
    for (size_t k = 0; k < x->step.n; k++)
        if (!strcmp(x->step.at[k].name, name))
            return &x->step.at[k];
    BASE_ARRAY_PUSH(&x->step, (struct report_step){.name = name});
    return &x->step.at[x->step.n - 1];
}

static struct report_aggregator *aggregator_of(struct report_files *x, uint32_t rank, bool make)
{
    bool fresh = false;
    uint32_t *at = make ? base_table_add(&x->work->aggregators, rank, &fresh)
                        : base_table_find(&x->work->aggregators, rank);
    if (fresh) {
        *at = (uint32_t)x->aggregator.n;
        BASE_ARRAY_PUSH(&x->aggregator, (struct report_aggregator){.rank = rank});
    }
    return at ? &x->aggregator.at[*at] : NULL;
}

void report_step_begins(struct report_files *x, const struct trace_event *ev)
{
    struct report_access_now *a = base_table_find(&x->work->accesses, ev->op);
    enum report_way way = report_way_of(ev);
    if (!a)
        return;
    a->step_begin = ev->time;
    struct report_step *s = step_of(x, ev->call);
    s->count++;
    s->bytes += ev->bytes;
    if (way == REPORT_WAYS)
        return;
    x->file.at[a->file].way[way].rounds++;
    struct report_aggregator *g = aggregator_of(x, ev->rank, true);
    g->rounds++;
    g->bytes[way] += ev->bytes;
}

void report_step_ends(struct report_files *x, const struct trace_event *ev)
{
    const struct report_access_now *a = base_table_find(&x->work->accesses, ev->op);
    enum report_way way = report_way_of(ev);
    if (!a)
        return;
    double took = ev->time - a->step_begin;
    struct report_step *s = step_of(x, ev->call);
    struct report_aggregator *g = aggregator_of(x, ev->rank, way != REPORT_WAYS);
    s->seconds += took;
    s->longest = took > s->longest ? took : s->longest;
    if (g && way != REPORT_WAYS)
        g->seconds[way] += took;
    else if (g && ev->kind == TRACE_KIND_EXCHANGE)
        g->exchanging += took;
}
