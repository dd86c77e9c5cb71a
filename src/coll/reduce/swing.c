/* SPDX-License-Identifier: BSD-3-Clause */
/* swing: a reduction to all for rings and tori: partners are nearer to each other than in recursive
 * doubling. */
#include "coll/reduce/reduce.h"

/* The partner of step k is 1, -1, 3, -5, 11, ... places away, to the right of even places and to the left of
 * odd ones (De Sensi, Bonato, Saam, Hoefler, "Swing: short-cutting rings for higher bandwidth allreduce",
 * NSDI 2024; its latency-optimal form). log2 n (a + m/B + g m), a the time of one small message, B the
 * bandwidth, g the time to reduce a byte, m the bytes; n log2 n messages. Requires a power of two of members
 * and an operator that commutes. */
bool coll_reduce_swing(struct coll_schedule *s, uint32_t round)
{
    struct coll_run all = {0, s->bytes};
    uint32_t steps = coll_log2_above(s->size), power = UINT32_C(1) << round;
    if (round > steps)
        return false;
    if (round == 0) {
        coll_add_own(s, 0, 0, s->bytes);
        return true;
    }
    /* (1 - (-2)^round) / 3, modulo n. */
    int64_t distance = (1 - (round % 2 ? -(int64_t)power : (int64_t)power)) / 3;
    int64_t peer = s->me % 2 ? (int64_t)s->me - distance : s->me + distance;
    peer %= s->size;
    coll_add_swap(s, (uint32_t)(peer < 0 ? peer + s->size : peer), round, all, all, true);
    return true;
}
