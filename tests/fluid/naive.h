/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reference for tests: weighted max-min rates from scratch, in the obvious way. Each round looks at every
 * resource and every open flow and freezes those that the lowest level freezes; at equal levels all FATPIPE
 * resources come first. Shares nothing with src/fluid.
 */
#ifndef PGASIM_TESTS_FLUID_NAIVE_H
#define PGASIM_TESTS_FLUID_NAIVE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define NAIVE_USES 24

struct naive_resource {
    double capacity;
    bool fatpipe;
};

struct naive_flow {
    double weight, bound;
    uint32_t n;
    uint32_t resource[NAIVE_USES]; /* a resource may be named more than once */
    double usage[NAIVE_USES];
    double rate;
    bool frozen;
};

/* How much of resource r one unit of the flow's rate takes. */
static inline double naive_usage(const struct naive_flow *f, uint32_t r, bool fatpipe)
{
    double sum = 0, most = 0;
    for (uint32_t k = 0; k < f->n; k++) {
        if (f->resource[k] == r) {
            sum += f->usage[k];
            most = fmax(most, f->usage[k]);
        }
    }
    return fatpipe ? most : sum;
}

/* The level at which resource r is full: filled by all open flows together or, for FATPIPE, by one alone;
 * INFINITY if no open flow uses it. */
static inline double naive_level(const struct naive_resource *r, uint32_t id, const struct naive_flow *f,
                                 uint32_t n)
{
    double used = 0, draw = 0;
    for (uint32_t i = 0; i < n; i++) {
        double usage = naive_usage(&f[i], id, r[id].fatpipe), part = usage * (1 / f[i].weight);
        if (!f[i].frozen)
            draw = r[id].fatpipe ? fmax(draw, part) : draw + part;
        else if (!r[id].fatpipe)
            used += usage * f[i].rate;
    }
    return draw > 0 ? (r[id].capacity - used) / draw : INFINITY;
}

static inline void naive_freeze(struct naive_flow *f, double level)
{
    f->frozen = true;
    f->rate = level / f->weight;
}

/* The lowest level of the resources of one policy. */
static inline double naive_lowest(const struct naive_resource *r, uint32_t n_resources, bool fatpipe,
                                  const struct naive_flow *f, uint32_t n, uint32_t *which)
{
    double low = INFINITY;
    for (uint32_t id = 0; id < n_resources; id++) {
        double level = r[id].fatpipe == fatpipe ? naive_level(r, id, f, n) : INFINITY;
        if (level < low) {
            low = level;
            *which = id;
        }
    }
    return low;
}

/* Whether a flow gets no more than this resource of the lowest level allows. */
static inline bool naive_meets(const struct naive_resource *r, uint32_t n_resources, const double *level,
                               double low, bool fatpipe, uint32_t which, const struct naive_flow *f)
{
    if (!fatpipe)
        return naive_usage(f, which, false) > 0;
    for (uint32_t id = 0; id < n_resources; id++)
        if (r[id].fatpipe && level[id] == low && naive_usage(f, id, true) > 0)
            return true;
    return false;
}

#define NAIVE_RESOURCES 64
#define NAIVE_TIE       1e-12

static inline void naive_solve(const struct naive_resource *r, uint32_t n_resources, struct naive_flow *f,
                               uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        f[i].frozen = false;
    double until = 0; /* flows whose bound differs in the last digit reach it together */
    for (uint32_t open = n; open;) {
        double level[NAIVE_RESOURCES];
        uint32_t which = UINT32_MAX, fat = UINT32_MAX, first = UINT32_MAX;
        double low = naive_lowest(r, n_resources, false, f, n, &which);
        double low_fat = naive_lowest(r, n_resources, true, f, n, &fat);
        bool fatpipe = low_fat < INFINITY && low_fat <= low * (1 + NAIVE_TIE);
        if (fatpipe)
            low = low_fat;
        for (uint32_t id = 0; id < n_resources; id++)
            level[id] = naive_level(r, id, f, n);
        double lowest = low;
        for (uint32_t i = 0; i < n; i++) {
            double bound = f[i].bound * f[i].weight;
            if (!f[i].frozen && (bound < lowest || (bound <= until && first == UINT32_MAX))) {
                lowest = bound;
                first = i;
            }
        }
        if (first != UINT32_MAX)
            until = lowest * (1 + NAIVE_TIE / 20);
        for (uint32_t i = 0; i < n; i++) {
            bool here = first != UINT32_MAX ? i == first
                                            : naive_meets(r, n_resources, level, low, fatpipe, which, &f[i]);
            if (!f[i].frozen && here) {
                naive_freeze(&f[i], lowest);
                open--;
            }
        }
    }
}

#endif
