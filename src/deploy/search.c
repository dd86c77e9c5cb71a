/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * search: an evolutionary search for two objectives, NSGA-II (Deb, Pratap, Agarwal and Meyarivan, "A fast and
 * elitist multiobjective genetic algorithm: NSGA-II", IEEE Transactions on Evolutionary Computation 6(2),
 * 2002), with two changes that a costly evaluation suggests: no configuration is asked for twice, and the
 * parents are the best of all that were evaluated, which only takes memory.
 *
 * A generation is asked for as a whole before any of it is evaluated, so that what is asked for does not
 * depend on how many are evaluated at a time, or on which of them is ready first (DP2).
 */
#include "deploy/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_POPULATION = 8, MOST_POPULATION = 20, TRIES = 60 };

struct deploy_search {
    const struct deploy_space *s;
    uint32_t budget, population, asked;
    struct base_random rng;
    struct deploy_set seen;
    struct deploy_value *value; /* of the configurations in `seen` */
    uint32_t *rank, *parent;
    double *distance;
    uint32_t parents;
};

struct deploy_search *deploy_search_create(const struct deploy_space *s, uint32_t budget, uint64_t seed)
{
    struct deploy_search *x = base_zalloc(sizeof *x, "a search");
    x->s = s;
    x->budget = budget;
    x->population = budget / 8 < LEAST_POPULATION  ? LEAST_POPULATION
                    : budget / 8 > MOST_POPULATION ? MOST_POPULATION
                                                   : budget / 8;
    x->value = base_alloc((budget + 1ull) * sizeof *x->value, "values");
    x->rank = base_alloc((budget + 1ull) * sizeof *x->rank, "ranks");
    x->parent = base_alloc((budget + 1ull) * sizeof *x->parent, "parents");
    x->distance = base_alloc((budget + 1ull) * sizeof *x->distance, "distances");
    base_random_seed(&x->rng, seed, 1);
    deploy_set_init(&x->seen);
    return x;
}

void deploy_search_destroy(struct deploy_search *x)
{
    deploy_set_release(&x->seen);
    free(x->value);
    free(x->rank);
    free(x->parent);
    free(x->distance);
    free(x);
}

const struct deploy_set *deploy_search_set(const struct deploy_search *x)
{
    return &x->seen;
}

void deploy_search_tell(struct deploy_search *x, uint32_t number, struct deploy_value v)
{
    BASE_ASSERT("DP4: only what was asked for is told", number < x->asked);
    x->value[number] = v;
}

/* --- parents -------------------------------------------------------------------------------------- */

/* A smaller rank is better, then a larger distance, then a smaller number. */
static int compare(const void *pa, const void *pb, void *arg)
{
    const struct deploy_search *x = arg;
    uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    if ((x->distance[a] == 0) != (x->distance[b] == 0))
        return x->distance[a] == 0 ? 1 : -1;
    if (x->rank[a] != x->rank[b])
        return x->rank[a] < x->rank[b] ? -1 : 1;
    if (x->distance[a] != x->distance[b])
        return x->distance[a] > x->distance[b] ? -1 : 1;
    return (a > b) - (a < b);
}

/* At least the whole first front: a search that forgot some of it would find it again. */
static void choose_parents(struct deploy_search *x)
{
    uint32_t first = 0;
    deploy_front_ranks(x->value, x->asked, x->rank);
    deploy_front_crowding(x->value, x->asked, x->rank, x->distance);
    for (uint32_t k = 0; k < x->asked; k++) {
        x->parent[k] = k;
        first += x->rank[k] == 0 && x->distance[k] > 0;
    }
    qsort_r(x->parent, x->asked, sizeof *x->parent, compare, x);
    x->parents = first > x->population ? first : x->population;
    if (x->parents > x->asked)
        x->parents = x->asked;
}

/* The better one of two. */
static const struct deploy_config *draw_parent(struct deploy_search *x)
{
    uint64_t a = base_random_below(&x->rng, x->parents), b = base_random_below(&x->rng, x->parents);
    return x->seen.at.at[x->parent[a < b ? a : b]]; /* they are sorted */
}

/* --- children ------------------------------------------------------------------------------------- */

/* The longer no new one is found, the farther away it is looked for. */
static struct deploy_config *draw_child(struct deploy_search *x, int tries)
{
    const struct deploy_config *a = draw_parent(x);
    struct deploy_config *c = base_random_below(&x->rng, 2) ? deploy_cross(x->s, a, draw_parent(x), &x->rng)
                                                            : deploy_config_copy(a);
    for (int k = 0; c && k <= tries / 10; k++) {
        struct deploy_config *next = deploy_mutate(x->s, c, &x->rng);
        free(c);
        c = next;
    }
    return c;
}

/* Adds one that is new; false: none was found. */
static bool add_new(struct deploy_search *x, bool random)
{
    for (int k = 0; k < 2 * TRIES; k++) {
        bool far = random || k >= TRIES;
        struct deploy_config *c = far ? deploy_random(x->s, &x->rng) : draw_child(x, k);
        if (c && deploy_set_take(&x->seen, c))
            return true;
    }
    return false;
}

uint32_t deploy_search_ask(struct deploy_search *x, uint32_t *first)
{
    uint32_t end = x->asked + (x->asked ? 1 : 2) * x->population;
    if (end > x->budget)
        end = x->budget;
    *first = x->asked;
    if (!x->asked)
        deploy_obvious(x->s, (end + 1) / 2, &x->seen);
    else
        choose_parents(x);
    while (x->seen.at.n < end && add_new(x, !x->asked))
        ;
    uint32_t more = (uint32_t)x->seen.at.n - x->asked;
    x->asked = (uint32_t)x->seen.at.n;
    return more;
}
