/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strided: iput and iget. The elements travel packed, as one message: the origin's CPU packs an iput's source
 * and unpacks an iget's data, and pays for that; the target's network card scatters and gathers. So an iput's
 * source is free when the call returns, whatever its size.
 */
#include "rma/internal.h"

#include <string.h>

/* The bytes from the lowest to the end of the highest of n elements, one at `address` and each other `stride`
 * after the one before. */
static void extent(uintptr_t address, ptrdiff_t stride, const struct rma_strided *s, uintptr_t *low,
                   size_t *bytes)
{
    ptrdiff_t span = (ptrdiff_t)(s->n - 1) * stride;
    *low = span < 0 ? address + (uintptr_t)span : address;
    *bytes = (size_t)(span < 0 ? -span : span) + s->size;
}

static void gather(struct rank *r, uintptr_t address, ptrdiff_t stride, const struct rma_strided *s,
                   unsigned char *out)
{
    uintptr_t low;
    size_t bytes;
    extent(address, stride, s, &low, &bytes);
    const unsigned char *direct = rank_direct(r, low, bytes);
    for (size_t k = 0; k < s->n; k++, address += (uintptr_t)stride, out += s->size) {
        if (direct)
            memcpy(out, direct + (address - low), s->size);
        else
            rank_read(r, address, out, s->size);
    }
}

static void scatter(struct rank *r, uintptr_t address, ptrdiff_t stride, const struct rma_strided *s,
                    const unsigned char *in)
{
    uintptr_t low;
    size_t bytes;
    extent(address, stride, s, &low, &bytes);
    unsigned char *direct = rank_direct(r, low, bytes);
    for (size_t k = 0; k < s->n; k++, address += (uintptr_t)stride, in += s->size) {
        if (direct)
            memcpy(direct + (address - low), in, s->size);
        else
            rank_write(r, address, in, s->size);
    }
    rma_changed(r, low, bytes);
}

static void put_effect(struct rma_op *op)
{
    scatter(op->target, op->remote, op->strided.remote_stride, &op->strided, op->data);
}

static void get_effect(struct rma_op *op)
{
    gather(op->target, op->remote, op->strided.remote_stride, &op->strided, rma_op_buffer(op));
}

static void get_arrive(struct rma_op *op)
{
    scatter(op->ctx->rank, op->local, op->strided.local_stride, &op->strided, op->data);
}

static const struct rma_class put_class = {
    .effect = put_effect,
    .kind = FABRIC_PUT,
    .ordered = true,
    .issued = TRACE_PUT_ISSUED,
    .effected = TRACE_PUT_DELIVERED,
};
static const struct rma_class get_class = {
    .effect = get_effect,
    .arrive = get_arrive,
    .kind = FABRIC_GET,
    .issued = TRACE_GET_ISSUED,
    .effected = TRACE_GET_READ,
    .arrived = TRACE_GET_ARRIVED,
};

void rma_put_strided(struct rma_ctx *c, struct rma_target t, const void *source, const struct rma_strided *s,
                     enum rma_mode mode, const char *call)
{
    struct rma_job *j = c->job;
    size_t bytes = s->n * s->size;
    (void)mode;
    if (!bytes)
        return;
    rma_op_charge(c, FABRIC_PUT, t.rank, bytes);
    if (bytes > c->buffered_limit) /* a shorter one's copy is in the issue cost */
        rank_spend(c->rank, fabric_host_copy_cost(j->fabric, c->rank->host, bytes));
    struct rma_op *op = rma_op_create(c, &put_class, t, bytes, call);
    op->strided = *s;
    gather(c->rank, (uintptr_t)source, s->local_stride, s, rma_op_buffer(op));
    j->counts.puts++;
    j->counts.put_bytes += bytes;
    rma_op_issue(op);
}

void rma_get_strided(struct rma_ctx *c, struct rma_target t, void *dest, const struct rma_strided *s,
                     enum rma_mode mode, const char *call)
{
    struct rma_job *j = c->job;
    size_t bytes = s->n * s->size;
    if (!bytes)
        return;
    rma_op_charge(c, FABRIC_GET, t.rank, bytes);
    struct rma_op *op = rma_op_create(c, &get_class, t, bytes, call);
    op->strided = *s;
    op->local = (uintptr_t)dest;
    j->counts.gets++;
    j->counts.get_bytes += bytes;
    rma_op_issue(op);
    if (mode == RMA_BLOCKING) {
        rma_op_finish(op);
        rma_op_destroy(op);
        rank_spend(c->rank, fabric_host_copy_cost(j->fabric, c->rank->host, bytes));
    }
}
