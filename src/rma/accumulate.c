/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * accumulate: read-modify-write of elements of any type by any operator, and compare and swap (MPI-5.0
 * section 12.3.4). One element travels as an atomic. More travel as a put, and their old values as a get's
 * reply; when the atomic unit of the target's network card has its turn for the target's word, they change
 * the target in one event. So each element is updated atomically with respect to all access through this
 * module.
 *
 * In a context that orders accumulates, those to one rank take effect in the order of their issue (MPI's
 * accumulate_ordering; lane.c).
 *
 * Invariants
 *  A1  Both ends have the same number of bytes, and the target's layout is of one element, which has the
 *      operator.
 */
#include "rma/internal.h"

#include <string.h>

/* --- effects -------------------------------------------------------------------------------------- */

static void reduce(const struct rma_op *op, char *first, struct rma_range r)
{
    const struct rma_items *it = &op->items.there;
    types_reduce((enum types_op)op->operator, it->layout, it->count, first, r.from, r.to,
                 (const char *)rma_op_data(op) + r.from, false);
}

/* If the items are not contiguous in this process, a copy of them is changed and written back. */
static void reduce_image(struct rma_op *op, struct rma_range r)
{
    const struct rma_items *it = &op->items.there;
    struct base_buffers *buffers = &rma_op_job(op)->buffers;
    uint64_t bytes = r.to - r.from;
    int64_t low, high;
    types_layout_span(it->layout, it->count, &low, &high);
    char *image = base_buffers_get(buffers, (size_t)(high - low)), *packed = base_buffers_get(buffers, bytes);
    rma_items_read(rma_op_target(op), op->remote, it, r, packed);
    types_unpack(it->layout, it->count, image - low, r.from, r.to, packed);
    reduce(op, image - low, r);
    types_pack(it->layout, it->count, image - low, r.from, r.to, packed);
    rma_items_write(rma_op_target(op), op->remote, it, r, packed);
    base_buffers_put(buffers, image, (size_t)(high - low));
    base_buffers_put(buffers, packed, bytes);
}

static void update_piece(struct rma_op *op, uint64_t from, uint64_t to)
{
    const struct rma_items *it = &op->items.there;
    int64_t low, high;
    char *direct = rma_items_direct(rma_op_target(op), op->remote, it, &low, &high);
    if (direct)
        reduce(op, direct - low, (struct rma_range){from, to});
    else
        reduce_image(op, (struct rma_range){from, to});
    rma_changed(rma_op_target(op), op->remote + (uintptr_t)low, (size_t)(high - low));
}

static void update_end(struct rma_op *op)
{
    rma_layout_drop(rma_op_job(op), op->items.there.layout);
}

/* The old values take the place of the operands. */
static void fetch_piece(struct rma_op *op, uint64_t from, uint64_t to)
{
    struct base_buffers *buffers = &rma_op_job(op)->buffers;
    void *old = base_buffers_get(buffers, to - from);
    rma_items_read(rma_op_target(op), op->remote, &op->items.there, (struct rma_range){from, to}, old);
    update_piece(op, from, to);
    memcpy((char *)rma_op_data(op) + from, old, to - from);
    base_buffers_put(buffers, old, to - from);
}

static void fetch_end(struct rma_op *op)
{
    update_end(op);
    if (op->fabric.kind == FABRIC_PUT)
        op->fabric.kind = FABRIC_GET; /* its reply carries as many bytes as the request */
}

static uint64_t element_of(const struct rma_op *op)
{
    return types_element_info(types_layout_element(op->items.there.layout))->size;
}

static const struct rma_pieces update_pieces = {update_piece, update_end, element_of};
static const struct rma_pieces fetch_pieces = {fetch_piece, fetch_end, element_of};

static void update(struct rma_op *op)
{
    rma_pieces_all(&update_pieces, op);
}

static void update_and_fetch(struct rma_op *op)
{
    rma_pieces_all(&fetch_pieces, op);
}

