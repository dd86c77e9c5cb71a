/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * value: with check/same-value=no, whether two conflicting writes write the same. What an operation writes is
 * known at its issue, from its source; what a store writes is known when the program goes on, so that verdict
 * waits until the detector is told of anything else. What the earlier write wrote is what the later one finds in
 * memory; or, if that is an operation under way, what was noted of it, if both write the same bytes. Where
 * this is not known, the values count as different.
 */
#include "check/race/accesses.h"

#include <stdlib.h>

static uint64_t hash_of(struct rank *r, uintptr_t address, uint64_t bytes)
{
    unsigned char block[256];
    uint64_t hash = BASE_FNV;
    for (uint64_t at = 0; at < bytes; at += sizeof block) {
        size_t n = bytes - at < sizeof block ? bytes - at : sizeof block;
        rank_read(r, address + at, block, n);
        hash = base_fnv(hash, block, n);
    }
    return hash;
}

/* --- what is being written ------------------------------------------------------------------------------ */

void race_value_of_put(struct race *d, const struct rma_issue *i, const struct rma_area *to)
{
    const struct rma_area *from = NULL;
    d->value = (struct race_value){0};
    for (uint32_t k = 0; k < i->areas; k++)
        if (i->area[k].step == RMA_SOURCE)
            from = &i->area[k];
    if (to->access != RMA_WRITES || to->step == RMA_AT_ORIGIN || to->items || !from || from->items ||
        from->bytes != to->bytes)
        return;
    d->value = (struct race_value){.rank = to->rank,
                                   .address = to->address,
                                   .bytes = to->bytes,
                                   .hash = hash_of(from->rank, from->address, from->bytes),
                                   .known = true};
}

void race_value_of_store(struct race *d, uintptr_t address, size_t bytes)
{
    d->value = (struct race_value){.rank = rank_current, .address = address, .bytes = bytes};
}

/* For later writes. */
void race_value_note(struct race *d, uint32_t end)
{
    if (d->value.known && end)
        *(struct race_value *)base_table_add(&d->values, end, NULL) = d->value;
}

/* --- what was written ----------------------------------------------------------------------------------- */

static bool is_under_way(const struct race *d, const struct race_access *a)
{
    return a->end && !(a->remote ? d->ends.at[a->end].remote : d->ends.at[a->end].local).count;
}

static bool earlier_hash(struct race *d, const struct race_access *a, uint64_t *hash)
{
    const struct race_value *w = &d->value;
    if (!is_under_way(d, a)) {
        *hash = hash_of(w->rank, w->address, w->bytes);
        return true;
    }
    const struct race_value *v = base_table_find(&d->values, a->end);
    if (!v || v->rank != w->rank || v->address != w->address || v->bytes != w->bytes)
        return false;
    *hash = v->hash;
    return true;
}

enum race_same race_same_value(struct race *d, uint32_t earlier, uint32_t later)
{
    struct race_suspect s = {earlier, later, d->where, d->value, 0};
    d->unsure++;
    if (!d->value.bytes || !earlier_hash(d, &d->accesses.at[earlier], &s.hash))
        return RACE_DIFFERENT;
    if (d->value.known)
        return s.hash == d->value.hash ? RACE_SAME : RACE_DIFFERENT;
    BASE_ARRAY_PUSH(&d->suspects, s);
    return RACE_LATER;
}

/* Stores that were under way are over. */
void race_suspects_judge(struct race *d)
{
    uint64_t where = d->where;
    for (size_t k = 0; k < d->suspects.n; k++) {
        const struct race_suspect *s = &d->suspects.at[k];
        d->where = s->where;
        if (s->hash == hash_of(s->value.rank, s->value.address, s->value.bytes))
            d->ignored[FINDING_SAME_VALUE]++;
        else
            d->report(d, FINDING_RACE, s->earlier, s->later);
    }
    d->suspects.n = 0;
    d->where = where;
}

void race_values_release(struct race *d)
{
    base_table_release(&d->values);
    free(d->suspects.at);
}
