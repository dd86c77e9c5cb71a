/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that run ahead of their turns on several threads: the output and the times of one thread. Each case
 * has its ranks do between calls what could come out differently.
 */
// build: $OSHCC -g "$SRC" -o $EXE -lm
// run: -np 7 -- lines
// jobs: 1 2 4
// run: -np 8 -- arrive
// jobs: 1 2 4
// run: -np 6 -- mine
// jobs: 1 2 4
// run: -np 5 -- crash
// jobs: 1 2 4
// status: 136
// stderr-match: rank 3 \(host \S+\) at \S+ \S+ was ended by signal 8 .*, in divide
// run: -np 5 -- exit
// jobs: 1 2 4
// status: 7
// stderr-match: rank 2 .* ended with exit status 7
// run: -np 4 -- global
// jobs: 1 2 4
// status: 9
// run: -np 6 -- wait
// jobs: 1 2 4
// run: -np 6 -- clocks
// jobs: 1 2 4
// run: -np 4 -- options -a 3 -b x
// jobs: 1 2 4
// run: -np 6 -- pointers
// jobs: 1 2 4
// run: -np 4 -- overflow
// jobs: 1 2 4
// status: 139
// stderr-match: rank 1 .*: stack overflow
// run: -np 4 -- deadlock
// jobs: 1 2 4
// status: 3
// stderr-match: deadlock
// shell: for j in 1 2 3 4; do $RUN --quiet --jobs $j -np 6 $EXE race >$W/race.$j && cmp $W/race.1 $W/race.$j || exit 1; done
// privatize: dlopen
#include <errno.h>
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long box[64], flag;
static int me, n;

/* Ranks compute for unlike times, so that threads get ahead of each other. */
static double compute(int size)
{
    double x = me;
    for (int i = 0; i < size * (1 + (me * 7 + 3) % n); i++)
        x = sin(x) + 1;
    return x;
}

static void lines(void)
{
    for (int k = 0; k < 20; k++) {
        shmem_barrier_all();
        double x = compute(300);
        printf("%d: %d %.12f\n", k, me, x);
        fprintf(stderr, "%d\n", me);
        if ((k + me) % 3 == 0)
            printf("half ");
    }
    printf("\n");
}

/* Puts arrive at ranks that are ahead; what they may see is there at the next synchronization. */
static void arrive(void)
{
    long sum = 0;
    for (int k = 0; k < 30; k++) {
        shmem_barrier_all();
        compute(50 * (me % 3));
        for (int pe = 0; pe < n; pe++)
            shmem_long_p(&box[me], k * 100 + me, pe);
        shmem_long_atomic_add(&flag, me, (me + k) % n);
        shmem_barrier_all();
        for (int pe = 0; pe < n; pe++)
            sum += box[pe] * (pe + 1);
        shmem_sync_all();
    }
    printf("%d: %ld %ld\n", me, sum, flag);
}

/* What a rank or a thread has for itself: errno, generators, strtok. */
static void mine(void)
{
    char text[] = "a b c d e f g h i j k l", *word = strtok(text, " ");
    srand((unsigned)me + 1);
    for (int k = 0; k < 10; k++) {
        errno = me + k;
        shmem_barrier_all();
        long r = rand() % 1000;
        compute(100);
        if (errno != me + k)
            printf("errno %d, was %d\n", errno, me + k);
        errno = 0;
        (void)strtol("99999999999999999999", NULL, 10);
        int error = errno;
        char *copy = malloc(1000 * (size_t)(k + 1));
        memset(copy, k, 1000);
        usleep(me);
        compute(20);
        word = word ? strtok(NULL, " ") : NULL;
        printf("%d: %ld %s %s %d\n", me, r, word ? word : "-", strerror(error), copy[k]);
        free(copy);
    }
}

__attribute__((noinline)) int divide(volatile int a, volatile int b)
{
    return a / b;
}

