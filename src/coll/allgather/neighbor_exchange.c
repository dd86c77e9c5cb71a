/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * neighbor_exchange: each member exchanges the two parts that came last with its two neighbours in turn
 * (Chen, Zhang, Zhang, Yuan, HPC Asia 2005), with parts of any size, and for an odd number of members. a is
 * the time of one small message, B the bandwidth, m the bytes of a part, n members.
 */
#include "coll/allgather/allgather.h"
#include "coll/allgather/runs.h"

/* The first of the two parts that member `me` of n, which is even, gets in exchange k; its own pair for 0. */
static uint32_t pair_of(uint32_t n, uint32_t me, uint32_t k)
{
    uint32_t pairs = n / 2, far = (k + 1) / 2, i = me / 2;
    bool before = (k % 2 == 1) == (me % 2 == 0);
    return 2 * ((before ? i + pairs - far : i + far) % pairs);
}

static void receive(struct coll_program *p, uint32_t peer, uint32_t tag, uint32_t from, uint32_t end)
{
    coll_program_receive(p, peer, tag, coll_run_at(p->s, from), coll_run_bytes(p->s, from, end));
}

static void send(struct coll_program *p, uint32_t peer, uint32_t tag, uint32_t from, uint32_t end)
{
    coll_program_send(p, peer, tag, coll_run_at(p->s, from), coll_run_bytes(p->s, from, end));
}

/* Exchange k of the n first members, n even; the last one's run goes to the end of all parts. */
static void exchange(struct coll_program *p, uint32_t n, uint32_t k, uint32_t tag)
{
    uint32_t me = p->s->me, all = p->s->size, width = k ? 2 : 1;
    bool right = (k % 2 == 0) == (me % 2 == 0);
    uint32_t peer = right ? (me + 1) % n : (me + n - 1) % n;
    uint32_t from = k ? pair_of(n, me, k) : peer, to = k ? pair_of(n, me, k - 1) : me;
    receive(p, peer, tag, from, from + width == n ? all : from + width);
    send(p, peer, tag, to, to + width == n ? all : to + width);
}

static bool even(struct coll_schedule *s, uint32_t round)
{
    if (round == 0)
        coll_add_run_begin(s);
    if (round && round <= s->size / 2) {
        struct coll_program p;
        coll_program_begin(&p, s);
        exchange(&p, s->size, round - 1, round);
        coll_program_end(&p);
    }
    if (round == s->size / 2 + 1)
        coll_add_run_end(s);
    return round <= s->size / 2 + 1;
}

/* n/2 a + (n - 1) m/B; n^2/2 messages. An odd n takes the ring, as in Open MPI. */
bool coll_allgather_neighbor_exchange(struct coll_schedule *s, uint32_t round)
{
    return s->size % 2 ? coll_allgatherv_ring(s, round) : even(s, round);
}

/* The same, but an odd n takes the pairwise algorithm, as in SMPI. */
bool coll_allgather_neighbor_or_pairwise(struct coll_schedule *s, uint32_t round)
{
    return s->size % 2 ? coll_allgather_pairwise(s, round) : even(s, round);
}

/* What the last of an odd number of members gets from the one before it: that one's own part, and what it
 * got in exchange k. */
static void pass_on(struct coll_program *p, uint32_t n, uint32_t k, uint32_t tag)
{
    uint32_t from = k ? pair_of(n, n - 1, k) : n - 2;
    if (p->s->me == n)
        receive(p, n - 1, tag, from, from + 2);
    if (p->s->me == n - 1)
        send(p, n, tag, from, from + 2);
}

/* For any n: the last of an odd number of members gives its part to the one before it, whose part is then
 * twice as long, and gets what that one gets, an exchange later. (n/2 + 2) a + (n - 1) m/B; n^2/2 messages,
 * and for odd n (n - 1)^2/2 + (n + 1)/2. */
bool coll_allgather_neighbor_odd(struct coll_schedule *s, uint32_t round)
{
    uint32_t n = s->size - s->size % 2, last = s->size, pairs = n / 2;
    if (n == last || last == 1)
        return even(s, round);
    if (round == 0)
        coll_add_run_begin(s);
    if (round == pairs + 3)
        coll_add_run_end(s);
    if (round == 0 || round > pairs + 2)
        return round <= pairs + 3;
    struct coll_program p;
    coll_program_begin(&p, s);
    if (round == 1 && s->me == n - 1)
        receive(&p, n, round, n, last);
    if (round == 1 && s->me == n)
        send(&p, n - 1, round, n, last);
    if (round > 1 && round < pairs + 2 && s->me < n)
        exchange(&p, n, round - 2, round);
    if (round > 2 && round < pairs + 3)
        pass_on(&p, n, round - 3, round);
    coll_program_end(&p);
    return true;
}
