/* SPDX-License-Identifier: BSD-3-Clause */
/* seeds: which random cases a test plays: 1 to `trials`, or the one that PGASIM_TEST_SEED names. */
#ifndef PGASIM_TESTS_COLL_SEEDS_H
#define PGASIM_TESTS_COLL_SEEDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

struct seeds {
    uint64_t first, last;
};

static inline struct seeds seeds_to_play(uint64_t trials)
{
    const char *given = getenv("PGASIM_TEST_SEED");
    uint64_t first = given ? strtoull(given, NULL, 0) : 1;
    struct seeds s = {first, given ? first : trials};
    print_message("seeds %llu to %llu\n", (unsigned long long)s.first, (unsigned long long)s.last);
    return s;
}

#endif
