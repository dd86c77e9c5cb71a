/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A random run: ranks that compute, put, get, wait for arrivals, sleep and meet, as a little simulation that
 * tells its events to a stage. Times are eighths of a second, so that many coincide, nothing takes no time
 * seldom, and sums are exact. Messages go on from their receiver, now and then, without its waking.
 */
#ifndef PGASIM_TESTS_REPORT_RANDOM_RUN_H
#define PGASIM_TESTS_REPORT_RANDOM_RUN_H

#include "report/stage.h"

enum action_kind { STEP, COMPUTED, ISSUE, READ, ARRIVE, KNOWN, TIMEOUT };
struct action {
    double time;
    enum action_kind kind;
    uint32_t rank, epoch;
    uint64_t op;
};
struct random_op {
    enum trace_type issued, arrived;
    uint32_t from, to;
    uint64_t bytes;
    bool blocks, goes_on;
    const char *call;
};
struct random_rank {
    uint32_t steps, epoch; /* epoch: what was meant for an earlier wait is void */
    bool waits, for_any;
    const char *call;
    uint64_t own; /* the operation it blocks for */
    uint64_t meeting;
};
struct random_run {
    struct stage *s;
    struct base_random random;
    struct random_rank rank[STAGE_RANKS];
    struct random_op op[4096];
    uint64_t ops;
    uint64_t meetings;
    uint32_t waiting_there; /* members of the present meeting */
    BASE_ARRAY(struct action) action;
    size_t done;
    double now;
};

static inline uint32_t below(struct random_run *r, uint32_t n)
{
    return (uint32_t)base_random_below(&r->random, n);
}

static inline double a_while(struct random_run *r)
{
    return 0.125 * below(r, 9);
}

static inline void later(struct random_run *r, double after, enum action_kind kind, uint32_t rank,
                         uint64_t op)
{
    struct action a = {r->now + after, kind, rank, r->rank[rank].epoch, op};
    BASE_ARRAY_PUSH(&r->action, a);
}

static inline void stop_waiting(struct random_run *r, uint32_t k, uint64_t cause)
{
    struct random_rank *rank = &r->rank[k];
    TELL(r->s, r->now, WAIT_END, k, .cause = cause);
    if (rank->meeting)
        TELL(r->s, r->now, COLLECTIVE_END, k, .op = rank->meeting, .call = rank->call);
    TELL(r->s, r->now, CALL_LEAVE, k, .call = rank->call);
    rank->waits = rank->for_any = false;
    rank->own = rank->meeting = 0;
    rank->epoch++;
    later(r, a_while(r) / 2, STEP, k, 0);
}

static inline void start_waiting(struct random_run *r, uint32_t k, const char *what)
{
    TELL(r->s, r->now, WAIT_BEGIN, k, .call = what);
    r->rank[k].waits = true;
}

static inline uint64_t issue(struct random_run *r, struct random_op op, uint64_t cause)
{
    uint64_t number = ++r->ops;
    r->op[number] = op;
    tell(r->s, (struct trace_event){.time = r->now,
                                    .type = op.issued,
                                    .rank = op.from,
                                    .peer = op.to,
                                    .op = number,
                                    .bytes = op.bytes,
                                    .least = op.goes_on ? 0 : 0.25,
                                    .cause = cause,
                                    .call = op.call});
    double flight = 0.25 + (double)op.bytes / 512 + a_while(r);
    later(r, flight, op.issued == TRACE_GET_ISSUED ? READ : ARRIVE, op.from, number);
    return number;
}

static inline void enter(struct random_run *r, uint32_t k, const char *call)
{
    r->rank[k].call = call;
    TELL(r->s, r->now, CALL_ENTER, k, .call = call);
}

/* The last one to come tells everybody. */
static inline void meet(struct random_run *r, uint32_t k)
{
    uint32_t ranks = r->s->about.ranks;
    enter(r, k, "barrier");
    if (!r->waiting_there)
        r->meetings++;
    r->rank[k].meeting = r->meetings;
    TELL(r->s, r->now, COLLECTIVE_BEGIN, k, .op = r->meetings, .peer = ranks, .call = "barrier",
         .detail = "star");
    start_waiting(r, k, "meeting");
    if (++r->waiting_there < ranks)
        return;
    r->waiting_there = 0;
    for (uint32_t to = 0; to < ranks; to++)
        issue(r,
              (struct random_op){TRACE_MESSAGE_ISSUED, TRACE_MESSAGE_ARRIVED, k, to, 0, false, false,
                                 "barrier"},
              0);
}

