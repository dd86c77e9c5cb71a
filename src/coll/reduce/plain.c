/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plain: reductions to all members. The order of operations depends on places only, never on timing, and each
 * element is either computed once and passed on or computed by all in the same tree. So all members get the
 * same bytes. Works in dest, which may be the source. a is the time of one small message, B the bandwidth, g
 * the time to reduce a byte, m the bytes, n members, p the largest power of two at most n.
 */
#include "coll/reduce/reduce.h"

static const coll_place whole = (uint64_t)COLL_DEST << 62;

static void add_load(struct coll_schedule *s)
{
    coll_add_own(s, 0, 0, s->bytes);
}

/* Place 0 reduces the others' vectors in order of place and sends the result to each. n - 1 receives of g m,
 * then n - 1 issue overheads, 2 (a + m/B) at best; 2 (n - 1) messages. */
bool coll_reduce_linear(struct coll_schedule *s, uint32_t round)
{
    bool root = s->me == 0;
    uint64_t m = s->bytes;
    if (round == 0 && root)
        add_load(s);
    if (round == 1 && !root)
        coll_add_send(s, 0, round, coll_at(COLL_SOURCE, 0), m);
    for (uint32_t p = 1; round == 1 && root && p < s->size; p++) {
        uint32_t k = coll_add_reduce(s, p, round, whole, m);
        if (p > 1)
            coll_order(s, k - 1, k);
    }
    if (round == 2 && !root)
        coll_add_receive(s, 0, round, whole, m);
    for (uint32_t p = 1; round == 2 && root && p < s->size; p++)
        coll_add_send(s, p, round, whole, m);
    return round < 3;
}

static bool tree_reduce(struct coll_schedule *s, uint32_t round, uint32_t radix)
{
    struct coll_load up = {whole, s->bytes, true, false}, down = {whole, s->bytes, false, false};
    if (round == 0) {
        add_load(s);
        return true;
    }
    return round < 3 ? coll_tree_up(s, round - 1, radix, &up) : coll_tree_down(s, round - 3, radix, &down);
}

/* Up a binomial tree, whose members reduce, and down again with the result (Thakur et al. 2005, section 4.4,
 * and its broadcast). 2 ceil(log2 n) (a + m/B) + ceil(log2 n) g m; 2 (n - 1) messages. */
bool coll_reduce_binomial(struct coll_schedule *s, uint32_t round)
{
    return tree_reduce(s, round, 2);
}

/* The same with k = coll/radix: 2 ceil(log_k n) steps of up to k - 1 messages one after the other; 2 (n - 1)
 * messages. */
bool coll_reduce_knomial(struct coll_schedule *s, uint32_t round)
{
    return tree_reduce(s, round, coll_radix(s, 4));
}

/* --- a power of two of members ------------------------------------------------------------------ */

/* The rounds around both: load, fold onto p members, `inner` rounds among them, unfold. True if the round
 * was one of these. */
static bool add_frame(struct coll_schedule *s, uint32_t round, uint32_t inner)
{
    if (round == 0)
        add_load(s);
    else if (round == 1)
        coll_add_fold(s, round);
    else if (round == inner + 2)
        coll_add_unfold(s, round);
    else
        return coll_pair_gives(s);
    return true;
}

/* Each exchanges the whole vector with the member at distance 1, 2, 4, ... (Thakur et al. 2005, section
 * 4.5). log2 p (a + m/B + g m), two more of them when n > p; p log2 p + 2 (n - p) messages. */
bool coll_reduce_recursive_doubling(struct coll_schedule *s, uint32_t round)
{
    uint32_t inner = coll_log2_above(coll_power_below(s->size));
    if (round > inner + 2)
        return false;
    struct coll_run all = {0, s->bytes};
    if (!add_frame(s, round, inner))
        coll_add_swap(s, coll_pair_place(s, coll_pair_seat(s) ^ UINT32_C(1) << (round - 2)), round, all, all,
                      true);
    return true;
}

/* --- Rabenseifner ------------------------------------------------------------------------------- */

/* Reduce-scatter by recursive halving, allgather by recursive doubling (Rabenseifner, "Optimization of
 * collective reduction operations", ICCS 2004). 2 a log2 p + (p - 1)/p m (2/B + g), and 2 (a + m/B) + g m
 * when n > p; 2 p log2 p + 2 (n - p) messages. */
bool coll_reduce_rabenseifner(struct coll_schedule *s, uint32_t round)
{
    uint32_t p = coll_power_below(s->size), steps = coll_log2_above(p), inner = 2 * steps;
    if (round > inner + 2)
        return false;
    if (add_frame(s, round, inner))
        return true;
    uint32_t k = round - 2, rank = coll_pair_seat(s);
    bool reduce = k < steps;
    uint32_t step = reduce ? k : inner - 1 - k;
    BASE_ASSERT("C10", step < 32);
    struct coll_halves h = coll_halve(p, rank, step + 1);
    struct coll_run kept = coll_run_rest_last(s, h.kept, h.n, p);
    struct coll_run given = coll_run_rest_last(s, h.given, h.n, p);
    coll_add_swap(s, coll_pair_place(s, rank ^ UINT32_C(1) << step), round, reduce ? given : kept,
                  reduce ? kept : given, reduce);
    return true;
}

/* Reduce-scatter around the ring, then allgather around it (Thakur et al. 2005, section 4.5; Patarasuk and
 * Yuan, JPDC 69(2), 2009). 2 (n - 1) (a + m/(n B)) + (n - 1)/n g m; 2 n (n - 1) messages. */
bool coll_reduce_ring(struct coll_schedule *s, uint32_t round)
{
    uint32_t n = s->size, hops = n - 1;
    if (round > 2 * hops)
        return false;
    if (round == 0) {
        add_load(s);
        return true;
    }
    bool reduce = round <= hops;
    uint32_t k = reduce ? round - 1 : round - 1 - hops;
    uint32_t out = reduce ? coll_before(s, k) : coll_before(s, k) + 1 == n ? 0 : coll_before(s, k) + 1;
    uint32_t in = out ? out - 1 : n - 1;
    struct coll_run from = coll_run_even(s, in, 1, n), to = coll_run_even(s, out, 1, n);
    if (reduce)
        coll_add_reduce(s, coll_before(s, 1), round, coll_at(COLL_DEST, from.at), from.bytes);
    else
        coll_add_receive(s, coll_before(s, 1), round, coll_at(COLL_DEST, from.at), from.bytes);
    coll_add_send(s, coll_after(s, 1), round, coll_at(COLL_DEST, to.at), to.bytes);
    return true;
}
