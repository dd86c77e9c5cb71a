/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange: allgathers by exchanges of growing runs: recursive exchange of any k, doubling or halving, and
 * doubling with subtrees that are repaired. a is the time of one small message, B the bandwidth, m the
 * bytes of a part, n members, p the largest power of k at most n.
 */
#include "coll/allgather/allgather.h"
#include "coll/allgather/runs.h"

/* --- recursive exchange ------------------------------------------------------------------------- */

/* p = k^digits seats. A seat is the last of up to k places next to each other, whose parts it has. */
struct seats {
    uint32_t k, p, digits;
};

static struct seats seats_of(uint32_t n, uint32_t k)
{
    struct seats g = {k < n ? k : n, 1, 0};
    for (; g.k > 1 && (uint64_t)g.p * g.k <= n; g.digits++)
        g.p *= g.k;
    return g;
}

/* The first place of a seat; of the seat after the last one: n. */
static uint32_t first_of(const struct coll_schedule *s, const struct seats *g, uint32_t seat)
{
    uint64_t extra = s->size - g->p, given = (uint64_t)seat * (g->k - 1);
    return seat + (uint32_t)(given < extra ? given : extra);
}

static uint32_t place_of(const struct coll_schedule *s, const struct seats *g, uint32_t seat)
{
    return first_of(s, g, seat + 1) - 1;
}

static uint32_t seat_of(const struct coll_schedule *s, const struct seats *g, uint32_t place)
{
    uint32_t extra = s->size - g->p, full = g->k > 1 ? extra / (g->k - 1) : 0;
    if (place < full * g->k)
        return place / g->k;
    uint32_t rest = extra - full * (g->k - 1), from = place - full * g->k;
    return full + (from <= rest ? 0 : from - rest);
}

static uint32_t reversed(const struct seats *g, uint32_t seat)
{
    uint32_t r = 0;
    for (uint32_t d = 0; d < g->digits; d++, seat /= g->k)
        r = r * g->k + seat % g->k;
    return r;
}

/* The other members of a seat hand over their parts to it, or get all of them. */
static void fold(struct coll_schedule *s, const struct seats *g, bool back, uint32_t tag)
{
    uint32_t seat = seat_of(s, g, s->me), place = place_of(s, g, seat);
    uint32_t from = back ? 0 : s->me, end = back ? s->size : s->me + 1;
    if (s->me != place && back)
        coll_add_run_receive(s, place, tag, from, end);
    else if (s->me != place)
        coll_add_run_send(s, place, tag, from, end);
    for (uint32_t p = first_of(s, g, seat); s->me == place && p < place; p++)
        back ? coll_add_run_send(s, p, tag, 0, s->size) : coll_add_run_receive(s, p, tag, p, p + 1);
}

/* Halving first sends each seat's parts to the seat with the reversed number, so that what a seat has is
 * always one run: x is the number of the seat whose parts it began with. */
static void swap(struct coll_schedule *s, const struct seats *g, uint32_t tag)
{
    uint32_t seat = seat_of(s, g, s->me), other = reversed(g, seat);
    if (s->me != place_of(s, g, seat) || other == seat)
        return;
    uint32_t peer = place_of(s, g, other);
    coll_add_run_receive(s, peer, tag, first_of(s, g, other), first_of(s, g, other + 1));
    coll_add_run_send(s, peer, tag, first_of(s, g, seat), first_of(s, g, seat + 1));
}

static void exchange(struct coll_schedule *s, const struct seats *g, bool halving, uint32_t digit,
                     uint32_t tag)
{
    uint32_t seat = seat_of(s, g, s->me), x = halving ? reversed(g, seat) : seat, w = 1;
    struct coll_program p;
    if (s->me != place_of(s, g, seat))
        return;
    for (uint32_t d = 0; d < digit; d++)
        w *= g->k;
    uint32_t low = x - x % w, mine = first_of(s, g, low), mine_end = first_of(s, g, low + w);
    coll_program_begin(&p, s);
    for (uint32_t c = 1; c < g->k; c++) {
        uint32_t own = x / w % g->k, y = x - own * w + (own + c) % g->k * w, y_low = y - y % w;
        uint32_t peer = place_of(s, g, halving ? reversed(g, y) : y), from = first_of(s, g, y_low);
        coll_program_receive(&p, peer, tag, coll_run_at(s, from),
                             coll_run_bytes(s, from, first_of(s, g, y_low + w)));
        coll_program_send(&p, peer, tag, coll_run_at(s, mine), coll_run_bytes(s, mine, mine_end));
    }
    coll_program_end(&p);
}

