/* SPDX-License-Identifier: BSD-3-Clause */
/* client: waiting for answers, messages that arrive, the loop after the role's function, the end. */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

void sat_to_server(const struct sat_record *r, const void *data)
{
    sat_send(sdsm->server, r, data);
}

/* --- waiting -------------------------------------------------------------------------------------- */

/* With --sat-handlers-in-calls, handlers run while the process waits for others and has no scope open. */
static bool call_handler(enum sat_request request)
{
    return sdsm->options.in_calls && request == SAT_GO && !sdsm->in_handler && !sdsm->open_scopes &&
           sat_notices_deliver();
}

struct sat_record sat_await(enum sat_request request, uint64_t id, const char *what, const char *place)
{
    struct sat_waiter w = {sdsm->waiters, what, place, id, (uint16_t)request, false, {0}};
    sdsm->waiters = &w;
    while (!w.woken)
        if (!call_handler(request))
            sat_receive(true);
    sdsm->waiters = w.outer;
    return w.answer;
}

void sat_wake(const struct sat_record *r)
{
    struct sat_waiter *w = sdsm->waiters;
    while (w && (w->woken || w->request != r->request || w->id != r->chunk))
        w = w->outer;
    if (!w)
        sat_fail(1, NULL, "bug: an answer (%s, %llu) that nobody waits for", sat_request_name(r->request),
                 (unsigned long long)r->chunk);
    w->woken = true;
    w->answer = *r;
}

/* On a simulated host a look takes time, the longer the more of them there are in vain: there they become
 * rare. */
void sat_poll(void)
{
    bool found = false;
    sdsm->calls = 0;
    while (sat_receive(false))
        found = true;
    if (found || !sdsm->simulated)
        sdsm->calls_between = SAT_CALLS_BETWEEN;
    else if (sdsm->calls_between < SAT_CALLS_MOST)
        sdsm->calls_between *= 2;
}

/* --- messages ------------------------------------------------------------------------------------- */

static void invalidate(struct sat_entry *e, const struct sat_record *r)
{
    if (e->mode == SAT_NONE) {
        e->protocol->invalidate(e, r);
        return;
    }
    e->postponed = sat_alloc(sizeof *r);
    *e->postponed = *r;
}

/* Each writing scope of the chunk is told of from now on, the open one as well. */
static void tell_from_now_on(struct sat_entry *e, const struct sat_record *r)
{
    struct sat_record answer = sat_about(e, SAT_REP_OBSERVE, NULL);
    answer.home = r->home;
    e->flags |= SAT_OBSERVED;
    sat_to_server(&answer, NULL);
}

/* New data that nobody here has asked for. No scope is open: a writer has just had one. What the program may
 * have stored in mapped memory stays there for its next PUT; a reading scope gets the data of the server. */
static void update(struct sat_entry *e, const struct sat_record *r, const char *data)
{
    if (sat_entry_is_mapped(e) || !sat_entry_data(e)) /* dropped, and the home is being told */
        return;
    sat_entry_fill(e, data);
    e->version = r->version;
    e->has_data = true;
    e->hashed = false;
}

void sat_client_handle(const struct sat_record *r, const char *data)
{
    struct sat_entry *e = sat_entry_find(r->chunk);
    switch (r->request) {
    case SAT_REP_READ:
    case SAT_REP_WRITE:
        sat_scope_granted(e, r, data);
        break;
    case SAT_REQ_INVALIDATE:
        invalidate(e, r);
        break;
    case SAT_REQ_OBSERVE:
        tell_from_now_on(e, r);
        break;
    case SAT_UPDATE:
        update(e, r, data);
        break;
    case SAT_NOTIFY:
        sat_notice_add(r);
        break;
    case SAT_GO:
        if (r->bytes)
            sat_lock_data(r, data);
        sat_wake(r);
        break;
    case SAT_EXPLAIN:
        sat_explain_print();
        break;
    default:
        sat_wake(r);
    }
}

/* --- the end -------------------------------------------------------------------------------------- */

void sat_client_loop(void)
{
    while (sdsm->subscriptions || sdsm->notices) {
        if (sat_notices_deliver())
            continue;
        struct sat_waiter w = {sdsm->waiters, "notifications", NULL, 0, SAT_NOTIFY, false, {0}};
        sdsm->waiters = &w;
        sat_receive(true);
        sdsm->waiters = w.outer;
    }
}

static void leave(void *thing, void *ctx)
{
    struct sat_entry *e = thing;
    (void)ctx;
    if (e->mode)
        sat_fail(SAT_STATUS_WRONG, e->place,
                 "the %s scope of chunk %llu is still open at the end of the process", sat_mode_name(e->mode),
                 (unsigned long long)e->id);
    if (e->has_data)
        e->protocol->evict(e);
}

void sat_client_end(void)
{
    struct sat_record r = {.request = SAT_CLIENT_DONE, .client = sdsm->id, .server = sdsm->server};
    sdsm->ending = true;
    sat_locks_check();
    sat_table_each(sdsm->entries, leave, NULL);
    sat_to_server(&r, NULL);
    sat_await(SAT_CLIENT_DONE, 0, "the end of the S-DSM", NULL);
}
