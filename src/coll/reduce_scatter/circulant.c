/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * circulant: reduce-scatters of few rounds for any number of members: on a circulant graph (circulant.h),
 * and by splitting into k. a is the time of one small message, B the bandwidth, g the time to reduce a byte,
 * M the bytes of all parts, n members.
 */
#include "coll/reduce_scatter/operand.h"
#include "coll/reduce_scatter/reduce_scatter.h"

enum { OWN_RADIX = 4 };

/* --- a circulant graph ------------------------------------------------------------------------------ */

/* Temporary memory: the operand in order, then again from my part on. Where part k after mine begins there.
 */
static uint64_t part_at(const struct coll_schedule *s, uint32_t k, uint64_t all)
{
    uint64_t mine = coll_operand_at(s, s->me), last = s->me + (uint64_t)k;
    return last <= s->size ? all + coll_operand_at(s, (uint32_t)last) - mine
                           : 2 * all - mine + coll_operand_at(s, (uint32_t)last - s->size);
}

static void add_turned(struct coll_schedule *s, uint64_t all)
{
    uint64_t mine = coll_operand_at(s, s->me);
    if (all - mine)
        coll_add_copy(s, coll_at(COLL_TEMP, mine), coll_at(COLL_TEMP, all), all - mine);
    if (mine)
        coll_add_copy(s, coll_at(COLL_TEMP, 0), coll_at(COLL_TEMP, 2 * all - mine), mine);
}

/* ceil(log2 n) a + (n - 1)/n M (1/B + g), for any n; n ceil(log2 n) messages. The operator commutes. */
bool coll_reduce_scatter_circulant(struct coll_schedule *s, uint32_t round)
{
    uint32_t loads = coll_operand_rounds(s), steps = coll_log2_above(s->size), k = round - loads - 1;
    uint64_t all = coll_operand_at(s, s->size);
    coll_temp(s, 2 * all + 1);
    if (round < loads)
        coll_operand_load(s, round);
    else if (round == loads)
        add_turned(s, all);
    else if (k == steps)
        coll_operand_keep(s, all);
    else if (k < steps) {
        struct coll_skip skip = coll_circulant_step(s->size, k);
        uint64_t from = part_at(s, skip.from, all), end = part_at(s, skip.end, all);
        uint64_t near = part_at(s, skip.end - skip.from, all) - all;
        coll_add_reduce(s, coll_before(s, skip.from), k, coll_at(COLL_TEMP, all), near);
        coll_add_send(s, coll_after(s, skip.from), k, coll_at(COLL_TEMP, from), end - from);
    }
    return round <= loads + steps + 1;
}

/* --- into k ------------------------------------------------------------------------------------------ */

/* The first part of a seat's run; of the one after the last: n. */
static uint32_t first_part(const struct coll_seats *t, uint32_t seat)
{
    return seat == t->count ? t->n : coll_seat_place(t, seat);
}

/* The others of a run hand over to its seat, and get their parts back. */
static void add_run(struct coll_schedule *s, const struct coll_seats *t, bool back)
{
    uint32_t seat = coll_seat_of(t, s->me), first = coll_seat_place(t, seat), run = coll_seat_run(t, seat);
    if (s->me != first && back)
        coll_add_receive(s, first, 1, coll_at(COLL_DEST, 0), coll_part_bytes(s, COLL_SOURCE, s->me));
    else if (s->me != first)
        coll_operand_send(s, first, 0, 0, s->size);
    for (uint32_t k = 1; s->me == first && k < run; k++)
        if (back)
            coll_operand_send(s, first + k, 1, first + k, first + k + 1);
        else
            coll_operand_reduce(s, first + k, 0, 0, s->size);
    if (s->me == first && !back)
        coll_order_reduces(s, 0, run - 1, 0);
    if (s->me == first && back)
        coll_operand_keep(s, coll_operand_at(s, s->me));
}

/* Seats that differ in this digit only: each gets the parts of the seats that have all its higher digits. */
static void add_split(struct coll_schedule *s, const struct coll_seats *t, uint32_t step)
{
    uint32_t seat = coll_seat_of(t, s->me), width = t->distance[step], k = t->factor[step];
    uint32_t base = seat / (width * k) * (width * k), mine = coll_seat_digit(t, seat, step);
    if (coll_seat_place(t, seat) != s->me)
        return;
    for (uint32_t d = 0; d < k; d++)
        if (d != mine)
            coll_operand_reduce(s, coll_seat_place(t, coll_seat_with(t, seat, step, d)), 2 + step,
                                first_part(t, base + mine * width), first_part(t, base + (mine + 1) * width));
    coll_order_reduces(s, 0, k - 1, mine);
    for (uint32_t e = 1; e < k; e++) {
        uint32_t d = (mine + e) % k;
        coll_operand_send(s, coll_seat_place(t, coll_seat_with(t, seat, step, d)), 2 + step,
                          first_part(t, base + d * width), first_part(t, base + (d + 1) * width));
    }
}

/* Groups of k seats split what they have into k, the most distant seats first (MPICH's recursive exchange).
 * log_k p a + (p - 1)/p M (1/B + g) for p = k^d seats, a + M/B + g M and a more when n > p; p (k - 1) log_k
 * p + 2 (n - p) messages. The operator commutes. */
bool coll_reduce_scatter_knomial_halving(struct coll_schedule *s, uint32_t round)
{
    struct coll_seats t = coll_seats_power(s->size, coll_radix(s, OWN_RADIX));
    uint32_t loads = coll_operand_rounds(s), k = round - loads;
    coll_temp(s, coll_operand_at(s, s->size) + 1);
    if (round < loads)
        coll_operand_load(s, round);
    else if (k == 0 || k == t.steps + 1)
        add_run(s, &t, k);
    else if (k <= t.steps)
        add_split(s, &t, t.steps - k);
    return round < loads || k < t.steps + 2;
}
