/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that poll memory without a call, in the forms that programs have, go on when it changes, at the same
 * simulated time in every run. A loop that also counts or calls is warned of.
 */
// build: $PGASIM info settings | grep -q fold/poll-slice
// build: $OSHCC -g -O2 -c "$SRC" -o $W/fast.o
// build: $OSHCC -g $W/fast.o -o $EXE
// build: $OSHCC -g -O0 "$SRC" -o $EXE.plain
// run: -np 7 -- volatile 3
// stdout: volatile: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain volatile 3
// stdout: volatile: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- atomic 3
// stdout: atomic: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain atomic 3
// stdout: atomic: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- builtin 3
// stdout: builtin: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain builtin 3
// stdout: builtin: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- pause 3
// stdout: pause: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain pause 3
// stdout: pause: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- barrier 3
// stdout: barrier: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain barrier 3
// stdout: barrier: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- counter 3
// stdout: counter: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain counter 3
// stdout: counter: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- function 3
// stdout: function: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain function 3
// stdout: function: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- heap 3
// stdout: heap: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain heap 3
// stdout: heap: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- int 3
// stdout: int: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain int 3
// stdout: int: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- byte 3
// stdout: byte: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain byte 3
// stdout: byte: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- several 3
// stdout: several: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain several 3
// stdout: several: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- swap 3
// stdout: swap: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain swap 3
// stdout: swap: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- yield 3
// stdout: yield: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain yield 3
// stdout: yield: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- usleep 3
// stdout: usleep: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain usleep 3
// stdout: usleep: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 7 -- clock 3
// stdout: clock: 3 rounds
// stderr-not: warning
// times: 1
// shell: $RUN -np 7 $EXE.plain clock 3
// stdout: clock: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 2 -- volatile 3
// stdout: volatile: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 64 -- volatile 3
// stdout: volatile: 3 rounds
// stderr-not: warning
// times: 5
// jobs: 2
// run: -np 1000 -- volatile 3
// stdout: volatile: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 2 -- counter 3
// stdout: counter: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 64 -- counter 3
// stdout: counter: 3 rounds
// stderr-not: warning
// times: 5
// jobs: 2
// run: -np 1000 -- counter 3
// stdout: counter: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 2 -- function 3
// stdout: function: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 64 -- function 3
// stdout: function: 3 rounds
// stderr-not: warning
// times: 5
// jobs: 2
// run: -np 1000 -- function 3
// stdout: function: 3 rounds
// stderr-not: warning
// times: 1
// run: -np 3 -- query 2
// stdout: query: 2 rounds
// stderr-match: warning: rank \d+ \(host \S+\) at .* polls memory without a call in (await, poll_forms\.c:\d+|\S+\+0x\w+), in a loop that also counts, stores, or calls functions
// times: 1
// varies: the loop is not proven
// run: -np 3 -- queries 2
// stdout: queries: 2 rounds
// stderr-match: warning: rank \d+ \(host \S+\) at .* polls memory without a call in (await, poll_forms\.c:\d+|\S+\+0x\w+), in a loop that also counts, stores, or calls functions
// times: 1
// varies: the loop is not proven
// run: -np 3 -- bounded 2
// stdout: bounded: 2 rounds
// stderr-match: warning: rank \d+ \(host \S+\) at .* polls memory without a call in (await, poll_forms\.c:\d+|\S+\+0x\w+), in a loop that also counts, stores, or calls functions
// times: 1
// varies: the loop is not proven
// run: -np 2 -- volatile 10000
// stdout: volatile: 10000 rounds
// stderr-not: warning
// times: 1
#include <sched.h>
#include <shmem.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile long flag;
static _Atomic long flagged;
static long plain;
static volatile int word;
static volatile long several[64];
static volatile char byte;
static long *heap;

#define BARRIER() __asm__ volatile("" ::: "memory")
static void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("yield");
#endif
}

__attribute__((noinline)) static int is_set(volatile long *p, long k)
{
    return *p >= k;
}

/* A turn with this takes a large part of what is recorded of one. */
static void ask_often(void)
{
#define FOUR(x) x, x, x, x
    FOUR(FOUR((void)shmem_my_pe()));
}

static void await(const char *form, long k)
{
    long spins = 0;
    if (!strcmp(form, "volatile"))
        while (flag < k)
            ;
    else if (!strcmp(form, "atomic"))
        while (atomic_load(&flagged) < k)
            ;
    else if (!strcmp(form, "builtin"))
        while (__atomic_load_n(&plain, __ATOMIC_ACQUIRE) < k)
            ;
    else if (!strcmp(form, "pause"))
        while (flag < k)
            pause_briefly();
    else if (!strcmp(form, "barrier"))
        while (plain < k)
            BARRIER();
    else if (!strcmp(form, "counter"))
        while (flag < k)
            spins++;
    else if (!strcmp(form, "function"))
        while (!is_set(&flag, k))
            ;
    else if (!strcmp(form, "heap"))
        while (*(volatile long *)heap < k)
            ;
    else if (!strcmp(form, "int"))
        while (word != k)
            ;
    else if (!strcmp(form, "byte"))
        while (byte != (char)k)
            ;
    else if (!strcmp(form, "several"))
        for (int i = 0; several[i] < k; i = (i + 1) % 64)
            ;
    else if (!strcmp(form, "swap"))
        while (__sync_lock_test_and_set(&plain, -1) < k)
            ;
    else if (!strcmp(form, "yield"))
        while (flag < k)
            sched_yield();
    else if (!strcmp(form, "usleep"))
        while (flag < k)
            usleep(1);
    else if (!strcmp(form, "clock"))
        while (flag < k) {
            struct timespec t;
            clock_gettime(CLOCK_MONOTONIC, &t);
        }
    else if (!strcmp(form, "query"))
        while (flag < k)
            (void)shmem_my_pe();
    else if (!strcmp(form, "queries"))
        while (flag < k)
            ask_often();
    else if (!strcmp(form, "bounded"))
        for (spins = 0; spins < 1L << 40 && flag < k; spins++)
            ;
    else {
        printf("%s?\n", form);
        exit(1);
    }
    if (spins < 0)
        printf("?\n");
}

static void tell(const char *form, long k, int pe)
{
    if (!strcmp(form, "atomic"))
        shmem_long_p((long *)&flagged, k, pe);
    else if (!strcmp(form, "builtin") || !strcmp(form, "barrier") || !strcmp(form, "swap"))
        shmem_long_p(&plain, k, pe);
    else if (!strcmp(form, "heap"))
        shmem_long_p(heap, k, pe);
    else if (!strcmp(form, "int"))
        shmem_int_p((int *)&word, (int)k, pe);
    else if (!strcmp(form, "byte"))
        shmem_char_p((char *)&byte, (char)k, pe);
    else if (!strcmp(form, "several"))
        for (int i = 0; i < 64; i++)
            shmem_long_p((long *)&several[i], k, pe);
    else
        shmem_long_p((long *)&flag, k, pe);
}

int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), rounds = argc > 2 ? atoi(argv[2]) : 3;
    heap = shmem_calloc(2, sizeof *heap);
    if (!strcmp(argv[1], "swap"))
        plain = -1;
    shmem_barrier_all();
    for (long k = 1; k <= rounds; k++) {
        if (me)
            await(argv[1], k);
        tell(argv[1], k, (me + 1) % n);
        if (!me)
            await(argv[1], k);
    }
    shmem_barrier_all();
    if (!me)
        printf("%s: %d rounds\n", argv[1], rounds);
    shmem_free(heap);
    shmem_finalize();
    return 0;
}
