/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * direct: scans in which operands go straight to the members that need them. a is the time of one small
 * message, B the bandwidth, g the time to reduce a byte, m the bytes, n members.
 */
#include "coll/scan/exclusive.h"
#include "coll/scan/scan.h"

static const coll_place whole = (uint64_t)COLL_DEST << 62;

/* Operands of all lower places, from right to left; mine, which lies at `mine`, to all higher places. */
static void add_all(struct coll_schedule *s, coll_place mine, bool inclusive)
{
    uint64_t m = s->bytes;
    for (uint32_t p = 0; p < s->me; p++)
        if (p + 1 == s->me && !inclusive)
            coll_add_receive(s, p, 0, whole, m);
        else
            coll_add_reduce(s, p, 0, whole, m);
    for (uint32_t p = s->me; p > 1; p--)
        coll_order(s, p - 1, p - 2);
    for (uint32_t p = s->me + 1; p < s->size; p++)
        coll_add_send(s, p, 0, mine, m);
}

/* Everything at once: what SMPI does. a + (n - 1)(m/B + g m); n (n - 1)/2 messages. */
bool coll_inscan_direct(struct coll_schedule *s, uint32_t round)
{
    uint64_t m = s->bytes;
    coll_place mine = coll_at(COLL_TEMP, 0); /* dest may be the source */
    coll_temp(s, m + 1);
    if (round == 0 && m)
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), mine, m);
    if (round == 1)
        coll_add_own(s, 0, 0, m);
    if (round == 2)
        add_all(s, mine, true);
    return round < 3;
}

bool coll_exscan_direct(struct coll_schedule *s, uint32_t round)
{
    if (coll_exscan_start(s, round))
        return true;
    if (round == 2)
        add_all(s, coll_exscan_partial(), false);
    return round == 2;
}

/* --- 1, 2, 3, then doubling ----------------------------------------------------------------------- */

/* What step k does: sums of the last `distance` operands travel as far. */
static void add_step(struct coll_schedule *s, uint32_t k)
{
    uint32_t d = k < 2 ? k + 1 : UINT32_C(3) << (k - 2);
    bool receives = s->me >= d + (k > 1), sends = s->size - s->me > d && (s->me || k < 2);
    uint32_t in = 0;
    if (receives && k)
        in = coll_add_reduce(s, s->me - d, k, whole, s->bytes);
    else if (receives)
        coll_add_receive(s, s->me - d, k, whole, s->bytes);
    if (!sends)
        return;
    uint32_t out = coll_add_send(s, s->me + d, k, k < 2 ? coll_exscan_partial() : whole, s->bytes);
    if (receives && k > 1)
        coll_order(s, out, in);
}

/* Operands go one place on; sums of two, two places on, after which everyone has that of the last three
 * places; then these sums, without the member's own operand, 3, 6, 12, ... places on: 1, 2, 3 and doubling
 * (Traeff, "Exclusive scans in fewer rounds", 2025). For n > 4, ceil(log2((n - 1) 4/3)) steps of a + m/B + g
 * m, and g m once more. */
bool coll_exscan_123_doubling(struct coll_schedule *s, uint32_t round)
{
    if (coll_exscan_start(s, round))
        return true;
    if (round == 2 || round == 3) {
        if (round == 2)
            add_step(s, 0);
        else if (s->me && s->bytes)
            coll_add_combine(s, whole, coll_exscan_partial(), s->bytes);
        return true;
    }
    uint32_t k = round - 3;
    if (k > 1 && UINT64_C(3) << (k - 2) >= s->size - 1)
        return false;
    add_step(s, k);
    return true;
}
