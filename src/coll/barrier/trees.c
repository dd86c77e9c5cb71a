/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trees: barriers by signals to one member and back, with other ways there and back than those of plain.c.
 * a is the time of one small message, o the overhead to issue one; n members.
 */
#include "coll/barrier/barrier.h"

static const coll_place nowhere = 0;
enum { UP, DOWN };

/* Signals up and down trees in which the children of v are k v + 1 to k v + k: `up` and `down` members
 * each. */
static bool tree(struct coll_schedule *s, uint32_t round, uint32_t up, uint32_t down)
{
    uint64_t v = s->me, n = s->size;
    for (uint64_t c = up * v + 1; round == 0 && c <= up * v + up && c < n; c++)
        coll_add_receive(s, (uint32_t)c, UP, nowhere, 0);
    if (round == 1 && v)
        coll_add_receive(s, (uint32_t)((v - 1) / down), DOWN, nowhere, 0);
    if (round == 1 && v)
        coll_add_send(s, (uint32_t)((v - 1) / up), UP, nowhere, 0);
    for (uint64_t c = down * v + 1; round == 2 && c <= down * v + down && c < n; c++)
        coll_add_send(s, (uint32_t)c, DOWN, nowhere, 0);
    return round < 3;
}

/* k = coll/radix children each. 2 (a + (k - 1) o) log_k n; 2 (n - 1) messages. */
bool coll_barrier_k_ary(struct coll_schedule *s, uint32_t round)
{
    uint32_t k = coll_radix(s, 4);
    return tree(s, round, k, k);
}

/* Four children on the way up, two on the way down (Mellor-Crummey, Scott, "Algorithms for scalable
 * synchronization on shared-memory multiprocessors", ACM TOCS 9(1), 1991). a (log4 n + log2 n); 2 (n - 1)
 * messages. */
bool coll_barrier_mcs(struct coll_schedule *s, uint32_t round)
{
    return tree(s, round, 4, 2);
}

/* Up a binomial tree and down again, one message at a time: who waits for its first child has not posted
 * the receive of the second one's signal. 2 a ceil(log2 n); 2 (n - 1) messages. */
bool coll_barrier_binomial_in_turn(struct coll_schedule *s, uint32_t round)
{
    uint32_t levels = coll_log2_above(s->size);
    bool up = round < levels;
    if (round >= 2 * levels)
        return false;
    uint32_t far = UINT32_C(1) << (up ? round : 2 * levels - 1 - round), me = s->me;
    bool parent = me % (2 * far) == 0 && me + far < s->size, child = me % (2 * far) == far;
    if (up ? parent : child)
        coll_add_receive(s, parent ? me + far : me - far, up ? UP : DOWN, nowhere, 0);
    if (up ? child : parent)
        coll_add_send(s, parent ? me + far : me - far, up ? UP : DOWN, nowhere, 0);
    return true;
}

/* Losers signal winners, who are known before; the champion, place 0, tells all (Hensgen, Finkel, Manber
 * 1988). a (ceil(log2 n) + 1) + (n - 1) o; 2 (n - 1) messages. */
bool coll_barrier_tournament(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_load signal = {0, 0, false, false};
    if (round < 2)
        return coll_tree_up(s, round, 2, &signal);
    if (round == 2 && s->me)
        coll_add_receive(s, 0, DOWN, nowhere, 0);
    for (uint32_t p = 1; round == 2 && !s->me && p < s->size; p++)
        coll_add_send(s, p, DOWN, nowhere, 0);
    return round == 2;
}

/* A signal goes around the group twice: all have come, all may go. 2 n a; 2 n messages. */
bool coll_barrier_double_ring(struct coll_schedule *s, uint32_t round)
{
    uint32_t turn = round / 2;
    bool receives = (round % 2 == 0) == (s->me > 0);
    if (round > 3 || s->size == 1)
        return false;
    if (receives)
        coll_add_receive(s, coll_before(s, 1), turn, nowhere, 0);
    else
        coll_add_send(s, coll_after(s, 1), turn, nowhere, 0);
    return true;
}
