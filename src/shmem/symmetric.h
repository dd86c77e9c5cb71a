/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symmetric: which addresses of a PE are symmetric, and the matching addresses at other PEs (private to
 * shmem/). The symmetric heap is searched first, then the spans of private static data, then folded blocks,
 * of which all PEs have one copy. Where the names of objects are known (the allocator's blocks, the program's
 * symbols), an access should lie within one of them. An access past an object's end reaches the next one, and
 * one to freed memory or between objects reaches what is there, as on a real machine, with a warning. One
 * that leaves the heap or the static data is an error.
 *
 * Invariants
 *  S1  Equal offsets in the heap, or in equal spans, are one symmetric object at every PE.
 *  S2  All PEs have heaps before any lookup: initialization waits for all.
 */
#ifndef PGASIM_SHMEM_SYMMETRIC_H
#define PGASIM_SHMEM_SYMMETRIC_H

#include "shmem/internal.h"

/* PE `pe`'s memory for a symmetric address of this PE, after checking that [address, address + bytes) lies in
 * this PE's symmetric memory. A wild address, or a PE that does not exist, ends the job with a report (both
 * ranks, the call, the nearest symmetric object) and BASE_EXIT_PROGRAM. So does an access that leaves
 * symmetric memory; one past an object's end is the warning misuse/array-bounds, one that begins in no object
 * misuse/freed-memory or misuse/no-object. */
struct rma_target shmem_symmetric(const struct shmem_pe *self, const void *address, size_t bytes, int64_t pe,
                                  const char *call);
/* The same without a report: 0 if not within one symmetric object (shmem_addr_accessible, shmem_ptr). */
uintptr_t shmem_symmetric_try(const struct shmem_pe *self, const void *address, size_t bytes, uint32_t pe);

/* Where a symmetric address of this PE is at another, in an object or not; 0: it is not symmetric. */
uintptr_t shmem_symmetric_known(const struct shmem_pe *self, const void *address, uint32_t pe);

/* --- what symmetric.c and symmetric_report.c share ----------------------------------------------------- */

enum shmem_place { SHMEM_INSIDE, SHMEM_OVERRUN, SHMEM_OUTSIDE };
struct shmem_object {
    const char *name; /* NULL: no name is known */
    uintptr_t start;
    size_t size;
};
/* The symmetric object at an address, or the nearest one. */
enum shmem_place shmem_object_find(const struct shmem_pe *self, uintptr_t address, size_t bytes,
                                   struct shmem_object *out);

/* symmetric_report.c: functions named report end the job. */
_Noreturn void shmem_report_rank(const struct shmem_pe *self, int64_t target, const char *call);
_Noreturn void shmem_report_address(const struct shmem_pe *self, uintptr_t address, size_t bytes,
                                    uint32_t target, const char *call);
void shmem_warn_overrun(const struct shmem_pe *self, uintptr_t address, size_t bytes, uint32_t target,
                        const char *call);
void shmem_warn_no_object(const struct shmem_pe *self, uintptr_t address, size_t bytes, uint32_t target,
                          const char *call);
extern const struct rma_names shmem_rma_names; /* for reports of rma/ */
/* What a context's stream is about: this and its options, or 0 for the default context. */
#define SHMEM_STREAM_MADE ((uintptr_t)1 << 32)

#endif