static void update_of(const struct rma_op *op, struct rma_issue *out)
{
    out->element = (uint32_t)element_of(op);
    out->op = op->operator;
    out->type = (uint8_t)types_layout_element(op->items.there.layout);
}

static void swap_of(const struct rma_op *op, struct rma_issue *out)
{
    out->element = (uint32_t)op->fabric.bytes;
    out->op = RMA_COMPARE_SWAP;
    out->type = op->type;
}

/* the new value, then the comparand, which the old value replaces */
static unsigned char *second_half(struct rma_op *op)
{
    return op->small + RMA_INLINE / 2;
}

static void swap_effect(struct rma_op *op)
{
    unsigned char there[RMA_INLINE / 2], old[RMA_INLINE / 2];
    size_t size = op->fabric.bytes;
    rank_read(rma_op_target(op), op->remote, there, size);
    if (types_compare_swap(there, second_half(op), op->small, old, size)) {
        rank_write(rma_op_target(op), op->remote, there, size);
        rma_changed(rma_op_target(op), op->remote, size);
    } else {
        op->says |= RMA_FAILED;
    }
    memcpy(second_half(op), old, size);
}

static void swap_arrive(struct rma_op *op)
{
    rank_write(op->ctx->rank, op->local, second_half(op), op->fabric.bytes);
    rma_changed(op->ctx->rank, op->local, op->fabric.bytes);
}

/* --- classes -------------------------------------------------------------------------------------- */

const struct rma_class rma_accumulate_class = {
    .effect = update,
    .kind = FABRIC_ATOMIC,
    .ordered = true,
    .packed = true,
    .issued = TRACE_ATOMIC_ISSUED,
    .effected = TRACE_ATOMIC_EXECUTED,
    .access = RMA_UPDATES,
    .along_items = true,
    .update_of = update_of,
};
const struct rma_class rma_get_accumulate_class = {
    .effect = update_and_fetch,
    .arrive = rma_items_arrive,
    .kind = FABRIC_ATOMIC,
    .ordered = true,
    .packed = true,
    .issued = TRACE_ATOMIC_ISSUED,
    .effected = TRACE_ATOMIC_EXECUTED,
    .arrived = TRACE_ATOMIC_ARRIVED,
    .arrive_in = &rma_items_arrival,
    .access = RMA_UPDATES,
    .along_items = true,
    .update_of = update_of,
    .result = true,
};
const struct rma_class rma_accumulate_many_class = {
    .update = update,
    .kind = FABRIC_PUT,
    .ordered = true,
    .packed = true,
    .issued = TRACE_ATOMIC_ISSUED,
    .updated = TRACE_ATOMIC_EXECUTED,
    .update_in = &update_pieces,
    .access = RMA_UPDATES,
    .along_items = true,
    .update_of = update_of,
};
const struct rma_class rma_get_accumulate_many_class = {
    .update = update_and_fetch,
    .arrive = rma_items_arrive,
    .kind = FABRIC_PUT,
    .ordered = true,
    .packed = true,
    .issued = TRACE_ATOMIC_ISSUED,
    .updated = TRACE_ATOMIC_EXECUTED,
    .arrived = TRACE_ATOMIC_ARRIVED,
    .arrive_in = &rma_items_arrival,
    .update_in = &fetch_pieces,
    .access = RMA_UPDATES,
    .along_items = true,
    .update_of = update_of,
    .result = true,
};
const struct rma_class rma_swap_class = {
    .effect = swap_effect,
    .arrive = swap_arrive,
    .kind = FABRIC_ATOMIC,
    .ordered = true,
    .packed = true,
    .issued = TRACE_ATOMIC_ISSUED,
    .effected = TRACE_ATOMIC_EXECUTED,
    .arrived = TRACE_ATOMIC_ARRIVED,
    .access = RMA_UPDATES,
    .result = true,
    .update_of = swap_of,
};

