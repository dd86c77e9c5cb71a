/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * listen: tells traces and listeners what happens to operations. op.c calls it only if the job is observed.
 */
#include "rma/internal.h"

#include <stdlib.h>
#include <string.h>

struct ear {
    const struct rma_listener *listener;
    void *arg;
};
struct rma_ears {
    BASE_ARRAY(struct ear) list;
};

void rma_observe(struct rma_job *j)
{
    j->observed = true;
    rma_op_handle(j);
}

void rma_listen(struct rank_job *job, const struct rma_listener *l, void *arg)
{
    struct rma_job *j = rank_part(job, &rma_slot);
    BASE_ASSERT("R7", !rank_public(job)->operations);
    if (!j->ears)
        j->ears = base_zalloc(sizeof *j->ears, "listeners");
    BASE_ARRAY_PUSH(&j->ears->list, ((struct ear){l, arg}));
    rma_observe(j);
}

void rma_ears_release(struct rma_job *j)
{
    if (j->ears)
        free(j->ears->list.at);
    free(j->ears);
}

/* --- traces ----------------------------------------------------------------------------------------- */

void rma_cause(struct rma_job *j, uint64_t number)
{
    j->cause = number;
    if (j->trace->on)
        engine_cause_set(j->engine, number);
}

static void trace_step(const struct rma_op *op, enum trace_type type)
{
    const struct rma_job *j = rma_op_job(op);
    trace_emit(j->trace, &(struct trace_event){.time = engine_now(j->engine),
                                               .type = type,
                                               .rank = op->ctx->rank->id,
                                               .peer = op->to,
                                               .op = op->number,
                                               .bytes = op->fabric.bytes,
                                               .call = rma_op_call(op)});
}

/* At its origin's own time, which may be ahead of the clock. */
static void trace_issued(const struct rma_op *op)
{
    const struct rma_class *class = rma_op_class(op);
    struct trace_event ev = {.type = class->issued,
                             .peer = op->to,
                             .op = op->number,
                             .bytes = op->fabric.bytes,
                             .call = rma_op_call(op)};
    if (trace_wants(rma_op_job(op)->trace, TRACE_CATEGORY_SYNC))
        ev.context = op->ctx->number;
    if (trace_wants(rma_op_job(op)->trace, TRACE_CATEGORY_REPLAY))
        ev.address = op->remote;
    ev.least = fabric_least(rma_op_job(op)->fabric, &op->fabric,
                            class->arrive != NULL && class->kind != FABRIC_PUT, class->update != NULL);
    rank_trace_emit(op->ctx->rank, &ev);
}

/* --- listeners -------------------------------------------------------------------------------------- */

static void tell_touched(const struct rma_job *j, const struct rma_touch *t)
{
    for (size_t k = 0; k < j->ears->list.n; k++)
        j->ears->list.at[k].listener->touched(j->ears->list.at[k].arg, t);
}

static void tell_issued(struct rma_op *op)
{
    const struct rma_ctx *c = op->ctx;
    struct rma_job *j = c->job;
    struct rma_issue i = {.operation = op->number,
                          .call = rma_op_call(op),
                          .at = rank_now(c->rank),
                          .origin = c->rank,
                          .target = rma_op_target(op),
                          .context = c->number,
                          .fences = c->fences,
                          .word = op->fabric.word,
                          .local = rma_op_is_local(op),
                          .blocks = op->says & RMA_BLOCKS,
                          .fetches = rma_op_class(op)->arrive != NULL,
                          .alone = op->fabric.owner_flags & RMA_NOTICED,
                          .in_turn = op->fabric.owner_flags & RMA_IN_TURN,
                          .inner = op->says & RMA_INNER,
                          .signals = op->says & RMA_SIGNALS ||
                                     (rma_op_class(op)->effect && rma_op_class(op)->update),
                          .stream = &c->stream,
                          .names = c->names};
    if (j->source.bytes)
        i.area[i.areas++] = j->source;
    if (j->compared.bytes)
        i.area[i.areas++] = j->compared;
    j->compared.bytes = 0;
    for (enum rma_step step = RMA_AT_TARGET; step <= RMA_AT_ORIGIN; step++)
        if (step != RMA_REPLIED && rma_has_area(rma_op_class(op), step)) {
            i.area[i.areas] = rma_area_of(op, step);
            i.areas += i.area[i.areas].bytes != 0;
        }
    if (rma_op_class(op)->update_of)
        rma_op_class(op)->update_of(op, &i);
    for (size_t k = 0; k < j->ears->list.n; k++)
        j->ears->list.at[k].listener->issued(j->ears->list.at[k].arg, &i);
    if (j->source.bytes && !rma_op_reads_late(op))
        tell_touched(j,
                     &(struct rma_touch){op->number, RMA_SOURCE, c->rank, 0, j->source.bytes, i.at, false});
    j->source.bytes = 0;
}

static struct rma_area source_area(const struct rma_op *op, const void *source, const struct rma_items *items)
{
    return (struct rma_area){.rank = op->ctx->rank,
                             .address = (uintptr_t)source,
                             .bytes = items ? rma_items_bytes(items) : op->fabric.bytes,
                             .items = items,
                             .step = RMA_SOURCE,
                             .access = RMA_READS};
}

