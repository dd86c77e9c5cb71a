/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fluid: resources that activities share, and the weighted max-min fair rates at which they progress.
 * Knows numbers, not hosts.
 *
 * The allocation: each flow i has a weight w_i > 0 (a flow of weight 2 gets half of what one of weight 1
 * gets: SimGrid's penalty) and a bound b_i. Rates x_i are max-min fair over w_i * x_i under, for each
 * SHARED resource, sum of x_i*usage <= capacity, for each FATPIPE resource, max of x_i*usage <= capacity, and
 * x_i <= b_i. (SMPI paper, section 4.1; Bertsekas and Gallager, Data Networks, section 6.5.2.)
 *
 * Invariants
 *  F1  Rates are the unique max-min allocation whenever the clock is about to move.
 *  F2  A flow's completion event moves only when its rate moved.
 *  F3  Only flows reachable from a change through saturated resources are solved again.
 *  F4  Nothing is allocated per flow in steady state.
 */
#ifndef PGASIM_FLUID_H
#define PGASIM_FLUID_H

#include "engine/engine.h"

struct fluid;
struct fluid_flow;
typedef uint32_t fluid_resource;
enum fluid_policy { FLUID_SHARED, FLUID_FATPIPE };

struct fluid *fluid_create(struct engine *e);
void fluid_destroy(struct fluid *f);

/* Capacity in units/s (bytes/s, flop/s), > 0. Ids count up from 0. */
fluid_resource fluid_resource_add(struct fluid *f, double capacity, enum fluid_policy policy);
void fluid_resource_set_capacity(struct fluid *f, fluid_resource id, double capacity);
double fluid_resource_capacity(const struct fluid *f, fluid_resource id);
uint32_t fluid_resource_flows(const struct fluid *f, fluid_resource id); /* that cross it now */
uint32_t fluid_resource_paths(const struct fluid *f, fluid_resource id); /* paths with flows across it */
double fluid_resource_load(struct fluid *f, fluid_resource id); /* sum of rates * usage; settles first */
/* The same (of a FATPIPE resource: the most that one flow takes) up to this instant, whatever is about to be
 * settled. A flow that has begun at this instant may already count. */
double fluid_resource_taken(const struct fluid *f, fluid_resource id);

/* What a flow uses. `uses[i].usage` > 0 is how much of the resource one unit of progress takes (1, or 0.05
 * for crosstraffic). The same resource may appear more than once: usages of a SHARED one add up, of a FATPIPE
 * one the largest counts. */
struct fluid_use {
    fluid_resource resource;
    double usage;
};
/* Called in an event when the flow has no work left. The flow is gone when it returns. */
typedef void (*fluid_done_fn)(struct fluid *f, void *arg);
/* Starts a flow now. `amount` > 0 units; `weight` > 0; `bound` > 0 units/s or INFINITY. `uses` is copied.
 * The rate is settled before the clock moves. Returns the flow, valid until done or cancel. */
struct fluid_flow *fluid_start(struct fluid *f, const struct fluid_use *uses, uint32_t n_uses, double amount,
                               double weight, double bound, fluid_done_fn done, void *arg);
void fluid_cancel(struct fluid *f, struct fluid_flow *flow);
/* `fn` is called before a flow that is done, the one with these two, is taken off its resources. */
void fluid_on_ending(struct fluid *f, void (*fn)(void *ctx, fluid_done_fn done, void *arg), void *ctx);
/* The flow goes on with another weight > 0 and bound > 0 (or INFINITY); its remaining work and the pointer
 * stay the same. It leaves a path that the caller keeps. Costs a new path if the flow shared its path with
 * others, otherwise no more than a start. */
void fluid_change(struct fluid *f, struct fluid_flow *flow, double weight, double bound);
double fluid_rate(struct fluid *f, const struct fluid_flow *flow);      /* settles first */
double fluid_remaining(struct fluid *f, const struct fluid_flow *flow); /* at the current instant */
/* A path is what equal flows have in common: uses, weight and bound. Its flows are one variable with a count,
 * so that any number of them costs the solver as much as one. fluid_start finds or makes the path by itself;
 * callers that start many flows over few routes can keep the path and save the search. */
struct fluid_path;
struct fluid_path *fluid_path_create(struct fluid *f, const struct fluid_use *uses, uint32_t n_uses,
                                     double weight, double bound);
void fluid_path_destroy(struct fluid *f, struct fluid_path *path); /* no flow is on it */
struct fluid_flow *fluid_path_start(struct fluid *f, struct fluid_path *path, double amount,
                                    fluid_done_fn done, void *arg);
bool fluid_path_idle(const struct fluid *f, const struct fluid_path *path); /* as fluid_idle */

/* True if every SHARED resource named is idle: a transfer starting now would not share any of them. */
bool fluid_idle(const struct fluid *f, const struct fluid_use *uses, uint32_t n_uses);

struct fluid_public { /* first member of struct fluid, so that the count is one load away */
    uint32_t flows;   /* that go on */
};
static inline uint32_t fluid_flow_count(const struct fluid *f)
{
    return ((const struct fluid_public *)(const void *)f)->flows;
}
struct fluid_counts {
    uint64_t started;
    uint64_t solo;         /* finished, and never given to the solver */
    uint64_t solves;       /* runs of the solver */
    uint64_t solved_flows; /* variables in these runs: equal flows on one path count once */
};
struct fluid_counts fluid_counts(const struct fluid *f);
/* Asserts F1 and the internal lists (debug builds and tests). */
void fluid_check(struct fluid *f);

#endif
