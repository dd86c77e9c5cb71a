/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program: a round written as the calls that a rank would make: nonblocking sends and receives, and waits.
 * A call begins when all waits before it in the program are over; the round ends when all calls are done.
 * This is for algorithms that keep messages of later steps under way while they wait for those of earlier
 * ones, such as pipelines; others need only rounds.
 */
#ifndef PGASIM_COLL_SCHEDULE_PROGRAM_H
#define PGASIM_COLL_SCHEDULE_PROGRAM_H

#include "coll/schedule/steps.h"

struct coll_program_call;
struct coll_program {
    struct coll_schedule *s;
    struct coll_program_call *calls;
    uint32_t n, cap;
};

/* Between begin and end, nothing else is added to the round, which is empty at the begin. */
void coll_program_begin(struct coll_program *p, struct coll_schedule *s);
void coll_program_end(struct coll_program *p);

/* Each returns a number for coll_program_wait. (peer, tag) of receives are all different. */
uint32_t coll_program_receive(struct coll_program *p, uint32_t peer, uint32_t tag, coll_place into,
                              uint64_t bytes);
uint32_t coll_program_reduce(struct coll_program *p, uint32_t peer, uint32_t tag, coll_place into,
                             uint64_t bytes); /* as coll_add_reduce */
uint32_t coll_program_send(struct coll_program *p, uint32_t peer, uint32_t tag, coll_place from,
                           uint64_t bytes);
/* Local and done at once, in the program's order. */
void coll_program_copy(struct coll_program *p, coll_place from, coll_place to, uint64_t bytes);
void coll_program_combine(struct coll_program *p, coll_place from, coll_place into, uint64_t bytes);

void coll_program_wait(struct coll_program *p, uint32_t waits_for); /* again: nothing */
void coll_program_wait_all(struct coll_program *p);                 /* for all calls so far */

/* A blocking send or receive. */
static inline void coll_program_send_wait(struct coll_program *p, uint32_t peer, uint32_t tag,
                                          coll_place from, uint64_t bytes)
{
    coll_program_wait(p, coll_program_send(p, peer, tag, from, bytes));
}
static inline void coll_program_receive_wait(struct coll_program *p, uint32_t peer, uint32_t tag,
                                             coll_place into, uint64_t bytes)
{
    coll_program_wait(p, coll_program_receive(p, peer, tag, into, bytes));
}

#endif
