/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * atomic: operations on one word that the target's network card carries out. No other event comes between the
 * read and the write, so they are atomic towards everything that reaches the word through this module.
 */
#include "rma/internal.h"

#include <string.h>

static uint64_t load(struct rank *r, uintptr_t address, unsigned size)
{
    uint64_t wide;
    uint32_t narrow;
    if (size == sizeof wide) {
        rank_read(r, address, &wide, sizeof wide);
        return wide;
    }
    rank_read(r, address, &narrow, sizeof narrow);
    return narrow;
}

static void store(struct rank *r, uintptr_t address, unsigned size, uint64_t value)
{
    uint32_t narrow = (uint32_t)value;
    if (size == sizeof value)
        rank_write(r, address, &value, sizeof value);
    else
        rank_write(r, address, &narrow, sizeof narrow);
}

/* The word's new value (OpenSHMEM 1.6, section 9.7). */
static uint64_t apply(const struct rma_atomic_args *a, uint64_t old)
{
    uint64_t same = a->size == sizeof old ? UINT64_MAX : UINT32_MAX;
    switch (a->op) {
    case RMA_FETCH:
        return old;
    case RMA_SET:
    case RMA_SWAP:
        return a->operand;
    case RMA_COMPARE_SWAP:
        return ((old ^ a->compare) & same) == 0 ? a->operand : old;
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

static void effect(struct rma_op *op)
{
    const struct rma_atomic_args *a = &op->atomic.args;
    uint64_t *here = a->size == sizeof *here ? rank_direct(op->target, op->remote, a->size) : NULL;
    if (BASE_LIKELY(here)) {
        memcpy(&op->atomic.old, here, sizeof *here);
        uint64_t new = apply(a, op->atomic.old);
        memcpy(here, &new, sizeof new);
    } else {
        op->atomic.old = load(op->target, op->remote, a->size);
        if (a->op != RMA_FETCH)
            store(op->target, op->remote, a->size, apply(a, op->atomic.old));
    }
    if (a->op != RMA_FETCH)
        rma_changed(op->target, op->remote, a->size);
}

/* The old value goes to the address that a nonblocking call gave; a blocking one takes it from the record. */
static void arrive(struct rma_op *op)
{
    if (op->fabric.owner_flags & RMA_AWAITED)
        return;
    store(op->ctx->rank, op->local, op->atomic.args.size, op->atomic.old);
    rma_changed(op->ctx->rank, op->local, op->atomic.args.size);
}

static const struct rma_class fetch_class = {
    .effect = effect,
    .arrive = arrive,
    .kind = FABRIC_ATOMIC,
    .ordered = true,
    .issued = TRACE_ATOMIC_ISSUED,
    .effected = TRACE_ATOMIC_EXECUTED,
    .arrived = TRACE_ATOMIC_ARRIVED,
};
static const struct rma_class post_class = {
    .effect = effect,
    .kind = FABRIC_ATOMIC,
    .ordered = true,
    .issued = TRACE_ATOMIC_ISSUED,
    .effected = TRACE_ATOMIC_EXECUTED,
};

static struct rma_op *issue(struct rma_ctx *c, const struct rma_class *class, struct rma_target t,
                            const struct rma_atomic_args *a, void *fetched, const char *call)
{
    BASE_ASSERT("R5", a->size == 4 || a->size == 8);
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
    issue(c, &fetch_class, t, a, fetched, call);
}

void rma_atomic_post(struct rma_ctx *c, struct rma_target t, const struct rma_atomic_args *a,
                     const char *call)
{
    issue(c, &post_class, t, a, NULL, call);
}
