/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seats: how algorithms for a product of small factors serve any number n of members: recursive exchanges in
 * groups of k. The n members form p runs of neighbours whose lengths differ by one at most; the first of a
 * run has its seat, and the others hand it their data first and get the result last. Seats are numbered in
 * order of place. In step d those seats exchange that differ in digit d only, where digit 0 is the lowest;
 * digit d runs from 0 to factor[d] - 1.
 */
#ifndef PGASIM_COLL_SEATS_H
#define PGASIM_COLL_SEATS_H

#include "coll/schedule/steps.h"

enum { COLL_MOST_FACTORS = 32 };
struct coll_seats {
    uint32_t n, count;                    /* members; seats */
    uint32_t steps;                       /* of the exchange */
    uint32_t factor[COLL_MOST_FACTORS];   /* members of a group in each step */
    uint32_t distance[COLL_MOST_FACTORS]; /* between seats of a group that are next to each other */
};

/* As many seats as the largest power of k that is at most n. */
struct coll_seats coll_seats_power(uint32_t n, uint32_t k);
/* As many as the largest product of factors 2 to k that is at most n. */
struct coll_seats coll_seats_product(uint32_t n, uint32_t k);

/* The place of a seat, the length of its run, and the seat of the run to which a place belongs. */
uint32_t coll_seat_place(const struct coll_seats *t, uint32_t seat);
uint32_t coll_seat_run(const struct coll_seats *t, uint32_t seat);
uint32_t coll_seat_of(const struct coll_seats *t, uint32_t place);

static inline uint32_t coll_seat_digit(const struct coll_seats *t, uint32_t seat, uint32_t step)
{
    return seat / t->distance[step] % t->factor[step];
}
/* The seat that differs from this one in that digit. */
static inline uint32_t coll_seat_with(const struct coll_seats *t, uint32_t seat, uint32_t step,
                                      uint32_t digit)
{
    return seat + digit * t->distance[step] - coll_seat_digit(t, seat, step) * t->distance[step];
}

/* The seats [kept, kept + width) for whose parts a seat is responsible after `steps` steps that split them by
 * digit, the lowest first. Seat k of a split has the k-th of the factor's parts. */
struct coll_share {
    uint32_t kept, width;
};
struct coll_share coll_seat_share(const struct coll_seats *t, uint32_t seat, uint32_t steps);

/* Orders reduces into the same place, steps [first, first + n) of the round, from members in ascending order
 * of place, of whom `lower` are lower than me: operands stay in order of place. */
void coll_order_reduces(struct coll_schedule *s, uint32_t first, uint32_t n, uint32_t lower);

#endif
