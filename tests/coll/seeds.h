/* SPDX-License-Identifier: BSD-3-Clause */
/* seeds: which random cases a test plays: 1 to `trials`, or to a share of them (seed.h), or the one that PGASIM_TEST_SEED
 * names; of all algorithms, or the one that PGASIM_TEST_ALGORITHM names, such as reduce/ring. */
#ifndef PGASIM_TESTS_COLL_SEEDS_H
#define PGASIM_TESTS_COLL_SEEDS_H

#include "seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct seeds {
    uint64_t first, last;
};

static inline struct seeds seeds_to_play(uint64_t trials)
{
    uint64_t first = seed_of_test(1);
    struct seeds s = {first, seed_is_given() ? first : seed_share(trials)};
    print_message("seeds %llu to %llu\n", (unsigned long long)s.first, (unsigned long long)s.last);
    return s;
}

static inline bool algorithm_is_played(const char *op, const char *name)
{
    const char *given = getenv("PGASIM_TEST_ALGORITHM");
    size_t n = strlen(op);
    return !given || (!strncmp(given, op, n) && given[n] == '/' && !strcmp(given + n + 1, name));
}

#endif
