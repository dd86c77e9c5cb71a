/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operator: reductions by an operator that is code of the program. It runs on an actor of the member's rank
 * (rank_work_post): while the rank waits, or at its next call. It begins when the rank's CPU is free, and what
 * it computes keeps the CPU from issuing messages of any collective. Its step is done when it returns.
 *
 * Invariants
 *  C15 A step that waits for its operator is STARTED; a receive's message stays with it, with its payload.
 */
#include "coll/exec.h"

struct operation {
    struct rank_work work;
    struct coll_member *member;
    uint32_t step;
};
const size_t coll_operation_size = sizeof(struct operation);

static void reduce(void *arg)
{
    const struct operation *o = arg;
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

/* On the rank's actor. */
static void run(struct rank *r, struct rank_work *w)
{
    struct operation *o = BASE_CONTAINER(w, struct operation, work);
    struct coll_member *m = o->member;
    struct coll_cpu *c = m->cpu;
    uint32_t index = o->step;
    if (c->free > coll_member_now(m))
        engine_sleep_until(r->engine, c->free);
    c->reduces = true;
    double begin = c->free = coll_member_now(m);
    rank_call_back(r, reduce, o);
    c->free = coll_member_now(m) + (c->free - begin); /* messages that came meanwhile */
    c->reduces = false;
    base_pool_put(&coll_member_exec(m)->operations, o);
    if (m->schedule.steps[index].kind != COLL_STEP_COMBINE)
        coll_message_destroy(m->schedule.steps[index].message);
    coll_step_finish(m, index);
    coll_exec_advance(m);
}

bool coll_operator_takes(struct coll_member *m, struct coll_step *step)
{
    bool receives = step->kind == COLL_STEP_REDUCE;
    uint64_t bytes = receives ? step->message->bytes : step->bytes;
    if (!bytes || bytes != step->bytes || (!receives && step->kind != COLL_STEP_COMBINE))
        return false;
    if (receives)
        coll_message_own(step->message);
    struct operation *o = base_pool_get(&coll_member_exec(m)->operations);
    *o = (struct operation){.work.fn = run, .member = m, .step = (uint32_t)(step - m->schedule.steps)};
    rank_work_post(m->rank, &o->work);
    return true;
}
