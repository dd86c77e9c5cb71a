/* SPDX-License-Identifier: BSD-3-Clause */
/* search: what the files of tune/ share. */
#ifndef PGASIM_TUNE_SEARCH_H
#define PGASIM_TUNE_SEARCH_H

#include "tune/store.h"

struct tune_choices {
    struct tune_choice *at;
    size_t n, cap;
};
/* All choices for a point, in the order of coll_algorithms; or a few for each algorithm. Replaces what is in
 * `out`. */
void tune_candidates(struct tune_choices *out, const struct tune_space *s, const struct tune_point *p,
                     bool few);

/* Carries out trials in processes. */
struct tune_workers;
struct tune_workers *tune_workers_create(const struct tune_space *s);
void tune_workers_destroy(struct tune_workers *w);
/* Has all n asks carried out, and their results added to the store. 1: the budget was used up before; -1 with
 * st: one of them failed. */
int tune_workers_run(struct tune_workers *w, struct tune_store *x, const struct tune_ask *ask, size_t n,
                     struct base_status *st);

/* --- the search (wave.c, points.c, search.c) -------------------------------------------------------- */

struct tune_search {
    const struct tune_space *space;
    struct tune_store *store;
    struct tune_workers *workers;
    bool over; /* the budget is used up */
    BASE_ARRAY(struct tune_ask) wave;
};
/* wave.c. Adds to the wave what is not known yet. */
void tune_ask(struct tune_search *x, const struct tune_point *p, uint32_t ranks, const struct tune_choice *c,
              double bound);
/* Carries out the wave, which is empty afterwards, unless the search is over. -1 with st. */
int tune_wave(struct tune_search *x, struct base_status *st);
/* Seconds of a choice: INFINITY where it was given up, NAN where it was not tried or cannot be. */
double tune_time_of(const struct tune_search *x, const struct tune_point *p, uint32_t ranks,
                    const struct tune_choice *c);
/* Choices are tried until they have taken so many times the best time: those that are near may be best at
 * the sizes around. */
#define TUNE_NEAR 1.1
/* Ties between algorithms, such as trees of two members, are decided by their order. */
static inline bool tune_is_less(double a, double b)
{
    return a < b * (1 - 1e-6);
}
/* What was found for the cell of these choices is put into it. False: nothing. */
bool tune_conclude(const struct tune_search *x, struct tune_cell *cell, const struct tune_choice *c,
                   size_t n);

/* points.c. Finds the best choice for each of these cells, those of one wave together. -1 with st. */
int tune_points(struct tune_search *x, struct tune_cell *const *cell, size_t n, struct base_status *st);

#endif
