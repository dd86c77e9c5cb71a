/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * points: the best choice for single points, by successive halving. Each algorithm is tried with a few
 * values of its parameters, with a sixteenth of the ranks, then with a quarter; what that predicts for
 * all ranks decides who goes on. Of those, the most promising one and the default run to their ends, the
 * others are given up when they are clearly slower. The algorithms that were not are then tried with all
 * values of their parameters.
 */
#include "tune/search.h"

#include <math.h>
#include <stdlib.h>

/* Candidates so much slower than the best one are dropped after each rung, but not if fewer than LEAST would
 * be left. With fewer ranks, algorithms with few rounds look worse than they are; a prediction takes that
 * into account. */
enum { SMALL = 32, FEWEST = 8, LEAST = 4 };
static const double first_window = 8, last_window = 3, widens = 1.5;
static const struct tune_choice by_default = {.algorithm = TUNE_DEFAULT};

struct contest {
    struct tune_cell *cell;
    struct tune_choices choices;
    double *predicted;                  /* of each choice, in seconds; INFINITY: it is out */
    uint32_t ranks, quarter, sixteenth; /* 0: no such rung */
};

/* --- rungs ---------------------------------------------------------------------------------------- */

static bool power_of_two(uint32_t n)
{
    return (n & (n - 1)) == 0;
}

/* So many hosts fewer. If the ranks are no power of two, nor are the fewer ones: algorithms differ there. */
static uint32_t part_of(const struct tune_place *p, uint32_t divisor)
{
    uint32_t n = p->ranks / divisor, per_host = p->per_host < n ? p->per_host : 1;
    n -= n % per_host;
    if (!power_of_two(p->ranks) && power_of_two(n))
        n += per_host;
    return n >= FEWEST ? n : 0;
}

static void prepare(const struct tune_search *x, struct contest *c, struct tune_cell *cell)
{
    const struct tune_place *p = &x->space->place.at[cell->point.place];
    bool same = !p->graph && !p->first; /* else there is nothing like it of fewer ranks */
    bool halves = same && p->ranks > SMALL && !x->space->whole;
    *c = (struct contest){.cell = cell, .ranks = p->ranks};
    c->quarter = halves ? part_of(p, 4) : 0;
    c->sixteenth = c->quarter ? part_of(p, 16) : 0;
    tune_candidates(&c->choices, x->space, &cell->point, !x->space->whole);
    c->predicted = base_zalloc((c->choices.n + 1) * sizeof *c->predicted, "predicted times");
}

/* At least so many stay in, even when slow: those that come first in order of time. */
static double limit_of(const struct contest *c, double window)
{
    double best = INFINITY, limit;
    for (size_t k = 0; k < c->choices.n; k++)
        best = fmin(best, c->predicted[k]);
    if (!(best > 0 && best < INFINITY))
        return INFINITY;
    for (limit = best * window;; limit *= 1.25) {
        size_t in = 0, any = 0;
        for (size_t k = 0; k < c->choices.n; k++) {
            in += c->predicted[k] <= limit;
            any += c->predicted[k] < INFINITY;
        }
        if (in >= LEAST || in == any)
            return limit;
    }
}

static void drop(struct contest *c, double window)
{
    double limit = limit_of(c, window);
    for (size_t k = 0; k < c->choices.n; k++)
        if (c->predicted[k] > limit)
            c->predicted[k] = INFINITY;
}

static void ask_rung(struct tune_search *x, const struct contest *c, uint32_t ranks)
{
    for (size_t k = 0; ranks && k < c->choices.n; k++)
        if (c->predicted[k] < INFINITY)
            tune_ask(x, &c->cell->point, ranks, &c->choices.at[k], INFINITY);
}

/* Fewer ranks may lack what all have, such as an even number: such a choice is taken for a good one. */
static void guess(struct contest *c)
{
    double best = INFINITY;
    for (size_t k = 0; k < c->choices.n; k++)
        best = fmin(best, c->predicted[k]);
    for (size_t k = 0; k < c->choices.n; k++)
        if (isnan(c->predicted[k]))
            c->predicted[k] = best;
}

static void end_first(const struct tune_search *x, struct contest *c)
{
    for (size_t k = 0; c->sixteenth && k < c->choices.n; k++)
        c->predicted[k] = tune_time_of(x, &c->cell->point, c->sixteenth, &c->choices.at[k]);
    if (c->sixteenth) {
        guess(c);
        drop(c, first_window);
    }
}

