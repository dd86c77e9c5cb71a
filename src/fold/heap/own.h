/* SPDX-License-Identifier: BSD-3-Clause */
/* own: the heaps of the job that runs, and the calling rank's (private to heap/). */
#ifndef PGASIM_FOLD_HEAP_OWN_H
#define PGASIM_FOLD_HEAP_OWN_H

#include <pthread.h>

#include "fold/heap/traced.h"

enum { OWNERLESS = UINT32_MAX }; /* the owner of the shared heap */

/* While a rank runs ahead on another thread, it alone uses its heap. The shared one has a lock. */
extern struct heaps {
    enum { LIBC, EACH, SHARED, TRACED } way;
    struct fold_job *job;
    struct heap *shared;
    pthread_mutex_t lock; /* of it */
    uint64_t secret;
    size_t idle_most, block_most;
    uint32_t ended; /* ranks */
    struct heap_counts counts;
} heaps;

struct heap *heaps_shared_locked(void); /* made when there is none; NULL: no memory. The caller unlocks */

static inline struct rank *heaps_self(void)
{
    struct rank *r = rank_current;
    return BASE_LIKELY(r != NULL) ? r : rank_ahead;
}

/* The heap that the calling rank may use without asking; NULL: see the slow ways. */
static inline struct heap *heaps_here(void)
{
    struct rank *r = heaps_self();
    return BASE_LIKELY(r != NULL) ? fold_part(r)->heap : NULL;
}

#endif
