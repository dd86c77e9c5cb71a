/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symmetric: which addresses of a PE are symmetric, and where their like is at another PE (private to shmem/).
 * The symmetric heap is asked first, then the spans of private static data, then folded blocks, of which all
 * PEs have one copy. Where the names of objects are known (the allocator's blocks, the program's symbols), an
 * access should lie within one of them. What runs past one reaches the next, as on a real machine, and is
 * warned of; what begins in none, or runs out of the heap or the static data, is an error.
 *
 * Invariants
 *  S1  Equal offsets in the heap, or in equal spans, are one symmetric object at every PE.
 *  S2  All PEs have their heaps before any can ask: initialization waits for all.
 */
#ifndef PGASIM_SHMEM_SYMMETRIC_H
#define PGASIM_SHMEM_SYMMETRIC_H

#include "shmem/internal.h"

/* PE `pe`'s memory for a symmetric address of this PE, after checking that [address, address + bytes) lies in
 * this PE's symmetric memory. A wild address is a report (both ranks, the call, the nearest symmetric object)
 * that ends the job with BASE_EXIT_PROGRAM; so is a PE that does not exist. Bytes that run past an object's
 * end are the warning misuse/array-bounds, or such a report when they run out of symmetric memory. */
struct rma_target shmem_symmetric(const struct shmem_pe *self, const void *address, size_t bytes, int64_t pe,
                                  const char *call);
/* Without a report: 0 when not within one symmetric object (shmem_addr_accessible, shmem_ptr). */
uintptr_t shmem_symmetric_try(const struct shmem_pe *self, const void *address, size_t bytes, uint32_t pe);

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

/* symmetric_report.c: those called report end the job. */
_Noreturn void shmem_report_rank(const struct shmem_pe *self, int64_t target, const char *call);
_Noreturn void shmem_report_address(const struct shmem_pe *self, uintptr_t address, size_t bytes, uint32_t target,
                                    const char *call);
void shmem_warn_overrun(const struct shmem_pe *self, uintptr_t address, size_t bytes, uint32_t target,
                        const char *call);
extern const struct rma_names shmem_rma_names; /* for reports of rma/ */

#endif
