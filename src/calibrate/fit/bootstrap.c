/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bootstrap: how uncertain a fit is. Residuals of a segment are drawn again from those that it has (B. Efron,
 * "Bootstrap Methods: Another Look at the Jackknife", 1979), and the segment is fitted to them; cuts stay where they are.
 */
#include "calibrate/fit/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void segment_draw(const struct fit *f, const struct fit_segment *s, struct fit_point *out,
                         struct base_random *r)
{
    /* Residuals of n points and two parameters are smaller than errors by this. */
    double larger = s->n > 2 ? sqrt((double)s->n / (double)(s->n - 2)) : 1;
    const struct fit_point *p = f->point + s->first;
    for (size_t k = 0; k < s->n; k++) {
        double error = larger * p[base_random_below(r, s->n)].residual;
        out[k] = p[k];
        out[k].y = s->line.a * p[k].u + s->line.b * p[k].v + error * p[k].unit;
    }
}

void fit_bootstrap(struct fit *f, uint64_t seed, uint64_t stream, fit_shift_fn shift, const void *arg)
{
    struct base_random r;
    double scale;
    if (!f->segments)
        return;
    base_random_seed(&r, seed, stream);
    f->replica = base_alloc(FIT_REPLICAS * f->segments * sizeof *f->replica, "replicas of a fit");
    struct fit_point *p = base_alloc(f->n * sizeof *p, "points of a replica");
    for (unsigned k = 0; k < FIT_REPLICAS; k++)
        for (unsigned i = 0; i < f->segments; i++) {
            const struct fit_segment *s = &f->segment[i];
            segment_draw(f, s, p, &r);
            for (size_t j = 0; shift && j < s->n; j++)
                p[j].y -= shift(arg, k, p[j].x);
            f->replica[(size_t)k * f->segments + i] = fit_line_robust(p, s->n, &scale);
        }
    free(p);
}

double fit_replica_at(const struct fit *f, unsigned k, double x)
{
    if (!f->segments || !f->replica)
        return fit_at(f, x);
    const struct fit_line *l = &f->replica[(size_t)k * f->segments + fit_segment_of(f, x)];
    return l->a + l->b * x;
}

/* The 97.5% quantile of Student's distribution: the series in 1/degrees of Abramowitz and Stegun, 26.7.5. */
static double student(double degrees)
{
    double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees * degrees) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * degrees * degrees * degrees);
}

struct fit_interval fit_interval_of(double value, double *replica, size_t replicas, size_t points)
{
    (void)fit_median(replica, replicas);
    double low = fit_quantile_sorted(replica, replicas, 0.1587),
           high = fit_quantile_sorted(replica, replicas, 0.8413);
    double half = student(points > 3 ? (double)points - 2 : 1) * (high - low) / 2;
    half = fmax(half, FIT_FLOOR * fabs(value));
    return (struct fit_interval){value - half, value + half};
}
