/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * direct: what the algorithms share that send each part straight to its receiver, in one message. They serve
 * all three operations: parts of one size, of different ones, and with a layout each (parts.h).
 */
#ifndef PGASIM_COLL_ALLTOALL_DIRECT_H
#define PGASIM_COLL_ALLTOALL_DIRECT_H

#include "coll/schedule/schedule.h"

static inline void coll_direct_own(struct coll_schedule *s)
{
    coll_place from = coll_part_at(s, COLL_SOURCE, s->me), to = coll_part_at(s, COLL_DEST, s->me);
    uint64_t bytes = coll_part_bytes(s, COLL_DEST, s->me);
    coll_add_own(s, coll_place_offset(from), coll_place_offset(to), bytes);
}
static inline uint32_t coll_direct_receive(struct coll_schedule *s, uint32_t from, uint32_t tag)
{
    return coll_add_receive_part(s, from, tag, from);
}
static inline uint32_t coll_direct_send(struct coll_schedule *s, uint32_t to, uint32_t tag)
{
    return coll_add_send_part(s, to, tag, to);
}

/* From whom a member receives in step k of 1 to n - 1, and to whom it sends. */
struct coll_partners {
    uint32_t from, to;
};
typedef struct coll_partners (*coll_partners_fn)(const struct coll_schedule *s, uint32_t k);
/* From k places before, to k places after. */
static inline struct coll_partners coll_partners_shifted(const struct coll_schedule *s, uint32_t k)
{
    return (struct coll_partners){coll_before(s, k), coll_after(s, k)};
}
/* Place xor k, for a power of two of members. */
static inline struct coll_partners coll_partners_paired(const struct coll_schedule *s, uint32_t k)
{
    return (struct coll_partners){s->me ^ k, s->me ^ k};
}
static inline void coll_direct_exchange(struct coll_schedule *s, struct coll_partners with, uint32_t tag)
{
    coll_direct_receive(s, with.from, tag);
    coll_direct_send(s, with.to, tag);
}

#endif
