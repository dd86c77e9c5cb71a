/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * segments: where a function changes. The best cuts for each number of segments are found by dynamic programming over
 * places where cuts may be; then each cut moves to the best place between its neighbours. G. Schwarz, "Estimating the
 * Dimension of a Model", 1978, says how many there are.
 */
#include "calibrate/fit/fit.h"

#include <math.h>
#include <stdlib.h>

enum { PLACES = 100 }; /* where cuts may be at first */
#define FLOOR 3e-4     /* of mean residuals: what is smaller is no reason for a segment */
/* A segment's last x by its first, at least: on shorter ones, noise is a slope, and the slope a time at 0. */
#define SPAN 2

struct search {
    const struct fit_point *p;
    size_t n, place[PLACES + 2]; /* the first point of a segment that begins there; the last one: n */
    unsigned places;             /* place[0] is 0, place[places] is n */
    double *cost;                /* of a segment from place a to b; infinite: too short */
    double best[FIT_SEGMENTS + 1][PLACES + 2];
    unsigned before[FIT_SEGMENTS + 1][PLACES + 2];
};

static int by_x(const void *a, const void *b)
{
    const struct fit_point *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

static double segment_cost(const struct fit_point *p, size_t from, size_t to)
{
    double sum;
    if (to < from + FIT_LEAST || p[from].x == p[to - 1].x || p[to - 1].x < SPAN * p[from].x)
        return INFINITY;
    (void)fit_line_absolute(p + from, to - from, &sum);
    return sum;
}

/* Where x changes, and no more than PLACES of these. */
static void places_find(struct search *s)
{
    size_t stride = s->n / PLACES + 1, last = 0;
    s->place[0] = 0;
    s->places = 1;
    for (size_t k = FIT_LEAST; k + FIT_LEAST <= s->n; k++)
        if (k >= last + (last ? stride : 0) && s->p[k].x > s->p[k - 1].x && s->places < PLACES + 1) {
            s->place[s->places++] = k;
            last = k;
        }
    s->place[s->places] = s->n;
}

static double cost_at(const struct search *s, unsigned a, unsigned b)
{
    return s->cost[(size_t)a * (PLACES + 2) + b];
}

static void costs_find(struct search *s)
{
    for (unsigned a = 0; a < s->places; a++)
        for (unsigned b = a + 1; b <= s->places; b++)
            s->cost[(size_t)a * (PLACES + 2) + b] = segment_cost(s->p, s->place[a], s->place[b]);
}

/* best[k][b]: the least sum of residuals of k segments up to place b. */
static void cuts_find(struct search *s, unsigned most)
{
    for (unsigned b = 1; b <= s->places; b++)
        s->best[1][b] = cost_at(s, 0, b);
    for (unsigned k = 2; k <= most; k++)
        for (unsigned b = 1; b <= s->places; b++) {
            s->best[k][b] = INFINITY;
            for (unsigned a = 1; a < b; a++) {
                double sum = s->best[k - 1][a] + cost_at(s, a, b);
                if (sum < s->best[k][b]) {
                    s->best[k][b] = sum;
                    s->before[k][b] = a;
                }
            }
        }
}

/* Twice the negative logarithm of the likelihood, and the price of the parameters: two of each line, and each cut,
 * which counts twice since it is searched for. */
static double criterion(double sum, size_t n, unsigned segments)
{
    double points = (double)n;
    return 2 * points * log(sum / points + FLOOR) + (4.0 * segments - 2) * log(points);
}

static unsigned choose(const struct search *s, unsigned most)
{
    unsigned best = 0;
    double least = INFINITY;
    for (unsigned k = 1; k <= most; k++) {
        double sum = s->best[k][s->places];
        if (isfinite(sum) && criterion(sum, s->n, k) < least) {
            least = criterion(sum, s->n, k);
            best = k;
        }
    }
    return best;
}

/* The cuts between `from` and `to` that are on both sides of this one move it to the best place. */
static size_t cut_refine(const struct fit_point *p, size_t from, size_t cut, size_t to, size_t reach)
{
    size_t best = cut, low = cut > reach ? cut - reach : 0, high = cut + reach;
    double least = INFINITY;
    for (size_t k = low; k <= high && k < to; k++) {
        if (k <= from || p[k].x == p[k - 1].x)
            continue;
        double sum = segment_cost(p, from, k) + segment_cost(p, k, to);
        if (sum < least) {
            least = sum;
            best = k;
        }
    }
    return best;
}

/* A cut between two sizes is at a power of two of the payload if there is one, for protocols change there. */
static double cut_place(double below, double from, double offset)
{
    double low = fmax(below - offset, 1), high = from - offset, power = exp2(ceil(log2(low)));
    return offset + (power < high ? power : fmin(sqrt(low * high), high * (1 - 1e-9)));
}

static void segments_fill(struct fit *f, const size_t *cut)
{
    double *size = base_alloc((f->n + 1) * sizeof *size, "residuals");
    for (unsigned k = 0; k < f->segments; k++) {
        struct fit_segment *s = &f->segment[k];
        s->first = cut[k];
        s->n = cut[k + 1] - cut[k];
        s->from = f->point[s->first].x;
        s->above = k ? cut_place(f->point[s->first - 1].x, s->from, f->offset) : 0;
        s->line = fit_line_robust(f->point + s->first, s->n, &s->scale);
        if (s->line.b * f->point[s->first + s->n - 1].v < 1e-9 * s->line.a * f->point[s->first].u)
            s->line.b = 0; /* rounding */
        for (size_t i = s->first; i < s->first + s->n; i++) {
            struct fit_point *p = &f->point[i];
            p->residual = (p->y - s->line.a * p->u - s->line.b * p->v) / p->unit;
            p->outlier = fabs(p->residual) > 4 * fmax(s->scale, FLOOR);
            f->outliers += p->outlier;
            size[i] = fabs(p->residual);
        }
    }
    f->error = fit_median(size, f->n);
    free(size);
}

void fit_segments(struct fit *f, struct fit_point *p, size_t n, unsigned most, double offset)
{
    size_t cut[FIT_SEGMENTS + 1] = {0};
    *f = (struct fit){.point = p, .n = n, .offset = offset};
    if (n)
        qsort(p, n, sizeof *p, by_x);
    if (n < FIT_LEAST || p[0].x == p[n - 1].x)
        return;
    struct search *s = base_zalloc(sizeof *s, "a search for segments");
    s->p = p;
    s->n = n;
    s->cost = base_zalloc(sizeof *s->cost * (PLACES + 2) * (PLACES + 2), "costs of segments");
    places_find(s);
    costs_find(s);
    cuts_find(s, most);
    f->segments = choose(s, most);
    cut[f->segments] = n;
    unsigned at = s->places;
    for (unsigned k = f->segments; k > 1; k--)
        cut[k - 1] = s->place[at = s->before[k][at]];
    cut[0] = 0;
    for (unsigned k = 1; k < f->segments; k++)
        cut[k] = cut_refine(p, cut[k - 1], cut[k], cut[k + 1], n / PLACES + 1);
    segments_fill(f, cut);
    free(s->cost);
    free(s);
}

void fit_release(struct fit *f)
{
    free(f->point);
    free(f->replica);
    *f = (struct fit){0};
}

unsigned fit_segment_of(const struct fit *f, double x)
{
    unsigned k = 0;
    while (k + 1 < f->segments && x > f->segment[k + 1].above)
        k++;
    return k;
}

double fit_at(const struct fit *f, double x)
{
    if (!f->segments)
        return 0;
    const struct fit_line *l = &f->segment[fit_segment_of(f, x)].line;
    return l->a + l->b * x;
}
