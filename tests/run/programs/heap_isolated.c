/* SPDX-License-Identifier: BSD-3-Clause */
/* What one rank does to its heap changes no other rank's blocks: it writes past the end of a block, frees one
 * twice, frees another rank's, never frees. All others go on with theirs; where the job ends, the report names
 * the rank and the line. */
// build: $OSHCC -g -O1 -fno-builtin "$SRC" -o $EXE
// run: -np 4 -- none
// stdout: 3 of 3 other ranks are right
// run: -np 4 -- overrun
// stdout: 3 of 3 other ranks are right
// stderr-not: error
// run: -np 1000 -- overrun
// stdout: 999 of 999 other ranks are right
// stderr-not: error
// run: -np 4 -- late
// stdout: 3 of 3 other ranks are right
// run: -np 4 -- leak
// stdout: 3 of 3 other ranks are right
// run: -np 1000 -- leak
// stdout: 999 of 999 other ranks are right
// run: -np 4 -- far
// status: 139
// stderr-match: ^pgasim: error: rank 2 \(host \S+\) at \S+ \S+ was ended by signal 11 \(Segmentation fault\) at address \S+ \(rank 2's heap, but no block\), in misbehave, heap_isolated.c:\d+$
// run: -np 1000 -- far
// status: 139
// stderr-match: ^pgasim: error: rank 500 .*was ended by signal 11 .*\(rank 500's heap, but no block\)
// run: -np 4 -- next
// status: 134
// stderr-match: ^pgasim: error: rank 2 \(host \S+\) at \S+ \S+: the heap is damaged: a block of at most 40 bytes: the bytes behind its end were written to
// stderr-match: ^pgasim:   called in misbehave, heap_isolated.c:\d+$
// run: -np 1000 -- next
// status: 134
// stderr-match: ^pgasim: error: rank 500 .*: the heap is damaged: a block of at most 40 bytes
// run: -np 4 -- twice
// status: 134
// stderr-match: ^pgasim: error: rank 2 \(host \S+\) at \S+ \S+: free: the block was freed before: rank 2's freed block\+0 of at most 56 bytes$
// stderr-match: ^pgasim:   called in misbehave, heap_isolated.c:\d+$
// run: -np 1000 -- twice
// status: 134
// stderr-match: ^pgasim: error: rank 500 .*: free: the block was freed before: rank 500's freed block
// run: -np 4 -- large_twice
// status: 134
// stderr-match: ^pgasim: error: rank 2 .*: free: the block was freed before|the pointer is not the start of a block
// run: -np 4 -- foreign
// status: 134
// stderr-match: ^pgasim: error: rank 2 \(host \S+\) at \S+ \S+: free: the pointer is another rank's: rank 0's block\+0 of at most 104 bytes; on a cluster it has no meaning here$
// stderr-match: ^pgasim:   called in misbehave, heap_isolated.c:\d+$
// run: -np 1000 -- foreign
// status: 134
// stderr-match: ^pgasim: error: rank 500 .*: free: the pointer is another rank's: rank 0's block
// run: -np 4 -- foreign_realloc
// status: 134
// stderr-match: ^pgasim: error: rank 2 .*: realloc: the pointer is another rank's: rank 0's block
// run: -np 4 -- inside
// status: 134
// stderr-match: ^pgasim: error: rank 2 .*: free: the pointer is not the start of a block: rank 2's block\+16 of at most 104 bytes$
// run: -np 4 -- written_free
// status: 134
// stderr-match: ^pgasim: error: rank 2 .*: the heap is damaged: .*a freed block was written to
// run: -np 4 --set heap/ranks=3 -- twice
// status: 134
// stderr-match: ^pgasim: error: rank 2 .*: free: the block was freed before: the ranks' freed block
// run: -np 4 --set heap/ranks=3 -- none
// stdout: 3 of 3 other ranks are right
// run: -np 4 --set heap/ranks=0 -- none
// stdout: 3 of 3 other ranks are right
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 60 };
static char *block[BLOCKS];
static char *shared; /* at the same place in each rank */
static long right;
static int me;

static size_t size_of(int k)
{
    return (size_t)(k * 131 % 700 + 1);
}

static void fill(int k)
{
    memset(block[k], me * 7 + k, size_of(k));
}

static int is_right(int k)
{
    for (size_t n = 0; n < size_of(k); n++)
        if (block[k][n] != (char)(me * 7 + k))
            return 0;
    return 1;
}

static __attribute__((noinline)) void misbehave(const char *how)
{
    volatile char *small = malloc(40), *next = malloc(40);
    char *other;
    shmem_getmem(&other, &shared, sizeof other, 0);
    if (!strcmp(how, "overrun"))
        for (int k = 0; k < 8000; k++)
            small[k] = (char)0xff;
    else if (!strcmp(how, "far"))
        for (int k = 0; k < 1 << 20; k++)
            small[k] = (char)0xff;
    else if (!strcmp(how, "next"))
        next[0] = 1, small[40] = 0;
    if (!strcmp(how, "next") || !strcmp(how, "none")) {
        free((char *)small);
        free((char *)next);
    } else if (!strcmp(how, "twice")) {
        char *p = malloc(50);
        free(p);
        free(p);
    } else if (!strcmp(how, "large_twice")) {
        char *p = malloc(50000), *q = malloc(50000);
        free(p);
        free(q);
        free(q);
    } else if (!strcmp(how, "written_free")) {
        char *p = malloc(50);
        free(p);
        memset(p - 8, 1, 50);
        free(malloc(50));
    } else if (!strcmp(how, "foreign")) {
        free(other);
    } else if (!strcmp(how, "foreign_realloc")) {
        free(realloc(other, 300));
    } else if (!strcmp(how, "inside")) {
        free(shared + 16);
    } else if (!strcmp(how, "leak")) {
        for (int k = 0; k < 1000; k++)
            memset(malloc(1000), 1, 1000);
    }
}

/* Long after: in the block's place in other ranks' heaps. */
static void misbehave_late(volatile char *p)
{
    for (int k = 40; k < 4000; k++)
        p[k] = (char)0xff;
}

int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    int bad = shmem_n_pes() / 2, ok = 1;
    shared = malloc(100);
    char *last = malloc(40);
    for (int k = 0; k < BLOCKS; k++) {
        block[k] = malloc(size_of(k));
        fill(k);
    }
    shmem_barrier_all();
    if (me == bad && argc > 1)
        misbehave(argv[1]);
    shmem_barrier_all();
    for (int turn = 0; turn < 3 && me != bad; turn++) {
        for (int k = 0; k < BLOCKS; k++)
            ok &= is_right(k);
        for (int k = turn; k < BLOCKS; k += 3) {
            free(block[k]);
            block[k] = calloc(1, size_of(k));
            for (size_t n = 0; n < size_of(k); n++)
                ok &= block[k][n] == 0;
            fill(k);
        }
        shmem_barrier_all();
    }
    for (int turn = 0; turn < 3 && me == bad; turn++)
        shmem_barrier_all();
    if (me == bad && argc > 1 && !strcmp(argv[1], "late"))
        misbehave_late(last);
    shmem_barrier_all();
    for (int k = 0; k < BLOCKS && me != bad; k++) {
        ok &= is_right(k);
        free(block[k]);
    }
    if (me != bad)
        shmem_long_atomic_add(&right, ok, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("%ld of %d other ranks are right\n", right, shmem_n_pes() - 1);
    shmem_finalize();
    return 0;
}
