/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * move: put and get. A short put's bytes are copied at its issue, into its record or a buffer; a longer one's
 * are read from its source when they are delivered, which its caller must leave alone until then (it is
 * blocked, or has promised so until quiet). A get's bytes are copied at the target when they are read there.
 */
#include "rma/internal.h"

#include <string.h>

/* By the time a rank reads such a block, other ranks' blocks have evicted it from the caches. */
enum { LARGE = 256 << 10, PAST_ALL = 128 << 20 }; /* bytes: of one block, of all ranks' */

static bool is_past_caches(const struct rma_job *j, size_t bytes)
{
    return bytes >= LARGE && bytes >= PAST_ALL / rank_count(j->job);
}

static bool overlap(const char *a, const char *b, size_t bytes)
{
    return a < b + bytes && b < a + bytes;
}

/* From one rank's memory to another's, if either is contiguous in this process. */
static void copy_between(struct rma_job *j, struct rank *from, uintptr_t source, struct rank *to,
                         uintptr_t dest, size_t bytes)
{
    if (to->memory->nowhere)
        return;
    const void *in = rank_direct(from, source, bytes);
    void *out = rank_direct(to, dest, bytes);
    if (out && bytes >= LARGE)
        base_populate(out, bytes);
    if (in && out && is_past_caches(j, bytes) && !overlap(in, out, bytes)) {
        base_copy_past(out, in, bytes);
    } else if (in && out) {
        memmove(out, in, bytes);
    } else if (in) {
        rank_write(to, dest, in, bytes);
    } else if (out) {
        rank_read(from, source, out, bytes);
    } else {
        void *between = base_buffers_get(&j->buffers, bytes);
        rank_read(from, source, between, bytes);
        rank_write(to, dest, between, bytes);
        base_buffers_put(&j->buffers, between, bytes);
    }
}

static void write_bytes(struct rank *r, uintptr_t address, const void *bytes, size_t size)
{
    void *out = BASE_UNLIKELY(r->memory->nowhere) ? NULL : rank_direct(r, address, size);
    if (BASE_LIKELY(out && size == 8))
        memcpy(out, bytes, 8); /* one word, without a call */
    else if (out)
        memcpy(out, bytes, size);
    else if (!r->memory->nowhere)
        rank_write(r, address, bytes, size);
    rma_changed(r, address, size);
}

static inline void put_piece(struct rma_op *op, uint64_t from, uint64_t to)
{
    uintptr_t remote = op->remote + from;
    if (rma_op_data(op)) {
        write_bytes(rma_op_target(op), remote, (const char *)rma_op_data(op) + from, to - from);
    } else {
        copy_between(rma_op_job(op), op->ctx->rank, op->local + from, rma_op_target(op), remote, to - from);
        rma_changed(rma_op_target(op), remote, to - from);
    }
}

void rma_put_effect(struct rma_op *op)
{
    put_piece(op, 0, op->fabric.bytes);
}

static void make_room(struct rma_op *op)
{
    uint64_t bytes = op->fabric.bytes;
    if (bytes <= sizeof op->word)
        op->inside = true;
    else if (bytes <= RMA_INLINE)
        op->data = op->small;
    else
        rma_op_buffer(op);
}

static inline void get_piece(struct rma_op *op, uint64_t from, uint64_t to)
{
    if (!rma_op_data(op))
        make_room(op);
    rank_read(rma_op_target(op), op->remote + from, (char *)rma_op_data(op) + from, to - from);
}

static void get_effect(struct rma_op *op)
{
    get_piece(op, 0, op->fabric.bytes);
}

static inline void arrive_piece(struct rma_op *op, uint64_t from, uint64_t to)
{
    write_bytes(op->ctx->rank, op->local + from, (const char *)rma_op_data(op) + from, to - from);
}

static void get_arrive(struct rma_op *op)
{
    arrive_piece(op, 0, op->fabric.bytes);
}

static void put_nbi_check(const struct rma_op *op)
{
    rma_source_check(op, op->small);
}

static void put_nbi_effect(struct rma_op *op)
{
    put_nbi_check(op);
    rma_put_effect(op);
}

const struct rma_pieces rma_put_pieces = {.act = put_piece};
static const struct rma_pieces get_pieces = {.act = get_piece};
static const struct rma_pieces arrive_pieces = {.act = arrive_piece};

