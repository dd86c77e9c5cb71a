/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exec: advances members' schedules from two kinds of events: a member's timer (an issue overhead has passed)
 * and a message's arrival. The model of time and the invariants are in exec.h.
 *
 * Steps (schedule.h)    state     leaves it
 *   any                 WAITING   when its `needs` are done (begin)
 *   send                STARTED   queued for the CPU; issued; above the buffered limit: has arrived
 *   receive, reduce     STARTED   when its message has arrived
 *   copy                          done when it starts
 */
#include "coll/exec.h"

enum { NONE = UINT32_MAX };

void coll_exec_init(struct coll_exec *x, const struct coll_transport *transport, void *ctx,
                    const double *clock, const struct coll_costs *costs, const struct coll_select *select)
{
    *x = (struct coll_exec){
        .transport = transport, .ctx = ctx, .clock = clock, .select = *select, .costs = *costs};
    base_pool_init(&x->messages, sizeof(struct coll_message), "messages of collectives");
    base_pool_init(&x->members, sizeof(struct coll_member), "members of collectives");
    base_pool_init(&x->instances, sizeof(struct coll_instance), "collectives");
    base_buffers_init(&x->buffers, "payloads and steps of collectives");
}

void coll_exec_release(struct coll_exec *x)
{
    coll_group_release(x);
    base_pool_release(&x->messages);
    base_pool_release(&x->members);
    base_pool_release(&x->instances);
    base_buffers_release(&x->buffers);
}

/* --- a member's CPU ----------------------------------------------------------------------------- */

static double now(const struct coll_member *m)
{
    return *coll_member_exec(m)->clock;
}

/* The CPU works `seconds` more; returns when it is done. */
static double work(struct coll_member *m, double seconds)
{
    double t = now(m);
    m->cpu_free = (m->cpu_free > t ? m->cpu_free : t) + seconds;
    return m->cpu_free;
}

static struct fold_rank *rank_of(const struct coll_member *m, uint32_t place)
{
    const struct coll_exec *x = coll_member_exec(m);
    const struct coll_group *g = &m->call.group;
    return x->transport->rank(x->ctx, g->first + place * g->stride);
}

static void queue_send(struct coll_member *m, uint32_t index)
{
    m->schedule.steps[index].next = NONE;
    if (m->queue_first == NONE)
        m->queue_first = index;
    else
        m->schedule.steps[m->queue_last].next = index;
    m->queue_last = index;
}

static uint32_t unqueue_send(struct coll_member *m)
{
    uint32_t index = m->queue_first;
    m->queue_first = (uint32_t)m->schedule.steps[index].next;
    return index;
}

/* --- steps -------------------------------------------------------------------------------------- */

/* Carries out a receive whose message is there. */
static void receive(struct coll_member *m, struct coll_step *step, struct coll_message *msg)
{
    struct coll_exec *x = coll_member_exec(m);
    double cost = x->costs.receive;
    void *scratch;
    const void *bytes = coll_message_payload(msg, &scratch);
    if (step->kind == COLL_STEP_RECEIVE_PLACED) {
        m->schedule.last_at = msg->at;
        m->schedule.last_bytes = msg->bytes;
        m->schedule.placed_bytes += msg->bytes;
        coll_memory_write(m, msg->at, bytes, msg->bytes);
    } else {
        BASE_ASSERT("C2", step->bytes == msg->bytes);
        if (step->kind == COLL_STEP_REDUCE) {
            coll_memory_reduce(m, step->at, bytes, msg->bytes, msg->from < m->call.me);
            cost += (double)msg->bytes * x->costs.reduce_byte;
        } else {
            coll_memory_write(m, step->at, bytes, msg->bytes);
        }
    }
    coll_message_unread(msg, scratch);
    work(m, cost);
}

/* Starts a step; true when that is all. */
static bool start(struct coll_member *m, uint32_t index)
{
    struct coll_step *step = &m->schedule.steps[index];
    step->state = COLL_STARTED;
    switch (step->kind) {
    case COLL_STEP_SEND:
        queue_send(m, index);
        return false;
    case COLL_STEP_COPY:
        coll_memory_copy(m, step->at, step->to, step->bytes);
        work(m, (double)step->bytes * coll_member_exec(m)->costs.copy_byte);
        return true;
    default:
        if (!step->message)
            return false;
        receive(m, step, step->message);
        coll_message_destroy(step->message);
        return true;
    }
}

