/* SPDX-License-Identifier: BSD-3-Clause */
/* gather: the values of a chart, from the points that have ended well. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/plot/parts.h"

/* --- which points ----------------------------------------------------------------------------------- */

struct lookup {
    const struct plot_data *d;
    uint32_t point;
};

static const struct study_value *find(const void *arg, const char *name)
{
    const struct lookup *l = arg;
    return l->d->get(l->d->arg, l->point, name);
}

static const struct study_value *value(const struct plot_data *d, uint32_t point, const char *name)
{
    const struct study_value *v = d->get(d->arg, point, name);
    return v && v->text ? v : NULL;
}

int plot_has(const struct plot_data *d, const struct study_plot *p, const struct study_value *by,
             uint32_t point, bool *out, struct base_status *st)
{
    const struct lookup l = {d, point};
    const struct study_scope scope = {find, &l};
    struct base_status why;
    *out = d->ok(d->arg, point);
    const struct study_value *v = *out && by ? value(d, point, p->by.at) : NULL;
    if (*out && by && (!v || study_value_compare(v, by) != 0))
        *out = false;
    if (*out && p->where.at && study_holds(p->where.at, &scope, out, &why))
        return study_wrong(d->study, p->where.line, st, "where: %s", why.text);
    return 0;
}

/* --- distinct values -------------------------------------------------------------------------------- */

static size_t place_of(const struct plot_values *v, const struct study_value *x)
{
    size_t k = 0;
    while (k < v->n && study_value_compare(&v->at[k], x) != 0)
        k++;
    return k;
}

size_t plot_values_add(struct plot_values *v, const struct study_value *x)
{
    size_t place = place_of(v, x);
    if (place == v->n) {
        struct study_value copy = study_value_copy(x);
        BASE_ARRAY_PUSH(v, copy);
    }
    return place;
}

static int ascending(const void *a, const void *b)
{
    return study_value_compare(a, b);
}

void plot_values_arrange(struct plot_values *v)
{
    for (size_t k = 0; k < v->n; k++)
        if (!v->at[k].is_number)
            return;
    if (v->n)
        qsort(v->at, v->n, sizeof *v->at, ascending);
}

void plot_values_release(struct plot_values *v)
{
    for (size_t k = 0; k < v->n; k++)
        study_value_release(&v->at[k]);
    free(v->at);
}

/* What tells the point's series from others: one value, or several with commas between them. */
static struct study_value series_of(const struct plot_data *d, const struct study_plot *p, uint32_t point)
{
    const struct study_value *only = p->series.n == 1 ? value(d, point, p->series.at[0].at) : NULL;
    if (only)
        return study_value_copy(only);
    struct base_text t;
    base_text_init(&t, "the name of a series");
    for (size_t k = 0; k < p->series.n; k++) {
        const struct study_value *v = value(d, point, p->series.at[k].at);
        base_text_format(&t, "%s%s", k ? ", " : "", v ? v->text : "?");
    }
    char *text = base_text_take(&t);
    struct study_value out = study_value_of(text, true);
    free(text);
    return out;
}

/* --- grids ------------------------------------------------------------------------------------------ */

/* What a point has in the chart; false: nothing. The caller releases the series. */
static bool item_of(const struct plot_data *d, const struct study_plot *p, uint32_t point,
                    const struct study_value **x, struct study_value *series, double *number)
{
    const bool heat = p->chart == STUDY_HEAT;
    const struct study_value *v = value(d, point, heat ? p->value : p->y),
                             *y = heat ? value(d, point, p->y) : v;
    *x = value(d, point, p->x);
    if (!*x || !v || !y || !v->is_number)
        return false;
    *number = v->number;
    *series = heat ? study_value_copy(y) : series_of(d, p, point);
    return true;
}

static void add_number(struct plot_grid *g, struct plot_cell *c, double x)
{
    c->least = c->n ? fmin(c->least, x) : x;
    c->most = c->n ? fmax(c->most, x) : x;
    c->sum += x;
    g->repeated |= c->n++ > 0;
    g->least = fmin(g->least, x);
    g->most = fmax(g->most, x);
}

