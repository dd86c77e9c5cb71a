/* SPDX-License-Identifier: BSD-3-Clause */
/* Misuse of the buffers of one-sided calls: source and target that overlap, null pointers, local buffers that
 * run past the end of their heap block or were freed, memory of a PE of another host. What is not wrong gives
 * no warning. */
// run: -np 3 -- right
// stderr-not: .
// run: --strict -np 3 -- right
// stderr-not: .
// run: -np 3 -- overlap_put
// stderr-match: ^pgasim: warning: rank 1 .*: shmem_long_put: the local buffer \(32 bytes at a\+8 \(800 bytes, misuse_buffers.c:\d+\)\) and the memory of PE 1 \(at a \(800 bytes, misuse_buffers.c:\d+\)\) overlap$
// stderr-match: ^pgasim:   called in wrong, misuse_buffers.c:\d+$
// run: -np 3 -- overlap_get
// stderr-match: ^pgasim: warning: rank 1 .*: shmem_long_get: the local buffer \(80 bytes at heap block of 800 bytes \(shmem_malloc in main, \S+\)\) and the memory of PE 1 \(at heap block\+40 of 800 bytes \(shmem_malloc in main, \S+\)\) overlap$
// run: --strict -np 3 -- overlap_nbi
// status: 5
// stderr-match: ^pgasim: error: rank 1 .*: shmem_long_put_nbi: .*overlap \(an error because of --strict: misuse/overlap\)$
// run: -np 3 -- overlap_strided
// stderr-match: ^pgasim: warning: rank 1 .*: shmem_long_iput: .*overlap$
// run: -np 3 -- overlap_ptr
// stderr-match: ^pgasim: warning: rank 1 .*: shmem_long_put: the local buffer \(80 bytes at PE 2's heap block of 800 bytes .*\) and the memory of PE 2 \(at PE 2's heap block\+40 of 800 bytes .*\) overlap$
// run: -np 3 -- null_put
// status: 5
// stderr-match: ^pgasim: error: rank 1 .*: shmem_long_put: the local buffer is a null pointer, for 80 bytes$
// run: -np 3 -- null_get
// status: 5
// stderr-match: ^pgasim: error: rank 1 .*: shmem_long_get_nbi: the local buffer is a null pointer, for 80 bytes$
// run: -np 3 -- null_strided
// status: 5
// stderr-match: ^pgasim: error: rank 1 .*: shmem_long_iget: the local buffer is a null pointer
// run: -np 3 -- null_fetch
// status: 5
// stderr-match: ^pgasim: error: rank 1 .*: shmem_long_atomic_fetch_nbi: the local buffer is a null pointer, for 8 bytes$
// run: -np 3 -- past
// stderr-match: ^pgasim: warning: rank 1 .*: shmem_long_get: the local buffer of 80 bytes runs 40 bytes past the end of heap block\+760 of 800 bytes \(shmem_malloc in main, misuse_buffers.c:\d+\)$
// run: -np 3 -- freed
// stderr-match: ^pgasim: warning: rank 1 .*: shmem_long_put: the local buffer of 80 bytes is not allocated: freed heap block of 800 bytes \(shmem_malloc in main, \S+; freed at \S+ \S+ by shmem_free in main, misuse_buffers.c:\d+\)$
// run: -np 3 --map-by host -- foreign
// status: 5
// stderr-match: ^pgasim: error: rank 1 .*: shmem_long_get: the local buffer is at PE 0's heap block of 800 bytes \(.*\), in the memory of another host
// run: -np 3 -- symmetric
// status: 5
// stderr-match: ^pgasim: error: rank 1 .*: shmem_long_put: .*not a symmetric address: in another PE's symmetric heap
// run: --strict -np 3 -- misaligned
// status: 5
// stderr-match: ^pgasim: error: rank 1 .*: shmem_long_atomic_inc: a\+4 \(800 bytes, misuse_buffers.c:\d+\) is not aligned to its 8 bytes \(an error because of --strict: misuse/[\w-]+\)$
// run: --strict -np 3 -- free_static
// status: 5
// stderr-match: ^pgasim: error: rank \d .*: shmem_free: the argument is not the start of an allocated block: a \(800 bytes, misuse_buffers.c:\d+\) \(an error because of --strict: misuse/[\w-]+\)$
#include <shmem.h>
#include <stdint.h>
#include <string.h>

static long a[100];
static uintptr_t address;

/* All of this is allowed. */
static void right(long *heap)
{
    long local[10] = {0};
    shmem_long_put(a, a, 100, 2);
    shmem_long_put(heap, heap, 100, 2);
    shmem_long_put(a + 10, a, 10, 1);
    shmem_long_put(a, a + 10, 10, 1);
    shmem_long_get(heap + 10, heap, 10, 1);
    shmem_long_put(NULL, NULL, 0, 1);
    shmem_long_iput(a, a + 1, 2, 2, 10, 1);
    shmem_long_iput(a + 50, a, 2, 2, 25, 1);
    shmem_long_iget(heap, heap + 1, 2, 2, 50, 1);
    shmem_long_get_nbi(local, heap, 10, 1);
    long *two = shmem_ptr(heap, 2);
    if (two)
        shmem_long_put(heap + 20, two, 20, 2);
    shmem_quiet();
}

static void wrong(const char *what, long *heap, long *freed)
{
    long local[10] = {0};
    if (strcmp(what, "right") == 0)
        right(heap);
    else if (strcmp(what, "overlap_put") == 0)
        shmem_long_put(a, a + 1, 4, 1);
    else if (strcmp(what, "overlap_get") == 0)
        shmem_long_get(heap, heap + 5, 10, 1);
    else if (strcmp(what, "overlap_nbi") == 0)
        shmem_long_put_nbi(heap, heap, 10, 1);
    else if (strcmp(what, "overlap_strided") == 0)
        shmem_long_iput(a, a + 2, 2, 2, 10, 1);
    else if (strcmp(what, "overlap_ptr") == 0)
        shmem_long_put(heap + 5, shmem_ptr(heap, 2), 10, 2);
    else if (strcmp(what, "null_put") == 0)
        shmem_long_put(heap, NULL, 10, 2);
    else if (strcmp(what, "null_get") == 0)
        shmem_long_get_nbi(NULL, heap, 10, 2);
    else if (strcmp(what, "null_strided") == 0)
        shmem_long_iget(NULL, heap, 2, 2, 10, 2);
    else if (strcmp(what, "null_fetch") == 0)
        shmem_long_atomic_fetch_nbi(NULL, heap, 2);
    else if (strcmp(what, "past") == 0)
        shmem_long_get(heap + 95, a, 10, 2);
    else if (strcmp(what, "freed") == 0)
        shmem_long_put(a, freed, 10, 2);
    else if (strcmp(what, "foreign") == 0)
        shmem_long_get((long *)address, a, 10, 2);
    else if (strcmp(what, "symmetric") == 0)
        shmem_long_put((long *)address, local, 10, 2);
    else if (strcmp(what, "misaligned") == 0)
        shmem_long_atomic_inc((long *)(void *)((char *)a + 4), 2);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    shmem_init();
    long *heap = shmem_malloc(100 * sizeof *heap), *freed = shmem_malloc(100 * sizeof *freed);
    shmem_free(freed);
    if (shmem_my_pe() == 0) {
        uintptr_t mine = (uintptr_t)heap;
        shmem_putmem(&address, &mine, sizeof mine, 1);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        wrong(what, heap, freed);
    if (strcmp(what, "free_static") == 0)
        shmem_free(a);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
