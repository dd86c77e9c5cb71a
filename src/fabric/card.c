/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * card: profile rae. Arrivals of a host go through its card of `node/`: a cache, MSHRs that merge, a core
 * that executes atomics. What the memory words and lines are, their owner says (describe).
 *
 * Every message crosses the links as a packet or a flow, requests and replies too: a header, the address, and
 * what the operation carries. So short messages wait for each other, which matters on narrow links such as a
 * mesh of 32-bit flits.
 *
 *   put     header + address + bytes          acknowledgement: header
 *   get     header + address                  reply: header + bytes
 *   atomic  header + address + operand        reply: header + old value
 *           a compare-and-swap has two operands, a fetch none
 */
#include "fabric/parts.h"

#include <stdlib.h>

enum { ADDRESS = 8 };

/* An operation in a card. */
struct service {
    struct node_request request;
    struct fabric_op *op;
    struct fabric_ring ring; /* in fabric.cards.serving */
    bool updates;
};

void fabric_cards_init(struct fabric *f)
{
    base_pool_init(&f->cards.pool, sizeof(struct service), "operations in cards");
    base_pool_of_operations(&f->cards.pool);
    fabric_ring_init(&f->cards.serving);
}

void fabric_cards_release(struct fabric *f)
{
    for (uint32_t h = 0; f->cards.nodes && h < f->hosts; h++)
        node_destroy(f->cards.nodes[h]);
    free(f->cards.nodes);
    base_pool_release(&f->cards.pool);
}

/* --- nodes ------------------------------------------------------------------------------------------ */