static void crash(void)
{
    for (int k = 0; k < 4; k++) {
        shmem_barrier_all();
        compute(500);
        if (k == 2 && me == 3)
            printf("%d\n", divide(1, me - 3));
        printf("%d %d\n", k, me);
    }
}

static void leave(int how)
{
    for (int k = 0; k < 4; k++) {
        shmem_barrier_all();
        compute(500);
        if (k == 2 && me == 2)
            how ? shmem_global_exit(9) : exit(7);
        printf("%d %d\n", k, me);
    }
}

static void wait_for_it(void)
{
    for (int k = 1; k < 20; k++) {
        compute(100);
        shmem_long_p(&flag, k, (me + 1) % n);
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, k);
        shmem_barrier_all();
        compute(100);
        printf("%d %ld\n", me, flag);
        shmem_sync_all();
    }
}

static void clocks(void)
{
    struct timespec t;
    for (int k = 0; k < 8; k++) {
        shmem_barrier_all();
        clock_gettime(CLOCK_MONOTONIC, &t);
        compute(200);
        long from = t.tv_nsec;
        clock_gettime(CLOCK_MONOTONIC, &t);
        usleep((useconds_t)(me * k));
        compute(100);
        printf("%d: %ld %ld %d of %d\n", me, from, t.tv_nsec, shmem_my_pe(), shmem_n_pes());
    }
}

static void options(int argc, char **argv)
{
    int c, a = 0;
    char *b = NULL;
    optind = 2;
    while ((c = getopt(argc, argv, "a:b:")) != -1) {
        shmem_barrier_all();
        compute(200);
        if (c == 'a')
            a = atoi(optarg) + me;
        else
            b = optarg;
        printf("%d: option %c at %d\n", me, c, optind);
    }
    printf("%d: %d %s %d\n", me, a, b, optind);
}

/* From the first such pointer on nobody runs ahead. */
static void pointers(void)
{
    shmem_barrier_all();
    compute(300);
    long *there = shmem_ptr(box, (me + 1) % n);
    for (int k = 0; k < 5; k++) {
        shmem_barrier_all();
        if (there)
            there[k] = 10 * me + k;
        shmem_barrier_all();
        printf("%d: %ld\n", me, box[k]);
    }
}

/* Plain variables are read while puts arrive there: no program should, but any number of threads sees the
 * same. */
static void race(void)
{
    volatile long *seen = box;
    for (int k = 1; k < 40; k++) {
        shmem_long_p(&box[me], 10 * k + me, (me + k) % n);
        if (k % 3 == 0)
            shmem_sync_all();
        long sum = 0;
        for (int i = 0; i < n; i++)
            sum += seen[i] * (i + 1);
        usleep((useconds_t)((me * k) % 4));
        compute(40);
        for (int i = 0; i < n; i++)
            sum += seen[i] * (i + 1);
        printf("%d: %ld\n", me, sum);
    }
    while (seen[(me + 1) % n] == 0)
        usleep(1);
}

static int deeper(int k)
{
    volatile char room[4096];
    room[k % 4096] = (char)k;
    return k < 0 ? 0 : deeper(k + 1) + room[(k + 1) % 4096];
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "lines";
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    if (!strcmp(what, "lines"))
        lines();
    else if (!strcmp(what, "arrive"))
        arrive();
    else if (!strcmp(what, "mine"))
        mine();
    else if (!strcmp(what, "crash"))
        crash();
    else if (!strcmp(what, "exit") || !strcmp(what, "global"))
        leave(what[0] == 'g');
    else if (!strcmp(what, "wait"))
        wait_for_it();
    else if (!strcmp(what, "clocks"))
        clocks();
    else if (!strcmp(what, "options"))
        options(argc, argv);
    else if (!strcmp(what, "pointers"))
        pointers();
    else if (!strcmp(what, "race"))
        race();
    else if (!strcmp(what, "overflow")) {
        shmem_barrier_all();
        if (me == 1)
            printf("%d\n", deeper(0));
    } else if (!strcmp(what, "deadlock")) {
        shmem_barrier_all();
        compute(300);
        if (me)
            shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
