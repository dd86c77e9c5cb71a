/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transfer: bytes from host to host as in SimGrid's network models (docs/network-models.md): first the
 * route's latency, during which it uses no link, then a flow. The numbers come from network.c and path.c.
 *
 *   start --latency x factor--> latency_over --its turn--> flow of bytes / factor --> over, done(FABRIC_DONE)
 *     '---- a link or a host is off: at once ------------------------------> over, done(FABRIC_FAILED)
 *
 * It is a transfer's turn when it is the first of its connection (connection.c); without one: at once. Frames may take
 * the place of the flow (train.c).
 */
#include "fabric/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- ending ---------------------------------------------------------------------------------------- */

static void flow_start(struct fabric_transfer *t);

static void leave(struct fabric_transfer *t)
{
    struct fabric *f = t->fabric;
    BASE_ASSERT("N4", !t->over);
    t->over = true;
    fabric_ring_leave(&t->ring);
    if (!t->path)
        return;
    BASE_ASSERT("N2", t->path->users > 0);
    if (BASE_UNLIKELY(t->framed))
        fabric_train_leave(t);
    if (BASE_UNLIKELY(f->network.model == FABRIC_IB))
        fabric_ib_leave(f, t);
    t->path->users--;
    struct fabric_transfer *next = BASE_UNLIKELY(t->lined) ? fabric_connection_leave(f, t) : NULL;
    if (BASE_UNLIKELY(next != NULL))
        flow_start(next);
}

/* Ends a transfer that has no event to wait for. */
static void end(struct fabric_transfer *t, enum fabric_outcome how)
{
    struct fabric *f = t->fabric;
    fabric_outcome_fn done = t->done;
    void *arg = t->arg;
    if (BASE_UNLIKELY(how == FABRIC_FAILED))
        f->failing = t->why;
    leave(t);
    base_pool_put(&f->transfer_pool, t);
    done(f, arg, how);
}

static void flow_over(struct fluid *fl, void *arg)
{
    (void)fl;
    end(arg, FABRIC_DONE);
}

void fabric_transfer_next(struct fabric_transfer *t)
{
    struct fabric_transfer *next = t->lined ? fabric_connection_leave(t->fabric, t) : NULL;
    if (next)
        flow_start(next);
}

/* It has had no flow. */
void fabric_transfer_over(struct fabric_transfer *t)
{
    if (BASE_UNLIKELY(t->fabric->energy != NULL))
        fabric_energy_moment(t->fabric, t->path);
    end(t, FABRIC_DONE);
}

static const struct fabric_path *path_of(fluid_done_fn done, const void *arg)
{
    return done == flow_over ? ((const struct fabric_transfer *)arg)->path : NULL;
}

static void flow_start(struct fabric_transfer *t)
{
    if (BASE_UNLIKELY(t->fabric->network.frame) && fabric_train_carries(t)) {
        fabric_train_start(t);
        return;
    }
    if (t->amount > 0 && t->path)
        t->flow =
            fabric_path_start(t->fabric, t->path, t->weight, t->bound, t->bytes, t->amount, flow_over, t);
    if (!t->flow)
        fabric_transfer_over(t);
}

static void flow_begin(struct fabric_transfer *t)
{
    bool in_order = t->connection != FABRIC_NO_CONNECTION && t->path;
    if (BASE_LIKELY(!in_order) || fabric_connection_join(t->fabric, t))
        flow_start(t);
}

static void latency_over(struct engine *e, struct engine_event *ev)
{
    struct fabric_transfer *t = BASE_CONTAINER(ev, struct fabric_transfer, event);
    (void)e;
    if (BASE_UNLIKELY(t->over))
        base_pool_put(&t->fabric->transfer_pool, t);
    else if (BASE_UNLIKELY(t->fails))
        end(t, FABRIC_FAILED);
    else
        flow_begin(t);
}

void fabric_transfer_cancel(struct fabric *f, struct fabric_transfer *t)
{
    bool event_frees = !t->flow && !t->lined && !t->framed;
    leave(t);
    if (t->flow) {
        if (BASE_UNLIKELY(f->energy != NULL))
            fabric_energy_cut(f, t->path, t->bytes, fluid_remaining(f->fluid, t->flow));
        fluid_cancel(f->fluid, t->flow);
    }
    if (!event_frees)
        base_pool_put(&f->transfer_pool, t);
}

