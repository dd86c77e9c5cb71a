/* SPDX-License-Identifier: BSD-3-Clause */
/* atomic: the atomics behind the typed shims (OpenSHMEM 1.6 section 9.7). A form's kind is the operation. */
#include "shmem/internal.h"

static struct rma_atomic_args arguments(const struct shmem_form *f, uint64_t operand, uint64_t compare)
{
    return (struct rma_atomic_args){(enum rma_atomic)f->kind, f->size, operand, compare};
}

/* Network atomics want natural alignment. */
static uintptr_t target_of(const struct shmem_pe *self, const struct shmem_form *f, const void *object,
                           int64_t world)
{
    uintptr_t remote = rma_symmetric(self->rank, object, f->size, world, f->call);
    if (BASE_UNLIKELY(remote % f->size))
        shmem_misaligned(self, object, f->size, f->call);
    return remote;
}

uint64_t shmem_core_fetch(const struct shmem_form *f, shmem_ctx_t ctx, const void *object, uint64_t operand,
                          uint64_t compare, int pe)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    uintptr_t remote = target_of(self, f, object, world);
    struct rma_atomic_args args = arguments(f, operand, compare);
    uint64_t old = rma_atomic_fetch(c, (uint32_t)world, remote, &args, f->call);
    shmem_leave_ctx(self, ctx, f->call);
    return old;
}

void shmem_core_fetch_nbi(const struct shmem_form *f, shmem_ctx_t ctx, void *fetched, const void *object,
                          uint64_t operand, uint64_t compare, int pe)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    uintptr_t remote = target_of(self, f, object, world);
    struct rma_atomic_args args = arguments(f, operand, compare);
    shmem_check_local(self, fetched, remote, f->size, world, f->call);
    rma_atomic_fetch_nbi(c, (uint32_t)world, remote, &args, fetched, f->call);
    shmem_leave_ctx(self, ctx, f->call);
}

void shmem_core_post(const struct shmem_form *f, shmem_ctx_t ctx, void *object, uint64_t operand, int pe)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    uintptr_t remote = target_of(self, f, object, world);
    struct rma_atomic_args args = arguments(f, operand, 0);
    rma_atomic_post(c, (uint32_t)world, remote, &args, f->call);
    shmem_leave_ctx(self, ctx, f->call);
}
