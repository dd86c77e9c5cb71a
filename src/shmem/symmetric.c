/* SPDX-License-Identifier: BSD-3-Clause */
/* symmetric: translation of one PE's addresses to another's, and the bounds of symmetric objects
 * (symmetric.h). */
#include "shmem/symmetric.h"

static struct shmem_job *job_of(const struct shmem_pe *self)
{
    return self->job;
}

/* Finds the span that contains the address and leaves it in the PE's record. */
static bool in_span(const struct shmem_pe *self, uintptr_t address)
{
    if (address - self->span.base < self->span.size)
        return true;
    struct shmem_pe *mine = &self->job->pes[self->me];
    for (uint32_t n = 0; n < rank_span_count(self->rank); n++) {
        struct rank_span s = rank_span_of(self->rank, n);
        if (address - s.base < s.size) {
            mine->span = s;
            mine->span_number = n;
            return true;
        }
    }
    return false;
}

/* --- bounds ------------------------------------------------------------------------------------- */

static enum shmem_place place_within(size_t at, size_t bytes, size_t start, size_t size)
{
    if (at < start || at - start >= size)
        return SHMEM_OUTSIDE;
    return bytes <= size - (at - start) ? SHMEM_INSIDE : SHMEM_OVERRUN;
}

/* In a heap; the object's start is an offset. */
static enum shmem_place block_find(struct shmem_heap *heap, const char *name, size_t at, size_t bytes,
                                   struct shmem_object *out)
{
    const struct shmem_heap_block *b = shmem_heap_find(heap, at);
    if (!b) {
        *out = (struct shmem_object){.name = NULL};
        return SHMEM_OUTSIDE;
    }
    *out = (struct shmem_object){name, b->offset, b->size};
    return place_within(at, bytes, b->offset, b->size);
}

static enum shmem_place heap_find(const struct shmem_pe *self, size_t at, size_t bytes,
                                  struct shmem_object *out)
{
    enum shmem_place place = block_find(&job_of(self)->heap, "heap block", at, bytes, out);
    out->start = shmem_heap_address(self->job, self->me, out->start);
    return place;
}

static enum shmem_place folded_find(const struct shmem_pe *self, size_t at, size_t bytes,
                                    struct shmem_object *out)
{
    struct shmem_job *job = self->job;
    enum shmem_place place = block_find(job->folded_heap, "folded block", at, bytes, out);
    out->start += job->folded_base;
    return place;
}

/* Without symbols the span is the object. */
static enum shmem_place span_find(const struct shmem_pe *self, size_t at, size_t bytes,
                                  struct shmem_object *out)
{
    struct rank_object *o = &job_of(self)->object, found;
    if (!o->size || o->span != self->span_number || at - o->offset >= o->size) {
        if (rank_object_find(self->rank, self->span_number, at, &found))
            *o = found;
        else
            *o = (struct rank_object){NULL, self->span_number, 0, self->span.size};
    }
    *out = (struct shmem_object){o->name, self->span.base + o->offset, o->size};
    return place_within(at, bytes, o->offset, o->size);
}

/* The end of the nearest heap or span, for an address outside all of them. */
static uintptr_t nearest(const struct shmem_pe *self, uintptr_t at)
{
    uintptr_t best = UINTPTR_MAX, found = at;
    const struct shmem_job *job = self->job;
    const struct rank_span heap[2] = {
        {shmem_heap_address(job, self->me, job->dense_end), job->heap.size - job->dense_end},
        {shmem_heap_address(job, self->me, 0), job->dense_end}};
    for (uint32_t n = 0; n < rank_span_count(self->rank) + 2; n++) {
        struct rank_span s = n < 2 ? heap[n] : rank_span_of(self->rank, n - 2);
        if (!s.size)
            continue;
        uintptr_t far = at < s.base ? s.base - at : at - (s.base + s.size - 1);
        if (far < best) {
            best = far;
            found = at < s.base ? s.base : s.base + s.size - 1;
        }
    }
    return found;
}

enum shmem_place shmem_object_find(const struct shmem_pe *self, uintptr_t address, size_t bytes,
                                   struct shmem_object *out)
{
    size_t at = shmem_heap_offset(self, address);
    if (at != SHMEM_HEAP_NONE)
        return heap_find(self, at, bytes, out);
    if (in_span(self, address))
        return span_find(self, address - self->span.base, bytes, out);
    if (shmem_folded_contains(self->job, (const void *)address))
        return folded_find(self, address - self->job->folded_base, bytes, out);
    uintptr_t near = nearest(self, address);
    if (near == address)
        *out = (struct shmem_object){.name = NULL};
    else
        shmem_object_find(self, near, 1, out);
    return SHMEM_OUTSIDE;
}

