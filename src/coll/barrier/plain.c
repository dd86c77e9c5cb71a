/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plain: barriers by dissemination and in pairs, and up and down a tree. a is the time of one small message;
 * n members, p the largest power of two at most n.
 */
#include "coll/barrier/barrier.h"

static const coll_place nowhere = 0;

/* Dissemination (Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization", IJPP 17(1), 1988): in
 * round k each member signals the one 2^k after it. a ceil(log2 n); n ceil(log2 n) messages. */
bool coll_barrier_dissemination(struct coll_schedule *s, uint32_t round)
{
    uint64_t distance = UINT64_C(1) << round;
    if (distance >= s->size)
        return false;
    coll_add_receive(s, coll_before(s, (uint32_t)distance), round, nowhere, 0);
    coll_add_send(s, coll_after(s, (uint32_t)distance), round, nowhere, 0);
    return true;
}

/* Pairs at distance 1, 2, 4, ... signal each other (the butterfly barrier: Brooks, IJPP 15(4), 1986). a log2
 * p, two more of them when n > p; p log2 p + 2 (n - p) messages. */
bool coll_barrier_recursive_doubling(struct coll_schedule *s, uint32_t round)
{
    uint32_t inner = coll_log2_above(coll_power_below(s->size));
    if (round == 0 || round == inner + 1) {
        bool before = round == 0;
        if (before ? coll_pair_takes(s) : coll_pair_gives(s))
            coll_add_receive(s, s->me ^ 1, round, nowhere, 0);
        if (before ? coll_pair_gives(s) : coll_pair_takes(s))
            coll_add_send(s, s->me ^ 1, round, nowhere, 0);
    } else if (round <= inner && !coll_pair_gives(s)) {
        uint32_t peer = coll_pair_place(s, coll_pair_seat(s) ^ UINT32_C(1) << (round - 1));
        coll_add_receive(s, peer, round, nowhere, 0);
        coll_add_send(s, peer, round, nowhere, 0);
    }
    return round < inner + 2;
}

static bool tree_barrier(struct coll_schedule *s, uint32_t round, uint32_t radix)
{
    static const struct coll_load signal = {0, 0, false, false};
    return round < 2 ? coll_tree_up(s, round, radix, &signal) : coll_tree_down(s, round - 2, radix, &signal);
}

/* Signals go up a binomial tree and down again (Yew, Tzeng, Lawrie, "Distributing hot-spot addressing in
 * large-scale multiprocessors", IEEE ToC C-36(4), 1987). 2 a ceil(log2 n); 2 (n - 1) messages. */
bool coll_barrier_binomial(struct coll_schedule *s, uint32_t round)
{
    return tree_barrier(s, round, 2);
}

/* The same with k = coll/radix: 2 ceil(log_k n) steps of up to k - 1 messages one after the other; 2 (n - 1)
 * messages. */
bool coll_barrier_knomial(struct coll_schedule *s, uint32_t round)
{
    return tree_barrier(s, round, coll_radix(s, 4));
}

/* A central counter: all signal place 0, which signals all. 2 a at best, but place 0 handles n - 1 signals
 * and issues n - 1; 2 (n - 1) messages. */
bool coll_barrier_linear(struct coll_schedule *s, uint32_t round)
{
    if (round > 1)
        return false;
    bool gather = round == 0, root = s->me == 0;
    for (uint32_t p = 1; root && p < s->size; p++)
        gather ? coll_add_receive(s, p, round, nowhere, 0) : coll_add_send(s, p, round, nowhere, 0);
    if (!root)
        gather ? coll_add_send(s, 0, round, nowhere, 0) : coll_add_receive(s, 0, round, nowhere, 0);
    return true;
}
