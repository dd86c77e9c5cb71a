/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halving: variants of Rabenseifner's reduction to all: a reduce-scatter by halving, then an allgather by
 * doubling. a is the time of one small message, B the bandwidth, g the time to reduce a byte, m the bytes, n
 * members, p the largest power of two at most n.
 */
#include "coll/reduce/reduce.h"

/* Halves the vector where it is long enough, else exchanges it whole: rabenseifner, or recursive-doubling
 * where there are fewer items than the power of two of members (MVAPICH2 and MPICH). */
bool coll_reduce_rabenseifner_or_doubling(struct coll_schedule *s, uint32_t round)
{
    bool halves = s->bytes / coll_item(s) >= coll_power_below(s->size);
    return halves ? coll_reduce_rabenseifner(s, round) : coll_reduce_recursive_doubling(s, round);
}

/* --- pairs that share the work ------------------------------------------------------------------ */

/* In the pairs the even places have the seats here. */
static bool has_seat(const struct coll_schedule *s)
{
    return !coll_pair_takes(s);
}

static uint32_t place_of(const struct coll_schedule *s, uint32_t seat)
{
    uint32_t extra = coll_pair_extra(s);
    return seat < extra ? 2 * seat : seat + extra;
}

/* The two members of a pair reduce a half each; then the even one gets the other half. */
static void add_shared_fold(struct coll_schedule *s, uint32_t round)
{
    uint64_t low = s->bytes / coll_item(s) / 2 * coll_item(s);
    struct coll_run lower = {0, low}, upper = {low, s->bytes - low};
    if (!coll_pair_is(s))
        return;
    bool even = coll_pair_gives(s);
    if (round == 1)
        coll_add_swap(s, even ? s->me + 1 : s->me - 1, round, even ? upper : lower, even ? lower : upper,
                      true);
    else if (even)
        coll_add_receive(s, s->me + 1, round, coll_at(COLL_DEST, upper.at), upper.bytes);
    else
        coll_add_send(s, s->me - 1, round, coll_at(COLL_DEST, upper.at), upper.bytes);
}

/* What a seat keeps of the vector, and gives away, in halving `step`; the first half is never the longer. */
static void halve(const struct coll_schedule *s, uint32_t seat, uint32_t step, struct coll_run *kept,
                  struct coll_run *given)
{
    uint64_t item = coll_item(s);
    struct coll_run whole = {0, s->bytes};
    for (uint32_t k = 0; k <= step; k++) {
        uint64_t low = whole.bytes / item / 2 * item;
        struct coll_run first = {whole.at, low}, second = {whole.at + low, whole.bytes - low};
        bool upper = seat >> k & 1;
        *kept = whole = upper ? second : first;
        *given = upper ? first : second;
    }
}

static void add_shared_unfold(struct coll_schedule *s, uint32_t round)
{
    coll_place whole = coll_at(COLL_DEST, 0);
    if (coll_pair_gives(s))
        coll_add_send(s, s->me + 1, round, whole, s->bytes);
    else if (coll_pair_takes(s))
        coll_add_receive(s, s->me - 1, round, whole, s->bytes);
}

/* Rabenseifner's own program: where n is no power of two, both members of a pair reduce, a half each
 * (Rabenseifner, "Optimization of collective reduction operations", ICCS 2004). 2 a log2 p + (p - 1)/p m (2/B
 * + g), and 3 a + m (2/B + g/2) when n > p; 2 p log2 p + 4 (n - p) messages. */
bool coll_reduce_rabenseifner_shared(struct coll_schedule *s, uint32_t round)
{
    uint32_t steps = coll_log2_above(coll_power_below(s->size)), seat = s->me - coll_pair_extra(s);
    struct coll_run kept, given;
    if (round == 0)
        coll_add_own(s, 0, 0, s->bytes);
    else if (round <= 2)
        add_shared_fold(s, round);
    else if (round == 3 + 2 * steps)
        add_shared_unfold(s, round);
    if (round < 3 || round >= 3 + 2 * steps || !has_seat(s))
        return round < 4 + 2 * steps;
    seat = coll_pair_is(s) ? s->me / 2 : seat;
    bool reduce = round - 3 < steps;
    uint32_t step = reduce ? round - 3 : 2 * steps - 1 - (round - 3);
    halve(s, seat, step, &kept, &given);
    coll_add_swap(s, place_of(s, seat ^ UINT32_C(1) << step), round, reduce ? given : kept,
                  reduce ? kept : given, reduce);
    return true;
}
