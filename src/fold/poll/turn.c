/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * turn: judges one turn of a loop. What differs from turn to turn is found first by comparing values at both
 * ends; then everything that is computed from it, by following the steps, until nothing is added. If no
 * branch and no address is among it, all turns are alike, by induction: they begin with equal values of
 * everything else, load the same memory, and so take the same branches.
 */
#include "fold/poll/turn.h"

#include <string.h>

#include "base/table.h"

enum { INDEX = 2 * POLL_WORDS };
enum { STATUS_FLAGS = 0x8d5 }; /* carry, parity, adjust, zero, sign, overflow */
/* A loop that also counts may keep this many values from turn to turn: more are a computation's. */
enum { COUNTERS = 1, STORED_COUNTERS = 2 };

/* --- the record --------------------------------------------------------------------------------- */

void poll_turn_create(struct poll_turn *t)
{
    *t = (struct poll_turn){.step = base_reserve(POLL_STEPS * sizeof *t->step, "steps of a loop"),
                            .word = base_reserve(POLL_WORDS * sizeof *t->word, "words of a loop"),
                            .index = base_reserve(INDEX * sizeof *t->index, "words of a loop")};
}

void poll_turn_destroy(struct poll_turn *t)
{
    if (!t->step)
        return;
    base_unreserve(t->step, POLL_STEPS * sizeof *t->step);
    base_unreserve(t->word, POLL_WORDS * sizeof *t->word);
    base_unreserve(t->index, INDEX * sizeof *t->index);
    t->step = NULL;
}

static uint32_t place_of(const struct poll_turn *t, uintptr_t address)
{
    uint32_t at = (uint32_t)(base_hash_fold(address >> 3) % INDEX);
    while (t->index[at] && t->word[t->index[at] - 1].address != address)
        at = (at + 1) % INDEX;
    return at;
}

void poll_turn_clear(struct poll_turn *t)
{
    for (uint32_t k = 0; k < t->words; k++) /* the newest first, so that the others are still found */
        t->index[place_of(t, t->word[t->words - 1 - k].address)] = 0;
    t->n = t->words = t->elsewhere = 0;
    t->full = t->blind = false;
}

struct poll_word *poll_turn_word(struct poll_turn *t, uintptr_t address, bool *made)
{
    uint32_t at = place_of(t, address);
    *made = !t->index[at];
    if (!*made)
        return &t->word[t->index[at] - 1];
    if (t->words == POLL_WORDS)
        return NULL;
    struct poll_word *w = &t->word[t->words++];
    t->index[at] = (uint16_t)t->words;
    *w = (struct poll_word){.address = address};
    return w;
}

/* --- following ---------------------------------------------------------------------------------- */

/* What is known at a step of the turn. */
struct flow {
    uint64_t tainted; /* registers that differ from turn to turn */
    uint64_t fed;     /* those that come from memory outside of the own stack */
    uint64_t written; /* so far in this turn */
    uint64_t carried; /* tainted ones that were read before they were written */
    uint32_t decides; /* branches that something tainted decides, */
    uint32_t exits;   /* and those that only memory decides */
    bool strays;      /* an address is tainted */
};

static void load(struct poll_word *w, bool *tainted, bool *fed)
{
    *tainted |= w->tainted;
    *fed |= w->fed || !w->own;
    w->carried |= w->tainted && !w->written;
}

static void store(const struct poll_access *a, struct poll_word *w, bool tainted, bool fed)
{
    w->tainted = tainted || (w->tainted && !a->whole);
    w->fed = fed || (w->fed && !a->whole);
    w->written = true;
}

static void follow(struct poll_turn *t, const struct poll_step *s, struct flow *f)
{
    uint64_t reads = s->reads | s->addresses;
    bool tainted = s->flags & (POLL_SOURCE | POLL_OPAQUE) || reads & f->tainted, fed = (reads & f->fed) != 0;
    f->carried |= reads & f->tainted & ~f->written;
    f->strays |= s->n && s->addresses & f->tainted;
    for (unsigned k = 0; k < s->n; k++)
        if (s->access[k].load)
            load(&t->word[s->access[k].word], &tainted, &fed);
    if (s->flags & POLL_BRANCH) {
        f->decides += tainted;
        f->exits += !tainted && fed && s->flags & POLL_CHOICE;
    }
    f->tainted = tainted ? f->tainted | s->writes : f->tainted & ~s->writes;
    f->fed = fed ? f->fed | s->writes : f->fed & ~s->writes;
    f->written |= s->writes;
    for (unsigned k = 0; k < s->n; k++)
        if (s->access[k].store)
            store(&s->access[k], &t->word[s->access[k].word], tainted, fed);
}

