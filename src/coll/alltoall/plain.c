/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plain: all-to-alls in pairs, all at once, and by Bruck's algorithm: a different part for each member, all
 * of one size, with or without strides (the executor applies them). a is the time of one small message, B the
 * bandwidth, m the bytes of one part, n members.
 */
#include "coll/alltoall/alltoall.h"

static uint64_t part(const struct coll_schedule *s, uint32_t k)
{
    return (uint64_t)k * s->bytes;
}

static void add_own_part(struct coll_schedule *s)
{
    coll_add_own(s, part(s, s->me), part(s, s->me), s->bytes);
}

static void add_receive_part(struct coll_schedule *s, uint32_t from, uint32_t tag)
{
    coll_add_receive(s, from, tag, coll_at(COLL_DEST, part(s, from)), s->bytes);
}

static void add_send_part(struct coll_schedule *s, uint32_t to, uint32_t tag)
{
    coll_add_send(s, to, tag, coll_at(COLL_SOURCE, part(s, to)), s->bytes);
}

/* In round k each exchanges parts with one partner: place xor k for a power of two, otherwise it sends k
 * places ahead and receives from k places behind (Thakur, Rabenseifner, Gropp 2005, section 4.2). (n - 1) (a
 * + m/B); n (n - 1) messages. */
bool coll_alltoall_pairwise(struct coll_schedule *s, uint32_t round)
{
    uint32_t k = round + 1;
    bool pairs = (s->size & (s->size - 1)) == 0;
    if (k > s->size)
        return false;
    if (k == s->size) {
        add_own_part(s);
        return true;
    }
    add_receive_part(s, pairs ? s->me ^ k : coll_before(s, k), round);
    add_send_part(s, pairs ? s->me ^ k : coll_after(s, k), round);
    return true;
}

/* Exchanges with the COLL_WINDOW nearest members at a time, then with the next ones (Thakur, Rabenseifner,
 * Gropp 2005, section 4.2, with a bound on what is outstanding as in MPICH). n - 1 issue overheads,
 * n/COLL_WINDOW a + (n - 1) m/B; n (n - 1) messages. */
bool coll_alltoall_linear(struct coll_schedule *s, uint32_t round)
{
    struct coll_window w;
    if (!coll_window_of(s, round, &w))
        return false;
    for (uint32_t k = 0; k < w.end - w.from; k++)
        add_receive_part(s, coll_window_before(s, &w, k), 0);
    for (uint32_t d = w.from; d < w.end; d++)
        add_send_part(s, coll_after(s, d), 0);
    if (w.from == w.end)
        add_own_part(s);
    return true;
}

/* --- Bruck -------------------------------------------------------------------------------------- */

/* Temporary memory: n parts by distance to their receiver, then as many again: the parts that go out in a
 * round packed, and those that come in. */
static coll_place held(uint64_t part_bytes, uint64_t k)
{
    return coll_at(COLL_TEMP, k * part_bytes);
}

/* How many distances below n have this bit set. */
static uint32_t with_bit(uint32_t n, uint32_t bit)
{
    uint64_t period = 2 * (uint64_t)bit, rest = n % period;
    return (uint32_t)(n / period * bit + (rest > bit ? rest - bit : 0));
}

/* If nothing is moved, one step takes the same time, up to rounding. */
static uint32_t move_at_once(struct coll_schedule *s, uint32_t bit, bool add)
{
    uint32_t parts = with_bit(s->size, bit);
    if (add && s->bytes)
        coll_add_copy(s, held(s->bytes, 0), held(s->bytes, s->size), parts * s->bytes);
    return parts;
}

/* The parts whose distance has bit `bit` are sent in its round; they form runs of `bit` parts. Copies each
 * run to the packed area (pack), or back from the area of received parts. Returns the number of parts. */
static uint32_t move_runs(struct coll_schedule *s, uint32_t bit, bool pack, bool add)
{
    uint64_t m = s->bytes, packed = 0, incoming = pack ? 0 : s->size / 2;
    if (s->unmoved && !s->apart)
        return move_at_once(s, bit, add);
    for (uint64_t run = bit; run < s->size; run += 2 * (uint64_t)bit) {
        uint64_t parts = s->size - run < bit ? s->size - run : bit;
        coll_place own = held(m, run), area = held(m, s->size + incoming + packed);
        if (add && m)
            coll_add_copy(s, pack ? own : area, pack ? area : own, parts * m);
        packed += parts;
    }
    return (uint32_t)packed;
}

static void rotate_in(struct coll_schedule *s)
{
    uint64_t m = s->bytes, tail = s->size - s->me;
    if (!m)
        return;
    coll_add_copy(s, coll_at(COLL_SOURCE, part(s, s->me)), held(m, 0), tail * m);
    if (s->me)
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), held(m, tail), s->me * m);
}

/* The part at distance d came from the member d before. */
static void rotate_out(struct coll_schedule *s)
{
    uint64_t m = s->bytes;
    bool at_once = s->unmoved && !s->apart;
    if (at_once && m)
        coll_add_copy(s, held(m, 0), coll_at(COLL_DEST, 0), s->size * m);
    for (uint32_t d = 0; m && !at_once && d < s->size; d++)
        coll_add_copy(s, held(m, d), coll_at(COLL_DEST, part(s, coll_before(s, d))), m);
}

/* Bruck et al., IEEE TPDS 8(11), 1997: a part travels by the binary digits of its distance. ceil(log2 n)
 * exchanges of about n/2 parts: log2 n (a + n m/(2 B)) and the packing; n ceil(log2 n) messages. */
bool coll_alltoall_bruck(struct coll_schedule *s, uint32_t round)
{
    uint32_t exchanges = coll_log2_above(s->size), k = (round - 1) / 3;
    uint64_t m = s->bytes;
    coll_temp(s, 2 * (uint64_t)s->size * m + 1);
    if (round == 0)
        rotate_in(s);
    if (round == 0 || round == 1 + 3 * exchanges) {
        if (round)
            rotate_out(s);
        return true;
    }
    if (round > 1 + 3 * exchanges)
        return false;
    uint32_t bit = UINT32_C(1) << k;
    if ((round - 1) % 3 != 1) {
        move_runs(s, bit, (round - 1) % 3 == 0, true);
        return true;
    }
    uint64_t bytes = move_runs(s, bit, true, false) * m;
    coll_add_receive(s, coll_before(s, bit), k, held(m, s->size + s->size / 2), bytes);
    coll_add_send(s, coll_after(s, bit), k, held(m, s->size), bytes);
    return true;
}
