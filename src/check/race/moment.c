/* SPDX-License-Identifier: BSD-3-Clause */
/* moment: what strands release and acquire (rank/order.h). */
#include "check/race/parts.h"

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

rank_moment race_release(struct race *d, struct race_strand *s)
{
    rank_moment m = make_of(d, &s->clock);
    clock_raise(d->nodes, &at(d, m)->clock, s->id, s->count);
    s->released = s->count;
    s->learned = false;
    race_strand_raise(d, s);
    return m;
}

/* Threads also release in functions that are no calls of an API, and the rank's last call is not theirs. */
rank_moment race_release_in_call(struct race *d, struct race_strand *s)
{
    const struct rank *r = s->rank;
    if (r->threads <= 1 && r->caller)
        s->calls[s->called++ % RACE_RELEASES] = (struct race_release){s->count, r->call, r->caller};
    return race_release(d, s);
}

/* A moment after the strand's last release contains all that the strand knew then: if it has learned nothing
 * since, it takes the moment's clock over, and shares it with all who do the same. */
void race_acquire(struct race *d, struct race_strand *s, rank_moment m)
{
    if (!m)
        return;
    const struct clock *c = &at(d, m)->clock;
    if (s->released && !s->learned && clock_get(c, s->id) >= s->released) {
        struct clock was = s->clock;
        clock_copy(&s->clock, c);
        clock_clear(d->nodes, &was);
    } else {
        clock_join(d->nodes, &s->clock, c, NULL);
    }
    s->learned = true;
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

void race_moment_raise(struct race *d, rank_moment m, uint32_t id, uint32_t count)
{
    BASE_ASSERT("A1", at(d, m)->refs == 1);
    clock_raise(d->nodes, &at(d, m)->clock, id, count);
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
