/* SPDX-License-Identifier: BSD-3-Clause */
/* moment: what strands release and acquire (rank/order.h). */
#include "check/race/strands.h"

#include <stdlib.h>

static struct race_moment *at(struct race *d, rank_moment m)
{
    return &d->moments.at[m];
}

static rank_moment make(struct race *d)
{
    if (!d->moments.n)
        BASE_ARRAY_PUSH(&d->moments, (struct race_moment){0}); /* number 0 is none */
    rank_moment m = d->free_moment;
    if (m) {
        d->free_moment = at(d, m)->free;
    } else {
        m = (rank_moment)d->moments.n;
        BASE_ARRAY_PUSH(&d->moments, (struct race_moment){0});
    }
    *at(d, m) = (struct race_moment){.refs = 1};
    d->moments_live++;
    return m;
}

static rank_moment make_of(struct race *d, const struct clock *c)
{
    rank_moment m = make(d);
    clock_copy(&at(d, m)->clock, c);
    clock_seen_add(d->nodes, &at(d, m)->seen, c);
    return m;
}

static void released(struct race *d, struct race_strand *s)
{
    s->released = s->count;
    s->learned = false;
    race_strand_raise(d, s);
}

rank_moment race_release(struct race *d, struct race_strand *s)
{
    rank_moment m = make_of(d, &s->clock);
    clock_raise(d->nodes, &at(d, m)->clock, s->id, s->count);
    released(d, s);
    return m;
}

/* Threads also release in functions that are no calls of an API, and the rank's last call is not theirs. */
static void note_call(struct race_strand *s)
{
    const struct rank *r = s->rank;
    if (r->threads <= 1 && r->caller)
        s->calls[s->called++ % RACE_RELEASES] = (struct race_release){s->count, r->call, r->caller};
}

rank_moment race_release_in_call(struct race *d, struct race_strand *s)
{
    note_call(s);
    return race_release(d, s);
}

struct race_told race_release_in_update(struct race *d, struct race_strand *s)
{
    note_call(s);
    if (!s->base)
        s->base = make_of(d, &s->clock);
    struct race_told t = {.moment = race_moment_copy(d, s->base), .strand = s->id, .count = s->count};
    released(d, s);
    return t;
}

static void learned(struct race *d, struct race_strand *s)
{
    race_moment_forget(d, s->base);
    s->base = 0;
    s->learned = true;
}

/* A moment after the strand's last release contains all that the strand knew then: if it has learned nothing
 * since, it takes the moment's clock over, and shares it with all who do the same. */
void race_acquire(struct race *d, struct race_strand *s, rank_moment m)
{
    if (!m)
        return;
    struct clock *c = &at(d, m)->clock;
    if (s->released && !s->learned && clock_get(c, s->id) >= s->released) {
        struct clock was = s->clock;
        clock_share(d->nodes, &s->clock, c);
        clock_clear(d->nodes, &was);
    } else {
        clock_join(d->nodes, &s->clock, c, NULL);
    }
    learned(d, s);
}

void race_told_acquire(struct race *d, struct race_strand *s, const struct race_told *t)
{
    if (!t->moment)
        return;
    race_acquire(d, s, t->moment);
    if (t->strand != s->id)
        clock_raise(d->nodes, &s->clock, t->strand, t->count);
    if (t->lane)
        clock_raise(d->nodes, &s->clock, t->lane, t->fences);
}

rank_moment race_moment_copy(struct race *d, rank_moment m)
{
    if (m)
        at(d, m)->refs++;
    return m;
}

void race_moment_forget(struct race *d, rank_moment m)
{
    if (!m || --at(d, m)->refs)
        return;
    clock_clear(d->nodes, &at(d, m)->clock);
    clock_seen_clear(d->nodes, &at(d, m)->seen);
    at(d, m)->free = d->free_moment;
    d->free_moment = m;
    d->moments_live--;
}

bool race_moment_knows(const struct race *d, rank_moment m, uint32_t strand, uint32_t count)
{
    return clock_get(&d->moments.at[m].clock, strand) >= count;
}

/* One that nobody else refers to. Takes the reference over. */
static rank_moment own(struct race *d, rank_moment m)
{
    if (at(d, m)->refs == 1)
        return m;
    struct clock c = at(d, m)->clock; /* making one may move them */
    at(d, m)->refs--;
    return make_of(d, &c);
}

rank_moment race_moment_join(struct race *d, rank_moment a, rank_moment b)
{
    if (!a || !b || a == b) {
        if (a == b)
            race_moment_forget(d, b);
        return a ? a : b;
    }
    a = own(d, a);
    clock_join(d->nodes, &at(d, a)->clock, &at(d, b)->clock, &at(d, a)->seen);
    race_moment_forget(d, b);
    return a;
}

/* Its clock, changed if need be so that it has this count. */
static rank_moment raised(struct race *d, rank_moment m, uint32_t id, uint32_t count)
{
    if (clock_get(&at(d, m)->clock, id) >= count)
        return m;
    m = own(d, m);
    clock_raise(d->nodes, &at(d, m)->clock, id, count);
    return m;
}

void race_told_raise(struct race *d, struct race_told *t, uint32_t id, uint32_t count)
{
    t->moment = raised(d, t->moment, id, count);
}

rank_moment race_told_moment(struct race *d, struct race_told *t)
{
    if (!t->moment)
        return 0;
    t->moment = raised(d, t->moment, t->strand, t->count);
    if (t->lane)
        t->moment = raised(d, t->moment, t->lane, t->fences);
    return race_moment_copy(d, t->moment);
}

void race_moments_release(struct race *d)
{
    for (size_t k = 1; k < d->moments.n; k++)
        if (d->moments.at[k].refs) {
            clock_clear(d->nodes, &d->moments.at[k].clock);
            clock_seen_clear(d->nodes, &d->moments.at[k].seen);
        }
    free(d->moments.at);
}
