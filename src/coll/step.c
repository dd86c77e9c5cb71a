/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step: carries out single steps of a member's round, on the member's CPU. The model of time and the
 * invariants are in exec.h; exec.c handles rounds, events and their order.
 *
 * Steps (steps.h)       state     leaves it
 *   any                 WAITING   when its `needs` are done (coll_step_begin)
 *   send                STARTED   queued for the CPU; issued; above the buffered limit: has arrived
 *   receive, reduce     STARTED   when its message has arrived
 *   receive         HELD          when its `needs` are done; is posted then
 *   copy, combine, join           done when it starts
 */
#include "coll/exec.h"

enum { NONE = UINT32_MAX };

/* --- a rank's CPU -------------------------------------------------------------------------------- */

/* Adds `seconds` of work to the member's CPU; returns when it will be done. */
static double work(const struct coll_member *m, double seconds)
{
    struct coll_cpu *c = m->cpu;
    double t = coll_member_now(m);
    if (c->free > t || BASE_UNLIKELY(c->busy & COLL_REDUCES)) {
        t = c->free;
    } else {
        c->cause = *coll_member_exec(m)->cause; /* it was idle: this is the cause of its work from now on */
    }
    return c->free = t + seconds;
}

/* The member takes its turns after all others that have sends. */
static void join_ring(struct coll_member *m)
{
    struct coll_cpu *c = m->cpu;
    m->after = c->last ? c->last->after : m;
    if (c->last)
        c->last->after = m;
    c->last = m;
}

static void queue_send(struct coll_member *m, uint32_t index)
{
    m->schedule.steps[index].next = NONE;
    if (m->queue_first == NONE) {
        m->queue_first = index;
        join_ring(m);
    } else {
        m->schedule.steps[m->queue_last].next = index;
    }
    m->queue_last = index;
}

/* The send whose turn it is; the turn goes to the next member. */
static uint32_t unqueue_send(struct coll_cpu *c, struct coll_member *m)
{
    uint32_t index = m->queue_first;
    BASE_ASSERT("C12", c->last->after == m && index != NONE);
    m->queue_first = (uint32_t)m->schedule.steps[index].next;
    if (m->queue_first != NONE)
        c->last = m;
    else if (c->last == m)
        c->last = NULL;
    else
        c->last->after = m->after;
    return index;
}

/* --- steps -------------------------------------------------------------------------------------- */

static bool by_user(const struct coll_member *m)
{
    return BASE_UNLIKELY(!m->plain) && coll_operator_is_user(m->schedule.call->operator);
}

/* A member that is not plain; false: a user's operator does the rest. */
static __attribute__((noinline)) bool may_receive(struct coll_member *m, struct coll_step *step)
{
    if (coll_member_is_two_sided(m))
        work(m, step->message->room.receive);
    if (step->kind != COLL_STEP_REDUCE || !by_user(m) || !coll_operator_takes(m, step))
        return true;
    work(m, coll_member_transport(m)->receive);
    return false;
}

bool coll_step_receive(struct coll_member *m, struct coll_step *step)
{
    struct coll_message *msg = step->message;
    const struct coll_transport *t = coll_member_transport(m);
    double cost = t->receive;
    void *scratch;
    if (BASE_UNLIKELY(!m->plain) && !may_receive(m, step))
        return false;
    const void *bytes = coll_message_payload(msg, &scratch);
    if (step->kind == COLL_STEP_RECEIVE_PLACED) {
        m->schedule.last_at = msg->bytes ? msg->at : coll_at(COLL_DEST, 0);
        m->schedule.last_bytes = msg->bytes;
        m->schedule.placed_bytes += msg->bytes;
        coll_memory_write(m, m->schedule.last_at, bytes, msg->bytes);
    } else {
        if (BASE_UNLIKELY(step->bytes != msg->bytes))
            coll_report_part(m, msg->from, step->bytes, msg->bytes);
        if (step->kind == COLL_STEP_REDUCE) {
            coll_memory_reduce(m, step->at, bytes, msg->bytes, msg->from < m->schedule.me);
            cost += (double)msg->bytes * t->reduce_byte;
        } else if (bytes) {
            coll_memory_write(m, step->at, bytes, msg->bytes);
        }
    }
    coll_message_unread(msg, scratch);
    coll_message_destroy(msg);
    work(m, cost);
    return true;
}

static __attribute__((noinline)) bool combine(struct coll_member *m, struct coll_step *step)
{
    if (by_user(m) && coll_operator_takes(m, step))
        return false;
    coll_memory_combine(m, step->at, step->to, step->bytes);
    work(m, (double)step->bytes * coll_member_transport(m)->reduce_byte);
    return true;
}

