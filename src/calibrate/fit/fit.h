/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fit: a time as a piecewise linear function of a size. Residuals are relative, because sizes span six decades; how
 * many pieces there are, and where they meet, is chosen by an information criterion; outliers have little weight.
 *
 * Invariants
 *  CF1 Within a segment neither the time at 0 nor the time for a byte is negative.
 *  CF2 The result depends on the points and the seed alone.
 */
#ifndef PGASIM_CALIBRATE_FIT_H
#define PGASIM_CALIBRATE_FIT_H

#include "base/base.h"

enum { FIT_SEGMENTS = 8, FIT_LEAST = 5 /* points of a segment */, FIT_REPLICAS = 200 };

/* y should be a u + b v. Of a line through sizes u is 1 and v the size. */
struct fit_point {
    double x, u, v, y;
    double unit;     /* what residuals are relative to: the measured time */
    double residual; /* (y - a u - b v) / unit, of the fit */
    bool outlier;
};
struct fit_line {
    double a, b;
};
struct fit_segment {
    double above, from; /* it holds for x > above; its first point's x */
    size_t first, n;
    struct fit_line line;
    double scale; /* of the residuals: 1.48 median absolute residuals */
};
struct fit {
    struct fit_point *point; /* in ascending order of x */
    size_t n, outliers;
    double offset; /* x is a payload and this */
    struct fit_segment segment[FIT_SEGMENTS];
    unsigned segments;        /* 0: too few points */
    struct fit_line *replica; /* FIT_REPLICAS x segments, of the bootstrap */
    double error;             /* median absolute residual */
};

/* The line with the least sum of Huber's function of the residuals: 1.345 times their scale and above, they count
 * linearly. Writes the scale. */
struct fit_line fit_line_robust(const struct fit_point *p, size_t n, double *scale);
/* The same with the least sum of absolute residuals; writes this sum. */
struct fit_line fit_line_absolute(const struct fit_point *p, size_t n, double *sum);

/* Takes over the points, which are not sorted. Cuts into at most `most` segments: by Schwarz's criterion (BIC) for
 * residuals of Laplace's distribution. `offset`: how much of x
 * is no payload. */
void fit_segments(struct fit *f, struct fit_point *p, size_t n, unsigned most, double offset);
void fit_release(struct fit *f);
/* What the fit says for size x; in replica k of the bootstrap. */
double fit_at(const struct fit *f, double x);
double fit_replica_at(const struct fit *f, unsigned k, double x);
unsigned fit_segment_of(const struct fit *f, double x);

/* What is subtracted from the measured times, other than in the fit itself, in replica k at size x; NULL: nothing. */
typedef double (*fit_shift_fn)(const void *arg, unsigned k, double x);
/* Fits the segments to residuals drawn again, FIT_REPLICAS times. */
void fit_bootstrap(struct fit *f, uint64_t seed, uint64_t stream, fit_shift_fn shift, const void *arg);

/* A 95% interval of a value from its replicas, for so many points and 2 parameters: what lies between their quantiles
 * of one standard deviation, scaled by Student's distribution. At least FIT_FLOOR of the value to each side. */
#define FIT_FLOOR 5e-4
struct fit_interval {
    double low, high;
};
struct fit_interval fit_interval_of(double value, double *replica, size_t replicas, size_t points);
/* Sorts the values. 0 if there are none. */
double fit_median(double *value, size_t n);
double fit_quantile_sorted(const double *value, size_t n, double part);

#endif
