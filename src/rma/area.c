/* SPDX-License-Identifier: BSD-3-Clause */
/* area: which memory an operation touches at each of its steps. */
#include "rma/internal.h"

/* The word that a signal updates, or all of an accumulate's elements. */
static struct rma_area updated_area(const struct rma_op *op, struct rma_area a)
{
    if (rma_op_class(op)->effect) {
        a.address = op->signal.update.remote;
        a.bytes = sizeof op->signal.update.value;
        a.items = NULL;
    }
    a.access = RMA_UPDATES;
    return a;
}

static struct rma_area area_there(const struct rma_op *op, enum rma_step step)
{
    const struct rma_class *class = rma_op_class(op);
    return (struct rma_area){.rank = rma_op_target(op),
                             .address = op->remote,
                             .bytes = op->fabric.bytes,
                             .items = class->along_items ? &op->items.there : NULL,
                             .step = step,
                             .access = class->access};
}

static struct rma_area area_here(const struct rma_op *op, enum rma_step step)
{
    return (struct rma_area){.rank = op->ctx->rank,
                             .address = op->local,
                             .bytes = op->fabric.bytes,
                             .items = rma_op_class(op)->along_items && step == RMA_AT_ORIGIN ? &op->items.here
                                                                                             : NULL,
                             .step = step,
                             .access = step == RMA_SOURCE ? RMA_READS : RMA_WRITES};
}

/* Whether operations of the class have an area of this step. */
bool rma_has_area(const struct rma_class *class, enum rma_step step)
{
    switch (step) {
    case RMA_ISSUED:
    case RMA_AT_TARGET:
        return class->effect;
    case RMA_IN_UNIT:
        return class->update;
    case RMA_REPLIED:
    case RMA_AT_ORIGIN:
        return class->result;
    case RMA_SOURCE:
        return true;
    }
    return false;
}

/* Does not read the layout: it may be gone after the step. */
struct rma_area rma_area_of(const struct rma_op *op, enum rma_step step)
{
    if (!rma_has_area(rma_op_class(op), step))
        return (struct rma_area){.rank = rma_op_target(op), .step = step};
    if (step == RMA_IN_UNIT)
        return updated_area(op, area_there(op, step));
    return step == RMA_ISSUED || step == RMA_AT_TARGET ? area_there(op, step) : area_here(op, step);
}

struct rank *rma_op_memory(const struct rma_op *op, enum rma_step step, uintptr_t *low, uintptr_t *high)
{
    struct rma_area a = rma_area_of(op, step);
    int64_t first = 0, end = (int64_t)a.bytes;
    if (a.items)
        types_layout_span(a.items->layout, a.items->count, &first, &end);
    *low = a.address + (uintptr_t)first;
    *high = a.address + (uintptr_t)end;
    return a.rank;
}

bool rma_op_touches(const struct rma_op *op, enum rma_step step, const struct rank *r, uintptr_t low,
                    uintptr_t high)
{
    uintptr_t from, to;
    return rma_op_memory(op, step, &from, &to) == r && from < high && to > low;
}