/* Times are assumed to grow further as they have grown. */
static void end_second(const struct tune_search *x, struct contest *c)
{
    for (size_t k = 0; c->quarter && k < c->choices.n; k++) {
        double before = c->predicted[k], t;
        if (before == INFINITY)
            continue;
        t = tune_time_of(x, &c->cell->point, c->quarter, &c->choices.at[k]);
        c->predicted[k] = c->sixteenth && before > 0 && t < INFINITY ? t * fmax(1, t / before) : t;
    }
    if (c->quarter) {
        guess(c);
        drop(c, last_window);
    }
}

/* --- all ranks ------------------------------------------------------------------------------------ */

static void ask_first(struct tune_search *x, const struct contest *c)
{
    size_t best = 0;
    for (size_t k = 1; k < c->choices.n; k++)
        if (c->predicted[k] < c->predicted[best])
            best = k;
    tune_ask(x, &c->cell->point, c->ranks, &by_default, INFINITY);
    if (c->choices.n)
        tune_ask(x, &c->cell->point, c->ranks, &c->choices.at[best], INFINITY);
}

static double best_of(const struct tune_search *x, const struct contest *c)
{
    struct tune_cell now = *c->cell;
    return tune_conclude(x, &now, c->choices.at, c->choices.n) ? now.time : INFINITY;
}

static void ask_others(struct tune_search *x, const struct contest *c)
{
    double bound = x->space->whole ? INFINITY : best_of(x, c) * widens;
    for (size_t k = 0; k < c->choices.n; k++)
        if (c->predicted[k] < INFINITY)
            tune_ask(x, &c->cell->point, c->ranks, &c->choices.at[k], bound);
}

/* Those of algorithms that were not given up, with all values of their parameters. */
static void widen(const struct tune_search *x, struct contest *c)
{
    struct tune_choices all = {0};
    size_t n, kept = 0;
    (void)tune_algorithms(&n);
    bool *good = base_zalloc(n * sizeof *good, "algorithms");
    for (size_t k = 0; k < c->choices.n; k++)
        if (tune_time_of(x, &c->cell->point, c->ranks, &c->choices.at[k]) < INFINITY)
            good[c->choices.at[k].algorithm] = true;
    tune_candidates(&all, x->space, &c->cell->point, false);
    for (size_t k = 0; k < all.n; k++)
        if (good[all.at[k].algorithm])
            all.at[kept++] = all.at[k];
    all.n = kept;
    free(good);
    free(c->choices.at);
    c->choices = all;
}

static void ask_wide(struct tune_search *x, struct contest *c)
{
    double bound = best_of(x, c) * TUNE_NEAR;
    if (x->space->whole)
        return;
    widen(x, c);
    for (size_t k = 0; k < c->choices.n; k++)
        tune_ask(x, &c->cell->point, c->ranks, &c->choices.at[k], bound);
}

static int carry_out(struct tune_search *x, struct contest *c, size_t n, struct base_status *st)
{
    for (size_t k = 0; k < n; k++)
        ask_rung(x, &c[k], c[k].sixteenth);
    if (tune_wave(x, st) || x->over)
        return x->over ? 0 : -1;
    for (size_t k = 0; k < n; k++) {
        end_first(x, &c[k]);
        ask_rung(x, &c[k], c[k].quarter);
    }
    if (tune_wave(x, st) || x->over)
        return x->over ? 0 : -1;
    for (size_t k = 0; k < n; k++) {
        end_second(x, &c[k]);
        ask_first(x, &c[k]);
    }
    if (tune_wave(x, st) || x->over)
        return x->over ? 0 : -1;
    for (size_t k = 0; k < n; k++)
        ask_others(x, &c[k]);
    if (tune_wave(x, st) || x->over)
        return x->over ? 0 : -1;
    for (size_t k = 0; k < n; k++)
        ask_wide(x, &c[k]);
    return tune_wave(x, st);
}

int tune_points(struct tune_search *x, struct tune_cell *const *cell, size_t n, struct base_status *st)
{
    struct contest *c = base_zalloc((n + 1) * sizeof *c, "points that are tuned");
    for (size_t k = 0; k < n; k++)
        prepare(x, &c[k], cell[k]);
    int rc = carry_out(x, c, n, st);
    for (size_t k = 0; k < n; k++) {
        if (!rc)
            (void)tune_conclude(x, cell[k], c[k].choices.at, c[k].choices.n);
        cell[k]->state = !rc && !x->over ? TUNE_SEARCHED : TUNE_OPEN;
        free(c[k].predicted);
        free(c[k].choices.at);
    }
    free(c);
    return rc;
}
