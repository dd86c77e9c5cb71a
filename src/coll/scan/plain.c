/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plain: prefix reductions in order of place, with the member's own operand (inscan) or without it (exscan,
 * where place 0 gets zero bytes, or keeps what it has). The operand from lower places is always the left
 * one, so an operation need only be associative. dest may be the source. a is the time of one small message,
 * B the bandwidth, g the time to reduce a byte, m the bytes, n members.
 */
#include "coll/scan/scan.h"
#include "coll/scan/exclusive.h"

#include <string.h>

static const coll_place whole = (uint64_t)COLL_DEST << 62;

static uint64_t room(const struct coll_schedule *s)
{
    return (s->bytes + 15) / 16 * 16;
}
coll_place coll_exscan_partial(void)
{
    return coll_at(COLL_TEMP, 0);
}
coll_place coll_exscan_incoming(const struct coll_schedule *s)
{
    return coll_at(COLL_TEMP, room(s));
}

bool coll_exscan_start(struct coll_schedule *s, uint32_t round)
{
    uint64_t m = s->bytes;
    unsigned char *temp = coll_temp(s, 2 * room(s) + 1);
    if (round == 0 && m) {
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), coll_exscan_partial(), m);
        if (s->me == 0 && !s->call->keep_first && temp) /* NULL: nothing is moved */
            memset(temp + room(s), 0, m);
    }
    if (round == 1 && m && s->me == 0 && !s->call->keep_first)
        coll_add_copy(s, coll_exscan_incoming(s), whole, m);
    return round < 2;
}

/* --- linear ------------------------------------------------------------------------------------- */

/* A chain: each adds its operand to what comes from the place before and passes it on.
 * (n - 1) (a + m/B + g m); n - 1 messages. */
bool coll_inscan_linear(struct coll_schedule *s, uint32_t round)
{
    uint64_t m = s->bytes;
    if (round == 0)
        coll_add_own(s, 0, 0, m);
    if (round == 1 && s->me)
        coll_add_reduce(s, s->me - 1, 0, whole, m);
    if (round == 2 && s->me + 1 < s->size)
        coll_add_send(s, s->me + 1, 0, whole, m);
    return round < 3;
}

bool coll_exscan_linear(struct coll_schedule *s, uint32_t round)
{
    uint64_t m = s->bytes;
    bool passes = s->me + 1 < s->size;
    if (coll_exscan_start(s, round))
        return true;
    if (round == 2 && s->me)
        coll_add_receive(s, s->me - 1, 0, whole, m);
    if (round == 3 && s->me && passes)
        coll_add_combine(s, whole, coll_exscan_partial(), m);
    if (round == 4 && passes)
        coll_add_send(s, s->me + 1, 0, coll_exscan_partial(), m);
    return round < 5;
}

/* --- recursive doubling ------------------------------------------------------------------------- */

/* In round k each sends the sum of its last 2^k operands 2^k places on (Kogge and Stone, "A parallel
 * algorithm for the efficient solution of a general class of recurrence equations", IEEE ToC C-22(8), 1973;
 * Hillis and Steele, "Data parallel algorithms", CACM 29(12), 1986). ceil(log2 n) (a + m/B + g m); n
 * ceil(log2 n) - 2^ceil(log2 n) + 1 messages. */
bool coll_inscan_recursive_doubling(struct coll_schedule *s, uint32_t round)
{
    uint64_t m = s->bytes, d = round ? UINT64_C(1) << (round - 1) : 0;
    if (round == 0) {
        coll_add_own(s, 0, 0, m);
        return true;
    }
    if (d >= s->size)
        return false;
    bool receives = s->me >= d, sends = s->me + d < s->size;
    if (receives)
        coll_add_reduce(s, s->me - (uint32_t)d, round, whole, m);
    if (sends)
        coll_add_send(s, s->me + (uint32_t)d, round, whole, m);
    if (receives && sends)
        coll_order(s, 1, 0);
    return true;
}

/* The same with two sums: the one passed on includes the member's own operand, dest does not. */
bool coll_exscan_recursive_doubling(struct coll_schedule *s, uint32_t round)
{
    uint64_t m = s->bytes;
    if (coll_exscan_start(s, round))
        return true;
    uint64_t d = UINT64_C(1) << ((round - 2) / 2);
    if (d >= s->size)
        return false;
    if (round % 2 == 0) {
        if (s->me >= d)
            coll_add_receive(s, s->me - (uint32_t)d, round, coll_exscan_incoming(s), m);
        if (s->me + d < s->size)
            coll_add_send(s, s->me + (uint32_t)d, round, coll_exscan_partial(), m);
        return true;
    }
    if (s->me < d || !m)
        return true;
    if (d == 1)
        coll_add_copy(s, coll_exscan_incoming(s), whole, m);
    else
        coll_add_combine(s, coll_exscan_incoming(s), whole, m);
    if (s->me + 2 * d < s->size)
        coll_add_combine(s, coll_exscan_incoming(s), coll_exscan_partial(), m);
    return true;
}

/* --- binomial ----------------------------------------------------------------------------------- */

/* Rounds 0 to 2 L - 1, L = ceil(log2 n), of a scan of the operands that lie at `sum`: up a binomial tree,
 * after which place p has the sum of as many operands as the lowest bit of p + 1, then down it, where each
 * place with a complete prefix passes it half as far (Brent and Kung, "A regular layout for parallel
 * adders", IEEE ToC C-31(3), 1982; Blelloch, "Prefix sums and their applications", 1990). */
static bool add_sweep(struct coll_schedule *s, uint32_t round, coll_place sum)
{
    uint32_t levels = coll_log2_above(s->size), me = s->me;
    if (round >= 2 * levels)
        return false;
    bool up = round < levels;
    uint64_t m = s->bytes, d = UINT64_C(1) << (up ? round : 2 * levels - 1 - round);
    uint64_t position = (me + UINT64_C(1)) % (2 * d);
    bool whole_run = position == 0, half_run = position == d;
    if (up ? whole_run : half_run && me >= d)
        coll_add_reduce(s, me - (uint32_t)d, round, sum, m);
    if ((up ? half_run : whole_run) && me + d < s->size)
        coll_add_send(s, me + (uint32_t)d, round, sum, m);
    return true;
}

/* 2 ceil(log2 n) - 1 steps of a + m/B + g m; less than 2 n messages. */
bool coll_inscan_binomial(struct coll_schedule *s, uint32_t round)
{
    if (round == 0) {
        coll_add_own(s, 0, 0, s->bytes);
        return true;
    }
    return add_sweep(s, round - 1, whole);
}

/* The inscan, whose results then move one place on: one more step; less than 3 n messages. */
bool coll_exscan_binomial(struct coll_schedule *s, uint32_t round)
{
    if (coll_exscan_start(s, round) || add_sweep(s, round - 2, coll_exscan_partial()))
        return true;
    uint32_t last = 2 + 2 * coll_log2_above(s->size);
    if (round == last && s->me)
        coll_add_receive(s, s->me - 1, round, whole, s->bytes);
    if (round == last && s->me + 1 < s->size)
        coll_add_send(s, s->me + 1, round, coll_exscan_partial(), s->bytes);
    return round == last;
}
