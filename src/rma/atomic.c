/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * atomic: operations on one word that the target's network card carries out. No other event comes between
 * the read and the write, so they are atomic with respect to everything that reaches the word through this
 * module.
 */
#include "rma/internal.h"

#include <string.h>

/* The words of each size, for extremes with a sign. Values are in the low bytes of a uint64_t. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "low bytes come first");

static enum types_element element_of(size_t size, bool has_sign)
{
    switch (size) {
    case 1:
        return has_sign ? TYPES_INT8 : TYPES_UINT8;
    case 2:
        return has_sign ? TYPES_INT16 : TYPES_UINT16;
    case 4:
        return has_sign ? TYPES_INT32 : TYPES_UINT32;
    default:
        return has_sign ? TYPES_INT64 : TYPES_UINT64;
    }
}

/* The new value of a word of 8 bytes (OpenSHMEM 1.6, section 9.7), the usual size. */
static uint64_t apply(const struct rma_op *op, uint64_t old)
{
    switch ((enum rma_atomic)op->operator) {
    case RMA_FETCH:
        return old;
    case RMA_SET: /* RMA_SWAP */
        return op->value;
    case RMA_COMPARE_SWAP:
        return old == op->compare ? op->value : old;
    case RMA_ADD:
        return old + op->value;
    case RMA_AND:
        return old & op->value;
    case RMA_OR:
        return old | op->value;
    case RMA_XOR:
        return old ^ op->value;
    case RMA_MIN:
        return (int64_t)op->value < (int64_t)old ? op->value : old;
    case RMA_MAX:
        return (int64_t)op->value > (int64_t)old ? op->value : old;
    }
    return old;
}

static bool is_extreme(const struct rma_op *op)
{
    return op->operator== RMA_MIN || op->operator== RMA_MAX;
}

/* Any other. */
static void effect_apart(struct rma_op *op)
{
    size_t size = op->fabric.bytes;
    uint64_t there = 0, old = 0;
    rank_read(rma_op_target(op), op->remote, &there, size);
    if (op->operator== RMA_COMPARE_SWAP)
        types_compare_swap(&there, &op->compare, &op->value, &old, size);
    else
        types_update((enum types_op)op->operator, element_of(size, is_extreme(op)), &there, &op->value, &old,
                     1);
    if (op->operator!= RMA_FETCH)
        rank_write(rma_op_target(op), op->remote, &there, size);
    op->value = old;
}

static void effect(struct rma_op *op)
{
    size_t size = op->fabric.bytes;
    struct rank *r = rma_op_target(op);
    uint64_t *here = size == sizeof *here ? rank_direct(r, op->remote, sizeof *here) : NULL, old;
    if (BASE_LIKELY(here)) {
        memcpy(&old, here, sizeof *here);
        uint64_t new = apply(op, old);
        memcpy(here, &new, sizeof new);
        op->value = old;
    } else {
        effect_apart(op);
    }
    if (op->operator!= RMA_FETCH)
        rma_changed(r, op->remote, size);
}

/* A blocking call takes the old value from the record. */
static void arrive(struct rma_op *op)
{
    (void)op;
}

static void nbi_arrive(struct rma_op *op)
{
    rank_write(op->ctx->rank, op->local, &op->value, op->fabric.bytes);
    rma_changed(op->ctx->rank, op->local, op->fabric.bytes);
}

static void update_of(const struct rma_op *op, struct rma_issue *out)
{
    out->element = (uint32_t)op->fabric.bytes;
    out->op = op->operator;
    out->type = op->type;
}

const struct rma_class rma_atomic_fetch_class = {
    .effect = effect,
    .arrive = arrive,
    .kind = FABRIC_ATOMIC,
    .ordered = true,
    .issued = TRACE_ATOMIC_ISSUED,
    .effected = TRACE_ATOMIC_EXECUTED,
    .arrived = TRACE_ATOMIC_ARRIVED,
    .keeps = true,
    .access = RMA_UPDATES,
    .update_of = update_of,
};
const struct rma_class rma_atomic_fetch_nbi_class = {
    .effect = effect,
    .arrive = nbi_arrive,
    .kind = FABRIC_ATOMIC,
    .ordered = true,
    .issued = TRACE_ATOMIC_ISSUED,
    .effected = TRACE_ATOMIC_EXECUTED,
    .arrived = TRACE_ATOMIC_ARRIVED,
    .access = RMA_UPDATES,
    .result = true,
    .update_of = update_of,
};
const struct rma_class rma_atomic_post_class = {
    .effect = effect,
    .kind = FABRIC_ATOMIC,
    .ordered = true,
    .issued = TRACE_ATOMIC_ISSUED,
    .effected = TRACE_ATOMIC_EXECUTED,
    .access = RMA_UPDATES,
    .update_of = update_of,
};

static struct rma_op *issue(struct rma_ctx *c, enum rma_kind class, struct rma_target t,
                            const struct rma_atomic_args *a, void *fetched, const char *call)
{
    BASE_ASSERT("R5", a->size == 8 || a->size == 4 || a->size == 2 || a->size == 1);
    rma_op_charge(c, rma_work(a->op), t.rank, a->size);
    struct rma_op *op = rma_op_create(c, class, t, a->size, call);
    op->fabric.word = t.word;
    op->inside = true;
    if (BASE_UNLIKELY(c->job->observed && a->source))
        rma_emit_source(op, a->source, NULL);
    if (BASE_UNLIKELY(c->job->observed && a->compared))
        rma_emit_compared(op, a->compared);
    op->operator=(uint8_t) a->op;
    op->type = a->type;
    op->says = (uint8_t)((a->blocks || class == RMA_ATOMIC_FETCH) * RMA_BLOCKS + a->inner * RMA_INNER +
                         a->signals * RMA_SIGNALS);
    op->value = a->operand;
    if (a->op == RMA_COMPARE_SWAP)
        op->compare = a->compare;
    if (fetched)
        op->local = (uintptr_t)fetched;
    c->job->counts.atomics++;
    rma_op_in_turn(op);
    rma_op_issue(op);
    return op;
}

uint64_t rma_atomic_fetch(struct rma_ctx *c, struct rma_target t, const struct rma_atomic_args *a,
                          const char *call)
{
    struct rma_op *op = issue(c, RMA_ATOMIC_FETCH, t, a, NULL, call);
    rma_op_finish(op);
    uint64_t old = op->value;
    rma_op_destroy(op);
    return old;
}

void rma_atomic_fetch_nbi(struct rma_ctx *c, struct rma_target t, const struct rma_atomic_args *a,
                          void *fetched, const char *call)
{
    issue(c, RMA_ATOMIC_FETCH_NBI, t, a, fetched, call);
}

void rma_atomic_post(struct rma_ctx *c, struct rma_target t, const struct rma_atomic_args *a,
                     const char *call)
{
    issue(c, RMA_ATOMIC_POST, t, a, NULL, call);
}