static inline void step(struct random_run *r, uint32_t k)
{
    static const char *const calls[] = {"put", "get", "atomic"};
    struct random_rank *rank = &r->rank[k];
    if (!rank->steps--) {
        TELL(r->s, r->now, RANK_END, k);
        return;
    }
    if (rank->steps % 8 == 0) {
        meet(r, k);
        return;
    }
    switch (below(r, 4)) {
    case 0:
        TELL(r->s, r->now, COMPUTE_BEGIN, k);
        later(r, a_while(r), COMPUTED, k, 0);
        break;
    case 1:
        enter(r, k, "wait_until");
        start_waiting(r, k, below(r, 2) ? "memory" : "signal");
        rank->for_any = true;
        later(r, 4 * a_while(r), TIMEOUT, k, 0);
        break;
    default:
        enter(r, k, calls[below(r, 3)]);
        later(r, a_while(r) / 4, ISSUE, k, 0);
    }
}

static inline void issue_call(struct random_run *r, uint32_t k)
{
    struct random_op op = {
        TRACE_PUT_ISSUED, TRACE_PUT_DELIVERED, k, below(r, r->s->about.ranks), 0, false, false, NULL};
    op.call = r->rank[k].call;
    op.blocks = below(r, 2);
    op.goes_on = !below(r, 3);
    op.bytes = 64 * below(r, 17);
    if (op.call[0] == 'g')
        op.issued = TRACE_GET_ISSUED, op.arrived = TRACE_GET_ARRIVED;
    if (op.call[0] == 'a')
        op.issued = TRACE_ATOMIC_ISSUED, op.arrived = TRACE_ATOMIC_EXECUTED, op.bytes = 8;
    uint64_t number = issue(r, op, 0);
    if (op.blocks) {
        start_waiting(r, k, "completion");
        r->rank[k].own = number;
        return;
    }
    TELL(r->s, r->now, CALL_LEAVE, k, .call = op.call);
    later(r, a_while(r) / 2, STEP, k, 0);
}

static inline void arrive(struct random_run *r, uint64_t number)
{
    const struct random_op *op = &r->op[number];
    tell(r->s, (struct trace_event){.time = r->now,
                                    .type = op->arrived,
                                    .rank = op->from,
                                    .peer = op->to,
                                    .op = number,
                                    .bytes = op->bytes,
                                    .call = op->call});
    struct random_rank *to = &r->rank[op->to];
    if (op->issued == TRACE_MESSAGE_ISSUED && to->waits && to->meeting && op->bytes == 0)
        stop_waiting(r, op->to, number);
    else if ((op->issued == TRACE_PUT_ISSUED || (op->issued == TRACE_MESSAGE_ISSUED && op->bytes)) &&
             to->waits && to->for_any)
        stop_waiting(r, op->to, number);
    if (op->goes_on && r->ops < BASE_LENGTH(r->op) / 2) /* from here to somebody, at once */
        issue(r,
              (struct random_op){TRACE_MESSAGE_ISSUED, TRACE_MESSAGE_ARRIVED, op->to,
                                 below(r, r->s->about.ranks), 64, false, !below(r, 2), "onwards"},
              number);
    if (op->blocks)
        later(r, a_while(r) / 4, KNOWN, op->from, number);
}

static inline void act(struct random_run *r, const struct action *a)
{
    struct random_rank *rank = &r->rank[a->rank];
    switch (a->kind) {
    case STEP:
        step(r, a->rank);
        break;
    case COMPUTED:
        TELL(r->s, r->now, COMPUTE_END, a->rank);
        later(r, 0, STEP, a->rank, 0);
        break;
    case ISSUE:
        issue_call(r, a->rank);
        break;
    case READ:
        TELL(r->s, r->now, GET_READ, a->rank, .peer = r->op[a->op].to, .op = a->op);
        later(r, a_while(r), ARRIVE, a->rank, a->op);
        break;
    case ARRIVE:
        arrive(r, a->op);
        break;
    case KNOWN:
        if (rank->waits && rank->own == a->op)
            stop_waiting(r, a->rank, a->op);
        break;
    case TIMEOUT:
        if (rank->waits && rank->epoch == a->epoch)
            stop_waiting(r, a->rank, 0);
        break;
    }
}

/* The earliest action, the first of equals. */
static inline bool next(struct random_run *r)
{
    size_t best = r->done;
    if (r->done == r->action.n)
        return false;
    for (size_t k = r->done + 1; k < r->action.n; k++)
        if (r->action.at[k].time < r->action.at[best].time)
            best = k;
    struct action a = r->action.at[best];
    memmove(&r->action.at[r->done + 1], &r->action.at[r->done], (best - r->done) * sizeof a);
    r->done++;
    r->now = a.time;
    act(r, &a);
    return true;
}

/* Tells the run to the stage; its simulated seconds. */
static inline double random_run_tell(struct stage *s, uint64_t seed, uint32_t steps)
{
    static struct random_run r;
    memset(&r, 0, sizeof r);
    r.s = s;
    base_random_seed(&r.random, seed, 0);
    for (uint32_t k = 0; k < s->about.ranks; k++) {
        r.rank[k].steps = steps;
        TELL(s, 0, RANK_BEGIN, k);
        later(&r, a_while(&r), STEP, k, 0);
    }
    while (r.ops < BASE_LENGTH(r.op) - STAGE_RANKS && next(&r))
        ;
    free(r.action.at);
    return r.now;
}

#endif
