/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * group: where the members of a collective meet. Finds the group of a call, numbers each member's calls, and
 * keeps the running instances in a ring by number. Members that meet with different calls: report.c.
 */
#include "coll/exec.h"

#include <stdlib.h>
#include <string.h>

static void (*on_call)(struct rank *r, const struct coll_call *call);

void coll_on_call(void (*fn)(struct rank *r, const struct coll_call *call))
{
    on_call = fn;
}

static struct coll_group_id id_of(const struct coll_group *g)
{
    BASE_ASSERT("C9", g->id || !g->list);
    if (g->id)
        return (struct coll_group_id){.id = g->id};
    return (struct coll_group_id){0, g->first, g->stride, g->size};
}

static bool same_id(const struct coll_group_id *a, const struct coll_group_id *b)
{
    return !memcmp(a, b, sizeof *a);
}

static struct coll_group_record *find(const struct coll_exec *x, const struct coll_group_id *id)
{
    struct coll_group_record **g = base_table_find_bytes(&x->groups, id, sizeof *id);
    return g ? *g : NULL;
}

struct coll_group_record *coll_group_find(struct coll_exec *x, struct coll_group_record *last,
                                          const struct coll_call *call)
{
    struct coll_group_record *g;
    const struct coll_group *key = &call->group;
    struct coll_group_id id = id_of(key);
    if (last && same_id(&last->id, &id))
        return last;
    g = find(x, &id);
    if (g)
        return g;
    g = base_zalloc(sizeof *g, "a group of a collective");
    g->key = coll_group_retain(key);
    g->id = id;
    g->exec = x;
    g->transport = call->transport;
    g->seats = base_zalloc(key->size * sizeof *g->seats, "the seats of a group");
    *(struct coll_group_record **)base_table_add_bytes(&x->groups, &g->id, sizeof g->id, NULL) = g;
    return g;
}

static struct coll_instance **slot(struct coll_group_record *g, uint64_t number)
{
    return &g->ring[number & (g->cap - 1)];
}

static void drop(struct coll_message_list *list)
{
    for (struct coll_message *msg = list->first, *next; msg; msg = next) {
        next = msg->next;
        coll_message_destroy(msg);
    }
}

/* A job may end in the middle of collectives: what is larger than a pool's object is given back one by
 * one. */
static void drop_running(struct coll_group_record *g)
{
    for (uint32_t p = 0; p < g->key.size; p++) {
        drop(&g->seats[p].unexpected);
        for (struct coll_member *m = g->seats[p].active; m; m = m->next) {
            drop(&m->early);
            drop(&m->later);
            for (uint32_t k = 0; k < m->schedule.receives; k++)
                if (m->schedule.steps[k].state != COLL_DONE && m->schedule.steps[k].message)
                    coll_message_destroy(m->schedule.steps[k].message);
            coll_memory_drop(m);
            coll_schedule_release(&m->schedule);
        }
    }
    for (uint64_t k = g->base; k < g->end; k++) {
        if (*slot(g, k))
            coll_order_release(*slot(g, k));
        /* that some members never called, though all may have ended */
        if (*slot(g, k) && (*slot(g, k))->entered < g->key.size)
            base_pool_put(&g->exec->instances, *slot(g, k));
    }
}

static void release(struct coll_group_record *g)
{
    drop_running(g);
    free(g->seats);
    free(g->ring);
    free(g->hosts);
    free(g->islands);
    coll_group_release(&g->key);
    free(g);
}

void coll_records_release(struct coll_exec *x)
{
    uint32_t at = 0;
    for (struct coll_group_record *g; (g = coll_group_next(x, &at));)
        release(g);
    base_table_release(&x->groups);
}

struct coll_group_record *coll_record_of(const struct coll_exec *x, const struct coll_group *key)
{
    struct coll_group_id id = id_of(key);
    return find(x, &id);
}

void coll_record_forget(struct coll_group_record *g)
{
    g->forgotten = true;
    if (g->base < g->end)
        return;
    base_table_remove_bytes(&g->exec->groups, &g->id, sizeof g->id);
    release(g);
}

