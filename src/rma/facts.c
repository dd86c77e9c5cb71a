/* SPDX-License-Identifier: BSD-3-Clause */
/* facts: what debuggers read of rma/: the operations under way. */
#include "rma/internal.h"

const struct base_fact rma_facts[] = {
    {"rma_slot", (uintptr_t)&rma_slot},
    BASE_FACT_FIELD("rma_job.ops", struct rma_job, ops),
    BASE_FACT_FIELD("rma_op.ctx", struct rma_op, ctx),
    BASE_FACT_FIELD("rma_op.remote", struct rma_op, remote),
    BASE_FACT_FIELD("rma_op.number", struct rma_op, number),
    BASE_FACT_FIELD("rma_op.call", struct rma_op, call),
    BASE_FACT_FIELD("rma_op.to", struct rma_op, to),
    BASE_FACT_FIELD("rma_ctx.rank", struct rma_ctx, rank),
    {"reason.operations", (uintptr_t)rma_describe_waiter},
    {"reason.operation", (uintptr_t)rma_describe_op},
    BASE_FACT_FIELD("rma_waiter.left", struct rma_waiter, left),
    {"rma_op.bytes", offsetof(struct rma_op, fabric.bytes)},
    {"rma_state.FLYING", RMA_FLYING},
    {"rma_state.HELD", RMA_HELD},
    {"rma_state.KEPT", RMA_KEPT},
    {"rma_state.UPDATING", RMA_UPDATING},
    {"rma_state.RETURNING", RMA_RETURNING},
    {"rma_state.OVER", RMA_OVER},
    {NULL, 0},
};
