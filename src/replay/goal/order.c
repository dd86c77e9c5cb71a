/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order: LogGOPSim sorts operations that become ready together by their kind, with std::sort of the GNU C++ library,
 * and starts them in that order. The sort is not stable, so in which order a rank's 100 sends go out depends on how it
 * works: introsort (Musser 1997), which this file follows step by step.
 *
 * More than 16 operations are split around a pivot, the median of the second, the middle and the last one, until pieces
 * are short; then everything is sorted by insertion, which is stable. Introsort's way out of bad pivots is left out:
 * with three kinds, splits are bad only if one kind is rare, and then there are few.
 */
#include "replay/goal/goal.h"

enum { SHORT = 16 };

static bool before(const struct replay_goal_record *op, uint32_t a, uint32_t b)
{
    return replay_goal_kind(&op[a]) < replay_goal_kind(&op[b]);
}

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t other = *a;
    *a = *b;
    *b = other;
}

/* The median of three goes to `first`. */
static void choose_pivot(const struct replay_goal_record *op, uint32_t *first, uint32_t *a, uint32_t *b,
                         uint32_t *c)
{
    if (before(op, *a, *b))
        swap(first, before(op, *b, *c) ? b : before(op, *a, *c) ? c : a);
    else
        swap(first, before(op, *a, *c) ? a : before(op, *b, *c) ? c : b);
}

/* Hoare's way: both sides stop at equals. Returns where the second part begins. */
static uint32_t *split(const struct replay_goal_record *op, uint32_t *low, uint32_t *high,
                       const uint32_t *pivot)
{
    for (;; low++) {
        while (before(op, *low, *pivot))
            low++;
        high--;
        while (before(op, *pivot, *high))
            high--;
        if (low >= high)
            return low;
        swap(low, high);
    }
}

static void split_all(const struct replay_goal_record *op, uint32_t *from, uint32_t *to)
{
    while (to - from > SHORT) {
        choose_pivot(op, from, from + 1, from + (to - from) / 2, to - 1);
        uint32_t *middle = split(op, from + 1, to, from);
        split_all(op, middle, to);
        to = middle;
    }
}

void replay_goal_order(const struct replay_goal_record *op, uint32_t *which, size_t n)
{
    split_all(op, which, which + n);
    for (size_t k = 1; k < n; k++) {
        uint32_t moved = which[k];
        size_t at = k;
        for (; at && before(op, moved, which[at - 1]); at--)
            which[at] = which[at - 1];
        which[at] = moved;
    }
}
