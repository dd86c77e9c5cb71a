/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: a member's part of what is gathered, scattered or exchanged; sizes may be equal or different. */
#ifndef PGASIM_COLL_PARTS_H
#define PGASIM_COLL_PARTS_H

#include "coll/schedule/steps.h"

/* buffer.c: bytes of data of a part of source or dest, and its place, of a member with a coll_local. */
uint64_t coll_part_counted(const struct coll_schedule *s, enum coll_base base, uint32_t part);
coll_place coll_part_placed(const struct coll_schedule *s, enum coll_base base, uint32_t part);

static inline uint64_t coll_part_bytes(const struct coll_schedule *s, enum coll_base base, uint32_t part)
{
    return s->local && !s->regular ? coll_part_counted(s, base, part) : s->bytes;
}
static inline coll_place coll_part_at(const struct coll_schedule *s, enum coll_base base, uint32_t part)
{
    return s->local && !s->regular ? coll_part_placed(s, base, part) : coll_at(base, part * s->bytes);
}
static inline uint32_t coll_add_receive_part(struct coll_schedule *s, uint32_t from, uint32_t tag,
                                             uint32_t part)
{
    return coll_add_receive(s, from, tag, coll_part_at(s, COLL_DEST, part),
                            coll_part_bytes(s, COLL_DEST, part));
}
static inline uint32_t coll_add_send_part(struct coll_schedule *s, uint32_t to, uint32_t tag, uint32_t part)
{
    return coll_add_send(s, to, tag, coll_part_at(s, COLL_SOURCE, part),
                         coll_part_bytes(s, COLL_SOURCE, part));
}
/* Receives the parts of the members of a window. */
static inline void coll_add_receive_window(struct coll_schedule *s, const struct coll_window *w)
{
    for (uint32_t k = 0; k < w->end - w->from; k++) {
        uint32_t from = coll_window_before(s, w, k);
        coll_add_receive_part(s, from, 0, from);
    }
}

#endif
