/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bruck: allgathers in which each member collects the parts of those after it, in that order, in temporary
 * memory, and turns them to their places at the end: every message is one run. a is the time of one small
 * message, B the bandwidth, m the bytes of a part (nm of all, if they differ), n members.
 */
#include "coll/allgather/allgather.h"
#include "coll/allgather/runs.h"

/* Bytes of the first k parts from mine on, around the group. */
static uint64_t turned(const struct coll_schedule *s, uint32_t k)
{
    uint32_t n = s->size;
    if (k <= n - s->me)
        return coll_run_bytes(s, s->me, s->me + k);
    return coll_run_bytes(s, s->me, n) + coll_run_before(s, k - (n - s->me));
}

static void begin(struct coll_schedule *s)
{
    uint64_t own = coll_run_part(s, s->me);
    coll_temp(s, coll_run_before(s, s->size) + 1);
    if (own)
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), coll_at(COLL_TEMP, 0), own);
}

static void copy(struct coll_schedule *s, uint64_t at, coll_place to, uint64_t bytes)
{
    if (bytes)
        coll_add_copy(s, coll_at(COLL_TEMP, at), to, bytes);
}

static void end(struct coll_schedule *s)
{
    uint32_t n = s->size;
    uint64_t at = turned(s, n - s->me);
    if (!coll_runs_apart(s)) {
        copy(s, 0, coll_run_at(s, s->me), at);
        copy(s, at, coll_run_at(s, 0), coll_run_before(s, s->me));
        return;
    }
    at = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t part = coll_after(s, k);
        copy(s, at, coll_run_final(s, part), coll_run_part(s, part));
        at += coll_run_part(s, part);
    }
}

/* The first `count` parts of the member `distance` after mine; and of mine to the one as far before. */
static void exchange(struct coll_schedule *s, struct coll_program *p, uint32_t tag, uint32_t distance,
                     uint32_t count)
{
    uint64_t at = turned(s, distance);
    coll_program_receive(p, coll_after(s, distance), tag, coll_at(COLL_TEMP, at),
                         turned(s, distance + count) - at);
    coll_program_send(p, coll_before(s, distance), tag, coll_at(COLL_TEMP, 0), turned(s, count));
}

/* Whether this round is the one before the first exchange, or one behind the last one of so many. */
static bool turns(struct coll_schedule *s, uint32_t round, uint32_t rounds)
{
    if (round == 0)
        begin(s);
    if (round == rounds + 1)
        end(s);
    return round == 0 || round > rounds;
}

static uint32_t least(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

/* Round r > 0: the parts held so far go to the k - 1 members at multiples of the distance k^(r - 1). */
static bool bruck(struct coll_schedule *s, uint32_t round, uint32_t radix)
{
    uint32_t n = s->size, rounds = 0;
    uint64_t distance = 1;
    for (uint64_t d = 1; d < n; d *= radix, rounds++)
        distance = rounds + 1 < round ? distance * radix : distance;
    if (turns(s, round, rounds))
        return round <= rounds + 1;
    struct coll_program p;
    coll_program_begin(&p, s);
    for (uint64_t k = 1, d = distance; k < radix && d < n; k++, d += distance)
        exchange(s, &p, round, (uint32_t)d, least(distance, n - d));
    coll_program_end(&p);
    return true;
}

/* Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8(11), 1997, as published. a ceil(log2 n) + (n - 1) m/B;
 * n ceil(log2 n) messages. */
bool coll_allgather_bruck(struct coll_schedule *s, uint32_t round)
{
    return bruck(s, round, 2);
}

/* The same paper's, with k - 1 = coll/radix - 1 ports: ceil(log_k n) rounds of up to k - 1 messages at once.
 * (a + (k - 2) o) ceil(log_k n) + (n - 1) m/B. */
bool coll_allgather_k_bruck(struct coll_schedule *s, uint32_t round)
{
    return bruck(s, round, coll_radix(s, 4));
}

/* Distances on a circulant graph that halve n, rounded up, instead of powers of two: no last round of another
 * size (Traeff, "Optimal, non-pipelined reduce-scatter and allreduce algorithms", arXiv 2410.14234, the other
 * way). a ceil(log2 n) + (n - 1) m/B; n ceil(log2 n) messages. */
bool coll_allgather_circulant(struct coll_schedule *s, uint32_t round)
{
    uint32_t n = s->size, rounds = coll_log2_above(n);
    if (turns(s, round, rounds))
        return round <= rounds + 1;
    uint32_t halvings = rounds - (round - 1);
    uint32_t held = (uint32_t)((n + (UINT64_C(1) << halvings) - 1) >> halvings);
    uint32_t next = (uint32_t)((n + (UINT64_C(1) << (halvings - 1)) - 1) >> (halvings - 1));
    struct coll_program p;
    coll_program_begin(&p, s);
    exchange(s, &p, round, held, next - held);
    coll_program_end(&p);
    return true;
}
