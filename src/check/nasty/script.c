/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * script: runs in which nothing is drawn (check/points). Each operation may be kept back until it is needed, and
 * those that are let go together may go in any order; who chooses is told of each such point, and repeats the run
 * with other choices. Orders that differ only in neighbours that commute, because they touch different memory or
 * only read, are one: of each class the least sequence counts (lexicographic normal forms of Mazurkiewicz traces;
 * Godefroid: Partial-order methods for the verification of concurrent systems, 1996).
 */
#include <math.h>
#include <string.h>

#include "check/nasty/parts.h"

enum { MOST = 7 }; /* operations let go together whose orders are counted */

void nasty_script_plan(struct nasty *n, struct nasty_op *op)
{
    const struct nasty_key hold = {NASTY_HOLD, op->origin->id, op->seq},
                           source = {NASTY_SOURCE, op->origin->id, op->seq};
    const struct nasty_about a = {op->origin, op->call, op->caller};
    op->temper = NASTY_ALL_PLAIN;
    if (n->rank[op->origin->id].poll.released)
        return;
    if (!nasty_point(n, hold, &a, 2, "kept back until it is needed"))
        return;
    op->plan[op->bytes[0] ? 0 : 1].delay = INFINITY;
    if (op->sourced && !op->element)
        op->late = nasty_point(n, source, &a, 2, "its source is read as late as possible");
}

/* --- orders ------------------------------------------------------------------------------------------- */

static bool overlap(const struct nasty_op *a, const struct nasty_op *b)
{
    for (uint32_t k = 0; k < a->areas; k++)
        for (uint32_t i = 0; i < b->areas; i++)
            if (a->area[k].rank == b->area[i].rank && a->area[k].low < b->area[i].high &&
                b->area[i].low < a->area[k].high)
                return true;
    return false;
}

/* One that is not known may touch anything. */
static bool commute(const struct nasty_op *a, const struct nasty_op *b)
{
    return a && b && ((!a->writes && !b->writes) || !overlap(a, b));
}

struct orders {
    size_t n;
    bool commute[MOST][MOST];
    uint8_t sequence[MOST], chosen[MOST];
    bool used[MOST];
    size_t wanted, found;
};

/* Whether x may be the next: it must not commute with all that stands behind a greater one. */
static bool is_least(const struct orders *o, size_t at, size_t x)
{
    for (size_t k = at; k-- > 0 && o->commute[x][o->sequence[k]];)
        if (x < o->sequence[k])
            return false;
    return true;
}

static void count_from(struct orders *o, size_t at)
{
    if (at == o->n) {
        if (o->found++ == o->wanted)
            memcpy(o->chosen, o->sequence, sizeof o->chosen);
        return;
    }
    for (size_t x = 0; x < o->n; x++) {
        if (o->used[x] || !is_least(o, at, x))
            continue;
        o->used[x] = true;
        o->sequence[at] = (uint8_t)x;
        count_from(o, at + 1);
        o->used[x] = false;
    }
}

/* How many there are; o->chosen is the one that is wanted. */
static size_t count_all(struct orders *o, size_t wanted)
{
    o->wanted = wanted;
    o->found = 0;
    count_from(o, 0);
    return o->found;
}

void nasty_script_order(struct nasty *n, const struct rank *rank, uint64_t *operations, size_t count)
{
    uint32_t of = rank ? rank->id : 0;
    struct nasty_key k = {NASTY_ORDER, of, n->rank[of].demands++};
    const struct nasty_about a = {(struct rank *)(uintptr_t)rank, NULL, 0};
    struct orders o = {.n = count < MOST ? count : MOST};
    uint64_t given[MOST];
    memcpy(given, operations, o.n * sizeof *given);
    for (size_t x = 0; x < o.n; x++)
        for (size_t y = 0; y < o.n; y++)
            o.commute[x][y] = commute(nasty_op_find(n, given[x]), nasty_op_find(n, given[y]));
    size_t all = count_all(&o, SIZE_MAX);
    size_t chosen = nasty_point(n, k, &a, all, "%zu operations are let go in another order%s", count,
                                count > MOST ? " (not all orders)" : "");
    (void)count_all(&o, chosen);
    for (size_t x = 0; x < o.n; x++)
        operations[x] = given[o.chosen[x]];
}
