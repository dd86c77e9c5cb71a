/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operators: users' operators for tests. Affine functions x -> a x + b over 32-bit words under composition:
 * associative, not commutative.
 */
#ifndef PGASIM_TESTS_COLL_OPERATORS_H
#define PGASIM_TESTS_COLL_OPERATORS_H

#include "coll/coll.h"

#include <string.h>

struct affine {
    uint32_t a, b;
};

/* First f, then g. */
static inline struct affine affine_composed(struct affine f, struct affine g)
{
    return (struct affine){f.a * g.a, f.a * g.b + f.b};
}

static inline void affine_combine(void *arg, const void *left, void *right, uint64_t items)
{
    struct affine f, g;
    (void)arg;
    for (size_t k = 0; k < items; k++) {
        memcpy(&f, (const struct affine *)left + k, sizeof f);
        memcpy(&g, (struct affine *)right + k, sizeof g);
        f = affine_composed(f, g);
        memcpy((struct affine *)right + k, &f, sizeof f);
    }
}

static const struct coll_user affine_user = {affine_combine, NULL, NULL};
static const struct coll_local affine_local = {.user = &affine_user};
static const struct coll_operator users_operator = {TYPES_OPS, TYPES_ELEMENTS, true};

#endif
