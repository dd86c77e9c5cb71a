/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Polls of memory that another thread of the rank, or another rank through a pointer, stores to; that of another
 * rank; polls that never end, or that a signal ends. Ranks that compute are not put aside.
 */
// build: $PGASIM info settings | grep -q fold/poll-slice
// build: $OSHCC -g -O2 -pthread "$SRC" -o $EXE
// run: -np 3 -- threads
// stdout: threads 5
// stderr-not: warning
// run: -np 4 -- pointer
// stdout: pointer 3
// stderr-not: warning
// run: -np 4 -- static-pointer
// stdout: static-pointer 5
// stderr-not: warning
// run: -np 4 -- remote
// stdout: remote 7
// stderr-not: warning
// run: -np 4 -- masked
// stdout: masked
// stderr-not: warning
// run: -np 4 -- own-handler
// stdout: own-handler
// stderr-not: warning
// run: -np 4 -- deadlock
// status: 3
// stderr-match: memory polled without a call: 1 rank: 1
// stderr-match: rank 1 since .*: looks at flag \(8 bytes, poll_kinds\.c:\d+\) in main, poll_kinds\.c:\d+
// stderr-match: shmem_barrier_all: 3 ranks: 0, 2-3
// run: -np 4 --set fold/stall-after=0.3s -- unproven-deadlock
// status: 3
// stderr-match: warning: rank 1 .* polls memory without a call in main, poll_kinds\.c:\d+, in a loop that also
// stderr-match: memory polled without a call: 1 rank: 1
// times: 1
// shell: timeout -s INT 2 $RUN -np 4 $EXE endless
// status: 124
// stderr-match: warning: rank \d .* loops for ever in main, poll_kinds\.c:\d+: nothing that it looks at can end the loop
// times: 1
// varies: a signal ends it
// run: -np 4 -- endless-beside
// status: 4
// stderr-match: called shmem_global_exit\(4\)
// times: 1
// run: -np 4 -- alarm
// stdout: alarm
// times: 1
// varies: the signal comes from outside
// run: -np 4 -- exit
// status: 4
// stderr-match: called shmem_global_exit\(4\)
// run: -np 4 -- compute
// stdout: compute 1
// stderr-not: warning
// times: 1
// run: -np 4 --set fold/poll-slice=0 -- compute
// stdout: compute 1
// stderr-not: warning
// times: 1
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <unistd.h>
#include <sys/time.h>
static volatile long flag, answer;
static volatile long *mine, *next;
static void *second(void *arg)
{
    for (long k = 1; k <= 5; k++) {
        while (flag < k)
            ;
        answer = k;
    }
    return arg;
}
static volatile sig_atomic_t stopped;
static void on_alarm(int sig)
{
    (void)sig;
    stopped = 1;
}

static long ackermann(long m, long n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    const char *how = argv[1];
    if (!strcmp(how, "threads")) {
        pthread_t t;
        pthread_create(&t, NULL, second, NULL);
        for (long k = 1; k <= 5; k++) {
            flag = k;
            while (answer < k)
                ;
        }
        pthread_join(t, NULL);
        shmem_barrier_all();
        if (!me)
            printf("threads %ld\n", answer);
    } else if (!strcmp(how, "pointer")) {
        long *heap = shmem_calloc(1, sizeof *heap);
        mine = heap;
        next = shmem_ptr(heap, (me + 1) % n);
        shmem_barrier_all();
        for (long k = 1; k <= 3; k++) {
            if (me)
                while (*mine < k)
                    ;
            *next = k;
            if (!me)
                while (*mine < k)
                    ;
        }
        shmem_barrier_all();
        if (!me)
            printf("pointer %ld\n", *mine);
    } else if (!strcmp(how, "remote")) { /* polls another's memory */
        static long there;
        volatile long *p = shmem_ptr(&there, 0);
        if (me == n - 1)
            shmem_long_p(&there, 7, 0);
        while (*p != 7)
            ;
        shmem_barrier_all();
        if (!me)
            printf("remote %ld\n", *p);
    } else if (!strcmp(how, "static-pointer")) {
        static long here;
        volatile long *p = shmem_ptr(&here, (me + 1) % n);
        shmem_barrier_all();
        *p = 5;
        while (*(volatile long *)&here != 5)
            ;
        shmem_barrier_all();
        if (!me)
            printf("static-pointer %ld\n", *p);
    } else if (!strcmp(how, "deadlock")) {
        if (me == 1)
            while (!flag)
                ;
        shmem_barrier_all();
    } else if (!strcmp(how, "unproven-deadlock")) {
        if (me == 1)
            for (unsigned long k = 1; !flag && k; k++)
                ;
        shmem_barrier_all();
    } else if (!strcmp(how, "endless")) {
        for (;;)
            ;
    } else if (!strcmp(how, "endless-beside")) {
        if (me == n - 1) {
            shmem_long_p((long *)&answer, 1, 0);
            shmem_quiet();
            shmem_global_exit(4);
        }
        for (;;)
            ;
    } else if (!strcmp(how, "alarm")) {
        signal(SIGALRM, on_alarm);
        if (!me)
            alarm(1);
        if (!me)
            while (!stopped)
                ;
        shmem_barrier_all();
        if (!me)
            printf("alarm\n");
    } else if (!strcmp(how, "masked")) {
        sigset_t s;
        sigfillset(&s);
        sigprocmask(SIG_BLOCK, &s, NULL);
        for (long k = 1; k <= 3; k++) {
            if (me)
                while (flag < k)
                    ;
            shmem_long_p((long *)&flag, k, (me + 1) % n);
            if (!me)
                while (flag < k)
                    ;
        }
        shmem_barrier_all();
        if (!me)
            printf("masked\n");
    } else if (!strcmp(how, "own-handler")) {
        /* of the signal by which the simulator finds polls: it belongs to the program, too */
        signal(SIGTRAP, on_alarm);
        raise(SIGTRAP);
        for (long k = 1; k <= 3 && stopped; k++) {
            if (me)
                while (flag < k)
                    ;
            shmem_long_p((long *)&flag, k, (me + 1) % n);
            if (!me)
                while (flag < k)
                    ;
        }
        shmem_barrier_all();
        if (!me && stopped)
            printf("own-handler\n");
    } else if (!strcmp(how, "exit")) {
        if (me == n - 1) {
            shmem_long_p((long *)&answer, 1, 0);
            shmem_quiet();
            shmem_global_exit(4);
        }
        while (!flag)
            ;
    } else if (!strcmp(how, "compute")) {
        /* an index and a sum in registers; in memory; deep calls; a flag that is tested on the way */
        volatile double x = 0;
        long s = 0;
        static long sums[4];
        if (me == 0)
            for (long k = 0; k < 100000000 && !flag; k++)
                s += k ^ (s >> 3);
        if (me == 1)
            for (long k = 0; k < 20000000; k++)
                x += (double)k * 0.5;
        if (me == 2)
            s += ackermann(3, 7);
        if (me == 3)
            for (long k = 0; k < 30000000; k++)
                sums[k & 3] += k;
        shmem_long_p((long *)&answer, s != 0 || x > 0 || sums[0], (me + 1) % n);
        shmem_barrier_all();
        if (!me)
            printf("compute %ld\n", answer);
    }
    shmem_finalize();
    return 0;
}
