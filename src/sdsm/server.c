/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * server: forwards between clients and homes, keeps data, answers for clients that have ended.
 *
 * A client talks to its own server only. The server gets the data of a writing scope before the home hears of
 * its end, and keeps what passes through it: its clients' next scopes may need no data from elsewhere.
 */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

static void take_upload(const struct sat_record *r, const char *data)
{
    const struct sat_store *s = sat_store_find(r->chunk);
    SAT_LOG("update local chunk %llu@%d version %llu with version %llu", (unsigned long long)r->chunk,
            r->home, (unsigned long long)(s ? s->version : 0), (unsigned long long)r->version);
    sat_store_put(r->chunk, r->version, r->size, data);
}

/* --- clients that have ended ---------------------------------------------------------------------- */

/* Begins with its id, as things in tables do. */
struct ended {
    uint64_t client;
};

static void client_done(const struct sat_record *r)
{
    struct sat_record answer = {.request = SAT_CLIENT_DONE};
    struct ended *e = sat_alloc(sizeof *e);
    e->client = (uint64_t)r->client;
    sat_table_add(&sdsm->ended, e);
    sdsm->done_clients++;
    sat_send(r->client, &answer, NULL);
}

static void server_done(void)
{
    struct sat_record r = {.request = SAT_SERVER_DONE, .server = sdsm->id};
    sat_send(0, &r, NULL);
}

static void shut_all_down(void)
{
    struct sat_record r = {.request = SAT_SHUT_DOWN, .server = sdsm->id};
    for (int k = 0; k < sdsm->n_servers; k++)
        sat_send(sdsm->servers[k], &r, NULL);
}

/* A client that has no copy any more is asked for it. */
static void answer_for(const struct sat_record *r)
{
    struct sat_record answer = *r;
    answer.request = r->request == SAT_REQ_INVALIDATE ? SAT_REP_INVALIDATE : SAT_REP_OBSERVE;
    answer.server = sdsm->id;
    sat_send(r->home, &answer, NULL);
}

/* --- towards clients ------------------------------------------------------------------------------ */

void sat_to_client(int client, int server, const struct sat_record *r, const void *data)
{
    struct sat_record to = *r;
    to.client = client;
    to.server = server;
    sat_send(server, &to, data);
}

/* The grant of a scope: with the home's data, or with those that are here. */
static void deliver_grant(struct sat_record *r, const char *data)
{
    if (data)
        sat_store_put(r->chunk, r->version, r->size, data);
    if (!data && (r->flags & SAT_WITH_DATA)) {
        data = sat_store_find(r->chunk)->data;
        r->bytes = r->size;
    }
    sat_send(r->client, r, data);
}

static void deliver(struct sat_record *r, const char *data)
{
    bool ended = sat_table_find(&sdsm->ended, (uint64_t)r->client);
    switch (r->request) {
    case SAT_REP_READ:
    case SAT_REP_WRITE:
        deliver_grant(r, data);
        return;
    case SAT_REQ_INVALIDATE:
    case SAT_REQ_OBSERVE:
        if (ended)
            answer_for(r);
        break;
    case SAT_UPDATE:
        sat_store_put(r->chunk, r->version, r->size, data);
        break;
    }
    if (!ended)
        sat_send(r->client, r, data);
}

/* --- towards homes -------------------------------------------------------------------------------- */

struct home {
    uint64_t id;
    int rank;
};

static int home_known(uint64_t id)
{
    const struct home *h = sat_table_find(&sdsm->homes, id);
    return h ? h->rank : -1;
}

static int home_learn(uint64_t id, int rank)
{
    struct home *h = sat_alloc(sizeof *h);
    *h = (struct home){id, rank};
    sat_table_add(&sdsm->homes, h);
    return rank;
}

/* First touch: the server that would be the home by modulo decides who is. */
static int find_home(struct sat_record *r)
{
    int known = home_known(r->chunk), arbiter = sdsm->servers[r->chunk % (uint64_t)sdsm->n_servers];
    if (known < 0 && arbiter == sdsm->id)
        known = home_learn(r->chunk, r->server);
    r->home = known;
    return known >= 0 ? known : arbiter;
}

static void to_home(struct sat_record *r, const char *data)
{
    sat_send(r->home >= 0 ? r->home : find_home(r), r, data);
}

static const struct sat_protocol *protocol_of(const struct sat_record *r)
{
    return sat_protocols[r->protocol];
}

static void log_switch(int from, const struct sat_record *r)
{
    SAT_LOG("[%s] Server switch request %d (%s) from %d", protocol_of(r)->title, r->request,
            sat_request_name(r->request), from);
}

/* Release and return of copies: with the data, if the home is to have them. */
static void forward_end(struct sat_record *r, const char *data)
{
    bool new = r->request == SAT_CLIENT_REQ_RELEASE ? r->mode != SAT_READ && !protocol_of(r)->quiet
                                                    : (r->flags & SAT_WITH_DATA) != 0;
    if (r->request == SAT_CLIENT_REQ_RELEASE) {
        SAT_LOG("client req release for chunk %llu version %llu", (unsigned long long)r->chunk,
                (unsigned long long)r->version);
        r->request = SAT_SERVER_REQ_RELEASE;
    }
    if (new &&protocol_of(r)->data_to_home) {
        data = sat_store_find(r->chunk)->data;
        r->bytes = r->size;
    }
    to_home(r, data);
}

