/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: the symmetric heap's functions (OpenSHMEM 1.6 section 9.3). The first PE to make a call decides for
 * the whole job (heap.c); the others' calls are compared with it.
 *
 * Barriers: at the exit of what allocates, at the entry of what frees, at both ends of a realloc; none when
 * there is nothing to do (size 0, a null pointer).
 */
#include "shmem/internal.h"

#include <string.h>

/* Where the application called the function that uses this. */
#define HERE __builtin_return_address(0)

/* --- one call of all PEs ------------------------------------------------------------------------ */

static struct shmem_heap_origin origin_of(const struct shmem_pe *self, const struct shmem_heap_call *c)
{
    return (struct shmem_heap_origin){c->name, rank_code_of(self->rank, c->from), rank_now(self->rank)};
}

/* "shmem_malloc of 800 bytes (in main, heat.c:12)", "shmem_free of heap block of 80 bytes (...) (in main,
 * ...)" */
static void show_call(const struct shmem_pe *self, const struct shmem_heap_call *c, struct rank_code code,
                      char *buf, size_t size)
{
    char place[SHMEM_PLACE_SIZE], block[SHMEM_NAME_SIZE] = "", what[64] = "";
    if (c->op != SHMEM_HEAP_ALLOC)
        shmem_heap_describe(self->rank, c->offset, 1, block, sizeof block);
    if (c->op == SHMEM_HEAP_ALLOC && c->alignment > SHMEM_HEAP_GRAIN)
        snprintf(what, sizeof what, "%zu bytes aligned to %zu", c->size, c->alignment);
    else if (c->op == SHMEM_HEAP_ALLOC)
        snprintf(what, sizeof what, "%zu bytes", c->size);
    else if (c->op == SHMEM_HEAP_REALLOC)
        snprintf(what, sizeof what, " to %zu bytes", c->size);
    snprintf(buf, size, "%s of %s%s%s", c->name, block, what,
             shmem_place_name(self->job, code, place, sizeof place));
}

/* Registers this PE's call; reports if the PEs make different ones. */
static void enter_log(struct shmem_pe *self, const struct shmem_heap_call *call)
{
    struct shmem_heap_log *log = &self->job->log;
    char mine[SHMEM_NAME_SIZE], theirs[SHMEM_NAME_SIZE];
    enum shmem_heap_turn turn = shmem_heap_enter(log, call, self->me, &self->heap_calls);
    if (BASE_LIKELY(turn == SHMEM_HEAP_SAME)) {
        if (log->first == self->me)
            log->origin = origin_of(self, call);
        return;
    }
    show_call(self, call, rank_code_of(self->rank, call->from), mine, sizeof mine);
    show_call(self, &log->call, log->origin.code, theirs, sizeof theirs);
    rank_program_error(self->rank, call->name,
                       "the PEs' calls on the symmetric heap differ: PE %u calls %s%s; PE %u called %s",
                       self->me, mine, turn == SHMEM_HEAP_BEHIND ? " later than all others" : "", log->first,
                       theirs);
}

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
    enter_log(self, call);
    if (shmem_heap_step(&self->job->log, self->heap_calls, 1))
        take(self, call);
    return *result_of(self);
}

static void *allocate_and_meet(struct shmem_pe *self, const char *name, size_t size, size_t alignment,
                               const void *from)
{
    const struct shmem_heap_call call = {name, SHMEM_HEAP_ALLOC, size, alignment, 0, from};
    size_t offset = allocate(self, &call);
    shmem_barrier_in(self, name);
    shmem_told_block(self, TRACE_MEMORY_MADE, name, pointer(self, offset), size);
    return pointer(self, offset);
}

/* The offset of the block that begins at p; reports if there is none (section 9.3: "must have been returned
 * by ... and not have been freed"). */
