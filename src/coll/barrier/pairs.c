/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pairs: barriers by exchanges, beside those of plain.c. a is the time of one small message, o the overhead
 * to issue one; n members, p the largest power of two, or of k, at most n.
 */
#include "coll/barrier/barrier.h"

static const coll_place nowhere = 0;

static void add_exchange(struct coll_schedule *s, uint32_t peer, uint32_t tag)
{
    coll_add_receive(s, peer, tag, nowhere, 0);
    coll_add_send(s, peer, tag, nowhere, 0);
}

/* Two members. a; 2 messages. */
bool coll_barrier_two(struct coll_schedule *s, uint32_t round)
{
    if (round == 0 && s->size == 2)
        add_exchange(s, 1 - s->me, 0);
    return round == 0;
}

/* The butterfly among the first p places; each other member signals the one p before it and waits for its
 * signal. a log2 p, two more of them when n > p; p log2 p + 2 (n - p) messages. */
bool coll_barrier_folded_doubling(struct coll_schedule *s, uint32_t round)
{
    uint32_t p = coll_power_below(s->size), inner = coll_log2_above(p), last = inner + 1;
    bool outside = s->me >= p, paired = s->me + p < s->size;
    if (round == 0 && outside) { /* both at once: the answer may come any time */
        coll_add_receive(s, s->me - p, last, nowhere, 0);
        coll_add_send(s, s->me - p, 0, nowhere, 0);
    }
    if (round == 0 && paired)
        coll_add_receive(s, s->me + p, 0, nowhere, 0);
    if (round > 0 && round <= inner && !outside)
        add_exchange(s, s->me ^ UINT32_C(1) << (round - 1), round);
    if (round == last && paired)
        coll_add_send(s, s->me + p, last, nowhere, 0);
    return round <= last;
}

static uint32_t radix_of(const struct coll_schedule *s)
{
    uint32_t k = coll_radix(s, 4);
    return k < s->size ? k : s->size;
}

/* Dissemination to k - 1 = coll/radix - 1 members in each round (Hoefler, Mehlan, Mietke, Rehm, "Fast barrier
 * synchronization for InfiniBand", IPDPS 2006). (a + (k - 2) o) ceil(log_k n); about n (k - 1) ceil(log_k n)
 * messages. */
bool coll_barrier_k_dissemination(struct coll_schedule *s, uint32_t round)
{
    uint64_t k = coll_radix(s, 4), distance = 1, n = s->size;
    struct coll_program p;
    for (uint32_t r = 0; r < round && distance < n; r++)
        distance *= k;
    if (distance >= n)
        return false;
    coll_program_begin(&p, s);
    for (uint64_t j = 1, d = distance; j < k && d < n; j++, d += distance)
        coll_program_receive(&p, coll_before(s, (uint32_t)d), round, nowhere, 0);
    for (uint64_t j = 1, d = distance; j < k && d < n; j++, d += distance)
        coll_program_send(&p, coll_after(s, (uint32_t)d), round, nowhere, 0);
    coll_program_end(&p);
    return true;
}

/* Places [0, p) exchange with the k - 1 others that differ in one digit of base k. */
static void exchange_digit(struct coll_schedule *s, uint32_t k, uint32_t weight, uint32_t tag)
{
    uint32_t own = s->me / weight % k, low = s->me - own * weight;
    for (uint32_t d = 0; d < k; d++)
        if (d != own)
            coll_add_receive(s, low + d * weight, tag, nowhere, 0);
    for (uint32_t d = 1; d < k; d++)
        coll_add_send(s, low + (own + d) % k * weight, tag, nowhere, 0);
}

/* Recursive exchange with k = coll/radix (Ruefenacht, Bull, Booth, Parallel Computing 69, 2017). Members
 * from place p on signal the one a multiple of p before them first, and wait for it at the end. (a + (k -
 * 2) o) log_k p, two a more when n > p; p (k - 1) log_k p + 2 (n - p) messages. */
bool coll_barrier_recursive_exchange(struct coll_schedule *s, uint32_t round)
{
    uint32_t k = radix_of(s), p = 1, digits = 0, weight = 1, n = s->size;
    for (; k > 1 && (uint64_t)p * k <= n; digits++)
        p *= k;
    for (uint32_t r = 1; r < round && r <= digits; r++)
        weight *= k;
    bool back = round == digits + 1, outside = s->me >= p;
    if (round > digits + 1)
        return false;
    if (round > 0 && !back && !outside)
        exchange_digit(s, k, weight, round);
    if (round > 0 && !back)
        return true;
    if (outside)
        back ? coll_add_receive(s, s->me % p, round, nowhere, 0)
             : coll_add_send(s, s->me % p, round, nowhere, 0);
    for (uint64_t q = (uint64_t)s->me + p; !outside && q < n; q += p)
        back ? coll_add_send(s, (uint32_t)q, round, nowhere, 0)
             : coll_add_receive(s, (uint32_t)q, round, nowhere, 0);
    return true;
}
