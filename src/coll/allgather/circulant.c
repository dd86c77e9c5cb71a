/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * circulant: an allgather that is a broadcast of segments on circulant graphs from every member at once (circle.h),
 * as MPICH's circ_graph.
 *
 * Of different roots a member may send several segments to one other in a round: their tags are the roots'. Each
 * member hears from the one before it in every round, so one that begins a phase has heard, by way of others,
 * from all that they began the phase before. Two sets of tags that phases take turns with are enough.
 */
#include "coll/allgather/allgather.h"
#include "coll/allgather/runs.h"

enum { OWN_SEGMENT = 128 << 10, SETS = 2, TAGS = 1 << 16, PART_TAGS = COLL_STAGE_TAGS / 8 };

static uint32_t number_of(const struct coll_schedule *s, uint32_t place, uint32_t root)
{
    return place >= root ? place - root : place + (s->size - root);
}

static coll_place segment_at(const struct coll_schedule *s, uint32_t root, int64_t k, uint64_t width,
                             uint64_t *bytes)
{
    uint64_t from = (uint64_t)k * width, left = s->bytes - from;
    *bytes = left < width ? left : width;
    return coll_run_at(s, root) + from;
}

static void add_round(struct coll_schedule *s, const struct coll_circle *c, uint32_t round, uint64_t width)
{
    uint32_t skip = coll_circle_skip(c, round), from = coll_before(s, skip), to = coll_after(s, skip);
    uint32_t tags = (uint32_t)(coll_circle_phase(c, round) % SETS) * s->size;
    uint64_t bytes;
    for (uint32_t root = 0; root < s->size; root++) {
        int64_t k = coll_circle_segment(c, round, number_of(s, s->me, root));
        if (k < 0)
            continue;
        coll_place into = segment_at(s, root, k, width, &bytes);
        coll_add_receive(s, from, tags + root, into, bytes);
    }
    for (uint32_t root = 0; root < s->size; root++) {
        int64_t k = coll_circle_segment(c, round, number_of(s, to, root));
        if (k < 0)
            continue;
        coll_place of = segment_at(s, root, k, width, &bytes);
        coll_add_send(s, to, tags + root, of, bytes);
    }
}

/* Own segments: 128 KiB. (S - 1 + ceil(log2 n)) a + (n - 1)(S o + m/B), with a the time of a small message, o its
 * overhead and B the bandwidth; S n (n - 1) messages, as nobody gets a segment twice. Where there are not enough
 * tags, the algorithm without segments. */
bool coll_allgather_circulant_segmented(struct coll_schedule *s, uint32_t round)
{
    uint64_t width = coll_segment(s, OWN_SEGMENT);
    if ((uint64_t)SETS * s->size > (s->part ? PART_TAGS : TAGS))
        return coll_allgather_circulant(s, round);
    if (round == 0) {
        coll_add_run_begin(s);
        return true;
    }
    struct coll_circle c = coll_circle_of(s->size, s->bytes, width);
    if (round > c.rounds)
        return false;
    add_round(s, &c, round - 1, width);
    return true;
}
