/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plot: charts of a study's results as SVG, in a page that needs nothing else. Each chart has a description in words and
 * a table with its values.
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
};
/* -1 with st: a condition of a chart cannot be evaluated. */
int plot_page(const struct plot_data *d, FILE *out, struct base_status *st);

#endif
