/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solver: weighted max-min rates of one closed problem, on arrays of plain numbers. Knows nothing about time,
 * events or anything outside the problem; settle.c chooses the problem and uses the result.
 *
 * Progressive filling (Bertsekas and Gallager, Data Networks, section 6.5.2): the level, weight * rate, of
 * all variables rises together. A variable is frozen when it reaches its own cap or when a resource that it
 * uses is full. A resource's level, what is left of it divided by what the open variables draw per unit of
 * level, never falls while variables freeze. So one tournament of resources is enough, whose keys may be too
 * small and are corrected when they win: E uses and R resources cost O(E + R log R) where few keys are
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
    uint32_t resource, variable;
    uint32_t next; /* the resource's next use, by rising variable, or FLUID_NONE */
};

struct solver_resource {
    double left, draw;           /* capacity not taken by frozen variables; load per level of the open ones */
    double sure_left, sure_draw; /* values when last summed: much smaller ones have lost digits */
    uint32_t open;
    uint32_t members;
    uint32_t first, last; /* of its uses */
    bool fatpipe;         /* left is the capacity, draw that of the member that draws most */
    bool stale;           /* FATPIPE: draw may be of a variable that is frozen */
    double all_draw;      /* draw while all members are open */
    double capacity;
    double level; /* result: of the variables that it limits, or INFINITY */
};

/* A tournament: each place from 1 on holds the lesser of the keys at twice its number and one more, and the
 * places from n to 2n - 1 hold those of n entrants. So at[1] is the least, and another key for an entrant
 * means log n comparisons, without a branch that has to be foreseen. Entrants that left have a key above all
 * others. */
typedef unsigned __int128 solver_key; /* level, as an integer of the same order; id in the lowest 32 bits */

struct solver_race {
    solver_key *at;
    uint32_t n;
};

struct fluid_solver {
    BASE_ARRAY(struct solver_variable) variable;
    BASE_ARRAY(struct solver_resource) resource;
    BASE_ARRAY(struct solver_use) use;
    uint32_t claimed;              /* uses that belong to a variable */
    BASE_ARRAY(uint32_t) full;     /* FATPIPE resources of one level */
    BASE_ARRAY(solver_key) keys;   /* memory for the tournaments */
    struct solver_race tight, fat; /* SHARED and FATPIPE resources by level; keys may be too small */
    struct solver_race capped;     /* variables by level of their cap; at is NULL until needed */
    double least_cap;              /* level of the lowest of all caps */
    bool solved;                   /* variables have results, of a run with fewer of them */
    double lowest_cap;             /* level of the first of these, or less */
    double capped_until;           /* of the last frozen by its cap, plus last-digit differences */
    double level;                  /* the last one frozen (S1) */
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
    struct solver_resource r = {
        .capacity = capacity, .first = FLUID_NONE, .last = FLUID_NONE, .fatpipe = fatpipe};
    BASE_ARRAY_PUSH(&s->resource, r);
    s->fatpipes += fatpipe;
    return (uint32_t)s->resource.n - 1;
}

static inline void solver_add_use(struct fluid_solver *s, uint32_t resource, double load,
                                  double inverse_weight)
{
    struct solver_resource *r = &s->resource.at[resource];
    struct solver_use u = {load, resource, (uint32_t)s->variable.n, FLUID_NONE};
    uint32_t number = (uint32_t)s->use.n;
    double draw = load * inverse_weight;
    BASE_ARRAY_PUSH(&s->use, u);
    *(r->last == FLUID_NONE ? &r->first : &s->use.at[r->last].next) = number;
    r->last = number;
    r->members++;
    if (BASE_LIKELY(!r->fatpipe))
        r->all_draw += draw;
    else if (draw > r->all_draw)
        r->all_draw = draw;
}

/* Its uses are those added since the last variable, with the same weight. */
static inline void solver_add_variable(struct fluid_solver *s, double inverse_weight, double cap,
                                       double cap_level)
{
    struct solver_variable v = {.inverse_weight = inverse_weight,
                                .cap = cap,
                                .cap_level = cap_level,
                                .limit = FLUID_NONE,
                                .first_use = s->claimed};
    if (cap_level < s->least_cap)
        s->least_cap = cap_level;
    s->claimed = (uint32_t)s->use.n;
    BASE_ARRAY_PUSH(&s->variable, v);
}

static inline void solver_set_capacity(struct fluid_solver *s, uint32_t resource, double capacity)
{
    s->resource.at[resource].capacity = capacity;
}

/* Fills rate, level and limit of every variable, and level of every resource. */
void solver_run(struct fluid_solver *s);

#endif
