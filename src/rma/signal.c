/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signal: put-with-signal. One operation and one message: its payload is delivered as a put's, and then the
 * atomic unit of the target's network card updates the signal word, one after the other with the atomics on
 * that word. Whoever sees the new signal sees the payload.
 */
#include "rma/internal.h"

#include <string.h>

static void effect(struct rma_op *op)
{
    if (op->fabric.bytes)
        rma_put_effect(op);
}

static void update(struct rma_op *op)
{
    const struct rma_signal *s = &op->signal.update;
    uint64_t value = s->value;
    if (s->op == RMA_SIGNAL_ADD) {
        uint64_t old;
        rank_read(rma_op_target(op), s->remote, &old, sizeof old);
        value += old;
    }
    rank_write(rma_op_target(op), s->remote, &value, sizeof value);
    rma_changed(rma_op_target(op), s->remote, sizeof value);
}

static void nbi_check(const struct rma_op *op)
{
    rma_source_check(op, op->signal.room);
}

static void nbi_effect(struct rma_op *op)
{
    if (op->fabric.bytes)
        nbi_check(op);
    effect(op);
}

static void update_of(const struct rma_op *op, struct rma_issue *out)
{
    out->element = sizeof op->signal.update.value;
    out->op = op->signal.update.op == RMA_SIGNAL_ADD ? TYPES_SUM : TYPES_REPLACE;
    out->type = TYPES_UINT64;
}

const struct rma_class rma_put_signal_class = {
    .effect = effect,
    .update = update,
    .kind = FABRIC_PUT,
    .ordered = true,
    .issued = TRACE_PUT_ISSUED,
    .effected = TRACE_PUT_DELIVERED,
    .updated = TRACE_SIGNAL_UPDATED,
    .effect_in = &rma_put_pieces,
    .access = RMA_WRITES,
    .update_of = update_of,
};
const struct rma_class rma_put_signal_nbi_class = {
    .effect = nbi_effect,
    .update = update,
    .kind = FABRIC_PUT,
    .ordered = true,
    .issued = TRACE_PUT_ISSUED,
    .effected = TRACE_PUT_DELIVERED,
    .updated = TRACE_SIGNAL_UPDATED,
    .effect_in = &rma_put_pieces,
    .check = nbi_check,
    .access = RMA_WRITES,
    .update_of = update_of,
};

void rma_put_signal(struct rma_ctx *c, struct rma_target t, const void *source, size_t bytes,
                    const struct rma_signal *s, enum rma_mode mode, const char *call)
{
    enum rma_kind class = mode == RMA_BLOCKING ? RMA_PUT_SIGNAL : RMA_PUT_SIGNAL_NBI;
    rma_op_charge(c, FABRIC_WORK_PUT, t.rank, bytes);
    struct rma_op *op = rma_op_create(c, class, t, bytes, call);
    rma_op_blocks(op, mode);
    op->signal.update = *s;
    op->fabric.word = s->word;
    if (bytes)
        rma_put_take(op, source, op->signal.room, sizeof op->signal.room, mode);
    rma_put_issue(op, mode);
}
