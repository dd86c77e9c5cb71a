/* SPDX-License-Identifier: BSD-3-Clause */
/* client: locks, barriers, condition variables and messages as a client sees them; its answers. */
#include <stdlib.h>
#include <string.h>

#include "sdsm/jia/parts.h"

/* --- requests and answers ------------------------------------------------------------------------- */

void jia_ask(enum sat_request request, uint64_t id, int home, uint64_t argument, const void *data,
             uint64_t bytes)
{
    struct sat_record r = {.chunk = id,
                           .argument = argument,
                           .version = jia.barriers,
                           .bytes = bytes,
                           .client = sdsm->id,
                           .server = sdsm->server,
                           .home = sdsm->servers[home],
                           .request = (uint16_t)request};
    sat_to_server(&r, data);
}

static void keep_answer(const struct sat_record *r, const char *data)
{
    jia.answer = sat_grow(jia.answer, r->bytes);
    jia.answer_bytes = r->bytes;
    if (r->bytes)
        memcpy(jia.answer, data, r->bytes);
}

void jia_handle(const struct sat_record *r, const char *data)
{
    switch (r->request) {
    case SAT_JIA_PAGE_IS:
        jia_page_arrived(r, data);
        break;
    case SAT_JIA_FLUSHED:
        if (!--jia.flushing)
            sat_wake(r);
        break;
    default:
        keep_answer(r, data);
        sat_wake(r);
    }
}

/* Kinds of what is waited for, as in synchronize.c's events. */
enum { CONDITION, BARRIER, LOCKED, MESSAGE = CONDITION };

static void await_go(int kind, uint64_t id, const char *what, const char *call)
{
    SAT_EVENT(SAT_EV_WAIT, kind, (long long)id);
    sat_await(SAT_JIA_GO, id, what, call);
    SAT_EVENT(SAT_EV_WOKEN, kind, (long long)id);
}

/* What others have written comes with the answer. */
static void take_notices(void)
{
    const struct jia_notice *notices = (const void *)jia.answer;
    if (!jia_notices_valid(notices, jia.answer_bytes, jia.pages))
        sat_fail(1, NULL, "bug: notices of pages that there are not");
    jia_invalidate(notices, jia.answer_bytes / sizeof *notices);
}

/* The pages of `told` from `from` on. */
static struct jia_notice *notices_from(size_t from, size_t *n)
{
    size_t pages = jia.told.n - from;
    struct jia_notice *out = sat_alloc((pages ? pages : 1) * sizeof *out);
    uint32_t *list = sat_alloc((pages ? pages : 1) * sizeof *list);
    if (pages)
        memcpy(list, jia.told.at + from, pages * sizeof *list);
    *n = jia_notices_of_pages(list, pages, out);
    free(list);
    return out;
}

/* --- locks ---------------------------------------------------------------------------------------- */

static struct jia_held *find_held(int lock)
{
    for (size_t k = 0; k < jia.n_held; k++)
        if (jia.held[k].lock == lock)
            return &jia.held[k];
    return NULL;
}

static void forget_held(int lock)
{
    struct jia_held *held = find_held(lock);
    if (held)
        *held = jia.held[--jia.n_held];
}

void jia_lock(int lock)
{
    enum sat_class class = jia_enter("jia_lock");
    if (lock < 0)
        jia_wrong("jia_lock: lock %d: expected a number from 0 on", lock);
    if (find_held(lock))
        jia_wrong("jia_lock: lock %d is held by this process already", lock);
    jia_ask(SAT_JIA_LOCK, (uint64_t)lock, lock % sdsm->n_servers, 0, NULL, 0);
    await_go(LOCKED, (uint64_t)lock, "lock", "jia_lock");
    jia.held = sat_grow(jia.held, (jia.n_held + 1) * sizeof *jia.held);
    jia.held[jia.n_held++] = (struct jia_held){lock, jia.told.n};
    take_notices();
    sat_enter(class);
}

void jia_unlock(int lock)
{
    enum sat_class class = jia_enter("jia_unlock");
    struct jia_held *held = find_held(lock);
    size_t n, from = held ? held->told : 0;
    if (held)
        jia_release_pages(lock % sdsm->n_servers);
    else
        jia_wrong("jia_unlock: lock %d is not held by this process", lock);
    struct jia_notice *notices = notices_from(from, &n);
    forget_held(lock);
    jia_ask(SAT_JIA_UNLOCK, (uint64_t)lock, lock % sdsm->n_servers, 0, notices, n * sizeof *notices);
    free(notices);
    sat_flush();
    sat_enter(class);
}

/* --- barriers, condition variables ----------------------------------------------------------------- */

