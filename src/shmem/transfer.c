/* SPDX-License-Identifier: BSD-3-Clause */
/* transfer: put and get behind the typed shims (OpenSHMEM 1.6 section 9.6). Checks the arguments; time, order
 * and bytes are up to rma. Zero elements are a no-op, whatever the pointers (annex C). */
#include "shmem/internal.h"

void shmem_core_put(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *source,
                    size_t nelems, int pe)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    size_t bytes = shmem_bytes(self, nelems, f->size, f->call);
    struct rma_target t = shmem_symmetric(self, dest, bytes, world, f->call);
    if (BASE_LIKELY(bytes)) {
        shmem_check_local(self, source, t.address, bytes, world, f->call);
        rma_put(c, t, source, bytes, (enum rma_mode)f->kind, f->call);
    }
    shmem_leave_ctx(self, ctx, f->call);
}

void shmem_core_get(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *source,
                    size_t nelems, int pe)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    size_t bytes = shmem_bytes(self, nelems, f->size, f->call);
    struct rma_target t = shmem_symmetric(self, source, bytes, world, f->call);
    if (BASE_LIKELY(bytes)) {
        shmem_check_local(self, dest, t.address, bytes, world, f->call);
        rma_get(c, t, dest, bytes, (enum rma_mode)f->kind, f->call);
    }
    shmem_leave_ctx(self, ctx, f->call);
}

/* Bytes from the first element's first to the last element's last. */
static size_t extent(const struct shmem_pe *self, const struct shmem_strides *s, ptrdiff_t stride,
                     const struct shmem_form *f)
{
    size_t blocks, elements;
    if (stride < (ptrdiff_t)s->block)
        rank_program_error(self->rank, f->call, "stride %td: must be at least %zu", stride, s->block);
    if (!s->count || !s->block)
        return 0;
    if (__builtin_mul_overflow(s->count - 1, (size_t)stride, &blocks) ||
        __builtin_add_overflow(blocks, s->block, &elements))
        elements = SIZE_MAX;
    return shmem_bytes(self, elements, f->size, f->call);
}

/* Strides are ignored for a single block. */
static struct shmem_rows in_bytes(const struct shmem_strides *s, size_t size, ptrdiff_t remote,
                                  ptrdiff_t local)
{
    ptrdiff_t element = (ptrdiff_t)size, block = (ptrdiff_t)(s->block * size);
    if (s->count == 1)
        return (struct shmem_rows){s->block * size, s->count, block, block};
    return (struct shmem_rows){s->block * size, s->count, remote * element, local * element};
}

static struct rma_items items(const struct shmem_pe *self, const struct shmem_rows *r, ptrdiff_t stride)
{
    return (struct rma_items){shmem_layout(self->job, r->size, stride), r->n};
}

void shmem_core_put_strided(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *source,
                            const struct shmem_strides *s, int pe)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    extent(self, s, s->sst, f);
    size_t bytes = extent(self, s, s->dst, f);
    struct rma_target t = shmem_symmetric(self, dest, bytes, world, f->call);
    if (bytes) {
        struct shmem_rows r = in_bytes(s, f->size, s->dst, s->sst);
        shmem_check_strided(self, &(struct shmem_local){source, t.address, bytes, world}, &r, f->call);
        struct rma_items there = items(self, &r, r.remote_stride);
        types_layout_retain(there.layout);
        struct rma_items here = items(self, &r, r.local_stride);
        rma_put_packed(c, t, &there, source, &here, f->call);
        types_layout_release(there.layout);
    }
    shmem_leave_ctx(self, ctx, f->call);
}

void shmem_core_get_strided(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *source,
                            const struct shmem_strides *s, int pe)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    extent(self, s, s->dst, f);
    size_t bytes = extent(self, s, s->sst, f);
    struct rma_target t = shmem_symmetric(self, source, bytes, world, f->call);
    if (bytes) {
        struct shmem_rows r = in_bytes(s, f->size, s->sst, s->dst);
        shmem_check_strided(self, &(struct shmem_local){dest, t.address, bytes, world}, &r, f->call);
        struct rma_items there = items(self, &r, r.remote_stride);
        types_layout_retain(there.layout);
        struct rma_items here = items(self, &r, r.local_stride);
        rma_get_packed(c, t, &there, dest, &here, (enum rma_mode)f->kind, f->call);
        types_layout_release(there.layout);
    }
    shmem_leave_ctx(self, ctx, f->call);
}
