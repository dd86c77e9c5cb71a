/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * send: records become MPI messages.
 *
 * What a process sends while it handles one message, or until it waits, goes out together: a message to each
 * destination and of each type, in the order of the records. Sends do not block: two processes that send to
 * each other both go on to receive. Between two processes records arrive in the order in which they were
 * sent.
 */
#include <stdlib.h>
#include <string.h>

#include "sdsm/transport.h"

static struct outgoing *outgoing_new(int to, int type)
{
    struct sat_transport *t = sdsm->transport;
    struct outgoing *o = t->unused;
    if (o)
        t->unused = o->next;
    else
        o = sat_alloc(sizeof *o);
    o->to = to;
    o->type = type;
    o->n = 0;
    o->cap = SMALL;
    o->bytes = o->small;
    return o;
}

static void outgoing_free(struct outgoing *o)
{
    struct sat_transport *t = sdsm->transport;
    if (o->bytes != o->small)
        free(o->bytes);
    o->next = t->unused;
    t->unused = o;
}

/* Frees what has been sent. */
static void reclaim(struct sat_transport *t)
{
    int n = 0;
    MPI_Testsome((int)t->n_flying, t->requests, &n, t->done, MPI_STATUSES_IGNORE);
    size_t left = 0;
    for (size_t k = 0; k < t->n_flying; k++) {
        if (t->requests[k] == MPI_REQUEST_NULL) {
            outgoing_free(t->flying[k]);
            continue;
        }
        t->flying[left] = t->flying[k];
        t->requests[left++] = t->requests[k];
    }
    t->n_flying = left;
    t->full = left + FLYING;
}

static void launch(struct outgoing *o)
{
    struct sat_transport *t = sdsm->transport;
    if (t->n_flying == t->cap) {
        t->cap = t->cap ? 2 * t->cap : FLYING;
        t->flying = sat_grow(t->flying, t->cap * sizeof *t->flying);
        t->requests = sat_grow(t->requests, t->cap * sizeof *t->requests);
        t->done = sat_grow(t->done, t->cap * sizeof *t->done);
    }
    MPI_Isend(o->bytes, (int)o->n, MPI_BYTE, o->to, o->type, sdsm->comm, &t->requests[t->n_flying]);
    t->flying[t->n_flying++] = o;
    if (t->n_flying >= t->full)
        reclaim(t);
}

static void count_message(int to, int type, uint64_t messages, uint64_t bytes)
{
    struct sat_transport *t = sdsm->transport;
    struct count *c = sat_table_find(&t->counts, (uint64_t)to);
    if (!c) {
        c = sat_alloc(sizeof *c);
        c->peer = (uint64_t)to;
        sat_table_add(&t->counts, c);
    }
    c->messages[type] += messages;
    c->bytes[type] += bytes;
}

static void send_open(struct outgoing *o)
{
    count_message(o->to, o->type, 1, o->n);
    launch(o);
}

/* Data that do not fit into an envelope, in an MPI message of their own. */
static void send_behind(int to, int type, const void *data, uint64_t bytes)
{
    if (bytes > 0x7fffffff)
        sat_fail(SAT_STATUS_WRONG, NULL, "a chunk of %llu bytes; at most 2147483647 can be sent",
                 (unsigned long long)bytes);
    struct outgoing *o = outgoing_new(to, SAT_DATA_BEHIND);
    o->n = bytes;
    o->bytes = malloc(bytes);
    if (!o->bytes)
        sat_fail(1, NULL, "no memory for %llu bytes", (unsigned long long)bytes);
    memcpy(o->bytes, data, bytes);
    count_message(to, type, 0, bytes);
    launch(o);
}

/* Sends what is open to the destination, of this type and of lower ones: these are to arrive first. */
static void send_up_to(int to, int type)
{
    struct sat_transport *t = sdsm->transport;
    for (int each = 0; each <= type; each++)
        for (size_t k = 0; k < t->n_open; k++) {
            struct outgoing *o = t->open[k];
            if (o->to != to || o->type != each)
                continue;
            t->open[k] = t->open[--t->n_open];
            send_open(o);
            break;
        }
}

