/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exec: advances members' schedules from two kinds of events: a CPU's timer (an issue overhead has passed)
 * and a message's arrival. The model of time and the invariants are in exec.h; how members come and go is in
 * entry.c.
 */
#include "coll/exec.h"

enum { NONE = UINT32_MAX };

/* --- rounds ------------------------------------------------------------------------------------- */

/* Gives a message to the receive of the current round that it belongs to. NULL when there is none. */
static struct coll_step *match(struct coll_member *m, struct coll_message *msg)
{
    uint32_t index = coll_schedule_receiver(&m->schedule, msg->from, msg->tag);
    if (index == NONE)
        return NULL;
    struct coll_step *step = &m->schedule.steps[index];
    BASE_ASSERT("C2", step->state != COLL_DONE && !step->message);
    step->message = msg;
    return step;
}

void coll_exec_add_early(struct coll_member *m, struct coll_message *msg)
{
    coll_message_append(&m->early, msg);
    m->early_any = true;
}

void coll_exec_keep(struct coll_member *m, struct coll_message *msg)
{
    if (coll_member_is_two_sided(m))
        coll_message_append(&m->later, msg);
    else
        coll_exec_add_early(m, msg);
}

static __attribute__((noinline)) void match_kept(struct coll_member *m, struct coll_message *msg)
{
    for (struct coll_message *next; msg; msg = next) {
        next = msg->next;
        if (!match(m, msg))
            coll_exec_keep(m, msg);
    }
}

static void match_early(struct coll_member *m)
{
    struct coll_message *first = m->early.first;
    m->early.first = NULL;
    m->early_any = false;
    match_kept(m, first);
}

static void match_later(struct coll_member *m)
{
    struct coll_message *first = m->later.first;
    m->later.first = NULL;
    match_kept(m, first);
}

static inline bool next_round(struct coll_member *m, bool two_sided)
{
    struct coll_schedule *s = &m->schedule;
    if (!coll_schedule_round(s, m->build, m->round++))
        return false;
    m->remaining = s->n;
    if (two_sided) {
        coll_posted_round(m);
        if (m->later.first)
            match_later(m);
    } else if (BASE_UNLIKELY(m->early_any))
        match_early(m);
    if (s->n)
        coll_step_begin_round(m);
    return true;
}

/* The last step is done; the rank continues when its CPU has also finished. */
static void finish(struct coll_member *m)
{
    struct coll_exec *x = coll_member_exec(m);
    m->finished = true;
    if (!m->sleeping)
        return;
    if (m->cpu->free > coll_member_now(m))
        x->runtime->end(x->ctx, m, m->cpu->free);
    else
        m->ended(m);
}

/* Its round has ended, or its CPU may now receive what has come. */
static bool may_advance(const struct coll_member *m)
{
    return !m->remaining || (coll_member_is_two_sided(m) && m->early_any);
}

/* Issues sends that take no time. Advances each member that may go on after that, except `m`, which the
 * caller advances. */
static inline void serve(struct coll_cpu *c, const struct coll_member *m)
{
    struct coll_member *issued;
    while (coll_cpu_may_issue(c) && (issued = coll_step_serve(c)))
        if (BASE_UNLIKELY(issued != m && may_advance(issued)))
            coll_exec_advance(issued);
}

/* A two-sided member begins a round when its CPU is through with the one before. */
static bool rests(struct coll_member *m)
{
    struct coll_exec *x = coll_member_exec(m);
    if (!m->round || m->cpu->free <= coll_member_now(m))
        return false;
    m->resting = true;
    x->runtime->end(x->ctx, m, m->cpu->free);
    return true;
}

/* false: the member has finished. */
static __attribute__((noinline)) bool advance_two_sided(struct coll_member *m)
{
    for (;;) {
        do
            serve(m->cpu, m);
        while (coll_posted_next(m));
        if (m->remaining || rests(m))
            return true;
        if (!next_round(m, true))
            return false;
    }
}

