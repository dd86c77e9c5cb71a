/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier: its algorithms. a is the time of one small message; n members.
 */
#include "coll/algorithms.h"

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
