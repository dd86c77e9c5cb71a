/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calendar: ranks by when something may be due: a calendar queue (Brown, CACM 31(10), 1988) of which only today is sorted,
 * in a heap. The days are equally long, and there are as many as there is room for; what comes after the last one is one
 * list. When the last day is over, a new calendar begins, whose days are longer or shorter if too few or too many entries
 * fell on one.
 *
 * Invariant
 *  C1  day_of never decreases with time, and all entries up to today are in the heap. So no other one comes before those.
 */
#include "replay/loggp/state.h"

#include <stdlib.h>

enum { WORD = 64, FEWEST_DAYS = 1 << 10, MOST_DAYS = 1 << 18, RANKS_A_DAY = 4 };
enum { CROWD = 16 /* entries on a day */, SHORTER = 4 };

void loggp_calendar_init(struct loggp_calendar *c, uint32_t ranks, double day)
{
    static const double shortest = 0x1p-20;
    c->days = FEWEST_DAYS;
    while (c->days < MOST_DAYS && c->days < ranks / RANKS_A_DAY)
        c->days *= 2;
    c->day = base_zalloc(c->days * sizeof *c->day, "a calendar of events");
    c->busy = base_zalloc(c->days / WORD * sizeof *c->busy, "a calendar of events");
    c->per_ns = 1 / loggp_later(day, shortest);
}

void loggp_calendar_release(struct loggp_calendar *c)
{
    free(c->day);
    free(c->busy);
    free(c->entry);
    free(c->heap.at);
}

static double day_of(const struct loggp_calendar *c, const struct loggp_entry *e)
{
    return (loggp_key_time(&e->key) - c->begin) * c->per_ns;
}

/* --- the days to come ------------------------------------------------------------------------------- */

/* Entries of the days to come are linked. Number 0 stands for none. */
static uint32_t take(struct loggp_calendar *c)
{
    uint32_t k = c->free_entry;
    if (k) {
        c->free_entry = c->entry[k].next;
        return k;
    }
    k = (uint32_t)++c->entries;
    if (c->entries >= c->entry_cap)
        c->entry =
            base_array_grow(c->entry, &c->entry_cap, c->entries + 1, sizeof *c->entry, "ranks by event");
    return k;
}

/* Links an entry that is on no list. */
static void note(struct loggp_calendar *c, uint32_t k, double day)
{
    uint32_t *list = &c->later;
    if (day < (double)c->days) {
        list = &c->day[(uint32_t)day];
        c->busy[(uint32_t)day / WORD] |= UINT64_C(1) << (uint32_t)day % WORD;
    }
    c->entry[k].next = *list;
    *list = k;
}

/* The next day that has entries; `days`: none has. */
static uint32_t next_day(const struct loggp_calendar *c)
{
    uint32_t word = (c->today + 1) / WORD, words = c->days / WORD;
    if (word == words)
        return c->days;
    uint64_t bits = c->busy[word] & ~UINT64_C(0) << (c->today + 1) % WORD;
    while (!bits && ++word < words)
        bits = c->busy[word];
    return bits ? word * WORD + (uint32_t)__builtin_ctzll(bits) : c->days;
}

/* All entries of a day in one list, which is emptied. */
static uint32_t clear_day(struct loggp_calendar *c, uint32_t day)
{
    uint32_t first = c->day[day];
    c->day[day] = 0;
    c->busy[day / WORD] &= ~(UINT64_C(1) << day % WORD);
    return first;
}

/* --- a new calendar --------------------------------------------------------------------------------- */

/* What is left on days goes to the list of what comes later. */
static void gather(struct loggp_calendar *c)
{
    for (uint32_t day; (day = next_day(c)) < c->days; c->today = day)
        for (uint32_t k = clear_day(c, day), next; k; k = next) {
            next = c->entry[k].next;
            c->entry[k].next = c->later;
            c->later = k;
        }
}

/* Its rank will soon be needed. */
static void to_heap(struct loggp_calendar *c, uint32_t k)
{
    loggp_prefetch_rank(c->ranks + c->entry[k].rank * c->stride);
    loggp_heap_push(&c->heap, &c->entry[k]);
    c->entry[k].next = c->free_entry;
    c->free_entry = k;
}

static void begin(struct loggp_calendar *c)
{
    gather(c);
    uint32_t list = c->later, k;
    struct loggp_key least = c->entry[list].key;
    for (k = list; k; k = c->entry[k].next)
        if (c->entry[k].key.time < least.time)
            least = c->entry[k].key;
    c->begin = loggp_key_time(&least);
    c->today = 0;
    c->later = 0;
    c->moved = c->listed = 0;
    for (uint32_t next; list; list = next, c->listed++) {
        double day = day_of(c, &c->entry[list]);
        next = c->entry[list].next;
        if (day < 1)
            to_heap(c, list);
        else
            note(c, list, day);
    }
}

/* --- today ------------------------------------------------------------------------------------------ */

/* A day on which so many different times fall is too long. */
static bool is_crowded(const struct loggp_calendar *c, uint32_t n, const struct loggp_key *least,
                       const struct loggp_key *most)
{
    enum { QUARTERS = 4 };
    return n > CROWD && (loggp_key_time(most) - loggp_key_time(least)) * c->per_ns * QUARTERS > 1;
}

/* The ranks of the day after today will be needed soon. */
static void look_ahead(const struct loggp_calendar *c)
{
    uint32_t day = next_day(c);
    for (uint32_t k = day < c->days ? c->day[day] : 0; k; k = c->entry[k].next)
        loggp_prefetch_rank(c->ranks + c->entry[k].rank * c->stride);
}

static void begin_day(struct loggp_calendar *c, uint32_t day)
{
    uint32_t n = 0, k = clear_day(c, day);
    struct loggp_key least = c->entry[k].key, most = least;
    c->today = day;
    for (uint32_t next; k; k = next, n++) {
        const struct loggp_key *key = &c->entry[k].key;
        next = c->entry[k].next;
        least = key->time < least.time ? *key : least;
        most = key->time > most.time ? *key : most;
        to_heap(c, k);
    }
    c->moved += n;
    look_ahead(c);
    if (BASE_UNLIKELY(is_crowded(c, n, &least, &most) && c->moved >= c->listed)) {
        c->per_ns *= SHORTER;
        if (next_day(c) < c->days || c->later)
            begin(c);
    }
}

/* The heap is empty: the next day with entries. */
const struct loggp_entry *loggp_calendar_turn(struct loggp_calendar *c)
{
    uint32_t day = next_day(c);
    if (day < c->days) {
        begin_day(c, day);
    } else if (c->later) {
        if (c->moved < c->listed)
            c->per_ns /= SHORTER;
        begin(c);
    }
    return c->heap.n ? &c->heap.at[1] : NULL;
}

void loggp_calendar_put(struct loggp_calendar *c, const struct loggp_entry *e)
{
    double day = day_of(c, e);
    if (day < c->today + 1.0) {
        loggp_heap_push(&c->heap, e);
        return;
    }
    uint32_t k = take(c);
    c->entry[k] = *e;
    note(c, k, day);
}

void loggp_calendar_delay(struct loggp_calendar *c, const struct loggp_entry *e)
{
    if (day_of(c, e) < c->today + 1.0) {
        loggp_heap_delay(&c->heap, e);
        return;
    }
    loggp_heap_pop(&c->heap);
    loggp_calendar_put(c, e);
}
