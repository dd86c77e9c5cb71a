/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * halving: reduce-scatters whose members halve, again and again, what they are responsible for; parts lie in
 * order of place, so that a seat (pairing.h) has a run of them. a is the time of one small message, B the
 * bandwidth, g the time to reduce a byte, M the bytes of all parts, m those of one, n members, p the largest
 * power of two at most n.
 */
#include "coll/reduce_scatter/operand.h"
#include "coll/reduce_scatter/reduce_scatter.h"

enum { TAG_FOLD, TAG_UNFOLD, TAG_MIRROR, TAG_HALVE };

static uint32_t seats(const struct coll_schedule *s)
{
    return coll_power_below(s->size);
}

/* The first part of a seat; of the p-th: n. */
static uint32_t first_part(const struct coll_schedule *s, uint32_t seat)
{
    return seat == seats(s) ? s->size : coll_pair_first(s, seat);
}

static void add_fold(struct coll_schedule *s)
{
    if (coll_pair_takes(s))
        coll_operand_reduce(s, s->me - 1, TAG_FOLD, 0, s->size);
    else if (coll_pair_gives(s))
        coll_operand_send(s, s->me + 1, TAG_FOLD, 0, s->size);
}

/* An exchange with seat `other`: seats' parts [kept, kept + n) stay, [given, given + n) go. */
static void add_halving(struct coll_schedule *s, uint32_t other, uint32_t tag, uint32_t kept, uint32_t given,
                        uint32_t n)
{
    uint32_t peer = coll_pair_place(s, other);
    coll_operand_reduce(s, peer, tag, first_part(s, kept), first_part(s, kept + n));
    coll_operand_send(s, peer, tag, first_part(s, given), first_part(s, given + n));
}

/* Load, fold: true if the round is one of these, or nothing to do for who has no seat. `k`: the round after.
 */
static bool add_start(struct coll_schedule *s, uint32_t round, uint32_t *k)
{
    uint32_t loads = coll_operand_rounds(s);
    coll_temp(s, coll_operand_at(s, s->size) + 1);
    if (round < loads)
        coll_operand_load(s, round);
    else if (round == loads)
        add_fold(s);
    *k = round - loads - 1;
    return round <= loads;
}

/* --- the most distant first ----------------------------------------------------------------------- */

static void add_unfold(struct coll_schedule *s)
{
    uint64_t mine = coll_part_bytes(s, COLL_SOURCE, s->me);
    if (coll_pair_gives(s)) {
        coll_add_receive(s, s->me + 1, TAG_UNFOLD, coll_at(COLL_DEST, 0), mine);
        return;
    }
    if (coll_pair_takes(s))
        coll_operand_send(s, s->me - 1, TAG_UNFOLD, s->me - 1, s->me);
    coll_operand_keep(s, coll_operand_at(s, s->me));
}

/* Recursive halving that begins with the most distant seat, so that everyone's part stays where it is
 * (Thakur, Rabenseifner, Gropp 2005, section 4.3; MPICH and Open MPI). a log2 p + (p - 1)/p M (1/B + g), and
 * 2 a + (M + m)/B + g M when n > p; p log2 p + 2 (n - p) messages. The operator commutes. */
bool coll_reduce_scatter_halving_far(struct coll_schedule *s, uint32_t round)
{
    uint32_t p = seats(s), steps = coll_log2_above(p), k;
    if (add_start(s, round, &k))
        return true;
    if (k < steps && !coll_pair_gives(s)) {
        uint32_t distance = p >> (k + 1), seat = coll_pair_seat(s), kept = seat / distance * distance;
        add_halving(s, seat ^ distance, TAG_HALVE + k, kept, kept ^ distance, distance);
    }
    if (k == steps)
        add_unfold(s);
    return k <= steps;
}

/* --- butterfly -------------------------------------------------------------------------------------- */

/* `bits` bits of x, in the opposite order. */
static uint32_t mirrored(uint32_t x, uint32_t bits)
{
    uint32_t y = 0;
    for (uint32_t k = 0; k < bits; k++)
        y |= (x >> k & 1) << (bits - 1 - k);
    return y;
}

/* A seat is left with the parts of the seat with the mirrored number: first to the one that gave. */
static void add_mirror(struct coll_schedule *s, uint32_t round, uint32_t bits)
{
    uint32_t extra = coll_pair_extra(s);
    uint64_t mine = coll_part_bytes(s, COLL_SOURCE, s->me);
    if (coll_pair_gives(s)) {
        uint32_t from = coll_pair_place(s, mirrored(s->me / 2, bits));
        if (round == 0)
            coll_add_receive(s, from, TAG_UNFOLD, coll_at(COLL_DEST, 0), mine);
        return;
    }
    uint32_t seat = mirrored(coll_pair_seat(s), bits), peer = coll_pair_place(s, seat);
    if (round == 0 && seat < extra)
        coll_operand_send(s, peer - 1, TAG_UNFOLD, peer - 1, peer);
    if (round == 1 && peer == s->me)
        coll_operand_keep(s, coll_operand_at(s, s->me));
    if (round == 1 && peer != s->me) {
        coll_add_receive(s, peer, TAG_MIRROR, coll_at(COLL_DEST, 0), mine);
        coll_operand_send(s, peer, TAG_MIRROR, peer, peer + 1);
    }
}

/* Recursive halving that begins with neighbours, which keeps operands in order of place; then every seat
 * sends what it has got to the one with the mirrored number (Traeff, "An improved algorithm for
 * (non-commutative) reduce-scatter with an application", EuroPVM/MPI 2005, as in Open MPI's butterfly). a
 * (log2 p + 1) + (p - 1)/p M (1/B + g) + m/B, and 2 a + (M + m)/B + g M when n > p; p log2 p + 2 (n - p)
 * messages and one for each seat whose number is no palindrome. */
bool coll_reduce_scatter_butterfly(struct coll_schedule *s, uint32_t round)
{
    uint32_t p = seats(s), steps = coll_log2_above(p), k;
    if (add_start(s, round, &k))
        return true;
    if (k < steps && !coll_pair_gives(s)) {
        uint32_t seat = coll_pair_seat(s);
        struct coll_halves h = coll_halve(p, seat, k + 1);
        add_halving(s, seat ^ UINT32_C(1) << k, TAG_HALVE + k, h.kept, h.given, h.n);
    }
    if (k >= steps && k < steps + 2)
        add_mirror(s, k - steps, steps);
    return k < steps + 2;
}