/* --- start ----------------------------------------------------------------------------------------- */

static bool is_cut_off(const struct fabric *f, uint32_t from, uint32_t to, const struct fabric_path *p,
                       struct fabric_failure *why)
{
    return fabric_hosts_cut_off(f, from, to, why) ||
           (p && (fabric_links_cut_off(f, p->way.link, p->way.links, why) ||
                  fabric_links_cut_off(f, p->back, p->backs, why)));
}

/* Transfers of equal latency finish it in the order of their starts. */
void fabric_transfer_wait(struct fabric_transfer *t, double seconds)
{
    struct fabric *f = t->fabric;
    uint64_t bits;
    memcpy(&bits, &seconds, sizeof bits);
    struct engine_series *s =
        &f->latencies[(bits * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - FABRIC_TRAVEL_BITS)];
    engine_series_post(f->engine, s, &t->event, engine_now(f->engine) + seconds);
}

static void soon(const struct engine_event *ev)
{
    const struct fabric_transfer *t = BASE_CONTAINER(ev, const struct fabric_transfer, event);
    __builtin_prefetch(t->path, 1);
    __builtin_prefetch(t->arg, 1);
    __builtin_prefetch((const char *)t->arg + 64, 1);
}

static struct fabric_transfer *new (struct fabric *f, struct fabric_path *p, uint64_t connection,
                                    fabric_outcome_fn done, void *arg)
{
    struct fabric_transfer *t = base_pool_get(&f->transfer_pool);
    t->fabric = f;
    t->path = p;
    t->flow = NULL;
    t->done = done;
    t->arg = arg;
    t->connection = connection;
    t->memory = 0;
    t->over = t->fails = t->lined = t->framed = false;
    t->limited = t->asks = t->spread = false;
    engine_event_init(&t->event, latency_over);
    fabric_ring_join(&f->transfers, &t->ring);
    f->started++;
    return t;
}

/* A way that is cut at its start. */
static void check_way(struct fabric_transfer *t, uint32_t from, uint32_t to)
{
    struct fabric_failure why;
    t->fails = is_cut_off(t->fabric, from, to, t->path, &why);
    if (t->fails)
        t->why = why;
}

/* In SimGrid a transfer without latency has weight 1, whatever its links. */
static void weigh(struct fabric_transfer *t, double latency, double rate, double factor)
{
    const struct fabric_path *p = t->path;
    t->latency = p->latency;
    t->penalty = p->weight;
    t->weight = latency > 0 ? p->weight : 1;
    if (BASE_UNLIKELY(t->memory > 0))
        t->weight = t->memory; /* its rivals are computations and copies */
    t->top = p->narrowest;
    t->bound = p->bound;
    if (BASE_UNLIKELY(rate < INFINITY)) {
        t->top = fmin(t->top, rate / factor);
        t->bound = fmin(t->bound, rate / factor);
    }
}

/* What has gone ahead has taken its part of the latency and of the bytes. */
static double rest_of(struct fabric_transfer *t, double ahead, double latency)
{
    const struct fabric *f = t->fabric;
    t->bytes = fmax(0, t->bytes - ahead);
    t->amount = fmax(0, t->amount - ahead / fabric_factor_at(&f->network.bandwidth, ahead));
    return fmax(0, latency - fabric_way_latency(f, &t->path->way, ahead));
}

