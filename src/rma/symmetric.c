/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symmetric: which addresses of a rank are symmetric, and where their like is at another rank. The symmetric
 * heap is asked first, then the spans of private static data, then what all ranks have in common. Where the names of objects are known (the
 * allocator's blocks, the program's symbols), an access should lie within one of them. What runs past one reaches the
 * next, as on a real machine, and is warned of; what begins in none, or runs out of the heap or the static data, is an error.
 *
 * Invariants
 *  S1  Equal offsets in the heap, or in equal spans, are one symmetric object at every rank (fold's D3).
 */
#include "rma/internal.h"

void rma_heap_attach(struct rank_job *job, const struct rma_heap *heap)
{
    struct rma_job *j = rank_part(job, &rma_slot);
    BASE_ASSERT("S1", !j->has_heap);
    j->heap = *heap;
    j->has_heap = true;
}

void rma_heap_base(struct rank *r, uintptr_t base)
{
    rma_rank_of(r)->heap_base = base;
}

void rma_common_attach(struct rank_job *job, const struct rma_common *common)
{
    struct rma_job *j = rank_part(job, &rma_slot);
    BASE_ASSERT("S1", !j->common.size);
    j->common = *common;
}

/* Whether the rank's own heap contains the address. */
static bool in_heap(const struct rma_job *j, const struct rma_rank *k, uintptr_t address)
{
    return k->heap_base && address - k->heap_base < j->heap.size;
}

/* Finds the span that contains the address and leaves it in k->span. */
static bool in_span(const struct rank *r, struct rma_rank *k, uintptr_t address)
{
    if (address - k->span.base < k->span.size)
        return true;
    for (uint32_t n = 0; n < rank_span_count(r); n++) {
        struct rank_span s = rank_span_of(r, n);
        if (address - s.base < s.size) {
            k->span = s;
            k->span_number = n;
            return true;
        }
    }
    return false;
}

/* --- bounds ------------------------------------------------------------------------------------- */

static enum rma_place place_within(size_t at, size_t bytes, size_t start, size_t size)
{
    if (at < start || at - start >= size)
        return RMA_OUTSIDE;
    return bytes <= size - (at - start) ? RMA_INSIDE : RMA_OVERRUN;
}

static enum rma_place heap_find(const struct rma_job *j, struct rank *r, struct rma_rank *k, size_t at,
                                size_t bytes, struct rma_object *out)
{
    struct rma_block b;
    if (!j->heap.find(r, at, &b)) {
        *out = (struct rma_object){.name = NULL};
        return RMA_OUTSIDE;
    }
    *out = (struct rma_object){b.name, k->heap_base + b.offset, b.size};
    return place_within(at, bytes, b.offset, b.size);
}

static enum rma_place common_find(const struct rma_job *j, struct rank *r, size_t at, size_t bytes,
                                  struct rma_object *out)
{
    struct rma_block b;
    *out = (struct rma_object){.name = NULL};
    if (!j->common.find(r, at, &b))
        return RMA_OUTSIDE;
    *out = (struct rma_object){b.name, j->common.base + b.offset, b.size};
    return place_within(at, bytes, b.offset, b.size);
}

/* Without symbols the span is the object. */
static enum rma_place span_find(struct rma_job *j, const struct rank *r, const struct rma_rank *k, size_t at, size_t bytes,
                                struct rma_object *out)
{
    struct rank_object *o = &j->object, found;
    if (!o->size || o->span != k->span_number || at - o->offset >= o->size) {
        if (rank_object_find(r, k->span_number, at, &found))
            *o = found;
        else
            *o = (struct rank_object){NULL, k->span_number, 0, k->span.size};
    }
    *out = (struct rma_object){o->name, k->span.base + o->offset, o->size};
    return place_within(at, bytes, o->offset, o->size);
}

/* The end of the heap or span nearest to an address that is in none. */
static void nearest(const struct rma_job *j, struct rank *r, struct rma_rank *k, uintptr_t *address)
{
    uintptr_t best = UINTPTR_MAX, at = *address;
    for (uint32_t n = 0; n <= rank_span_count(r); n++) {
        struct rank_span s = {k->heap_base, k->heap_base ? j->heap.size : 0};
        if (n < rank_span_count(r))
            s = rank_span_of(r, n);
        if (!s.size)
            continue;
        uintptr_t far = at < s.base ? s.base - at : at - (s.base + s.size - 1);
        if (far < best) {
            best = far;
            *address = at < s.base ? s.base : s.base + s.size - 1;
        }
    }
}

enum rma_place rma_object_find(struct rank *r, uintptr_t address, size_t bytes, struct rma_object *out)
{
    struct rma_job *j = rma_job_of(r);
    struct rma_rank *k = rma_rank_of(r);
    if (in_heap(j, k, address))
        return heap_find(j, r, k, address - k->heap_base, bytes, out);
    if (in_span(r, k, address))
        return span_find(j, r, k, address - k->span.base, bytes, out);
    if (rma_in_common(j, address))
        return common_find(j, r, address - j->common.base, bytes, out);
    uintptr_t near = address;
    nearest(j, r, k, &near);
    if (near == address)
        *out = (struct rma_object){.name = NULL};
    else
        rma_object_find(r, near, 1, out);
    return RMA_OUTSIDE;
}

/* --- translation -------------------------------------------------------------------------------- */

/* The target's address for a symmetric one of rank r, and whether all bytes lie within one object; 0: it is not
 * symmetric, or the access runs out of the heap or of the static data. */
static uintptr_t translate(struct rma_job *j, struct rank *r, uintptr_t address, size_t bytes,
                           struct rank *target, enum rma_place *place)
{
    struct rma_rank *k = rma_rank_of(r);
    struct rma_object o;
    uintptr_t there;
    size_t at, room;
    if (in_heap(j, k, address)) {
        at = address - k->heap_base;
        room = j->heap.size - at;
        there = rma_rank_of(target)->heap_base;
        *place = there ? heap_find(j, r, k, at, bytes, &o) : RMA_OUTSIDE;
    } else if (in_span(r, k, address)) {
        at = address - k->span.base;
        room = k->span.size - at;
        there = rank_span_of(target, k->span_number).base;
        *place = span_find(j, r, k, at, bytes, &o);
    } else if (rma_in_common(j, address)) {
        at = address - j->common.base;
        room = j->common.size - at;
        there = j->common.base;
        *place = common_find(j, r, at, bytes, &o);
    } else {
        *place = RMA_OUTSIDE;
        return 0;
    }
    return *place == RMA_OUTSIDE || bytes > room ? 0 : there + at;
}

uintptr_t rma_symmetric(struct rank *r, const void *address, size_t bytes, int64_t target,
                        const char *call)
{
    struct rma_job *j = rma_job_of(r);
    enum rma_place place;
    if (BASE_UNLIKELY(target < 0 || target >= (int64_t)rank_count(j->job)))
        rma_report_rank(r, target, call);
    if (BASE_UNLIKELY(!bytes))
        return (uintptr_t)address;
    struct rank *there = rank_at(j->job, (uint32_t)target);
    uintptr_t remote = translate(j, r, (uintptr_t)address, bytes, there, &place);
    if (BASE_UNLIKELY(!remote))
        rma_report_address(r, (uintptr_t)address, bytes, (uint32_t)target, call);
    if (BASE_UNLIKELY(place == RMA_OVERRUN))
        rma_warn_overrun(r, (uintptr_t)address, bytes, (uint32_t)target, call);
    return remote;
}

uintptr_t rma_symmetric_try(struct rank *r, const void *address, size_t bytes, uint32_t target)
{
    struct rma_job *j = rma_job_of(r);
    enum rma_place place;
    if (target >= rank_count(j->job))
        return 0;
    uintptr_t there = translate(j, r, (uintptr_t)address, bytes, rank_at(j->job, target), &place);
    return place == RMA_INSIDE ? there : 0;
}

uint32_t rma_word(struct rank *r, uintptr_t address)
{
    struct rma_job *j = rma_job_of(r);
    struct rma_rank *k = rma_rank_of(r);
    uintptr_t at = 0;
    if (in_heap(j, k, address))
        at = address - k->heap_base;
    else if (in_span(r, k, address))
        at = address - k->span.base;
    else if (rma_in_common(j, address))
        at = address - j->common.base;
    return (uint32_t)(at / 8) + r->id * 29;
}
