/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * items: puts and gets of items of layouts, at either end. The data travels packed, as one message: the
 * origin's CPU packs a put's source and unpacks a get's data, and pays for that; the target's network card
 * scatters and gathers. So a put's source is free when the call returns, whatever its size.
 *
 * Invariants
 *  I1  A layout that an operation under way needs is held, and is released after its last effect, or at the
 *      job's end.
 *  I2  Both ends of an operation have the same number of bytes.
 */
#include "rma/internal.h"

/* --- layouts in use ------------------------------------------------------------------------------- */

void rma_layout_hold(struct rma_job *j, const struct types_layout *l)
{
    bool fresh;
    uint64_t *uses = base_table_add(&j->layouts, (uintptr_t)l, &fresh);
    if (fresh)
        types_layout_retain(l);
    ++*uses;
}

void rma_layout_drop(struct rma_job *j, const struct types_layout *l)
{
    uint64_t *uses = base_table_find(&j->layouts, (uintptr_t)l);
    BASE_ASSERT("I1", uses && *uses);
    if (--*uses)
        return;
    base_table_remove(&j->layouts, (uintptr_t)l);
    types_layout_release(l);
}

void rma_layouts_release(struct rma_job *j)
{
    uint32_t at = 0;
    for (uint64_t *uses; (uses = base_table_next(&j->layouts, &at));)
        types_layout_release((const struct types_layout *)(uintptr_t)base_table_key(uses));
    base_table_release(&j->layouts);
}

/* --- put and get ---------------------------------------------------------------------------------- */

static void put_piece(struct rma_op *op, uint64_t from, uint64_t to)
{
    rma_items_write(rma_op_target(op), op->remote, &op->items.there, (struct rma_range){from, to},
                    (char *)rma_op_data(op) + from);
}

static void get_piece(struct rma_op *op, uint64_t from, uint64_t to)
{
    if (!rma_op_data(op))
        rma_op_buffer(op);
    rma_items_read(rma_op_target(op), op->remote, &op->items.there, (struct rma_range){from, to},
                   (char *)rma_op_data(op) + from);
}

static void drop_there(struct rma_op *op)
{
    rma_layout_drop(rma_op_job(op), op->items.there.layout);
}

static void arrive_piece(struct rma_op *op, uint64_t from, uint64_t to)
{
    rma_items_write(op->ctx->rank, op->local, &op->items.here, (struct rma_range){from, to},
                    (char *)rma_op_data(op) + from);
}

static void drop_here(struct rma_op *op)
{
    rma_layout_drop(rma_op_job(op), op->items.here.layout);
}

static const struct rma_pieces put_pieces = {.act = put_piece, .end = drop_there};
static const struct rma_pieces get_pieces = {.act = get_piece, .end = drop_there};
const struct rma_pieces rma_items_arrival = {.act = arrive_piece, .end = drop_here};

static void put_effect(struct rma_op *op)
{
    rma_pieces_all(&put_pieces, op);
}

static void get_effect(struct rma_op *op)
{
    rma_pieces_all(&get_pieces, op);
}

void rma_items_arrive(struct rma_op *op)
{
    rma_pieces_all(&rma_items_arrival, op);
}

const struct rma_class rma_put_packed_class = {
    .effect = put_effect,
    .kind = FABRIC_PUT,
    .ordered = true,
    .packed = true,
    .issued = TRACE_PUT_ISSUED,
    .effected = TRACE_PUT_DELIVERED,
    .effect_in = &put_pieces,
    .access = RMA_WRITES,
    .along_items = true,
};
const struct rma_class rma_get_packed_class = {
    .effect = get_effect,
    .arrive = rma_items_arrive,
    .kind = FABRIC_GET,
    .issued = TRACE_GET_ISSUED,
    .effected = TRACE_GET_READ,
    .arrived = TRACE_GET_ARRIVED,
    .effect_in = &get_pieces,
    .arrive_in = &rma_items_arrival,
    .along_items = true,
    .result = true,
};

