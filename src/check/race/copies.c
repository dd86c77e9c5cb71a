/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * copies: windows of MPI's separate memory model (MPI-5.0 sections 12.4 and 12.7). Operations act on a public
 * copy, the owner's loads and stores on its own, and certain calls of the owner make them one. So a change
 * comes before an access on the other side only if such a call lies between; and while an operation changes
 * the window, no store may, wherever in it.
 *
 * Operations are followed at the owner's addresses. A window has a cell of its own, in a space that has no
 * memory: stores update it as atomics of one unit, others' changes as atomics of another.
 */
#include "check/race/accesses.h"
#include "check/race/strands.h"

#include <stdlib.h>

enum { SPACE = SHADOW_SPACES - 1, TIMES = 16 };
enum { STORES = UINT32_C(1) << 30, CHANGES = UINT32_C(3) << 29 }; /* units of no other atomics */

struct race_copies {
    struct rank *owner;
    uint64_t low, high;           /* its memory */
    uintptr_t base, copy;         /* its first byte's address, and that of the public copy's */
    struct clock knew;            /* what the owner knew when both were last made one */
    struct race_over time[TIMES]; /* the last times that they were; a ring */
    uint32_t times;
    uint32_t last, made; /* the last access that changed it, and what that did to the window's cell */
};

static uint64_t cell_of(const struct race *d, const struct race_copies *c)
{
    return shadow_key(SPACE, (uintptr_t)(c - d->copies.at) * SHADOW_PAGE);
}

static struct race_copies *find(const struct race *d, uint64_t key)
{
    if (shadow_space_of(key) == SPACE)
        return &d->copies.at[shadow_place_of(key) / SHADOW_PAGE];
    for (size_t k = 0; k < d->copies.n; k++)
        if (d->copies.at[k].low <= key && key < d->copies.at[k].high)
            return &d->copies.at[k];
    return NULL;
}

/* --- windows -------------------------------------------------------------------------------------------- */

void race_copies_area(struct race *d, struct rank *r, const struct rank_area *a, bool there)
{
    uint64_t low = race_key(d, r, a->address);
    struct race_copies *c = find(d, low), new = {.owner = r,
                                                 .low = low,
                                                 .high = low + a->bytes,
                                                 .base = a->address,
                                                 .copy = a->copy};
    if (there) {
        BASE_ARRAY_PUSH(&d->copies, new);
    } else if (c) { /* numbers stay */
        clock_clear(d->nodes, &c->knew);
        c->low = c->high = 0;
    }
}

uintptr_t race_copies_home(const struct race *d, uintptr_t address)
{
    for (size_t k = 0; k < d->copies.n; k++) {
        const struct race_copies *c = &d->copies.at[k];
        if (address - c->copy < c->high - c->low)
            return c->base + (address - c->copy);
    }
    return address;
}

void race_copies_united(struct race *d, struct race_strand *s, uint64_t low)
{
    struct race_copies *c = d->copies.n ? find(d, low) : NULL;
    if (!c)
        return;
    clock_clear(d->nodes, &c->knew);
    clock_copy(&c->knew, &s->clock);
    clock_raise(d->nodes, &c->knew, s->id, s->count);
    c->time[c->times++ % TIMES] = (struct race_over){s->id, s->count, 0};
    race_strand_raise(d, s);
}

void race_copies_renumbered(struct race *d)
{
    for (size_t k = 0; k < d->copies.n; k++)
        d->copies.at[k].last = 0;
}

void race_copies_release(struct race *d)
{
    for (size_t k = 0; k < d->copies.n; k++)
        clock_clear(d->nodes, &d->copies.at[k].knew);
    free(d->copies.at);
}

/* --- order ---------------------------------------------------------------------------------------------- */

/* A time after a, on its own thread, that whoever does b knows of. More are not remembered: then there was
 * one. */
static bool published(const struct race *d, const struct race_copies *c, const struct race_access *a)
{
    const struct race_end *e = a->end ? &d->ends.at[a->end] : NULL;
    struct race_over over = e ? e->local : (struct race_over){a->strand, a->count, 0};
    for (uint32_t k = 0; k < TIMES && k < c->times; k++) {
        const struct race_over *t = &c->time[k];
        if (t->strand != over.strand || (t->count >= over.count && race_knows(d->now, t->strand, t->count)))
            return true;
    }
    return c->times > TIMES;
}

static bool refreshed(const struct race *d, const struct race_copies *c, const struct race_access *a)
{
    const struct race_end *e = &d->ends.at[a->end];
    const struct race_over *t = c->times ? &c->time[(c->times - 1) % TIMES] : NULL;
    if (!t || !race_knows(d->now, t->strand, t->count))
        return false;
    if (e->remote.count && clock_get(&c->knew, e->remote.strand) >= e->remote.count)
        return true;
    for (uint32_t k = e->knowers; k; k = d->knowers.at[k].next)
        if (clock_get(&c->knew, d->knowers.at[k].strand) >= d->knowers.at[k].count)
            return true;
    return false;
}

bool race_copied(const struct race *d, const struct race_access *a, const struct race_access *b)
{
    if (a->remote == b->remote || !race_writes(a->kind))
        return true;
    const struct race_copies *c = find(d, d->where);
    return !c || (a->remote ? refreshed(d, c, a) : published(d, c, a));
}

/* --- the window's own cell --------------------------------------------------------------------------- */

struct rank *race_copies_owner(const struct race *d, uint64_t key)
{
    return shadow_space_of(key) == SPACE ? find(d, key)->owner : NULL;
}

bool race_copies_apart(const struct race_access *a)
{
    return a->unit == STORES || a->unit == CHANGES;
}

void race_copies_changed(struct race *d, uint32_t id, const struct race_bytes *b)
{
    struct race_access a = d->accesses.at[id];
    struct race_copies *c = race_writes(a.kind) ? find(d, race_key(d, b->rank, b->address)) : NULL;
    if (!c)
        return;
    uint64_t cell = cell_of(d, c);
    if (c->last != id) {
        a.kind = RACE_UPDATE;
        a.unit = a.remote ? CHANGES : STORES;
        a.op = 0;
        c->made = race_access_add(d, &a);
        c->last = id;
    }
    race_apply_key(d, c->made, cell, cell + SHADOW_CELL, true);
}
