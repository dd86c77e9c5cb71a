/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * region: where the symmetric heaps lie: in one reserved region for the job, with a slot for each PE. Memory
 * that is not touched costs nothing. All slots have the same alignment, so shmem_align works alike at all
 * PEs.
 *
 * With many PEs, the heaps' first bytes lie side by side in front of the slots, in a dense slot for each PE.
 * Otherwise a PE with a few small blocks would cost a page of memory and one of page tables. Offsets in the
 * heap do not depend on this, nor do the numbers of words, and so simulated times do not either. The part of
 * a PE's normal slot below `dense_end` is never touched.
 *
 * Invariants
 *  P4  No block lies across `dense_end`. It only moves down, to the start of a block.
 */
#include "shmem/recorded.h"

#include <stdlib.h>
#include <string.h>

uint64_t shmem_played_heap = UINT64_MAX;
static const uint64_t region_max = UINT64_C(1) << 45; /* of the 2^47 bytes of a process's address space */
enum { DENSE_BYTES = 64 << 20 };
static const uint64_t alignment_least = UINT64_C(2) << 20, alignment_most = UINT64_C(16) << 20;

/* SHMEM_SYMMETRIC_SIZE: a number, then one of k, m, g, t; whatever follows is ignored (section 8). */
static bool parse_size(const char *text, uint64_t *out)
{
    static const char suffix[] = "kmgt";
    char *end;
    double value = strtod(text, &end);
    const char *s = *end ? strchr(suffix, *end | 0x20) : NULL;
    if (end == text || !(value >= 0) || (*end && !s))
        return false;
    for (ptrdiff_t i = s ? s - suffix + 1 : 0; i > 0; i--)
        value *= 1024;
    if (value >= 0x1p62)
        return false;
    *out = (uint64_t)value;
    *out += (double)*out < value;
    return true;
}

static uint64_t size_wanted(const struct rank_job *job)
{
    const struct base_settings *settings = rank_settings(job);
    const char *name = getenv("SHMEM_SYMMETRIC_SIZE") ? "SHMEM_SYMMETRIC_SIZE" : "SMA_SYMMETRIC_SIZE";
    const char *text = getenv(name);
    uint64_t size = base_settings_count(settings, "shmem/symmetric-size");
    if (shmem_played_heap != UINT64_MAX)
        return shmem_played_heap;
    if (text && base_settings_is_default(settings, "shmem/symmetric-size") && !parse_size(text, &size))
        base_fatal(BASE_EXIT_INPUT, "%s=%s: expected a size such as 512m or 1.5g", name, text);
    return size;
}

/* --- region ------------------------------------------------------------------------------------- */

/* What all bases are aligned to, and so the largest that shmem_align grants. Small heaps of many PEs must not
 * take up much more of the address space than their size. */
static uint64_t alignment_for(uint64_t size)
{
    uint64_t alignment = alignment_least;
    while (alignment < alignment_most && alignment * 2 <= size)
        alignment *= 2;
    return alignment;
}

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) & ~(to - 1);
}

/* What each PE gets: what it wants, or the most that leaves room for all. */
static uint64_t size_granted(uint64_t wanted, uint32_t n)
{
    char asked[32], given[32];
    uint64_t most = region_max / n, step = alignment_for(most);
    most = most < step ? step : most & ~(step - 1);
    if (wanted <= most)
        return round_up(wanted, SHMEM_HEAP_GRAIN);
    base_info("symmetric heaps of %s for %u PEs exceed the address space: each gets %s",
              base_show_size(asked, (double)wanted), n, base_show_size(given, (double)most));
    return most;
}

/* All dense slots together take 64 MiB, or 512 bytes each if that is more. A slot is at most a page: beyond
 * that nothing is gained. */
static size_t dense_slot_for(const struct shmem_job *job, size_t heap)
{
    size_t slot = 4096;
    if (job->n < base_settings_count(rank_settings(job->job), "shmem/dense-ranks"))
        return 0;
    while (slot > 512 && slot * job->n > DENSE_BYTES)
        slot /= 2;
    return slot < heap ? slot : 0;
}

void shmem_region_reserve(struct shmem_job *job)
{
    uint64_t size = size_granted(size_wanted(job->job), job->n);
    job->alignment = alignment_for(size);
    job->slot = round_up(size ? size : 1, job->alignment);
    job->dense_slot = job->dense_end = dense_slot_for(job, size);
    size_t dense = round_up(job->n * job->dense_slot, job->alignment);
    job->heaps = dense + job->n * job->slot;
    job->reserved = job->heaps + job->alignment;
    char what[128], shown[32];
    snprintf(what, sizeof what,
             "the symmetric heaps (%s for each of %u PEs; SHMEM_SYMMETRIC_SIZE changes that)",
             base_show_size(shown, (double)size), job->n);
    job->reservation = base_reserve(job->reserved, what);
    job->dense = round_up((uintptr_t)job->reservation, job->alignment);
    job->region = job->dense + dense;
    base_fill((void *)job->dense, dense);
    shmem_heap_init(&job->heap, size);
}

bool shmem_heap_owner(const struct shmem_job *job, uintptr_t address, uint32_t *pe, size_t *offset)
{
    size_t at = address - job->region;
    if (address - job->dense >= job->heaps)
        return false;
    if (address < job->region) {
        if (!job->dense_slot || (address - job->dense) / job->dense_slot >= job->n)
            return false;
        *pe = (uint32_t)((address - job->dense) / job->dense_slot);
        *offset = (address - job->dense) % job->dense_slot;
        return *offset < job->dense_end;
    }
    *pe = (uint32_t)(at / job->slot);
    *offset = at % job->slot;
    return *offset >= job->dense_end && *offset < job->heap.size;
}

/* --- blocks ------------------------------------------------------------------------------------- */

/* A block that would lie across `dense_end` moves that to its start: no block lies behind it (P4). */
static void adapt(struct shmem_job *job, size_t offset)
{
    if (BASE_UNLIKELY(offset < job->dense_end)) {
        const struct shmem_heap_block *b = shmem_heap_find(&job->heap, offset);
        if (offset + b->room > job->dense_end)
            job->dense_end = offset;
    }
}

size_t shmem_region_alloc(struct shmem_job *job, size_t size, size_t alignment)
{
    struct shmem_heap *h = &job->heap;
    size_t offset = shmem_heap_alloc(h, size, alignment);
    if (BASE_UNLIKELY(offset < job->dense_end && alignment > job->dense_slot)) {
        /* Dense slots are not aligned so strictly. Other blocks there must stay, so this one, at 0, moves. */
        if (h->blocks.n == 1 || h->blocks.at[1].offset >= job->dense_end) {
            job->dense_end = 0;
            return offset;
        }
        offset = shmem_heap_alloc(h, size, alignment);
        shmem_heap_free(h, 0);
        return offset;
    }
    adapt(job, offset);
    return offset;
}

bool shmem_region_resize(struct shmem_job *job, size_t offset, size_t size)
{
    if (!shmem_heap_resize(&job->heap, offset, size))
        return false;
    adapt(job, offset);
    return true;
}
