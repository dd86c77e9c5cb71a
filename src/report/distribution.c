/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Distributions of sizes and times: how many values lie in each 32nd of each power of two. Extremes and the
 * mean are exact, percentiles to the width of such a part.
 *
 * Invariants
 *  D1  The parts' counts add up to n; `part` exists exactly when n > 0.
 */
#include "report/internal.h"

#include <math.h>
#include <stdlib.h>

/* Power k > 0 holds [2^(k - FIRST), 2^(k - FIRST + 1)). */
enum { FIRST = 41 };

static unsigned part_of(double value)
{
    int exponent;
    double fraction = frexp(value, &exponent); /* in [0.5, 1) */
    int power = exponent - 1 + FIRST;
    if (!(value > 0) || power < 1)
        return 0;
    if (power >= REPORT_POWERS)
        return REPORT_POWERS * REPORT_PARTS_OF_POWER - 1;
    unsigned within = (unsigned)((2 * fraction - 1) * REPORT_PARTS_OF_POWER);
    return (unsigned)power * REPORT_PARTS_OF_POWER + within;
}

void report_distribution_add(struct report_distribution *d, double value)
{
    if (!d->part)
        d->part = base_zalloc(sizeof *d->part * REPORT_POWERS * REPORT_PARTS_OF_POWER, "a distribution");
    if (!d->n || value < d->least)
        d->least = value;
    if (!d->n || value > d->most)
        d->most = value;
    d->n++;
    d->sum += value;
    d->part[part_of(value)]++;
}

void report_distribution_release(struct report_distribution *d)
{
    free(d->part);
    d->part = NULL;
}

uint64_t report_distribution_power(const struct report_distribution *d, unsigned power, double *low,
                                   double *high)
{
    uint64_t n = 0;
    BASE_ASSERT("D1", power < REPORT_POWERS);
    for (unsigned k = 0; d->part && k < REPORT_PARTS_OF_POWER; k++)
        n += d->part[power * REPORT_PARTS_OF_POWER + k];
    *low = power ? ldexp(1, (int)power - FIRST) : 0;
    *high = ldexp(1, (int)power - FIRST + 1);
    return n;
}

double report_distribution_mean(const struct report_distribution *d)
{
    return d->n ? d->sum / (double)d->n : 0;
}

/* The middle of a part: no value in it is further away than half of its width. */
static double middle(unsigned part)
{
    unsigned power = part / REPORT_PARTS_OF_POWER, within = part % REPORT_PARTS_OF_POWER;
    if (!power)
        return 0;
    return ldexp(1 + (within + 0.5) / REPORT_PARTS_OF_POWER, (int)power - FIRST);
}

double report_distribution_at(const struct report_distribution *d, double part)
{
    double wanted = ceil(part * (double)d->n);
    uint64_t seen = 0;
    if (!d->n || part >= 1)
        return d->n ? d->most : 0;
    for (unsigned k = 0; k < REPORT_POWERS * REPORT_PARTS_OF_POWER; k++) {
        seen += d->part[k];
        if (d->part[k] && (double)seen >= wanted)
            return fmin(fmax(middle(k), d->least), d->most);
    }
    return d->most;
}