/* One pass, with what is known of the turn before it; returns whether more is now. */
static bool pass(struct poll_turn *t, uint64_t *varies, uint64_t *fed, struct flow *f)
{
    *f = (struct flow){.tainted = *varies, .fed = *fed};
    for (uint32_t k = 0; k < t->words; k++) {
        struct poll_word *w = &t->word[k];
        w->tainted = w->varies;
        w->written = w->carried = false;
    }
    for (uint32_t k = 0; k < t->n; k++)
        follow(t, &t->step[k], f);
    bool more = f->tainted & ~*varies || f->fed & ~*fed;
    *varies |= f->tainted;
    *fed |= f->fed;
    for (uint32_t k = 0; k < t->words; k++) {
        more |= t->word[k].tainted && !t->word[k].varies;
        t->word[k].varies |= t->word[k].tainted;
    }
    return more;
}

/* --- the judgement ------------------------------------------------------------------------------ */

/* Registers whose values at both ends differ. Of vectors only the lower halves are known, of some registers
 * nothing: what is written of them counts as different. */
static uint64_t differing(const struct poll_turn *t)
{
    const uint64_t unknown = POLL_BIT(POLL_X87) | POLL_BIT(POLL_OTHERS) | UINT64_C(0xffff) << POLL_UPPER;
    uint64_t set = 0;
    for (unsigned k = 0; k < POLL_GENERAL; k++)
        set |= (uint64_t)(t->first.general[k] != t->last.general[k]) << k;
    set |= (uint64_t)(((t->first.flags ^ t->last.flags) & STATUS_FLAGS) != 0) << POLL_FLAGS;
    for (unsigned k = 0; k < 16; k++)
        set |= (uint64_t)(memcmp(t->first.vector[k], t->last.vector[k], sizeof t->first.vector[k]) != 0)
               << (POLL_VECTOR + k);
    for (uint32_t k = 0; k < t->n; k++)
        set |= t->step[k].writes & unknown;
    return set;
}

/* Words outside of the own stack that the turn leaves changed. */
static uint32_t lasting_stores(const struct poll_turn *t)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < t->words; k++)
        n += !t->word[k].own && t->word[k].first != t->word[k].last;
    return n;
}

static uint32_t carried(const struct poll_turn *t, const struct flow *f)
{
    uint32_t n = (uint32_t)__builtin_popcountll(f->carried & ~POLL_BIT(POLL_FLAGS));
    for (uint32_t k = 0; k < t->words; k++)
        n += t->word[k].carried;
    return n;
}

static bool opaque(const struct poll_turn *t)
{
    bool any = false;
    for (uint32_t k = 0; k < t->n; k++)
        any |= (t->step[k].flags & POLL_OPAQUE) != 0;
    return any;
}

enum poll_verdict poll_turn_judge(struct poll_turn *t)
{
    uint64_t varies = differing(t), fed = 0;
    uint32_t stores = lasting_stores(t);
    struct flow f;
    if (t->full)
        return POLL_COMPUTES;
    for (uint32_t k = 0; k < t->words; k++) {
        t->word[k].varies = t->word[k].first != t->word[k].last;
        t->word[k].fed = false;
    }
    while (pass(t, &varies, &fed, &f) && !f.strays)
        ;
    t->exits = f.exits;
    if (f.strays)
        return POLL_COMPUTES;
    if (!f.decides && !stores && !opaque(t) && !t->blind)
        return POLL_PROVEN;
    bool idle = f.exits && stores <= STORED_COUNTERS && carried(t, &f) <= COUNTERS + stores;
    return idle ? POLL_UNPROVEN : POLL_COMPUTES;
}