struct fabric_transfer *fabric_transfer_part(struct fabric *f, const struct fabric_part *part, uint32_t from,
                                             uint32_t to, double bytes, double rate, fabric_outcome_fn done,
                                             void *arg, struct base_status *st)
{
    bool constant = f->network.model == FABRIC_CONSTANT;
    uint64_t key = (uint64_t)from << 32 | to;
    struct fabric_path *p = f->nics[from].last;
    if (BASE_UNLIKELY(constant))
        p = NULL;
    else if (BASE_UNLIKELY(!p || p->key != key) && !(p = fabric_path_look(f, key, st)))
        return NULL;
    struct fabric_transfer *t = new (f, p, part->connection, done, arg);
    double latency = part->rest ? 0 : f->network.constant;
    if (!constant) {
        double factor = fabric_factor_at(&f->network.bandwidth, bytes);
        fabric_path_renew(f, p);
        p->users++;
        latency = fabric_way_latency(f, &p->way, bytes);
        t->bytes = bytes;
        t->amount = bytes / factor;
        t->memory = BASE_LIKELY(!f->memory) ? 0 : factor * fabric_message_traffic(f, from, to);
        weigh(t, latency, rate, factor);
        t->asks = part->asks;
        t->limited = rate < INFINITY;
        if (BASE_UNLIKELY(part->rest))
            latency = rest_of(t, part->ahead, latency);
        if (BASE_UNLIKELY(f->network.model == FABRIC_IB))
            fabric_ib_join(f, t);
    }
    latency = fabric_noisy(f, from, to, latency);
    if (BASE_UNLIKELY(f->energy != NULL))
        fabric_energy_moment(f, p);
    if (BASE_UNLIKELY(f->links_off | f->hosts_off))
        check_way(t, from, to);
    if (t->fails || (latency <= 0 && !(p && p->way.links && t->amount > 0)))
        fabric_transfer_wait(t, 0);
    else if (latency <= 0)
        flow_begin(t);
    else if (BASE_LIKELY(!f->network.frame))
        fabric_transfer_wait(t, latency);
    else
        fabric_train_wait(t, part->rest, latency);
    return t;
}

struct fabric_transfer *fabric_transfer_start(struct fabric *f, uint32_t from, uint32_t to, double bytes,
                                              double rate, fabric_outcome_fn done, void *arg,
                                              struct base_status *st)
{
    return fabric_transfer_part(f, &(struct fabric_part){.connection = FABRIC_NO_CONNECTION}, from, to, bytes,
                                rate, done, arg, st);
}

double fabric_transfer_least(struct fabric *f, uint32_t from, uint32_t to, double bytes)
{
    if (f->network.model == FABRIC_CONSTANT)
        return f->network.constant;
    return fabric_way_latency(f, fabric_way_find(f, from, to), bytes);
}

static double most(const struct fabric_factor *x)
{
    double factor = x->first;
    for (uint32_t k = 0; k < x->pieces; k++)
        factor = fmax(factor, x->piece[k].factor);
    return factor;
}

double fabric_transfer_byte(struct fabric *f, uint32_t from, uint32_t to)
{
    struct fabric_path *p = fabric_path_lookup(f, (uint64_t)from << 32 | to);
    fabric_path_renew(f, p);
    double rate = p->bound, factor = most(&f->network.bandwidth);
    for (uint32_t k = 0; k < p->way.links; k++)
        rate = fmin(rate, factor * fluid_resource_capacity(f->fluid, f->first_link + p->way.link[k]));
    return rate > 0 && isfinite(rate) ? 1 / rate : 0;
}

double fabric_latency(struct fabric *f, uint32_t from, uint32_t to, double bytes)
{
    return fabric_route_latency(f, from, to) * fabric_factor_at(&f->network.latency, bytes);
}

enum fabric_network_model fabric_network_model(const struct fabric *f)
{
    return f->network.model;
}

/* --- life ------------------------------------------------------------------------------------------- */

void fabric_transfers_init(struct fabric *f)
{
    size_t slowed = f->network.model == FABRIC_IB ? sizeof(struct fabric_slowed) : 0;
    base_pool_init(&f->transfer_pool, sizeof(struct fabric_transfer) + slowed, "transfers");
    base_pool_of_operations(&f->transfer_pool);
    fabric_trains_init(f);
    fabric_ring_init(&f->transfers);
    base_table_init(&f->connections, BASE_NUMBERS, sizeof(struct fabric_transfer *), "connections");
    f->path_of[0] = path_of;
    for (uint32_t k = 0; k < FABRIC_TRAVELS; k++)
        f->latencies[k].soon = soon;
    fabric_execs_init(f);
}

void fabric_transfers_release(struct fabric *f)
{
    for (uint32_t k = 0; k < FABRIC_TRAVELS; k++)
        engine_series_release(&f->latencies[k]);
    fabric_ib_release(f);
    fabric_execs_release(f);
    base_table_release(&f->connections);
    fabric_trains_release(f);
    base_pool_release(&f->transfer_pool);
    free(f->latency_change);
}
