/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plain: loads and stores. Most are of memory that is not followed, or were judged for their place before: these
 * take a way of some 35 instructions, and of 60.
 */
#include "check/race/accesses.h"
#include "check/race/strands.h"

struct race *race_checked;

enum { NEVER = UINT32_MAX };

static inline struct race_recent *recent_at(struct race *d, const void *pc, enum race_kind kind)
{
    return &d->recent[kind == RACE_WRITE][((uintptr_t)pc ^ (uintptr_t)pc >> 10) % RACE_RECENT];
}

/* One or two whole cells of a page, as most loads and stores are. */
static inline bool is_whole(uintptr_t address, size_t bytes)
{
    return (bytes == 8 && (address & (SHADOW_PAGE - 1)) <= SHADOW_PAGE - 8 && !(address & 3)) ||
           (bytes == 4 && !(address & 3));
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

static bool is_exchanged(const struct race *d, uintptr_t address)
{
    for (size_t k = 0; k < d->exchanged.n; k++)
        if (address - d->exchanged.at[k].low < d->exchanged.at[k].high - d->exchanged.at[k].low)
            return true;
    return false;
}

void race_plain(struct race *d, uintptr_t address, size_t bytes, enum race_kind kind, const void *pc,
                const char *call)
{
    struct rank *r = rank_current;
    size_t offset = address & (SHADOW_PAGE - 1);
    if (BASE_UNLIKELY(!r || d->lent || is_exchanged(d, address)))
        return;
    race_strand_now(d);
    struct shadow_page *p = shadow_find(&d->shadow, race_key(d, r, address), r->threads > 1);
    if (BASE_LIKELY(!p && offset + bytes <= SHADOW_PAGE))
        return;
    race_suspects_settle(d);
    struct race_recent *q = recent_of(d, pc, kind, call);
    d->stored += race_writes(kind);
    struct race_bytes b = {r, address, bytes};
    if (BASE_UNLIKELY(race_values_matter(d)) && race_writes(kind))
        race_value_of_store(d, address, call ? 0 : bytes);
    if (!is_whole(address, bytes) || !p->cell) {
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

/* All that most loads and stores of instrumented code need. Has no frame of its own, so that it costs as little as
 * possible. */
__attribute__((always_inline)) static inline bool is_quick(struct race *d, uintptr_t address, size_t bytes,
                                                           enum race_kind kind, const void *pc)
{
    const struct rank *r = rank_current;
    struct shadow_page *p;
    uint64_t key = address + (race_is_own(d, address) ? d->quick_own : 0);
    if (BASE_UNLIKELY(r != d->quick || !shadow_is_near(&d->shadow, key, &p)))
        return false;
    if (!p)
        return BASE_LIKELY(r->threads == 1 && (address & (SHADOW_PAGE - 1)) + bytes <= SHADOW_PAGE);
    const struct race_recent *q = recent_at(d, pc, kind);
    if (BASE_UNLIKELY(q->pc != pc || q->era != d->era || q->stack != d->now->stack))
        return false;
    if (BASE_UNLIKELY(!is_whole(address, bytes) || !p->cell))
        return false;
    if (BASE_UNLIKELY(!known(q, &p->cell[(address & (SHADOW_PAGE - 1)) / SHADOW_CELL], bytes / SHADOW_CELL)))
        return false;
    d->stored += race_writes(kind);
    return true;
}

void race_load(uintptr_t address, size_t bytes, const void *pc)
{
    struct race *d = race_checked;
    d->counts.loads++;
    if (BASE_UNLIKELY(!is_quick(d, address, bytes, RACE_READ, pc)))
        race_plain(d, address, bytes, RACE_READ, pc, NULL);
}

void race_store(uintptr_t address, size_t bytes, const void *pc)
{
    struct race *d = race_checked;
    d->counts.stores++;
    if (BASE_UNLIKELY(!is_quick(d, address, bytes, RACE_WRITE, pc)))
        race_plain(d, address, bytes, RACE_WRITE, pc, NULL);
}