/* From one of this server's clients. */
static void from_client(int from, struct sat_record *r, const char *data)
{
    const struct sat_store *s = sat_store_find(r->chunk);
    switch (r->request) {
    case SAT_CLIENT_REQ_READ:
    case SAT_CLIENT_REQ_WRITE:
        log_switch(from, r);
        r->request = r->request == SAT_CLIENT_REQ_READ ? SAT_SERVER_REQ_READ : SAT_SERVER_REQ_WRITE;
        r->here = s && s->version ? 1 + s->version : 0;
        to_home(r, NULL);
        break;
    case SAT_CLIENT_REQ_RELEASE:
        log_switch(from, r);
        forward_end(r, data);
        break;
    case SAT_REP_INVALIDATE:
    case SAT_LEAVE:
        forward_end(r, data);
        break;
    case SAT_CLIENT_UPLOAD:
        take_upload(r, data);
        break;
    case SAT_CLIENT_DONE:
        client_done(r);
        break;
    }
}

/* --- dispatch ------------------------------------------------------------------------------------- */

static void fetch(const struct sat_record *r)
{
    const struct sat_store *s = sat_store_find(r->chunk);
    struct sat_record answer = *r;
    answer.request = SAT_REP_FETCH;
    answer.version = s->version;
    answer.bytes = answer.size = s->size;
    sat_send(r->home, &answer, s->data);
}

static void explain_all(const struct sat_record *r)
{
    sat_explain_print();
    for (int k = 0; k < sdsm->n_servers && !r->argument; k++)
        if (sdsm->servers[k] != sdsm->id)
            sat_send(sdsm->servers[k], &(struct sat_record){.request = SAT_EXPLAIN, .argument = 1}, NULL);
    for (int k = 0; k < sdsm->n_my_clients; k++)
        if (!sat_table_find(&sdsm->ended, (uint64_t)sdsm->clients[k]))
            sat_send(sdsm->clients[k], &(struct sat_record){.request = SAT_EXPLAIN}, NULL);
}

static bool is_for_manager(const struct sat_record *r)
{
    return (r->request >= SAT_RENDEZVOUS && r->request < SAT_GO) || r->request == SAT_SIGNALLED ||
           ((r->request == SAT_SUBSCRIBE || r->request == SAT_UNSUBSCRIBE) && (r->flags & SAT_OF_SIGNAL));
}

static void to_manager(const struct sat_record *r, const char *data)
{
    int manager = sdsm->servers[r->chunk % (uint64_t)sdsm->n_servers];
    if (manager == sdsm->id)
        sat_manager_handle(r, data);
    else
        sat_send(manager, r, data);
}

void sat_server_handle(int from, const struct sat_record *r, const char *data)
{
    struct sat_record copy = *r; /* what is sent on differs */
    if (is_for_manager(r)) {
        to_manager(r, data);
        return;
    }
    switch (r->request) {
    case SAT_SERVER_REQ_READ:
    case SAT_SERVER_REQ_WRITE:
    case SAT_SERVER_REQ_RELEASE:
    case SAT_REQ_SIZE:
    case SAT_SUBSCRIBE:
    case SAT_UNSUBSCRIBE:
    case SAT_REP_OBSERVE:
        if (r->home != sdsm->id) {
            to_home(&copy, data);
            break;
        }
        log_switch(from, r);
        sat_home_handle(r, data);
        break;
    case SAT_REP_FETCH:
        sat_home_handle(r, data);
        break;
    case SAT_REP_INVALIDATE:
    case SAT_LEAVE:
        if (from == r->client)
            from_client(from, &copy, data);
        else
            sat_home_handle(r, data);
        break;
    case SAT_REQ_FETCH:
        fetch(r);
        break;
    case SAT_SERVER_DONE:
        sdsm->done_servers++;
        break;
    case SAT_SHUT_DOWN:
        sdsm->byes++;
        break;
    case SAT_EXPLAIN:
        explain_all(r);
        break;
    case SAT_CLIENT_REQ_READ:
    case SAT_CLIENT_REQ_WRITE:
    case SAT_CLIENT_REQ_RELEASE:
    case SAT_CLIENT_UPLOAD:
    case SAT_CLIENT_DONE:
        from_client(from, &copy, data);
        break;
    default:
        deliver(&copy, data);
    }
}

/* --- life ----------------------------------------------------------------------------------------- */

/* All clients of this server have ended; then, at the seed, all servers' clients; then all servers say
 * goodbye to each other, behind everything else they have sent. */
void sat_server_loop(void)
{
    while (sdsm->done_clients < sdsm->n_my_clients)
        sat_receive(true);
    server_done();
    while (sdsm->id == 0 && sdsm->done_servers < sdsm->n_servers)
        sat_receive(true);
    if (sdsm->id == 0)
        shut_all_down();
    while (!sdsm->byes)
        sat_receive(true);
    if (sdsm->id)
        shut_all_down();
    while (sdsm->byes < sdsm->n_servers)
        sat_receive(true);
}

void sat_servers_release(void)
{
    sat_stores_release();
    sat_table_clear(&sdsm->homes, free);
    sat_table_clear(&sdsm->ended, free);
    sat_homes_release();
    sat_manager_release();
}
