/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange: reductions to all by exchanges in groups of k members (seats.h). a is the time of one small
 * message, o a message's overhead, B the bandwidth, g the time to reduce a byte, m the bytes, n members, p
 * seats.
 */
#include "coll/reduce/reduce.h"

enum { OWN_RADIX = 4 };
static const coll_place whole = (uint64_t)COLL_DEST << 62;

static void add_send(struct coll_schedule *s, uint32_t to, uint32_t tag)
{
    coll_add_send(s, to, tag, whole, s->bytes);
}

/* The others of a run hand over to its seat, and get the result back from it. */
static void add_fold(struct coll_schedule *s, const struct coll_seats *t, bool back)
{
    uint32_t seat = coll_seat_of(t, s->me), first = coll_seat_place(t, seat), run = coll_seat_run(t, seat);
    if (s->me != first && back)
        coll_add_receive(s, first, 1, whole, s->bytes);
    else if (s->me != first)
        add_send(s, first, 0);
    for (uint32_t k = 1; s->me == first && k < run; k++)
        if (back)
            add_send(s, first + k, 1);
        else
            coll_add_reduce(s, first + k, 0, whole, s->bytes);
    if (s->me == first && !back)
        coll_order_reduces(s, 0, run - 1, 0);
}

static bool has_seat(const struct coll_schedule *s, const struct coll_seats *t)
{
    return coll_seat_place(t, coll_seat_of(t, s->me)) == s->me;
}

/* --- all members of a group at once --------------------------------------------------------------- */

static coll_place slot(const struct coll_schedule *s, uint32_t digit)
{
    return coll_at(COLL_TEMP, digit * s->bytes);
}

/* Temporary memory has a slot for each operand of the group. */
static void add_exchange(struct coll_schedule *s, const struct coll_seats *t, uint32_t step)
{
    uint32_t seat = coll_seat_of(t, s->me), k = t->factor[step], mine = coll_seat_digit(t, seat, step);
    for (uint32_t d = 0; d < k; d++)
        if (d != mine)
            coll_add_receive(s, coll_seat_place(t, coll_seat_with(t, seat, step, d)), 2 + step, slot(s, d),
                             s->bytes);
    for (uint32_t d = 1; d < k; d++)
        add_send(s, coll_seat_place(t, coll_seat_with(t, seat, step, (mine + d) % k)), 2 + step);
    if (s->bytes)
        coll_add_copy(s, whole, slot(s, mine), s->bytes);
}

/* In the same order at all of them, so that they get the same bytes. */
static void add_sum(struct coll_schedule *s, const struct coll_seats *t, uint32_t step)
{
    uint32_t k = t->factor[step], last = UINT32_MAX;
    for (uint32_t d = k - 1; s->bytes && d-- > 0;) {
        uint32_t sum = coll_add_combine(s, slot(s, d), slot(s, k - 1), s->bytes);
        if (last != UINT32_MAX)
            coll_order(s, last, sum);
        last = sum;
    }
    if (last != UINT32_MAX)
        coll_order(s, last, coll_add_copy(s, slot(s, k - 1), whole, s->bytes));
}

/* --- one after the other -------------------------------------------------------------------------- */

/* Temporary memory: my operand, and the last one that came. */
static void add_exchange_in_turn(struct coll_schedule *s, const struct coll_seats *t, uint32_t step)
{
    uint32_t seat = coll_seat_of(t, s->me), k = t->factor[step], mine = coll_seat_digit(t, seat, step);
    struct coll_program p;
    uint64_t m = s->bytes;
    coll_program_begin(&p, s);
    if (m)
        coll_program_copy(&p, whole, slot(s, 0), m);
    for (uint32_t d = 1; d < k; d++)
        coll_program_send(&p, coll_seat_place(t, coll_seat_with(t, seat, step, (mine + d) % k)), 2 + step,
                          slot(s, 0), m);
    for (uint32_t d = 0; d < k; d++) {
        coll_place operand = d == mine ? slot(s, 0) : slot(s, 1);
        if (d != mine)
            coll_program_receive_wait(&p, coll_seat_place(t, coll_seat_with(t, seat, step, d)), 2 + step,
                                      operand, m);
        if (d == mine && d && m) /* it is still being sent */
            coll_program_copy(&p, operand, slot(s, 1), m);
        if (d && m)
            coll_program_combine(&p, whole, slot(s, 1), m);
        if (m)
            coll_program_copy(&p, d ? slot(s, 1) : operand, whole, m);
    }
    coll_program_wait_all(&p);
    coll_program_end(&p);
}

/* --- the algorithms ------------------------------------------------------------------------------- */

/* Load, fold, two rounds for each step, and back. */
static bool exchange(struct coll_schedule *s, uint32_t round, const struct coll_seats *t)
{
    uint32_t last = 2 + 2 * t->steps;
    coll_temp(s, (t->steps ? t->factor[0] : 1) * s->bytes + 1);
    if (round == 0)
        coll_add_own(s, 0, 0, s->bytes);
    else if (round == 1 || round == last)
        add_fold(s, t, round == last);
    else if (round < last && has_seat(s, t) && round % 2 == 0)
        add_exchange(s, t, (round - 2) / 2);
    else if (round < last && has_seat(s, t))
        add_sum(s, t, (round - 2) / 2);
    return round <= last;
}

