/* SPDX-License-Identifier: BSD-3-Clause */
/* world: groups of ranks that were started together. A trace without the beginnings of ranks has one. */
#include "report/internal.h"

static void add_rank(struct report_world *w, const struct report_rank *r, uint32_t rank)
{
    if (!w->ranks || r->begin < w->begin)
        w->begin = r->begin;
    if (!w->ranks)
        w->first = rank;
    w->ranks++;
    w->end = r->end > w->end ? r->end : w->end;
    w->computing += r->computing;
    w->waiting += r->waiting;
}

void report_worlds_finish(struct report_facts *f)
{
    for (uint32_t k = 0; k < f->about->ranks; k++) {
        const struct report_rank *r = &f->rank[k];
        while (f->worlds.n <= r->world)
            BASE_ARRAY_PUSH(&f->worlds, (struct report_world){0});
        add_rank(&f->worlds.at[r->world], r, k);
    }
}
