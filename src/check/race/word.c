/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * word: what the value of a word tells whoever reads it by an atomic or a wait: all that its writer knew when
 * it issued the update. An update that reads the old value continues what came before, one that sets the word
 * replaces it. It also tells that the update itself, and a signal's own data, are delivered, and, through the
 * count of its order of deliveries, those before its last fence.
 */
#include "check/race/parts.h"

enum { UPDATES = 16 };
struct word {
    rank_moment moment;
    uint32_t updates, end[UPDATES]; /* of the last updates that are in the value; a ring */
};

static void learn(struct race *d, struct word *w, const struct race_update *u)
{
    if (u->sets) {
        race_moment_forget(d, w->moment);
        w->moment = 0;
        w->updates = 0;
    }
    w->moment = race_moment_join(d, w->moment, race_moment_copy(d, u->moment));
    if (u->end)
        w->end[w->updates++ % UPDATES] = u->end;
}

/* What a fetch that does not block will tell when it is over. */
struct fetched {
    uint32_t ends, end[UPDATES];
};

static void note_fetched(struct race *d, const struct word *w, const struct race_update *u)
{
    struct fetched *t = base_table_add(&d->fetches, u->end, NULL);
    for (uint32_t k = 0; k < w->updates && k < UPDATES; k++)
        t->end[t->ends++ % UPDATES] = w->end[k];
}

void race_fetch_over(struct race *d, struct race_strand *s, uint32_t end)
{
    const struct fetched *t = d->fetches.live ? base_table_find(&d->fetches, end) : NULL;
    if (!t)
        return;
    for (uint32_t k = 0; k < t->ends && k < UPDATES; k++)
        race_end_known(&d->ends.at[t->end[k]], s);
    base_table_remove(&d->fetches, end);
}

/* Who fetches a value of its own memory sees that what is in it was delivered, when it has the value. That others
 * see it, too, is not noted: few can be. */
static void fetch(struct race *d, const struct word *w, const struct race_update *u)
{
    struct race_strand *s = (struct race_strand *)(uintptr_t)race_strand_find(d, u->strand);
    rank_moment *got = u->blocks ? &s->got : &d->ends.at[u->end].got;
    *got = race_moment_join(d, *got, race_moment_copy(d, w->moment));
    if (u->owner != s->rank || !w->updates)
        return;
    if (!u->blocks)
        note_fetched(d, w, u);
    for (uint32_t k = 0; u->blocks && k < w->updates && k < UPDATES; k++)
        race_end_known(&d->ends.at[w->end[k]], s);
}

/* A swap that failed has changed nothing, and so tells nothing of its own. */
void race_update_touched(struct race *d, const struct race_update *u, bool failed)
{
    for (uint32_t k = 0; k < u->elements; k++) {
        uint64_t key = (u->key + (uint64_t)k * u->element) / SHADOW_CELL;
        struct word *w = base_table_find(&d->words, key);
        if (u->fetches && w)
            fetch(d, w, u);
        if (u->moment && !failed)
            learn(d, w ? w : base_table_add(&d->words, key, NULL), u);
    }
}

void race_word_seen(struct race *d, struct race_strand *s, uint64_t low, uint64_t high)
{
    for (uint64_t key = low / SHADOW_CELL; key * SHADOW_CELL < high; key++) {
        const struct word *w = base_table_find(&d->words, key);
        if (!w)
            continue;
        race_acquire(d, s, w->moment);
        for (uint32_t k = 0; k < w->updates && k < UPDATES; k++)
            race_end_known(&d->ends.at[w->end[k]], s);
    }
}

void race_words_mark(const struct race *d, bool *end)
{
    uint32_t at = 0;
    for (const struct word *w; (w = base_table_next(&d->words, &at));)
        for (uint32_t k = 0; k < w->updates && k < UPDATES; k++)
            end[w->end[k]] = true;
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
    for (struct word *w; (w = base_table_next(&d->words, &at));)
        race_moment_forget(d, w->moment);
    base_table_release(&d->words);
    base_table_release(&d->fetches);
}