/* Starts a step; true when that is all. */
static inline bool start(struct coll_member *m, uint32_t index)
{
    struct coll_step *step = &m->schedule.steps[index];
    bool held = step->state == COLL_HELD;
    step->state = COLL_STARTED;
    switch (step->kind) {
    case COLL_STEP_JOIN:
        return true;
    case COLL_STEP_SEND:
        queue_send(m, index);
        return false;
    case COLL_STEP_COPY:
        coll_memory_copy(m, step->at, step->to, step->bytes);
        work(m, (double)step->bytes * coll_member_transport(m)->copy_byte);
        return true;
    case COLL_STEP_COMBINE:
        return combine(m, step);
    default:
        if (BASE_UNLIKELY(held) && coll_member_is_two_sided(m))
            coll_posted_receive(m, step); /* its message may be received at once */
        if (!step->message || step->state == COLL_DONE)
            return false;
        if (coll_member_is_two_sided(m)) {
            coll_posted_defer(m, step);
            return false;
        }
        return coll_step_receive(m, step);
    }
}

/* Begins what waited for a step, all but the last, which is returned (a chain of steps is a loop, not a
 * recursion). */
static uint32_t release(struct coll_member *m, const struct coll_step *step)
{
    struct coll_step *steps = m->schedule.steps;
    uint32_t end = step->then + step->releases, last = NONE;
    for (uint32_t k = step->then; k < end; k++) {
        if (BASE_UNLIKELY(steps[k].kind == COLL_STEP_JOIN) && --steps[k].peer)
            continue;
        if (--steps[k].needs)
            continue;
        if (last != NONE)
            coll_step_begin(m, last);
        last = k;
    }
    return last;
}

/* Counts a step as done; returns the step to begin next, or NONE. */
static inline uint32_t done(struct coll_member *m, uint32_t index)
{
    struct coll_step *step = &m->schedule.steps[index];
    step->state = COLL_DONE;
    m->remaining--;
    return step->releases ? release(m, step) : NONE;
}

void coll_step_begin(struct coll_member *m, uint32_t index)
{
    while (index != NONE && start(m, index))
        index = done(m, index);
}

void coll_step_begin_round(struct coll_member *m)
{
    const struct coll_schedule *s = &m->schedule;
    for (uint32_t k = 0; k < s->n; k++) {
        struct coll_step *step = &s->steps[k];
        if (step->state != COLL_WAITING || step->needs)
            continue;
        if (k < s->receives && !step->message)
            step->state = COLL_STARTED;
        else
            coll_step_begin(m, k);
    }
}

/* What it releases may be done at once, but the member advances only when all of that has begun. */
void coll_step_finish(struct coll_member *m, uint32_t index)
{
    bool advancing = m->advancing;
    m->advancing = true;
    index = done(m, index);
    if (index != NONE)
        coll_step_begin(m, index);
    m->advancing = advancing;
}

struct coll_member *coll_step_issue(struct coll_cpu *c)
{
    struct coll_member *m = c->last->after;
    struct coll_exec *x = coll_member_exec(m);
    const struct coll_transport *t = coll_member_transport(m);
    uint32_t index = unqueue_send(c, m);
    struct coll_message *msg = coll_message_create(m, index);
    struct rank *to = coll_member_rank(m, msg->to);
    uint64_t bytes = msg->bytes;
    bool is_done = msg->step == COLL_NO_STEP;
    x->counts.messages++;
    x->counts.bytes += bytes;
    t->ops->send(t->ctx, msg, m->rank, to, c->cause);
    if (BASE_UNLIKELY(t->overlaps))
        work(m, t->ops->issue_cost(t->ctx, bytes, m->rank, to));
    if (is_done)
        coll_step_finish(m, index);
    return m;
}

struct coll_member *coll_step_serve(struct coll_cpu *c)
{
    struct coll_member *m = c->last->after;
    struct coll_exec *x = coll_member_exec(m);
    const struct coll_transport *t = coll_member_transport(m);
    const struct coll_step *step = &m->schedule.steps[m->queue_first];
    double cost = BASE_UNLIKELY(t->overlaps)
                      ? 0
                      : t->ops->issue_cost(t->ctx, step->bytes, m->rank, coll_member_rank(m, step->peer));
    double at = work(m, cost);
    if (at <= coll_member_now(m))
        return coll_step_issue(c);
    c->busy |= COLL_ISSUES;
    x->runtime->timer(x->ctx, c, at);
    return NULL;
}
