/* SPDX-License-Identifier: BSD-3-Clause */
/* Misuse of locks: set again by the PE that holds it, cleared by one that does not, kept at the end, its word
 * not 0 at first or written by something else meanwhile. */
// run: --strict -np 3 -- again
// status: 5
// stderr-match: ^pgasim: error: rank 1 .*: shmem_set_lock: this PE already holds lock guard \(8 bytes, misuse_lock.c:\d+\): PE 1 holds it since \S+ \S+ \(shmem_set_lock in take, misuse_lock.c:\d+\) \(an error because of --strict: misuse/lock-\w+\)$
// run: -np 3 -- test
// stderr-match: ^pgasim: warning: rank 1 .*: shmem_test_lock: this PE already holds lock guard .*: PE 1 holds it
// run: --strict -np 3 -- other
// status: 5
// stderr-match: ^pgasim: error: rank 2 .*: shmem_clear_lock: PE 2 does not hold lock guard \(8 bytes, \S+\): PE 1 holds it since \S+ \S+ \(shmem_set_lock in take, misuse_lock.c:\d+\) \(an error because of --strict: misuse/lock-\w+\)$
// run: --strict -np 3 -- nobody
// status: 5
// stderr-match: ^pgasim: error: rank 1 .*: shmem_clear_lock: PE 1 does not hold lock heap block of 8 bytes \(shmem_malloc in main, misuse_lock.c:\d+\): nobody does \(an error because of --strict: misuse/lock-clear\)$
// run: -np 3 -- dirty
// status: 5
// stderr-match: ^pgasim: error: rank \d .*: shmem_set_lock: the word of lock guard .* at PE \d was not 0 before its first use$
// run: -np 3 -- written
// status: 5
// stderr-match: ^pgasim: error: rank 1 .*: shmem_clear_lock: the word of lock guard .* at PE [01] was written by something else while the lock was in use$
// run: -np 3 -- kept
// stderr-match: ^pgasim: warning: rank 1 .*: shmem_finalize: the PE still holds lock guard \(8 bytes, \S+\), set by shmem_set_lock in take, misuse_lock.c:\d+$
// run: --strict -np 3 -- kept
// status: 5
// stderr-match: ^pgasim: error: rank 1 .*misuse/lock-held\)$
// run: -np 3 -- waited
// status: 3
// stderr-match: lock guard \(8 bytes, \S+\), next after PE 1
#include <shmem.h>
#include <string.h>

static long guard;

static __attribute__((noinline)) void take(long *lock)
{
    shmem_set_lock(lock);
    lock[0] += 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    guard = strcmp(what, "dirty") == 0 ? 77 : 0;
    shmem_init();
    long *heap = shmem_calloc(1, sizeof *heap);
    shmem_free(heap);
    heap = shmem_malloc(sizeof *heap);
    int me = shmem_my_pe();
    if (strcmp(what, "nobody") == 0 && me == 1)
        shmem_clear_lock(heap);
    if (me == 1)
        take(&guard);
    if (strcmp(what, "again") == 0 && me == 1)
        take(&guard);
    if (strcmp(what, "test") == 0 && me == 1)
        shmem_test_lock(&guard);
    shmem_barrier_all();
    if (strcmp(what, "other") == 0 && me == 2)
        shmem_clear_lock(&guard);
    if (strcmp(what, "written") == 0 && me == 2) {
        shmem_long_p(&guard, 0, 0);
        shmem_long_p(&guard, 0, 1);
    }
    if (strcmp(what, "waited") == 0 && me == 2)
        shmem_set_lock(&guard);
    shmem_barrier_all();
    if (strcmp(what, "kept") != 0 && me == 1)
        shmem_clear_lock(&guard);
    shmem_finalize();
    return 0;
}
