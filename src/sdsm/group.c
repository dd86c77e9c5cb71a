/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * group: the requests of one message, for chunks of a chain, which a home grants one after the other: the
 * next one is queued when the one before it is granted.
 */
#include <stdlib.h>

#include "sdsm/internal.h"

struct group {
    uint64_t client;
    bool led; /* one that others follow has been taken, and not granted */
    struct sat_pending *first, **last;
};

void sat_pending_append(struct sat_pending ***last, struct sat_pending *p)
{
    p->next = NULL;
    **last = p;
    *last = &p->next;
}

struct sat_pending *sat_pending_new(const struct sat_record *r)
{
    struct sat_pending *p = sat_alloc(sizeof *p);
    p->record = *r;
    return p;
}

static struct group *group_of(const struct sat_record *r)
{
    struct group *g = sat_table_find(&sdsm->groups, (uint64_t)r->client);
    if (!g) {
        g = sat_alloc(sizeof *g);
        g->client = (uint64_t)r->client;
        g->last = &g->first;
        sat_table_add(&sdsm->groups, g);
    }
    return g;
}

/* A request that follows another one: if that is not granted yet, it is kept until then. */
void sat_group_follow(const struct sat_record *r)
{
    struct group *g = group_of(r);
    sat_pending_append(g->led ? &g->last : &sdsm->last_ready, sat_pending_new(r));
}

/* A request that leads others was granted. */
void sat_group_next(const struct sat_record *r)
{
    struct group *g = group_of(r);
    struct sat_pending *p = g->first;
    g->led = p && (p->record.flags & SAT_LEADS);
    if (!p)
        return;
    g->first = p->next;
    if (!p->next)
        g->last = &g->first;
    sat_pending_append(&sdsm->last_ready, p);
}

void sat_group_lead(const struct sat_record *r)
{
    group_of(r)->led = true;
}

struct sat_pending *sat_group_ready(void)
{
    struct sat_pending *p = sdsm->ready;
    if (!p)
        return NULL;
    sdsm->ready = p->next;
    if (!p->next)
        sdsm->last_ready = &sdsm->ready;
    return p;
}

void sat_groups_release(void)
{
    sat_table_clear(&sdsm->groups, free);
}
