/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * word: what the value of a word tells whoever reads it by an atomic or a wait: all that its writer knew when
 * it issued the update. An update that reads the old value continues what came before, one that sets the word
 * replaces it. It also tells that the update itself, and a signal's own data, are delivered, and, through the
 * count of its order of deliveries, those before its last fence.
 */
#include "check/race/operations.h"
#include "check/race/strands.h"

#include <stdlib.h>

/* An update of a word whose end is not its own alone gets one when somebody learns of it (part.c). */
struct made {
    uint32_t end, count;
    uint8_t from, to; /* its bytes, from the first of the word's cell on */
};

enum { UPDATES = 16 };
struct word {
    struct race_told told;
    uint32_t updates;  /* that are in the value */
    struct made last;  /* if there is one */
    struct made *made; /* UPDATES, the last ones, a ring: if there are more */
};

static struct made *made_at(struct word *w, uint32_t k)
{
    return w->updates == 1 ? &w->last : &w->made[k];
}

static void clear(struct race *d, struct word *w)
{
    race_moment_forget(d, w->told.moment);
    w->told = (struct race_told){0};
    w->updates = 0;
}

static void add(struct word *w, struct made m)
{
    if (w->updates == 1) {
        if (!w->made)
            w->made = base_alloc(UPDATES * sizeof *w->made, "checked words");
        w->made[0] = w->last;
    }
    if (w->updates)
        w->made[w->updates % UPDATES] = m;
    w->last = m;
    w->updates++;
}

static void learn(struct race *d, struct word *w, uint64_t first, const struct race_update *u)
{
    uint8_t from = first % SHADOW_CELL;
    if (u->sets)
        clear(d, w);
    rank_moment before = race_told_moment(d, &w->told);
    race_moment_forget(d, w->told.moment);
    w->told = u->told;
    w->told.moment = race_moment_join(d, before, race_moment_copy(d, u->told.moment));
    if (u->end)
        add(w, (struct made){u->end, u->told.count, from, (uint8_t)(from + u->element)});
}

/* The end of an update to this word alone; 0: it does not matter any more. */
static uint32_t own_end(struct race *d, struct made *m, uint64_t key)
{
    const struct race_end *e = &d->ends.at[m->end];
    if (!m->end || e->alone)
        return m->end;
    uint64_t cell = key * SHADOW_CELL;
    m->end = race_see(d, m->end, m->count, cell + m->from, cell + m->to);
    return m->end;
}

/* The strand knows that they were delivered. */
static void know(struct race *d, struct race_strand *s, struct word *w, uint64_t key)
{
    for (uint32_t k = 0; k < w->updates && k < UPDATES; k++) {
        uint32_t end = own_end(d, made_at(w, k), key);
        if (end)
            race_end_known(d, end, s);
    }
}

/* What a fetch that does not block will tell when it is over. */
struct fetched {
    uint32_t ends, end[UPDATES];
};

static void note_fetched(struct race *d, struct word *w, uint64_t key, const struct race_update *u)
{
    struct fetched *t = base_table_add(&d->fetches, u->end, NULL);
    for (uint32_t k = 0; k < w->updates && k < UPDATES; k++)
        t->end[t->ends++ % UPDATES] = own_end(d, made_at(w, k), key);
}

void race_fetch_over(struct race *d, struct race_strand *s, uint32_t end)
{
    const struct fetched *t = d->fetches.live ? base_table_find(&d->fetches, end) : NULL;
    if (!t)
        return;
    for (uint32_t k = 0; k < t->ends && k < UPDATES; k++)
        if (t->end[k])
            race_end_known(d, t->end[k], s);
    base_table_remove(&d->fetches, end);
}

/* Who fetches a value sees that what is in it was delivered, when it has the value. */
static void fetch(struct race *d, struct word *w, uint64_t key, const struct race_update *u)
{
    struct race_strand *s = (struct race_strand *)(uintptr_t)race_strand_find(d, u->strand);
    rank_moment *got = u->blocks ? &s->got : &d->ends.at[u->end].got;
    *got = race_moment_join(d, *got, race_told_moment(d, &w->told));
    if (!w->updates)
        return;
    if (u->blocks)
        know(d, s, w, key);
    else
        note_fetched(d, w, key, u);
}

/* A swap that failed has changed nothing, and so tells nothing of its own. */
void race_update_touched(struct race *d, const struct race_update *u, bool failed)
{
    for (uint32_t k = 0; k < u->elements; k++) {
        uint64_t first = u->key + (uint64_t)k * u->element, key = first / SHADOW_CELL;
        struct word *w = base_table_find(&d->words, key);
        if (u->fetches && w)
            fetch(d, w, key, u);
        if (u->told.moment && !failed)
            learn(d, w ? w : base_table_add(&d->words, key, NULL), first, u);
    }
}

void race_word_seen(struct race *d, struct race_strand *s, uint64_t low, uint64_t high)
{
    for (uint64_t key = low / SHADOW_CELL; key * SHADOW_CELL < high; key++) {
        struct word *w = base_table_find(&d->words, key);
        if (!w)
            continue;
        race_told_acquire(d, s, &w->told);
        know(d, s, w, key);
    }
}

void race_words_mark(const struct race *d, bool *end)
{
    uint32_t at = 0;
    for (struct word *w; (w = base_table_next(&d->words, &at));)
        for (uint32_t k = 0; k < w->updates && k < UPDATES; k++)
            end[made_at(w, k)->end] = true;
    at = 0;
    for (const struct fetched *t; (t = base_table_next(&d->fetches, &at));)
        for (uint32_t k = 0; k < t->ends && k < UPDATES; k++)
            end[t->end[k]] = true;
}

void race_words_init(struct race *d)
{
    base_table_init(&d->words, BASE_NUMBERS, sizeof(struct word), "checked words");
    base_table_init(&d->fetches, BASE_NUMBERS, sizeof(struct fetched), "checked fetches");
}

void race_words_release(struct race *d)
{
    uint32_t at = 0;
    for (struct word *w; (w = base_table_next(&d->words, &at));) {
        clear(d, w);
        free(w->made);
    }
    base_table_release(&d->words);
    base_table_release(&d->fetches);
}
