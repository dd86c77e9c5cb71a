/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seed: what random tests begin with. PGASIM_TEST_SEED=N is that seed; PGASIM_TEST_SEED=random draws one from the
 * clock; without it a test takes its usual one, so that it does today what it did yesterday. The seed is printed.
 * `make soak` plays ever new seeds with all programs that include this file.
 *
 * TEST_SHARE=N: of many cases alike, a test plays one in N. So does `make asan`, where each takes several times
 * as long and what counts is that each kind of case is there.
 */
#ifndef PGASIM_TESTS_SEED_H
#define PGASIM_TESTS_SEED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Whether a seed is asked for: tests that play a row of them play this one alone. */
static inline bool seed_is_given(void)
{
    const char *given = getenv("PGASIM_TEST_SEED");
    return given && *given;
}

static inline uint64_t seed_of_clock(void)
{
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    return ((uint64_t)wall.tv_sec * 1000003 + (uint64_t)wall.tv_nsec) ^ (uint64_t)getpid() << 20;
}

/* The seed of this process: the same at each call. */
static inline uint64_t seed_of_test(uint64_t usual)
{
    static uint64_t chosen;
    static bool drawn, told;
    const char *given = getenv("PGASIM_TEST_SEED");
    if (!given || !*given) {
        chosen = usual;
    } else if (strcmp(given, "random")) {
        char *end;
        chosen = strtoull(given, &end, 0);
        if (*end) {
            fprintf(stderr, "PGASIM_TEST_SEED=%s: a whole number or \"random\" was expected\n", given);
            exit(2);
        }
    } else if (!drawn) {
        chosen = seed_of_clock() & INT64_MAX;
        drawn = true;
    }
    if (!told)
        printf("PGASIM_TEST_SEED=%llu\n", (unsigned long long)chosen);
    told = true;
    return chosen;
}

/* How many of so many cases alike are played: at least one. */
static inline uint64_t seed_share(uint64_t cases)
{
    const char *given = getenv("TEST_SHARE");
    uint64_t n = given ? strtoull(given, NULL, 10) : 1;
    return n > 1 ? (cases + n - 1) / n : cases;
}

#endif
