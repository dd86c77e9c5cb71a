/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective: what collective.c shares with the checks for misuse. The checks only warn (errors with
 * --strict), and the collective continues normally.
 */
#ifndef PGASIM_SHMEM_COLLECTIVE_H
#define PGASIM_SHMEM_COLLECTIVE_H

#include "coll/put/put.h"
#include "shmem/internal.h"

/* collective_check.c */
extern const struct coll_names shmem_coll_names;
extern const struct coll_put_hooks shmem_coll_hooks;
/* Memory that one collective call reads and writes at its caller. */
struct shmem_buffers {
    const void *dest, *source;
    size_t dest_bytes, source_bytes;
    bool in_place; /* dest may be source */
};
/* Checks that the two arrays do not overlap, or are the same where allowed (section 4.3, invoking
 * operations). */
void shmem_check_overlap(const struct shmem_pe *self, const struct shmem_buffers *b, const char *call);
/* Called by the last PE to finalize: warns of collectives that only some members have called. */
void shmem_check_unfinished(const struct shmem_pe *self);

/* collective_psync.c: tracks which PEs are in a collective with a pSync array. */
struct shmem_psync;
struct shmem_psync_use {
    struct shmem_psync *array;
    uint32_t generation, place;
};
struct shmem_psync_use *shmem_psync_enter(const struct shmem_pe *self, const struct shmem_who *who,
                                          const struct coll_call *c);
void shmem_psync_leave(struct shmem_job *job, struct shmem_psync_use *use); /* it is gone afterwards */
void shmem_psyncs_release(struct shmem_job *job);

#endif
