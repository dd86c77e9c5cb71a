/* SPDX-License-Identifier: BSD-3-Clause */
/* core: what RISC-V cores counted, by core and added up. */
#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

void report_core_event(struct report_facts *f, const struct trace_event *ev)
{
    if (ev->type == TRACE_CORE_TRAPPED) {
        f->traps++;
        return;
    }
    if ((uint32_t)ev->tag >= TRACE_COUNTEDS)
        return;
    BASE_ARRAY_PUSH(&f->work->counted,
                    ((struct report_counted){.rank = ev->rank,
                                             .what = (uint32_t)ev->tag,
                                             .name = report_names_find(f->work->names, ev->detail),
                                             .count = ev->bytes}));
}

static int by_rank(const void *a, const void *b)
{
    const struct report_counted *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->what != y->what)
        return x->what < y->what ? -1 : 1;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

static int by_name(const void *a, const void *b)
{
    const struct report_counted *x = a, *y = b;
    if (x->what != y->what)
        return x->what < y->what ? -1 : 1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Added over ranks, as if they were one. */
static struct report_counted *add_up(const struct report_counted *list, size_t n, size_t *sums)
{
    struct report_counted *sum = base_alloc(sizeof *sum * (n + 1), "counts of cores");
    memcpy(sum, list, sizeof *sum * n);
    qsort(sum, n, sizeof *sum, by_name);
    size_t to = 0;
    for (size_t k = 0; k < n; k++)
        if (to && sum[to - 1].what == sum[k].what && sum[to - 1].name == sum[k].name)
            sum[to - 1].count += sum[k].count;
        else
            sum[to++] = sum[k];
    for (size_t k = 0; k < to; k++)
        sum[k].rank = 0;
    qsort(sum, to, sizeof *sum, by_rank);
    *sums = to;
    return sum;
}

void report_cores_finish(struct report_facts *f)
{
    struct report_work *w = f->work;
    if (!w->counted.n)
        return;
    qsort(w->counted.at, w->counted.n, sizeof *w->counted.at, by_rank);
    f->counted = w->counted.at;
    f->counts = w->counted.n;
    f->counted_all = add_up(f->counted, f->counts, &f->counts_all);
}

void report_cores_release(struct report_facts *f)
{
    free(f->work->counted.at);
    free((void *)(uintptr_t)f->counted_all);
}
