/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that needs more than its stack is told so, whatever the size of the frame and however little of it
 * is touched, and no other rank's memory changes. The frames are in this file (blocks of any size), in a
 * library of the program's own, and in an object that another command compiled, which touches no page that
 * it need not. Arguments: where, the rank (-1: all), bytes; or chain, the rank, bytes of the last frame,
 * bytes of those above it. */
// build: $OSHCC --showme:compile | grep -q -e -fstack-clash-protection
// build: mkdir -p lib && $OSHCC -g -O2 -shared -o lib/libdig.so -DDIG=dig_library $DIR/dig.c
// build: $CC -g -O2 -fPIC -fno-stack-clash-protection -c -DDIG=dig_foreign -o foreign.o $DIR/dig.c
// build: $OSHCC -g $DIR/main.c foreign.o -Llib -ldig -Wl,-rpath,'$ORIGIN/lib' -o $EXE
// run: -np 1000 -- here 777 300000
// times: 1
// status: 139
// stderr-match: error: rank 777 \(host \S+\) at \S+ \S+: stack overflow: its stack of 512\S* KiB is full, in dig_here.*--stack-size
// stderr-not: rank (?!777)|warning
// run: -np 1000 --stack-size 4MiB -- here 777 300000
// times: 1
// stdout: rank 777 used 600000 bytes
// run: -np 1000 -- library 500 300000
// times: 1
// stdout: rank 500 used 300000 bytes
// run: -np 1000 --stack-size 256KiB -- library 500 300000
// times: 1
// status: 139
// stderr-match: error: rank 500 .*stack overflow: .*, in frame_300000
// run: -np 1000 --stack-size 256KiB --strict -- foreign 500 300000
// times: 1
// status: 139
// stderr-match: error: rank 500 .*stack overflow: .*, in frame_300000
// run: -np 3 -- here 1 9437184
// times: 1
// status: 139
// stderr-match: error: rank 1 .*stack overflow
// stderr-not: rank (?!1 )
// run: -np 3 --strict -- here 2 734003200
// times: 1
// status: 139
// stderr-match: error: rank 2 .*stack overflow
// stderr-not: rank (?!2 )
// run: -np 3 -- library 1 52428800
// times: 1
// status: 139
// stderr-match: error: rank 1 .*stack overflow
// stderr-not: rank (?!1 )
// run: -np 3 -- library 0 734003200
// times: 1
// status: 139
// stderr-match: error: rank 0 .*stack overflow
// stderr-not: rank (?!0 )
// run: -np 3 -- foreign 1 9437184
// times: 1
// status: 139
// stderr-match: error: rank 1 .*stack overflow
// stderr-not: rank (?!1 )
// run: -np 3 --strict -- foreign 0 52428800
// times: 1
// status: 139
// stderr-match: error: rank 0 .*stack overflow
// stderr-not: rank (?!0 )
// run: -np 3 -- foreign 2 734003200
// times: 1
// status: 139
// stderr-match: error: rank 2 .*stack overflow
// stderr-not: rank (?!2 )
// run: -np 3 --stack-size 512KiB -- here 1 536576
// times: 1
// status: 139
// stderr-match: error: rank 1 .*stack overflow
// stderr-not: rank (?!1 )
// run: -np 3 --stack-size 512KiB -- library 1 536576
// times: 1
// status: 139
// stderr-match: error: rank 1 .*stack overflow
// stderr-not: rank (?!1 )
// run: -np 3 --stack-size 512KiB -- foreign 0 536576
// times: 1
// status: 139
// stderr-match: error: rank 0 .*stack overflow
// stderr-not: rank (?!0 )
// run: -np 3 --stack-size 512KiB -- foreign 2 536576
// times: 1
// status: 139
// stderr-match: error: rank 2 .*stack overflow
// stderr-not: rank (?!2 )
// run: -np 64 --set fold/stacks=shared -- here 5 9437184
// times: 1
// status: 139
// stderr-match: error: rank 5 .*stack overflow
// stderr-not: rank (?!5 )
// run: -np 64 --set fold/stacks=shared -- foreign 5 734003200
// times: 1
// status: 139
// stderr-match: error: rank 5 .*stack overflow
// stderr-not: rank (?!5 )
// run: -np 5000 -- foreign 4999 536576
// times: 1
// status: 139
// stderr-match: error: rank 4999 .*stack overflow
// stderr-not: rank (?!4999 )
// privatize: swap
// shell: python3 $DIR/random.py $EXE 1 20
// times: 1
// stdout: all right
// run: -np 3 -- here -1 1000000
// stdout-has: rank 0 used 2000000 bytes
// stdout-has: rank 2 used 2000000 bytes
// run: -np 40000 --stack-size 64KiB --set fold/stacks=own -- here 20000 65536
// privatize: swap
// times: 1
// status: 139
// stderr-match: error: rank 20000 .*stack overflow
#include <alloca.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MINE = 2048 };

size_t dig_library(size_t bytes);
size_t dig_foreign(size_t bytes);

static __attribute__((noinline)) size_t dig_here(size_t bytes)
{
    volatile char *room = alloca(bytes);
    room[0] = 1;
    return bytes + (size_t)(room[0] - 1);
}

static __attribute__((noinline)) size_t dig_twice(size_t bytes)
{
    volatile char *room = alloca(bytes);
    room[0] = 1;
    return bytes + dig_here(bytes) + (size_t)(room[0] - 1);
}

/* Blocks of these sizes below each other, touched somewhere, then a frame of the other object. */
static __attribute__((noinline)) size_t dig_chain(char **sizes, size_t last)
{
    if (!*sizes)
        return last ? dig_foreign(last) : 0;
    size_t bytes = (size_t)atol(*sizes);
    volatile char *room = alloca(bytes);
    room[bytes * 7 / 10] = 1;
    return bytes + dig_chain(sizes + 1, last) + (size_t)(room[bytes * 7 / 10] - 1);
}

static size_t dig(const char *where, size_t bytes, char **more)
{
    if (!strcmp(where, "chain"))
        return dig_chain(more, bytes);
    if (!strcmp(where, "here"))
        return dig_twice(bytes);
    return strcmp(where, "library") ? dig_foreign(bytes) : dig_library(bytes);
}

int main(int argc, char **argv)
{
    int me, who = argc > 2 ? atoi(argv[2]) : 0, wrong = 0;
    volatile char mine[MINE];
    shmem_init();
    me = shmem_my_pe();
    for (int k = 0; k < MINE; k++)
        mine[k] = (char)(me + k);
    shmem_barrier_all();
    if (me == who || who < 0)
        printf("rank %d used %zu bytes\n", me, dig(argv[1], (size_t)atol(argv[3]), argv + 4));
    shmem_barrier_all();
    for (int k = 0; k < MINE; k++)
        wrong += mine[k] != (char)(me + k);
    if (wrong)
        printf("rank %d: %d bytes of its array have changed\n", me, wrong);
    shmem_finalize();
    return 0;
}