const struct rma_class rma_put_class = {
    .effect = rma_put_effect,
    .kind = FABRIC_PUT,
    .ordered = true,
    .issued = TRACE_PUT_ISSUED,
    .effected = TRACE_PUT_DELIVERED,
    .effect_in = &rma_put_pieces,
    .access = RMA_WRITES,
};
const struct rma_class rma_put_nbi_class = {
    .effect = put_nbi_effect,
    .kind = FABRIC_PUT,
    .ordered = true,
    .issued = TRACE_PUT_ISSUED,
    .effected = TRACE_PUT_DELIVERED,
    .effect_in = &rma_put_pieces,
    .check = put_nbi_check,
    .access = RMA_WRITES,
};
const struct rma_class rma_get_class = {
    .effect = get_effect,
    .arrive = get_arrive,
    .kind = FABRIC_GET,
    .issued = TRACE_GET_ISSUED,
    .effected = TRACE_GET_READ,
    .arrived = TRACE_GET_ARRIVED,
    .effect_in = &get_pieces,
    .arrive_in = &arrive_pieces,
    .result = true,
};

static bool blocks(const struct rma_op *op, enum rma_mode mode)
{
    return mode == RMA_BLOCKING && op->fabric.bytes > op->ctx->buffered_limit;
}

/* The payload goes into the operation's record (one of more than 8 bytes into `room`), a buffer, or stays at
 * its source. */
void rma_put_take(struct rma_op *op, const void *source, void *room, size_t size, enum rma_mode mode)
{
    size_t bytes = op->fabric.bytes;
    if (BASE_UNLIKELY(rma_op_job(op)->observed))
        rma_emit_source(op, source, NULL);
    if (mode == RMA_NONBLOCKING || bytes > size)
        op->local = (uintptr_t)source;
    if (bytes <= sizeof op->word) {
        op->inside = true;
        if (bytes == 8)
            memcpy(op->word, source, 8);
        else
            memcpy(op->word, source, bytes);
    } else if (bytes <= size) {
        memcpy(op->data = room, source, bytes);
    } else if (!blocks(op, mode) && (bytes <= RMA_SNAPSHOT || bytes <= op->ctx->buffered_limit)) {
        memcpy(rma_op_buffer(op), source, bytes);
    } else if (mode == RMA_NONBLOCKING) {
        uint64_t sum = rma_source_sum(op->ctx->rank, op->local, bytes);
        memcpy(room, &sum, sizeof sum);
    }
}

void rma_put_issue(struct rma_op *op, enum rma_mode mode)
{
    struct rma_counts *counts = &rma_op_job(op)->counts;
    bool waits = blocks(op, mode);
    counts->puts++;
    counts->put_bytes += op->fabric.bytes;
    rma_op_issue(op);
    if (waits) {
        rma_op_finish(op);
        rma_op_destroy(op);
    }
}

void rma_put(struct rma_ctx *c, struct rma_target t, const void *source, size_t bytes, enum rma_mode mode,
             const char *call)
{
    if (!bytes) {
        rma_notice_nothing(c);
        return;
    }
    rma_op_charge(c, FABRIC_WORK_PUT, t.rank, bytes);
    struct rma_op *op = rma_op_create(c, mode == RMA_BLOCKING ? RMA_PUT : RMA_PUT_NBI, t, bytes, call);
    rma_op_blocks(op, mode);
    rma_put_take(op, source, op->small, sizeof op->small, mode);
    rma_put_issue(op, mode);
}

void rma_get(struct rma_ctx *c, struct rma_target t, void *dest, size_t bytes, enum rma_mode mode,
             const char *call)
{
    struct rma_job *j = c->job;
    if (!bytes) {
        rma_notice_nothing(c);
        return;
    }
    rma_op_charge(c, FABRIC_WORK_GET, t.rank, bytes);
    struct rma_op *op = rma_op_create(c, RMA_GET, t, bytes, call);
    rma_op_blocks(op, mode);
    op->local = (uintptr_t)dest;
    j->counts.gets++;
    j->counts.get_bytes += bytes;
    rma_op_issue(op);
    if (mode == RMA_BLOCKING) {
        rma_op_finish(op);
        rma_op_destroy(op);
    }
}

void rma_deliver(struct rank *r, uintptr_t address, const void *bytes, size_t size)
{
    if (!size)
        return;
    write_bytes(r, address, bytes, size);
    if (BASE_UNLIKELY(rma_job_of(r)->ears))
        rma_emit_stored(r, address, size);
}
