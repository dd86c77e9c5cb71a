/* SPDX-License-Identifier: BSD-3-Clause */
/* ops: the adversary's records of operations, made at their issue and gone when they are complete. */
#include "check/nasty/parts.h"

#include <string.h>

struct nasty_op *nasty_op_find(const struct nasty *n, uint64_t number)
{
    struct nasty_op **op = base_table_find(&n->ops, number);
    return op ? *op : NULL;
}

static void keep_area(struct nasty_op *op, const struct rma_area *a)
{
    int64_t low = 0, high = (int64_t)a->bytes;
    if (a->items)
        types_layout_span(a->items->layout, a->items->count, &low, &high);
    if (a->step == RMA_AT_TARGET || a->step == RMA_IN_UNIT) {
        op->writes |= a->access != RMA_READS;
        op->area[op->areas].rank = a->rank;
        op->area[op->areas].low = a->address + (uintptr_t)low;
        op->area[op->areas++].high = a->address + (uintptr_t)high;
    }
    op->fetches |= a->step == RMA_AT_ORIGIN || a->access == RMA_READS;
    op->bytes[a->step == RMA_AT_TARGET ? 0 : a->step == RMA_IN_UNIT ? 1 : 2] = a->bytes;
}

static void issued(void *arg, const struct rma_issue *i)
{
    struct nasty *n = arg;
    struct nasty_op *op = base_pool_get(&n->pool);
    *op = (struct nasty_op){.number = i->operation,
                            .seq = n->rank[i->origin->id].ops++,
                            .origin = i->origin,
                            .target = i->target,
                            .call = i->call,
                            .caller = i->origin->caller,
                            .element = i->element,
                            .mpi = !strncmp(i->call, "MPI_", 4)};
    for (uint32_t k = 0; k < i->areas; k++)
        if (i->area[k].step == RMA_SOURCE)
            op->sourced = true;
        else
            keep_area(op, &i->area[k]);
    *(struct nasty_op **)base_table_add(&n->ops, op->number, NULL) = op;
    nasty_polls_issued(n, op, i);
    nasty_plan_make(n, op);
}

static void completed(void *arg, const struct rma_completion *c)
{
    struct nasty *n = arg;
    struct nasty_op *op = nasty_op_find(n, c->operation);
    if (!op)
        return;
    nasty_kept_remove(n, op);
    base_table_remove(&n->ops, op->number);
    base_pool_put(&n->pool, op);
}

static void touched(void *arg, const struct rma_touch *t)
{
    (void)arg, (void)t;
}

static void synchronized(void *arg, const struct rma_sync *s)
{
    (void)arg, (void)s;
}

const struct rma_listener nasty_listener = {issued, touched, completed, synchronized};
