/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: the symmetric heap's functions (OpenSHMEM 1.6 section 9.3). The first PE to make a call decides for
 * the whole job (heap.c); the others' calls are compared with it.
 *
 * Barriers: at the exit of what allocates, at the entry of what frees, at both ends of a realloc; none when
 * there is nothing to do (size 0, a null pointer).
 */
#include "shmem/recorded.h"

#include <string.h>

/* Where the application called the function that uses this. */
#define HERE __builtin_return_address(0)

/* --- one call of all PEs ------------------------------------------------------------------------ */

static void *pointer(const struct shmem_pe *self, size_t offset)
{
    return offset == SHMEM_HEAP_NONE ? NULL : (void *)shmem_heap_address(self->job, self->me, offset);
}

static void warn_exhausted(const struct shmem_pe *self, const struct shmem_heap_call *call)
{
    char wanted[32], size[32], place[SHMEM_PLACE_SIZE];
    base_warn("shmem/heap-exhausted",
              "%s of %s%s does not fit in the symmetric heap of %s and returns a null pointer; "
              "SHMEM_SYMMETRIC_SIZE gives it more",
              call->name, base_show_size(wanted, (double)call->size),
              shmem_place_name(self->job, self->job->log.origin.code, place, sizeof place),
              base_show_size(size, (double)self->job->heap.size));
}

/* The result of this PE's latest call. */
static size_t *result_of(struct shmem_pe *self)
{
    return &self->job->log.result[(self->heap_calls - 1) & 1].offset;
}

/* The first step of a call that allocates: a block is resized in place if possible. */
static void take(struct shmem_pe *self, const struct shmem_heap_call *call)
{
    struct shmem_heap *heap = &self->job->heap;
    size_t *result = result_of(self);
    self->job->log.result[(self->heap_calls - 1) & 1].clean = heap->high_water;
    if (call->op == SHMEM_HEAP_REALLOC && shmem_region_resize(self->job, call->offset, call->size))
        *result = call->offset;
    else
        *result = shmem_region_alloc(self->job, call->size, call->alignment);
    if (*result == SHMEM_HEAP_NONE)
        warn_exhausted(self, call);
    else
        shmem_heap_note(heap, *result, &self->job->log.origin);
}

/* The offset of a new block, the same at all PEs; SHMEM_HEAP_NONE when there is no room. */
static size_t allocate(struct shmem_pe *self, const struct shmem_heap_call *call)
{
    shmem_heap_enter_log(self, call);
    if (shmem_heap_step(&self->job->log, self->heap_calls, 1))
        take(self, call);
    return *result_of(self);
}

static void *allocate_and_meet(struct shmem_pe *self, const char *name, size_t size, size_t alignment,
                               const void *from)
{
    const struct shmem_heap_call call = {name, SHMEM_HEAP_ALLOC, size, alignment, 0, from};
    size_t offset = allocate(self, &call);
    if (offset != SHMEM_HEAP_NONE)
        rank_fresh(self->rank, (uintptr_t)pointer(self, offset), size);
    shmem_barrier_in(self, name);
    shmem_told_block(self, TRACE_MEMORY_MADE, name, pointer(self, offset), size);
    return pointer(self, offset);
}

/* The size of the block that begins there; 0: none does. */
static size_t block_size(const struct shmem_pe *self, size_t offset)
{
    const struct shmem_heap_block *found = shmem_heap_find(&self->job->heap, offset);
    return offset != SHMEM_HEAP_NONE && found && found->offset == offset ? found->size : 0;
}

static bool is_block(const struct shmem_pe *self, size_t offset)
{
    return block_size(self, offset) > 0;
}

/* p as an offset, SHMEM_HEAP_NONE if it is in static data. Warns if no block begins there (section 9.3: "must
 * have been returned by ... and not have been freed"); reports what is not symmetric. */
static size_t block_offset(const struct shmem_pe *self, const void *p, const char *name)
{
    size_t offset = shmem_heap_offset(self, (uintptr_t)p);
    char what[SHMEM_NAME_SIZE];
    bool in_heap = offset != SHMEM_HEAP_NONE;
    if (in_heap && is_block(self, offset))
        return offset;
    if (in_heap)
        shmem_heap_describe(self->rank, offset, 1, what, sizeof what);
    else
        shmem_object_name(self, (uintptr_t)p, what, sizeof what);
    if (!in_heap && !shmem_symmetric_known(self, p, self->me))
        rank_program_error(self->rank, name, "the argument is not in the symmetric heap, but at %s", what);
    base_warn("misuse/not-a-block", "%s: the argument is not the start of an allocated block: %s", name,
              what);
    return offset;
}

