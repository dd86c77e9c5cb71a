/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plain: broadcasts by rounds, without segments but for the chain. a is the time of one small message, B the
 * bandwidth, m the bytes, n members. Trees and rings are over relative places: v = (place - root) mod n. The
 * root's dest, if any, is filled last.
 */
#include "coll/broadcast/broadcast.h"

static coll_place data(const struct coll_schedule *s, uint64_t offset)
{
    return coll_at(s->me == s->root ? COLL_SOURCE : COLL_DEST, offset);
}

/* Size of v's subtree in the binomial tree, v included: the lowest bit set in v. */
static uint32_t subtree(const struct coll_schedule *s, uint32_t v)
{
    uint64_t span = v ? (v & (~v + 1)) : UINT64_C(1) << coll_log2_above(s->size);
    return span > s->size - v ? s->size - v : (uint32_t)span;
}

/* Distance to v's child with the largest subtree; halves from child to child. */
static uint32_t first_child(const struct coll_schedule *s, uint32_t v)
{
    uint32_t below = subtree(s, v);
    return below > 1 ? UINT32_C(1) << (coll_log2_above(below) - 1) : 0;
}

static void add_root_copy(struct coll_schedule *s)
{
    if (s->me == s->root)
        coll_add_own(s, 0, 0, s->bytes);
}

static bool tree_broadcast(struct coll_schedule *s, uint32_t round, uint32_t radix)
{
    struct coll_load load = {data(s, 0), s->bytes, false, false};
    if (round == 2)
        add_root_copy(s);
    return round == 2 || coll_tree_down(s, round, radix, &load);
}

/* Binomial tree, largest subtree first (Thakur, Rabenseifner, Gropp, "Optimization of collective
 * communication operations in MPICH", IJHPCA 19(1), 2005, section 4.3). (a + m/B) ceil(log2 n); n - 1
 * messages. */
bool coll_broadcast_binomial(struct coll_schedule *s, uint32_t round)
{
    return tree_broadcast(s, round, 2);
}

/* The same with k = coll/radix: ceil(log_k n) steps of up to k - 1 messages one after the other; n - 1
 * messages. */
bool coll_broadcast_knomial(struct coll_schedule *s, uint32_t round)
{
    return tree_broadcast(s, round, coll_radix(s, 4));
}

/* The root sends to each, in order of place. (n - 1) (issue overhead + m/B) + a; n - 1 messages. */
bool coll_broadcast_linear(struct coll_schedule *s, uint32_t round)
{
    bool root = s->me == s->root;
    if (round == 0 && !root)
        coll_add_receive(s, s->root, 0, coll_at(COLL_DEST, 0), s->bytes);
    for (uint32_t p = 0; round == 0 && root && p < s->size; p++)
        if (p != s->me)
            coll_add_send(s, p, 0, data(s, 0), s->bytes);
    if (round == 1)
        add_root_copy(s);
    return round < 2;
}

/* A pipeline: each member passes segments of coll/segment bytes to the next, sending one while receiving the
 * one after it (van de Geijn and others; Pjesivac-Grbovic et al., "Performance analysis of MPI collective
 * operations", Cluster Computing 10(2), 2007). With S segments, (n - 2 + S) (a + m/(S B)); S (n - 1)
 * messages. */
bool coll_broadcast_chain(struct coll_schedule *s, uint32_t round)
{
    uint32_t v = coll_tree_number(s);
    uint64_t bytes = s->bytes, width = coll_segment(s, 64 << 10), low = (uint64_t)round * width;
    uint64_t segments = bytes ? (bytes - 1) / width + 1 : 1;
    if (round < segments && v)
        coll_add_receive(s, coll_tree_place(s, v - 1), round, coll_at(COLL_DEST, low),
                         bytes - low < width ? bytes - low : width);
    if (round && round <= segments && v + 1 < s->size) {
        low -= width;
        coll_add_send(s, coll_tree_place(s, v + 1), round - 1, data(s, low),
                      bytes - low < width ? bytes - low : width);
    }
    if (round == segments + 1)
        add_root_copy(s);
    return round < segments + 2;
}

