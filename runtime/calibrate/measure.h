/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure: samples until their median is known well enough, and the file that gets it. Standard C alone: the MPI
 * and the OpenSHMEM program share it.
 */
#ifndef CALIBRATE_MEASURE_H
#define CALIBRATE_MEASURE_H

#include <stddef.h>
#include <stdio.h>

struct measure_limits {
    int least, most;  /* samples */
    double precision; /* half of the interval's width that is wanted, relative to the median */
    double seconds;   /* at most, for one point */
    double shortest;  /* a sample lasts at least so long, by repetitions */
    int repetitions;  /* at most, in a sample */
};
extern const struct measure_limits measure_default;

struct measure {
    double *sample; /* seconds of one repetition */
    int n, room;
};
void measure_add(struct measure *m, double seconds);
void measure_clear(struct measure *m);
void measure_release(struct measure *m);

struct measure_summary {
    double median, low, high; /* low to high: 95% interval of the median, from order statistics */
    double mean, least, q10, q90, q99, most;
    int n;
};
/* The samples that were disturbed: those more than 1% above the median, and more than twice as far above it as a quarter
 * of them are. What they have above the median: */
enum { MEASURE_EXCESSES = 9 };
extern const double measure_excess_parts[MEASURE_EXCESSES]; /* 0 to 1 */
struct measure_disturbed {
    int n;
    double mean, excess[MEASURE_EXCESSES]; /* quantiles at those parts; 0 if there are none */
};
struct measure_disturbed measure_disturbed(const struct measure *m); /* after measure_summary */

/* Sorts the samples. All zeros if there are none. */
struct measure_summary measure_summary(struct measure *m);
/* Whether the median is known well enough, or a limit is reached. `elapsed`: seconds spent on this point. */
int measure_enough(struct measure *m, const struct measure_limits *l, double elapsed);

/* A random stream of our own, the same on all ranks: xorshift64*. */
struct measure_random {
    unsigned long long state;
};
unsigned measure_below(struct measure_random *r, unsigned n);
void measure_shuffle(struct measure_random *r, int *items, int n);
/* Sizes from 1 to `largest`, two an octave, each drawn within its half octave; 0 and 1 are always there. Returns
 * how many; the caller frees *out. */
int measure_sizes(struct measure_random *r, size_t largest, size_t **out);

/* One line of JSON for the file: begin, fields, end. */
void line_begin(FILE *f, const char *kind);
void line_text(FILE *f, const char *key, const char *text);
void line_number(FILE *f, const char *key, double x);
void line_count(FILE *f, const char *key, long long n);
void line_end(FILE *f); /* and writes it out */
/* The fields of a result; "unidentified" instead if no sample exceeds `clock`, the time of asking for the time. */
void line_summary(FILE *f, const struct measure_summary *s, double clock);

/* Of the disturbed samples: how many, their mean excess and its quantiles. */
void line_disturbed(FILE *f, const struct measure_disturbed *d);

#endif
