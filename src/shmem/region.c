/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * region: where the symmetric heaps lie. One reserved region for the job with a slot for each PE: it costs
 * nothing until it is touched, and the slots' common alignment makes shmem_align the same at all PEs.
 */
#include "shmem/inside.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t region_max = UINT64_C(1) << 45; /* of the 2^47 bytes of addresses that a process has */

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

static uint64_t size_wanted(const struct fold_job *job)
{
    const struct base_settings *settings = fold_job_settings(job);
    const char *name = getenv("SHMEM_SYMMETRIC_SIZE") ? "SHMEM_SYMMETRIC_SIZE" : "SMA_SYMMETRIC_SIZE";
    const char *text = getenv(name);
    uint64_t size = base_settings_count(settings, "shmem/symmetric-size");
    if (text && base_settings_is_default(settings, "shmem/symmetric-size") && !parse_size(text, &size))
        base_fatal(BASE_EXIT_INPUT, "%s=%s: expected a size such as 512m or 1.5g", name, text);
    return size;
}

/* --- region ------------------------------------------------------------------------------------- */

static bool find_block(struct fold_rank *r, size_t offset, struct rma_block *out)
{
    struct shmem_job *job = fold_job_upper(r->job, FOLD_UPPER_SHMEM);
    const struct shmem_heap_block *b = shmem_heap_find(&job->heap, offset);
    if (!b)
        return false;
    *out = (struct rma_block){"heap block", b->offset, b->size};
    return true;
}

void shmem_region_reserve(struct shmem_job *job)
{
    char asked[32], given[32];
    uint64_t size = size_wanted(job->job), most = region_max / job->n & ~(uint64_t)(SHMEM_ALIGNMENT_MAX - 1);
    if (size > most) {
        base_info("symmetric heaps of %s for %u PEs exceed the address space: each has %s",
                  base_show_size(asked, (double)size), job->n, base_show_size(given, (double)most));
        size = most;
    }
    size = (size + SHMEM_HEAP_GRAIN - 1) & ~(uint64_t)(SHMEM_HEAP_GRAIN - 1);
    job->slot = (size + SHMEM_ALIGNMENT_MAX) & ~(uint64_t)(SHMEM_ALIGNMENT_MAX - 1);
    job->reserved = job->n * job->slot + SHMEM_ALIGNMENT_MAX;
    job->reservation = base_reserve(job->reserved, "the symmetric heaps");
    job->region =
        ((uintptr_t)job->reservation + SHMEM_ALIGNMENT_MAX - 1) & ~(uintptr_t)(SHMEM_ALIGNMENT_MAX - 1);
    shmem_heap_init(&job->heap, size);
    rma_heap_attach(job->job, &(struct rma_heap){.size = size, .find = find_block});
}
