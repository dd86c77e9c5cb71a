/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost_trees: the terms of costs.def that are the longest way down a tree on which each member serves its
 * children one after the other. docs/collectives-algorithms.md says what each of them means.
 */
#ifndef PGASIM_TESTS_COLL_COST_TREES_H
#define PGASIM_TESTS_COLL_COST_TREES_H

#include <stdint.h>

/* --- complete k-ary trees: the children of v are k v + 1 to k v + k -------------------------------- */

/* The last of S segments reaches v when those above it have sent all before it: each takes as many messages a
 * segment as it has children, and the slowest of them counts. */
static inline uint64_t wave(uint64_t k, uint64_t n, uint64_t S)
{
    uint64_t most = 0;
    for (uint64_t v = 1; v < n; v++) {
        uint64_t turn = 0, widest = 0;
        for (uint64_t at = v, above; at; at = above) {
            above = (at - 1) / k;
            uint64_t children = n - 1 - above * k < k ? n - 1 - above * k : k;
            turn += (at - 1) % k + 1;
            widest = children > widest ? children : widest;
        }
        uint64_t time = turn + (S - 1) * widest;
        most = time > most ? time : most;
    }
    return most;
}
static inline uint64_t turns(uint64_t k, uint64_t n)
{
    return wave(k, n, 1);
}

/* --- k-ary trees of neighbours: a member's others are dealt to k children as evenly as can be ------ */

static inline uint64_t loads(uint64_t k, uint64_t n)
{
    uint64_t most = 0, sent = 0;
    for (uint64_t left = k < n - 1 ? k : n - 1; left; left--) {
        uint64_t size = (n - 1 - sent + left - 1) / left, time = loads(k, size);
        sent += size;
        most = sent + time > most ? sent + time : most;
    }
    return most;
}

/* --- binomial trees: the parent of v is v without its lowest one bit ------------------------------- */

static inline uint64_t climbs(uint64_t n)
{
    uint64_t most = 0;
    for (uint64_t v = 1; v < n; v++) {
        uint64_t sum = 0;
        for (uint64_t bit = 0; v >> bit; bit++)
            sum += v >> bit & 1 ? bit + 1 : 0;
        most = sum > most ? sum : most;
    }
    return most;
}
static inline uint64_t burdens(uint64_t n)
{
    uint64_t most = 0;
    for (uint64_t v = 1; v < n; v++) {
        uint64_t sum = 0, at = v;
        for (uint64_t d = 1; at; d *= 2)
            if (at & d) {
                sum += d - 1 + (d < n - at ? d : n - at);
                at -= d;
            }
        most = sum > most ? sum : most;
    }
    return most;
}
static inline uint64_t stagger(uint64_t n, uint64_t S)
{
    uint64_t most = 0;
    for (uint64_t v = 1; v < n; v++) {
        uint64_t time = S * v - 1;
        for (uint64_t left = v; left; left /= 2)
            time += left % 2;
        most = time > most ? time : most;
    }
    return most;
}

/* --- pairs of which some have taken in another member ---------------------------------------------- */

static inline uint64_t folded(uint64_t p, uint64_t more)
{
    uint64_t sum = 0;
    for (uint64_t d = 1; d < p; d *= 2)
        sum += d + (d < more ? d : more);
    return sum;
}

#endif
