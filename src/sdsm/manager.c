/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * manager: rendezvous, barriers, locks and signals, at the server that their id names.
 *
 *   rendezvous   a wake-up that finds nobody is kept for the next one who comes, unless --sat-rendezvous=edge
 *   barrier      the n-th who comes wakes all; it can be used again at once
 *   lock         in order of arrival; those who only read share it. It has the data of the chunks that are
 *                bound to it, and gives to each holder what is newer than what that one has.
 */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

enum kind { RENDEZVOUS = 1, BARRIER, LOCK, SIGNAL };

struct sleeper {
    struct sleeper *next;
    struct sat_record record;
    char versions[]; /* a lock's: what the client has of the bound chunks */
};

struct object {
    uint64_t id; /* kind << 32 | id */
    struct sleeper *first, **last;
    uint64_t n, expected; /* barrier: how many have come, and are to come */
    bool kept;
    double woken;               /* rendezvous: when last; < 0: never */
    struct sat_member *holders; /* of a lock; subscribers of a signal */
    size_t n_holders;
    void *data; /* struct sat_store by chunk */
};

static enum kind kind_of(int request)
{
    switch (request) {
    case SAT_RENDEZVOUS:
    case SAT_WAKEUP:
        return RENDEZVOUS;
    case SAT_BARRIER:
        return BARRIER;
    case SAT_LOCK:
    case SAT_UNLOCK:
        return LOCK;
    default:
        return SIGNAL;
    }
}

uint64_t sat_object_id(int request, uint64_t id)
{
    return (uint64_t)kind_of(request) << 32 | id;
}

static struct object *object_of(const struct sat_record *r)
{
    uint64_t id = sat_object_id(r->request, r->chunk);
    struct object *o = sat_table_find(&sdsm->objects, id);
    if (!o) {
        o = sat_alloc(sizeof *o);
        o->id = id;
        o->last = &o->first;
        o->woken = -1;
        sat_table_add(&sdsm->objects, o);
    }
    return o;
}

static void sleep_at(struct object *o, const struct sat_record *r, const char *data)
{
    struct sleeper *s = sat_alloc(sizeof *s + r->bytes);
    s->record = *r;
    if (data)
        memcpy(s->versions, data, r->bytes);
    *o->last = s;
    o->last = &s->next;
}

static struct sleeper *take_first(struct object *o)
{
    struct sleeper *s = o->first;
    o->first = s->next;
    if (!o->first)
        o->last = &o->first;
    return s;
}

static void go(const struct sat_record *r, const char *data, uint64_t bytes)
{
    struct sat_record answer = *r;
    answer.chunk = sat_object_id(r->request, r->chunk);
    answer.request = SAT_GO;
    answer.bytes = bytes;
    sat_to_client(r->client, r->server, &answer, data);
}

static void wake_all(struct object *o)
{
    while (o->first) {
        struct sleeper *s = take_first(o);
        go(&s->record, NULL, 0);
        free(s);
    }
}

/* --- rendezvous, barriers ------------------------------------------------------------------------- */

static void rendezvous(struct object *o, const struct sat_record *r)
{
    if (!o->kept) {
        sleep_at(o, r, NULL);
        return;
    }
    o->kept = false;
    go(r, NULL, 0);
}

static void wake_up(struct object *o)
{
    o->woken = MPI_Wtime() - sdsm->started;
    if (!o->first)
        o->kept = !sdsm->options.edge;
    wake_all(o);
}

static void arrive(struct object *o, const struct sat_record *r)
{
    if (o->n && o->expected != r->argument)
        sat_fail(SAT_STATUS_WRONG, NULL,
                 "barrier %llu is of %llu processes by process %d (%s), and of %llu by process "
                 "%d (%s)",
                 (unsigned long long)r->chunk, (unsigned long long)o->expected, o->first->record.client,
                 o->first->record.place, (unsigned long long)r->argument, r->client, r->place);
    sleep_at(o, r, NULL);
    o->expected = r->argument;
    if (++o->n < o->expected)
        return;
    o->n = 0;
    wake_all(o);
}

/* --- locks ---------------------------------------------------------------------------------------- */

static struct sat_store *data_of(struct object *o, const struct sat_bound *b, const struct sat_record *r)
{
    struct sat_store *s = sat_table_find(&o->data, b->id);
    if (s && s->size != b->size)
        sat_fail(SAT_STATUS_WRONG, NULL,
                 "chunk %llu, bound to lock %llu, has %llu bytes, and %llu by process %d (%s)",
                 (unsigned long long)b->id, (unsigned long long)r->chunk, (unsigned long long)s->size,
                 (unsigned long long)b->size, r->client, r->place);
    return s;
}