void jia_barrier(void)
{
    enum sat_class class = jia_enter("jia_barrier");
    size_t n;
    if (jia.n_held)
        jia_wrong("jia_barrier: lock %d is held by this process; expected none", jia.held[0].lock);
    jia_release_pages(0);
    struct jia_notice *notices = notices_from(0, &n);
    jia_ask(SAT_JIA_BARRIER, 0, 0, jia.calls, notices, n * sizeof *notices);
    free(notices);
    await_go(BARRIER, 0, "barrier", "jia_barrier");
    for (size_t k = 0; k < jia.told.n; k++)
        jia.page[jia.told.at[k]].told = 0;
    jia.told.n = 0;
    jia.barriers++;
    take_notices();
    sat_enter(class);
}

void jia_wait(void)
{
    enum sat_class class = jia_enter("jia_wait");
    jia_ask(SAT_JIA_WAIT, 0, 0, 0, NULL, 0);
    await_go(BARRIER, 0, "barrier", "jia_wait");
    sat_enter(class);
}

static int manager_of_cv(const char *call, int cv)
{
    if (cv < 0)
        jia_wrong("%s: condition variable %d: expected a number from 0 on", call, cv);
    return cv % sdsm->n_servers;
}

/* Who waits for it sees what was written before it was set. */
void jia_setcv(int cv)
{
    enum sat_class class = jia_enter("jia_setcv");
    int manager = manager_of_cv("jia_setcv", cv);
    size_t n;
    jia_release_pages(manager);
    struct jia_notice *notices = notices_from(0, &n);
    jia_ask(SAT_JIA_SET, (uint64_t)cv, manager, 0, notices, n * sizeof *notices);
    free(notices);
    sat_flush();
    sat_enter(class);
}

void jia_resetcv(int cv)
{
    enum sat_class class = jia_enter("jia_resetcv");
    jia_ask(SAT_JIA_RESET, (uint64_t)cv, manager_of_cv("jia_resetcv", cv), 0, NULL, 0);
    sat_flush();
    sat_enter(class);
}

void jia_waitcv(int cv)
{
    enum sat_class class = jia_enter("jia_waitcv");
    jia_ask(SAT_JIA_AWAIT, (uint64_t)cv, manager_of_cv("jia_waitcv", cv), 0, NULL, 0);
    await_go(CONDITION, (uint64_t)cv, "condition variable", "jia_waitcv");
    take_notices();
    sat_enter(class);
}

/* --- messages ------------------------------------------------------------------------------------- */

static int check_peer(const char *call, int peer, int length)
{
    if (peer < 0 || peer >= jiahosts)
        jia_wrong("%s: host %d: expected 0 to %d", call, peer, jiahosts - 1);
    if (length < 0)
        jia_wrong("%s: %d bytes", call, length);
    return peer % sdsm->n_servers;
}

/* The bytes are copied before anything else: they may be in shared memory, and fault. */
void jia_send(const char *buf, int len, int topid, int tag)
{
    char *copy = len > 0 ? sat_grow(NULL, (size_t)len) : NULL;
    if (copy)
        memcpy(copy, buf, (size_t)len);
    enum sat_class class = jia_enter("jia_send");
    int manager = check_peer("jia_send", topid, len);
    uint64_t who = (uint64_t)(uint32_t)tag << 32 | (uint32_t)jiapid;
    jia_ask(SAT_JIA_SEND, (uint64_t)topid, manager, who, copy, (uint64_t)len);
    free(copy);
    sat_flush();
    sat_enter(class);
}

int jia_recv(char *buf, int len, int frompid, int tag)
{
    enum sat_class class = jia_enter("jia_recv");
    (void)check_peer("jia_recv", frompid, len);
    uint64_t who = (uint64_t)(uint32_t)tag << 32 | (uint32_t)frompid;
    jia_ask(SAT_JIA_RECEIVE, (uint64_t)jiapid, jiapid % sdsm->n_servers, who, NULL, 0);
    await_go(MESSAGE, (uint64_t)jiapid, "a message for host", "jia_recv");
    if (jia.answer_bytes > (uint64_t)len)
        jia_wrong("jia_recv: a message of %llu bytes from host %d, tag %d, for which there is room for %d",
                  (unsigned long long)jia.answer_bytes, frompid, tag, len);
    int got = (int)jia.answer_bytes;
    char *copy = jia.answer;
    jia.answer = NULL; /* a fault in `buf` brings other answers */
    sat_enter(class);
    if (got)
        memcpy(buf, copy, (size_t)got);
    free(copy);
    return got;
}

void jia_bcast(char *buf, int len, int root)
{
    enum { TAG = -1 };
    if (jiapid != root) {
        jia_recv(buf, len, root, TAG);
        return;
    }
    for (int k = 0; k < jiahosts; k++)
        if (k != root)
            jia_send(buf, len, k, TAG);
}
