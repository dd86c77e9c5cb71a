/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pipelined: prefix reductions in segments, for long vectors. A segment goes on as soon as it has come,
 * while the next ones are on their way; up to `window` of them in a round. a is the time of one small
 * message, B the bandwidth, g the time to reduce a byte, m the bytes in S segments, n members.
 */
#include "coll/scan/exclusive.h"
#include "coll/scan/scan.h"
#include "coll/scan/segments.h"

/* --- a chain ------------------------------------------------------------------------------------- */

/* (n - 2 + S)(a + m/(S B) + g m/S); (n - 1) S messages. */
bool coll_inscan_chain(struct coll_schedule *s, uint32_t round)
{
    struct scan_segments w = scan_segments_of(s, round ? round - 1 : 0);
    uint32_t in = (uint32_t)(w.end - w.from);
    if (round == 0)
        coll_add_own(s, 0, 0, s->bytes);
    if (round == 0 || w.from == w.end)
        return round == 0;
    for (uint64_t k = w.from; s->me && k < w.end; k++)
        coll_add_reduce(s, s->me - 1, scan_tag(k, 0), coll_at(COLL_DEST, scan_at(&w, k)), scan_bytes(&w, k));
    for (uint64_t k = w.from; s->size - s->me > 1 && k < w.end; k++) {
        uint32_t out = coll_add_send(s, s->me + 1, scan_tag(k, 0), coll_at(COLL_DEST, scan_at(&w, k)),
                                     scan_bytes(&w, k));
        if (s->me)
            coll_order(s, out - in, out);
    }
    return true;
}

/* The same; what has come stays in dest, and goes on with the member's own operand. */
bool coll_exscan_chain(struct coll_schedule *s, uint32_t round)
{
    if (coll_exscan_start(s, round))
        return true;
    struct scan_segments w = scan_segments_of(s, round - 2);
    uint32_t first = 0;
    if (w.from == w.end)
        return false;
    for (uint64_t k = w.from; s->me && k < w.end; k++)
        coll_add_receive(s, s->me - 1, scan_tag(k, 0), coll_at(COLL_DEST, scan_at(&w, k)), scan_bytes(&w, k));
    for (uint64_t k = w.from; s->size - s->me > 1 && k < w.end; k++, first++) {
        coll_place sum = coll_exscan_partial() + scan_at(&w, k);
        uint32_t before = first;
        if (s->me && scan_bytes(&w, k)) {
            before = coll_add_combine(s, coll_at(COLL_DEST, scan_at(&w, k)), sum, scan_bytes(&w, k));
            coll_order(s, first, before);
        }
        uint32_t out = coll_add_send(s, s->me + 1, scan_tag(k, 0), sum, scan_bytes(&w, k));
        if (s->me)
            coll_order(s, before, out);
    }
    return true;
}
