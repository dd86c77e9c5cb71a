/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plain: reductions of which each member gets a part, by halving, in pairs, and from each to all. a is the
 * time of one small message, B the bandwidth, g the time to reduce a byte, m the bytes of a part, M those of
 * all parts, n members, p the largest power of two at most n.
 */
#include "coll/reduce_scatter/reduce_scatter.h"

/* Where the member's sum is built: in dest, or, if that is the source, in temporary memory. It begins with the
 * member's own operand in round 0, and comes to dest in round `last`, of which there is one only then. */
static coll_place own_sum(struct coll_schedule *s, uint32_t round, uint32_t last)
{
    uint64_t mine = coll_part_bytes(s, COLL_SOURCE, s->me);
    coll_place own = coll_part_at(s, COLL_SOURCE, s->me), result = coll_at(COLL_DEST, 0);
    coll_place sum = s->in_place ? coll_at(COLL_TEMP, 0) : result;
    if (s->in_place)
        coll_temp(s, mine + 1);
    if (round == 0 && s->in_place && mine)
        coll_add_copy(s, own, sum, mine);
    else if (round == 0)
        coll_add_own(s, coll_place_offset(own), 0, mine);
    if (round == last && s->in_place && mine)
        coll_add_copy(s, sum, result, mine);
    return sum;
}

/* In round k each sends the k-th after it its part, and reduces what comes from the k-th before it; where
 * dest is the source, in temporary memory. Not in order of place: first those of lower places, downwards,
 * then the others. (n - 1) (a + m/B + g m); n (n - 1) messages. */
bool coll_reduce_scatter_pairwise(struct coll_schedule *s, uint32_t round)
{
    coll_place sum = own_sum(s, round, s->size);
    if (round && round < s->size) {
        coll_add_reduce(s, coll_before(s, round), 0, sum, coll_part_bytes(s, COLL_SOURCE, s->me));
        coll_add_send_part(s, coll_after(s, round), 0, coll_after(s, round));
    }
    return round < s->size || (round == s->size && s->in_place);
}

/* --- recursive halving -------------------------------------------------------------------------- */

/* The exchanges of Rabenseifner's reduction begin with neighbours, so that operands stay in order of place.
 * Then a seat is left with the block whose number is its own with the bits reversed. So in temporary memory,
 * blocks lie in the order of reversed numbers (Traeff, "An improved algorithm for (non-commutative)
 * reduce-scatter with an application", EuroPVM/MPI 2005). A seat's block has the parts of the one or two
 * places whose data it holds (pairing.h). */

enum { LOADED = 256 }; /* blocks that one round copies: so many steps of memory */
enum { TAG_FOLD, TAG_UNFOLD, TAG_HALVE };

static uint32_t seats(const struct coll_schedule *s)
{
    return coll_power_below(s->size);
}

/* The seat whose block is the k-th in temporary memory, and the other way round. */
static uint32_t reversed(uint32_t k, uint32_t p)
{
    k = (k >> 1 & 0x55555555) | (k & 0x55555555) << 1;
    k = (k >> 2 & 0x33333333) | (k & 0x33333333) << 2;
    k = (k >> 4 & 0x0f0f0f0f) | (k & 0x0f0f0f0f) << 4;
    return (uint32_t)((uint64_t)__builtin_bswap32(k) >> (32 - coll_log2_above(p)));
}

/* How many of the first k blocks in temporary memory are of seats below `limit`. Each bit that is set in k
 * stands for a range of blocks whose seats have their low bits in common. */
static uint32_t seats_below(uint32_t limit, uint32_t k, uint32_t p)
{
    uint32_t sum = 0, low = 0;
    for (uint32_t step = 1, bit = p; bit && step <= p; step *= 2, bit /= 2)
        if (k & bit) {
            sum += low < limit ? (limit - low - 1) / step + 1 : 0;
            low += step / 2;
        }
    return sum;
}

static uint64_t block_bytes(const struct coll_schedule *s, uint32_t seat)
{
    uint32_t first = coll_pair_first(s, seat), last = coll_pair_place(s, seat);
    uint64_t bytes = coll_part_bytes(s, COLL_SOURCE, last);
    return first == last ? bytes : bytes + coll_part_bytes(s, COLL_SOURCE, first);
}

