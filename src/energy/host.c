/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host: two integrals of each host: core-seconds, and seconds with load. Computations that share cores change
 * them when their number changes. One that has a core for itself is told with its end; it may lie ahead of
 * the clock, and joins the sums when the clock has reached its beginning. Until it has ended it is kept, so
 * that what lies beyond `now` can be taken off again.
 */
#include "energy/internal.h"

#include <math.h>
#include <stdlib.h>

static void cover(struct energy_host *h, double from, double until)
{
    double begin = fmax(from, h->covered);
    if (until > begin) {
        h->busy += until - begin;
        h->covered = until;
    }
}

static void begin(struct energy_host *h, struct energy_span *s)
{
    s->begun = true;
    h->cores += s->until - s->from;
    cover(h, s->from, s->until);
}

/* The one that begins first of those that have not, up to `now`. */
static struct energy_span *next(struct energy_host *h, double now)
{
    struct energy_span *first = NULL;
    for (size_t k = 0; k < h->spans.n; k++) {
        struct energy_span *s = &h->spans.at[k];
        if (!s->begun && s->from <= now && (!first || s->from < first->from))
            first = s;
    }
    return first;
}

/* What the computations that share cores have done since the last change. */
static void share(struct energy_host *h, uint32_t cores, double now)
{
    if (h->shared && now > h->since && h->factor > 0) {
        h->cores += h->factor * (h->shared < cores ? h->shared : cores) * (now - h->since);
        cover(h, h->since, now);
    }
    h->since = now;
}

/* Brings the sums up to now, and forgets what has ended. */
static void settle(struct energy *e, uint32_t host)
{
    struct energy_host *h = &e->host[host];
    double now = engine_now(e->engine);
    size_t kept = 0;
    share(h, platform_host(e->platform, host)->cores, now);
    for (struct energy_span *s; (s = next(h, now));)
        begin(h, s);
    for (size_t k = 0; k < h->spans.n; k++)
        if (h->spans.at[k].until > now)
            h->spans.at[kept++] = h->spans.at[k];
    h->spans.n = kept;
}

void energy_host_computes(struct energy *e, uint32_t host, double from, double until)
{
    struct energy_host *h = &e->host[host];
    double now = engine_now(e->engine);
    if (!h->known || !(until > from))
        return;
    BASE_ASSERT("E1", from >= now);
    h->used = true;
    struct energy_span s = {.from = from, .until = until};
    if (h->spans.n || h->shared)
        settle(e, host);
    if (from <= now && !h->shared)
        begin(h, &s);
    BASE_ARRAY_PUSH(&h->spans, s);
}

void energy_host_shares(struct energy *e, uint32_t host, uint32_t computations, double factor)
{
    struct energy_host *h = &e->host[host];
    if (!h->known)
        return;
    settle(e, host);
    h->shared = computations;
    h->factor = factor;
    h->used |= computations > 0;
}

void energy_host_off(struct energy *e, uint32_t host, bool off)
{
    struct energy_host *h = &e->host[host];
    double now = engine_now(e->engine);
    if (!h->known || h->off == off)
        return;
    settle(e, host);
    if (off) {
        h->went_off = now;
        h->shared = 0;
        for (size_t k = 0; k < h->spans.n; k++)
            h->cores -= h->spans.at[k].begun ? h->spans.at[k].until - now : 0;
        h->spans.n = 0;
        h->busy -= fmax(0, h->covered - now);
        h->covered = fmin(h->covered, now);
    } else {
        h->dark += now - h->went_off;
    }
    h->off = off;
}

/* Core-seconds beyond now. */
static double cores_ahead(const struct energy_host *h, double now)
{
    double ahead = 0;
    for (size_t k = 0; k < h->spans.n; k++)
        ahead += h->spans.at[k].begun ? h->spans.at[k].until - now : 0;
    return ahead;
}

struct energy_joules energy_of_host(struct energy *e, uint32_t host)
{
    struct energy_host *h = &e->host[host];
    const struct energy_watts *w = &h->watts;
    double now = engine_now(e->engine), cores = platform_host(e->platform, host)->cores;
    if (!h->known)
        return (struct energy_joules){0, 0};
    settle(e, host);
    double busy = h->busy - fmax(0, h->covered - now), dark = h->dark + (h->off ? now - h->went_off : 0);
    double active = busy * (w->epsilon - w->idle) +
                    (h->cores - cores_ahead(h, now)) / cores * (w->all_cores - w->epsilon);
    double rest = (now - h->since_pstate - dark) * w->idle + dark * w->off;
    return (struct energy_joules){h->past.all + rest + active, h->past.active + active};
}

/* What lies ahead counts at the new watts. */
void energy_host_pstate(struct energy *e, uint32_t host, uint32_t pstate)
{
    struct energy_host *h = &e->host[host];
    double now = engine_now(e->engine);
    if (!h->known || !h->each)
        return;
    h->past = energy_of_host(e, host);
    h->since_pstate = h->went_off = now;
    h->busy = fmax(0, h->covered - now);
    h->cores = cores_ahead(h, now);
    h->dark = 0;
    h->watts = h->each[pstate];
}

double energy_host_power(struct energy *e, uint32_t host)
{
    struct energy_host *h = &e->host[host];
    uint32_t cores = platform_host(e->platform, host)->cores, spans = 0;
    if (!h->known)
        return 0;
    settle(e, host);
    for (size_t k = 0; k < h->spans.n; k++)
        spans += h->spans.at[k].begun;
    double load = h->factor * (h->shared < cores ? h->shared : cores) + spans;
    if (h->off)
        return h->watts.off;
    if (!(load > 0))
        return h->watts.idle;
    return h->watts.epsilon + fmin(1, load / cores) * (h->watts.all_cores - h->watts.epsilon);
}

struct energy_power energy_host_power_in(const struct energy *e, uint32_t host, uint32_t pstate)
{
    const struct energy_host *h = &e->host[host];
    const struct energy_watts *w = h->each ? &h->each[pstate] : &h->watts;
    return (struct energy_power){w->idle, w->epsilon, w->all_cores};
}

bool energy_host_has_watts(const struct energy *e, uint32_t host)
{
    return e->host[host].known;
}

bool energy_host_was_used(const struct energy *e, uint32_t host)
{
    return e->host[host].used;
}