/* --- instances ---------------------------------------------------------------------------------- */

static void widen(struct coll_group_record *g)
{
    struct coll_group_record old = *g;
    g->cap = g->cap ? g->cap * 2 : 4;
    g->ring = base_zalloc(g->cap * sizeof *g->ring, "running collectives");
    for (uint64_t k = old.base; k < old.end; k++)
        *slot(g, k) = *slot(&old, k);
    free(old.ring);
}

/* Number `g->end` begins with the first call of that number. */
static struct coll_instance *begin(struct coll_group_record *g, const struct coll_call *call)
{
    if (g->end - g->base == g->cap)
        widen(g);
    struct coll_instance *i = base_pool_get(&g->exec->instances);
    *i = (struct coll_instance){.group = g,
                                .number = g->end++,
                                .meeting = ++g->exec->meetings,
                                .first_place = call->me,
                                .plain = !coll_is_two_sided(call->transport) &&
                                         !coll_operator_is_user(call->operator),
                                .even = coll_op_is_even(call->op),
                                .first = *call};
    i->first.local = NULL; /* the member's, which may leave before others come; so is its group's list */
    i->first.group = g->key;
    *slot(g, i->number) = i;
    return i;
}

void coll_group_leave(struct coll_instance *i)
{
    struct coll_group_record *g = i->group;
    if (++i->left < g->key.size)
        return;
    *slot(g, i->number) = NULL;
    while (g->base < g->end && !*slot(g, g->base))
        g->base++;
    coll_order_release(i);
    base_pool_put(&g->exec->instances, i);
    if (BASE_UNLIKELY(g->forgotten))
        coll_record_forget(g);
}

struct coll_instance *coll_group_enter(struct coll_group_record *g, const struct coll_call *call,
                                       struct rank *r)
{
    struct coll_seat *seat = &g->seats[call->me];
    uint64_t number = seat->calls++;
    struct coll_instance *i = number == g->end ? begin(g, call) : *slot(g, number);
    BASE_ASSERT("C9", i && i->number == number);
    if (i->entered++)
        coll_report_differences(i, call, r);
    else if (BASE_UNLIKELY(on_call != NULL))
        on_call(r, call);
    return i;
}

/* --- checks ------------------------------------------------------------------------------------- */

static void check_member(const struct coll_member *m, const struct coll_instance *const *ring, uint32_t cap)
{
    uint32_t open = 0;
    BASE_ASSERT("C3", ring[m->instance->number & (cap - 1)] == m->instance);
    for (uint32_t k = 0; k < m->schedule.n; k++) {
        const struct coll_step *s = &m->schedule.steps[k];
        open += s->state != COLL_DONE;
        BASE_ASSERT("C1", s->state == COLL_WAITING || s->state == COLL_HELD || !s->needs);
        BASE_ASSERT("C8", s->state != COLL_WAITING || k >= m->schedule.receives || !s->message || s->needs);
    }
    BASE_ASSERT("C7", m->finished || open == m->remaining);
}

static void check_group(const struct coll_group_record *g)
{
    for (uint64_t k = g->base; k < g->end; k++) {
        const struct coll_instance *i = g->ring[k & (g->cap - 1)];
        BASE_ASSERT("C9", !i || (i->number == k && i->entered <= g->key.size && i->left <= i->entered));
    }
    for (uint32_t p = 0; p < g->key.size; p++) {
        const struct coll_seat *seat = &g->seats[p];
        for (const struct coll_member *m = seat->active; m; m = m->next)
            check_member(m, (const struct coll_instance *const *)g->ring, g->cap);
        for (const struct coll_message *msg = seat->unexpected.first; msg; msg = msg->next)
            BASE_ASSERT("C8", msg->instance->number >= seat->calls && msg->to == p);
    }
}

void coll_exec_check(const struct coll_exec *x)
{
    uint32_t at = 0;
    for (const struct coll_group_record *g; (g = coll_group_next(x, &at));)
        check_group(g);
    base_table_check(&x->groups);
}
