/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * failure: one-sided operations that meet a link or a host that is off. Operations keep no extra records for
 * this: when something fails, those that wait for their next step are found among the engine's events, and
 * those whose bytes flow in a list of flights. A failed operation takes no further step; its record belongs
 * to its owner, and must outlive its event.
 *
 * A failing link affects every operation whose way it is on, wherever on the way that is; a failing host
 * affects its operations until they are over. An operation issued while the way is cut fails when its card
 * sends it.
 */
#include "fabric/parts.h"

#include <stdlib.h>

/* --- flights ---------------------------------------------------------------------------------------- */

void fabric_flights_init(struct fabric *f)
{
    base_pool_init(&f->flight_pool, sizeof(struct fabric_flight), "flows of operations");
    base_pool_of_operations(&f->flight_pool);
    fabric_ring_init(&f->flights);
}

void fabric_flights_release(struct fabric *f)
{
    base_pool_release(&f->flight_pool);
}

struct fabric_flight *fabric_flight_begin(struct fabric *f, struct fabric_op *op, struct fabric_path *p)
{
    struct fabric_flight *flight = base_pool_get(&f->flight_pool);
    flight->op = op;
    flight->path = p;
    fabric_ring_join(&f->flights, &flight->ring);
    return flight;
}

struct fabric_op *fabric_flight_end(struct fabric *f, struct fabric_flight *flight)
{
    struct fabric_op *op = flight->op;
    BASE_ASSERT("N2", flight->path->users > 0);
    flight->path->users--;
    fabric_ring_leave(&flight->ring);
    base_pool_put(&f->flight_pool, flight);
    return op;
}

/* --- what an operation meets ------------------------------------------------------------------------- */

/* Whether the operation is between its hosts, and in which direction. */
static bool under_way(const struct fabric_op *op, uint32_t *from, uint32_t *to)
{
    bool back = op->stage == FABRIC_TO_ORIGIN;
    *from = back ? op->target : op->origin;
    *to = back ? op->origin : op->target;
    return op->origin != op->target && (back || op->stage == FABRIC_TO_TARGET);
}

static bool crosses(struct fabric *f, uint32_t from, uint32_t to, uint32_t link)
{
    const struct fabric_way *w = fabric_way_find(f, from, to);
    for (uint32_t k = 0; k < w->links; k++)
        if (w->link[k] == link)
            return true;
    return false;
}

static bool meets(struct fabric *f, const struct fabric_op *op, const struct fabric_failure *why)
{
    uint32_t from, to;
    if (why->of == FABRIC_HOST)
        return op->origin == why->id || op->target == why->id;
    return under_way(op, &from, &to) && crosses(f, from, to, why->id);
}

void fabric_op_fail(struct fabric_op *op, const struct fabric_failure *why)
{
    op->stage = FABRIC_LOST;
    if (op->handler->failed)
        op->handler->failed(op->handler->fabric, op, why);
}

/* The event of a failed operation: nothing happens. */
static void lost(struct engine *e, struct engine_event *ev)
{
    (void)e, (void)ev;
}

/* --- something fails ---------------------------------------------------------------------------------- */

struct search {
    struct fabric *fabric;
    const struct fabric_failure *why;
    BASE_ARRAY(struct fabric_op *) found;
};

static void look_at(void *ctx, struct engine_event *ev)
{
    struct search *s = ctx;
    struct fabric_op *op = BASE_CONTAINER(ev, struct fabric_op, event);
    if ((fabric_is_step(ev->fn) || fabric_is_wire_step(ev->fn) || fabric_is_server_step(ev->fn) ||
         fabric_is_card_step(ev->fn)) &&
        op->handler->fabric == s->fabric && meets(s->fabric, op, s->why))
        BASE_ARRAY_PUSH(&s->found, op);
}

static int by_posting(const void *left, const void *right)
{
    const struct fabric_op *a = *(struct fabric_op *const *)left, *b = *(struct fabric_op *const *)right;
    return (a->event.seq > b->event.seq) - (a->event.seq < b->event.seq);
}

