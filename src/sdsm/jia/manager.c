/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * manager: locks, barriers, condition variables and mailboxes, each at the server that its number names.
 *
 * A lock remembers which pages were written by whom in which of its releases since the last barrier, and
 * which release each client has seen. The next holder is told of the pages that others have written since.
 * All of that is forgotten when a client comes that has passed a barrier since.
 */
#include <stdlib.h>
#include <string.h>

#include "sdsm/jia/parts.h"

struct sleeper {
    struct sleeper *next;
    struct sat_record record;
    char data[];
};

struct object {
    uint64_t id; /* kind << 32 | number */
    struct sleeper *first, **last;
    struct jia_runs runs;
    uint32_t epoch, *seen; /* releases; the last one that each process has seen */
    uint64_t barriers;     /* that clients had passed who came last */
    int holder;            /* of a lock; -1: nobody */
    int n;                 /* clients that have come to a barrier */
    bool set;              /* a condition variable */
};

enum kind { LOCK, BARRIER, WAIT, CONDITION, MAILBOX, KINDS };
static void *objects;

static enum kind kind_of(int request)
{
    switch (request) {
    case SAT_JIA_LOCK:
    case SAT_JIA_UNLOCK:
        return LOCK;
    case SAT_JIA_BARRIER:
        return BARRIER;
    case SAT_JIA_WAIT:
        return WAIT;
    case SAT_JIA_SEND:
    case SAT_JIA_RECEIVE:
        return MAILBOX;
    default:
        return CONDITION;
    }
}

static struct object *object_of(const struct sat_record *r)
{
    uint64_t id = (uint64_t)kind_of(r->request) << 32 | r->chunk;
    struct object *o = sat_table_find(&objects, id);
    if (!o) {
        o = sat_alloc(sizeof *o);
        *o = (struct object){.id = id, .holder = -1, .last = &o->first};
        o->seen = sat_alloc((size_t)sdsm->np * sizeof *o->seen);
        sat_table_add(&objects, o);
    }
    if (r->version > o->barriers) {
        o->barriers = r->version;
        if (kind_of(r->request) != BARRIER)
            jia_runs_release(&o->runs);
    }
    return o;
}

/* --- queues --------------------------------------------------------------------------------------- */

static void sleep_at(struct object *o, const struct sat_record *r, const char *data)
{
    struct sleeper *s = sat_alloc(sizeof *s + (data ? r->bytes : 0));
    s->record = *r;
    if (data)
        memcpy(s->data, data, r->bytes);
    *o->last = s;
    o->last = &s->next;
}

static struct sleeper *take(struct object *o, struct sleeper **link)
{
    struct sleeper *s = *link;
    *link = s->next;
    if (!s->next)
        o->last = link;
    return s;
}

static void go(const struct sat_record *r, const void *data, uint64_t bytes)
{
    struct sat_record answer = *r;
    answer.request = SAT_JIA_GO;
    answer.bytes = bytes;
    sat_to_client(r->client, r->server, &answer, data);
}

/* With what others have written. */
static void go_with_notices(struct object *o, const struct sat_record *r)
{
    size_t n = jia_runs_for(&o->runs, r->client, o->seen[r->client], NULL);
    struct jia_notice *out = sat_alloc((n ? n : 1) * sizeof *out);
    jia_runs_for(&o->runs, r->client, o->seen[r->client], out);
    go(r, out, n * sizeof *out);
    free(out);
}

static void add_notices(struct object *o, const struct sat_record *r, const char *data, bool several)
{
    if (!jia_notices_valid((const void *)data, r->bytes, UINT32_MAX))
        sat_fail(1, NULL, "bug: bad notices of process %d", r->client);
    jia_runs_add(&o->runs, (const void *)data, r->bytes / sizeof(struct jia_notice), r->client, o->epoch,
                 several);
}

/* --- locks ---------------------------------------------------------------------------------------- */

static void give(struct object *o)
{
    if (o->holder >= 0 || !o->first)
        return;
    struct sleeper *s = take(o, &o->first);
    o->holder = s->record.client;
    go_with_notices(o, &s->record);
    o->seen[o->holder] = o->epoch;
    free(s);
}

