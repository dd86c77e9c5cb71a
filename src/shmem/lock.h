/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lock: what lock.c (the queue) and lock_held.c (who holds what, and reports) share.
 */
#ifndef PGASIM_SHMEM_LOCK_H
#define PGASIM_SHMEM_LOCK_H

#include "shmem/internal.h"

/* A lock in a call. */
struct shmem_lock {
    struct shmem_pe *self;
    const char *call;
    uint32_t *tail, *mine; /* this PE's own addresses */
    uint32_t before;       /* who is before this PE in the queue, as PE + 1; 0: nobody */
};

/* One that a PE holds. */
struct shmem_held {
    const uint32_t *lock; /* its own address */
    struct shmem_heap_origin since;
};

/* The record of the lock at the PE's own address; NULL: it does not hold it. */
struct shmem_held *shmem_lock_held(const struct shmem_pe *pe, uintptr_t lock);
/* The PE holds the lock since now; `from`: where the program made the call. And no longer. */
void shmem_lock_note(const struct shmem_lock *l, const void *from);
void shmem_lock_forget(const struct shmem_lock *l, struct shmem_held *h);
void shmem_lock_name(const struct shmem_lock *l, char *buf, size_t size);
void shmem_lock_warn_again(const struct shmem_lock *l, const struct shmem_held *h);
void shmem_lock_warn_not_held(const struct shmem_lock *l);
/* The word at PE `pe` is not what these functions left there. */
_Noreturn void shmem_lock_report_word(const struct shmem_lock *l, uint32_t pe, const char *when);

/* lock.c: shmem_test_lock; `may_take`: else it takes the time of one that finds the lock taken. */
int shmem_lock_test(long *lock, bool may_take, const void *from);

#endif