static bool recursive_exchange(struct coll_schedule *s, uint32_t round, uint32_t k, bool halving)
{
    struct seats g = seats_of(s->size, k);
    uint32_t last = g.digits + 3;
    if (round == 0)
        coll_add_run_begin(s);
    if (round == 1 || round == last)
        fold(s, &g, round == last, round);
    if (round == 2 && halving)
        swap(s, &g, round);
    if (round > 2 && round < last)
        exchange(s, &g, halving, round - 3, round);
    if (round == last + 1)
        coll_add_run_end(s);
    return round <= last + 1;
}

/* In each round a seat exchanges what it has with the k - 1 others that differ in one digit of base k =
 * coll/radix, the lowest first (Ruefenacht, Bull, Booth, "Generalisation of recursive doubling for
 * AllReduce", Parallel Computing 69, 2017). a log_k p + (n - 1) m/B, two a and nm/B more for n > p; p (k -
 * 1) log_k p + 2 (n - p) messages. */
bool coll_allgather_recursive_exchange(struct coll_schedule *s, uint32_t round)
{
    return recursive_exchange(s, round, coll_radix(s, 4), false);
}

/* The same with the highest digit first: far members exchange short runs, neighbours long ones. One a and
 * up to p messages more. */
bool coll_allgather_recursive_halving(struct coll_schedule *s, uint32_t round)
{
    return recursive_exchange(s, round, coll_radix(s, 2), true);
}

/* --- doubling with repaired subtrees ------------------------------------------------------------ */

/* Of a member's block of 2^level places, all of which have the block's parts: those that have no partner in
 * the next block, which is shorter, get that block's parts from those that have. */
static void repair(struct coll_schedule *s, uint32_t width, uint32_t far, uint32_t tag)
{
    uint32_t low = s->me & ~(width - 1), next = low + width, n = s->size, peer = s->me ^ far;
    uint32_t have = (s->me & ~(2 * far - 1)) + (n - next);
    if (low & width || next >= n || next + width <= n)
        return;
    if (peer > s->me && s->me < have && peer >= have)
        coll_add_run_send(s, peer, tag, next, n);
    if (peer < s->me && peer < have && s->me >= have)
        coll_add_run_receive(s, peer, tag, next, n);
}

static void double_up(struct coll_schedule *s, uint32_t width, uint32_t tag)
{
    uint32_t peer = s->me ^ width, low = s->me & ~(width - 1), peer_low = peer & ~(width - 1), n = s->size;
    if (peer >= n)
        return;
    coll_add_run_receive(s, peer, tag, peer_low, peer_low + width < n ? peer_low + width : n);
    coll_add_run_send(s, peer, tag, low, low + width < n ? low + width : n);
}

/* Recursive doubling; for n that is no power of two, blocks that lack partners get their parts down a
 * binomial tree after each exchange, as MPICH once did (Thakur, Rabenseifner, Gropp 2005, section 4.1). Up
 * to 2 a ceil(log2 n) + (n - 1) m/B. */
bool coll_allgather_doubling_repaired(struct coll_schedule *s, uint32_t round)
{
    uint32_t levels = coll_log2_above(s->size), from = 1;
    if (round == 0) {
        coll_add_run_begin(s);
        return true;
    }
    for (uint32_t level = 0; level < levels; from += level + 1, level++) {
        uint32_t width = UINT32_C(1) << level, far = round - from;
        if (round < from || far > level)
            continue;
        if (far == 0)
            double_up(s, width, round);
        else
            repair(s, width, width >> far, round);
    }
    if (round == from)
        coll_add_run_end(s);
    return round <= from;
}
