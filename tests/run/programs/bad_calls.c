/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that break the rules of OpenSHMEM: one report that names the rank, the call, and what is wrong;
 * status 5. */
// run: -np 4 -- pe_below
// status: 5
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_long_put: .*-1
// run: -np 4 -- pe_above
// status: 5
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_long_put: .*4
// run: -np 4 -- pe_atomic
// status: 5
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_long_atomic_add: .*4
// run: -np 4 -- stack
// status: 5
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_long_put: .*symmetric
// run: -np 4 -- malloc
// status: 5
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_long_get: .*symmetric
// run: -np 4 -- null
// status: 5
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_long_p: .*symmetric
// run: -np 4 -- constant
// status: 5
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_putmem: .*symmetric
// run: -np 4 -- thread_local
// status: 5
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_long_p: .*symmetric
// run: -np 4 --strict -- past_block
// status: 5
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_long_put: .*heap block
// run: -np 4 --strict -- past_global
// status: 5
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_long_put: .*symmetric_global
// run: -np 4 --strict -- strided
// status: 5
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_long_iput: .*symmetric_global
// run: --strict -np 4 -- freed
// status: 5
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_long_put: .*lie in freed memory: freed heap block of 80 bytes
// run: -np 4 -- free_stack
// status: 5
// stderr-match: ^pgasim: error: rank \d \(host \S+\) at \S+ \S+: shmem_free:
// run: --strict -np 4 -- free_inside
// status: 5
// stderr-match: ^pgasim: error: rank \d \(host \S+\) at \S+ \S+: shmem_free:
// run: --strict -np 4 -- free_twice
// status: 5
// stderr-match: ^pgasim: error: rank \d \(host \S+\) at \S+ \S+: shmem_free:
// run: -np 4 -- before_init
// status: 5
// stderr-match: ^pgasim: error: rank \d \(host \S+\) at \S+ \S+: shmem_barrier_all: .*shmem_init
// run: -np 4 -- after_finalize
// status: 5
// stderr-match: ^pgasim: error: rank \d \(host \S+\) at \S+ \S+: shmem_barrier_all: .*shmem_finalize
// run: -np 4 -- collective_kind
// status: 5
// stderr-match: ^pgasim: error: rank \d \(host \S+\) at \S+ \S+: shmem_\w+: .*shmem_
// run: -np 4 -- collective_root
// status: 5
// stderr-match: ^pgasim: error: rank \d \(host \S+\) at \S+ \S+: shmem_broadcast64:
// run: -np 4 -- collective_size
// status: 5
// stderr-match: ^pgasim: error: rank \d \(host \S+\) at \S+ \S+: shmem_broadcast64:
#include <shmem.h>
#include <stdlib.h>
#include <string.h>

long symmetric_global[10];
static const long constant = 3;
static _Thread_local long of_thread;
static long sync_work[SHMEM_BCAST_SYNC_SIZE];

static void transfer(const char *what, long *block)
{
    long local[10] = {0}, *heap = malloc(80);
    if (strcmp(what, "pe_below") == 0)
        shmem_long_put(block, local, 1, -1);
    else if (strcmp(what, "pe_above") == 0)
        shmem_long_put(block, local, 1, 4);
    else if (strcmp(what, "pe_atomic") == 0)
        shmem_long_atomic_add(block, 1, 4);
    else if (strcmp(what, "stack") == 0)
        shmem_long_put(local, local, 1, 2);
    else if (strcmp(what, "malloc") == 0)
        shmem_long_get(local, heap, 1, 2);
    else if (strcmp(what, "null") == 0)
        shmem_long_p(NULL, 1, 2);
    else if (strcmp(what, "constant") == 0)
        shmem_putmem((long *)(size_t)&constant, local, 8, 2);
    else if (strcmp(what, "thread_local") == 0)
        shmem_long_p(&of_thread, 1, 2);
    else if (strcmp(what, "past_block") == 0)
        shmem_long_put(block + 1, local, 10, 2);
    else if (strcmp(what, "past_global") == 0)
        shmem_long_put(symmetric_global + 1, local, 10, 2);
    else if (strcmp(what, "strided") == 0)
        shmem_long_iput(symmetric_global, local, 3, 1, 5, 2);
    else if (strcmp(what, "freed") == 0)
        shmem_long_put(block, local, 1, 2);
    free(heap);
}

static void collective(const char *what, int me, long *block)
{
    if (strcmp(what, "collective_kind") == 0 && me == 2)
        shmem_sync_all();
    else if (strcmp(what, "collective_kind") == 0)
        shmem_broadcast64(block, block + 5, 1, 0, 0, 0, 4, sync_work);
    else if (strcmp(what, "collective_root") == 0)
        shmem_broadcast64(block, block + 5, 1, me == 2, 0, 0, 4, sync_work);
    else if (strcmp(what, "collective_size") == 0)
        shmem_broadcast64(block, block + 5, me == 2 ? 2 : 1, 0, 0, 0, 4, sync_work);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    long here;
    if (strcmp(what, "before_init") == 0)
        shmem_barrier_all();
    shmem_init();
    int me = shmem_my_pe();
    for (int i = 0; i < SHMEM_BCAST_SYNC_SIZE; i++)
        sync_work[i] = SHMEM_SYNC_VALUE;
    long *block = shmem_malloc(10 * sizeof *block);
    if (strcmp(what, "freed") == 0 || strcmp(what, "free_twice") == 0)
        shmem_free(block);
    if (strcmp(what, "free_twice") == 0)
        shmem_free(block);
    if (strcmp(what, "free_stack") == 0)
        shmem_free(&here);
    if (strcmp(what, "free_inside") == 0)
        shmem_free(block + 1);
    if (me == 1)
        transfer(what, block);
    if (strncmp(what, "collective", 10) == 0)
        collective(what, me, block);
    shmem_barrier_all();
    shmem_finalize();
    if (strcmp(what, "after_finalize") == 0)
        shmem_barrier_all();
    return 0;
}
