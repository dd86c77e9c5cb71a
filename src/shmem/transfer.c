/* SPDX-License-Identifier: BSD-3-Clause */
/* transfer: put and get behind the typed shims (OpenSHMEM 1.6 section 9.6). Checks the arguments; time, order
 * and bytes are up to rma. Zero elements are a no-op, whatever the pointers (annex C). */
#include "shmem/recorded.h"

#include "base/sanitizer.h"

/* The symmetric address is this PE's own, whose objects have the bounds of the other's. */
static inline void check_given(const void *source, const void *dest, size_t bytes)
{
    if (BASE_LIKELY(!base_sanitizer.first_poisoned))
        return;
    base_sanitizer_check(source, bytes, false);
    base_sanitizer_check(dest, bytes, true);
}

static inline __attribute__((always_inline)) void put(const struct shmem_form *f, shmem_ctx_t ctx, void *dest,
                                                      const void *source, size_t nelems, int pe,
                                                      const void *caller)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    rank_called_from(self->rank, caller);
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    size_t bytes = shmem_bytes(self, nelems, f->size, f->call);
    struct rma_target t = shmem_symmetric(self, dest, bytes, world, f->call);
    if (BASE_LIKELY(bytes)) {
        shmem_check_local(self, source, t.address, bytes, world, f->call);
        check_given(source, dest, bytes);
        rma_count(self->rank);
        rma_put(c, t, source, bytes, (enum rma_mode)f->kind, f->call);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_move(self, f->kind == RMA_BLOCKING ? RECORD_SHMEM_PUT : RECORD_SHMEM_PUT_NBI, ctx, dest,
                          source, bytes, pe);
    shmem_leave_ctx(self, ctx, f->call);
}

/* Those of elements end with a jump to these, so they return to the API function's caller. */
void shmem_core_put(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *source,
                    size_t nelems, int pe)
{
    put(f, ctx, dest, source, nelems, pe, __builtin_return_address(0));
}

void shmem_core_put_value(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *value, int pe,
                          const void *caller)
{
    put(f, ctx, dest, value, 1, pe, caller);
}

static inline __attribute__((always_inline)) void get(const struct shmem_form *f, shmem_ctx_t ctx, void *dest,
                                                      const void *source, size_t nelems, int pe,
                                                      const void *caller)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    rank_called_from(self->rank, caller);
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    size_t bytes = shmem_bytes(self, nelems, f->size, f->call);
    struct rma_target t = shmem_symmetric(self, source, bytes, world, f->call);
    if (BASE_LIKELY(bytes)) {
        shmem_check_local(self, dest, t.address, bytes, world, f->call);
        check_given(source, dest, bytes);
        rma_count(self->rank);
        rma_get(c, t, dest, bytes, (enum rma_mode)f->kind, f->call);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_move(self, f->kind == RMA_BLOCKING ? RECORD_SHMEM_GET : RECORD_SHMEM_GET_NBI, ctx, dest,
                          source, bytes, pe);
    shmem_leave_ctx(self, ctx, f->call);
}

void shmem_core_get(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *source,
                    size_t nelems, int pe)
{
    get(f, ctx, dest, source, nelems, pe, __builtin_return_address(0));
}

void shmem_core_get_value(const struct shmem_form *f, shmem_ctx_t ctx, void *value, const void *source,
                          int pe, const void *caller)
{
    get(f, ctx, value, source, 1, pe, caller);
}

/* Bytes from the first element's first to the last element's last. */
static size_t extent(const struct shmem_pe *self, const struct shmem_strides *s, ptrdiff_t stride,
                     const struct shmem_form *f)
{
    size_t blocks, elements;
    if (!s->count || !s->block)
        return 0;
    if (__builtin_mul_overflow(s->count - 1, (size_t)stride, &blocks) ||
        __builtin_add_overflow(blocks, s->block, &elements))
        elements = SIZE_MAX;
    return shmem_bytes(self, elements, f->size, f->call);
}