/* --- the functions ------------------------------------------------------------------------------ */

static void *allocation(const char *name, size_t size, size_t alignment, const void *from)
{
    struct shmem_pe *self = shmem_enter(name);
    void *p = size ? allocate_and_meet(self, name, size, alignment, from) : NULL;
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_size(self, RECORD_SHMEM_MALLOC, size);
    shmem_leave(self, name);
    return p;
}

static void let_go(struct shmem_job *job, size_t offset)
{
    shmem_heap_bury(&job->heap, offset, &job->log.origin);
    shmem_heap_free(&job->heap, offset);
}

/* What is not a block is left as it is, after the barrier that all PEs expect. */
static void release(const char *name, void *p, const void *from)
{
    struct shmem_pe *self = shmem_enter(name);
    if (BASE_UNLIKELY(shmem_folded_contains(self->job, p))) {
        shmem_folded_free(self, name, p);
    } else if (p) {
        const struct shmem_heap_call call = {name, SHMEM_HEAP_FREE, 0, 0, block_offset(self, p, name), from};
        size_t size = block_size(self, call.offset);
        shmem_heap_enter_log(self, &call);
        shmem_barrier_in(self, name);
        rank_touches(name, p, size, RANK_WRITES, from); /* by then, nothing may use it (section 9.3) */
        if (size)
            shmem_told_block(self, TRACE_MEMORY_FREED, name, p, 0);
        if (shmem_heap_step(&self->job->log, self->heap_calls, 1))
            let_go(self->job, call.offset);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_place(self, RECORD_SHMEM_FREE, p);
    shmem_leave(self, name);
}

/* The alignment that stands for one that section 9.3 forbids; 0: there is none, and no block. */
static size_t usable_alignment(const char *name, size_t alignment)
{
    size_t up = sizeof(void *);
    if (!alignment) {
        base_warn("misuse/alignment-zero", "%s: alignment 0; the result is a null pointer", name);
        return 0;
    }
    if (!(alignment & (alignment - 1))) {
        if (alignment < sizeof(void *))
            base_notice("misuse/alignment-small", "%s: alignment %zu is less than a pointer's, %zu", name,
                        alignment, sizeof(void *));
        return alignment;
    }
    while (up < alignment && up <= SIZE_MAX / 2)
        up *= 2;
    base_warn("misuse/alignment", "%s: alignment %zu is not a power of two; the block is aligned to %zu",
              name, alignment, up);
    return up;
}

static void *aligned(const char *name, size_t wanted, size_t size, const void *from)
{
    struct shmem_pe *self = shmem_enter(name);
    void *p = NULL;
    size_t alignment = usable_alignment(name, wanted);
    if (alignment > self->job->alignment)
        base_warn("not-modelled/alignment",
                  "%s to %zu bytes returns a null pointer: with this heap, at most %zu is possible", name,
                  alignment, self->job->alignment);
    else if (size && alignment)
        p = allocate_and_meet(self, name, size, alignment, from);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_call(self, RECORD_SHMEM_ALIGN,
                          (const struct record_value[]){{.i = (int64_t)wanted}, {.i = (int64_t)size}});
    shmem_leave(self, name);
    return p;
}

/* All PEs have passed what is not a block: nothing happens to it. */
static void *resize_nothing(struct shmem_pe *self, const struct shmem_heap_call *call)
{
    shmem_heap_enter_log(self, call);
    shmem_barrier_in(self, call->name);
    shmem_barrier_in(self, call->name);
    return NULL;
}

/* A block that cannot grow where it is moves: each PE copies its part, and the old block is freed when all
 * have. One that outgrows the heaps'
 * dense part moves, too, though its offset stays. */
static void *resize(struct shmem_pe *self, const char *name, void *p, size_t size, const void *caller)
{
    size_t from = block_offset(self, p, name);
    const struct shmem_heap_call call = {name, SHMEM_HEAP_REALLOC, size, SHMEM_HEAP_GRAIN, from, caller};
    if (BASE_UNLIKELY(!is_block(self, from)))
        return resize_nothing(self, &call);
    size_t old_size = block_size(self, from);
    shmem_heap_enter_log(self, &call);
    shmem_barrier_in(self, name);
    rank_touches(name, p, old_size, RANK_WRITES, caller);
    if (shmem_heap_step(&self->job->log, self->heap_calls, 1))
        take(self, &call);
    size_t to = *result_of(self);
    bool moves = to != SHMEM_HEAP_NONE && to != from;
    size_t kept = old_size < size ? old_size : size;
    if (to != SHMEM_HEAP_NONE && pointer(self, to) != p) {
        if (!self->rank->memory->nowhere)
            memcpy(pointer(self, to), p, kept);
        rank_touches(name, pointer(self, to), kept, RANK_WRITES, caller);
    }
    if (to != SHMEM_HEAP_NONE && size > kept)
        rank_fresh(self->rank, (uintptr_t)pointer(self, to) + kept, size - kept);
    shmem_barrier_in(self, name);
    if (shmem_heap_step(&self->job->log, self->heap_calls, 2) && moves)
        let_go(self->job, from);
    if (to != SHMEM_HEAP_NONE) {
        shmem_told_block(self, TRACE_MEMORY_FREED, name, p, old_size);
        shmem_told_block(self, TRACE_MEMORY_MADE, name, pointer(self, to), size);
    }
    return pointer(self, to);
}

static void *reallocation(const char *name, void *p, size_t size, const void *from)
{
    if (!p)
        return allocation(name, size, SHMEM_HEAP_GRAIN, from);
    if (!size) {
        release(name, p, from);
        return NULL;
    }
    struct shmem_pe *self = shmem_enter(name);
    void *q = resize(self, name, p, size, from);
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_call(self, RECORD_SHMEM_REALLOC,
                          (const struct record_value[]){{.p = p}, {.i = (int64_t)size}});
    shmem_leave(self, name);
    return q;
}

/* Only bytes that were once in a block can be nonzero; the rest stays untouched. */
static void clear(struct shmem_pe *self, size_t offset, size_t bytes)
{
    size_t clean = self->job->log.result[(self->heap_calls - 1) & 1].clean;
    if (offset < clean && !self->rank->memory->nowhere)
        memset(pointer(self, offset), 0, bytes < clean - offset ? bytes : clean - offset);
}

BASE_PUBLIC void *shmem_calloc(size_t count, size_t size)
{
    static const char name[] = "shmem_calloc";
    struct shmem_pe *self = shmem_enter(name);
    size_t bytes, offset = SHMEM_HEAP_NONE;
    if (__builtin_mul_overflow(count, size, &bytes))
        bytes = SIZE_MAX;
    if (bytes) {
        const struct shmem_heap_call call = {name, SHMEM_HEAP_ALLOC, bytes, SHMEM_HEAP_GRAIN, 0, HERE};
        offset = allocate(self, &call);
        if (offset != SHMEM_HEAP_NONE) {
            clear(self, offset, bytes);
            rank_touches(name, pointer(self, offset), bytes, RANK_WRITES, HERE);
        }
        shmem_barrier_in(self, name);
        shmem_told_block(self, TRACE_MEMORY_MADE, name, pointer(self, offset), bytes);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_size(self, RECORD_SHMEM_CALLOC, bytes);
    shmem_leave(self, name);
    return pointer(self, offset);
}

BASE_PUBLIC void *shmem_malloc(size_t size)
{
    return allocation("shmem_malloc", size, SHMEM_HEAP_GRAIN, HERE);
}

/* The hints change nothing: all of the heap serves atomics and signals equally well. */
BASE_PUBLIC void *shmem_malloc_with_hints(size_t size, long hints)
{
    (void)hints;
    return allocation("shmem_malloc_with_hints", size, SHMEM_HEAP_GRAIN, HERE);
}

BASE_PUBLIC void *shmem_align(size_t alignment, size_t size)
{
    return aligned("shmem_align", alignment, size, HERE);
}

BASE_PUBLIC void *shmem_realloc(void *ptr, size_t size)
{
    return reallocation("shmem_realloc", ptr, size, HERE);
}

BASE_PUBLIC void shmem_free(void *ptr)
{
    release("shmem_free", ptr, HERE);
}

BASE_PUBLIC void *shmalloc(size_t size)
{
    return allocation("shmalloc", size, SHMEM_HEAP_GRAIN, HERE);
}

BASE_PUBLIC void *shmemalign(size_t alignment, size_t size)
{
    return aligned("shmemalign", alignment, size, HERE);
}

BASE_PUBLIC void *shrealloc(void *ptr, size_t size)
{
    return reallocation("shrealloc", ptr, size, HERE);
}

BASE_PUBLIC void shfree(void *ptr)
{
    release("shfree", ptr, HERE);
}
