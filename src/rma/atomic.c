/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * atomic: operations on one word that the target's network card carries out. No other event comes between
 * the read and the write, so they are atomic with respect to everything that reaches the word through this
 * module.
 */
#include "rma/internal.h"

#include <string.h>

/* The words of each size, unsigned. Values are in the low bytes of an uint64_t. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "low bytes come first");

static enum types_element element_of(unsigned size)
{
    switch (size) {
    case 1:
        return TYPES_UINT8;
    case 2:
        return TYPES_UINT16;
    case 4:
        return TYPES_UINT32;
    default:
        return TYPES_UINT64;
    }
}

/* The new value of a word of 8 bytes (OpenSHMEM 1.6, section 9.7), the usual size. */
static uint64_t apply(const struct rma_atomic_args *a, uint64_t old)
{
    switch (a->op) {
    case RMA_FETCH:
        return old;
    case RMA_SET: /* RMA_SWAP */
        return a->operand;
    case RMA_COMPARE_SWAP:
        return old == a->compare ? a->operand : old;
    case RMA_ADD:
        return old + a->operand;
    case RMA_AND:
        return old & a->operand;
    case RMA_OR:
        return old | a->operand;
    case RMA_XOR:
        return old ^ a->operand;
    }
    return old;
}

/* Any other. */
static void effect_apart(struct rma_op *op)
{
    const struct rma_atomic_args *a = &op->atomic.args;
    uint64_t there = 0;
    rank_read(op->target, op->remote, &there, a->size);
    op->atomic.old = 0;
    if (a->op == RMA_COMPARE_SWAP)
        types_compare_swap(&there, &a->compare, &a->operand, &op->atomic.old, a->size);
    else
        types_update((enum types_op)a->op, element_of(a->size), &there, &a->operand, &op->atomic.old, 1);
    if (a->op != RMA_FETCH)
        rank_write(op->target, op->remote, &there, a->size);
}

static void effect(struct rma_op *op)
{
    const struct rma_atomic_args *a = &op->atomic.args;
    uint64_t *here = a->size == sizeof *here ? rank_direct(op->target, op->remote, a->size) : NULL;
    if (BASE_LIKELY(here)) {
        memcpy(&op->atomic.old, here, sizeof *here);
        uint64_t new = apply(a, op->atomic.old);
        memcpy(here, &new, sizeof new);
    } else {
        effect_apart(op);
    }
    if (a->op != RMA_FETCH)
        rma_changed(op->target, op->remote, a->size);
}

/* A blocking call takes the old value from the record. */
static void arrive(struct rma_op *op)
{
    (void)op;
}

static void nbi_arrive(struct rma_op *op)
{
    rank_write(op->ctx->rank, op->local, &op->atomic.old, op->atomic.args.size);
    rma_changed(op->ctx->rank, op->local, op->atomic.args.size);
}

static void update_of(const struct rma_op *op, struct rma_issue *out)
{
    out->element = op->atomic.args.size;
    out->op = (uint8_t)op->atomic.args.op;
}

static const struct rma_class fetch_class = {
    .effect = effect,
    .arrive = arrive,
    .kind = FABRIC_ATOMIC,
    .ordered = true,
    .issued = TRACE_ATOMIC_ISSUED,
    .effected = TRACE_ATOMIC_EXECUTED,
    .arrived = TRACE_ATOMIC_ARRIVED,
    .access = RMA_UPDATES,
    .update_of = update_of,
};
static const struct rma_class nbi_class = {
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
static const struct rma_class post_class = {
    .effect = effect,
    .kind = FABRIC_ATOMIC,
    .ordered = true,
    .issued = TRACE_ATOMIC_ISSUED,
    .effected = TRACE_ATOMIC_EXECUTED,
    .access = RMA_UPDATES,
    .update_of = update_of,
};

static struct rma_op *issue(struct rma_ctx *c, const struct rma_class *class, struct rma_target t,
                            const struct rma_atomic_args *a, void *fetched, const char *call)
{
    BASE_ASSERT("R5", a->size == 8 || a->size == 4 || a->size == 2 || a->size == 1);
    rma_op_charge(c, FABRIC_ATOMIC, t.rank, a->size);
    struct rma_op *op = rma_op_create(c, class, t, a->size, call);
    op->fabric.word = t.word;
    op->atomic.args = *a;
    if (fetched)
        op->local = (uintptr_t)fetched;
    c->job->counts.atomics++;
    rma_op_issue(op);
    return op;
}

uint64_t rma_atomic_fetch(struct rma_ctx *c, struct rma_target t, const struct rma_atomic_args *a,
                          const char *call)
{
    struct rma_op *op = issue(c, &fetch_class, t, a, NULL, call);
    rma_op_finish(op);
    uint64_t old = op->atomic.old;
    rma_op_destroy(op);
    return old;
}

void rma_atomic_fetch_nbi(struct rma_ctx *c, struct rma_target t, const struct rma_atomic_args *a,
                          void *fetched, const char *call)
{
    issue(c, &nbi_class, t, a, fetched, call);
}

void rma_atomic_post(struct rma_ctx *c, struct rma_target t, const struct rma_atomic_args *a,
                     const char *call)
{
    issue(c, &post_class, t, a, NULL, call);
}
