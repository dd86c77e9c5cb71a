/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadcast: its algorithms. a is the time of one small message, B the bandwidth, m the bytes, n members.
 * Trees are over relative places: v = (place - root) mod n. The root's dest is filled last, when it has one.
 */
#include "coll/algorithms.h"

static uint32_t relative(const struct coll_schedule *s)
{
    return coll_before(s, s->call->root);
}

static uint32_t absolute(const struct coll_schedule *s, uint32_t v)
{
    uint64_t p = (uint64_t)v + s->call->root;
    return (uint32_t)(p >= s->size ? p - s->size : p);
}

static coll_place data(const struct coll_schedule *s, uint64_t offset)
{
    return coll_at(s->me == s->call->root ? COLL_SOURCE : COLL_DEST, offset);
}

/* How many relative places from v on hang below v in the binomial tree, with v: the lowest bit set in v. */
static uint32_t subtree(const struct coll_schedule *s, uint32_t v)
{
    uint64_t span = v ? (v & (~v + 1)) : UINT64_C(1) << coll_log2_above(s->size);
    return span > s->size - v ? s->size - v : (uint32_t)span;
}

static uint32_t parent(uint32_t v)
{
    return v & (v - 1);
}

/* Distance to v's child with the largest subtree; halves from child to child. */
static uint32_t first_child(const struct coll_schedule *s, uint32_t v)
{
    uint32_t below = subtree(s, v);
    return below > 1 ? UINT32_C(1) << (coll_log2_above(below) - 1) : 0;
}

static void add_root_copy(struct coll_schedule *s)
{
    if (s->me == s->call->root)
        coll_add_own(s, 0, 0, s->call->bytes);
}

/* Binomial tree, largest subtree first (Thakur, Rabenseifner, Gropp, "Optimization of collective
 * communication operations in MPICH", IJHPCA 19(1), 2005, section 4.3). (a + m/B) ceil(log2 n); n - 1
 * messages. */
bool coll_broadcast_binomial(struct coll_schedule *s, uint32_t round)
{
    uint32_t v = relative(s);
    if (round == 0 && v)
        coll_add_receive(s, absolute(s, parent(v)), 0, coll_at(COLL_DEST, 0), s->call->bytes);
    if (round == 1)
        for (uint32_t d = first_child(s, v); d; d /= 2)
            coll_add_send(s, absolute(s, v + d), 0, data(s, 0), s->call->bytes);
    if (round == 2)
        add_root_copy(s);
    return round < 3;
}

/* The root sends to each in turn. (n - 1) (issue overhead + m/B) + a; n - 1 messages. */
bool coll_broadcast_linear(struct coll_schedule *s, uint32_t round)
{
    bool root = s->me == s->call->root;
    if (round == 0 && !root)
        coll_add_receive(s, s->call->root, 0, coll_at(COLL_DEST, 0), s->call->bytes);
    for (uint32_t v = 1; round == 0 && root && v < s->size; v++)
        coll_add_send(s, absolute(s, v), 0, data(s, 0), s->call->bytes);
    if (round == 1)
        add_root_copy(s);
    return round < 2;
}

static uint64_t chunk(const struct coll_schedule *s, uint32_t k)
{
    return (uint64_t)((unsigned __int128)s->call->bytes * k / s->size);
}

static void send_chunks(struct coll_schedule *s, uint32_t to, uint32_t tag, uint32_t first, uint32_t n)
{
    uint64_t low = chunk(s, first), high = chunk(s, first + n);
    coll_add_send(s, absolute(s, to), tag, data(s, low), high - low);
}

static void receive_chunks(struct coll_schedule *s, uint32_t from, uint32_t tag, uint32_t first, uint32_t n)
{
    uint64_t low = chunk(s, first), high = chunk(s, first + n);
    coll_add_receive(s, absolute(s, from), tag, coll_at(COLL_DEST, low), high - low);
}

/* Binomial scatter of n chunks, then a ring that passes each chunk to all but the root, who has it (van de
 * Geijn's algorithm, Thakur et al. 2005, section 4.3). a (log2 n + n - 1) + 2 (n - 1)/n m/B; (n - 1) + (n -
 * 1)^2 messages. */
bool coll_broadcast_scatter_ring(struct coll_schedule *s, uint32_t round)
{
    uint32_t v = relative(s), n = s->size;
    if (round == 0 && v)
        receive_chunks(s, parent(v), 0, v, subtree(s, v));
    if (round == 1)
        for (uint32_t d = first_child(s, v); d; d /= 2)
            send_chunks(s, v + d, 0, v + d, subtree(s, v + d));
    if (round > 1 && round < n + 1) {
        uint32_t passed = round - 2; /* this many chunks came by before */
        if (v)
            receive_chunks(s, v - 1, round, (v + n - 1 - passed) % n, 1);
        if (v + 1 < n)
            send_chunks(s, v + 1, round, (v + n - passed) % n, 1);
    }
    if (round == n + 1)
        add_root_copy(s);
    return round < n + 2;
}
