/* SPDX-License-Identifier: BSD-3-Clause */
/* operand: a member's operand of a reduce-scatter, in order in temporary memory. */
#include "coll/reduce_scatter/operand.h"

enum { LOADED = 256 }; /* parts that one round copies: so many steps of memory */

static bool counted(const struct coll_schedule *s)
{
    return s->local && !s->regular && s->local->source.counts;
}

/* The sum of the first k counts. Simple loops, because each step asks for it. */
static uint64_t items_before(const struct coll_side *side, uint32_t k)
{
    uint64_t n = 0;
    if (side->wide)
        for (uint32_t p = 0; p < k; p++)
            n += (uint64_t)((const int64_t *)side->counts)[p];
    else
        for (uint32_t p = 0; p < k; p++)
            n += (uint64_t)((const int *)side->counts)[p];
    return n;
}

uint64_t coll_operand_at(const struct coll_schedule *s, uint32_t k)
{
    uint64_t at = 0;
    if (!counted(s))
        return k * s->bytes;
    const struct coll_side *side = &s->local->source;
    if (BASE_LIKELY(!side->layouts))
        return items_before(side, k) * (side->layout ? types_layout_size(side->layout) : 1);
    for (uint32_t p = 0; p < k; p++)
        at += coll_part_bytes(s, COLL_SOURCE, p);
    return at;
}

uint32_t coll_operand_rounds(const struct coll_schedule *s)
{
    return counted(s) ? (s->size - 1) / LOADED + 1 : 1;
}

void coll_operand_load(struct coll_schedule *s, uint32_t round)
{
    uint32_t end = s->size - round * LOADED < LOADED ? s->size : (round + 1) * LOADED;
    uint64_t at = coll_operand_at(s, round * LOADED);
    if (!counted(s) && s->bytes)
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), coll_at(COLL_TEMP, 0), s->size * s->bytes);
    for (uint32_t p = round * LOADED; counted(s) && p < end; p++) {
        uint64_t bytes = coll_part_bytes(s, COLL_SOURCE, p);
        if (bytes)
            coll_add_copy(s, coll_part_at(s, COLL_SOURCE, p), coll_at(COLL_TEMP, at), bytes);
        at += bytes;
    }
}

void coll_operand_keep(struct coll_schedule *s, uint64_t at)
{
    uint64_t mine = coll_part_bytes(s, COLL_SOURCE, s->me);
    if (mine)
        coll_add_copy(s, coll_at(COLL_TEMP, at), coll_at(COLL_DEST, 0), mine);
}

void coll_operand_send(struct coll_schedule *s, uint32_t peer, uint32_t tag, uint32_t first, uint32_t end)
{
    uint64_t at = coll_operand_at(s, first), bytes = coll_operand_at(s, end) - at;
    coll_add_send(s, peer, tag, coll_at(COLL_TEMP, at), bytes);
}

void coll_operand_reduce(struct coll_schedule *s, uint32_t peer, uint32_t tag, uint32_t first, uint32_t end)
{
    uint64_t at = coll_operand_at(s, first), bytes = coll_operand_at(s, end) - at;
    coll_add_reduce(s, peer, tag, coll_at(COLL_TEMP, at), bytes);
}
