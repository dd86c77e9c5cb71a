/* SPDX-License-Identifier: BSD-3-Clause */
/* access: accesses to memory, cell by cell. */
#include "check/race/accesses.h"
#include "check/race/reports.h"

uint32_t race_access_add(struct race *d, const struct race_access *a)
{
    if (!d->accesses.n)
        BASE_ARRAY_PUSH(&d->accesses, (struct race_access){0});
    BASE_ARRAY_PUSH(&d->accesses, *a);
    if (BASE_UNLIKELY(d->traced))
        race_trace_access(d);
    return (uint32_t)d->accesses.n - 1;
}

/* To the bytes [from, to) of cell k. */
static void apply_bytes(struct race *d, uint32_t id, struct shadow_page *p, uint64_t k, uint64_t from,
                        uint64_t to)
{
    uint32_t mask = (1U << to) - (1U << from);
    d->where = p->key + k * SHADOW_CELL + from;
    p->cell[k] = race_state_next(d, p->cell[k], id << 4 | mask);
}

enum { MANY = 16 };

/* To whole cells [k, end): each run of equal ones at once. */
static void apply_whole(struct race *d, uint32_t id, struct shadow_page *p, uint64_t k, uint64_t end)
{
    uint32_t *cell = p->cell;
    if (end - k >= MANY && shadow_is_even(&cell[k], end - k)) {
        d->where = p->key + k * SHADOW_CELL;
        shadow_fill(&cell[k], race_state_next(d, cell[k], id << 4 | RACE_ALL), end - k);
        return;
    }
    while (k < end) {
        uint32_t was = cell[k];
        d->where = p->key + k * SHADOW_CELL;
        uint32_t next = race_state_next(d, was, id << 4 | RACE_ALL);
        do {
            cell[k] = next;
        } while (++k < end && cell[k] == was);
    }
}

static void apply_cells(struct race *d, uint32_t id, struct shadow_page *p, uint64_t low, uint64_t high)
{
    uint64_t first = low / SHADOW_CELL, last = high / SHADOW_CELL, from = low % SHADOW_CELL,
             to = high % SHADOW_CELL;
    shadow_split(&d->shadow, p);
    if (first == last) {
        apply_bytes(d, id, p, first, from, to);
        return;
    }
    if (from)
        apply_bytes(d, id, p, first++, from, SHADOW_CELL);
    apply_whole(d, id, p, first, last);
    if (to)
        apply_bytes(d, id, p, last, 0, to);
}

static void apply_page(struct race *d, uint32_t id, struct shadow_page *p, uint64_t low, uint64_t high)
{
    bool all = low == 0 && high == SHADOW_PAGE;
    if (all && !p->cell) {
        d->where = p->key;
        p->all = race_state_next(d, p->all, id << 4 | RACE_ALL);
        return;
    }
    apply_cells(d, id, p, low, high);
    if (all)
        shadow_unite(&d->shadow, p);
}

void race_apply_key(struct race *d, uint32_t id, uint64_t low, uint64_t high, bool follow)
{
    d->upto = high;
    for (uint64_t key = low, next; key < high; key = next) {
        uint64_t page = key & ~(uint64_t)(SHADOW_PAGE - 1);
        next = page + SHADOW_PAGE < high ? page + SHADOW_PAGE : high;
        struct shadow_page *p = shadow_find(&d->shadow, key, follow);
        if (p)
            apply_page(d, id, p, key - page, next - page);
    }
}

void race_apply(struct race *d, uint32_t id, const struct race_bytes *b)
{
    uint64_t low = race_key(d, b->rank, b->address);
    race_apply_key(d, id, low, low + b->bytes, b->rank->threads > 1);
    if (BASE_UNLIKELY(d->copies.n))
        race_copies_changed(d, id, b);
}
