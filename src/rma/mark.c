/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mark: operations that a front end has numbered, and who is told when they touch memory. A rank's next operation takes
 * the number that was set for it. Without a listener nothing is numbered.
 */
#include "rma/internal.h"

void rma_mark_listen(struct rank_job *job, rma_mark_fn fn, void *arg)
{
    struct rma_job *j = rank_part(job, &rma_slot);
    j->marked = fn;
    j->marked_arg = arg;
}

/* Between a thread's call and the issue of its operation others may run. */
static uint64_t *next_of(struct rank *r)
{
    uint32_t thread = r->threads > 1 ? rank_thread_number(r) : 0;
    if (BASE_LIKELY(!thread))
        return &rma_rank_of(r)->mark;
    return base_table_add(&rma_job_of(r)->marks, (uint64_t)r->id << 32 | thread, NULL);
}

void rma_mark_next(struct rank *r, uint64_t mark)
{
    *next_of(r) = mark;
}

const struct rma_marked *rma_mark_acting(const struct rank *r)
{
    const struct rma_job *j = rma_job_of(r);
    return j->acting.mark ? &j->acting : NULL;
}

void rma_mark_issue(struct rma_op *op)
{
    uint64_t *next = next_of(op->ctx->rank);
    if (!*next)
        return;
    op->mark = *next;
    op->says |= RMA_MARKED;
    *next = 0;
}

static bool writes(const struct rma_op *op, enum rma_step step)
{
    const struct rma_class *class = rma_op_class(op);
    if (step == RMA_AT_ORIGIN)
        return class->result;
    bool fetches = class->kind == FABRIC_ATOMIC && class->access == RMA_UPDATES && op->operator== RMA_FETCH;
    return class->access != RMA_READS && !fetches;
}

void rma_mark_begin(struct rma_op *op, enum rma_step step)
{
    struct rma_job *j = rma_op_job(op);
    const struct rma_class *class = rma_op_class(op);
    struct rma_marked m = {.origin = op->ctx->rank->id, .mark = op->mark, .writes = writes(op, step)};
    m.second = step != RMA_AT_TARGET;
    m.last = m.second || (!class->update && !class->arrive);
    m.memory = rma_op_memory(op, step, &m.low, &m.high);
    j->acting = m;
    j->marked(j->marked_arg, &j->acting);
}

void rma_mark_end(struct rma_op *op)
{
    struct rma_job *j = rma_op_job(op);
    if (BASE_UNLIKELY(j->ask != NULL))
        j->ask(j, &j->acting);
    j->acting.mark = 0;
}
