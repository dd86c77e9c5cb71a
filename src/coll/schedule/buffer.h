/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffer: where the data of a member's source and dest lie. Translates places (steps.h) to addresses, by
 * the layouts and parts of the member's coll_local. Touches no data.
 */
#ifndef PGASIM_COLL_BUFFER_H
#define PGASIM_COLL_BUFFER_H

#include "coll/schedule/steps.h"

/* Where data lie in the rank's memory: in one run at `address`, or in items of `layout`, the first of which
 * is at `address`. The data begin `from` bytes into the items' data. */
struct coll_spot {
    uintptr_t address;
    const struct types_layout *layout; /* NULL: one run */
    uint64_t from;
};

/* Where `bytes` of data at this place of source or dest are. The member has a coll_local. */
struct coll_spot coll_buffer_spot(const struct coll_schedule *s, coll_place at, uint64_t bytes);
static inline struct coll_spot coll_spot_of(const struct coll_schedule *s, coll_place at, uint64_t bytes)
{
    if (BASE_UNLIKELY(s->local != NULL))
        return coll_buffer_spot(s, at, bytes);
    uintptr_t buffer = (uintptr_t)(coll_place_base(at) == COLL_DEST ? s->dest : s->source);
    return (struct coll_spot){buffer + coll_place_offset(at), NULL, 0};
}
static inline bool coll_spots_equal(const struct coll_spot *a, const struct coll_spot *b)
{
    return a->address == b->address && a->layout == b->layout && a->from == b->from;
}
/* The places' data are the same memory. */
static inline bool coll_places_equal(const struct coll_schedule *s, coll_place a, coll_place b,
                                     uint64_t bytes)
{
    struct coll_spot x = coll_spot_of(s, a, bytes), y = coll_spot_of(s, b, bytes);
    return BASE_LIKELY(!s->local) ? x.address == y.address : coll_spots_equal(&x, &y);
}
/* The number of items, counted from the first, that hold the `bytes` from position `from` on. */
static inline uint64_t coll_spot_items(const struct coll_spot *at, uint64_t bytes)
{
    uint64_t size = types_layout_size(at->layout);
    return (at->from + bytes + size - 1) / size;
}

#endif