static struct outgoing *open_to(int to, int type)
{
    struct sat_transport *t = sdsm->transport;
    for (size_t k = 0; k < t->n_open; k++)
        if (t->open[k]->to == to && t->open[k]->type == type)
            return t->open[k];
    if (t->n_open == OPEN)
        sat_flush();
    return t->open[t->n_open++] = outgoing_new(to, type);
}

static void append(struct outgoing *o, const void *bytes, size_t n)
{
    size_t padded = (n + 7) & ~(size_t)7;
    if (o->n + padded > o->cap) {
        o->cap = o->n + padded > 2 * o->cap ? o->n + padded : 2 * o->cap;
        char *more = sat_grow(o->bytes == o->small ? NULL : o->bytes, o->cap);
        if (o->bytes == o->small)
            memcpy(more, o->small, o->n);
        o->bytes = more;
    }
    memcpy(o->bytes + o->n, bytes, n);
    memset(o->bytes + o->n + n, 0, padded - n);
    o->n += padded;
}

static void send_local(const struct sat_record *r, const void *data)
{
    struct sat_transport *t = sdsm->transport;
    struct local *l = sat_alloc(sizeof *l + r->bytes);
    l->record = *r;
    if (r->bytes)
        memcpy(l->data, data, r->bytes);
    *t->last_local = l;
    t->last_local = &l->next;
}

/* Records with data go apart from those without, as in the paper's logs. */
enum sat_type sat_type_of(const struct sat_record *r)
{
    if (r->request >= SAT_JIA_PAGE)
        return SAT_JIA;
    switch (r->request) {
    case SAT_ASK_TOPOLOGY:
        return SAT_REQUEST_TOPOLOGY;
    case SAT_TELL_TOPOLOGY:
        return SAT_REPLY_TOPOLOGY;
    case SAT_LOCK:
        return SAT_SYNCHRONIZATION;
    }
    if (r->bytes)
        return SAT_DATA_CTRL;
    if (r->request < SAT_RENDEZVOUS)
        return SAT_CONSISTENCY;
    if (r->request < SAT_SUBSCRIBE)
        return SAT_SYNCHRONIZATION;
    return r->request < SAT_CLIENT_DONE ? SAT_PUBLISH : SAT_TERMINATION;
}

void sat_send(int to, const struct sat_record *r, const void *data)
{
    enum sat_type type = sat_type_of(r);
    if (sdsm->options.debug > 1)
        sat_log_record("Sends to", to, r, data);
    if (to == sdsm->id) {
        send_local(r, data);
        return;
    }
    bool inside = r->bytes <= SAT_INLINE;
    size_t need = sizeof *r + (inside ? (r->bytes + 7) & ~(uint64_t)7 : 0);
    struct outgoing *o = open_to(to, type);
    if (o->n + need > SAT_ENVELOPE) {
        send_up_to(to, type);
        o = open_to(to, type);
    }
    append(o, r, sizeof *r);
    if (inside && r->bytes)
        append(o, data, r->bytes);
    if (!inside) { /* its receiver takes the data before it receives anything else from here */
        send_up_to(to, type);
        send_behind(to, type, data, r->bytes);
    }
}

void sat_flush(void)
{
    struct sat_transport *t = sdsm->transport;
    if (!t->n_open)
        return;
    enum sat_class before = sat_enter(SAT_SYNC);
    while (t->n_open)
        send_up_to(t->open[0]->to, SAT_TYPES);
    sat_enter(before);
}

/* --- the end -------------------------------------------------------------------------------------- */

static void tell_count(void *thing, void *ctx)
{
    const struct count *c = thing;
    (void)ctx;
    for (int type = 0; type < SAT_TYPES; type++)
        if (c->messages[type])
            SAT_EVENT(SAT_EV_SENT, (long long)c->peer, type, (long long)c->messages[type],
                      (long long)c->bytes[type]);
}

void sat_transport_tell(void)
{
    sat_table_each(sdsm->transport->counts, tell_count, NULL);
}

void sat_send_end(void)
{
    struct sat_transport *t = sdsm->transport;
    sat_flush();
    MPI_Waitall((int)t->n_flying, t->requests, MPI_STATUSES_IGNORE);
    reclaim(t);
    while (t->unused) {
        struct outgoing *o = t->unused;
        t->unused = o->next;
        free(o);
    }
    free(t->flying);
    free(t->requests);
    free(t->done);
    sat_table_clear(&t->counts, free);
}