static void begin(struct coll_member *m, uint32_t index);

/* Counts a step as done and begins what waited for it, all but the last, which is returned (a chain of steps
 * is a loop, not a recursion). */
static uint32_t done(struct coll_member *m, uint32_t index)
{
    struct coll_step *steps = m->schedule.steps, *step = &steps[index];
    uint32_t end = step->then + step->releases, last = NONE;
    step->state = COLL_DONE;
    m->remaining--;
    for (uint32_t k = step->then; k < end; k++) {
        if (--steps[k].needs)
            continue;
        if (last != NONE)
            begin(m, last);
        last = k;
    }
    return last;
}

static void begin(struct coll_member *m, uint32_t index)
{
    while (index != NONE && start(m, index))
        index = done(m, index);
}

static void finish_step(struct coll_member *m, uint32_t index)
{
    begin(m, done(m, index));
}

/* Hands a send's message to the transport; the step may be done with that. */
static void issue(struct coll_member *m, uint32_t index)
{
    struct coll_exec *x = coll_member_exec(m);
    struct coll_message *msg = coll_message_create(m, index);
    bool is_done = !msg->sender;
    x->counts.messages++;
    x->counts.bytes += msg->bytes;
    x->transport->send(x->ctx, msg, m->rank, rank_of(m, msg->to));
    if (is_done)
        finish_step(m, index);
}

/* --- rounds ------------------------------------------------------------------------------------- */

/* Gives a message to the receive of the current round that it belongs to. NONE when there is none. */
static uint32_t match(struct coll_member *m, struct coll_message *msg)
{
    uint32_t index = coll_schedule_receiver(&m->schedule, msg->from, msg->tag);
    if (index != NONE) {
        BASE_ASSERT("C2", m->schedule.steps[index].state != COLL_DONE && !m->schedule.steps[index].message);
        m->schedule.steps[index].message = msg;
    }
    return index;
}

static void match_early(struct coll_member *m)
{
    struct coll_message *msg = m->early.first, *next;
    m->early.first = NULL;
    for (; msg; msg = next) {
        next = msg->next;
        if (match(m, msg) == NONE)
            coll_message_append(&m->early, msg);
    }
}

static bool next_round(struct coll_member *m)
{
    struct coll_schedule *s = &m->schedule;
    if (!coll_schedule_round(s, m->build, m->round++))
        return false;
    m->remaining = s->n;
    if (m->early.first)
        match_early(m);
    for (uint32_t k = 0; k < s->n; k++)
        if (s->steps[k].state == COLL_WAITING && !s->steps[k].needs)
            begin(m, k);
    return true;
}

/* The last step is done; the rank goes on when its CPU has done its part, too. */
static void finish(struct coll_member *m)
{
    struct coll_exec *x = coll_member_exec(m);
    m->finished = true;
    if (!m->sleeping)
        return;
    if (m->cpu_free > now(m))
        x->transport->timer(x->ctx, m, m->cpu_free);
    else
        x->transport->wake(x->ctx, m);
}

/* Takes the member as far as it gets without another event. */
static void advance(struct coll_member *m)
{
    struct coll_exec *x = coll_member_exec(m);
    for (;;) {
        while (!m->busy && m->queue_first != NONE) {
            const struct coll_step *step = &m->schedule.steps[m->queue_first];
            double cost = x->transport->issue_cost(x->ctx, step->bytes + COLL_SIGNAL_BYTES, m->rank,
                                                   rank_of(m, step->peer));
            double at = work(m, cost);
            m->busy = at > now(m);
            if (m->busy)
                x->transport->timer(x->ctx, m, at);
            else
                issue(m, unqueue_send(m));
        }
        if (m->remaining)
            return;
        if (!next_round(m)) {
            finish(m);
            return;
        }
    }
}

/* --- events ------------------------------------------------------------------------------------- */