/* --- calls ---------------------------------------------------------------------------------------- */

void rma_ctx_order_accumulates(struct rma_ctx *c, bool on)
{
    c->accumulates_ordered = on;
}

static void issue(struct rma_op *op, struct rma_target t)
{
    struct rma_ctx *c = op->ctx;
    op->fabric.word = t.word;
    c->job->counts.atomics++;
    rma_op_in_turn(op);
    rma_op_issue(op);
}

/* --- one element that is a word --------------------------------------------------------------------- */

/* Whether an atomic of the card does it: an integer's sum, bits, or any exchange. */
static bool is_atomic(enum types_op op, const struct types_element_info *e)
{
    const unsigned integers = TYPES_CLASS_C_INTEGER | TYPES_CLASS_F_INTEGER | TYPES_CLASS_MULTI_LANGUAGE;
    if (e->size > sizeof(uint64_t) || e->size & (e->size - 1) || e->size != e->extent)
        return false;
    switch (op) {
    case TYPES_NO_OP:
    case TYPES_REPLACE:
        return true;
    case TYPES_SUM:
        return e->class & integers;
    case TYPES_BAND:
    case TYPES_BOR:
    case TYPES_BXOR:
        return e->class & (integers | TYPES_CLASS_BYTE);
    default:
        return false;
    }
}

static bool is_one(const struct rma_items *it, uint64_t bytes, int64_t *at)
{
    return rma_items_bytes(it) == bytes && types_layout_is_run(it->layout, it->count, at);
}

/* Such an accumulate is an atomic, which needs no layouts. `result` NULL: it fetches nothing. */
static bool as_atomic(struct rma_ctx *c, struct rma_target t, const struct rma_items *there,
                      const struct rma_operands *from, char *result, const struct rma_items *here,
                      const char *call)
{
    enum types_element type = types_layout_element(there->layout);
    const struct types_element_info *e = types_element_info(type);
    struct rma_atomic_args a = {.op = (enum rma_atomic)from->op, .size = e->size, .type = (uint8_t)type};
    int64_t to_at, from_at, result_at;
    if (!is_one(there, e->size, &to_at) || !is_atomic(from->op, e) ||
        (from->op != TYPES_NO_OP && !is_one(&from->items, e->size, &from_at)) ||
        (result && !is_one(here, e->size, &result_at)))
        return false;
    if (from->op != TYPES_NO_OP)
        memcpy(&a.operand, a.source = (const char *)from->source + from_at, e->size);
    t.address += (uintptr_t)to_at;
    if (result)
        rma_atomic_fetch_nbi(c, t, &a, result + result_at, call);
    else
        rma_atomic_post(c, t, &a, call);
    return true;
}

/* --- any elements ----------------------------------------------------------------------------------- */

/* `class[0]` for one element, `class[1]` for more. */
static struct rma_op *make(struct rma_ctx *c, struct rma_target t, const struct rma_items *there,
                           const struct rma_operands *from, const enum rma_kind class[2], const char *call)
{
    uint64_t bytes = rma_items_bytes(there);
    enum types_element e = types_layout_element(there->layout);
    BASE_ASSERT("A1", e < TYPES_ELEMENTS && types_operator(from->op, e));
    BASE_ASSERT("A1", from->op == TYPES_NO_OP || rma_items_bytes(&from->items) == bytes);
    bool one = bytes == types_element_info(e)->size;
    if (one)
        rma_op_charge(c, rma_work(from->op), t.rank, bytes);
    else
        rma_items_charge(c, t, bytes);
    struct rma_op *op = rma_op_create(c, class[!one], t, bytes, call);
    op->operator=(uint8_t) from->op;
    op->items.there = *there;
    rma_layout_hold(c->job, there->layout);
    if (from->op == TYPES_NO_OP)
        memset(rma_op_buffer(op), 0, bytes);
    else
        rma_items_take(op, from->source, &from->items);
    return op;
}

