/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * exchange: broadcast by scatter and recursive exchange. a is the time of one small message, B the bandwidth,
 * m the bytes, n members, p the largest power of k at most n.
 */
#include "coll/broadcast/broadcast.h"
#include "coll/broadcast/tree.h"

static uint32_t power_of(uint32_t n, uint32_t k)
{
    uint64_t p = 1;
    while (p * k <= n)
        p *= k;
    return (uint32_t)p;
}

/* The beginning of chunk c of p. */
static uint64_t chunk(const struct coll_schedule *s, uint64_t c, uint32_t p)
{
    BASE_ASSERT("C10", p > 0);
    return (uint64_t)((unsigned __int128)s->bytes * c / p);
}

/* How many chunks, from its own on, the scatter gives number v < p: the weight of v's lowest digit. */
static uint64_t run_of(uint32_t v, uint32_t p, uint32_t k)
{
    uint64_t w = 1;
    while (w < p && v % (w * k) == 0)
        w *= k;
    return w;
}

static void receive_chunks(struct coll_schedule *s, uint32_t from, uint32_t tag, uint64_t first, uint64_t n,
                           uint32_t p)
{
    uint64_t low = chunk(s, first, p);
    coll_add_receive(s, from, tag, coll_at(COLL_DEST, low), chunk(s, first + n, p) - low);
}

static void send_chunks(struct coll_schedule *s, uint32_t to, uint32_t tag, uint64_t first, uint64_t n,
                        uint32_t p)
{
    uint64_t low = chunk(s, first, p);
    coll_add_send(s, to, tag, broadcast_data(s, low), chunk(s, first + n, p) - low);
}

/* Rounds 0 and 1, down a k-nomial tree of p. */
static void add_scatter(struct coll_schedule *s, uint32_t round, const struct broadcast_tree *t, uint32_t p)
{
    struct broadcast_tree sub = *t;
    uint32_t child;
    sub.n = p;
    if (round == 0 && t->me)
        receive_chunks(s, broadcast_place(t, sub.shape->parent(&sub, t->me)), 0, t->me,
                       run_of(t->me, p, t->fan), p);
    for (uint32_t k = 0; round && (child = sub.shape->child(&sub, t->me, k)) != COLL_NOBODY; k++)
        send_chunks(s, broadcast_place(t, child), 0, child, run_of(child, p, t->fan), p);
}

/* Receives of one round ascend by place: numbers from that of place 0 on come first. */
static uint32_t nth_place(const struct broadcast_tree *t, uint32_t base, uint32_t d, uint32_t i)
{
    uint32_t zero = t->n - t->first, before = 0; /* the number of place 0, unless it is 0 */
    if (t->first)
        while (before < t->fan && base + (uint64_t)before * d < zero)
            before++;
    return base + (i + before) % t->fan * d;
}

/* The k members of which the digit of weight d differs exchange what they hold. Nobody is sent what the
 * scatter gave it. */
static void add_exchange(struct coll_schedule *s, const struct broadcast_tree *t, uint32_t d, uint32_t tag,
                         uint32_t p)
{
    uint32_t v = t->me, k = t->fan, base = v - v / d % k * d;
    bool lacks = v && d >= run_of(v, p, k);
    for (uint32_t i = 0; lacks && i < k; i++) {
        uint32_t peer = nth_place(t, base, d, i);
        if (peer != v)
            receive_chunks(s, broadcast_place(t, peer), tag, peer - peer % d, d, p);
    }
    for (uint32_t i = 1; i < k; i++) {
        uint32_t peer = base + (v / d % k + i) % k * d;
        if (peer && d >= run_of(peer, p, k))
            send_chunks(s, broadcast_place(t, peer), tag, v - v % d, d, p);
    }
}

/* The whole for numbers from p on. */
static void add_others(struct coll_schedule *s, const struct broadcast_tree *t, uint32_t tag, uint32_t p)
{
    if (t->me >= p)
        coll_add_receive(s, broadcast_place(t, t->me % p), tag, coll_at(COLL_DEST, 0), s->bytes);
    for (uint64_t v = (uint64_t)t->me + p; t->me < p && v < t->n; v += p)
        coll_add_send(s, broadcast_place(t, (uint32_t)v), tag, broadcast_data(s, 0), s->bytes);
}

/* k-nomial scatter among the first p members from the root on, then each exchanges with k - 1 others what
 * they hold, at distances 1, k, k^2, ... (Ruefenacht, Bull, Booth, "Generalisation of recursive doubling
 * for allreduce", Parallel Computing 69, 2017; MPICH's scatterv_recexch_allgatherv), then the other n - p
 * members are sent the whole. k own 4. 2 a log_k p + 2 (k - 1) o log_k p + 2 m/B, and for n > p up to (k -
 * 1) m/B more. For k = 2 and n = p it is scatter-recursive-doubling. */
bool coll_broadcast_scatter_exchange(struct coll_schedule *s, uint32_t round)
{
    uint32_t k = coll_radix(s, 4), p = power_of(s->size, k), steps = 0;
    struct broadcast_tree t = broadcast_tree(s, &broadcast_knomial_tree, k, s->root);
    uint64_t d = 1;
    for (uint64_t w = 1; w < p; w *= k, steps++)
        d *= round > 2 + steps ? k : 1;
    if (round < 2 && t.me < p)
        add_scatter(s, round, &t, p);
    if (round > 1 && round < 2 + steps && t.me < p)
        add_exchange(s, &t, (uint32_t)d, round, p);
    if (round == 2 + steps)
        add_others(s, &t, round, p);
    if (round == 3 + steps)
        broadcast_root_copy(s);
    return round < 4 + steps;
}
