/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * change: runs the platform's profiles on the engine's clock: at each of their times the host or link takes
 * the state that the profile gives. One daemon stands for all of them. The effects of a change are vary.c's
 * business.
 *
 * Invariants
 *  H1  The daemon is due at the time of the next change, ordered by time and then by profile.
 */
#include "fabric/parts.h"

#include <stdlib.h>

/* After this many changes in a row while everything else stands still, it will stand still for ever. */
enum { IN_VAIN = 1 << 20 };

/* The next change of a profile. */
struct coming {
    double at;
    uint32_t profile;
    uint32_t change; /* its index in the round */
    double round;    /* when the round began */
};

/* The profiles that have further changes, as a binary heap. */
struct fabric_changes {
    struct engine_daemon daemon;
    struct fabric *fabric;
    struct coming *at;
    uint32_t n;
    uint32_t in_vain;
};

/* --- the heap --------------------------------------------------------------------------------------- */

static bool before(const struct coming *a, const struct coming *b)
{
    return a->at != b->at ? a->at < b->at : a->profile < b->profile;
}

static void sink(struct fabric_changes *c, uint32_t k)
{
    struct coming moving = c->at[k];
    for (uint32_t child; (child = 2 * k + 1) < c->n; k = child) {
        if (child + 1 < c->n && before(&c->at[child + 1], &c->at[child]))
            child++;
        if (!before(&c->at[child], &moving))
            break;
        c->at[k] = c->at[child];
    }
    c->at[k] = moving;
}

/* Moves the first profile to its next change; removes it if there is none. */
static void advance(struct fabric_changes *c)
{
    struct coming *first = &c->at[0];
    const struct platform_profile *p = platform_profile_at(c->fabric->platform, first->profile);
    if (++first->change == p->n) {
        first->change = 0;
        first->round += p->period;
    }
    if (first->change == 0 && p->period < 0)
        *first = c->at[--c->n];
    else
        first->at = first->round + p->changes[first->change].at;
    if (c->n)
        sink(c, 0);
}

/* --- acting ----------------------------------------------------------------------------------------- */

static void apply(struct fabric *f, const struct platform_profile *p, double value)
{
    switch (p->trait) {
    case PLATFORM_SPEED:
        fabric_host_speed_set(f, p->id, value);
        break;
    case PLATFORM_HOST_STATE:
        (value > 0 ? fabric_host_returns : fabric_host_fails)(f, p->id);
        break;
    case PLATFORM_BANDWIDTH:
        fabric_link_bandwidth_set(f, p->id, value * fabric_noise_bandwidth(f, p->id));
        break;
    case PLATFORM_LATENCY:
        fabric_link_latency_set(f, p->id, value);
        break;
    case PLATFORM_LINK_STATE:
        (value > 0 ? fabric_link_returns : fabric_link_fails)(f, p->id);
        break;
    }
}

/* Makes all changes of the instant, then schedules the daemon for the next. */
static void act(struct fabric_changes *c)
{
    struct fabric *f = c->fabric;
    double now = engine_now(f->engine);
    while (c->n && c->at[0].at <= now) {
        const struct platform_profile *p = platform_profile_at(f->platform, c->at[0].profile);
        double value = p->changes[c->at[0].change].value;
        advance(c);
        apply(f, p, value);
    }
    if (c->n && c->in_vain < IN_VAIN)
        engine_daemon_at(f->engine, &c->daemon, c->at[0].at);
}

static void due(struct engine *e, struct engine_event *ev)
{
    struct fabric_changes *c = BASE_CONTAINER(ev, struct fabric_changes, daemon.event);
    c->in_vain = engine_stands_still(e) ? c->in_vain + 1 : 0;
    act(c);
}

void fabric_changes_begin(struct fabric *f)
{
    uint32_t n = platform_profile_count(f->platform);
    if (!n)
        return;
    struct fabric_changes *c = base_zalloc(sizeof *c, "profiles");
    c->fabric = f;
    c->daemon.fn = due;
    c->at = base_alloc(n * sizeof *c->at, "profiles");
    for (uint32_t k = 0; k < n; k++) {
        const struct platform_profile *p = platform_profile_at(f->platform, k);
        if (p->n)
            c->at[c->n++] = (struct coming){.at = p->changes[0].at, .profile = k};
    }
    for (uint32_t k = c->n / 2; k-- > 0;)
        sink(c, k);
    f->changes = c;
    act(c);
}

bool fabric_is_steady(const struct fabric *f)
{
    return !f->changes;
}

void fabric_changes_release(struct fabric *f)
{
    if (!f->changes)
        return;
    free(f->changes->at);
    free(f->changes);
}
