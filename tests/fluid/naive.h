/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The judge: weighted max-min rates from scratch, the obvious way, for tests. Each round looks at every
 * resource and every open flow and freezes those that the lowest level freezes. Shares nothing with
 * src/fluid.
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

/* The level at which the flow meets its own bound or a fat pipe. */
static inline double naive_cap_level(const struct naive_resource *r, const struct naive_flow *f)
{
    double cap = f->bound;
    for (uint32_t k = 0; k < f->n; k++)
        if (r[f->resource[k]].fatpipe)
            cap = fmin(cap, r[f->resource[k]].capacity / f->usage[k]);
    return cap * f->weight;
}

/* The level at which resource r is full; INFINITY when nobody open uses it. */
static inline double naive_level(const struct naive_resource *r, uint32_t id, const struct naive_flow *f,
                                 uint32_t n)
{
    double used = 0, draw = 0;
    if (r[id].fatpipe)
        return INFINITY;
    for (uint32_t i = 0; i < n; i++) {
        double usage = naive_usage(&f[i], id, false);
        if (f[i].frozen)
            used += usage * f[i].rate;
        else
            draw += usage / f[i].weight;
    }
    return draw > 0 ? (r[id].capacity - used) / draw : INFINITY;
}

static inline void naive_freeze(struct naive_flow *f, double level)
{
    f->frozen = true;
    f->rate = level / f->weight;
}

static inline void naive_solve(const struct naive_resource *r, uint32_t n_resources, struct naive_flow *f,
                               uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        f[i].frozen = false;
    for (uint32_t open = n; open;) {
        double low = INFINITY;
        uint32_t which = UINT32_MAX;
        for (uint32_t id = 0; id < n_resources; id++) {
            double level = naive_level(r, id, f, n);
            if (level < low) {
                low = level;
                which = id;
            }
        }
        uint32_t first = UINT32_MAX;
        for (uint32_t i = 0; i < n; i++) {
            if (!f[i].frozen && naive_cap_level(r, &f[i]) <= low) {
                low = naive_cap_level(r, &f[i]);
                first = i;
            }
        }
        for (uint32_t i = 0; i < n; i++) {
            bool here = first != UINT32_MAX ? i == first : naive_usage(&f[i], which, false) > 0;
            if (!f[i].frozen && here) {
                naive_freeze(&f[i], low);
                open--;
            }
        }
    }
}

#endif
