/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * end: when operations are over. Those of one strand between two releases that one call would complete
 * together share an end. While it is open locally, the pages of private memory that they use are followed.
 */
#include "check/race/operations.h"
#include "check/race/strands.h"

#include <stdlib.h>

uint32_t race_end_create(struct race *d, const struct race_end *e)
{
    if (!d->ends.n)
        BASE_ARRAY_PUSH(&d->ends, (struct race_end){0}); /* number 0: at once */
    uint32_t k = d->free_end;
    if (k) {
        d->free_end = d->ends.at[k].next;
        free(d->ends.at[k].pins.at);
        d->ends.at[k] = *e;
    } else {
        k = (uint32_t)d->ends.n;
        BASE_ARRAY_PUSH(&d->ends, *e);
    }
    return k;
}

static void add_knower(struct race *d, uint32_t end, struct race_knower who)
{
    uint32_t k = d->free_knower;
    who.next = d->ends.at[end].knowers;
    if (k) {
        d->free_knower = d->knowers.at[k].next;
        d->knowers.at[k] = who;
    } else {
        if (!d->knowers.n)
            BASE_ARRAY_PUSH(&d->knowers, (struct race_knower){0});
        k = (uint32_t)d->knowers.n;
        BASE_ARRAY_PUSH(&d->knowers, who);
    }
    d->ends.at[end].knowers = k;
}

uint32_t race_end_split(struct race *d, uint32_t end)
{
    struct race_end e = d->ends.at[end];
    if (!e.alone)
        d->ends.at[end].served--;
    e.pins.at = NULL;
    e.pins.n = e.pins.cap = 0;
    e.next = 0;
    e.got = 0;
    e.knowers = 0;
    e.alone = true;
    e.served = 1;
    uint32_t k = race_end_create(d, &e);
    for (uint32_t who = d->ends.at[end].knowers; who; who = d->knowers.at[who].next)
        add_knower(d, k, d->knowers.at[who]);
    if (e.last)
        BASE_ARRAY_PUSH(&d->unwaited, k);
    if (!e.remote.count) {
        struct race_context *c = race_context_of(d, e.origin, e.context);
        d->ends.at[k].next = c->open;
        c->open = k;
    }
    return k;
}

static uint64_t page_of(uint64_t key)
{
    return key / SHADOW_PAGE;
}

/* Operations of a loop often use one place. */
static bool is_pinned(const struct race_end *e, uint64_t low, uint64_t high)
{
    if (!e->pins.at || !e->pins.n)
        return false;
    const struct race_pin *last = &e->pins.at[e->pins.n - 1];
    return page_of(last->low) <= page_of(low) && page_of(high - 1) <= page_of(last->high - 1);
}

/* All memory of a rank with threads is followed anyway. */
void race_end_pin(struct race *d, uint32_t end, const struct rank *r, uint64_t low, uint64_t high)
{
    struct race_end *e = &d->ends.at[end];
    race_frame_hold(d, r, low, high);
    if (r->threads > 1 || is_pinned(e, low, high))
        return;
    shadow_pin(&d->shadow, low, high);
    BASE_ARRAY_PUSH(&e->pins, ((struct race_pin){low, high}));
}

static void unpin(struct race *d, struct race_end *e)
{
    for (size_t k = 0; k < e->pins.n; k++)
        shadow_unpin(&d->shadow, e->pins.at[k].low, e->pins.at[k].high);
    free(e->pins.at);
    e->pins.at = NULL;
    e->pins.n = e->pins.cap = 0;
}

void race_end_local(struct race *d, uint32_t end, const struct race_strand *s, uint32_t place)
{
    struct race_end *e = &d->ends.at[end];
    if (e->local.count)
        return;
    e->local = (struct race_over){s->id, s->count, place};
    unpin(d, e);
}

void race_end_remote(struct race *d, uint32_t end, const struct race_strand *s, uint32_t place)
{
    struct race_end *e = &d->ends.at[end];
    race_end_local(d, end, s, place);
    if (!e->remote.count)
        e->remote = (struct race_over){s->id, s->count, place};
}

/* What it accesses in a file also needs a flush (file.c). */
void race_action_over(struct race *d, uint32_t end, const struct race_strand *s, uint32_t place)
{
    race_end_remote(d, end, s, place);
    if (d->ends.at[end].also)
        race_end_local(d, d->ends.at[end].also, s, place);
}

/* A strand that comes after another that knows it knows it from there. */
void race_end_known(struct race *d, uint32_t end, const struct race_strand *s)
{
    uint32_t n = 0;
    for (uint32_t k = d->ends.at[end].knowers; k; k = d->knowers.at[k].next, n++)
        if (race_knows(s, d->knowers.at[k].strand, d->knowers.at[k].count))
            return;
    if (n < RACE_KNOWERS)
        add_knower(d, end, (struct race_knower){.strand = s->id, .count = s->count});
}

/* No access has it any more. */
void race_end_free(struct race *d, uint32_t end)
{
    struct race_end *e = &d->ends.at[end];
    for (uint32_t next; e->knowers; e->knowers = next) {
        next = d->knowers.at[e->knowers].next;
        d->knowers.at[e->knowers].next = d->free_knower;
        d->free_knower = e->knowers;
    }
    e->next = d->free_end;
    d->free_end = end;
}

void race_ends_release(struct race *d)
{
    for (size_t k = 0; k < d->ends.n; k++)
        free(d->ends.at[k].pins.at);
    free(d->ends.at);
    free(d->knowers.at);
}
