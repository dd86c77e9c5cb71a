/* SPDX-License-Identifier: BSD-3-Clause */
/* check: checks of arguments, and the report of calls outside the life of the library. */
#include "shmem/internal.h"

#include "base/sanitizer.h"

_Noreturn void shmem_not_initialized(struct rank *r, const char *call)
{
    const struct shmem_pe *self = shmem_pe_known(r);
    bool after = self && self->finalized;
    rank_program_error(r, call, "called %s",
                       after ? "after the last shmem_finalize" : "before shmem_init (or start_pes)");
}

struct shmem_pe *shmem_pe_asked(struct rank *r, const char *call)
{
    if (BASE_LIKELY(rank_kept(r, &shmem_slot) != NULL))
        return shmem_pe_of(r, call);
    struct shmem_pe *self = shmem_pe_known(r);
    if (self && self->finalized) {
        base_notice("misuse/query-after-finalize", "%s: called after the last shmem_finalize", call);
        return self;
    }
    base_warn("misuse/query-before-init",
              "%s: called before shmem_init (or start_pes): there is no answer yet", call);
    return NULL;
}

_Noreturn void shmem_too_many(const struct shmem_pe *self, size_t nelems, size_t size, const char *call)
{
    rank_program_error(self->rank, call, "%zu elements of %zu bytes are more than the memory can hold",
                       nelems, size);
}

void shmem_misaligned(const struct shmem_pe *self, const void *object, size_t size, const char *call)
{
    char name[SHMEM_NAME_SIZE];
    if (base_warn_again("misuse/alignment-of-word"))
        return;
    shmem_object_name(self, (uintptr_t)object, name, sizeof name);
    base_warn("misuse/alignment-of-word", "%s: %s is not aligned to its %zu bytes", call, name, size);
}

void shmem_check_pe(const struct shmem_pe *self, int pe, const char *call)
{
    if (BASE_UNLIKELY(pe < 0 || (uint32_t)pe >= self->job->n))
        rank_program_error(self->rank, call, "PE %d does not exist: PEs are 0 to %u", pe, self->job->n - 1);
}

void shmem_check_symmetric(const struct shmem_pe *self, const void *address, size_t bytes, const char *call)
{
    if (!bytes)
        return;
    shmem_symmetric(self, address, bytes, self->me, call);
    base_memory_given(address, bytes, false);
}

/* --- local memory ------------------------------------------------------------------------------- */

/* Memory in another PE's heap: valid only if that PE is on the same host, since shmem_ptr returns no
 * others. */
static bool check_owner(const struct shmem_pe *self, const struct shmem_local *l, const char *call)
{
    struct shmem_job *job = self->job;
    uint32_t pe;
    size_t offset;
    char name[SHMEM_NAME_SIZE];
    if (!shmem_heap_owner(job, (uintptr_t)l->local, &pe, &offset) || pe == self->me)
        return false;
    if (job->pes[pe].rank && job->pes[pe].rank->host != self->rank->host) {
        shmem_object_name(self, (uintptr_t)l->local, name, sizeof name);
        rank_program_error(
            self->rank, call,
            "the local buffer is at %s, in the memory of another host, which has no address here", name);
    }
    return true;
}

/* In the caller's heap, but not in one block. */
static void check_block(const struct shmem_pe *self, const struct shmem_local *l, const char *call)
{
    struct shmem_heap *heap = &self->job->heap;
    size_t offset = shmem_heap_offset(self, (uintptr_t)l->local);
    char name[SHMEM_NAME_SIZE];
    if (offset == SHMEM_HEAP_NONE || shmem_heap_covers(heap, offset, l->bytes) ||
        base_warn_again("misuse/local-buffer"))
        return;
    shmem_object_name(self, (uintptr_t)l->local, name, sizeof name);
    const struct shmem_heap_block *b = shmem_heap_find(heap, offset);
    if (b && offset - b->offset < b->size)
        base_warn("misuse/local-buffer",
                  "%s: the local buffer of %zu bytes runs %zu bytes past the end of %s", call, l->bytes,
                  l->bytes - (b->offset + b->size - offset), name);
    else
        base_warn("misuse/local-buffer", "%s: the local buffer of %zu bytes is not allocated: %s", call,
                  l->bytes, name);
}

/* Globals of different PEs may have one address (private globals by exchange) and be different memory. */
static bool comparable(const struct shmem_pe *self, const struct shmem_local *l)
{
    return l->world == self->me || l->remote - self->job->dense < self->job->heaps ||
           rank_span_of(self->rank, 0).base !=
               rank_span_of(shmem_rank(self->job, (uint32_t)l->world), 0).base;
}

static void warn_overlap(const struct shmem_pe *self, const struct shmem_local *l, const char *call)
{
    char local[SHMEM_NAME_SIZE], remote[SHMEM_NAME_SIZE];
    if (base_warn_again("misuse/overlap"))
        return;
    shmem_object_name(self, (uintptr_t)l->local, local, sizeof local);
    shmem_object_name(self, l->remote, remote, sizeof remote);
    base_warn("misuse/overlap",
              "%s: the local buffer (%zu bytes at %s) and the memory of PE %d (at %s) overlap", call,
              l->bytes, local, (int)l->world, remote);
}

void shmem_check_closer(const struct shmem_pe *self, const struct shmem_local *l, const char *call)
{
    uintptr_t at = (uintptr_t)l->local;
    if (!at)
        rank_program_error(self->rank, call, "the local buffer is a null pointer, for %zu bytes", l->bytes);
    if (!check_owner(self, l, call))
        check_block(self, l, call);
    if ((at - l->remote < l->bytes || l->remote - at < l->bytes) && comparable(self, l))
        warn_overlap(self, l, call);
}

/* Two rows of n elements with one stride: whether any two of them overlap. */
static bool rows_overlap(uintptr_t a, uintptr_t b, size_t stride, size_t size, size_t n)
{
    size_t apart = a > b ? a - b : b - a, steps = apart / stride, rest = apart % stride;
    return (steps < n && rest < size) || (steps + 1 < n && stride - rest < size);
}

void shmem_check_strided(const struct shmem_pe *self, const struct shmem_local *l, const struct shmem_rows *s,
                         const char *call)
{
    uintptr_t at = (uintptr_t)l->local;
    if (BASE_UNLIKELY(!at))
        shmem_check_closer(self, l, call);
    if (BASE_LIKELY(l->world != self->me) || s->local_stride != s->remote_stride)
        return;
    if (rows_overlap(at, l->remote, (size_t)s->local_stride, s->size, s->n))
        warn_overlap(self, l, call);
}
