/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * issue: the beginning of an operation's life (table in op.h): its record, what its issue costs, its issue;
 * and a caller that blocks until it is over. What happens between is op.c's.
 */
#include "rma/internal.h"

#include <inttypes.h>

/* Operations come in bursts, and with thousands of ranks the records are not in the cache: the next one is
 * prefetched while this one is filled. */
static inline void prefetch_next(const struct rma_job *j)
{
    const char *next = j->ops.free;
    for (size_t at = 0; next && at < RMA_OP_SHORT; at += 64)
        __builtin_prefetch(next + at, 1);
}

struct rma_op *rma_op_create(struct rma_ctx *c, enum rma_kind class, struct rma_target t, uint64_t bytes,
                             const char *call)
{
    struct rma_job *j = c->job;
    struct rma_op *op = base_pool_get(&j->ops);
    prefetch_next(j);
    op->fabric.handler = &j->classes[class].handler;
    op->fabric.bytes = bytes;
    op->fabric.origin = c->rank->host;
    op->fabric.target = t.rank->host;
    op->fabric.event.owners = t.rank->server;
    op->fabric.kind = j->classes[class].kind;
    op->ctx = c;
    op->fabric.owner_flags = 0;
    op->remote = t.address;
    op->to = t.rank->id;
    op->inside = false;
    op->says = 0;
    op->data = NULL;
    op->call = rank_call_number(call);
    op->caller = c->rank->caller;
    op->number = rank_operation_number(j->job);
    return op;
}

void *rma_op_buffer(struct rma_op *op)
{
    return op->data = base_buffers_get(&rma_op_job(op)->buffers, op->fabric.bytes);
}

enum fabric_work rma_work(unsigned op)
{
    switch (op) {
    case RMA_ADD:
        return FABRIC_WORK_ADD;
    case RMA_COMPARE_SWAP:
        return FABRIC_WORK_CAS;
    case RMA_AND:
        return FABRIC_WORK_AND;
    case RMA_OR:
        return FABRIC_WORK_OR;
    case RMA_XOR:
        return FABRIC_WORK_XOR;
    case RMA_MIN:
    case RMA_MAX:
        return FABRIC_WORK_MIN_MAX;
    default:
        return FABRIC_WORK_OTHER;
    }
}

/* Seconds of the origin's CPU until the network card has the operation: the card's overhead, and the
 * instructions of a library, if there is one. */
void rma_op_charge(struct rma_ctx *c, enum fabric_work work, const struct rank *target, uint64_t bytes)
{
    struct fabric *f = c->job->fabric;
    uint32_t host = c->rank->host;
    enum fabric_kind kind = work == FABRIC_WORK_PUT   ? FABRIC_PUT
                            : work == FABRIC_WORK_GET ? FABRIC_GET
                                                      : FABRIC_ATOMIC;
    bool copies =
        BASE_UNLIKELY(fabric_copy_shares(f, host, bytes)) && kind == FABRIC_PUT && host == target->host;
    double cost = fabric_host_issue_cost(f, kind, copies ? 0 : bytes, host, target->host);
    uint64_t instructions = fabric_library_call(f, host, work);
    if (BASE_UNLIKELY(instructions))
        cost += fabric_library_cost(f, host, instructions);
    rank_spend(c->rank, cost);
    if (copies)
        rank_copy(c->rank, (double)bytes, fabric_copy_rate(f, host));
}

/* Seconds of the origin's CPU, or a copy that shares its host's memory. */
void rma_pack_charge(const struct rma_ctx *c, uint64_t bytes)
{
    struct fabric *f = c->job->fabric;
    uint32_t host = c->rank->host;
    double seconds = fabric_host_copy_cost(f, host, bytes);
    if (BASE_UNLIKELY(fabric_copy_shares(f, host, bytes)) && seconds > 0)
        rank_copy(c->rank, (double)bytes, (double)bytes / seconds);
    else
        rank_spend(c->rank, seconds);
}

void rma_op_issue(struct rma_op *op)
{
    op->fabric.owner_state = RMA_FLYING;
    op->ctx->outstanding++;
    op->ctx->issued[rma_op_class(op)->arrive != NULL]++;
    if (rma_op_is_large(op))
        op->ctx->large++;
    if (BASE_UNLIKELY(op->ctx->notice))
        rma_notice_attach(op);
    if (BASE_UNLIKELY(op->ctx->in_lanes))
        rma_lane_enter(op);
    else
        rma_list_enter(op->ctx, op);
    if (BASE_UNLIKELY(rma_op_job(op)->marked != NULL))
        rma_mark_issue(op);
    if (BASE_UNLIKELY(rma_op_job(op)->observed))
        rma_emit_issued(op);
    fabric_issue_at(rma_op_job(op)->fabric, &op->fabric, rank_now(op->ctx->rank));
}

/* --- a caller that blocks ----------------------------------------------------------------------- */

void rma_describe_op(const void *arg, char *buf, size_t size)
{
    const struct rma_op *op = arg;
    snprintf(buf, size, "%" PRIu64 " bytes at 0x%" PRIxPTR " of rank %" PRIu32, op->fabric.bytes, op->remote,
             op->to);
}

void rma_op_finish(struct rma_op *op)
{
    struct engine *e = rma_op_job(op)->engine;
    struct engine_reason why = {rma_op_call(op), rma_describe_op, op};
    struct rma_need *need = NULL;
    *rma_op_waiter(op) = engine_current(e);
    op->fabric.owner_flags |= RMA_AWAITED;
    if (BASE_UNLIKELY(op->fabric.owner_flags & RMA_POLICED))
        need = rma_need_one(op->ctx, op->number);
    while (op->fabric.owner_state != RMA_OVER)
        engine_block(e, &why);
    if (BASE_UNLIKELY(op->fabric.owner_flags & RMA_OBSERVED))
        rma_emit_finished(op, need);
    op->ctx->rank->ahead_until = 0; /* later than the issue, which was at the rank's own time */
}
