/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * causes: which operations a PE's waits and tests saw. It is not known, but follows from the notes of all PEs, if these
 * assumptions hold: what a wait saw had begun before the wait ended, and operations on a word take effect in the order in
 * which they began, where values do not tell otherwise. So, going back from the end of the wait, it is
 *   the latest operation that set the word to the value that was seen; one whose value is not known (more than 8 bytes, and,
 *   or, xor) counts as such;
 *   or, if an addition comes first, all additions since the last wait, or since the word was set, that make the sum: the
 *   first ones that do, or all.
 * No operation ends a wait that begins after it, so a replay has no circles.
 */
#include "shmem_recorder.h"

#include <stdlib.h>
#include <string.h>

/* An operation on a word of this PE. */
struct effect {
    struct recorder_note n;
    int64_t word;
    int64_t origin; /* as causes name it: of n PEs, thread k of PE p is p + (k - 1) n */
};
/* A place that waits have looked at. */
struct watched {
    int64_t place;
    uint64_t value; /* seen last */
    bool any;
    size_t used; /* additions before this effect have been seen */
};
struct study {
    int rank, ranks;
    struct recorder_note *seen;
    size_t n_seen, cap_seen;
    struct watched *watched; /* sorted by place */
    size_t n_watched;
    struct effect *effects; /* sorted by word, then time */
    size_t n_effects, cap_effects;
};

static int64_t word_of(int64_t place)
{
    return place >> 3;
}

static void note_seen(void *arg, int rank, const struct recorder_note *n)
{
    struct study *s = arg;
    (void)rank;
    if (n->kind != NOTED_SEEN)
        return;
    if (s->n_seen == s->cap_seen)
        s->seen = base_array_grow(s->seen, &s->cap_seen, s->n_seen + 1, sizeof *s->seen, "waits");
    s->seen[s->n_seen++] = *n;
}