void rma_emit_source(struct rma_op *op, const void *source, const struct rma_items *items)
{
    struct rma_job *j = rma_op_job(op);
    if (j->ears)
        j->source = source_area(op, source, items);
}

void rma_emit_compared(struct rma_op *op, const void *compared)
{
    struct rma_job *j = rma_op_job(op);
    if (j->ears)
        j->compared = source_area(op, compared, NULL);
}

void rma_emit_issued(struct rma_op *op)
{
    const struct rma_job *j = rma_op_job(op);
    if (j->trace->on)
        trace_issued(op);
    if (j->ears) {
        op->fabric.owner_flags |= RMA_OBSERVED;
        tell_issued(op);
    }
    if (j->rules)
        rma_fate_begin(op);
}

/* An atomic's value is the word's old one by then. */
static bool failed(const struct rma_op *op, enum rma_step step)
{
    if (step != RMA_AT_TARGET || rma_op_class(op)->access != RMA_UPDATES)
        return false;
    bool swaps = op->inside && op->operator== RMA_COMPARE_SWAP;
    return op->says & RMA_FAILED || (swaps && memcmp(&op->value, &op->compare, op->fabric.bytes) != 0);
}

void rma_emit_piece(const struct rma_op *op, enum rma_step step, uint64_t from, uint64_t to)
{
    const struct rma_job *j = rma_op_job(op);
    bool at_origin = step == RMA_SOURCE || step == RMA_REPLIED || step == RMA_AT_ORIGIN;
    if (j->ears && from < to)
        tell_touched(j, &(struct rma_touch){op->number, step, at_origin ? op->ctx->rank : rma_op_target(op),
                                            from, to, engine_now(j->engine), failed(op, step)});
}

void rma_emit(const struct rma_op *op, enum rma_step step, bool acted)
{
    const struct rma_job *j = rma_op_job(op);
    const struct rma_class *class = rma_op_class(op);
    if (j->trace->on)
        trace_step(op, step == RMA_AT_TARGET ? class->effected
                       : step == RMA_IN_UNIT ? class->updated
                                             : class->arrived);
    if (!j->ears || acted)
        return;
    if (step == RMA_AT_TARGET && rma_op_reads_late(op))
        rma_emit_piece(op, RMA_SOURCE, 0, op->fabric.bytes);
    rma_emit_piece(op, step, 0, rma_area_of(op, step).bytes);
}

/* The policy keeps it back, or puts it off. */
void rma_emit_kept(const struct rma_op *op, enum rma_step step)
{
    const struct rma_job *j = rma_op_job(op);
    enum trace_kept where = step == RMA_AT_TARGET ? TRACE_KEPT_AT_TARGET
                            : step == RMA_IN_UNIT ? TRACE_KEPT_IN_UNIT
                                                  : TRACE_KEPT_AT_ORIGIN;
    if (j->trace->on)
        trace_emit(j->trace, &(struct trace_event){.time = engine_now(j->engine),
                                                   .type = TRACE_KEPT_BACK,
                                                   .rank = op->ctx->rank->id,
                                                   .peer = op->to,
                                                   .op = op->number,
                                                   .tag = (int32_t)where,
                                                   .call = rma_op_call(op)});
}

void rma_emit_stored(struct rank *r, uintptr_t address, size_t bytes)
{
    const struct rma_job *j = rma_job_of(r);
    tell_touched(
        j, &(struct rma_touch){0, RMA_AT_TARGET, r, address, address + bytes, engine_now(j->engine), false});
}

void rma_emit_completed(const struct rma_op *op, double known)
{
    const struct rma_job *j = rma_op_job(op);
    const struct rma_completion done = {op->number, known};
    for (size_t k = 0; j->ears && k < j->ears->list.n; k++)
        j->ears->list.at[k].listener->completed(j->ears->list.at[k].arg, &done);
    if (op->fabric.owner_flags & RMA_POLICED)
        rma_fate_end(op);
}

void rma_emit_finished(const struct rma_op *op, struct rma_need *n)
{
    const struct rma_ctx *c = op->ctx;
    const struct rma_sync s = {.kind = RMA_SYNC_OPERATION,
                               .rank = c->rank,
                               .context = c->number,
                               .at = engine_now(c->job->engine),
                               .call = rma_op_call(op),
                               .limit = op->number};
    if (n)
        rma_need_end(n);
    rma_emit_sync(c->job, &s);
}

bool rma_is_heard(const struct rank *r)
{
    return rma_job_of(r)->ears != NULL;
}

void rma_tell(struct rma_sync s)
{
    s.at = rank_now(s.rank);
    rma_emit_sync(rma_job_of(s.rank), &s);
}

void rma_ctx_describe(struct rma_ctx *c, const struct rma_stream *s)
{
    c->stream = *s;
}

uint64_t rma_operations(const struct rank *r)
{
    return rank_public(r->job)->operations + 1;
}

void rma_emit_sync(const struct rma_job *j, const struct rma_sync *s)
{
    for (size_t k = 0; j->ears && k < j->ears->list.n; k++)
        j->ears->list.at[k].listener->synchronized(j->ears->list.at[k].arg, s);
}
