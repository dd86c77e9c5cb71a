/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exec: advances members' schedules from two kinds of events: a CPU's timer (an issue overhead has passed)
 * and a message's arrival. The model of time and the invariants are in exec.h.
 */
#include "coll/exec.h"

/* Messages begin at cache lines. */
enum { NONE = UINT32_MAX, MESSAGE_ROOM = 192 };

void coll_exec_init(struct coll_exec *x, const struct coll_runtime *runtime, void *ctx, const double *clock,
                    const struct coll_select *select)
{
    *x = (struct coll_exec){.runtime = runtime, .ctx = ctx, .clock = clock, .select = *select};
    x->cause = &x->no_cause;
    base_table_init(&x->groups, BASE_BYTES, sizeof(struct coll_group_record *), "groups of collectives");
    base_pool_init(&x->messages, MESSAGE_ROOM, "messages of collectives");
    base_pool_init(&x->members, sizeof(struct coll_member), "members of collectives");
    base_pool_init(&x->instances, sizeof(struct coll_instance), "collectives");
    base_pool_init(&x->operations, sizeof(struct coll_operation), "reductions by users' operators");
    base_buffers_init(&x->buffers, "payloads and steps of collectives");
    base_pool_init(&x->plan_pool, sizeof(struct coll_plan), "plans of collectives");
    base_pool_of_operations(&x->messages);
    base_pool_of_operations(&x->members);
    base_pool_of_operations(&x->instances);
    base_pool_of_operations(&x->operations);
    base_buffers_of_operations(&x->buffers);
}

void coll_exec_release(struct coll_exec *x)
{
    coll_records_release(x);
    while (x->plans)
        coll_exec_plan_free(x->plans);
    base_pool_release(&x->plan_pool);
    base_pool_release(&x->messages);
    base_pool_release(&x->members);
    base_pool_release(&x->instances);
    base_pool_release(&x->operations);
    base_buffers_release(&x->buffers);
}

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

static void match_early(struct coll_member *m)
{
    struct coll_message *msg = m->early.first, *next;
    m->early.first = NULL;
    m->early_any = false;
    for (; msg; msg = next) {
        next = msg->next;
        if (!match(m, msg))
            coll_exec_add_early(m, msg);
    }
}

static inline bool next_round(struct coll_member *m, bool two_sided)
{
    struct coll_schedule *s = &m->schedule;
    if (!coll_schedule_round(s, m->build, m->round++))
        return false;
    m->remaining = s->n;
    if (two_sided)
        coll_posted_round(m);
    else if (BASE_UNLIKELY(m->early_any))
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

/* --- CPUs --------------------------------------------------------------------------------------- */

static struct coll_cpu *use_cpu(struct coll_rank *kept, struct coll_member *m, bool apart)
{
    struct coll_cpu *c = apart ? NULL : kept->cpu;
    if (!c) {
        c = &m->own_cpu;
        if (!apart)
            kept->cpu = c;
        c->free = 0;
        c->cause = 0;
        c->rank = apart ? NULL : kept;
        c->last = NULL;
        c->users = 0;
        c->busy = 0;
    }
    c->users++;
    return c;
}

/* The member that holds it is freed with it. */
static void leave_cpu(struct coll_exec *x, struct coll_cpu *c)
{
    if (--c->users)
        return;
    BASE_ASSERT("C12", !c->last && !c->busy);
    if (c->rank)
        c->rank->cpu = NULL;
    base_pool_put(&x->members, BASE_CONTAINER(c, struct coll_member, own_cpu));
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
        coll_exec_add_early(m, msg);
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
        delay = msg->instance->first.transport->ops->ack_delay(msg->instance->first.transport->ctx, msg);
    }
    if (m)
        deliver(m, msg);
    else
        keep_unexpected(&seat->unexpected, msg);
    if (BASE_UNLIKELY(sender))
        acknowledge(x, sender, step, delay);
}

/* --- a call's life ------------------------------------------------------------------------------ */

/* Takes over the messages that came for this collective before the rank called it. They are first in the
 * list, as calls are made in order. */
