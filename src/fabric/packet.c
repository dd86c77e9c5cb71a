/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * packet: messages of one packet (docs/decisions/0007-packets.md). They are not flows: a link carries packets
 * one after the other, each at the link's bandwidth, in the order in which the cards sent them. So a message
 * costs one event, or two if its first link is busy, however many others are on their way.
 *
 * A link's state is the instant until which it is busy. A packet enters its first link (not counting fatpipes,
 * on which nobody waits) in its turn; at that event its waiting time at each link and its arrival are computed.
 * The work that it adds to a later link counts from now on: a packet that will wait long for one link does not
 * block other links for packets that reach them earlier. Latencies are ignored here, so packets that leave at
 * the same time meet, however long their way to the link is.
 *
 * Flows slow packets: a packet gets one share of a link among the routes that have flows there. Packets do
 * not slow flows.
 */
#include "fabric/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The next step of an operation in a series comes soon. */
static void soon(const struct engine_event *ev)
{
    const struct fabric_op *op = BASE_CONTAINER(ev, const struct fabric_op, event);
    if (op->kind == FABRIC_ATOMIC && op->stage == FABRIC_TO_TARGET)
        fabric_nic_soon(&op->handler->fabric->nics[op->target], op->word);
    if (op->handler->soon && op->stage != FABRIC_IN_UNIT)
        op->handler->soon(op, op->stage == FABRIC_TO_ORIGIN);
}

void fabric_links_init(struct fabric *f)
{
    for (uint32_t k = 0; k < FABRIC_TRAVELS; k++)
        f->travels[k].soon = soon;
    uint32_t n = platform_link_count(f->platform);
    f->links = base_zalloc((n + !n) * sizeof *f->links, "links");
}

static __attribute__((noinline)) void link_fill(struct fabric *f, uint32_t link)
{
    struct fabric_link *l = &f->links[link];
    l->known = true;
    l->arriving.soon = soon;
    l->per_byte = 1 / fluid_resource_capacity(f->fluid, f->first_link + link);
    const struct platform_link *of = platform_link_unnamed(f->platform, link);
    l->fatpipe = of->policy == PLATFORM_FATPIPE;
    l->latency = of->latency + (f->latency_change ? f->latency_change[link] : 0);
}

/* A link's record is filled in when the first packet crosses it, so that unused links take no memory. */
static inline struct fabric_link *link_at(struct fabric *f, uint32_t link)
{
    if (BASE_UNLIKELY(!f->links[link].known))
        link_fill(f, link);
    return &f->links[link];
}

bool fabric_link_on(const struct fabric *f, uint32_t link)
{
    return !f->links[link].off;
}

void fabric_links_each(const struct fabric *f,
                       void (*fn)(void *ctx, uint32_t link, uint64_t packets, double seconds), void *ctx)
{
    for (uint32_t k = 0; k < platform_link_count(f->platform); k++)
        if (f->links[k].packets)
            fn(ctx, k, f->links[k].packets, f->links[k].carried);
}

void fabric_links_release(struct fabric *f)
{
    for (uint32_t k = 0; k < platform_link_count(f->platform); k++)
        if (f->links[k].known)
            engine_series_release(&f->links[k].arriving);
    for (uint32_t k = 0; k < FABRIC_TRAVELS; k++)
        engine_series_release(&f->travels[k]);
    free(f->links);
}

/* Seconds that a link takes for this many bytes. */
static double passage(const struct fabric *f, const struct fabric_link *l, double bytes)
{
    double seconds = bytes * l->per_byte;
    if (BASE_UNLIKELY(fluid_flow_count(f->fluid) != 0) && !l->fatpipe)
        seconds *= 1 + fluid_resource_paths(f->fluid, f->first_link + (uint32_t)(l - f->links));
    return seconds;
}

double fabric_packet_enter(struct fabric *f, const struct fabric_way *w, double at, double bytes)
{
    struct fabric_link *l = NULL;
    for (uint32_t k = 0; k < w->links && (!l || l->fatpipe); k++)
        l = link_at(f, w->link[k]);
    if (!l || l->fatpipe)
        return at;
    if (l->busy > at)
        at = l->busy;
    double seconds = passage(f, l, bytes);
    l->busy = at + seconds;
    l->carried += seconds;
    l->packets++;
    return at;
}

static struct engine_series *travel(struct fabric *f, uint64_t key)
{
    return &f->travels[(key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - FABRIC_TRAVEL_BITS)];
}

static uint64_t bits_of(double seconds)
{
    uint64_t bits;
    memcpy(&bits, &seconds, sizeof bits);
    return bits;
}

struct engine_series *fabric_delay_series(struct fabric *f, double seconds)
{
    return travel(f, bits_of(seconds));
}

struct engine_series *fabric_packet_series(struct fabric *f, const struct fabric_way *w, uint64_t bytes,
                                           uint32_t behind)
{
    if (behind != FABRIC_NO_LINK)
        return &f->links[behind].arriving;
    return travel(f, bits_of(w->latency) ^ bytes);
}

double fabric_packet_pace(struct fabric *f, const struct fabric_way *w)
{
    double pace = 0;
    for (uint32_t k = 0; k < w->links; k++) {
        const struct fabric_link *l = link_at(f, w->link[k]);
        if (l->fatpipe && l->per_byte > pace)
            pace = l->per_byte;
    }
    return pace;
}

double fabric_packet_pass(struct fabric *f, const struct fabric_way *w, double bytes, uint32_t *behind)
{
    double now = engine_now(f->engine), at = now, slowest = 0;
    bool entered = false; /* its first link, which fabric_packet_enter has reserved */
    *behind = FABRIC_NO_LINK;
    for (uint32_t k = 0; k < w->links; k++) {
        struct fabric_link *l = link_at(f, w->link[k]);
        double seconds = passage(f, l, bytes);
        if (seconds > slowest)
            slowest = seconds;
        if (l->fatpipe)
            continue;
        if (!entered) {
            entered = true;
            continue;
        }
        if (l->busy > at) {
            at = l->busy;
            *behind = w->link[k];
        }
        l->busy = (l->busy > now ? l->busy : now) + seconds;
        l->carried += seconds;
        l->packets++;
    }
    return at + slowest;
}

/* A link sends a frame's head on while it gets the rest, if the link before is not slower. */
double fabric_packet_cross(struct fabric *f, const struct fabric_way *w, double bytes, double stretch,
                           uint32_t *at, double *tail)
{
    double now = engine_now(f->engine), head = now;
    while (*at < w->links && head <= now) {
        struct fabric_link *l = link_at(f, w->link[(*at)++]);
        double seconds = passage(f, l, bytes), latency = stretch * l->latency;
        head = fmax(now, *tail - seconds);
        if (!l->fatpipe) {
            head = fmax(head, l->busy);
            l->busy = head + seconds;
            l->carried += seconds;
            l->packets++;
        }
        *tail = head + seconds + latency;
        head += latency;
    }
    return *at < w->links ? head : *tail;
}
