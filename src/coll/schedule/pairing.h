/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairing: how algorithms for a power of two of members serve any number n of them. Let p be the largest
 * power of two at most n. Among the first 2 (n - p) places, each even one hands its data to the odd one
 * after it and later gets the result back. The p members that remain are the seats (Thakur, Rabenseifner,
 * Gropp 2005, section 4.5). A seat initially holds the data of one or two consecutive places, and seats are
 * in order of place.
 */
#ifndef PGASIM_COLL_PAIRING_H
#define PGASIM_COLL_PAIRING_H

#include "coll/schedule/steps.h"

static inline uint32_t coll_pair_extra(const struct coll_schedule *s)
{
    return s->size - coll_power_below(s->size);
}
/* I am one of a pair: the even one hands over to the odd one. */
static inline bool coll_pair_is(const struct coll_schedule *s)
{
    return s->me < 2 * coll_pair_extra(s);
}
static inline bool coll_pair_gives(const struct coll_schedule *s)
{
    return coll_pair_is(s) && s->me % 2 == 0;
}
static inline bool coll_pair_takes(const struct coll_schedule *s)
{
    return coll_pair_is(s) && s->me % 2;
}
/* My seat, when I have one; the place of a seat; the first place whose data a seat holds. */
static inline uint32_t coll_pair_seat(const struct coll_schedule *s)
{
    return coll_pair_is(s) ? s->me / 2 : s->me - coll_pair_extra(s);
}
static inline uint32_t coll_pair_place(const struct coll_schedule *s, uint32_t seat)
{
    uint32_t extra = coll_pair_extra(s);
    return seat < extra ? 2 * seat + 1 : seat + extra;
}
static inline uint32_t coll_pair_first(const struct coll_schedule *s, uint32_t seat)
{
    uint32_t extra = coll_pair_extra(s);
    return seat < extra ? 2 * seat : seat + extra;
}

/* Recursive halving among p seats, beginning with neighbours. The parts [kept, kept + n) of p that a seat
 * holds after `halvings`, and the first of those that it gave away in the last one. */
struct coll_halves {
    uint32_t kept, given, n;
};

static inline struct coll_halves coll_halve(uint32_t p, uint32_t seat, uint32_t halvings)
{
    struct coll_halves h = {0, 0, p};
    for (uint32_t k = 0; k < halvings; k++) {
        h.n /= 2;
        bool upper = seat >> k & 1;
        h.given = upper ? h.kept : h.kept + h.n;
        h.kept = upper ? h.kept + h.n : h.kept;
    }
    return h;
}

#endif
