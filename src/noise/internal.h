/* SPDX-License-Identifier: BSD-3-Clause */
/* internal: what the files of noise/ share: a distribution's parts, and functions of mathematics. */
#ifndef PGASIM_NOISE_INTERNAL_H
#define PGASIM_NOISE_INTERNAL_H

#include "noise/noise.h"

enum noise_form {
    NOISE_CONSTANT,
    NOISE_UNIFORM,
    NOISE_EXPONENTIAL,
    NOISE_LOGNORMAL,
    NOISE_GAMMA,
    NOISE_PARETO,
    NOISE_QUANTILES
};
struct noise_point {
    double q, value;
};
struct noise_distribution {
    enum noise_form form;
    double a, b; /* its parameters, in the order in which they are written */
    /* of NOISE_QUANTILES: values between the points lie on lines; beyond the last one Pareto's tail, if tail > 0 */
    struct noise_point *point;
    size_t points;
    double tail;
};

/* special.c */
double noise_normal_quantile(double u);
double noise_gamma_quantile(double shape, double u); /* of scale 1 */
double noise_gamma_part(double shape, double x);     /* the part of all draws below x */

/* read.c: the text of a value, or of the file that it names; the caller frees it. */
char *noise_text(const char *value, struct base_status *st);
/* One distribution of a text without file names. */
struct noise_distribution *noise_read(const char *text, enum noise_unit unit, struct base_status *st);

#endif
