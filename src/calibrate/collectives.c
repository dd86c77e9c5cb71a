/* SPDX-License-Identifier: BSD-3-Clause */
/* collectives: those that were measured, one for each operation and size of a file, and what a simulation on the platform
 * says of them. Whoever can simulate tells it (calibrate_collective_predict). */
#include "calibrate/internal.h"

#include <math.h>
#include <stdlib.h>

static bool is_same(const struct calibrate_collective *c, const struct calibrate_point *p)
{
    return c->file == p->file && c->kind == p->kind && c->shmem == p->shmem && c->bytes == p->bytes;
}

static int by_what(const void *a, const void *b)
{
    const struct calibrate_collective *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static struct calibrate_collective *entry_of(struct calibrate_result *r, const struct calibrate_point *p)
{
    for (size_t k = 0; k < r->collective.n; k++)
        if (is_same(&r->collective.at[k], p))
            return &r->collective.at[k];
    struct calibrate_collective c = {.kind = p->kind,
                                     .file = p->file,
                                     .ranks = r->table->file.at[p->file].ranks,
                                     .shmem = p->shmem,
                                     .bytes = p->bytes,
                                     .low = INFINITY};
    BASE_ARRAY_PUSH(&r->collective, c);
    return &r->collective.at[r->collective.n - 1];
}

static void median_find(const struct calibrate_table *t, struct calibrate_collective *c)
{
    double *seconds = base_alloc(c->points * sizeof *seconds, "times of a collective");
    size_t n = 0;
    for (size_t k = 0; k < t->point.n; k++)
        if (t->point.at[k].identified && is_same(c, &t->point.at[k]))
            seconds[n++] = t->point.at[k].seconds;
    c->seconds = fit_median(seconds, n);
    free(seconds);
}

void calibrate_find_collectives(struct calibrate_result *r)
{
    const struct calibrate_table *t = r->table;
    for (size_t k = 0; k < t->point.n; k++) {
        const struct calibrate_point *p = &t->point.at[k];
        if (!p->identified || p->kind < CALIBRATE_BARRIER || p->kind > CALIBRATE_REDUCE || !(p->seconds > 0))
            continue;
        struct calibrate_collective *c = entry_of(r, p);
        c->points++;
        c->low = fmin(c->low, p->low > 0 ? p->low : p->seconds);
        c->high = fmax(c->high, p->high > 0 ? p->high : p->seconds);
    }
    for (size_t k = 0; k < r->collective.n; k++)
        median_find(t, &r->collective.at[k]);
    if (r->collective.n)
        qsort(r->collective.at, r->collective.n, sizeof *r->collective.at, by_what);
}

size_t calibrate_collectives(const struct calibrate_result *r, const struct calibrate_collective **out)
{
    *out = r->collective.at;
    return r->collective.n;
}

void calibrate_collective_predict(struct calibrate_result *r, size_t k, double seconds)
{
    r->collective.at[k].predicted = seconds;
}

double calibrate_collective_error(const struct calibrate_collective *c)
{
    return c->predicted / c->seconds - 1;
}
