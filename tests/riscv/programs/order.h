/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order: whether the atomics of one word can have been executed one after another. Each is known by the value
 * that it found and the value that it left. From the first value on, the next one is an operation that found
 * what is there now: at first those that change nothing, then the one that does. A PE waits for each of its
 * operations, so its own are in the order of its program.
 *
 * Where values are random, hardly two operations find the same, and there is one order or none. Minima, maxima,
 * and, or do not come back to a value they have left, so there the rule is exact, too.
 */
#ifndef PGASIM_TESTS_RISCV_ORDER_H
#define PGASIM_TESTS_RISCV_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct order_step {
    int64_t found, left;
    int pe, number; /* its place in the program of the PE */
    bool done;
};

/* Executes the steps that find `now` and change it or not; returns how many, and the value afterwards. Steps are
 * sorted by PE and number. last[pe]: the number of the last one executed, or -1; false in *in_order if one
 * comes before it. */
static int order_take(struct order_step *s, int n, bool change, int64_t *now, int *last, bool *in_order)
{
    int taken = 0;
    for (int i = 0; i < n; i++) {
        if (s[i].done || s[i].found != *now || (s[i].left != s[i].found) != change)
            continue;
        s[i].done = true;
        taken++;
        *in_order &= s[i].number > last[s[i].pe];
        last[s[i].pe] = s[i].number;
        if (change) {
            *now = s[i].left;
            break;
        }
    }
    return taken;
}

/* Whether there is an order of all n steps from `first` to `end`. last has an element for each PE. */
static bool order_exists(struct order_step *s, int n, int64_t first, int64_t end, int *last, int pes)
{
    int64_t now = first;
    bool in_order = true;
    int left = n;
    for (int pe = 0; pe < pes; pe++)
        last[pe] = -1;
    for (int taken = 1; left > 0 && taken > 0; left -= taken) {
        taken = order_take(s, n, false, &now, last, &in_order);
        taken += order_take(s, n, true, &now, last, &in_order);
    }
    return left == 0 && now == end && in_order;
}

#endif