static void take_unexpected(struct coll_member *m, struct coll_seat *seat)
{
    struct coll_message *msg;
    while ((msg = seat->unexpected.first) && msg->instance == m->instance) {
        seat->unexpected.first = msg->next;
        coll_exec_add_early(m, msg);
    }
}

/* All but the algorithm and the schedule. */
static inline struct coll_member *enter(struct coll_exec *x, struct coll_rank *kept, struct rank *r,
                                        const struct coll_call *call, bool apart)
{
    struct coll_group_record *g = coll_group_find(x, kept->last, call);
    kept->last = BASE_LIKELY(!g->forgotten) ? g : NULL; /* it may go before this rank's next call */
    struct coll_member *m = base_pool_get(&x->members);
    m->instance = coll_group_enter(g, call, r);
    m->plain = m->instance->plain;
    m->rank = r;
    m->early = (struct coll_message_list){0};
    m->lent = NULL;
    m->cpu = use_cpu(kept, m, apart);
    m->round = m->remaining = 0;
    m->queue_first = m->queue_last = NONE;
    m->sleeping = m->finished = m->advancing = m->early_any = m->may_go = m->resting = false;
    x->counts.calls++;
    return m;
}

/* The schedule is there. */
static inline void take_seat(struct coll_member *m, struct coll_seat *seat)
{
    m->staged = NULL;
    if (m->schedule.bytes)
        coll_memory_stage(m);
    m->next = seat->active;
    seat->active = m;
    if (BASE_UNLIKELY(seat->unexpected.first))
        take_unexpected(m, seat);
}

struct coll_member *coll_exec_enter(struct coll_exec *x, struct coll_rank *kept, struct rank *r,
                                    const struct coll_call *call, bool apart)
{
    struct coll_member *m = enter(x, kept, r, call, apart);
    struct coll_instance *i = m->instance;
    const struct coll_hosts *hosts = coll_group_hosts(i->group);
    m->build = coll_select_algorithm(&x->select, call, hosts);
    coll_schedule_init(&m->schedule, call, &i->first, &x->buffers, hosts, &x->select.tuning);
    take_seat(m, &i->group->seats[call->me]);
    return m;
}

struct coll_member *coll_exec_enter_plan(struct coll_exec *x, struct coll_rank *kept, struct coll_plan *p)
{
    struct coll_member *m = enter(x, kept, p->rank, &p->call, false);
    struct coll_instance *i = m->instance;
    m->build = p->steps ? coll_plan_next : p->build;
    m->schedule = p->schedule;
    m->schedule.call = &i->first;
    m->schedule.hosts =
        coll_group_hosts(i->group); /* which may have been forgotten since the plan was made */
    if (!p->steps)
        m->schedule.steps = m->schedule.first;
    take_seat(m, &i->group->seats[p->call.me]);
    return m;
}

bool coll_exec_start(struct coll_member *m, double *until)
{
    coll_exec_advance(m);
    if (m->finished)
        *until = m->cpu->free;
    else
        m->sleeping = true;
    return m->finished;
}

void coll_exec_go(struct coll_member *m, void (*fn)(struct coll_member *m))
{
    struct coll_instance *i = m->instance;
    const struct coll_group_record *g = i->group;
    if (i->entered < g->key.size)
        return;
    for (uint32_t p = 0; p < g->key.size; p++)
        for (struct coll_member *o = g->seats[p].active; o; o = o->next)
            if (o->instance == i && o->may_go)
                fn(o);
}

void coll_exec_leave(struct coll_member *m)
{
    struct coll_exec *x = coll_member_exec(m);
    struct coll_instance *i = m->instance;
    struct coll_member **at = &i->group->seats[m->schedule.me].active;
    BASE_ASSERT("C2", m->finished && !m->early_any);
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    coll_message_own_all(m);
    if (m->staged)
        coll_memory_unstage(m);
    coll_schedule_release(&m->schedule);
    struct coll_cpu *cpu = m->cpu;
    if (BASE_UNLIKELY(cpu != &m->own_cpu))
        base_pool_put(&x->members, m);
    leave_cpu(x, cpu);
    coll_group_leave(i);
}
