/* SPDX-License-Identifier: BSD-3-Clause */
/* fate: what policy.c and need.c know about operations, about calls that need them, and about the job's
 * policy. */
#ifndef PGASIM_RMA_FATE_H
#define PGASIM_RMA_FATE_H

#include "rma/internal.h"

/* A policy's record of an operation. */
enum rma_fate_state {
    RMA_MOVING, /* the fabric or a timer has it */
    RMA_BEHIND, /* at the target before its turn */
    RMA_STUCK,  /* the policy keeps it back */
};
enum rma_stuck_list { RMA_STUCK_CONTEXT, RMA_STUCK_RANK, RMA_STUCK_BUCKET, RMA_STUCK_LISTS };
struct rma_fate {
    struct rma_op *op;
    struct rma_fate *next, *prev; /* of its context, in order of issue */
    uint8_t state;                /* enum rma_fate_state */
    uint8_t step;                 /* enum rma_step: the one that is being asked about, or was last */
    uint8_t gaps;                 /* how many of gap[] are in use */
    bool released, cut, told;     /* at this step: may not be kept back; some bytes have acted alone; a trace
                                   * has been told that it is kept back */
    uint32_t asked;
    uint8_t stuck_class;
    struct {
        struct rma_fate *next, **link;
    } stuck[RMA_STUCK_LISTS];           /* stuck.c, if RMA_STUCK: lists in no order */
    struct engine_event event;          /* when to ask the policy */
    struct rma_range gap[RMA_GAPS + 1]; /* bytes that have not acted, in order */
};
/* A completion call, or a wait, that may need operations that are kept back. */
struct rma_need {
    struct engine_event event; /* at the call's time; later whenever operations may have to be let go */
    struct rma_ctx *ctx;
    struct rma_need *next; /* of the context */
    struct rma_demand demand;
    uint64_t limit, only; /* operations below `limit`, or one alone */
    uint32_t bit;         /* of struct rma_waiter */
    bool local;           /* of struct rma_waiter */
    bool noticed;         /* of rma_need: ends with its operation */
    uint32_t moving;      /* operations needed directly that are RMA_MOVING (need.c, P4) */
    uintptr_t low, high;  /* RMA_FOR_MEMORY, RMA_FOR_POLL */
};
/* A job's policy. */
struct rma_rules {
    struct rma_job *job;
    const struct rma_policy *policy;
    void *arg;
    struct base_pool fates, needs;
    struct base_table by_number; /* struct rma_fate * */
    struct rma_stuck *stuck;
    uint32_t stuck_now;
    uint64_t rounds;
    BASE_ARRAY(uint64_t) named; /* by a demand */
};

struct rma_fate *rma_fate_find(const struct rma_rules *k, uint64_t number); /* NULL: over */
/* stuck.c: operations become STUCK, and no longer are. */
void rma_stuck_begin(struct rma_rules *k, uint32_t ranks);
void rma_stuck_end(struct rma_rules *k);
void rma_stuck_enter(struct rma_fate *f);
void rma_stuck_leave(struct rma_fate *f);
/* Names those whose step touches these bytes of r's memory, or any: in no order, perhaps some twice, and no more than
 * some thousand, because few of them will go. */
void rma_stuck_name(struct rma_rules *k, const struct rank *r, uintptr_t low, uintptr_t high);
void rma_stuck_name_any(struct rma_rules *k);
/* Every change of a fate's state, so that needs are looked at again. */
void rma_need_moved(struct rma_fate *f, enum rma_fate_state to);

#endif