static size_t block_offset(const struct shmem_pe *self, const void *p, const char *name)
{
    size_t offset = shmem_heap_offset(self, (uintptr_t)p);
    char what[SHMEM_NAME_SIZE];
    if (offset == SHMEM_HEAP_NONE) {
        shmem_object_name(self, (uintptr_t)p, what, sizeof what);
        rank_program_error(self->rank, name, "the argument is not in the symmetric heap, but at %s", what);
    }
    const struct shmem_heap_block *found = shmem_heap_find(&self->job->heap, offset);
    if (found && found->offset == offset)
        return offset;
    shmem_heap_describe(self->rank, offset, 1, what, sizeof what);
    rank_program_error(self->rank, name, "the argument is not the start of an allocated block: %s", what);
}

/* --- the functions ------------------------------------------------------------------------------ */

static void *allocation(const char *name, size_t size, size_t alignment, const void *from)
{
    struct shmem_pe *self = shmem_enter(name);
    void *p = size ? allocate_and_meet(self, name, size, alignment, from) : NULL;
    shmem_leave(self, name);
    return p;
}

static void let_go(struct shmem_job *job, size_t offset)
{
    shmem_heap_bury(&job->heap, offset, &job->log.origin);
    shmem_heap_free(&job->heap, offset);
}

static void release(const char *name, void *p, const void *from)
{
    struct shmem_pe *self = shmem_enter(name);
    if (BASE_UNLIKELY(shmem_folded_contains(self->job, p))) {
        shmem_folded_free(self, name, p);
    } else if (p) {
        const struct shmem_heap_call call = {name, SHMEM_HEAP_FREE, 0, 0, block_offset(self, p, name), from};
        enter_log(self, &call);
        shmem_barrier_in(self, name);
        shmem_told_block(self, TRACE_MEMORY_FREED, name, p, 0);
        if (shmem_heap_step(&self->job->log, self->heap_calls, 1))
            let_go(self->job, call.offset);
    }
    shmem_leave(self, name);
}

static void *aligned(const char *name, size_t alignment, size_t size, const void *from)
{
    struct shmem_pe *self = shmem_enter(name);
    void *p = NULL;
    if (!alignment || (alignment & (alignment - 1))) /* less than a pointer's does no harm */
        rank_program_error(self->rank, name, "alignment %zu is not a power of two", alignment);
    if (alignment > self->job->alignment)
        base_warn("not-modelled/alignment",
                  "%s to %zu bytes returns a null pointer: with this heap, at most %zu is possible", name,
                  alignment, self->job->alignment);
    else if (size)
        p = allocate_and_meet(self, name, size, alignment, from);
    shmem_leave(self, name);
    return p;
}

/* A block that cannot grow where it is moves: each PE copies its part, and the old block is freed when all
 * have. One that outgrows the heaps'
 * dense part moves, too, though its offset stays. */
static void *resize(struct shmem_pe *self, const char *name, void *p, size_t size, const void *caller)
{
    struct shmem_heap *heap = &self->job->heap;
    size_t from = block_offset(self, p, name), old_size = shmem_heap_find(heap, from)->size;
    const struct shmem_heap_call call = {name, SHMEM_HEAP_REALLOC, size, SHMEM_HEAP_GRAIN, from, caller};
    enter_log(self, &call);
    shmem_barrier_in(self, name);
    if (shmem_heap_step(&self->job->log, self->heap_calls, 1))
        take(self, &call);
    size_t to = *result_of(self);
    bool moves = to != SHMEM_HEAP_NONE && to != from;
    if (to != SHMEM_HEAP_NONE && pointer(self, to) != p)
        memcpy(pointer(self, to), p, old_size < size ? old_size : size);
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
    shmem_leave(self, name);
    return q;
}

/* Only bytes that were once in a block can be nonzero; the rest stays untouched. */
static void clear(struct shmem_pe *self, size_t offset, size_t bytes)
{
    size_t clean = self->job->log.result[(self->heap_calls - 1) & 1].clean;
    if (offset < clean)
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
        if (offset != SHMEM_HEAP_NONE)
            clear(self, offset, bytes);
        shmem_barrier_in(self, name);
        shmem_told_block(self, TRACE_MEMORY_MADE, name, pointer(self, offset), bytes);
    }
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
