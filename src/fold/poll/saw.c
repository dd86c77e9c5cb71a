/* SPDX-License-Identifier: BSD-3-Clause */
/* saw: the memory that a waiter's loop loaded, as it saw it, and whether it is the same now. */
#include "fold/poll/waiter.h"

#include <stdlib.h>

static int by_address(const void *left, const void *right)
{
    const struct poll_seen *a = left, *b = right;
    return (a->address > b->address) - (a->address < b->address);
}

/* The last thing outside of its stack that the loop looks at: its condition. */
static uintptr_t object_of(const struct poll_turn *t)
{
    for (uint32_t k = t->n; k-- > 0;)
        for (unsigned i = t->step[k].n; i-- > 0;) {
            const struct poll_access *a = &t->step[k].access[i];
            if (a->load && t->word[a->word].input && !t->word[a->word].own)
                return t->word[a->word].address + a->offset;
        }
    return 0;
}

void poll_saw(struct poll_waiter *w, const struct poll_turn *t)
{
    w->seen.n = 0;
    w->object = 0;
    if (w->found.sampled)
        return;
    for (uint32_t k = 0; k < t->words; k++) {
        const struct poll_word *word = &t->word[k];
        if (word->own ? word->input && !word->stored : word->input || word->stored)
            BASE_ARRAY_PUSH(&w->seen, ((struct poll_seen){word->address, word->last}));
    }
    if (w->seen.n)
        qsort(w->seen.at, w->seen.n, sizeof *w->seen.at, by_address);
    w->object = object_of(t);
}

/* Words are read whole, whatever a sanitizer says of their bytes. Its own memory is among them, which code that
 * is checked must not touch: that would look for the state of the state. */
static __attribute__((no_sanitize("address", "thread"), noinline)) uint64_t unchecked(const void *at)
{
    typedef uint64_t __attribute__((aligned(1), may_alias)) any_word;
    return *(const volatile any_word *)at;
}

static bool differs(const struct poll_waiter *w, const struct poll_seen *s)
{
    uint64_t now;
    const void *at = rank_direct(w->rank, s->address, sizeof now);
    if (at)
        return unchecked(at) != s->value;
    rank_read(w->rank, s->address, &now, sizeof now);
    return now != s->value;
}

bool poll_saw_others(const struct poll_waiter *w, uintptr_t low, uintptr_t high)
{
    size_t from = 0, to = w->seen.n;
    if (w->found.sampled)
        return true;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (w->seen.at[middle].address + sizeof(uint64_t) <= low)
            from = middle + 1;
        else
            to = middle;
    }
    for (; from < w->seen.n && w->seen.at[from].address < high; from++)
        if (differs(w, &w->seen.at[from]))
            return true;
    return false;
}

void poll_saw_tell(const struct poll_waiter *w, double begin)
{
    BASE_ARRAY(uintptr_t) words = {0};
    for (size_t k = 0; k < w->seen.n; k++)
        if (differs(w, &w->seen.at[k]))
            BASE_ARRAY_PUSH(&words, w->seen.at[k].address);
    rank_polled(w->rank, words.at, words.n, begin, w->last);
    free(words.at);
}

bool poll_saw_changed(const struct poll_waiter *w)
{
    return !w->found.sampled && poll_saw_others(w, 0, UINTPTR_MAX);
}