void coll_exec_timer(struct coll_member *m)
{
    struct coll_exec *x = coll_member_exec(m);
    if (m->finished) {
        x->transport->wake(x->ctx, m);
        return;
    }
    m->busy = false;
    issue(m, unqueue_send(m));
    advance(m);
}

/* The member that takes part in the message's collective, or NULL when its rank has not called it yet. */
static struct coll_member *receiver(const struct coll_message *msg, struct coll_seat *seat)
{
    struct coll_member *m = seat->active;
    while (m && m->instance != msg->instance)
        m = m->next;
    return m;
}

static void deliver(struct coll_member *m, struct coll_message *msg)
{
    uint32_t index = match(m, msg);
    struct coll_step *step = &m->schedule.steps[index];
    if (index == NONE || step->state == COLL_WAITING) {
        coll_message_keep(msg);
        msg->sender = NULL;
        if (index == NONE)
            coll_message_append(&m->early, msg);
        return;
    }
    receive(m, step, msg);
    coll_message_destroy(msg);
    finish_step(m, index);
    advance(m);
}

/* Keeps the list in order of call numbers; messages of later calls seldom come first. */
static void keep_unexpected(struct coll_message_list *list, struct coll_message *msg)
{
    struct coll_message **at = &list->first;
    coll_message_keep(msg);
    msg->sender = NULL;
    if (!list->first || list->last->instance->number <= msg->instance->number) {
        coll_message_append(list, msg);
        return;
    }
    while ((*at)->instance->number <= msg->instance->number)
        at = &(*at)->next;
    msg->next = *at;
    *at = msg;
}

void coll_exec_arrived(struct coll_message *msg)
{
    struct coll_seat *seat = &msg->instance->group->seats[msg->to];
    struct coll_member *m = receiver(msg, seat), *sender = msg->sender;
    uint32_t step = msg->step;
    if (m)
        deliver(m, msg);
    else
        keep_unexpected(&seat->unexpected, msg);
    if (sender) {
        finish_step(sender, step);
        advance(sender);
    }
}

/* --- a call's life ------------------------------------------------------------------------------ */

/* Takes over what came for this collective before the rank called it: the first ones, as calls are made in
 * order. */
static void take_unexpected(struct coll_member *m, struct coll_seat *seat)
{
    struct coll_message *msg;
    while ((msg = seat->unexpected.first) && msg->instance == m->instance) {
        seat->unexpected.first = msg->next;
        coll_message_append(&m->early, msg);
    }
}

struct coll_member *coll_exec_enter(struct coll_exec *x, struct coll_group_record **last, struct fold_rank *r,
                                    const struct coll_call *call)
{
    struct coll_group_record *g = *last = coll_group_find(x, *last, &call->group);
    struct coll_instance *i = coll_group_enter(g, call, r);
    struct coll_seat *seat = &g->seats[call->me];
    struct coll_member *m = base_pool_get(&x->members);
    m->instance = i;
    m->rank = r;
    m->early = (struct coll_message_list){0};
    m->cpu_free = 0;
    m->build = coll_select_algorithm(&x->select, call);
    m->round = m->remaining = 0;
    m->queue_first = m->queue_last = NONE;
    m->busy = m->sleeping = m->finished = false;
    m->call = *call;
    m->reason = (struct engine_reason){call->name, coll_exec_describe, m};
    coll_schedule_init(&m->schedule, &m->call, &x->buffers);
    m->next = seat->active;
    seat->active = m;
    if (BASE_UNLIKELY(seat->unexpected.first))
        take_unexpected(m, seat);
    x->counts.calls++;
    return m;
}

bool coll_exec_start(struct coll_member *m, double *until)
{
    advance(m);
    if (m->finished)
        *until = m->cpu_free;
    else
        m->sleeping = true;
    return m->finished;
}

void coll_exec_leave(struct coll_member *m)
{
    struct coll_exec *x = coll_member_exec(m);
    struct coll_instance *i = m->instance;
    struct coll_member **at = &i->group->seats[m->call.me].active;
    BASE_ASSERT("C2", m->finished && !m->early.first);
    while (*at != m)
        at = &(*at)->next;
    *at = m->next;
    coll_schedule_release(&m->schedule);
    base_pool_put(&x->members, m);
    coll_group_leave(i);
}