static inline bool advance_one_sided(struct coll_member *m)
{
    for (;;) {
        serve(m->cpu, m);
        if (m->remaining)
            return true;
        if (!next_round(m, false))
            return false;
    }
}

void coll_exec_advance(struct coll_member *m)
{
    if (m->advancing)
        return;
    m->advancing = true;
    if (coll_member_is_two_sided(m) ? advance_two_sided(m) : advance_one_sided(m))
        m->advancing = false;
    else
        finish(m);
}

/* --- events ------------------------------------------------------------------------------------- */

void coll_exec_timer(struct coll_cpu *c)
{
    c->busy &= (uint8_t)~COLL_ISSUES;
    coll_exec_advance(coll_step_issue(c));
}

void coll_exec_ended(struct coll_member *m)
{
    if (BASE_UNLIKELY(m->resting)) {
        m->resting = false;
        coll_exec_advance(m);
    } else {
        m->ended(m);
    }
}

struct coll_member *coll_exec_receiver(const struct coll_message *msg)
{
    struct coll_member *m = msg->instance->group->seats[msg->to].active;
    while (m && m->instance != msg->instance)
        m = m->next;
    return m;
}

static void deliver(struct coll_member *m, struct coll_message *msg)
{
    struct coll_step *step = match(m, msg);
    if (BASE_LIKELY(step && step->state == COLL_STARTED)) {
        if (coll_member_is_two_sided(m) && coll_posted_busy(m)) {
            coll_posted_defer(m, step);
            return;
        }
        if (!coll_step_receive(m, step))
            return;
        coll_step_finish(m, (uint32_t)(step - m->schedule.steps));
        coll_exec_advance(m);
        return;
    }
    coll_message_keep(msg);
    if (!step)
        coll_exec_keep(m, msg);
}

/* Keeps the list in order of call numbers; messages of later calls seldom come first. */
static void keep_unexpected(struct coll_message_list *list, struct coll_message *msg)
{
    struct coll_message **at = &list->first;
    coll_message_keep(msg);
    if (!list->first || list->last->instance->number <= msg->instance->number) {
        coll_message_append(list, msg);
        return;
    }
    while ((*at)->instance->number <= msg->instance->number)
        at = &(*at)->next;
    msg->next = *at;
    *at = msg;
}

/* Acknowledges a long message to its sender, with a record of its own, as the message may be kept or gone. */
static void acknowledge(struct coll_exec *x, struct coll_member *sender, uint32_t step, double delay)
{
    if (delay > 0) {
        struct coll_message *ack = base_pool_get(&x->messages);
        ack->instance = sender->instance;
        ack->sender = sender;
        ack->step = step;
        ack->number = *x->cause;
        x->runtime->ack(x->ctx, ack, *x->clock + delay);
        return;
    }
    coll_step_finish(sender, step);
    coll_exec_advance(sender);
}

void coll_exec_acknowledged(struct coll_message *ack)
{
    struct coll_member *sender = ack->sender;
    uint32_t step = ack->step;
    base_pool_put(&coll_member_exec(sender)->messages, ack);
    acknowledge(coll_member_exec(sender), sender, step, 0);
}

void coll_arrived(struct coll_message *msg)
{
    struct coll_exec *x = coll_instance_exec(msg->instance);
    struct coll_seat *seat = &msg->instance->group->seats[msg->to];
    struct coll_member *m = coll_exec_receiver(msg), *sender = NULL;
    uint32_t step = msg->step;
    double delay = 0;
    if (BASE_UNLIKELY(step != COLL_NO_STEP)) {
        sender = msg->sender;
        delay = coll_message_transport(msg)->ops->ack_delay(coll_message_transport(msg)->ctx, msg);
    }
    if (m)
        deliver(m, msg);
    else
        keep_unexpected(&seat->unexpected, msg);
    if (BASE_UNLIKELY(sender))
        acknowledge(x, sender, step, delay);
}