/* The bound chunks of which the lock has newer data than the client. */
static char *newer(struct object *o, const struct sleeper *s, uint64_t *bytes)
{
    char *out = NULL;
    *bytes = 0;
    for (uint64_t at = 0; at < s->record.bytes; at += sizeof(struct sat_bound)) {
        const struct sat_bound *has = (const void *)(s->versions + at);
        const struct sat_store *d = data_of(o, has, &s->record);
        if (!d || 1 + d->version == has->version)
            continue;
        out = sat_bound_add(out, bytes, &(struct sat_bound){d->id, 1 + d->version, d->size}, d->data);
    }
    return out;
}

static bool may_have(const struct object *o, const struct sat_record *r)
{
    return !o->n_holders || (r->mode == SAT_READ && o->holders[0].mode == SAT_READ);
}

static void give(struct object *o)
{
    while (o->first && may_have(o, &o->first->record)) {
        struct sleeper *s = take_first(o);
        uint64_t bytes;
        char *data = newer(o, s, &bytes);
        sat_member_add(&o->holders, &o->n_holders, &s->record);
        go(&s->record, data, bytes);
        free(data);
        free(s);
    }
}

static void take_back(struct object *o, const struct sat_record *r, const char *data)
{
    const char *at = data, *end = data ? data + r->bytes : NULL, *bytes;
    for (const struct sat_bound *b; (b = sat_bound_next(&at, end, &bytes));) {
        struct sat_store *s = data_of(o, b, r);
        if (!s) {
            s = sat_alloc(sizeof *s);
            s->id = b->id;
            s->size = b->size;
            s->data = sat_alloc(b->size);
            sat_table_add(&o->data, s);
        }
        s->version = b->version - 1;
        memcpy(s->data, bytes, b->size);
    }
    sat_member_remove(o->holders, &o->n_holders, r->client);
    give(o);
}

/* --- signals -------------------------------------------------------------------------------------- */

static void subscribe(struct object *o, const struct sat_record *r)
{
    struct sat_record answer = *r;
    if (!sat_member_has(o->holders, o->n_holders, r->client))
        sat_member_add(&o->holders, &o->n_holders, r);
    answer.request = SAT_SUBSCRIBED;
    sat_to_client(r->client, r->server, &answer, NULL);
}

static void publish(const struct object *o, const struct sat_record *r)
{
    struct sat_record notice = {.chunk = r->chunk, .request = SAT_NOTIFY, .flags = SAT_OF_SIGNAL};
    for (size_t k = 0; k < o->n_holders; k++)
        sat_to_client(o->holders[k].client, o->holders[k].server, &notice, NULL);
}

void sat_manager_handle(const struct sat_record *r, const char *data)
{
    struct object *o = object_of(r);
    switch (r->request) {
    case SAT_RENDEZVOUS:
        rendezvous(o, r);
        break;
    case SAT_WAKEUP:
        wake_up(o);
        break;
    case SAT_BARRIER:
        arrive(o, r);
        break;
    case SAT_LOCK:
        sleep_at(o, r, data);
        give(o);
        break;
    case SAT_UNLOCK:
        take_back(o, r, data);
        break;
    case SAT_SUBSCRIBE:
        subscribe(o, r);
        break;
    case SAT_UNSUBSCRIBE:
        sat_member_remove(o->holders, &o->n_holders, r->client);
        break;
    default:
        publish(o, r);
    }
}

/* --- reports, the end ----------------------------------------------------------------------------- */

static void tell(void *thing, void *ctx)
{
    static const char *const kinds[] = {"", "rendezvous", "barrier", "lock", "signal"};
    const struct object *o = thing;
    enum kind kind = (enum kind)(o->id >> 32);
    if (!o->first)
        return;
    sat_text_add(ctx, "%s %u:", kinds[kind], (uint32_t)o->id);
    if (kind == BARRIER)
        sat_text_add(ctx, " %llu of %llu have come;", (unsigned long long)o->n,
                     (unsigned long long)o->expected);
    for (size_t k = 0; k < o->n_holders; k++)
        sat_text_add(ctx, " held by process %d (%s);", o->holders[k].client, o->holders[k].place);
    if (kind == RENDEZVOUS && o->woken >= 0)
        sat_text_add(ctx, " last woken at %.9f s, when nobody slept;", o->woken);
    for (const struct sleeper *s = o->first; s; s = s->next)
        sat_text_add(ctx, "%s process %d (%s)", s == o->first ? " waited for by" : ",", s->record.client,
                     s->record.place);
    sat_text_add(ctx, "\n");
}

void sat_manager_tell(struct sat_text *t)
{
    sat_table_each(sdsm->objects, tell, t);
}

static void release_data(void *thing)
{
    struct sat_store *s = thing;
    free(s->data);
    free(s);
}

static void release_object(void *thing)
{
    struct object *o = thing;
    sat_table_clear(&o->data, release_data);
    free(o->holders);
    free(o);
}

void sat_manager_release(void)
{
    sat_table_clear(&sdsm->objects, release_object);
}
