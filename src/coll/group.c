/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * group: where the members of a collective meet. Finds the group of a call, numbers each member's calls,
 * keeps the running instances in a ring by number, and reports members that meet with different calls.
 */
#include "coll/exec.h"

#include <stdlib.h>
#include <string.h>

static struct coll_group_id id_of(const struct coll_group *g)
{
    BASE_ASSERT("C9", g->id || !g->ranks);
    if (g->id)
        return (struct coll_group_id){.id = g->id};
    return (struct coll_group_id){0, g->first, g->stride, g->size};
}

static bool same_id(const struct coll_group_id *a, const struct coll_group_id *b)
{
    return !memcmp(a, b, sizeof *a);
}

struct coll_group_record *coll_group_find(struct coll_exec *x, struct coll_group_record *last,
                                          const struct coll_group *key)
{
    struct coll_group_record *g;
    struct coll_group_id id = id_of(key);
    if (last && same_id(&last->id, &id))
        return last;
    HASH_FIND(hh, x->groups, &id, sizeof id, g);
    if (g)
        return g;
    g = base_zalloc(sizeof *g, "a group of a collective");
    g->key = *key;
    g->id = id;
    g->exec = x;
    g->seats = base_zalloc(key->size * sizeof *g->seats, "the seats of a group");
    HASH_ADD(hh, x->groups, id, sizeof g->id, g);
    return g;
}

static void drop(struct coll_message_list *list)
{
    for (struct coll_message *msg = list->first, *next; msg; msg = next) {
        next = msg->next;
        coll_message_destroy(msg);
    }
}

/* A job may end in the middle of collectives: what is larger than a pool's object is given back one by one. */
static void drop_running(struct coll_group_record *g)
{
    for (uint32_t p = 0; p < g->key.size; p++) {
        drop(&g->seats[p].unexpected);
        for (struct coll_member *m = g->seats[p].active; m; m = m->next) {
            drop(&m->early);
            for (uint32_t k = 0; k < m->schedule.receives; k++)
                if (m->schedule.steps[k].state == COLL_WAITING && m->schedule.steps[k].message)
                    coll_message_destroy(m->schedule.steps[k].message);
            coll_schedule_release(&m->schedule);
        }
    }
}

void coll_group_release(struct coll_exec *x)
{
    struct coll_group_record *g = x->groups, *next;
    HASH_CLEAR(hh, x->groups); /* the table; the records stay linked */
    for (; g; g = next) {
        next = g->hh.next;
        drop_running(g);
        free(g->seats);
        free(g->ring);
        free(g->hosts);
        free(g);
    }
}

/* --- instances ---------------------------------------------------------------------------------- */

static struct coll_instance **slot(struct coll_group_record *g, uint64_t number)
{
    return &g->ring[number & (g->cap - 1)];
}

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
    *i = (struct coll_instance){.group = g, .number = g->end++, .first_place = call->me, .first = *call};
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
    base_pool_put(&g->exec->instances, i);
}

/* --- mismatches --------------------------------------------------------------------------------- */

static bool reduces(enum coll_op op)
{
    return op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN;
}

static bool same_bytes(enum coll_op op)
{
    return op != COLL_COLLECT && op != COLL_BARRIER;
}

/* What differs, or NULL. */
static const char *difference(const struct coll_call *a, const struct coll_call *b)
{
    if (a->op != b->op || (a->name != b->name && strcmp(a->name, b->name)))
        return "functions";
    if (a->op == COLL_BROADCAST && a->root != b->root)
        return "roots";
    if (reduces(a->op) && a->reduce_id != b->reduce_id)
        return "reductions";
    if (same_bytes(a->op) && a->bytes != b->bytes)
        return "sizes";
    if (a->op == COLL_ALLTOALL && (a->element != b->element || a->dest_stride != b->dest_stride ||
                                   a->source_stride != b->source_stride))
        return "strides";
    return NULL;
}

