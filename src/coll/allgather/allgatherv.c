/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allgatherv: parts of different sizes, to all. a is the time of one small message, B the bandwidth, M the
 * bytes of all parts, n members.
 */
#include "coll/allgather/allgather.h"

static void add_own_gathered(struct coll_schedule *s)
{
    coll_add_own(s, 0, coll_place_offset(coll_part_at(s, COLL_DEST, s->me)),
                 coll_part_bytes(s, COLL_DEST, s->me));
}

/* Each passes on to the next member what it got from the one before (Thakur, Rabenseifner, Gropp 2005,
 * section 4.1). (n - 1) a + M/B; n (n - 1) messages. */
bool coll_allgatherv_ring(struct coll_schedule *s, uint32_t round)
{
    uint32_t n = s->size, mine = coll_before(s, round < n ? round : 0);
    if (round + 1 < n) {
        coll_add_receive_part(s, coll_before(s, 1), round, coll_before(s, round + 1));
        coll_add_send(s, coll_after(s, 1), round,
                      round ? coll_part_at(s, COLL_DEST, mine) : coll_at(COLL_SOURCE, 0),
                      coll_part_bytes(s, COLL_DEST, mine));
    } else if (round + 1 == n) {
        add_own_gathered(s);
    }
    return round < n;
}

/* Each sends its part to the COLL_WINDOW nearest members, then to the next ones. n/COLL_WINDOW a + M/B; n (n
 * - 1) messages. */
bool coll_allgatherv_linear(struct coll_schedule *s, uint32_t round)
{
    struct coll_window w;
    if (!coll_window_of(s, round, &w))
        return false;
    coll_add_receive_window(s, &w);
    for (uint32_t d = w.from; d < w.end; d++)
        coll_add_send(s, coll_after(s, d), 0, coll_at(COLL_SOURCE, 0), coll_part_bytes(s, COLL_DEST, s->me));
    if (w.from == w.end)
        add_own_gathered(s);
    return true;
}
