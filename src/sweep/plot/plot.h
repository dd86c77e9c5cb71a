/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot: charts of a study's results as SVG, in a page that needs nothing else. Each chart has a description in words and
 * a table with its values, and can be looked into by keyboard and mouse where scripts are allowed.
 *
 * Invariants
 *  PL1  What is drawn depends on the study and its values alone.
 */
#ifndef PGASIM_SWEEP_PLOT_H
#define PGASIM_SWEEP_PLOT_H

#include "sweep/study/study.h"

/* The results that are drawn. */
struct plot_data {
    const struct study *study;
    /* A point's parameter or result; NULL or without text: there is none. */
    const struct study_value *(*get)(const void *arg, uint32_t point, const char *name);
    bool (*ok)(const void *arg, uint32_t point); /* whether it has ended well */
    const void *arg;
    uint32_t earlier; /* points whose results are of an earlier version */
};
/* -1 with st: a condition of a chart cannot be evaluated. */
int plot_page(const struct plot_data *d, FILE *out, struct base_status *st);
/* The picture of one chart, by its number in the page from 1, as a file of SVG. -1 with st: there is no such chart. */
int plot_picture(const struct plot_data *d, uint64_t number, FILE *out, struct base_status *st);

/* --- charts of given numbers, for pages of others (figure.c) ----------------------------------------- */

struct plot_pair {
    double x, y; /* above 0 */
    uint32_t series;
    char *name;
};
/* Points on two logarithmic axes of one length, with the diagonal. */
struct plot_pairs {
    const char *title, *x_label, *y_label;
    const char *const *series;
    uint32_t series_n;
    const struct plot_pair *at;
    uint32_t n;
};
/* Bars. */
struct plot_numbers {
    const char *title, *x_label, *y_label;
    const char *const *series, *const *name;
    uint32_t series_n, n;
    const double *value; /* n x series_n; NAN: there is none */
};
/* A section of a page: heading, picture, table. `id` is its own in the page. */
void plot_pairs(FILE *out, const char *id, const struct plot_pairs *p);
void plot_numbers(FILE *out, const char *id, const struct plot_numbers *p);
void plot_escaped(FILE *out, const char *text); /* for a page */

#endif
