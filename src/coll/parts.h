/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: a member's part of what is gathered, scattered or exchanged; sizes may be equal or different. */
#ifndef PGASIM_COLL_PARTS_H
#define PGASIM_COLL_PARTS_H

#include "coll/schedule.h"

static inline uint64_t coll_part_bytes(const struct coll_schedule *s, const struct coll_parts *parts,
                                       uint32_t place)
{
    return parts ? parts->bytes[place] : s->bytes;
}
static inline coll_place coll_part_at(const struct coll_schedule *s, enum coll_base base, uint32_t place)
{
    const struct coll_parts *parts = base == COLL_DEST ? s->dest_parts : s->source_parts;
    return coll_at(base, parts ? parts->at[place] : place * s->bytes);
}
static inline void coll_add_receive_part(struct coll_schedule *s, uint32_t from, uint32_t tag, uint32_t part)
{
    coll_add_receive(s, from, tag, coll_part_at(s, COLL_DEST, part), coll_part_bytes(s, s->dest_parts, part));
}
static inline void coll_add_send_part(struct coll_schedule *s, uint32_t to, uint32_t tag, uint32_t part)
{
    coll_add_send(s, to, tag, coll_part_at(s, COLL_SOURCE, part), coll_part_bytes(s, s->source_parts, part));
}

#endif
