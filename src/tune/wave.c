/* SPDX-License-Identifier: BSD-3-Clause */
/* wave: trials that are asked for together, and what their results say. */
#include "tune/search.h"

#include <math.h>

static bool equal(const struct tune_ask *a, const struct tune_ask *b)
{
    return a->op == b->op && a->place == b->place && a->ranks == b->ranks && a->bytes == b->bytes &&
           tune_choices_equal(&a->choice, &b->choice);
}

void tune_ask(struct tune_search *x, const struct tune_point *p, uint32_t ranks, const struct tune_choice *c,
              double bound)
{
    struct tune_ask a = {p->op, p->place, ranks, p->bytes, *c, bound};
    if (tune_store_find(x->store, &a))
        return;
    for (size_t k = x->wave.n; k > 0 && x->wave.at[k - 1].place == a.place && x->wave.at[k - 1].op == a.op &&
                               x->wave.at[k - 1].bytes == a.bytes;
         k--)
        if (equal(&x->wave.at[k - 1], &a))
            return;
    BASE_ARRAY_PUSH(&x->wave, a);
}

int tune_wave(struct tune_search *x, struct base_status *st)
{
    int rc = x->over ? 1 : tune_workers_run(x->workers, x->store, x->wave.at, x->wave.n, st);
    x->wave.n = 0;
    if (rc < 0)
        return -1;
    x->over = rc > 0;
    return 0;
}

double tune_time_of(const struct tune_search *x, const struct tune_point *p, uint32_t ranks,
                    const struct tune_choice *c)
{
    struct tune_ask a = {p->op, p->place, ranks, p->bytes, *c, 0};
    const struct tune_time *t = tune_store_find(x->store, &a);
    return !t || t->end == TUNE_LACKS ? NAN : t->end == TUNE_DONE ? t->last : INFINITY;
}

bool tune_conclude(const struct tune_search *x, struct tune_cell *cell, const struct tune_choice *c, size_t n)
{
    static const struct tune_choice by_default = {.algorithm = TUNE_DEFAULT};
    uint32_t ranks = x->space->place.at[cell->point.place].ranks;
    double best = INFINITY;
    cell->by_default = tune_time_of(x, &cell->point, ranks, &by_default);
    for (size_t k = 0; k < n; k++) {
        double t = tune_time_of(x, &cell->point, ranks, &c[k]);
        if (!isnan(t) && tune_is_less(t, best)) {
            best = t;
            cell->best = c[k];
        }
    }
    if (!x->space->allows && (tune_is_less(cell->by_default, best) || best == INFINITY)) { /* TU3 */
        best = cell->by_default;
        cell->best = by_default;
    }
    cell->time = best;
    return best < INFINITY;
}
