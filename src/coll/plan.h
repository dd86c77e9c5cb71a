/* SPDX-License-Identifier: BSD-3-Clause */
/* plan: a schedule that is built once and started many times. A part of exec.h. */
#ifndef PGASIM_COLL_PLAN_H
#define PGASIM_COLL_PLAN_H

#include "coll/select.h"

struct coll_exec;
struct coll_member;

struct coll_plan {
    struct rank *rank;
    struct coll_exec *exec;
    struct coll_call call;
    struct coll_decision chosen;
    struct coll_schedule schedule; /* as it is before the first round */
    struct coll_step *steps;       /* of all rounds; NULL: they depend on what is received */
    struct coll_plan_round {
        uint32_t first, n, receives; /* first: of the plan's steps */
        bool unsorted;
    } * round;
    uint32_t rounds, n_steps, steps_cap, rounds_cap;
    bool active;
    coll_done_fn done;
    void *arg;
    struct coll_plan *next, **link; /* of the executor's plans */
};
struct coll_plan *coll_exec_plan(struct coll_exec *x, struct rank *r, const struct coll_call *call);
bool coll_plan_next(struct coll_schedule *s, uint32_t round); /* a coll_build_fn of what was built */
coll_build_fn
coll_plan_algorithm(const struct coll_member *m); /* which the member, of a plan or not, follows */
void coll_exec_plan_free(struct coll_plan *p);

#endif