/* Where a rank's copy of the span in use begins. Asking its provider touches several of that rank's cache
 * lines; so the answers for one span, the first in use, are kept side by side. */
static uintptr_t base_of(const struct shmem_pe *self, const struct rank *r, uint32_t pe)
{
    struct shmem_job *job = self->job;
    if (BASE_UNLIKELY(!job->based))
        job->based = self->span_number + 1;
    if (BASE_UNLIKELY(job->based != self->span_number + 1))
        return rank_span_of(r, self->span_number).base;
    uintptr_t *base = &job->bases[pe];
    if (BASE_UNLIKELY(!*base))
        *base = rank_span_of(r, self->span_number).base;
    return *base;
}

/* --- translation -------------------------------------------------------------------------------- */

/* Sets the target's address for a symmetric one of this PE, and says whether all bytes lie within one object;
 * address 0: it is not symmetric, or the access runs out of the heap or of the static data. Memory there that
 * belongs to no object has an address, too: real libraries know no objects. */
static enum shmem_place translate(const struct shmem_pe *self, uintptr_t address, size_t bytes, uint32_t pe,
                                  struct rma_target *t)
{
    const struct shmem_job *job = self->job;
    enum shmem_place place;
    struct shmem_object o;
    uintptr_t there;
    size_t at = shmem_heap_offset(self, address), room;
    if (at != SHMEM_HEAP_NONE) {
        room = (at < job->dense_end ? job->dense_end : job->heap.size) - at;
        there = shmem_heap_address(job, pe, at) - at;
        place = heap_find(self, at, bytes, &o);
    } else if (in_span(self, address)) {
        at = address - self->span.base;
        room = self->span.size - at;
        there = base_of(self, t->rank, pe);
        place = span_find(self, at, bytes, &o);
    } else if (shmem_folded_contains(job, (const void *)address)) {
        at = address - job->folded_base;
        room = job->folded_heap->size - at;
        there = job->folded_base;
        place = folded_find(self, at, bytes, &o);
        if (place == SHMEM_OUTSIDE)
            room = 0; /* pages that have been returned to the system */
    } else {
        t->address = 0;
        return SHMEM_OUTSIDE;
    }
    t->address = bytes > room ? 0 : there + at;
    t->word = (uint32_t)(at / 8) + pe * 29;
    return place;
}

struct rma_target shmem_symmetric(const struct shmem_pe *self, const void *address, size_t bytes, int64_t pe,
                                  const char *call)
{
    if (BASE_UNLIKELY(pe < 0 || pe >= (int64_t)self->job->n))
        shmem_report_rank(self, pe, call);
    struct rma_target t = {shmem_rank(self->job, (uint32_t)pe), (uintptr_t)address, 0};
    if (BASE_UNLIKELY(!bytes))
        return t;
    enum shmem_place place = translate(self, (uintptr_t)address, bytes, (uint32_t)pe, &t);
    if (BASE_UNLIKELY(!t.address))
        shmem_report_address(self, (uintptr_t)address, bytes, (uint32_t)pe, call);
    if (BASE_UNLIKELY(place == SHMEM_OVERRUN))
        shmem_warn_overrun(self, (uintptr_t)address, bytes, (uint32_t)pe, call);
    else if (BASE_UNLIKELY(place == SHMEM_OUTSIDE))
        shmem_warn_no_object(self, (uintptr_t)address, bytes, (uint32_t)pe, call);
    return t;
}

uintptr_t shmem_symmetric_known(const struct shmem_pe *self, const void *address, uint32_t pe)
{
    struct rma_target t = {.rank = shmem_rank(self->job, pe)};
    translate(self, (uintptr_t)address, 1, pe, &t);
    return t.address;
}

uintptr_t shmem_symmetric_try(const struct shmem_pe *self, const void *address, size_t bytes, uint32_t pe)
{
    if (pe >= self->job->n)
        return 0;
    struct rma_target t = {.rank = shmem_rank(self->job, pe)};
    return translate(self, (uintptr_t)address, bytes, pe, &t) == SHMEM_INSIDE ? t.address : 0;
}
