/* SPDX-License-Identifier: BSD-3-Clause */
/* distribution: quantiles and means. */
#include "noise/internal.h"

#include <math.h>
#include <stdlib.h>

/* --- lists of quantiles ---------------------------------------------------------------------------------------- */

/* The number of the first point whose q is at least u; `points` if there is none. */
static size_t point_at(const struct noise_distribution *d, double u)
{
    size_t low = 0, high = d->points;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->point[middle].q < u)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double listed(const struct noise_distribution *d, double u)
{
    size_t k = point_at(d, u);
    const struct noise_point *p = &d->point[k];
    if (k == 0)
        return p->value;
    if (k < d->points)
        return p[-1].value + (u - p[-1].q) / (p->q - p[-1].q) * (p->value - p[-1].value);
    return d->tail > 0 ? p[-1].value * pow((1 - p[-1].q) / (1 - u), 1 / d->tail) : p[-1].value;
}

static double listed_mean(const struct noise_distribution *d)
{
    const struct noise_point *p = d->point, *last = &p[d->points - 1];
    double sum = p[0].q * p[0].value;
    for (size_t k = 1; k < d->points; k++)
        sum += (p[k].q - p[k - 1].q) * (p[k].value + p[k - 1].value) / 2;
    return sum + (1 - last->q) * last->value * (d->tail > 0 ? d->tail / (d->tail - 1) : 1);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

double noise_quantile(const struct noise_distribution *d, double u)
{
    switch (d->form) {
    case NOISE_CONSTANT:
        return d->a;
    case NOISE_UNIFORM:
        return d->a + u * (d->b - d->a);
    case NOISE_EXPONENTIAL:
        return -d->a * log1p(-u);
    case NOISE_LOGNORMAL:
        return d->a * exp(d->b * noise_normal_quantile(u));
    case NOISE_GAMMA:
        return d->b / d->a * noise_gamma_quantile(d->a, u);
    case NOISE_PARETO:
        return d->a * pow(1 - u, -1 / d->b);
    case NOISE_QUANTILES:
        break;
    }
    return listed(d, u);
}

double noise_mean(const struct noise_distribution *d)
{
    switch (d->form) {
    case NOISE_CONSTANT:
    case NOISE_EXPONENTIAL:
        return d->a;
    case NOISE_UNIFORM:
        return (d->a + d->b) / 2;
    case NOISE_LOGNORMAL:
        return d->a * exp(d->b * d->b / 2);
    case NOISE_GAMMA:
        return d->b;
    case NOISE_PARETO:
        return d->a * d->b / (d->b - 1);
    case NOISE_QUANTILES:
        break;
    }
    return listed_mean(d);
}

void noise_distribution_destroy(struct noise_distribution *d)
{
    if (d)
        free(d->point);
    free(d);
}