static int by_place(const void *a, const void *b)
{
    const struct watched *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

static void find_watched(struct study *s)
{
    s->watched = calloc(s->n_seen + 1, sizeof *s->watched);
    if (!s->watched)
        recorder_stop("no memory left");
    for (size_t k = 0; k < s->n_seen; k++)
        s->watched[k].place = s->seen[k].place;
    qsort(s->watched, s->n_seen, sizeof *s->watched, by_place);
    for (size_t k = 0; k < s->n_seen; k++)
        if (!s->n_watched || s->watched[s->n_watched - 1].place != s->watched[k].place)
            s->watched[s->n_watched++] = s->watched[k];
}

/* The first watched place that is not before `place`. */
static size_t watched_from(const struct study *s, int64_t place)
{
    size_t low = 0, high = s->n_watched;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->watched[middle].place < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void note_effect(void *arg, int rank, const struct recorder_note *n)
{
    struct study *s = arg;
    int64_t last = INT64_MIN;
    if (n->kind == NOTED_SEEN || n->pe != (uint32_t)s->rank || !n->bytes)
        return;
    int64_t end = word_of(n->place + (int64_t)n->bytes - 1);
    for (size_t k = watched_from(s, word_of(n->place) * 8);
         k < s->n_watched && word_of(s->watched[k].place) <= end; k++) {
        if (word_of(s->watched[k].place) == last)
            continue;
        last = word_of(s->watched[k].place);
        if (s->n_effects == s->cap_effects)
            s->effects = base_array_grow(s->effects, &s->cap_effects, s->n_effects + 1, sizeof *s->effects,
                                         "operations");
        s->effects[s->n_effects++] = (struct effect){*n, last, rank + ((int64_t)n->thread - 1) * s->ranks};
    }
}

static int by_word(const void *a, const void *b)
{
    const struct effect *x = a, *y = b;
    if (x->word != y->word)
        return x->word < y->word ? -1 : 1;
    if (x->n.begin != y->n.begin)
        return x->n.begin < y->n.begin ? -1 : 1;
    if (x->origin != y->origin)
        return x->origin < y->origin ? -1 : 1;
    return (x->n.number > y->n.number) - (x->n.number < y->n.number);
}

/* The first effect on this word that begins after `time`; with INT64_MIN the first one. */
static size_t effects_after(const struct study *s, int64_t word, int64_t time)
{
    size_t low = 0, high = s->n_effects;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct effect *e = &s->effects[middle];
        if (e->word < word || (e->word == word && e->n.begin <= time))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- one wait --------------------------------------------------------------------------------------------- */

static bool overlaps(const struct effect *e, const struct recorder_note *seen)
{
    return e->n.place < seen->place + (int64_t)seen->bytes && seen->place < e->n.place + (int64_t)e->n.bytes;
}

static bool is_exact(const struct effect *e, const struct recorder_note *seen)
{
    return e->n.place == seen->place && e->n.bytes == seen->bytes;
}

static uint64_t cut(uint64_t value, uint64_t bytes)
{
    return bytes < sizeof value ? value & ((UINT64_C(1) << 8 * bytes) - 1) : value;
}

static void add_cause(struct recorder_causes *c, const struct effect *e)
{
    for (size_t k = 0; k < c->n; k += 2)
        if (c->at[k] == e->origin && c->at[k + 1] == (int64_t)e->n.number)
            return;
    if (c->n + 2 > c->cap)
        c->at = base_array_grow(c->at, &c->cap, c->n + 2, sizeof *c->at, "causes");
    c->at[c->n++] = e->origin;
    c->at[c->n++] = (int64_t)e->n.number;
}

/* Where the first additions of [from, to) end whose sum is `sum`; 0: there are none. */
static size_t sums_up(const struct study *s, const struct recorder_note *seen, size_t from, size_t to,
                      uint64_t sum)
{
    uint64_t so_far = 0;
    for (size_t k = from; k < to; k++) {
        if (s->effects[k].n.kind != NOTED_ADD || !is_exact(&s->effects[k], seen))
            continue;
        so_far += s->effects[k].n.value;
        if (cut(so_far, seen->bytes) == cut(sum, seen->bytes))
            return k + 1;
    }
    return 0;
}

/* Additions, the last of which is before `to`, since the word was set or seen. */
static void see_additions(struct study *s, const struct recorder_note *seen, struct watched *w, size_t to,
                          struct recorder_causes *out)
{
    size_t first = effects_after(s, word_of(seen->place), INT64_MIN),
           from = first < w->used ? w->used : first, end;
    const struct effect *set = NULL;
    for (size_t k = from; k < to; k++)
        if (s->effects[k].n.kind == NOTED_SET && is_exact(&s->effects[k], seen))
            set = &s->effects[k];
    if (set) {
        from = (size_t)(set - s->effects) + 1;
        add_cause(out, set);
    }
    uint64_t base = set ? set->n.value : w->any ? w->value : 0;
    if (set && cut(base, seen->bytes) == cut(seen->value, seen->bytes)) {
        w->used = from;
        return;
    }
    end = sums_up(s, seen, from, to, seen->value - base);
    if (!end && !set)
        end = sums_up(s, seen, from, to, seen->value); /* the PE has cleared it itself */
    if (!end)
        end = to;
    if (from >= end) /* nothing since it was seen last */
        from = end - 1;
    for (size_t k = from; k < end; k++)
        if (s->effects[k].n.kind == NOTED_ADD && overlaps(&s->effects[k], seen))
            add_cause(out, &s->effects[k]);
    w->used = end;
}

static void see(struct study *s, const struct recorder_note *seen, struct recorder_causes *out)
{
    struct watched *w = &s->watched[watched_from(s, seen->place)];
    size_t first = effects_after(s, word_of(seen->place), INT64_MIN),
           k = effects_after(s, word_of(seen->place), seen->end);
    bool found = false;
    for (; !found && k > first; k--) {
        const struct effect *e = &s->effects[k - 1];
        if (!overlaps(e, seen) || (e->n.kind == NOTED_SET && is_exact(e, seen) &&
                                   cut(e->n.value, seen->bytes) != cut(seen->value, seen->bytes)))
            continue;
        found = true;
        if (e->n.kind == NOTED_ADD)
            see_additions(s, seen, w, k, out);
        else
            add_cause(out, e);
    }
    if (!found && cut(seen->before, seen->bytes) != cut(seen->value, seen->bytes))
        out->unknown = true;
    w->value = seen->value;
    w->any = true;
}

struct recorder_causes *recorder_causes_find(const char *path, int rank, int ranks, uint64_t *waits)
{
    struct study s = {.rank = rank, .ranks = ranks};
    recorder_notes_read(path, rank, note_seen, &s);
    *waits = s.n_seen ? s.seen[s.n_seen - 1].number + 1 : 0;
    struct recorder_causes *out = calloc(*waits + 1, sizeof *out);
    if (!out)
        recorder_stop("no memory left");
    find_watched(&s);
    for (int k = 0; s.n_seen && k < ranks; k++)
        recorder_notes_read(path, k, note_effect, &s);
    if (s.n_effects)
        qsort(s.effects, s.n_effects, sizeof *s.effects, by_word);
    for (size_t k = 0; k < s.n_seen; k++)
        see(&s, &s.seen[k], &out[s.seen[k].number]);
    free(s.seen);
    free(s.watched);
    free(s.effects);
    return out;
}
