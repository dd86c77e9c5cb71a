/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pipelined: prefix reductions in segments, for long vectors. A segment goes on as soon as it has come,
 * while the next ones are on their way; up to `window` of them in a round. a is the time of one small
 * message, B the bandwidth, g the time to reduce a byte, m the bytes in S segments, n members.
 */
#include "coll/scan/exclusive.h"
#include "coll/scan/scan.h"

enum { OWN_SEGMENT = 32 << 10 };

static uint64_t segment(const struct coll_schedule *s)
{
    uint64_t item = coll_item(s), bytes = coll_segment(s, OWN_SEGMENT);
    return bytes < item ? item : bytes / item * item;
}

/* Segments [from, end) of a round; empty: there is no such round. */
struct segments {
    uint64_t from, end, size, all;
};

static struct segments of_round(const struct coll_schedule *s, uint32_t round)
{
    struct segments w = {.size = segment(s), .all = s->bytes};
    uint64_t n = w.all ? (w.all - 1) / w.size + 1 : 1, width = coll_outstanding(s, COLL_WINDOW);
    w.from = round * width < n ? round * width : n;
    w.end = n - w.from < width ? n : w.from + width;
    return w;
}

static uint64_t at_of(const struct segments *w, uint64_t k)
{
    return k * w->size;
}

static uint64_t bytes_of(const struct segments *w, uint64_t k)
{
    return w->all - k * w->size < w->size ? w->all - k * w->size : w->size;
}

static uint32_t tag_of(uint64_t k, uint32_t way)
{
    return (uint32_t)(k % 4096 * 4 + way);
}

/* --- a chain ------------------------------------------------------------------------------------- */

/* (n - 2 + S)(a + m/(S B) + g m/S); (n - 1) S messages. */
bool coll_inscan_chain(struct coll_schedule *s, uint32_t round)
{
    struct segments w = of_round(s, round ? round - 1 : 0);
    uint32_t in = (uint32_t)(w.end - w.from);
    if (round == 0)
        coll_add_own(s, 0, 0, s->bytes);
    if (round == 0 || w.from == w.end)
        return round == 0;
    for (uint64_t k = w.from; s->me && k < w.end; k++)
        coll_add_reduce(s, s->me - 1, tag_of(k, 0), coll_at(COLL_DEST, at_of(&w, k)), bytes_of(&w, k));
    for (uint64_t k = w.from; s->size - s->me > 1 && k < w.end; k++) {
        uint32_t out =
            coll_add_send(s, s->me + 1, tag_of(k, 0), coll_at(COLL_DEST, at_of(&w, k)), bytes_of(&w, k));
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
    struct segments w = of_round(s, round - 2);
    uint32_t first = 0;
    if (w.from == w.end)
        return false;
    for (uint64_t k = w.from; s->me && k < w.end; k++)
        coll_add_receive(s, s->me - 1, tag_of(k, 0), coll_at(COLL_DEST, at_of(&w, k)), bytes_of(&w, k));
    for (uint64_t k = w.from; s->size - s->me > 1 && k < w.end; k++, first++) {
        coll_place sum = coll_exscan_partial() + at_of(&w, k);
        uint32_t before = first;
        if (s->me && bytes_of(&w, k)) {
            before = coll_add_combine(s, coll_at(COLL_DEST, at_of(&w, k)), sum, bytes_of(&w, k));
            coll_order(s, first, before);
        }
        uint32_t out = coll_add_send(s, s->me + 1, tag_of(k, 0), sum, bytes_of(&w, k));
        if (s->me)
            coll_order(s, before, out);
    }
    return true;
}