void rma_accumulate(struct rma_ctx *c, struct rma_target t, const struct rma_items *there,
                    const struct rma_operands *from, const char *call)
{
    static const enum rma_kind class[2] = {RMA_ACCUMULATE, RMA_ACCUMULATE_MANY};
    if (!rma_items_bytes(there))
        rma_notice_nothing(c);
    else if (!as_atomic(c, t, there, from, NULL, NULL, call))
        issue(make(c, t, there, from, class, call), t);
}

void rma_get_accumulate(struct rma_ctx *c, struct rma_target t, const struct rma_items *there,
                        const struct rma_operands *from, void *result, const struct rma_items *here,
                        enum rma_mode mode, const char *call)
{
    static const enum rma_kind class[2] = {RMA_GET_ACCUMULATE, RMA_GET_ACCUMULATE_MANY};
    BASE_ASSERT("A1", rma_items_bytes(there) == rma_items_bytes(here));
    if (!rma_items_bytes(there)) {
        rma_notice_nothing(c);
        return;
    }
    if (mode == RMA_NONBLOCKING && as_atomic(c, t, there, from, result, here, call))
        return;
    struct rma_op *op = make(c, t, there, from, class, call);
    op->items.here = *here;
    op->local = (uintptr_t)result;
    rma_op_blocks(op, mode);
    rma_layout_hold(c->job, here->layout);
    issue(op, t);
    if (mode == RMA_BLOCKING) {
        rma_op_finish(op);
        rma_op_destroy(op);
    }
}

void rma_fetch_op(struct rma_ctx *c, struct rma_target t, enum types_element e, enum types_op how,
                  const void *operand, void *result, enum rma_mode mode, const char *call)
{
    const struct types_element_info *info = types_element_info(e);
    if (mode == RMA_NONBLOCKING && is_atomic(how, info)) {
        struct rma_atomic_args a = {.op = (enum rma_atomic)how, .size = info->size, .type = (uint8_t)e};
        if (how != TYPES_NO_OP)
            memcpy(&a.operand, a.source = operand, info->size);
        rma_atomic_fetch_nbi(c, t, &a, result, call);
        return;
    }
    const struct rma_items one = {types_layout_of(e), 1};
    const struct rma_operands from = {how, operand, one};
    rma_get_accumulate(c, t, &one, &from, result, &one, mode, call);
}

void rma_compare_swap(struct rma_ctx *c, struct rma_target t, enum types_element e, const void *compare,
                      const void *value, void *result, enum rma_mode mode, const char *call)
{
    size_t size = types_element_info(e)->size;
    BASE_ASSERT("R5", size && !(size & (size - 1)) && size <= RMA_INLINE / 2);
    if (mode == RMA_NONBLOCKING && size <= sizeof(uint64_t)) {
        struct rma_atomic_args a = {.op = RMA_COMPARE_SWAP, .size = (unsigned)size, .type = (uint8_t)e};
        memcpy(&a.operand, a.source = value, size);
        memcpy(&a.compare, a.compared = compare, size);
        rma_atomic_fetch_nbi(c, t, &a, result, call);
        return;
    }
    rma_op_charge(c, FABRIC_WORK_CAS, t.rank, size);
    struct rma_op *op = rma_op_create(c, RMA_COMPARE_AND_SWAP, t, size, call);
    if (BASE_UNLIKELY(c->job->observed)) {
        rma_emit_source(op, value, NULL);
        rma_emit_compared(op, compare);
    }
    op->type = (uint8_t)e;
    rma_op_blocks(op, mode);
    memcpy(op->small, value, size);
    memcpy(second_half(op), compare, size);
    op->local = (uintptr_t)result;
    issue(op, t);
    if (mode == RMA_BLOCKING) {
        rma_op_finish(op);
        rma_op_destroy(op);
    }
}
