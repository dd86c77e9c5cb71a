/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solver: weighted max-min rates of one closed problem, on arrays of plain numbers. Knows nothing about time,
 * events or anything outside the problem; settle.c chooses the problem and uses the result.
 *
 * Progressive filling (Bertsekas and Gallager, Data Networks, section 6.5.2): the level, weight * rate, of
 * all variables rises together. A variable is frozen when it reaches its own cap or when a resource that it
 * uses is full. A resource's level, what is left of it divided by what the open variables draw per unit of
 * level, never falls while variables freeze. So one heap of resources is enough, whose keys may be too small
 * and are corrected when they come to the top: E uses and R resources cost O(E + R log R) where few keys are
 * corrected.
 *
 * A FATPIPE resource is full when one variable alone fills it, the one with the largest load per level among
 * the open ones; then all open variables that use it stop, even those that would take less of it (SimGrid's
 * rule). So the order matters when levels are equal: FATPIPE resources come before others, and all that fill
 * at one level come together; but a variable whose cap is lower, be it by the last digit, comes before them,
 * along with all variables of the same cap (SimGrid's arithmetic, to the bit).
 *
 * Invariants
 *  S1  Levels freeze in ascending order. Levels that differ only by rounding are made equal, so that
 *      symmetric variables get the same bits.
 *  S2  `open` counts a resource's variables that are not frozen; `left` and `draw` hold for these.
 */
#ifndef PGASIM_FLUID_SOLVER_H
#define PGASIM_FLUID_SOLVER_H

#include "base/base.h"

/* Not resources: the variable is limited by its own cap; no number assigned yet. */
#define FLUID_OWN  (UINT32_MAX - 1)
#define FLUID_NONE UINT32_MAX

/* One unknown rate. Its uses run from use[first_use] to the next variable's first. cap_level is cap times
 * weight, possibly changed in its last digit to match how a resource computes it. */
struct solver_variable {
    double inverse_weight;
    double cap; /* the rate may not exceed it */
    double cap_level;
    double rate, level; /* results, valid when limit is not FLUID_NONE */
    uint32_t limit;     /* result: the resource that froze it, or FLUID_OWN */
    uint32_t first_use;
};

/* `load` is what the variable takes of the resource per unit of rate. */
struct solver_use {
    double load;
    uint32_t resource;
};

/* The same seen from the resource. */
struct solver_member {
    double load;
    uint32_t variable;
};

struct solver_resource {
    double capacity;
    double left, draw;           /* capacity not taken by frozen variables; load per level of the open ones */
    double sure_left, sure_draw; /* values when last summed: much smaller ones have lost digits */
    uint32_t open;
    uint32_t first_member, members;
    double level; /* result: of the variables that it limits, or INFINITY */
    bool fresh;   /* left and draw were just summed: nothing was subtracted since */
    bool fatpipe; /* left is the capacity, draw that of the member that draws most */
};

struct solver_key {
    double level;
    uint32_t id;
};

struct solver_heap {
    struct solver_key *at;
    uint32_t n;
};

struct fluid_solver {
    BASE_ARRAY(struct solver_variable) variable;
    BASE_ARRAY(struct solver_resource) resource;
    BASE_ARRAY(struct solver_use) use;
    uint32_t claimed;          /* uses that belong to a variable */
    BASE_ARRAY(uint32_t) full; /* FATPIPE resources of one level */
    BASE_ARRAY(struct solver_member) member;
    BASE_ARRAY(struct solver_key) keys; /* memory for the heaps */
    struct solver_heap tight, fat;      /* SHARED and FATPIPE resources by level; keys may be too small */
    struct solver_heap capped;          /* variables by level of their cap; at is NULL until needed */
    double lowest_cap;                  /* level of the first of these, or less */
    double capped_until;                /* of the last frozen by its cap, plus last-digit differences */
    double level;                       /* the last one frozen (S1) */
    uint32_t open;
    uint32_t fatpipes; /* number of FATPIPE resources */
};

/* A SHARED resource's level is lower than a FATPIPE one's only if it is lower by more than this fraction. */
#define FLUID_TIE 1e-13

void solver_init(struct fluid_solver *s);
void solver_release(struct fluid_solver *s);

/* Build a problem by clear, then add resources and variables in any order; a variable follows its uses, each
 * resource at most once. After a run, more may be added and capacities changed for another run. A SHARED
 * resource may have capacity zero or less: its variables get rate 0. */
void solver_clear(struct fluid_solver *s);
static inline uint32_t solver_add_resource(struct fluid_solver *s, double capacity, bool fatpipe)
{
    struct solver_resource r = {.capacity = capacity, .fatpipe = fatpipe};
    BASE_ARRAY_PUSH(&s->resource, r);
    s->fatpipes += fatpipe;
    return (uint32_t)s->resource.n - 1;
}

static inline void solver_add_use(struct fluid_solver *s, uint32_t resource, double load)
{
    struct solver_use u = {load, resource};
    BASE_ARRAY_PUSH(&s->use, u);
    s->resource.at[resource].members++;
}

/* Its uses are those added since the last variable. */
static inline void solver_add_variable(struct fluid_solver *s, double inverse_weight, double cap,
                                       double cap_level)
{
    struct solver_variable v = {
        .inverse_weight = inverse_weight, .cap = cap, .cap_level = cap_level, .first_use = s->claimed};
    s->claimed = (uint32_t)s->use.n;
    BASE_ARRAY_PUSH(&s->variable, v);
}

static inline void solver_set_capacity(struct fluid_solver *s, uint32_t resource, double capacity)
{
    s->resource.at[resource].capacity = capacity;
}

/* Fills rate, level and limit of every variable, and level of every resource. */
void solver_run(struct fluid_solver *s);

/* How many variables use a resource; the level of those that it limits, INFINITY if it limits none. */
uint32_t solver_members(const struct fluid_solver *s, uint32_t resource);
double solver_level_of(const struct fluid_solver *s, uint32_t resource);

#endif
