/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * entry: the executor's pools, and how members enter a collective, start, and leave it. Invariants are in
 * exec.h.
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
    coll_select_release(&x->select);
    base_pool_release(&x->plan_pool);
    base_pool_release(&x->messages);
    base_pool_release(&x->members);
    base_pool_release(&x->instances);
    base_pool_release(&x->operations);
    base_buffers_release(&x->buffers);
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

/* --- a call's life ------------------------------------------------------------------------------ */

/* Takes over the messages that came for this collective before the rank called it. They are first in the
 * list, as calls are made in order. */
static void take_unexpected(struct coll_member *m, struct coll_seat *seat)
{
    struct coll_message *msg;
    while ((msg = seat->unexpected.first) && msg->instance == m->instance) {
        seat->unexpected.first = msg->next;
        coll_exec_keep(m, msg);
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
    m->early = m->later = (struct coll_message_list){0};
    m->lent = NULL;
    m->pending = NULL;
    m->cpu = use_cpu(kept, m, apart);
    m->round = m->remaining = 0;
    m->queue_first = m->queue_last = NONE;
    m->meets = false;
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
    const struct coll_network *network = coll_group_network(i->group);
    if (!i->chosen.build)
        coll_select_choose(&x->select, call, hosts, network, &i->chosen);
    m->build = i->chosen.build;
    coll_schedule_init(&m->schedule, call, &i->first, &x->buffers, hosts, &i->chosen.tuning);
    if (x->runtime->nowhere && x->runtime->nowhere(m->rank))
        coll_schedule_nowhere(&m->schedule);
    m->schedule.network = network;
    if (BASE_UNLIKELY(i->chosen.islands))
        m->schedule.islands = coll_group_islands(i->group, call->operator.ordered);
    take_seat(m, &i->group->seats[call->me]);
    return m;
}

struct coll_member *coll_exec_enter_plan(struct coll_exec *x, struct coll_rank *kept, struct coll_plan *p)
{
    struct coll_member *m = enter(x, kept, p->rank, &p->call, false);
    struct coll_instance *i = m->instance;
    m->build = p->steps ? coll_plan_next : p->chosen.build;
    m->schedule = p->schedule;
    m->schedule.call = &i->first;
    m->schedule.hosts =
        coll_group_hosts(i->group); /* which may have been forgotten since the plan was made */
    m->schedule.network = coll_group_network(i->group);
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
    BASE_ASSERT("C2", m->finished && !m->early_any && !m->later.first);
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
