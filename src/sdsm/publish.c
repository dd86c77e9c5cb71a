/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * publish: subscriptions of clients, and notices that wait until a handler may be called (the paper's section
 * 2.5). A notice whose subscription has ended in between is dropped.
 */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

struct sat_notice {
    struct sat_notice *next;
    uint64_t id;
    bool signal;
};

static struct sat_subscription *find(uint64_t id, bool signal)
{
    if (signal)
        return sat_table_find(&sdsm->signals, id);
    struct sat_entry *e = sat_entry_find(id);
    return e ? e->subscription : NULL;
}

void sat_notice_add(const struct sat_record *r)
{
    bool signal = r->flags & SAT_OF_SIGNAL;
    if (!sdsm->last_notice)
        sdsm->last_notice = &sdsm->notices;
    for (struct sat_notice *n = sdsm->notices; n && sdsm->options.coalesce; n = n->next)
        if (n->id == r->chunk && n->signal == signal)
            return;
    struct sat_notice *n = sat_alloc(sizeof *n);
    n->id = r->chunk;
    n->signal = signal;
    *sdsm->last_notice = n;
    sdsm->last_notice = &n->next;
}

bool sat_notices_deliver(void)
{
    struct sat_notice *n = sdsm->notices;
    if (!n)
        return false;
    sdsm->notices = n->next;
    if (!sdsm->notices)
        sdsm->last_notice = &sdsm->notices;
    struct sat_subscription *s = find(n->id, n->signal);
    if (s) {
        struct sat_subscription call = *s; /* which may end in its handler */
        SAT_EVENT(SAT_EV_NOTIFY, (long long)n->id);
        enum sat_class before = sat_enter(SAT_USER);
        sdsm->in_handler = true;
        if (n->signal)
            call.signal((unsigned)n->id, call.params);
        else
            call.handler(call.chunk, call.params);
        sdsm->in_handler = false;
        sat_enter(before);
    }
    free(n);
    return true;
}

static struct sat_record request(enum sat_request what, uint64_t id, int home, const char *place)
{
    struct sat_record r = {.chunk = id,
                           .client = sdsm->id,
                           .server = sdsm->server,
                           .home = home,
                           .request = (uint16_t)what,
                           .flags = home < -1 ? SAT_OF_SIGNAL : 0};
    strncpy(r.place, sat_short_place(place), sizeof r.place - 1);
    return r;
}

enum { NO_HOME = -2 };

static struct sat_record about(const Chunk_t *chunk, enum sat_request what, const char *place)
{
    struct sat_record r = sat_about(chunk->sat_entry, what, place);
    return r;
}

static void check_call(const char *call, bool given, const char *place)
{
    if (!sdsm || !sdsm->role || !given)
        sat_fail(SAT_STATUS_WRONG, place, "%s is called %s", call,
                 !sdsm         ? "outside of the S-DSM's life (_SAT_BOOTSTRAP)"
                 : !sdsm->role ? "by a server"
                               : "with NULL");
}

/* The home's answer is awaited: whoever hears of the subscription afterwards can publish. */
void sat_subscribe_at(Chunk_t *chunk, sat_handler_fn handler, void *params, const char *place)
{
    check_call("SUBSCRIBE", chunk && handler, place);
    struct sat_entry *e = chunk->sat_entry;
    struct sat_subscription s = {.chunk = chunk, .id = e->id, .handler = handler, .params = params};
    if (e->protocol->pinned || e->protocol->bound)
        sat_fail(SAT_STATUS_WRONG, place,
                 "chunk %llu has protocol %s, whose homes hear of no scope: it can't be "
                 "subscribed to",
                 (unsigned long long)e->id, e->protocol->name);
    if (e->subscription) {
        *e->subscription = s;
        return;
    }
    enum sat_class before = sat_enter(SAT_SDSM);
    e->subscription = sat_alloc(sizeof s);
    *e->subscription = s;
    sdsm->subscriptions++;
    struct sat_record r = about(chunk, SAT_SUBSCRIBE, place);
    sat_to_server(&r, NULL);
    e->home = sat_await(SAT_SUBSCRIBED, e->id, "a subscription to chunk", place).home;
    sat_enter(before);
}

void sat_unsubscribe_at(Chunk_t *chunk, const char *place)
{
    check_call("UNSUBSCRIBE", chunk, place);
    struct sat_entry *e = chunk->sat_entry;
    if (!e->subscription)
        sat_fail(SAT_STATUS_WRONG, place,
                 "UNSUBSCRIBE of chunk %llu, which this process is not subscribed to",
                 (unsigned long long)e->id);
    free(e->subscription);
    e->subscription = NULL;
    sdsm->subscriptions--;
    struct sat_record r = about(chunk, SAT_UNSUBSCRIBE, place);
    sat_to_server(&r, NULL);
    sat_flush();
}

void sat_signal_at(unsigned id, const char *place)
{
    check_call("SIGNAL", true, place);
    struct sat_record r = request(SAT_SIGNALLED, id, NO_HOME, place);
    sat_to_server(&r, NULL);
    sat_flush();
}

void sat_subscribe_signal_at(unsigned id, sat_signal_fn handler, void *params, const char *place)
{
    check_call("SUBSCRIBE_SIGNAL", handler != NULL, place);
    struct sat_subscription *s = find(id, true);
    if (s) {
        s->signal = handler;
        s->params = params;
        return;
    }
    s = sat_alloc(sizeof *s);
    s->id = id;
    s->signal = handler;
    s->params = params;
    sat_table_add(&sdsm->signals, s);
    sdsm->subscriptions++;
    struct sat_record r = request(SAT_SUBSCRIBE, id, NO_HOME, place);
    sat_to_server(&r, NULL);
    sat_await(SAT_SUBSCRIBED, id, "a subscription to signal", place);
}

void sat_unsubscribe_signal_at(unsigned id, const char *place)
{
    check_call("UNSUBSCRIBE_SIGNAL", true, place);
    struct sat_subscription *s = find(id, true);
    if (!s)
        sat_fail(SAT_STATUS_WRONG, place,
                 "UNSUBSCRIBE_SIGNAL of signal %u, which this process is not subscribed to", id);
    sat_table_remove(&sdsm->signals, id);
    free(s);
    sdsm->subscriptions--;
    struct sat_record r = request(SAT_UNSUBSCRIBE, id, NO_HOME, place);
    sat_to_server(&r, NULL);
    sat_flush();
}

void sat_publish_release(void)
{
    for (struct sat_notice *n = sdsm->notices, *next; n;
         n = next) { /* came behind the last subscription's end */
        next = n->next;
        free(n);
    }
    sat_table_clear(&sdsm->signals, free);
}