/* Groups of k members exchange their whole vectors, all at once: log_k p steps (Bruck and Ho, "Efficient
 * global combine operations in multi-port message-passing systems", PPL 3(4), 1993; MPICH's recursive
 * exchange with several buffers). log_k p (a + (k - 1)(m/B + g m)), two more steps when n > p = k^d; p (k -
 * 1) log_k p + 2 (n - p) messages. Memory for k vectors. */
bool coll_reduce_recursive_exchange(struct coll_schedule *s, uint32_t round)
{
    struct coll_seats t = coll_seats_power(s->size, coll_radix(s, OWN_RADIX));
    return exchange(s, round, &t);
}

/* The same with as many members as factors up to k allow: steps have different k (Ruefenacht, Bull, Booth,
 * "Generalisation of recursive doubling for AllReduce", Parallel Computing 69, 2017). The sum of (k - 1) p
 * over the steps' k, and 2 (n - p) messages. */
bool coll_reduce_recursive_multiplying(struct coll_schedule *s, uint32_t round)
{
    struct coll_seats t = coll_seats_product(s->size, coll_radix(s, OWN_RADIX));
    return exchange(s, round, &t);
}

/* Recursive exchange that needs no more than two vectors of memory: each receive waits until the operand
 * before it is reduced (MPICH's single buffer). Its messages. */
bool coll_reduce_exchange_in_turn(struct coll_schedule *s, uint32_t round)
{
    struct coll_seats t = coll_seats_power(s->size, coll_radix(s, OWN_RADIX));
    uint32_t last = 2 + t.steps;
    coll_temp(s, 2 * s->bytes + 1);
    if (round == 0)
        coll_add_own(s, 0, 0, s->bytes);
    else if (round == 1 || round == last)
        add_fold(s, &t, round == last);
    else if (round < last && has_seat(s, &t))
        add_exchange_in_turn(s, &t, round - 2);
    return round <= last;
}

/* --- halving into k ------------------------------------------------------------------------------- */

/* The run of the vector that seats [first, first + n) are responsible for. */
static struct coll_run run_of(const struct coll_schedule *s, const struct coll_seats *t, uint32_t first,
                              uint32_t n)
{
    return coll_run_even(s, first, n, t->count);
}

/* Reduces my share of what the group has; or gets the others' shares. */
static void add_split(struct coll_schedule *s, const struct coll_seats *t, uint32_t step, bool reduce)
{
    uint32_t seat = coll_seat_of(t, s->me), k = t->factor[step], mine = coll_seat_digit(t, seat, step);
    struct coll_share share = coll_seat_share(t, seat, step + 1);
    uint32_t first = share.kept - mine * share.width, tag = 2 + 2 * step + reduce;
    struct coll_run own = run_of(s, t, share.kept, share.width);
    for (uint32_t d = 0; d < k; d++) {
        uint32_t peer = coll_seat_place(t, coll_seat_with(t, seat, step, d));
        struct coll_run other = run_of(s, t, first + d * share.width, share.width);
        if (d != mine && reduce)
            coll_add_reduce(s, peer, tag, whole + own.at, own.bytes);
        else if (d != mine)
            coll_add_receive(s, peer, tag, whole + other.at, other.bytes);
    }
    if (reduce)
        coll_order_reduces(s, 0, k - 1, mine);
    for (uint32_t e = 1; e < k; e++) {
        uint32_t d = (mine + e) % k;
        struct coll_run other = run_of(s, t, first + d * share.width, share.width);
        struct coll_run out = reduce ? other : own;
        coll_add_send(s, coll_seat_place(t, coll_seat_with(t, seat, step, d)), tag, whole + out.at,
                      out.bytes);
    }
}

/* Groups of k members split what they have into k parts and reduce one each, again and again; then they
 * exchange the results the other way (MPICH's k_reduce_scatter_allgather; Rabenseifner's with k = 2). 2
 * log_k p (a + (k - 2) o) + m (2/B + g), two steps of all more when n > p = k^d; 2 p (k - 1) log_k p + 2 (n
 * - p) messages. */
bool coll_reduce_knomial_halving(struct coll_schedule *s, uint32_t round)
{
    struct coll_seats t = coll_seats_power(s->size, coll_radix(s, OWN_RADIX));
    uint32_t last = 2 + 2 * t.steps;
    if (round == 0)
        coll_add_own(s, 0, 0, s->bytes);
    else if (round == 1 || round == last)
        add_fold(s, &t, round == last);
    else if (round < last && has_seat(s, &t))
        add_split(s, &t, round - 2 < t.steps ? round - 2 : last - 1 - round, round - 2 < t.steps);
    return round <= last;
}
