/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kept: which operations are kept back until they are needed, in all and by target, so that whoever lets some go
 * looks at no others. They are listed in any order, and put into that of their issue when asked for: an order that
 * is seen (D2) must not depend on when they arrived.
 *
 * Invariants
 *  D3  An operation that is kept is in two lists, at the places that it names.
 */
#include "check/nasty/parts.h"

#include <stdlib.h>

static struct nasty_list *list_of(struct nasty *n, const struct nasty_op *op, enum nasty_lists which)
{
    return which == NASTY_IN_ALL ? &n->kept : &n->rank[op->target->id].kept;
}

static void put_at(const struct nasty_list *l, enum nasty_lists which, size_t at, struct nasty_op *op)
{
    l->op[at] = op;
    op->place[which] = (uint32_t)at;
}

void nasty_kept_add(struct nasty *n, struct nasty_op *op)
{
    BASE_ASSERT("D3", !op->kept);
    op->kept = true;
    n->kept_shmem += !op->mpi;
    for (enum nasty_lists which = 0; which < NASTY_LISTS; which++) {
        struct nasty_list *l = list_of(n, op, which);
        if (l->n == l->cap)
            l->op = base_array_grow(l->op, &l->cap, l->n + 1, sizeof *l->op, "operations kept back");
        put_at(l, which, l->n++, op);
    }
}

void nasty_kept_remove(struct nasty *n, struct nasty_op *op)
{
    if (!op->kept)
        return;
    op->kept = false;
    n->kept_shmem -= !op->mpi;
    for (enum nasty_lists which = 0; which < NASTY_LISTS; which++) {
        struct nasty_list *l = list_of(n, op, which);
        BASE_ASSERT("D3", l->op[op->place[which]] == op);
        put_at(l, which, op->place[which], l->op[--l->n]);
    }
}

static int by_number(const void *a, const void *b)
{
    const struct nasty_op *const *x = a, *const *y = b;
    return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

static void sort(const struct nasty_list *l, enum nasty_lists which)
{
    size_t sorted = 1;
    while (sorted < l->n && l->op[sorted - 1]->number < l->op[sorted]->number)
        sorted++;
    if (sorted >= l->n)
        return;
    qsort(l->op, l->n, sizeof *l->op, by_number);
    for (size_t k = 0; k < l->n; k++)
        put_at(l, which, k, l->op[k]);
}

const struct nasty_list *nasty_kept_all(struct nasty *n)
{
    sort(&n->kept, NASTY_IN_ALL);
    return &n->kept;
}

const struct nasty_list *nasty_kept_at(struct nasty *n, const struct rank *target)
{
    sort(&n->rank[target->id].kept, NASTY_AT_TARGET);
    return &n->rank[target->id].kept;
}

void nasty_kept_end(struct nasty *n)
{
    for (uint32_t id = 0; n->job && id < rank_count(n->job); id++) {
        free(n->rank[id].kept.op);
        free(n->rank[id].parked.at);
    }
    free(n->kept.op);
}