static void fail_waiting(struct fabric *f, const struct fabric_failure *why)
{
    struct search s = {.fabric = f, .why = why};
    engine_visit(f->engine, look_at, &s);
    if (why->of == FABRIC_HOST)
        fabric_servers_give_up(f, why->id, look_at, &s);
    fabric_cards_visit(f, look_at, &s);
    if (s.found.n)
        qsort(s.found.at, s.found.n, sizeof(struct fabric_op *), by_posting);
    for (size_t k = 0; k < s.found.n; k++) {
        struct fabric_op *op = s.found.at[k];
        if (op->event.fn == lost) /* its owner checked it again meanwhile */
            continue;
        fabric_wire_lose(op);
        op->event.fn = lost;
        fabric_op_fail(op, why);
    }
    free(s.found.at);
}

static void fail_flights(struct fabric *f, const struct fabric_failure *why)
{
    struct fabric_ring failing;
    fabric_ring_init(&failing);
    for (struct fabric_ring *r = f->flights.next, *next; r != &f->flights; r = next) {
        next = r->next;
        if (!meets(f, BASE_CONTAINER(r, struct fabric_flight, ring)->op, why))
            continue;
        fabric_ring_leave(r);
        fabric_ring_join(&failing, r);
    }
    while (!fabric_ring_empty(&failing)) {
        struct fabric_flight *flight = BASE_CONTAINER(failing.next, struct fabric_flight, ring);
        if (BASE_UNLIKELY(f->energy != NULL))
            fabric_energy_cut(f, flight->path, flight->bytes, fluid_remaining(f->fluid, flight->flow));
        fluid_cancel(f->fluid, flight->flow);
        fabric_op_fail(fabric_flight_end(f, flight), why);
    }
}

void fabric_ops_fail(struct fabric *f, struct fabric_failure why)
{
    fail_flights(f, &why);
    fail_waiting(f, &why);
}

/* --- something is off already --------------------------------------------------------------------------- */

static bool host_is_off(const struct fabric *f, uint32_t host, struct fabric_failure *why)
{
    *why = (struct fabric_failure){FABRIC_HOST, host};
    return !fabric_host_on(f, host);
}

bool fabric_hosts_cut_off(const struct fabric *f, uint32_t from, uint32_t to, struct fabric_failure *why)
{
    return f->hosts_off && (host_is_off(f, from, why) || host_is_off(f, to, why));
}

bool fabric_links_cut_off(const struct fabric *f, const uint32_t *link, uint32_t n,
                          struct fabric_failure *why)
{
    for (uint32_t k = 0; f->links_off && k < n; k++) {
        *why = (struct fabric_failure){FABRIC_LINK, link[k]};
        if (!fabric_link_on(f, link[k]))
            return true;
    }
    return false;
}

bool fabric_op_is_cut_off(struct fabric *f, struct fabric_op *op)
{
    struct fabric_failure why;
    uint32_t from, to;
    bool cut = fabric_hosts_cut_off(f, op->origin, op->target, &why);
    if (!cut && f->links_off && under_way(op, &from, &to)) {
        const struct fabric_way *w = fabric_way_find(f, from, to);
        cut = fabric_links_cut_off(f, w->link, w->links, &why);
    }
    if (cut)
        fabric_op_fail(op, &why);
    return cut;
}

/* --- for others
 * ------------------------------------------------------------------------------------------ */

void fabric_on_host_failure(struct fabric *f, void (*fn)(void *ctx, uint32_t host), void *ctx)
{
    f->on_host_failure = fn;
    f->on_host_failure_ctx = ctx;
}

const struct fabric_failure *fabric_failing(const struct fabric *f)
{
    return &f->failing;
}

char *fabric_failure_text(const struct fabric *f, const struct fabric_failure *why, char *buf, size_t size)
{
    if (why->of == FABRIC_HOST)
        snprintf(buf, size, "host %s failed", platform_host(f->platform, why->id)->name);
    else
        snprintf(buf, size, "link %s failed", platform_link(f->platform, why->id)->name);
    return buf;
}