static struct node *node_make(struct fabric *f, uint32_t host)
{
    const struct fabric_model *m = fabric_model_at(f, host);
    struct base_status st;
    if (!m->has_node)
        return NULL;
    if (node_config_check(&m->node, &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    if (!f->cards.nodes)
        f->cards.nodes = base_zalloc(f->hosts * sizeof *f->cards.nodes, "nodes");
    struct node *n = f->cards.nodes[host] = node_create(f->engine, &m->node);
    node_set_number(n, host);
    if (f->cards.watch)
        node_watch(n, f->cards.watch, f->cards.watch_ctx);
    return n;
}

struct node *fabric_host_node(struct fabric *f, uint32_t host)
{
    struct node *n = f->cards.nodes ? f->cards.nodes[host] : NULL;
    return n ? n : node_make(f, host);
}

void fabric_nodes_each(const struct fabric *f, void (*fn)(void *ctx, uint32_t host, struct node *n),
                       void *ctx)
{
    for (uint32_t h = 0; f->cards.nodes && h < f->hosts; h++)
        if (f->cards.nodes[h])
            fn(ctx, h, f->cards.nodes[h]);
}

struct watch {
    void (*fn)(void *ctx, struct node *n, const struct node_happening *h);
    void *ctx;
};

static void watch_one(void *ctx, uint32_t host, struct node *n)
{
    const struct watch *w = ctx;
    (void)host;
    node_watch(n, w->fn, w->ctx);
}

void fabric_nodes_watch(struct fabric *f,
                        void (*fn)(void *ctx, struct node *n, const struct node_happening *h), void *ctx)
{
    struct watch w = {fn, ctx};
    f->cards.watch = fn;
    f->cards.watch_ctx = ctx;
    fabric_nodes_each(f, watch_one, &w);
}

uint32_t fabric_node_host(const struct fabric *f, const struct node *n)
{
    (void)f;
    return node_number(n);
}

const struct fabric_op *fabric_request_op(const struct node_request *r)
{
    return BASE_CONTAINER((uintptr_t)r, const struct service, request)->op;
}

/* --- in the card -------------------------------------------------------------------------------------- */

/* Marks the event of an operation that is in a card: its next step is the card's. */
static void in_card(struct engine *e, struct engine_event *ev)
{
    (void)e, (void)ev;
}

bool fabric_is_card_step(engine_event_fn fn)
{
    return fn == in_card;
}

void fabric_cards_visit(struct fabric *f, void (*fn)(void *ctx, struct engine_event *ev), void *ctx)
{
    for (struct fabric_ring *r = f->cards.serving.next; r != &f->cards.serving; r = r->next)
        fn(ctx, &BASE_CONTAINER(r, struct service, ring)->op->event);
}

static void executed(struct node *n, struct node_request *r)
{
    struct service *s = BASE_CONTAINER(r, struct service, request);
    struct fabric_op *op = s->op;
    bool updates = s->updates;
    (void)n;
    fabric_ring_leave(&s->ring);
    base_pool_put(&op->handler->fabric->cards.pool, s);
    if (op->stage == FABRIC_LOST)
        return;
    if (updates)
        fabric_updated(op);
    else
        fabric_reach_target(op);
}

static uint64_t page_of(const struct node_request *r, uint64_t offset)
{
    const struct service *s = BASE_CONTAINER((uintptr_t)r, const struct service, request);
    const struct fabric_handler *h = s->op->handler;
    return h->page ? h->page(s->op, s->updates, offset) : r->address + offset;
}

/* Messages of a runtime stay in the card's buffers until their rank looks for them. */
static bool describe(const struct fabric_op *op, bool updates, struct node_request *r)
{
    return op->handler->describe && op->handler->describe(op, updates, r);
}

static void enter(struct fabric *f, struct fabric_op *op, bool updates)
{
    static const struct node_handler handler = {.execute = executed,
                                                .page = page_of}; /* the reply is fabric_reply's */
    struct service *s = base_pool_get(&f->cards.pool);
    *s = (struct service){.request.handler = &handler, .op = op, .updates = updates};
    if (!describe(op, updates, &s->request)) {
        base_pool_put(&f->cards.pool, s);
        BASE_ASSERT("N7", !updates);
        fabric_reach_target(op);
        return;
    }
    engine_event_init(&op->event, in_card);
    fabric_ring_join(&f->cards.serving, &s->ring);
    node_card_accept(fabric_host_node(f, op->target), &s->request);
}

void fabric_pass_caches(struct fabric *f, const struct fabric_op *op)
{
    struct node *n = f->cards.nodes[op->target];
    struct node_request r;
    if (!n || !node_cores(n) || op->kind == FABRIC_GET || fabric_at_rae(f, op) || !describe(op, false, &r))
        return;
    if (r.op == NODE_FETCH)
        return;
    for (uint64_t at = r.address, offset = 0, bytes; offset < r.bytes; offset += bytes) {
        if (offset)
            at = op->handler->page ? op->handler->page(op, false, offset) : r.address + offset;
        bytes = NODE_PAGE - at % NODE_PAGE;
        if (bytes > r.bytes - offset)
            bytes = r.bytes - offset;
        node_changed(n, at, bytes);
    }
}

void fabric_card_take(struct fabric *f, struct fabric_op *op)
{
    enter(f, op, false);
}

void fabric_card_update(struct fabric *f, struct fabric_op *op)
{
    enter(f, op, true);
}

/* --- messages ----------------------------------------------------------------------------------------- */

static uint64_t operands(const struct fabric_op *op)
{
    struct node_request r = {.op = NODE_OTHER};
    describe(op, false, &r);
    if (r.op == NODE_FETCH)
        return 0;
    return r.op == NODE_CAS ? 2 * op->bytes : op->bytes;
}

static double request_bytes(const struct fabric *f, const struct fabric_op *op)
{
    uint64_t header = fabric_model_at(f, op->origin)->header_bytes + ADDRESS;
    switch ((enum fabric_kind)op->kind) {
    case FABRIC_PUT:
        return (double)(header + op->bytes);
    case FABRIC_GET:
        return (double)header;
    case FABRIC_ATOMIC:
        break;
    }
    return (double)(header + operands(op));
}

double fabric_card_bytes(const struct fabric *f, const struct fabric_op *op)
{
    if (op->stage == FABRIC_TO_TARGET)
        return request_bytes(f, op);
    return (double)(op->bytes + fabric_model_at(f, op->target)->header_bytes);
}

static void count(struct fabric *f, const struct fabric_way *w, double bytes)
{
    f->cards.messages++;
    f->cards.flits += (uint64_t)ceil(bytes / (double)f->model.node.flit);
    for (uint32_t k = 0; k < w->links; k++)
        f->cards.hops += platform_link_unnamed(f->platform, w->link[k])->policy != PLATFORM_FATPIPE;
}

/* An acknowledgement is a header that meets nobody. */
static double ack_passage(struct fabric *f, const struct fabric_way *w, double bytes)
{
    double slowest = 0;
    for (uint32_t k = 0; k < w->links; k++)
        slowest = fmax(slowest, bytes / fluid_resource_capacity(f->fluid, f->first_link + w->link[k]));
    return slowest;
}

void fabric_card_issue(struct fabric *f, struct fabric_op *op, const struct fabric_way *w, double at)
{
    const struct fabric_model *there = fabric_model_at(f, op->target);
    count(f, w, request_bytes(f, op));
    if (op->kind != FABRIC_GET)
        op->ack = there->node.response + fabric_noisy(f, op->target, op->origin, fabric_way_back(f, w)) +
                  ack_passage(f, w, (double)there->header_bytes) +
                  fabric_model_at(f, op->origin)->ack_overhead;
    if (op->kind == FABRIC_PUT)
        fabric_wire_send(f, op, w, at);
    else
        fabric_wire_short(f, op, w, at);
}

void fabric_card_reply(struct fabric *f, struct fabric_op *op, const struct fabric_way *w, double at)
{
    at += fabric_model_at(f, op->target)->node.response;
    count(f, w, fabric_card_bytes(f, op));
    if (op->kind == FABRIC_GET)
        fabric_wire_send(f, op, w, at);
    else
        fabric_wire_short(f, op, w, at);
}