/* Where the k-th block in temporary memory begins; k = p: their end. */
static uint64_t block_at(const struct coll_schedule *s, uint32_t k)
{
    bool equal = !s->local || !s->local->source.counts;
    if (equal)
        return s->bytes * (k + seats_below(coll_pair_extra(s), k, seats(s)));
    uint64_t at = 0;
    for (uint32_t other = 0; other < k; other++)
        at += block_bytes(s, reversed(other, seats(s)));
    return at;
}

static void add_load(struct coll_schedule *s, uint32_t round)
{
    uint32_t p = seats(s), from = round * LOADED, end = from + LOADED < p ? from + LOADED : p;
    uint64_t at = block_at(s, from);
    for (uint32_t k = from; k < end; k++) {
        uint32_t seat = reversed(k, p), last = coll_pair_place(s, seat);
        for (uint32_t place = coll_pair_first(s, seat); place <= last; place++) {
            uint64_t bytes = coll_part_bytes(s, COLL_SOURCE, place);
            if (bytes)
                coll_add_copy(s, coll_part_at(s, COLL_SOURCE, place), coll_at(COLL_TEMP, at), bytes);
            at += bytes;
        }
    }
}

static void add_fold(struct coll_schedule *s, uint64_t all)
{
    if (coll_pair_takes(s))
        coll_add_reduce(s, s->me - 1, TAG_FOLD, coll_at(COLL_TEMP, 0), all);
    else if (coll_pair_gives(s))
        coll_add_send(s, s->me + 1, TAG_FOLD, coll_at(COLL_TEMP, 0), all);
}

static void add_halving(struct coll_schedule *s, uint32_t step)
{
    uint32_t p = seats(s), seat = coll_pair_seat(s), peer = coll_pair_place(s, seat ^ UINT32_C(1) << step);
    struct coll_halves h = coll_halve(p, seat, step + 1);
    uint64_t kept = block_at(s, h.kept), given = block_at(s, h.given);
    coll_add_reduce(s, peer, TAG_HALVE + step, coll_at(COLL_TEMP, kept), block_at(s, h.kept + h.n) - kept);
    coll_add_send(s, peer, TAG_HALVE + step, coll_at(COLL_TEMP, given), block_at(s, h.given + h.n) - given);
}

/* Results to where they belong. */
static void add_results(struct coll_schedule *s)
{
    uint64_t mine = coll_part_bytes(s, COLL_SOURCE, s->me);
    if (coll_pair_gives(s)) {
        coll_add_receive(s, s->me + 1, TAG_UNFOLD, coll_at(COLL_DEST, 0), mine);
        return;
    }
    uint64_t at = block_at(s, reversed(coll_pair_seat(s), seats(s))), others = 0;
    if (coll_pair_takes(s)) {
        others = coll_part_bytes(s, COLL_SOURCE, s->me - 1);
        coll_add_send(s, s->me - 1, TAG_UNFOLD, coll_at(COLL_TEMP, at), others);
    }
    if (mine)
        coll_add_copy(s, coll_at(COLL_TEMP, at + others), coll_at(COLL_DEST, 0), mine);
}

/* a log2 p + (p - 1)/p M (1/B + g), and 2 a + (M + m)/B + g M when n > p; p log2 p + 2 (n - p) messages. */
bool coll_reduce_scatter_recursive_halving(struct coll_schedule *s, uint32_t round)
{
    uint32_t p = seats(s), steps = coll_log2_above(p), loads = (p - 1) / LOADED + 1;
    uint64_t all = block_at(s, p);
    coll_temp(s, all + 1);
    if (round < loads)
        add_load(s, round);
    else if (round == loads)
        add_fold(s, all);
    else if (round <= loads + steps && !coll_pair_gives(s))
        add_halving(s, round - loads - 1);
    else if (round == loads + steps + 1)
        add_results(s);
    return round <= loads + steps + 1;
}

/* Each sends every other its part, and reduces what comes for its own; where dest is the source, in temporary
 * memory. a + (n - 1) (m/B + g m); n (n - 1) messages. */
bool coll_reduce_scatter_linear(struct coll_schedule *s, uint32_t round)
{
    coll_place sum = own_sum(s, round, 2);
    if (round == 1) {
        coll_add_reduce_from_all(s, sum, coll_part_bytes(s, COLL_SOURCE, s->me));
        for (uint32_t d = 1; d < s->size; d++)
            coll_add_send_part(s, coll_after(s, d), 1, coll_after(s, d));
    }
    return round < 2 || (round == 2 && s->in_place);
}
