/* SPDX-License-Identifier: BSD-3-Clause */
/* runs: sizes and places of what goes along the edges of span trees. */
#include "coll/rooted/runs.h"

static uint64_t *sizes_of(struct coll_schedule *s, const struct coll_span *t)
{
    return coll_temp(s, (uint64_t)COLL_RUN_SIZE * (t->end - t->me));
}

void coll_runs_begin(struct coll_schedule *s, const struct coll_span *t, enum coll_base base)
{
    uint64_t *size = sizes_of(s, t);
    if (t->me)
        size[0] = s->bytes;
    for (uint32_t v = 0; !t->me && v < t->end; v++)
        size[v] = coll_part_bytes(s, base, coll_span_place(t, s, v));
}

uint64_t coll_runs_bytes(struct coll_schedule *s, const struct coll_span *t, uint32_t from, uint32_t end)
{
    uint64_t sum = 0;
    if (!coll_runs_differ(s))
        return (end - from) * s->bytes;
    const uint64_t *size = sizes_of(s, t);
    for (uint32_t v = from; v < end; v++)
        sum += size[v - t->me];
    return sum;
}

coll_place coll_runs_at(struct coll_schedule *s, const struct coll_span *t, uint32_t number)
{
    uint64_t sizes = coll_runs_differ(s) ? (uint64_t)COLL_RUN_SIZE * (t->end - t->me) : 0;
    coll_temp(s, sizes + coll_runs_bytes(s, t, t->me, t->end) + 1);
    return coll_at(COLL_TEMP, sizes + coll_runs_bytes(s, t, t->me, number));
}

/* --- at the root --------------------------------------------------------------------------------- */

/* How many numbers from v on have parts that follow each other in order of place, too. */
static uint32_t neighbors(const struct coll_schedule *s, const struct coll_span *t, uint32_t v)
{
    uint32_t n = 1, place = coll_span_place(t, s, v);
    while (!coll_runs_differ(s) && v + n < t->end && coll_span_place(t, s, v + n) == place + n)
        n++;
    return n;
}

static void reorder(struct coll_schedule *s, const struct coll_span *t, enum coll_base base)
{
    uint64_t at = coll_runs_at(s, t, t->me);
    for (uint32_t v = 0, n; v < t->end; v += n) {
        n = neighbors(s, t, v);
        uint64_t bytes = coll_runs_bytes(s, t, v, v + n);
        coll_place part = coll_part_at(s, base, coll_span_place(t, s, v));
        if (bytes && base == COLL_SOURCE)
            coll_add_copy(s, part, at, bytes);
        else if (bytes)
            coll_add_copy(s, at, part, bytes);
        at += bytes;
    }
}

void coll_runs_collect(struct coll_schedule *s, const struct coll_span *t)
{
    reorder(s, t, COLL_SOURCE);
}

void coll_runs_deliver(struct coll_schedule *s, const struct coll_span *t)
{
    reorder(s, t, COLL_DEST);
}