static void unlock(struct object *o, const struct sat_record *r, const char *data)
{
    o->epoch++;
    add_notices(o, r, data, false);
    o->seen[r->client] = o->epoch;
    o->holder = -1;
    give(o);
}

/* --- barriers ------------------------------------------------------------------------------------- */

static void check_calls(const struct object *o, const struct sat_record *r)
{
    const struct sat_record *first = &o->first->record;
    if (first->argument != r->argument)
        sat_fail(
            SAT_STATUS_WRONG, NULL,
            "jia_barrier: processes %d and %d have allocated shared memory differently: expected the same "
            "calls, with the same arguments, in all processes",
            first->client, r->client);
}

static void arrive(struct object *o, const struct sat_record *r, const char *data)
{
    o->epoch = 1;
    sleep_at(o, r, NULL);
    if (r->request == SAT_JIA_BARRIER) {
        check_calls(o, r);
        add_notices(o, r, data, true);
    }
    if (++o->n < sdsm->n_clients)
        return;
    o->n = 0;
    while (o->first) {
        struct sleeper *s = take(o, &o->first);
        go_with_notices(o, &s->record);
        free(s);
    }
    jia_runs_release(&o->runs);
}

/* --- condition variables --------------------------------------------------------------------------- */

static void pass(struct object *o, const struct sat_record *r)
{
    go_with_notices(o, r);
    o->seen[r->client] = o->epoch;
}

static void set(struct object *o, const struct sat_record *r, const char *data)
{
    o->set = true;
    o->epoch++;
    add_notices(o, r, data, true); /* who sets it may not have seen what others have written */
    while (o->first) {
        struct sleeper *s = take(o, &o->first);
        pass(o, &s->record);
        free(s);
    }
}

/* --- mailboxes ------------------------------------------------------------------------------------ */

/* A mailbox holds messages, or the request of its owner for one that is not there. */
static void exchange(struct object *o, const struct sat_record *r, const char *data)
{
    for (struct sleeper **link = &o->first; *link; link = &(*link)->next) {
        struct sleeper *s = *link;
        if (s->record.argument != r->argument || s->record.request == r->request)
            continue;
        take(o, link);
        if (r->request == SAT_JIA_SEND)
            go(&s->record, data, r->bytes);
        else
            go(r, s->data, s->record.bytes);
        free(s);
        return;
    }
    sleep_at(o, r, data);
}

/* --- all ------------------------------------------------------------------------------------------ */

void jia_manage(const struct sat_record *r, const char *data)
{
    struct object *o = object_of(r);
    switch (r->request) {
    case SAT_JIA_LOCK:
        sleep_at(o, r, NULL);
        give(o);
        break;
    case SAT_JIA_UNLOCK:
        unlock(o, r, data);
        break;
    case SAT_JIA_BARRIER:
    case SAT_JIA_WAIT:
        arrive(o, r, data);
        break;
    case SAT_JIA_SET:
        set(o, r, data);
        break;
    case SAT_JIA_RESET:
        o->set = false;
        break;
    case SAT_JIA_AWAIT:
        if (o->set)
            pass(o, r);
        else
            sleep_at(o, r, NULL);
        break;
    default:
        exchange(o, r, data);
    }
}

static void tell(void *thing, void *ctx)
{
    static const char *const kinds[KINDS] = {"lock", "barrier", "jia_wait", "condition variable",
                                             "messages for host"};
    const struct object *o = thing;
    if (!o->first)
        return;
    sat_text_add(ctx, "%s %u:", kinds[o->id >> 32], (uint32_t)o->id);
    if (o->holder >= 0)
        sat_text_add(ctx, " held by process %d;", o->holder);
    if (o->n)
        sat_text_add(ctx, " %d of %d have come;", o->n, sdsm->n_clients);
    for (const struct sleeper *s = o->first; s; s = s->next)
        sat_text_add(ctx, "%s process %d", s == o->first ? " waited for by" : ",", s->record.client);
    sat_text_add(ctx, "\n");
}

void jia_manager_tell(struct sat_text *t)
{
    sat_table_each(objects, tell, t);
}

static void release(void *thing)
{
    struct object *o = thing;
    while (o->first)
        free(take(o, &o->first));
    jia_runs_release(&o->runs);
    free(o->seen);
    free(o);
}

void jia_manager_release(void)
{
    sat_table_clear(&objects, release);
}
