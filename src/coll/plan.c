/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plan: schedules that are built once and started many times. All rounds are kept as they were built; a start
 * copies one round after the other into the member's steps, and uses temporary memory that belongs to the
 * plan. Rounds that depend on sizes that are received, as a collect's, are built at each start.
 *
 * Invariants
 *  C18 One start of a plan is under way at a time.
 */
#include "coll/exec.h"

#include <string.h>

/* --- arrays of the executor's buffers -------------------------------------------------------------- */

static void *widened(struct coll_exec *x, void *old, uint32_t n, uint32_t *cap, size_t each)
{
    uint32_t before = *cap;
    if (n < before)
        return old;
    *cap = before ? 2 * before : 8;
    void *wide = base_buffers_get(&x->buffers, *cap * each);
    if (old) {
        memcpy(wide, old, n * each);
        base_buffers_put(&x->buffers, old, before * each);
    }
    return wide;
}

static void add_round(struct coll_plan *p, const struct coll_schedule *s)
{
    struct coll_exec *x = p->exec;
    p->round = widened(x, p->round, p->rounds, &p->rounds_cap, sizeof *p->round);
    p->round[p->rounds++] = (struct coll_plan_round){p->n_steps, s->n, s->receives, s->unsorted};
    for (uint32_t k = 0; k < s->n; k++) {
        p->steps = widened(x, p->steps, p->n_steps, &p->steps_cap, sizeof *p->steps);
        p->steps[p->n_steps++] = s->steps[k];
    }
}

/* --- making and freeing ----------------------------------------------------------------------------- */

/* Builds all rounds, and keeps what starts work with: room for the steps of a round, and temporary memory. */
static void build_all(struct coll_plan *p)
{
    struct coll_schedule s = p->schedule, *kept = &p->schedule;
    s.steps = s.first;
    p->steps = widened(p->exec, NULL, 0, &p->steps_cap, sizeof *p->steps);
    for (uint32_t k = 0; coll_schedule_round(&s, p->chosen.build, k); k++)
        add_round(p, &s);
    kept->cap = s.cap;
    kept->steps = base_buffers_get(&p->exec->buffers, s.cap * sizeof *s.steps);
    kept->temp = s.temp;
    kept->temp_bytes = s.temp_bytes;
    kept->plan = p;
    s.temp = NULL;
    coll_schedule_release(&s);
}

struct coll_plan *coll_exec_plan(struct coll_exec *x, struct rank *r, const struct coll_call *call)
{
    struct coll_plan *p = base_pool_get(&x->plan_pool);
    *p = (struct coll_plan){.rank = r, .exec = x, .call = *call, .next = x->plans, .link = &x->plans};
    if (p->next)
        p->next->link = &p->next;
    x->plans = p;
    p->call.group = coll_group_retain(&call->group);
    struct coll_group_record *g = coll_group_find(x, NULL, call);
    const struct coll_hosts *hosts = coll_group_hosts(g);
    struct coll_call persistent = *call;
    persistent.nonblocking = true;
    coll_select_choose(&x->select, &persistent, hosts, coll_group_network(g), &p->chosen);
    coll_schedule_init(&p->schedule, call, &p->call, &x->buffers, hosts, &p->chosen.tuning);
    if (x->runtime->nowhere && x->runtime->nowhere(r))
        coll_schedule_nowhere(&p->schedule);
    p->schedule.network = coll_group_network(g);
    if (p->chosen.islands)
        p->schedule.islands = coll_group_islands(g, call->operator.ordered);
    if (!coll_select_learns(call->op, p->chosen.build))
        build_all(p);
    return p;
}

void coll_exec_plan_free(struct coll_plan *p)
{
    struct base_buffers *b = &p->exec->buffers;
    if (p->steps) {
        base_buffers_put(b, p->steps, p->steps_cap * sizeof *p->steps);
        base_buffers_put(b, p->schedule.steps, p->schedule.cap * sizeof *p->steps);
    }
    if (p->round)
        base_buffers_put(b, p->round, p->rounds_cap * sizeof *p->round);
    if (p->schedule.temp)
        base_buffers_put(b, p->schedule.temp, p->schedule.temp_bytes);
    *p->link = p->next;
    if (p->next)
        p->next->link = p->link;
    coll_group_release(&p->call.group);
    base_pool_put(&p->exec->plan_pool, p);
}

/* --- being started ---------------------------------------------------------------------------------- */

bool coll_plan_next(struct coll_schedule *s, uint32_t round)
{
    const struct coll_plan *p = s->plan;
    if (round >= p->rounds)
        return false;
    const struct coll_plan_round *k = &p->round[round];
    memcpy(s->steps, &p->steps[k->first], k->n * sizeof *s->steps);
    s->n = k->n;
    s->receives = k->receives;
    s->unsorted = k->unsorted;
    return true;
}

coll_build_fn coll_plan_algorithm(const struct coll_member *m)
{
    return m->schedule.plan ? m->schedule.plan->chosen.build : m->build;
}
