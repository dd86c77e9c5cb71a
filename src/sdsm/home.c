/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * home: the directory of the chunks that have their home here. Requests wait in the order of their arrival;
 * the first one is granted when its protocol says so and the data that it needs are at hand. A request that
 * cannot be granted yet for a reason of its own (nobody has said the chunk's size, there is no newer version)
 * does not hold up the others.
 */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

/* --- the directory -------------------------------------------------------------------------------- */

static void check_same(struct sat_dir *d, const struct sat_record *r)
{
    if (d->protocol != sat_protocols[r->protocol])
        sat_fail(SAT_STATUS_WRONG, NULL,
                 "chunk %llu has protocol %s by process %d (%s), and %s by process %d (%s)",
                 (unsigned long long)d->id, d->protocol->name, d->declared_by, d->declared_at,
                 sat_protocols[r->protocol]->name, r->client, r->place);
    if (d->size && r->size && d->size != r->size)
        sat_fail(SAT_STATUS_WRONG, NULL,
                 "chunk %llu has %llu bytes by process %d (%s), and %llu by process %d (%s)",
                 (unsigned long long)d->id, (unsigned long long)d->size, d->declared_by, d->declared_at,
                 (unsigned long long)r->size, r->client, r->place);
}

struct sat_dir *sat_dir_of(const struct sat_record *r)
{
    struct sat_dir *d = sat_table_find(&sdsm->dirs, r->chunk);
    if (!d) {
        d = sat_alloc(sizeof *d);
        d->id = r->chunk;
        d->protocol = sat_protocols[r->protocol];
        d->writer.client = -1;
        d->owner = sdsm->id;
        d->last = &d->pending;
        sat_table_add(&sdsm->dirs, d);
    }
    check_same(d, r);
    if (!d->size) {
        d->size = r->size;
        d->declared_by = r->client;
        memcpy(d->declared_at, r->place, sizeof d->declared_at);
    }
    return d;
}

/* --- granting ------------------------------------------------------------------------------------- */

/* Does the client have data that may be newer than the home knows? */
static bool is_holder(const struct sat_dir *d, const struct sat_record *r)
{
    return d->protocol->quiet && sat_member_has(d->holders, d->n_holders, r->client);
}

static bool client_needs_data(const struct sat_dir *d, const struct sat_record *r)
{
    if (is_holder(d, r))
        return false;
    bool has = (r->flags & SAT_HAS_DATA) && r->version == d->version;
    return r->mode != SAT_WRITE && d->version && !has;
}

static bool server_needs_data(const struct sat_dir *d, const struct sat_record *r)
{
    return client_needs_data(d, r) && r->here != 1 + d->version && r->server != d->owner &&
           r->server != sdsm->id;
}

/* Are the data of the newest version here, if the request needs them? If not, they are fetched. */
static bool has_data_for(struct sat_dir *d, const struct sat_record *r)
{
    const struct sat_store *s = sat_store_find(d->id);
    if (!client_needs_data(d, r) || (s && s->version == d->version))
        return true;
    if (!server_needs_data(d, r) && r->server != sdsm->id)
        return true;
    if (!d->fetching) {
        struct sat_record ask = {.chunk = d->id,
                                 .request = SAT_REQ_FETCH,
                                 .version = d->version,
                                 .protocol = r->protocol,
                                 .client = r->client,
                                 .server = r->server,
                                 .home = sdsm->id};
        d->fetching = true;
        sat_send(d->owner, &ask, NULL);
    }
    return false;
}

/* --- answers -------------------------------------------------------------------------------------- */

static void reply(const struct sat_dir *d, const struct sat_record *r)
{
    struct sat_record answer = *r;
    answer.request = r->request == SAT_REQ_SIZE ? SAT_REP_SIZE : SAT_SUBSCRIBED;
    answer.size = d->size;
    sat_to_client(r->client, r->server, &answer, NULL);
}

static void grant(struct sat_dir *d, const struct sat_record *r)
{
    struct sat_record answer = *r;
    const char *data = NULL;
    const struct sat_store *s = sat_store_find(d->id);
    SAT_LOG("retrieve chunk %llu version %llu entry version %llu", (unsigned long long)d->id,
            (unsigned long long)r->version, (unsigned long long)d->version);
    answer.request = r->request == SAT_SERVER_REQ_READ ? SAT_REP_READ : SAT_REP_WRITE;
    answer.version = d->version;
    answer.size = d->size;
    answer.flags = (uint8_t)((d->n_subscribers ? SAT_OBSERVED : 0) | (is_holder(d, r) ? SAT_HOLDER : 0));
    if (client_needs_data(d, r))
        answer.flags |= SAT_WITH_DATA;
    if (server_needs_data(d, r)) {
        data = s->data;
        answer.bytes = d->size;
    }
    d->protocol->admit(d, r);
    sat_to_client(r->client, r->server, &answer, data);
    if (r->flags & SAT_LEADS)
        sat_group_next(r);
}

/* Its holder may not know yet that the chunk has subscribers, and would not tell of its scopes. */
static bool is_unobserved(const struct sat_dir *d)
{
    return d->asked && d->n_holders && d->holders[0].client == d->asked - 1;
}

static bool is_parked(const struct sat_dir *d, const struct sat_record *r)
{
    if (r->request == SAT_SUBSCRIBE)
        return is_unobserved(d);
    return !d->size || ((r->flags & SAT_NEWER) && d->version <= r->argument);
}

static bool serve(struct sat_dir *d, const struct sat_record *r)
{
    if (r->request == SAT_REQ_SIZE || r->request == SAT_SUBSCRIBE) {
        reply(d, r);
        return true;
    }
    if (!d->protocol->prepare(d, r) || !has_data_for(d, r))
        return false;
    grant(d, r);
    return true;
}

void sat_home_serve(struct sat_dir *d)
{
    for (struct sat_pending **at = &d->pending, *p; (p = *at);) {
        if (is_parked(d, &p->record)) {
            at = &p->next;
            continue;
        }
        if (!serve(d, &p->record))
            return;
        *at = p->next;
        if (!p->next)
            d->last = at;
        free(p);
    }
}

static void enqueue(struct sat_dir *d, struct sat_pending *p)
{
    sat_pending_append(&d->last, p);
    if (p->record.flags & SAT_LEADS)
        sat_group_lead(&p->record);
    sat_home_serve(d);
}

/* A request for something other than a scope does not wait for scopes. */
static void enqueue_question(struct sat_dir *d, const struct sat_record *r)
{
    struct sat_pending *p = sat_pending_new(r);
    p->next = d->pending;
    if (!d->pending)
        d->last = &p->next;
    d->pending = p;
    sat_home_serve(d);
}

/* --- releases, subscriptions ---------------------------------------------------------------------- */

void sat_home_notify(struct sat_dir *d)
{
    struct sat_record notice = {.chunk = d->id, .version = d->version, .request = SAT_NOTIFY};
    for (size_t k = 0; k < d->n_subscribers; k++)
        sat_to_client(d->subscribers[k].client, d->subscribers[k].server, &notice, NULL);
}

static void release(struct sat_dir *d, const struct sat_record *r, const char *data)
{
    SAT_LOG("RELEASE state %d client %d chunk %llu version %llu metadata version %llu",
            r->mode == SAT_READ ? SAT_IS_SHARED : SAT_EXCLUSIVE, r->client, (unsigned long long)d->id,
            (unsigned long long)r->version, (unsigned long long)d->version);
    if (data && d->protocol->data_to_home)
        sat_store_put(d->id, r->version, d->size, data);
    d->protocol->ended(d, r, data);
    if (r->mode != SAT_READ)
        sat_home_notify(d);
    sat_home_serve(d);
}

static void ask_to_tell(struct sat_dir *d)
{
    const struct sat_member *holder = &d->holders[0];
    struct sat_record ask = {.chunk = d->id,
                             .request = SAT_REQ_OBSERVE,
                             .protocol = sat_protocol_number(d->protocol),
                             .home = sdsm->id};
    d->asked = 1 + holder->client;
    sat_to_client(holder->client, holder->server, &ask, NULL);
}

/* Answered when the ends of all later writing scopes will be heard of here: first, a holder that need not
 * tell of them is asked to. It may be in a scope that ends only after the subscription. */
static void subscribe(struct sat_dir *d, const struct sat_record *r)
{
    sat_member_add(&d->subscribers, &d->n_subscribers, r);
    if (d->protocol->quiet && d->n_holders)
        ask_to_tell(d);
    enqueue_question(d, r);
}

static void will_tell(struct sat_dir *d, const struct sat_record *r)
{
    if (d->asked == 1 + r->client)
        d->asked = 0;
    sat_home_serve(d);
}

void sat_home_handle(const struct sat_record *r, const char *data)
{
    struct sat_dir *d = sat_dir_of(r);
    if (!sdsm->last_ready)
        sdsm->last_ready = &sdsm->ready;
    switch (r->request) {
    case SAT_SERVER_REQ_RELEASE:
        release(d, r, data);
        break;
    case SAT_REP_FETCH:
        d->fetching = false;
        sat_store_put(d->id, r->version, d->size, data);
        sat_home_serve(d);
        break;
    case SAT_REP_INVALIDATE:
    case SAT_LEAVE:
        d->protocol->answered(d, r, data);
        sat_home_serve(d);
        break;
    case SAT_SUBSCRIBE:
        subscribe(d, r);
        break;
    case SAT_REP_OBSERVE:
        will_tell(d, r);
        break;
    case SAT_REQ_SIZE:
        enqueue_question(d, r);
        break;
    case SAT_UNSUBSCRIBE:
        sat_member_remove(d->subscribers, &d->n_subscribers, r->client);
        break;
    default:
        if (r->flags & SAT_FOLLOWS)
            sat_group_follow(r);
        else
            enqueue(d, sat_pending_new(r));
    }
    for (struct sat_pending *p; (p = sat_group_ready());)
        enqueue(sat_dir_of(&p->record), p);
}

static void release_dir(void *thing)
{
    struct sat_dir *d = thing;
    for (struct sat_pending *p = d->pending, *next; p; p = next) {
        next = p->next;
        free(p);
    }
    free(d->readers);
    free(d->holders);
    free(d->subscribers);
    free(d);
}

void sat_homes_release(void)
{
    sat_groups_release();
    sat_table_clear(&sdsm->dirs, release_dir);
}
