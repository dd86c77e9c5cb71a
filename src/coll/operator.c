/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operator: reductions by users' operators. These are code of the program, so each runs on an actor of the
 * member's rank: while the rank waits, or at its next call. It begins when the rank's CPU is free. While it
 * computes, the CPU issues no message of any collective. The step is done when the operator returns.
 *
 * Invariants
 *  C16 A step that waits for its operator is STARTED. If it is a receive, it keeps its message and payload.
 */
#include "coll/exec.h"

bool coll_operator_takes(struct coll_member *m, struct coll_step *step)
{
    struct coll_exec *x = coll_member_exec(m);
    bool receives = step->kind == COLL_STEP_REDUCE;
    uint64_t bytes = receives ? step->message->bytes : step->bytes;
    BASE_ASSERT("C16", step->state == COLL_STARTED && (receives || step->kind == COLL_STEP_COMBINE));
    if (!bytes || bytes != step->bytes)
        return false;
    if (receives)
        coll_message_own(step->message);
    struct coll_operation *o = base_pool_get(&x->operations);
    o->member = m;
    o->step = (uint32_t)(step - m->schedule.steps);
    x->runtime->operate(x->ctx, m->rank, o);
    return true;
}

double coll_operation_ready(const struct coll_operation *o)
{
    return o->member->cpu->free;
}

void coll_operation_begin(struct coll_operation *o)
{
    struct coll_cpu *c = o->member->cpu;
    c->busy |= COLL_REDUCES;
    o->begun = c->free = coll_member_now(o->member);
}

void coll_operation_run(const struct coll_operation *o)
{
    const struct coll_member *m = o->member;
    const struct coll_step *step = &m->schedule.steps[o->step];
    void *scratch;
    if (step->kind == COLL_STEP_COMBINE) {
        coll_memory_combine(m, step->at, step->to, step->bytes);
        return;
    }
    const struct coll_message *msg = step->message;
    const void *bytes = coll_message_payload(msg, &scratch);
    coll_memory_reduce(m, step->at, bytes, msg->bytes, msg->from < m->schedule.me);
    coll_message_unread(msg, scratch);
}

void coll_operation_end(struct coll_operation *o)
{
    struct coll_member *m = o->member;
    struct coll_cpu *c = m->cpu;
    uint32_t index = o->step;
    c->free = coll_member_now(m) + (c->free - o->begun); /* and the cost of messages that arrived meanwhile */
    c->busy &= (uint8_t)~COLL_REDUCES;
    base_pool_put(&coll_member_exec(m)->operations, o);
    if (m->schedule.steps[index].kind == COLL_STEP_REDUCE)
        coll_message_destroy(m->schedule.steps[index].message);
    coll_step_finish(m, index);
    coll_exec_advance(m);
}
