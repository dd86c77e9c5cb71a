/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * root_halving: reductions to a root by recursive halving and a gather (Rabenseifner, "Optimization of
 * collective reduction operations", ICCS 2004). Of n members, p, the largest power of two, have a seat; each
 * of the others first gives its operand, or half of it, to a neighbour. After log2 p exchanges, of m/2, m/4,
 * ... bytes, with seats at distance 1, 2, ..., each seat has one part of the result, and the parts go to the
 * root up a binomial tree. A root without a seat takes that of seat 0 for the gather.
 *
 * 2 a log2 p + (p - 1)/p m (2/B + g), and a + m/B + g m for n > p. Operands stay in order of place.
 */
#include "coll/reduce/reduce.h"
#include "coll/reduce/root_tree.h"

enum { FOLD, UNFOLD, SEAT, HALVES, GATHER = HALVES + 32 }; /* tags */

/* The seats. Here the even one of a pair stays. */
static uint32_t extra(const struct coll_schedule *s)
{
    return s->size - coll_power_below(s->size);
}
static bool paired(const struct coll_schedule *s)
{
    return s->me < 2 * extra(s);
}
static bool has_seat(const struct coll_schedule *s)
{
    return !paired(s) || s->me % 2 == 0;
}
static uint32_t seat_of(const struct coll_schedule *s, uint32_t place)
{
    return place < 2 * extra(s) ? place / 2 : place - extra(s);
}
static bool root_sits_in(const struct coll_schedule *s)
{
    return s->root < 2 * extra(s) && s->root % 2;
}
static uint32_t place_of(const struct coll_schedule *s, uint32_t seat)
{
    return seat < extra(s) ? 2 * seat : seat + extra(s);
}

/* What a seat has after `halvings`, of all items, and the half that it gave away in the last one. */
struct half {
    uint64_t kept, kept_items, given, given_items;
};
typedef struct half (*halve_fn)(uint64_t items, uint32_t p, uint32_t seat, uint32_t halvings);

static void add_half(struct coll_schedule *s, uint32_t seat, uint32_t k, halve_fn halve)
{
    uint64_t item = coll_item(s);
    struct half h = halve(s->bytes / item, coll_power_below(s->size), seat, k + 1);
    uint32_t other = place_of(s, seat ^ UINT32_C(1) << k);
    coll_add_reduce(s, other, HALVES + k, coll_at(COLL_TEMP, h.kept * item), h.kept_items * item);
    coll_add_send(s, other, HALVES + k, coll_at(COLL_TEMP, h.given * item), h.given_items * item);
}

static void send_kept(struct coll_schedule *s, uint32_t to, uint32_t tag, const struct half *h)
{
    uint64_t item = coll_item(s);
    coll_add_send(s, to, tag, coll_at(COLL_TEMP, h->kept * item), h->kept_items * item);
}

static void receive_half(struct coll_schedule *s, uint32_t from, uint32_t tag, uint64_t first, uint64_t items)
{
    uint64_t item = coll_item(s);
    coll_add_receive(s, from, tag, coll_at(COLL_TEMP, first * item), items * item);
}

/* The root takes seat 0. */
static void add_seat(struct coll_schedule *s, halve_fn halve)
{
    uint32_t p = coll_power_below(s->size);
    struct half h = halve(s->bytes / coll_item(s), p, 0, coll_log2_above(p));
    if (!root_sits_in(s))
        return;
    if (s->me == s->root)
        receive_half(s, 0, SEAT, h.kept, h.kept_items);
    else if (s->me == 0)
        send_kept(s, s->root, SEAT, &h);
}

/* Undoes halving k: the seat whose bit differs from the root's sends what it has. `on`: it goes on as if it
 * had received the other half, as SMPI's rab does. */
static void add_gather(struct coll_schedule *s, uint32_t k, halve_fn halve, bool on)
{
    uint32_t seat = root_sits_in(s) && s->me == s->root ? 0 : seat_of(s, s->me), bit = UINT32_C(1) << k;
    uint32_t root = root_sits_in(s) ? 0 : seat_of(s, s->root), other = seat ^ bit;
    uint32_t place = root_sits_in(s) && !other ? s->root : place_of(s, other);
    struct half h = halve(s->bytes / coll_item(s), coll_power_below(s->size), seat, k + 1);
    bool away = (seat ^ root) & bit;
    if (!on && (seat ^ root) >> (k + 1))
        return;
    if (away)
        send_kept(s, place, GATHER + k, &h);
    else
        receive_half(s, place, GATHER + k, h.given, h.given_items);
}

/* Whether the member is in the gather. */
static bool gathers(const struct coll_schedule *s)
{
    if (!root_sits_in(s))
        return has_seat(s);
    return s->me == s->root || (has_seat(s) && s->me);
}

/* Rounds after the fold: halvings, seat, gather, result. */
static bool halve_and_gather(struct coll_schedule *s, uint32_t round, halve_fn halve, bool on)
{
    uint32_t steps = coll_log2_above(coll_power_below(s->size));
    if (round < steps) {
        if (has_seat(s))
            add_half(s, seat_of(s, s->me), round, halve);
    } else if (round == steps) {
        add_seat(s, halve);
    } else if (round <= 2 * steps) {
        if (gathers(s))
            add_gather(s, 2 * steps - round, halve, on);
    } else if (round == 2 * steps + 1 && s->me == s->root && s->bytes) {
        coll_add_copy(s, coll_at(COLL_TEMP, 0), coll_at(COLL_DEST, 0), s->bytes);
    }
    return round <= 2 * steps + 1;
}

/* --- parts of equal size -------------------------------------------------------------------------- */

static uint64_t bound(uint64_t items, uint32_t p, uint32_t part)
{
    BASE_ASSERT("C10", p);
    return part < p ? items / p * part : items;
}

static struct half equal_parts(uint64_t items, uint32_t p, uint32_t seat, uint32_t halvings)
{
    struct coll_halves h = coll_halve(p, seat, halvings);
    uint64_t kept = bound(items, p, h.kept), given = bound(items, p, h.given);
    return (struct half){kept, bound(items, p, h.kept + h.n) - kept, given,
                         bound(items, p, h.given + h.n) - given};
}

/* MPICH's, with p parts of equal size but for the last. The other one of a pair gives all it has. p log2 p +
 * n - 1 messages, and one to a root without a seat. */
bool coll_reduce_root_scatter_gather(struct coll_schedule *s, uint32_t round)
{
    uint64_t m = s->bytes;
    coll_temp(s, m + 1);
    if (round == 0 && m)
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), coll_at(COLL_TEMP, 0), m);
    if (round == 1 && paired(s) && has_seat(s))
        coll_add_reduce(s, s->me + 1, FOLD, coll_at(COLL_TEMP, 0), m);
    else if (round == 1 && paired(s))
        coll_add_send(s, s->me - 1, FOLD, coll_at(COLL_TEMP, 0), m);
    return round < 2 || halve_and_gather(s, round - 2, equal_parts, false);
}

