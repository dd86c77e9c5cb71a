/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folded: symmetric blocks of which all PEs share one copy (pgasim.h). They lie in a separate area at one
 * address for all PEs, so that they cost the memory of one copy and no mapping. The calls are collective like
 * the symmetric heap's, and heap.c does the bookkeeping here, too.
 */
#include "pgasim.h"

#include "shmem/recorded.h"

#include <stdlib.h>
#include <sys/mman.h>

struct shmem_folded {
    uintptr_t base; /* of the area */
    struct shmem_heap heap;
    struct shmem_heap_log log;
};

/* --- the area ------------------------------------------------------------------------------------ */

static const size_t area_most = (size_t)1 << 42, area_least = (size_t)1 << 26;

/* Reserves as much address space as possible, up to a generous limit. */
static void reserve(struct shmem_folded *f)
{
    void *p = MAP_FAILED;
    size_t size = area_most;
    while (size >= area_least && (p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) == MAP_FAILED)
        size /= 2;
    if (p == MAP_FAILED)
        base_fatal(BASE_EXIT_HOST, "no addresses are left for folded symmetric memory");
    madvise(p, size, MADV_NOHUGEPAGE);
    f->base = (uintptr_t)p;
    shmem_heap_init(&f->heap, size);
}

static struct shmem_folded *area_of(struct shmem_job *job)
{
    if (job->folded)
        return job->folded;
    job->folded = base_zalloc(sizeof *job->folded, "folded symmetric memory");
    reserve(job->folded);
    job->folded_base = job->folded->base;
    job->folded_heap = &job->folded->heap;
    return job->folded;
}

/* A new beginning of the library: no block is left. */
void shmem_folded_begin_anew(struct shmem_job *job)
{
    struct shmem_folded *f = job->folded;
    if (!f)
        return;
    size_t size = f->heap.size;
    madvise((void *)f->base, f->heap.high_water, MADV_DONTNEED);
    shmem_heap_release(&f->heap);
    shmem_heap_init(&f->heap, size);
    f->log = (struct shmem_heap_log){0};
}

void shmem_folded_release(struct shmem_job *job)
{
    if (!job->folded)
        return;
    munmap((void *)job->folded->base, job->folded->heap.size);
    shmem_heap_release(&job->folded->heap);
    free(job->folded);
    job->folded = NULL;
    job->folded_heap = NULL;
}

/* --- calls of all PEs ---------------------------------------------------------------------------- */

/* "pgasim_fold_shmem_malloc of 800 bytes", "shmem_free of the block of 800 bytes" */
static void show_call(struct shmem_folded *f, const struct shmem_heap_call *c, char *buf, size_t size)
{
    const struct shmem_heap_block *b = c->op == SHMEM_HEAP_FREE ? shmem_heap_find(&f->heap, c->offset) : NULL;
    snprintf(buf, size, "%s of %s%zu bytes", c->name, b ? "the block of " : "", b ? b->size : c->size);
}

static void enter_log(struct shmem_pe *self, struct shmem_folded *f, const struct shmem_heap_call *call)
{
    char mine[SHMEM_NAME_SIZE], theirs[SHMEM_NAME_SIZE];
    if (shmem_heap_enter(&f->log, call, self->me, &self->folded_calls) == SHMEM_HEAP_SAME)
        return;
    show_call(f, call, mine, sizeof mine);
    show_call(f, &f->log.call, theirs, sizeof theirs);
    rank_program_error(self->rank, call->name,
                       "the PEs' calls on folded symmetric memory differ: PE %u calls %s; PE %u called %s",
                       self->me, mine, f->log.first, theirs);
}

static size_t allocate(struct shmem_pe *self, struct shmem_folded *f, const struct shmem_heap_call *call)
{
    size_t *offset = &f->log.result[(self->folded_calls - 1) & 1].offset;
    if (shmem_heap_step(&f->log, self->folded_calls, 1))
        *offset = shmem_heap_alloc(&f->heap, call->size, call->alignment);
    return *offset;
}

BASE_PUBLIC void *pgasim_fold_shmem_malloc(size_t bytes)
{
    static const char name[] = "pgasim_fold_shmem_malloc";
    struct shmem_pe *self = shmem_enter(name);
    const struct shmem_heap_call call = {name, SHMEM_HEAP_ALLOC, bytes, base_page_size(), 0, NULL};
    void *p = NULL;
    if (bytes) {
        struct shmem_folded *f = area_of(self->job);
        enter_log(self, f, &call);
        size_t offset = allocate(self, f, &call);
        if (offset != SHMEM_HEAP_NONE)
            p = (void *)(f->base + offset);
        shmem_barrier_in(self, name);
    }
    if (BASE_UNLIKELY(shmem_recording))
        shmem_record_size(self, RECORD_SHMEM_FOLD_MALLOC, bytes);
    shmem_leave(self, name);
    return p;
}

/* Returns the block's memory to the system. */
static void let_go(struct shmem_folded *f, const struct shmem_heap_block *b)
{
    size_t page = base_page_size();
    madvise((void *)(f->base + b->offset), (b->room + page - 1) & ~(page - 1), MADV_DONTNEED);
    shmem_heap_free(&f->heap, b->offset);
}

void shmem_folded_free(struct shmem_pe *self, const char *name, const void *p)
{
    struct shmem_folded *f = self->job->folded;
    const struct shmem_heap_call call = {name, SHMEM_HEAP_FREE, 0, 0, (uintptr_t)p - f->base, NULL};
    const struct shmem_heap_block *b = shmem_heap_find(&f->heap, call.offset);
    bool is = b && b->offset == call.offset;
    if (!is)
        base_warn("misuse/not-a-block", "%s: the argument is not the start of a folded block", name);
    enter_log(self, f, &call);
    shmem_barrier_in(self, name);
    if (shmem_heap_step(&f->log, self->folded_calls, 1) && is)
        let_go(f, shmem_heap_find(&f->heap, call.offset));
}
