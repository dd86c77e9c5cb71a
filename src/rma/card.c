/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * card: what an operation asks of a network card with a core (profile rae): which words, where, and what
 * happens to them.
 */
#include "rma/internal.h"

/* Sums and extremes are the card's for integers only. */
static enum node_op of_integers(enum types_op op, const struct types_element_info *e)
{
    const unsigned integers = TYPES_CLASS_C_INTEGER | TYPES_CLASS_F_INTEGER | TYPES_CLASS_MULTI_LANGUAGE;
    if (!(e->class & integers))
        return NODE_OTHER;
    if (op == TYPES_SUM)
        return NODE_ADD;
    if (op == TYPES_MIN)
        return e->is_unsigned ? NODE_MIN_UNSIGNED : NODE_MIN;
    return e->is_unsigned ? NODE_MAX_UNSIGNED : NODE_MAX;
}

static enum node_op op_of(unsigned op, enum types_element type, bool result)
{
    switch (op) {
    case TYPES_NO_OP:
        return NODE_FETCH;
    case TYPES_REPLACE:
        return result ? NODE_SWAP : NODE_SET;
    case TYPES_BAND:
        return NODE_AND;
    case TYPES_BOR:
        return NODE_OR;
    case TYPES_BXOR:
        return NODE_XOR;
    case TYPES_OPS:
        return NODE_CAS;
    case TYPES_SUM:
    case TYPES_MIN:
    case TYPES_MAX:
        return of_integers((enum types_op)op, types_element_info(type));
    default:
        return NODE_OTHER;
    }
}

static bool is_signal(const struct rma_op *op)
{
    const struct rma_class *classes = rma_op_job(op)->classes;
    return rma_op_class(op) == &classes[RMA_PUT_SIGNAL] || rma_op_class(op) == &classes[RMA_PUT_SIGNAL_NBI];
}

/* Its update is a signal's. */
static uintptr_t place_of(const struct rma_op *op, bool updates)
{
    return updates && is_signal(op) ? op->signal.update.remote : op->remote;
}

uint64_t rma_op_page(const struct fabric_op *fop, bool updates, uint64_t offset)
{
    const struct rma_op *op = BASE_CONTAINER((uintptr_t)fop, const struct rma_op, fabric);
    return rma_physical(rma_op_target(op), place_of(op, updates) + offset);
}

/* An atomic, an accumulate, or a signal. */
static void describe_update(const struct rma_op *op, struct node_request *r)
{
    const struct rma_class *class = rma_op_class(op);
    struct rma_issue u = {.op = TYPES_NO_OP};
    bool signal = is_signal(op);
    class->update_of(op, &u);
    r->op = (uint8_t)op_of(u.op, (enum types_element)u.type, class->arrive != NULL);
    r->address = rma_physical(rma_op_target(op), place_of(op, true));
    r->bytes = signal ? sizeof op->signal.update.value : op->fabric.bytes;
}

bool rma_op_describe(const struct fabric_op *fop, bool updates, struct node_request *r)
{
    const struct rma_op *op = BASE_CONTAINER((uintptr_t)fop, const struct rma_op, fabric);
    if (updates || op->fabric.kind == FABRIC_ATOMIC) {
        describe_update(op, r);
        return true;
    }
    /* Operands of many elements wait in the card until their update; a signal may come alone. */
    if ((rma_op_class(op)->update && !is_signal(op)) || !op->fabric.bytes)
        return false;
    r->op = op->fabric.kind == FABRIC_GET ? NODE_LOAD : NODE_STORE;
    r->address = rma_physical(rma_op_target(op), op->remote);
    r->bytes = op->fabric.bytes;
    return true;
}