static void describe_call(const struct coll_call *c, char *buf, size_t size)
{
    int n = snprintf(buf, size, "%s", c->name);
    if (same_bytes(c->op))
        n += snprintf(buf + n, size - (size_t)n, ", %zu bytes", c->bytes);
    if (c->op == COLL_BROADCAST)
        n += snprintf(buf + n, size - (size_t)n, ", root %u", c->root);
    if (reduces(c->op))
        n += snprintf(buf + n, size - (size_t)n, ", reduction %u", c->reduce_id);
    if (c->op == COLL_ALLTOALL && (c->dest_stride || c->source_stride))
        snprintf(buf + n, size - (size_t)n, ", elements of %zu bytes %zu (dest) and %zu (source) apart",
                 c->element, c->dest_stride, c->source_stride);
}

/* "rank 5", "ranks 0 to 63", "ranks 0 to 62 in steps of 2", "9 ranks from 3 to 77" */
static void describe_group(const struct coll_group *g, char *buf, size_t size)
{
    uint32_t first = coll_group_rank(g, 0), last = coll_group_rank(g, g->size - 1);
    if (g->size == 1)
        snprintf(buf, size, "rank %u", first);
    else if (g->ranks)
        snprintf(buf, size, "%u ranks from %u to %u", g->size, first, last);
    else if (g->stride == 1)
        snprintf(buf, size, "ranks %u to %u", g->first, last);
    else
        snprintf(buf, size, "ranks %u to %u in steps of %u", g->first, last, g->stride);
}

static void report(const struct coll_instance *i, const struct coll_call *call, struct fold_rank *r,
                   const char *what)
{
    struct coll_exec *x = i->group->exec;
    char mine[160], theirs[160], group[64], text[512];
    describe_call(call, mine, sizeof mine);
    describe_call(&i->first, theirs, sizeof theirs);
    describe_group(&i->group->key, group, sizeof group);
    snprintf(text, sizeof text,
             "the members' %s differ in collective %llu of %s: rank %u calls %s; rank %u called %s", what,
             (unsigned long long)i->number, group, coll_group_rank(&i->group->key, call->me), mine,
             coll_group_rank(&i->group->key, i->first_place), theirs);
    x->transport->mismatch(x->ctx, r, call->name, text);
}

struct coll_instance *coll_group_enter(struct coll_group_record *g, const struct coll_call *call,
                                       struct fold_rank *r)
{
    struct coll_seat *seat = &g->seats[call->me];
    uint64_t number = seat->calls++;
    struct coll_instance *i = number == g->end ? begin(g, call) : *slot(g, number);
    BASE_ASSERT("C9", i && i->number == number);
    const char *what = i->entered++ ? difference(call, &i->first) : NULL;
    if (BASE_UNLIKELY(what))
        report(i, call, r, what);
    return i;
}

/* --- for people --------------------------------------------------------------------------------- */

void coll_exec_describe(const void *arg, char *buf, size_t size)
{
    enum { NAMED = 4 };
    const struct coll_member *m = arg;
    const struct coll_instance *i = m->instance;
    const struct coll_group_record *g = i->group;
    char group[64];
    describe_group(&g->key, group, sizeof group);
    uint32_t missing = g->key.size - i->entered, named = 0;
    int n = snprintf(buf, size, "collective %llu of %s, %u of %u members have not called it%s",
                     (unsigned long long)i->number, group, missing, g->key.size, missing ? ":" : "");
    for (uint32_t p = 0; p < g->key.size && named < missing && named < NAMED; p++)
        if (g->seats[p].calls <= i->number && n > 0 && (size_t)n < size)
            n += snprintf(buf + n, size - (size_t)n, "%s %u", named++ ? "," : " rank",
                          coll_group_rank(&g->key, p));
    if (missing > NAMED && n > 0 && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, ", ...");
}

/* --- checks ------------------------------------------------------------------------------------- */

static void check_member(const struct coll_member *m, const struct coll_instance *const *ring, uint32_t cap)
{
    uint32_t open = 0;
    BASE_ASSERT("C3", ring[m->instance->number & (cap - 1)] == m->instance);
    for (uint32_t k = 0; k < m->schedule.n; k++) {
        const struct coll_step *s = &m->schedule.steps[k];
        open += s->state != COLL_DONE;
        BASE_ASSERT("C1", s->state == COLL_WAITING || !s->needs);
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
    for (const struct coll_group_record *g = x->groups; g; g = g->hh.next)
        check_group(g);
}
