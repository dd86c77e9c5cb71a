/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * card: the way of a request through the network card (paper 002, Figure 4(b)): the packetizer takes one
 * after the other, the remote operation map turns each into a local operation, the tags and MSHRs are
 * looked at, the line is filled if need be (mshr.c), and the card's core executes one operation at a time.
 * Lines that are there take turns.
 *
 * A request that finds no MSHR or subentry free stalls, and so do all behind it, in order; none is lost.
 * The packetizer and the core never stand still for that: what they have accepted waits in front of the
 * MSHRs.
 */
#include "node/parts.h"

#include <math.h>

enum { WORD = 8 };

static void core_begin(struct node *n);

static bool is_atomic(const struct node_request *r)
{
    return r->op != NODE_LOAD && r->op != NODE_STORE;
}

/* --- the end of a request ----------------------------------------------------------------------------- */

static void reply_event(struct engine *e, struct engine_event *ev)
{
    struct node_request *r = BASE_CONTAINER(ev, struct node_request, event);
    (void)e;
    r->handler->done(r->node, r);
}

/* After `execute` the record may be the owner's again. */
static void execute(struct node *n, struct node_request *r, double began)
{
    const struct node_handler *h = r->handler;
    n->card.counts.executed++;
    node_tell(n, NODE_EXECUTES, r, r->address / NODE_LINE, began, 0);
    h->execute(n, r);
    if (!h->done)
        return;
    engine_event_init(&r->event, reply_event);
    engine_event_post(n->engine, &r->event, engine_now(n->engine) + n->config.response);
}

/* --- DMA ---------------------------------------------------------------------------------------------- */

static void streamed_event(struct engine *e, struct engine_event *ev)
{
    struct node_request *r = BASE_CONTAINER(ev, struct node_request, event);
    (void)e;
    execute(r->node, r, r->since);
}

static bool crosses(const struct node_request *r)
{
    return r->bytes && (r->address + r->bytes - 1) / NODE_LINE != r->address / NODE_LINE;
}

/* The bytes of a request from an offset on that lie together. */
static uint64_t piece(const struct node_request *r, uint64_t offset, uint64_t *address)
{
    uint64_t rest = r->bytes - offset;
    *address = r->address + offset;
    if (!r->handler->page)
        return rest;
    if (offset)
        *address = r->handler->page(r, offset);
    uint64_t room = NODE_PAGE - *address % NODE_PAGE;
    return room < rest ? room : rest;
}

static double stream_pages(struct node *n, const struct node_request *r, double at, bool write)
{
    double end = at;
    for (uint64_t offset = 0, address, bytes; offset < r->bytes; offset += bytes) {
        bytes = piece(r, offset, &address);
        end = node_dram_stream(n->dram, at, address, bytes, write);
    }
    return end;
}

static void change_pages(struct node *n, const struct node_request *r)
{
    for (uint64_t offset = 0, address, bytes; offset < r->bytes; offset += bytes) {
        bytes = piece(r, offset, &address);
        node_changed(n, address, bytes);
    }
}

/* What is updated is read, then written; the core works on words while they pass. */
static double transfer(struct node *n, const struct node_request *r, double at)
{
    if (!is_atomic(r))
        return stream_pages(n, r, at, r->op == NODE_STORE);
    const struct node_config *k = &n->config;
    double words = ceil((double)r->bytes / WORD), word = r->op == NODE_OTHER ? k->other : k->alu;
    at = fmax(stream_pages(n, r, at, false), at + words * word);
    if (r->op != NODE_FETCH)
        stream_pages(n, r, at, true);
    return at;
}

static void stream(struct node *n, struct node_request *r)
{
    uint64_t lines = (r->address % NODE_LINE + r->bytes - 1) / NODE_LINE + 1;
    n->card.counts.streams++;
    node_tell(n, NODE_STREAMS, r, r->address / NODE_LINE, 0, (uint32_t)lines);
    if (r->op != NODE_LOAD && r->op != NODE_FETCH)
        change_pages(n, r);
    n->directory.lookups++;
    r->since = engine_now(n->engine);
    engine_event_init(&r->event, streamed_event);
    engine_event_post(n->engine, &r->event, transfer(n, r, r->since + n->config.directory));
}

