/* SPDX-License-Identifier: BSD-3-Clause */
/* costs: the formulas of costs.def as functions, and the terms that they are made of. */
#ifndef PGASIM_TESTS_COLL_COSTS_H
#define PGASIM_TESTS_COLL_COSTS_H

#include "coll/algorithms.h"
#include "coll/cost_trees.h"

#include <math.h>

/* What the formulas are of; costs.def explains it. */
struct cost_variables {
    double n, k, S, w, H, P, m, root;
};

/* Messages and bytes of all members together; messages of the longest chain; time with one message at a time,
 * in messages and in bytes. Below 0: a bound, of that size. */
enum { COST_MESSAGES, COST_BYTES, COST_CHAIN, COST_ROUNDS, COST_PATH, COST_NUMBERS };

/* --- terms ---------------------------------------------------------------------------------------- */

static inline double at_most(double bound)
{
    return -bound;
}
static inline uint64_t logk(uint64_t k, uint64_t n)
{
    uint64_t rounds = 0;
    for (uint64_t reached = 1; reached < n; reached *= k)
        rounds++;
    return rounds;
}
static inline double lg(double n)
{
    return (double)logk(2, (uint64_t)n);
}
static inline uint64_t low(uint64_t k, uint64_t n)
{
    uint64_t power = 1;
    while (k > 1 && power * k <= n)
        power *= k;
    return power;
}
static inline double either(bool first, double a, double b)
{
    return first ? a : b;
}
static inline uint64_t digits(uint64_t k, uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t weight = 1; weight < n; weight *= k)
        sum += k - 1 < (n - 1) / weight ? k - 1 : (n - 1) / weight;
    return sum;
}
static inline uint64_t depth(uint64_t k, uint64_t n)
{
    uint64_t levels = 0;
    for (uint64_t above = 1, width = k; above < n; above += width, width *= k)
        levels++;
    return levels;
}
static inline uint64_t hops(uint64_t k, uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t v = 1; v < n; v++)
        for (uint64_t left = v; left; left /= k)
            sum += left % k != 0;
    return sum;
}
static inline uint64_t levels(uint64_t k, uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t v = 1; v < n; v++)
        for (uint64_t up = v; up; up = (up - 1) / k)
            sum++;
    return sum;
}
static inline uint64_t side(uint64_t n)
{
    uint64_t s = 1;
    while ((s + 1) * (s + 1) <= n)
        s++;
    while (n % s)
        s++;
    return s > n / s ? s : n / s;
}
static inline uint64_t wraps(uint64_t n)
{
    uint64_t runs = 0;
    for (uint64_t d = 1; d < n; d *= 2)
        runs += (d < n - d ? d : n - d) - 1;
    return runs;
}
static inline uint64_t prefix(uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t d = 1; d < n; d *= 2)
        sum += n - d;
    return sum;
}
static inline uint64_t skipping(uint64_t n)
{
    uint64_t sum = n - 1 + (n > 2 ? n - 2 : 0);
    for (uint64_t d = 3; d + 1 < n; d *= 2)
        sum += n - 1 - d;
    return sum;
}
static inline uint64_t sweep(uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t d = 1; d < n; d *= 2)
        sum += n / (2 * d) + (n - d) / (2 * d);
    return sum;
}
/* At distance w all have a partner, or get a message instead, but in a last block of no more than w. */
static inline uint64_t mended(uint64_t n)
{
    uint64_t sum = 0;
    for (uint64_t w = 1; w < n; w *= 2) {
        uint64_t whole = (n - 1) / (2 * w) * (2 * w);
        sum += n - whole > w ? n : whole;
    }
    return sum;
}
static inline uint64_t moved(uint64_t k, uint64_t p)
{
    uint64_t sum = 0;
    for (uint64_t seat = 0; seat < p; seat++) {
        uint64_t reversed = 0, left = seat;
        for (uint64_t q = p; q > 1; q /= k, left /= k)
            reversed = reversed * k + left % k;
        sum += reversed != seat;
    }
    return sum;
}
static inline uint64_t cube(uint64_t n)
{
    uint64_t a = 1, b = 1;
    for (uint64_t s = 2; s * s * s <= n; s++)
        a = n % s ? a : s;
    for (uint64_t s = 2; s * s <= n / a; s++)
        b = n / a % s ? b : s;
    return a + b + n / a / b - 3;
}
static inline uint64_t box(uint64_t n)
{
    uint64_t from = 1;
    while ((from + 1) * (from + 1) * (from + 1) <= n)
        from++;
    for (uint64_t s = from; s <= n / 3; s++)
        if (n % (s * s) == 0)
            return 2 * s + n / s / s - 3;
    while (n % from)
        from--;
    uint64_t longer = side(n / from);
    return from + longer + n / from / longer - 3;
}

/* --- formulas ------------------------------------------------------------------------------------- */

#define COST_TERM(name, value) const double name __attribute__((unused)) = value;
#define COST(function, messages, bytes, chain, rounds, path)                                                 \
    static inline void cost_of_##function(const struct cost_variables *v, double *out)                       \
    {                                                                                                        \
        COST_TERM(n, v->n)                                                                                   \
        COST_TERM(k, v->k)                                                                                   \
        COST_TERM(S, v->S)                                                                                   \
        COST_TERM(w, v->w)                                                                                   \
        COST_TERM(H, v->H)                                                                                   \
        COST_TERM(P, v->P)                                                                                   \
        COST_TERM(m, v->m)                                                                                   \
        COST_TERM(r, v->root != 0)                                                                           \
        COST_TERM(p, low(2, n))                                                                              \
        COST_TERM(q, low(k, n))                                                                              \
        COST_TERM(g, low(2, H))                                                                              \
        COST_TERM(c, low(fmin(k, n), n))                                                                     \
        out[COST_MESSAGES] = messages;                                                                       \
        out[COST_BYTES] = m * (bytes);                                                                       \
        out[COST_CHAIN] = chain;                                                                             \
        out[COST_ROUNDS] = rounds;                                                                           \
        out[COST_PATH] = m * (path);                                                                         \
    }
#include "coll/costs.def"
#undef COST

struct cost {
    coll_build_fn function;
    void (*of)(const struct cost_variables *v, double *out);
};
static const struct cost costs[] = {
#define COST(function, messages, bytes, chain, rounds, path) {function, cost_of_##function},
#include "coll/costs.def"
#undef COST
};

#endif