/* First the values that there are, then their cells. */
int plot_grid_read(const struct plot_data *d, const struct study_plot *p, const struct study_value *by,
                   struct plot_grid *out, struct base_status *st)
{
    *out = (struct plot_grid){.least = INFINITY, .most = -INFINITY};
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < d->study->points; k++) {
            const struct study_value *x;
            struct study_value series;
            double number;
            bool in;
            if (plot_has(d, p, by, k, &in, st))
                return -1;
            if (!in || !item_of(d, p, k, &x, &series, &number))
                continue;
            if (pass) {
                add_number(out, &out->cell[place_of(&out->series, &series) * out->x.n + place_of(&out->x, x)],
                           number);
            } else {
                plot_values_add(&out->x, x);
                plot_values_add(&out->series, &series);
            }
            study_value_release(&series);
        }
        if (!pass) {
            plot_values_arrange(&out->x);
            plot_values_arrange(&out->series);
            out->cell =
                base_zalloc((out->x.n * out->series.n + 1) * sizeof *out->cell, "the values of a chart");
        }
    }
    return 0;
}

void plot_grid_release(struct plot_grid *g)
{
    plot_values_release(&g->x);
    plot_values_release(&g->series);
    free(g->cell);
}

int plot_by(const struct plot_data *d, const struct study_plot *p, struct plot_values *out,
            struct base_status *st)
{
    for (uint32_t k = 0; k < d->study->points; k++) {
        bool in;
        if (plot_has(d, p, NULL, k, &in, st))
            return -1;
        const struct study_value *v = in ? value(d, k, p->by.at) : NULL;
        if (v)
            plot_values_add(out, v);
    }
    plot_values_arrange(out);
    return 0;
}

/* --- fronts ----------------------------------------------------------------------------------------- */

static const struct study_plot *sorted_for; /* qsort passes nothing on */

static int by_place(const void *pa, const void *pb)
{
    const struct plot_dot *a = pa, *b = pb;
    double x = sorted_for->x_most ? b->x - a->x : a->x - b->x,
           y = sorted_for->y_most ? b->y - a->y : a->y - b->y;
    return x != 0   ? (x > 0) - (x < 0)
           : y != 0 ? (y > 0) - (y < 0)
                    : (a->point > b->point) - (a->point < b->point);
}

/* In the order of x, best first, a point is of the front if its y is better than all before; equal ones all are. */
static void find_front(const struct study_plot *p, struct plot_dots *d)
{
    const struct plot_dot *best = NULL;
    sorted_for = p;
    if (d->n)
        qsort(d->at, d->n, sizeof *d->at, by_place);
    for (size_t k = 0; k < d->n; k++) {
        struct plot_dot *o = &d->at[k];
        o->front =
            !best || (p->y_most ? o->y > best->y : o->y < best->y) || (o->y == best->y && o->x == best->x);
        best = o->front ? o : best;
    }
}

int plot_dots_read(const struct plot_data *d, const struct study_plot *p, const struct study_value *by,
                   struct plot_dots *out, struct base_status *st)
{
    *out = (struct plot_dots){0};
    for (uint32_t k = 0; k < d->study->points; k++) {
        bool in;
        if (plot_has(d, p, by, k, &in, st))
            return -1;
        const struct study_value *x = in ? value(d, k, p->x) : NULL, *y = in ? value(d, k, p->y) : NULL;
        if (!x || !y || !x->is_number || !y->is_number)
            continue;
        struct study_value series = series_of(d, p, k);
        uint32_t place = (uint32_t)plot_values_add(&out->series, &series);
        struct plot_dot dot = {x->number, y->number, place, k, false};
        BASE_ARRAY_PUSH(out, dot);
        study_value_release(&series);
    }
    find_front(p, out);
    return 0;
}

void plot_dots_release(struct plot_dots *d)
{
    plot_values_release(&d->series);
    free(d->at);
}
