/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traced: what a trace tells of a core beside its remote accesses and barriers: when it computes, which
 * traps it takes, what it has counted at its end. Quanta that follow each other are one computation.
 */
#include "riscv/internal.h"

static struct trace *trace_of(const struct riscv_rank *k)
{
    return rank_trace(k->job->job);
}

void riscv_traced_computing(struct riscv_rank *k)
{
    if (BASE_LIKELY(!trace_of(k)->on) || k->computing)
        return;
    k->computing = true;
    rank_trace_emit(k->rank, &(struct trace_event){.type = TRACE_COMPUTE_BEGIN});
}

void riscv_traced_leave(struct riscv_rank *k)
{
    if (BASE_LIKELY(!k->computing))
        return;
    k->computing = false;
    rank_trace_emit(k->rank, &(struct trace_event){.type = TRACE_COMPUTE_END});
}

void riscv_traced_trap(struct riscv_rank *k, enum riscv_cause cause)
{
    const struct riscv_core *c = &k->process.core;
    if (BASE_LIKELY(!trace_wants(trace_of(k), TRACE_CATEGORY_CORES)))
        return;
    double ahead = (double)(c->cycle - k->charged) / k->frequency;
    trace_emit(trace_of(k), &(struct trace_event){.time = rank_now(k->rank) + ahead,
                                                  .type = TRACE_CORE_TRAPPED,
                                                  .rank = k->rank->id,
                                                  .detail = riscv_cause_text(cause),
                                                  .address = c->pc});
}

static void tell(const struct riscv_rank *k, enum trace_counted what, const char *name, uint64_t n)
{
    if (n)
        rank_trace_emit(k->rank,
                        &(struct trace_event){
                            .type = TRACE_CORE_COUNTED, .detail = name, .bytes = n, .tag = (int32_t)what});
}

void riscv_traced_end(struct riscv_rank *k, const struct riscv_counts *c)
{
    if (BASE_LIKELY(!trace_wants(trace_of(k), TRACE_CATEGORY_CORES)) || k->told)
        return;
    k->told = true;
    tell(k, TRACE_COUNTED_CYCLES, "cycles", c->cycles);
    for (int n = 0; n < RISCV_CLASSES; n++)
        tell(k, TRACE_COUNTED_CLASS, riscv_class_name((enum riscv_class)n), c->by_class[n]);
    tell(k, TRACE_COUNTED_CLASS, "communication library", c->library);
    for (int n = 0; n < RISCV_STALLS; n++)
        tell(k, TRACE_COUNTED_STALL, riscv_stall_name((enum riscv_stall)n), c->stalled[n]);
}