void rma_items_take(struct rma_op *op, const void *source, const struct rma_items *here)
{
    struct rma_ctx *c = op->ctx;
    if (BASE_UNLIKELY(c->job->observed))
        rma_emit_source(op, source, here);
    rma_items_read(c->rank, (uintptr_t)source, here, (struct rma_range){0, op->fabric.bytes},
                   rma_op_buffer(op));
}

void rma_items_charge(struct rma_ctx *c, struct rma_target t, uint64_t bytes)
{
    rma_op_charge(c, FABRIC_WORK_PUT, t.rank, bytes);
    if (bytes > c->buffered_limit) /* the issue cost includes the copy of a shorter one */
        rma_pack_charge(c, bytes);
}

static void put_packed(struct rma_ctx *c, struct rma_target t, const struct rma_items *there,
                       const void *source, const struct rma_items *here, enum rma_mode mode, const char *call)
{
    struct rma_job *j = c->job;
    uint64_t bytes = rma_items_bytes(there);
    BASE_ASSERT("I2", bytes == rma_items_bytes(here));
    if (!bytes) {
        rma_notice_nothing(c);
        return;
    }
    rma_items_charge(c, t, bytes);
    struct rma_op *op = rma_op_create(c, RMA_PUT_PACKED, t, bytes, call);
    rma_op_blocks(op, mode);
    op->items.there = *there;
    rma_layout_hold(j, there->layout);
    rma_items_take(op, source, here);
    j->counts.puts++;
    j->counts.put_bytes += bytes;
    rma_op_issue(op);
}

void rma_put_packed(struct rma_ctx *c, struct rma_target t, const struct rma_items *there, const void *source,
                    const struct rma_items *here, const char *call)
{
    put_packed(c, t, there, source, here, RMA_BLOCKING, call);
}

void rma_get_packed(struct rma_ctx *c, struct rma_target t, const struct rma_items *there, void *dest,
                    const struct rma_items *here, enum rma_mode mode, const char *call)
{
    struct rma_job *j = c->job;
    uint64_t bytes = rma_items_bytes(there);
    BASE_ASSERT("I2", bytes == rma_items_bytes(here));
    if (!bytes) {
        rma_notice_nothing(c);
        return;
    }
    rma_op_charge(c, FABRIC_WORK_GET, t.rank, bytes);
    struct rma_op *op = rma_op_create(c, RMA_GET_PACKED, t, bytes, call);
    rma_op_blocks(op, mode);
    op->items.there = *there;
    op->items.here = *here;
    rma_layout_hold(j, there->layout);
    rma_layout_hold(j, here->layout);
    op->local = (uintptr_t)dest;
    j->counts.gets++;
    j->counts.get_bytes += bytes;
    rma_op_issue(op);
    if (mode == RMA_BLOCKING) {
        rma_op_finish(op);
        rma_op_destroy(op);
        rma_pack_charge(c, bytes);
    }
}

/* --- runs of bytes among them --------------------------------------------------------------------- */

static bool both_runs(const struct rma_items *a, const struct rma_items *b, int64_t *at_a, int64_t *at_b)
{
    return types_layout_is_run(a->layout, a->count, at_a) && types_layout_is_run(b->layout, b->count, at_b);
}

void rma_put_items(struct rma_ctx *c, struct rma_target t, const struct rma_items *there, const void *source,
                   const struct rma_items *here, enum rma_mode mode, const char *call)
{
    int64_t at_there, at_here;
    if (!both_runs(there, here, &at_there, &at_here)) {
        put_packed(c, t, there, source, here, mode, call);
        return;
    }
    t.address += (uintptr_t)at_there;
    rma_put(c, t, (const char *)source + at_here, rma_items_bytes(there), mode, call);
}

void rma_get_items(struct rma_ctx *c, struct rma_target t, const struct rma_items *there, void *dest,
                   const struct rma_items *here, enum rma_mode mode, const char *call)
{
    int64_t at_there, at_here;
    if (!both_runs(there, here, &at_there, &at_here)) {
        rma_get_packed(c, t, there, dest, here, mode, call);
        return;
    }
    t.address += (uintptr_t)at_there;
    rma_get(c, t, (char *)dest + at_here, rma_items_bytes(there), mode, call);
}
