/* SPDX-License-Identifier: BSD-3-Clause */
/* --leaks lists the blocks that were not freed, by line, equal ranks together; --heap-guard finds writes past
 * the ends of a block, and into a freed one, and says where the block was allocated and freed. */
// build: $OSHCC -g -O0 "$SRC" -o $EXE
// run: -np 4 --leaks -- right
// stdout: right
// stderr-match: ^pgasim:   leaks: none$
// run: -np 4 --leaks --heap-guard -- right
// stdout: right
// stderr-match: ^pgasim:   leaks: none$
// run: -np 4 --leaks -- leak
// stdout: leak
// stderr-match: \Apgasim:   leak: ranks 0-3: 160 bytes in 4 blocks each; allocated in all_alike, heap_traced.c:\d+\npgasim:   leak: ranks 1, 3: 100 bytes in 1 block each; allocated in odd_ones, heap_traced.c:\d+\n\Z
// run: -np 1000 --leaks -- leak
// stdout: leak
// stderr-match: ^pgasim:   leak: ranks 0-999: 160 bytes in 4 blocks each; allocated in all_alike, heap_traced.c:\d+$
// stderr-match: ^pgasim:   leak: ranks 1, 3, 5, 7, 9, 11, 13, 15, \.\.\.: 100 bytes in 1 block each; allocated in odd_ones, heap_traced.c:\d+$
// run: -np 4 --set heap/leaks=yes --heap-guard -- leak
// stdout: leak
// stderr-match: ^pgasim:   leak: ranks 0-3: 160 bytes in 4 blocks each; allocated in all_alike, heap_traced.c:\d+$
// run: -np 4 --leaks -- twice
// status: 134
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: free: a block of 30 bytes was freed before; allocated in misbehave, heap_traced.c:\d+; freed in misbehave, heap_traced.c:\d+$
// stderr-match: ^pgasim:   called in misbehave, heap_traced.c:\d+$
// stderr-not: leaks: none
// run: -np 1000 --heap-guard -- twice
// status: 134
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: free: a block of 30 bytes was freed before; allocated in misbehave, heap_traced.c:\d+; freed in misbehave, heap_traced.c:\d+$
// run: -np 4 --heap-guard -- over
// status: 134
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_barrier_all: a block of 30 bytes was written to behind its end, 0 bytes from there; allocated in misbehave, heap_traced.c:\d+$
// stderr-match: ^pgasim:   called in main, heap_traced.c:\d+$
// run: -np 1000 --heap-guard -- over
// status: 134
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_barrier_all: a block of 30 bytes was written to behind its end
// run: -np 4 --heap-guard -- over_free
// status: 134
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: free: a block of 30 bytes was written to behind its end, 3 bytes from there; allocated in misbehave, heap_traced.c:\d+$
// stderr-match: ^pgasim:   called in misbehave, heap_traced.c:\d+$
// run: -np 4 --heap-guard -- under
// status: 134
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_barrier_all: a block of 30 bytes was written to before its start; allocated in misbehave, heap_traced.c:\d+$
// run: -np 4 --heap-guard -- after
// status: 134
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: shmem_barrier_all: byte 7 of a block of 30 bytes was written to after it was freed; allocated in misbehave, heap_traced.c:\d+; freed in misbehave, heap_traced.c:\d+$
// run: -np 4 --heap-guard -- at_end
// status: 134
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: exit: a block of 40 bytes was written to behind its end, 0 bytes from there; allocated in main, heap_traced.c:\d+$
// run: -np 4 --heap-guard -- foreign
// status: 134
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: free: the pointer is another rank's: rank 0's block\+0 of 40 bytes; allocated in main, heap_traced.c:\d+; on a cluster
// run: -np 4 --leaks --jobs 2 -- leak
// stdout: leak
// stderr-match: ^pgasim:   leak: ranks 0-3: 160 bytes in 4 blocks each; allocated in all_alike, heap_traced.c:\d+$
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *shared;

static void *all_alike(void)
{
    return malloc(40);
}

static void *odd_ones(void)
{
    return calloc(10, 10);
}

static void misbehave(const char *how)
{
    char *p = malloc(30), *other;
    volatile char *q = p;
    shmem_getmem(&other, &shared, sizeof other, 0);
    memset(p, 0, 30);
    if (!strcmp(how, "over"))
        q[30] = 1;
    if (!strcmp(how, "over_free"))
        q[33] = 1;
    if (!strcmp(how, "under"))
        q[-1] = 1;
    if (!strcmp(how, "foreign"))
        free(other);
    if (strcmp(how, "over") != 0 && strcmp(how, "under") != 0)
        free(p);
    if (!strcmp(how, "twice"))
        free(p);
    if (!strcmp(how, "after"))
        q[7] = 1;
}

int main(int argc, char **argv)
{
    shmem_init();
    const char *how = argc > 1 ? argv[1] : "right";
    int leak = !strcmp(how, "leak"), me = shmem_my_pe();
    void *p[4], *q = NULL;
    shared = malloc(40);
    for (int k = 0; k < 4; k++)
        p[k] = all_alike();
    if (shmem_my_pe() % 2)
        q = odd_ones();
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        misbehave(how);
    shmem_barrier_all();
    for (int k = 0; k < 4 && !leak; k++)
        free(p[k]);
    if (!leak)
        free(q);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        puts(how);
    shmem_finalize();
    if (!strcmp(how, "at_end") && me == 1)
        ((volatile char *)shared)[40] = 1;
    else
        free(shared);
    return 0;
}
