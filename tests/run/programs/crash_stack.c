/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a crash: the rank, the line, the calls that led there, also those that were inlined and
 * those of a recursion, and what the address belongs to. */
// build: $OSHCC -g -O1 $SRC -o $EXE
// build: $OSHCC -O1 -s $SRC -o stripped
// run: -np 4 -- null
// status: 139
// stderr-match: error: rank 2 \(host \S+\) at \S+ \S+ was ended by signal 11 .*at address 0x10 \(near NULL\), in inlined, crash_stack.c:\d+\n.*: +called in fall, crash_stack.c:\d+\n.*: +called in crash, crash_stack.c:\d+\n.*: +called in main, crash_stack.c:\d+\n$
// run: -np 300 --set fold/stacks=shared -- null
// times: 1
// status: 139
// stderr-match: error: rank 2 .*in inlined, crash_stack.c:\d+\n.*called in fall, .*\n.*called in crash, .*\n.*called in main, crash_stack.c
// shell: $RUN -np 4 ./stripped null
// status: 139
// stderr-match: error: rank 2 .*at address 0x10 \(near NULL\), in \? \(stripped\+0x[0-9a-f]+\)
// run: -np 4 -- recursion
// status: 139
// stderr-match: called in down, crash_stack.c:\d+ \(1000 times\)\n(.*\n)*.*called in main
// run: -np 4 -- ring
// status: 139
// stderr-match: in inlined(.*\n)+.*called in (odd|even), .*\n(.*\n)+.*\.\.\. \d+ more calls\n(.*\n)+.*called in main
// run: -np 4 -- function
// status: 139
// stderr-match: signal 11 .*at address 0x8 \(near NULL\), in crash, crash_stack.c
// run: -np 4 -- libc
// status: 139
// stderr-match: signal 11 .*at address 0x18 \(near NULL\), in .*\(?libc.so.6\)?\n(.*libc.so.6\)?\n)*.*called in length, crash_stack.c:\d+\n(.*\n)*.*called in main
// run: -np 4 -- abort
// status: 134
// stderr-match: signal 6 \(Aborted\), in crash, crash_stack.c:\d+
// run: -np 4 -- wild
// status: 139
// stderr-match: at address 0x123456789000 \(not mapped\), in crash
// run: -np 4 -- nowhere
// status: 139
// stderr-match: signal 11 .* at an address that is not one of memory, in crash
// run: -np 4 -- constant
// status: 139
// stderr-match: \(read-only table\+4 \(400 bytes\)\), in crash
// run: -np 4 -- code
// status: 139
// stderr-match: \(function main\), in crash
// run: -np 4 -- copy
// privatize: dlopen
// status: 139
// stderr-match: \(rank 1's copy of read-only table\+8 \(400 bytes\)\), in crash
// run: -np 4 --set fold/stacks=own -- guard
// status: 139
// stderr-match: rank 2 .*signal 11 .*\(in the guard below rank 1's stack\), in crash
// stderr-not: overflow
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv);
static const int table[100] = {1, 2, 3};
static const void *places[2];
static char *frames[4];

static inline int inlined(volatile int *p)
{
    return p[4];
}

__attribute__((noinline)) static int fall(volatile int *p)
{
    return inlined(p) + 1;
}

__attribute__((noinline)) static int down(int n, volatile int *p)
{
    return (n ? down(n - 1, p) : fall(p)) + 1;
}

static int odd(int n, volatile int *p);
__attribute__((noinline)) static int even(int n, volatile int *p)
{
    return (n ? odd(n - 1, p) : fall(p)) + 1;
}
__attribute__((noinline)) static int odd(int n, volatile int *p)
{
    return (n ? even(n - 1, p) : fall(p)) + 2;
}

__attribute__((noinline)) static size_t length(const char *volatile text)
{
    return strlen(text) + 1;
}

static int crash(const char *how)
{
    static volatile int none;
    volatile uintptr_t at = 0x123456789000;
    if (!strcmp(how, "recursion"))
        return down(1000, NULL);
    if (!strcmp(how, "ring"))
        return even(101, NULL);
    if (!strcmp(how, "function"))
        return ((int (*)(int))(uintptr_t)(none + 8))(1);
    if (!strcmp(how, "libc"))
        return (int)length((char *)24);
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "wild"))
        *(volatile int *)at = 1;
    if (!strcmp(how, "nowhere"))
        *(volatile int *)(at << 16 | UINT64_C(1) << 63) = 1;
    if (!strcmp(how, "constant"))
        *(volatile int *)(uintptr_t)&table[none + 1] = 1;
    if (!strcmp(how, "code"))
        *(volatile int *)(uintptr_t)&main = 1;
    if (!strcmp(how, "copy"))
        *(volatile int *)(uintptr_t)places[0] = 1;
    if (!strcmp(how, "guard"))
        frames[1][-(8 << 20) - (20 << 10)] = 1; /* of rank 1's stack of 8 MiB */
    return fall(NULL);
}

int main(int argc, char **argv)
{
    int here = 0;
    const void *mine = &table[2];
    char *frame = (char *)&here;
    (void)argc;
    shmem_init();
    if (shmem_my_pe() == 1) {
        shmem_putmem(&places[0], &mine, sizeof mine, 2);
        shmem_putmem(&frames[1], &frame, sizeof frame, 2);
    }
    shmem_barrier_all();
    if (shmem_my_pe() == 2)
        here = crash(argv[1]);
    shmem_barrier_all();
    shmem_finalize();
    return here & 1;
}
