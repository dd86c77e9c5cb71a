/* SPDX-License-Identifier: BSD-3-Clause */
/* segments: the segments of pipelined scans, up to `window` of them in a round. */
#ifndef PGASIM_COLL_SCAN_SEGMENTS_H
#define PGASIM_COLL_SCAN_SEGMENTS_H

#include "coll/schedule/schedule.h"

enum { SCAN_OWN_SEGMENT = 32 << 10 };

static inline uint64_t scan_segment(const struct coll_schedule *s)
{
    uint64_t item = coll_item(s), bytes = coll_segment(s, SCAN_OWN_SEGMENT);
    return bytes < item ? item : bytes / item * item;
}

/* Segments [from, end) of a round; empty: there is no such round. */
struct scan_segments {
    uint64_t from, end, size, all;
};

static inline struct scan_segments scan_segments_of(const struct coll_schedule *s, uint32_t round)
{
    struct scan_segments w = {.size = scan_segment(s), .all = s->bytes};
    uint64_t n = w.all ? (w.all - 1) / w.size + 1 : 1, width = coll_outstanding(s, COLL_WINDOW);
    w.from = round * width < n ? round * width : n;
    w.end = n - w.from < width ? n : w.from + width;
    return w;
}

static inline uint64_t scan_at(const struct scan_segments *w, uint64_t k)
{
    return k * w->size;
}

static inline uint64_t scan_bytes(const struct scan_segments *w, uint64_t k)
{
    return w->all - k * w->size < w->size ? w->all - k * w->size : w->size;
}

static inline uint32_t scan_tag(uint64_t k, uint32_t way)
{
    return (uint32_t)(k % 4096 * 4 + way);
}

#endif