/* --- the queue before the MSHRs ----------------------------------------------------------------------- */

static bool enter(struct node *n, struct node_request *r)
{
    if (crosses(r)) {
        stream(n, r);
        return true;
    }
    return node_mshr_add(n, r);
}

static void stall(struct node *n, struct node_request *r)
{
    struct node_card *c = &n->card;
    r->since = engine_now(n->engine);
    r->next = NULL;
    *(c->stalled ? &c->last_stalled->next : &c->stalled) = r;
    c->last_stalled = r;
    c->counts.stalls++;
    if (++c->stalls > c->counts.most_stalled)
        c->counts.most_stalled = c->stalls;
    node_tell(n, NODE_STALLS, r, r->address / NODE_LINE, 0, c->stalls);
}

/* An MSHR or a subentry may be free again. */
static void unstall(struct node *n)
{
    struct node_card *c = &n->card;
    for (struct node_request *r; (r = c->stalled);) {
        struct node_request *next = r->next;
        double since = r->since;
        if (!enter(n, r))
            return;
        c->counts.stalled += engine_now(n->engine) - since;
        c->stalled = next;
        c->stalls--;
    }
}

static void looked_up(struct engine *e, struct engine_event *ev)
{
    struct node_request *r = BASE_CONTAINER(ev, struct node_request, event);
    struct node *n = r->node;
    (void)e;
    if (n->card.stalled || !enter(n, r))
        stall(n, r);
}

static void count_arrival(struct node_card_counts *counts, const struct node_request *r)
{
    counts->requests++;
    if (is_atomic(r))
        counts->atomics++;
    else if (r->op == NODE_LOAD)
        counts->loads++;
    else
        counts->stores++;
}

void node_card_accept(struct node *n, struct node_request *r)
{
    struct node_card *c = &n->card;
    const struct node_config *k = &n->config;
    double now = engine_now(n->engine), start = c->packetizer_free > now ? c->packetizer_free : now;
    node_card_begin(n);
    r->node = n;
    r->since = now;
    count_arrival(&c->counts, r);
    node_tell(n, NODE_ARRIVES, r, r->address / NODE_LINE, now, 0);
    c->packetizer_free = start + k->packetizer;
    engine_event_init(&r->event, looked_up);
    engine_event_post(n->engine, &r->event, start + k->packetizer + k->map + k->lookup);
}

/* --- the card's core ---------------------------------------------------------------------------------- */

void node_card_ready(struct node_mshr *m)
{
    struct node_card *c = &m->node->card;
    m->next = NULL;
    *(c->ready ? &c->last_ready->next : &c->ready) = m;
    c->last_ready = m;
    core_begin(m->node);
}

static void core_done(struct engine *e, struct engine_event *ev)
{
    struct node *n = BASE_CONTAINER(ev, struct node, card.core);
    struct node_card *c = &n->card;
    struct node_mshr *m = c->running;
    (void)e;
    execute(n, node_mshr_take(m), c->began);
    c->running = NULL;
    if (m->pending)
        node_card_ready(m);
    else
        node_mshr_drain(m);
    unstall(n);
    core_begin(n);
}

static double work(const struct node_config *k, const struct node_request *r)
{
    if (!is_atomic(r) || r->op == NODE_FETCH || r->op == NODE_SET)
        return k->cache;
    return k->cache + (r->op == NODE_OTHER ? k->other : k->alu);
}

/* Starts the first request of the line whose turn it is, if the core is free. */
static void core_begin(struct node *n)
{
    struct node_card *c = &n->card;
    struct node_mshr *m = c->ready;
    if (c->running || !m)
        return;
    c->ready = m->next;
    c->running = m;
    c->began = engine_now(n->engine);
    node_tell(n, NODE_BEGINS, m->first, m->line, 0, 0);
    engine_event_init(&c->core, core_done);
    engine_event_post(n->engine, &c->core, c->began + work(&n->config, m->first));
}

/* --- what is known of it ------------------------------------------------------------------------------ */

struct node_card_counts node_card_counts(const struct node *n)
{
    return n->card.counts;
}

void node_watch(struct node *n, void (*fn)(void *ctx, struct node *n, const struct node_happening *h),
                void *ctx)
{
    n->watch = fn;
    n->watch_ctx = ctx;
}