/* --- halves of halves ----------------------------------------------------------------------------- */

static struct half halves(uint64_t items, uint32_t p, uint32_t seat, uint32_t halvings)
{
    struct half h = {0, items, 0, 0};
    (void)p;
    for (uint32_t k = 0; k < halvings; k++) {
        uint64_t even = h.kept_items / 2, odd = h.kept_items - even;
        bool upper = seat >> k & 1;
        h.given = upper ? h.kept : h.kept + even;
        h.given_items = upper ? even : odd;
        h.kept += upper ? even : 0;
        h.kept_items = upper ? odd : even;
    }
    return h;
}

/* A pair shares the work: each reduces a half, then the odd one hands over its own. */
static void share(struct coll_schedule *s, uint32_t round)
{
    uint64_t item = coll_item(s), low = s->bytes / item / 2 * item, high = s->bytes - low;
    coll_place first = coll_at(COLL_TEMP, 0), second = coll_at(COLL_TEMP, low);
    if (!paired(s))
        return;
    if (round == 0 && has_seat(s)) {
        coll_add_reduce(s, s->me + 1, FOLD, first, low);
        coll_add_send(s, s->me + 1, FOLD, second, high);
    } else if (round == 0) {
        coll_add_reduce(s, s->me - 1, FOLD, second, high);
        coll_add_send(s, s->me - 1, FOLD, first, low);
    } else if (has_seat(s)) {
        coll_add_receive(s, s->me + 1, UNFOLD, second, high);
    } else {
        coll_add_send(s, s->me - 1, UNFOLD, second, high);
    }
}

/* Rabenseifner's own: each half is halved again. Seats that have sent their part away in the gather go on
 * exchanging what is left among themselves, as in SMPI's, which costs others nothing. p log2 p and up to p/2
 * log2 p messages, and 3 (n - p). */
bool coll_reduce_root_rab(struct coll_schedule *s, uint32_t round)
{
    coll_temp(s, s->bytes + 1);
    if (round == 0 && s->bytes)
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), coll_at(COLL_TEMP, 0), s->bytes);
    if (round == 1 || round == 2)
        share(s, round - 1);
    return round < 3 || halve_and_gather(s, round - 3, halves, true);
}