/* A stride that section 9.6 forbids: below 1, or below the block. Real libraries go from block to block, one
 * transfer each; so does the caller then. A single block has no next one. */
static bool is_irregular(const struct shmem_strides *s, const struct shmem_form *f)
{
    ptrdiff_t least = s->block ? (ptrdiff_t)s->block : 1, stride = s->dst < s->sst ? s->dst : s->sst;
    if (BASE_LIKELY(stride >= least))
        return false;
    if (s->count < 2 || !s->block) {
        base_notice("misuse/stride-unused", "%s: stride %td: must be at least %td", f->call, stride, least);
        return false;
    }
    base_warn("misuse/stride", "%s: stride %td: must be at least %td", f->call, stride, least);
    return true;
}

/* The start of block k, `stride` elements from one to the next. */
static void *block_at(const void *array, size_t k, ptrdiff_t stride, const struct shmem_form *f)
{
    return (void *)((uintptr_t)array + k * (uintptr_t)stride * f->size);
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
    rank_called_from(self->rank, s->caller);
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    if (BASE_UNLIKELY(is_irregular(s, f))) {
        shmem_leave_ctx(self, ctx, f->call);
        for (size_t k = 0; k < s->count; k++)
            shmem_core_put(f, ctx, block_at(dest, k, s->dst, f), block_at(source, k, s->sst, f), s->block,
                           pe);
        return;
    }
    extent(self, s, s->sst, f);
    size_t bytes = extent(self, s, s->dst, f);
    struct rma_target t = shmem_symmetric(self, dest, bytes, world, f->call);
    if (bytes) {
        struct shmem_rows r = in_bytes(s, f->size, s->dst, s->sst);
        shmem_check_strided(self, &(struct shmem_local){source, t.address, bytes, world}, &r, f->call);
        struct rma_items there = items(self, &r, r.remote_stride);
        types_layout_retain(there.layout);
        struct rma_items here = items(self, &r, r.local_stride);
        rma_count(self->rank);
        rma_put_packed(c, t, &there, source, &here, f->call);
        types_layout_release(there.layout);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_strided(self, f, RECORD_SHMEM_IBPUT, ctx, dest, source, s, pe);
    shmem_leave_ctx(self, ctx, f->call);
}

void shmem_core_get_strided(const struct shmem_form *f, shmem_ctx_t ctx, void *dest, const void *source,
                            const struct shmem_strides *s, int pe)
{
    struct shmem_pe *self = shmem_enter_issue(f->call);
    int64_t world;
    rank_called_from(self->rank, s->caller);
    struct rma_ctx *c = shmem_target(self, ctx, pe, f->call, &world);
    if (BASE_UNLIKELY(is_irregular(s, f))) {
        shmem_leave_ctx(self, ctx, f->call);
        for (size_t k = 0; k < s->count; k++)
            shmem_core_get(f, ctx, block_at(dest, k, s->dst, f), block_at(source, k, s->sst, f), s->block,
                           pe);
        return;
    }
    extent(self, s, s->dst, f);
    size_t bytes = extent(self, s, s->sst, f);
    struct rma_target t = shmem_symmetric(self, source, bytes, world, f->call);
    if (bytes) {
        struct shmem_rows r = in_bytes(s, f->size, s->sst, s->dst);
        shmem_check_strided(self, &(struct shmem_local){dest, t.address, bytes, world}, &r, f->call);
        struct rma_items there = items(self, &r, r.remote_stride);
        types_layout_retain(there.layout);
        struct rma_items here = items(self, &r, r.local_stride);
        rma_count(self->rank);
        rma_get_packed(c, t, &there, dest, &here, (enum rma_mode)f->kind, f->call);
        types_layout_release(there.layout);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_strided(self, f, RECORD_SHMEM_IBGET, ctx, dest, source, s, pe);
    shmem_leave_ctx(self, ctx, f->call);
}