/* --- scatter and allgather ---------------------------------------------------------------------- */

static uint64_t chunk(const struct coll_schedule *s, uint32_t k)
{
    BASE_ASSERT("C10", s->size > 0);
    return (uint64_t)((unsigned __int128)s->bytes * k / s->size);
}

static void send_chunks(struct coll_schedule *s, uint32_t to, uint32_t tag, uint32_t first, uint32_t n)
{
    uint64_t low = chunk(s, first), high = chunk(s, first + n);
    coll_add_send(s, coll_tree_place(s, to), tag, data(s, low), high - low);
}

static void receive_chunks(struct coll_schedule *s, uint32_t from, uint32_t tag, uint32_t first, uint32_t n)
{
    uint64_t low = chunk(s, first), high = chunk(s, first + n);
    coll_add_receive(s, coll_tree_place(s, from), tag, coll_at(COLL_DEST, low), high - low);
}

/* Rounds 0 and 1: of n chunks, v gets those of its subtree in the binomial tree. */
static void add_scatter(struct coll_schedule *s, uint32_t round)
{
    uint32_t v = coll_tree_number(s);
    if (round == 0 && v)
        receive_chunks(s, coll_tree_parent(v, 2), 0, v, subtree(s, v));
    if (round == 1)
        for (uint32_t d = first_child(s, v); d; d /= 2)
            send_chunks(s, v + d, 0, v + d, subtree(s, v + d));
}

/* Binomial scatter of n chunks, then a ring that passes each chunk to all but the root, who has it (van de
 * Geijn's algorithm, Thakur et al. 2005, section 4.3). a (log2 n + n - 1) + 2 (n - 1)/n m/B; (n - 1) + (n -
 * 1)^2 messages. */
bool coll_broadcast_scatter_ring(struct coll_schedule *s, uint32_t round)
{
    uint32_t v = coll_tree_number(s), n = s->size;
    BASE_ASSERT("C10", n > 0);
    if (round < 2)
        add_scatter(s, round);
    if (round > 1 && round < n + 1) {
        uint32_t passed = round - 2; /* chunks that passed here before */
        if (v)
            receive_chunks(s, v - 1, round, (v + n - 1 - passed) % n, 1);
        if (v + 1 < n)
            send_chunks(s, v + 1, round, (v + n - passed) % n, 1);
    }
    if (round == n + 1)
        add_root_copy(s);
    return round < n + 2;
}

/* The scatter already gave v the chunks that partners at distances below its lowest bit could send. */
static bool lacks(uint32_t v, uint32_t distance)
{
    return v && distance >= (v & (~v + 1));
}

/* Binomial scatter, then pairs at distance 1, 2, 4, ... exchange what they have (Thakur et al. 2005, section
 * 4.3), when n is a power of two; otherwise scatter-ring. 2 a log2 n + 2 (n - 1)/n m/B; at most n - 1 + n
 * log2 n messages: nobody is sent what it got in the scatter. */
bool coll_broadcast_scatter_recursive_doubling(struct coll_schedule *s, uint32_t round)
{
    uint32_t v = coll_tree_number(s), n = s->size, inner = coll_log2_above(n);
    if (n & (n - 1))
        return coll_broadcast_scatter_ring(s, round);
    if (round < 2)
        add_scatter(s, round);
    if (round > 1 && round < inner + 2) {
        uint32_t d = UINT32_C(1) << (round - 2), peer = v ^ d;
        if (lacks(v, d))
            receive_chunks(s, peer, round, peer & ~(d - 1), d);
        if (lacks(peer, d))
            send_chunks(s, peer, round, v & ~(d - 1), d);
    }
    if (round == inner + 2)
        add_root_copy(s);
    return round < inner + 3;
}
