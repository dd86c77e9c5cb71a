/* SPDX-License-Identifier: BSD-3-Clause */
/* access: accesses to memory, cell by cell. */
#include "check/race/parts.h"

uint32_t race_access_add(struct race *d, const struct race_access *a)
{
    if (!d->accesses.n)
        BASE_ARRAY_PUSH(&d->accesses, (struct race_access){0});
    BASE_ARRAY_PUSH(&d->accesses, *a);
    if (BASE_UNLIKELY(d->traced))
        race_trace_access(d);
    return (uint32_t)d->accesses.n - 1;
}

uint64_t race_key(const struct race *d, const struct rank *r, uintptr_t address)
{
    bool own = address - d->static_low < d->static_high - d->static_low;
    return own ? shadow_key(r->id + 1, address - d->static_page) : shadow_key(0, address);
}

/* To the bytes [from, to) of cell k. */
static void apply_bytes(struct race *d, uint32_t id, struct shadow_page *p, uint64_t k, uint64_t from,
                        uint64_t to)
{
    uint32_t mask = (1U << to) - (1U << from);
    d->where = p->key + k * SHADOW_CELL + from;
    p->cell[k] = race_state_next(d, p->cell[k], id << 4 | mask);
}

/* To whole cells [k, end): each run of equal ones at once. */
static void apply_whole(struct race *d, uint32_t id, struct shadow_page *p, uint64_t k, uint64_t end)
{
    uint32_t *cell = p->cell;
    while (k < end) {
        uint32_t was = cell[k];
        d->where = p->key + k * SHADOW_CELL;
        uint32_t next = race_state_next(d, was, id << 4 | 15);
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
        p->all = race_state_next(d, p->all, id << 4 | 15);
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

/* --- loads and stores ------------------------------------------------------------------------------- */

enum { NEVER = UINT32_MAX };

static inline struct race_recent *recent_at(struct race *d, const void *pc, enum race_kind kind)
{
    return &d->recent[kind == RACE_WRITE][((uintptr_t)pc ^ (uintptr_t)pc >> 10) % RACE_RECENT];
}

/* One or two whole cells, as most loads and stores are. */
static inline bool is_whole(size_t offset, size_t bytes)
{
    return (bytes == 8 || bytes == 4) && !(offset & 3) && offset + bytes <= SHADOW_PAGE;
}

/* In a state that was judged for this place before. */
static inline bool known(const struct race_recent *q, uint32_t *cell, size_t cells)
{
    uint32_t was = cell[0];
    if ((was != q->to && was != q->from) || cell[cells - 1] != was)
        return false;
    cell[0] = cell[cells - 1] = q->to;
    return true;
}

static struct race_recent *recent_of(struct race *d, const void *pc, enum race_kind kind, const char *call)
{
    struct race_strand *s = race_strand_now(d);
    struct race_recent *q = recent_at(d, pc, kind);
    if (BASE_LIKELY(q->pc == pc && q->era == d->era && q->stack == s->stack))
        return q;
    d->sweep_if_due(d);
    uint32_t place = race_place(
        d, &(struct race_place){.call = call, .rank = s->rank, .code = (uintptr_t)pc, .stack = s->stack});
    *q = (struct race_recent){.pc = pc, .era = d->era, .stack = s->stack, .from = NEVER, .to = NEVER};
    q->access = race_access_add(
        d, &(struct race_access){.strand = s->id, .count = s->count, .place = place, .kind = kind});
    return q;
}

void race_plain(struct race *d, uintptr_t address, size_t bytes, enum race_kind kind, const void *pc,
                const char *call)
{
    struct rank *r = rank_current;
    size_t offset = address & (SHADOW_PAGE - 1);
    if (BASE_UNLIKELY(!r))
        return;
    struct shadow_page *p = shadow_find(&d->shadow, race_key(d, r, address), r->threads > 1);
    if (BASE_LIKELY(!p && offset + bytes <= SHADOW_PAGE))
        return;
    race_suspects_settle(d);
    struct race_recent *q = recent_of(d, pc, kind, call);
    d->now->stored += race_writes(kind);
    struct race_bytes b = {r, address, bytes};
    if (BASE_UNLIKELY(race_values_matter(d)) && race_writes(kind))
        race_value_of_store(d, address, call ? 0 : bytes);
    if (!is_whole(offset, bytes) || !p->cell) {
        race_apply(d, q->access, &b);
        return;
    }
    uint32_t *cell = &p->cell[offset / SHADOW_CELL], was = *cell;
    if (known(q, cell, bytes / SHADOW_CELL))
        return;
    uint64_t unsure = d->unsure;
    race_apply(d, q->access, &b);
    if (BASE_UNLIKELY(d->unsure != unsure))
        return;
    q->from = was;
    q->to = *cell;
}

/* All that most loads and stores of instrumented code need: their memory is not followed, or was judged for this
 * place before. Has no frame of its own, so that it costs as little as possible. */
static inline bool is_quick(struct race *d, uintptr_t address, size_t bytes, enum race_kind kind,
                            const void *pc)
{
    const struct rank *r = rank_current;
    size_t offset = address & (SHADOW_PAGE - 1);
    if (BASE_UNLIKELY(!r || race_values_matter(d)))
        return false;
    struct shadow_page *p;
    if (BASE_UNLIKELY(!shadow_is_near(&d->shadow, race_key(d, r, address), &p)))
        return false;
    if (!p)
        return r->threads == 1 && offset + bytes <= SHADOW_PAGE;
    const struct race_recent *q = recent_at(d, pc, kind);
    if (BASE_UNLIKELY(q->pc != pc || q->era != d->era || q->stack != d->now->stack))
        return false;
    if (BASE_UNLIKELY(!is_whole(offset, bytes) || !p->cell))
        return false;
    if (BASE_UNLIKELY(!known(q, &p->cell[offset / SHADOW_CELL], bytes / SHADOW_CELL)))
        return false;
    d->now->stored += race_writes(kind);
    return true;
}

void race_plain_load(struct race *d, uintptr_t address, size_t bytes, const void *pc)
{
    if (BASE_UNLIKELY(!is_quick(d, address, bytes, RACE_READ, pc)))
        race_plain(d, address, bytes, RACE_READ, pc, NULL);
}

void race_plain_store(struct race *d, uintptr_t address, size_t bytes, const void *pc)
{
    if (BASE_UNLIKELY(!is_quick(d, address, bytes, RACE_WRITE, pc)))
        race_plain(d, address, bytes, RACE_WRITE, pc, NULL);
}
