/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * barrier: a store to one of the two barrier addresses waits for all cores: a dissemination barrier (Hensgen,
 * Finkel and Manber, 1988) of one-word puts that the network cards answer for themselves. In round i a core
 * tells core me + 2^i, and waits for core me - 2^i. A core that has ended is not waited for by anybody: then
 * the others wait for ever, which the deadlock report says.
 */
#include "riscv/internal.h"

/* A core's word for another. */
struct signal {
    struct fabric_op op; /* first */
    struct riscv_rank *to;
    uint64_t number; /* with a trace */
    uint32_t from, round;
} __attribute__((aligned(64)));

void riscv_barriers_begin(struct riscv_job *job)
{
    base_pool_init(&job->signals, sizeof(struct signal), "signals of barriers");
    base_pool_of_operations(&job->signals);
}

void riscv_barriers_end(struct riscv_job *job)
{
    base_pool_release(&job->signals);
}

static void trace_message(const struct signal *s, enum trace_type type, double time, double least)
{
    struct trace *t = rank_trace(s->to->job->job);
    trace_emit(t, &(struct trace_event){.time = time,
                                        .type = type,
                                        .rank = s->from,
                                        .peer = s->to->rank->id,
                                        .op = s->number,
                                        .bytes = s->op.bytes,
                                        .least = least,
                                        .call = "barrier"});
}

static void trace_part(const struct riscv_rank *k, enum trace_type type)
{
    if (rank_trace(k->job->job)->on)
        rank_trace_emit(k->rank, &(struct trace_event){.type = type,
                                                       .peer = k->job->cores.n,
                                                       .op = k->barriers,
                                                       .call = "barrier",
                                                       .detail = "dissemination"});
}

static void at_target(struct fabric *f, struct fabric_op *op)
{
    struct signal *s = (struct signal *)(void *)op;
    struct riscv_rank *k = s->to;
    if (s->number)
        trace_message(s, TRACE_MESSAGE_ARRIVED, engine_now(fabric_engine(f)), 0);
    k->arrived[s->round]++;
    if (k->at_barrier)
        engine_wake_for(k->rank->engine, k->rank->actor, s->number);
    base_pool_put(&k->job->signals, s);
}

static void failed(struct fabric *f, struct fabric_op *op, const struct fabric_failure *why)
{
    struct signal *s = (struct signal *)(void *)op; /* stays: the job ends, or its rank does */
    (void)f;
    rank_operation_failed(s->to->rank, "a barrier of all cores", why);
}

static struct fabric_handler handler = {.at_target = at_target, .failed = failed};

static void tell(struct riscv_rank *k, struct rank *other, uint32_t round)
{
    struct fabric *f = rank_fabric(k->job->job);
    struct signal *s = base_pool_get(&k->job->signals);
    handler.fabric = f;
    *s = (struct signal){.op = {.handler = &handler,
                                .bytes = sizeof(uint64_t),
                                .origin = k->rank->host,
                                .target = other->host,
                                .kind = FABRIC_PUT},
                         .to = riscv_rank_of(other),
                         .from = k->rank->id,
                         .round = round};
    k->rank->ahead_until =
        rank_now(k->rank) + fabric_host_issue_cost(f, FABRIC_PUT, s->op.bytes, k->rank->host, other->host);
    if (rank_trace(k->job->job)->on) {
        s->number = rank_operation_number(k->job->job);
        trace_message(s, TRACE_MESSAGE_ISSUED, rank_now(k->rank), fabric_least(f, &s->op, false, false));
    }
    fabric_issue_at(f, &s->op, rank_now(k->rank));
}

static void await(struct riscv_rank *k, uint32_t round)
{
    const struct engine_reason why = {.what = "barrier"};
    rank_catch_up(k->rank);
    k->at_barrier = true;
    while (k->arrived[round] < k->barriers)
        engine_block(k->rank->engine, &why);
    k->at_barrier = false;
}

void riscv_barrier(struct riscv_rank *k)
{
    uint32_t ranks = k->job->cores.n, me = k->me;
    riscv_fence(&k->process.core);
    double from = riscv_leave(k);
    if (BASE_UNLIKELY(riscv_recording))
        riscv_record_barrier(k);
    struct rank *r = rank_enter("barrier");
    r->caller = (uint32_t)k->process.core.pc;
    k->barriers++;
    k->counts.barriers++;
    trace_part(k, TRACE_COLLECTIVE_BEGIN);
    for (uint32_t round = 0, step = 1; step < ranks && round < RISCV_ROUNDS; round++, step *= 2) {
        tell(k, riscv_core_rank(k->job, (me + step) % ranks), round);
        await(k, round);
    }
    trace_part(k, TRACE_COLLECTIVE_END);
    rank_leave(r, "barrier");
    riscv_back(k, from, RISCV_STALL_BARRIER);
    k->calm = 0;
}
