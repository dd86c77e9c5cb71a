/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part: waits for a word of a longer put. Such a wait tells what one for a single word tells (word.c), but
 * of the delivery it tells that word only: the others may still be on their way. So the put's access to the
 * word becomes one of its own, with an end of its own, which the waiter knows and which is completed
 * together with the put's.
 *
 * The last few deliveries to each rank are remembered; one that replaces another's bytes replaces it here.
 */
#include "check/race/accesses.h"
#include "check/race/operations.h"
#include "check/race/strands.h"

#include <stdlib.h>

/* A put that is under way. */
struct part {
    struct race_told told;
    uint32_t end;
    uint64_t key; /* of its first byte */
};

enum { DELIVERIES = 16 };
struct delivery {
    uint64_t low, high;
    uint32_t end;
    struct race_told told;
};
struct deliveries {
    uint32_t n; /* so far: a ring */
    struct delivery at[DELIVERIES];
};

void race_part_issued(struct race *d, const struct rma_issue *i, const struct rma_area *a, uint32_t end)
{
    struct part p = {race_release_in_update(d, race_strand_now(d)), end, race_key(d, a->rank, a->address)};
    race_past_tell(d, i, &p.told);
    *(struct part *)base_table_add(&d->parts, i->operation, NULL) = p;
}

static void drop(struct race *d, struct delivery *x)
{
    race_moment_forget(d, x->told.moment);
    *x = (struct delivery){0};
}

void race_part_touched(struct race *d, const struct rma_touch *t)
{
    const struct part *p = base_table_find(&d->parts, t->operation);
    if (!p)
        return;
    uint64_t low = p->key + t->from, high = p->key + t->to;
    struct deliveries *all = base_table_add(&d->deliveries, t->rank->id, NULL);
    for (uint32_t k = 0; k < DELIVERIES; k++) {
        struct delivery *x = &all->at[k];
        if (x->high && x->end == p->end && (x->high == low || x->low == high)) {
            x->low = low < x->low ? low : x->low;
            x->high = high > x->high ? high : x->high;
            return;
        }
        if (x->high && low <= x->low && x->high <= high)
            drop(d, x);
    }
    struct delivery *x = &all->at[all->n++ % DELIVERIES];
    drop(d, x);
    *x = (struct delivery){low, high, p->end, p->told};
    race_moment_copy(d, p->told.moment);
}

void race_part_completed(struct race *d, uint64_t operation)
{
    const struct part *p = base_table_find(&d->parts, operation);
    if (!p)
        return;
    race_moment_forget(d, p->told.moment);
    base_table_remove(&d->parts, operation);
}

/* --- waits -------------------------------------------------------------------------------------------- */

/* What is seen, and its own end and access; 0: not made yet. */
struct sight {
    uint32_t end, count;
    uint32_t own, access;
};

static uint32_t access_seen(struct race *d, struct sight *v, uint32_t of)
{
    if (!v->own)
        v->own = race_end_split(d, v->end);
    if (!v->access) {
        struct race_access a = d->accesses.at[of];
        a.end = v->own;
        v->access = race_access_add(d, &a);
    }
    return v->access;
}

static bool is_seen(const struct race *d, const struct sight *v, uint32_t item)
{
    const struct race_access *a = &d->accesses.at[item >> 4];
    return a->end == v->end && a->count == v->count && a->seen;
}

/* A state whose accesses to the bytes `seen` of the cell are those that were seen. */
static uint32_t see_cell(struct race *d, uint32_t state, uint32_t seen, struct sight *v)
{
    uint32_t rest = 0;
    d->kept.n = 0;
    for (uint32_t at = state; at; at = race_node_of(d, at).rest)
        BASE_ARRAY_PUSH(&d->kept, ((struct race_kept){race_node_of(d, at).item, 0}));
    for (size_t k = d->kept.n; k-- > 0;) {
        uint32_t item = d->kept.at[k].item, both = is_seen(d, v, item) ? item & seen : 0;
        if (item & ~both & RACE_ALL)
            rest = race_state_put(d, item & ~both, rest);
        if (both)
            rest = race_state_put(d, access_seen(d, v, item >> 4) << 4 | both, rest);
    }
    return rest;
}

static bool has(const struct race *d, uint32_t state, const struct sight *v)
{
    for (uint32_t at = state; at; at = race_node_of(d, at).rest)
        if (is_seen(d, v, race_node_of(d, at).item))
            return true;
    return false;
}

uint32_t race_see(struct race *d, uint32_t end, uint32_t count, uint64_t low, uint64_t high)
{
    struct sight v = {.end = end, .count = count};
    for (uint64_t key = low, next; key < high; key = next) {
        uint64_t cell = key & ~(uint64_t)(SHADOW_CELL - 1);
        next = cell + SHADOW_CELL < high ? cell + SHADOW_CELL : high;
        struct shadow_page *p = shadow_find(&d->shadow, key, false);
        if (!p)
            continue;
        uint32_t *state = &shadow_split(&d->shadow, p)[(cell - p->key) / SHADOW_CELL];
        uint32_t seen = (1U << (next - cell)) - (1U << (key - cell));
        if (has(d, *state, &v))
            *state = see_cell(d, *state, seen, &v);
    }
    return v.own;
}

void race_part_seen(struct race *d, struct race_strand *s, uint64_t low, uint64_t high)
{
    struct deliveries *all = base_table_find(&d->deliveries, s->rank->id);
    for (uint32_t k = 0; all && k < DELIVERIES; k++) {
        struct delivery *x = &all->at[k];
        if (x->low >= high || low >= x->high)
            continue;
        race_told_acquire(d, s, &x->told);
        uint32_t end =
            race_see(d, x->end, x->told.count, low > x->low ? low : x->low, high < x->high ? high : x->high);
        if (end)
            race_end_known(d, end, s);
    }
}

/* --- life --------------------------------------------------------------------------------------------- */

void race_parts_mark(const struct race *d, bool *end)
{
    uint32_t at = 0;
    for (const struct part *p; (p = base_table_next(&d->parts, &at));)
        end[p->end] = true;
    at = 0;
    for (const struct deliveries *all; (all = base_table_next(&d->deliveries, &at));)
        for (uint32_t k = 0; k < DELIVERIES; k++)
            end[all->at[k].end] = true;
}

void race_parts_init(struct race *d)
{
    base_table_init(&d->parts, BASE_NUMBERS, sizeof(struct part), "checked puts");
    base_table_init(&d->deliveries, BASE_NUMBERS, sizeof(struct deliveries), "checked deliveries");
}

void race_parts_release(struct race *d)
{
    uint32_t at = 0;
    for (const struct part *p; (p = base_table_next(&d->parts, &at));)
        race_moment_forget(d, p->told.moment);
    at = 0;
    for (struct deliveries *all; (all = base_table_next(&d->deliveries, &at));)
        for (uint32_t k = 0; k < DELIVERIES; k++)
            race_moment_forget(d, all->at[k].told.moment);
    base_table_release(&d->parts);
    base_table_release(&d->deliveries);
}
