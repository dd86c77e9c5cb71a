/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * index: all-to-alls in which parts travel by the digits of the way that they have to go (Bruck, Ho, Kipnis,
 * Upfal, Weathersby, IEEE TPDS 8(11), 1997). A part with way w is sent by its holder, for each digit that is
 * not 0, over that digit's share of the way, together with all others that have the same digit there. Members
 * keep the parts that they hold by way. What ways are:
 *
 *   around   the distance modulo n, in base k
 *   xor      place xor w, for a power of two of members, in base 2^q
 *   grid     the differences of coordinates, each modulo its side; n is the product of the sides
 */
#ifndef PGASIM_COLL_ALLTOALL_INDEX_H
#define PGASIM_COLL_ALLTOALL_INDEX_H

#include "coll/schedule/schedule.h"

enum coll_ways_kind { COLL_WAYS_AROUND, COLL_WAYS_XOR, COLL_WAYS_GRID };
enum { COLL_WAYS_DIGITS = 32 };
struct coll_ways {
    enum coll_ways_kind kind;
    uint32_t n, digits;
    uint32_t weight[COLL_WAYS_DIGITS], radix[COLL_WAYS_DIGITS]; /* from the least digit on */
    uint64_t part;                                              /* bytes in which a part has room */
    uint64_t temp;                                              /* where in temporary memory parts are kept */
    bool at_once, sends_on; /* all partners of a digit at a time; sends go on while the next digit begins */
};

/* Digits in base k for ways below n. */
struct coll_ways coll_ways_base(enum coll_ways_kind kind, uint32_t n, uint32_t k);
/* One more digit. */
void coll_ways_add(struct coll_ways *x, uint32_t radix);
/* The place that is `way` after place `from`, or before it. */
uint32_t coll_ways_along(const struct coll_ways *x, uint32_t from, uint32_t way, bool back);
/* How many ways have value v of digit d. */
uint64_t coll_ways_with(const struct coll_ways *x, uint32_t d, uint32_t v);
/* The first way from w on that has; n: none. */
uint64_t coll_ways_next(const struct coll_ways *x, uint32_t d, uint32_t v, uint64_t w);
/* Round `round` of the whole algorithm; parts are put into their room and taken out of it. */
bool coll_ways_round(struct coll_schedule *s, uint32_t round, const struct coll_ways *x);
/* The rounds of it that copy the source to where parts are kept, and parts to dest. */
void coll_ways_load(struct coll_schedule *s, const struct coll_ways *x);
void coll_ways_unload(struct coll_schedule *s, const struct coll_ways *x);

#endif
