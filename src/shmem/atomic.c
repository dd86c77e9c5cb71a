/* SPDX-License-Identifier: BSD-3-Clause */
/* atomic: the atomics behind the typed shims (OpenSHMEM 1.6 section 9.7). A form's kind is the operation. */
#include "shmem/recorded.h"

static struct rma_atomic_args arguments(const struct shmem_form *f, uint64_t operand, uint64_t compare)
{
    return (struct rma_atomic_args){.op = (enum rma_atomic)f->kind,
                                    .size = f->size,
                                    .operand = operand,
                                    .compare = compare,
                                    .type = f->type};
}

/* Network atomics need natural alignment; those of a processor, as among PEs of one host, do not. */
static struct rma_target target_of(const struct shmem_pe *self, const struct shmem_form *f,
                                   const void *object, int64_t world)
{
    struct rma_target t = shmem_symmetric(self, object, f->size, world, f->call);
    if (BASE_UNLIKELY(t.address % f->size))
        shmem_misaligned(self, object, f->size, f->call);
    return t;
}

uint64_t shmem_core_fetch(const struct shmem_form *f, shmem_ctx_t ctx, const void *object, uint64_t operand,
                          uint64_t compare, int pe, const void *caller)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    rank_called_from(self->rank, caller);
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    struct rma_target t = target_of(self, f, object, world);
    struct rma_atomic_args args = arguments(f, operand, compare);
    rma_count(self->rank);
    uint64_t old = rma_atomic_fetch(c, t, &args, f->call);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_atomic(self, f, true, ctx, object, pe);
    shmem_leave_ctx(self, ctx, f->call);
    return old;
}

void shmem_core_fetch_nbi(const struct shmem_form *f, shmem_ctx_t ctx, void *fetched, const void *object,
                          uint64_t operand, uint64_t compare, int pe, const void *caller)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    rank_called_from(self->rank, caller);
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    struct rma_target t = target_of(self, f, object, world);
    struct rma_atomic_args args = arguments(f, operand, compare);
    shmem_check_local(self, fetched, t.address, f->size, world, f->call);
    rma_count(self->rank);
    rma_atomic_fetch_nbi(c, t, &args, fetched, f->call);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_atomic_nbi(self, f, ctx, fetched, object, pe);
    shmem_leave_ctx(self, ctx, f->call);
}

void shmem_core_post(const struct shmem_form *f, shmem_ctx_t ctx, void *object, uint64_t operand, int pe,
                     const void *caller)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    rank_called_from(self->rank, caller);
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    struct rma_target t = target_of(self, f, object, world);
    struct rma_atomic_args args = arguments(f, operand, 0);
    args.blocks = true;
    rma_count(self->rank);
    rma_atomic_post(c, t, &args, f->call);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_atomic(self, f, false, ctx, object, pe);
    shmem_leave_ctx(self, ctx, f->call);
}
