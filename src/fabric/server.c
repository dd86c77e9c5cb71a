/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * server: profile software. An operation that arrives at a host takes CPU time there before it takes effect:
 * the time of its target rank, or of the host's progress thread. A server works on one operation at a time,
 * in order of arrival. While its rank is in application code, arrivals are held.
 *
 * Invariants
 *  V1  A server holds operations only while its rank is away.
 *  V2  Only operations for a server get here.
 */
#include "fabric/parts.h"

static struct fabric_server *server_at(const struct fabric *f, uint32_t number)
{
    BASE_ASSERT("V2", number > 0 && number < f->servers.n);
    return &f->servers.at[number];
}

enum fabric_progress fabric_host_progress(const struct fabric *f, uint32_t host)
{
    return fabric_model_at(f, host)->progress;
}

static uint32_t new_server(struct fabric *f, uint32_t host)
{
    struct fabric_server none = {.host = host, .card = fabric_host_progress(f, host) == FABRIC_BY_RAE};
    if (!f->servers.n)
        BASE_ARRAY_PUSH(&f->servers, none);
    BASE_ARRAY_PUSH(&f->servers, none);
    return (uint32_t)f->servers.n - 1;
}

uint32_t fabric_server_add(struct fabric *f, uint32_t host)
{
    switch (fabric_host_progress(f, host)) {
    case FABRIC_BY_CARD:
        return 0;
    case FABRIC_BY_CALLS:
        return new_server(f, host);
    case FABRIC_BY_THREAD:
    case FABRIC_BY_RAE:
        break;
    }
    if (!f->thread_of)
        f->thread_of = base_zalloc(f->hosts * sizeof *f->thread_of, "progress threads, cards");
    if (!f->thread_of[host])
        f->thread_of[host] = new_server(f, host);
    return f->thread_of[host];
}

/* --- serving ------------------------------------------------------------------------------------ */

static void served(struct engine *e, struct engine_event *ev)
{
    (void)e;
    fabric_reach_target(BASE_CONTAINER(ev, struct fabric_op, event));
}

static void start(struct fabric *f, struct fabric_server *s, struct fabric_op *op)
{
    const struct fabric_model *m = fabric_model_at(f, s->host);
    double now = engine_now(f->engine), begin = s->free > now ? s->free : now;
    double copy = op->kind == FABRIC_ATOMIC ? 0 : (double)op->bytes * m->copy_per_byte;
    s->free = begin + m->software_service + copy;
    f->library.at_targets += m->library.on ? m->library.target : 0;
    engine_event_init(&op->event, served);
    engine_event_post(f->engine, &op->event, s->free);
}

/* An operation has arrived. Held ones are linked through their idle events. */
void fabric_server_take(struct fabric *f, struct fabric_op *op)
{
    struct fabric_server *s = server_at(f, fabric_op_server(op));
    op->stage = FABRIC_IN_SERVER;
    if (s->card) {
        fabric_card_take(f, op);
        return;
    }
    if (!s->away) {
        start(f, s, op);
        return;
    }
    op->event.next = NULL;
    *(s->held ? &s->last->next : &s->held) = &op->event;
    s->last = &op->event;
}

void fabric_server_away(struct fabric *f, uint32_t server)
{
    server_at(f, server)->away = true;
}

double fabric_server_back(struct fabric *f, uint32_t server)
{
    struct fabric_server *s = server_at(f, server);
    struct engine_event *ev = s->held, *next;
    BASE_ASSERT("V1", s->away || !s->held);
    s->away = false;
    s->held = NULL;
    for (; ev; ev = next) {
        next = ev->next;
        start(f, s, BASE_CONTAINER(ev, struct fabric_op, event));
    }
    return s->free;
}

double fabric_server_free(const struct fabric *f, uint32_t server)
{
    return server_at(f, server)->free;
}

/* --- failures --------------------------------------------------------------------------------------- */

bool fabric_is_server_step(engine_event_fn fn)
{
    return fn == served;
}

void fabric_servers_give_up(struct fabric *f, uint32_t host, void (*fn)(void *ctx, struct engine_event *ev),
                            void *ctx)
{
    for (size_t k = 0; k < f->servers.n; k++) {
        struct fabric_server *s = &f->servers.at[k];
        if (s->host != host)
            continue;
        for (struct engine_event *ev = s->held; ev; ev = ev->next)
            fn(ctx, ev);
        s->held = NULL;
    }
}
