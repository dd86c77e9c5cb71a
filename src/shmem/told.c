/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * told: trace events of the symmetric heap and of memory ordering, if wanted (the categories memory and sync,
 * docs/tracing.md). Calls, waits and operations are traced elsewhere.
 */
#include "shmem/internal.h"

static void tell(const struct shmem_pe *self, struct trace_event *ev)
{
    if (trace_wants(rank_trace(self->rank->job), trace_types[ev->type].category))
        rank_trace_emit(self->rank, ev);
}

void shmem_told_block(const struct shmem_pe *self, enum trace_type type, const char *call, const void *block,
                      size_t bytes)
{
    if (block)
        tell(self,
             &(struct trace_event){.type = type, .call = call, .address = (uintptr_t)block, .bytes = bytes});
}

void shmem_told_order(const struct shmem_pe *self, enum trace_type type, const char *call,
                      const struct rma_ctx *c, uint32_t target)
{
    tell(self,
         &(struct trace_event){.type = type, .call = call, .peer = target, .context = rma_ctx_number(c)});
}
