/* SPDX-License-Identifier: BSD-3-Clause */
/* line: one line through points, by weighted least squares that are repeated with new weights. P. J. Huber, "Robust
 * Estimation of a Location Parameter", 1964. */
#include "base/numbers.h"
#include "calibrate/fit/fit.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 30 };
#define TUNING   1.345 /* 95% of the efficiency of least squares where residuals are normal */
#define SMALLEST 1e-6  /* residuals, relative: below that all are the same */

double fit_quantile_sorted(const double *value, size_t n, double part)
{
    if (!n)
        return 0;
    double at = part * (double)(n - 1);
    size_t k = (size_t)at;
    return k + 1 < n ? value[k] + (at - (double)k) * (value[k + 1] - value[k]) : value[n - 1];
}

double fit_median(double *value, size_t n)
{
    base_numbers_sort(value, n);
    return fit_quantile_sorted(value, n, 0.5);
}

static double residual(const struct fit_point *p, struct fit_line l)
{
    return (p->y - l.a * p->u - l.b * p->v) / p->unit;
}

/* How the weight of a point follows from its residual. */
struct weighing {
    bool absolute;
    double scale;
};

static double weight(const struct weighing *w, double r)
{
    double size = fabs(r);
    if (w->absolute)
        return 1 / fmax(size, SMALLEST);
    return size <= TUNING * w->scale ? 1 : TUNING * w->scale / size;
}

struct sums {
    double uu, uv, vv, uy, vy;
};

/* Least squares with neither number below 0 (CF1). */
static struct fit_line solve(const struct sums *s)
{
    double determinant = s->uu * s->vv - s->uv * s->uv;
    struct fit_line l = {0, 0};
    if (determinant > 1e-12 * s->uu * s->vv) {
        l.a = (s->uy * s->vv - s->vy * s->uv) / determinant;
        l.b = (s->vy * s->uu - s->uy * s->uv) / determinant;
        if (l.a >= 0 && l.b >= 0)
            return l;
    }
    bool flat = l.b < 0 || s->vv == 0 || (l.a >= 0 && determinant <= 1e-12 * s->uu * s->vv && s->uu > 0);
    if (flat)
        return (struct fit_line){s->uu > 0 ? fmax(s->uy / s->uu, 0) : 0, 0};
    return (struct fit_line){0, fmax(s->vy / s->vv, 0)};
}

static struct fit_line weighted(const struct fit_point *p, size_t n, const struct weighing *w,
                                const struct fit_line *last)
{
    struct sums s = {0};
    for (size_t k = 0; k < n; k++) {
        double u = p[k].u / p[k].unit, v = p[k].v / p[k].unit, y = p[k].y / p[k].unit;
        double part = last ? weight(w, residual(&p[k], *last)) : 1;
        s.uu += part * u * u;
        s.uv += part * u * v;
        s.vv += part * v * v;
        s.uy += part * u * y;
        s.vy += part * v * y;
    }
    return solve(&s);
}

static bool same(struct fit_line a, struct fit_line b)
{
    return fabs(a.a - b.a) <= 1e-10 * fabs(b.a) && fabs(a.b - b.b) <= 1e-10 * fabs(b.b);
}

static struct fit_line repeated(const struct fit_point *p, size_t n, const struct weighing *w,
                                struct fit_line l, unsigned rounds)
{
    for (unsigned k = 0; k < rounds; k++) {
        struct fit_line next = weighted(p, n, w, &l);
        bool settled = same(l, next);
        l = next;
        if (settled)
            break;
    }
    return l;
}

struct fit_line fit_line_absolute(const struct fit_point *p, size_t n, double *sum)
{
    struct weighing w = {.absolute = true};
    struct fit_line l = repeated(p, n, &w, weighted(p, n, &w, NULL), ROUNDS / 2);
    *sum = 0;
    for (size_t k = 0; k < n; k++)
        *sum += fabs(residual(&p[k], l));
    return l;
}

struct fit_line fit_line_robust(const struct fit_point *p, size_t n, double *scale)
{
    double sum, *size = base_alloc((n + 1) * sizeof *size, "residuals");
    struct fit_line l = fit_line_absolute(p, n, &sum);
    for (size_t k = 0; k < n; k++)
        size[k] = fabs(residual(&p[k], l));
    /* Two parameters make residuals smaller than errors are. */
    *scale = 1.4826 * fit_median(size, n) * (n > 2 ? sqrt((double)n / (double)(n - 2)) : 1);
    free(size);
    struct weighing w = {.scale = fmax(*scale, SMALLEST)};
    return repeated(p, n, &w, l, ROUNDS);
}
