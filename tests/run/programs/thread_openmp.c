/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenMP through GCC's libgomp: its threads are the rank's, on the simulated host's cores; with OpenSHMEM. */
// build: $OSHCC -fopenmp -g "$SRC" -o $EXE
// run: -np 2 --
// stdout-has: 0: threads 32, procs 32, sum 4950, max 99
// stdout-has: 1: threads 32, procs 32, sum 4950, max 99
// stdout-has: 1: critical 400, atomic 400, named 400
// stdout-has: 1: barrier 1, single 1, private 1
// stdout-has: 1: tasks 377, depend 3
// stdout-has: 1: nested 8
// stdout-has: 1: sections 3, ordered 1, dynamic 1000
// stdout-has: 1: locks 40
// stdout-has: 1: puts 1, time 1
// shell: OMP_NUM_THREADS=7 $RUN --quiet -np 3 $EXE
// stdout-match: 2: threads 7, procs 21
#include <omp.h>
#include <pgasim.h>
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

static int me, peers;
static int mine;
#pragma omp threadprivate(mine)

static void reductions(void)
{
    int threads = 0, sum = 0, max = 0;
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads();
#pragma omp parallel for reduction(+ : sum) reduction(max : max)
    for (int k = 0; k < 100; k++) {
        sum += k;
        max = k > max ? k : max;
    }
    printf("%d: threads %d, procs %d, sum %d, max %d\n", me, threads, omp_get_num_procs(), sum, max);
}

static void exclusions(void)
{
    long plain = 0, atomic = 0, named = 0;
#pragma omp parallel for schedule(static, 1)
    for (int k = 0; k < 400; k++) {
#pragma omp critical
        {
            long seen = plain;
            if (k % 50 == 0)
                usleep(3); /* others come meanwhile */
            plain = seen + 1;
        }
#pragma omp atomic
        atomic++;
#pragma omp critical(other)
        named++;
    }
    printf("%d: critical %ld, atomic %ld, named %ld\n", me, plain, atomic, named);
}

static void barriers(void)
{
    int arrived = 0, good = 1, singles = 0, private = 1;
#pragma omp parallel
    {
        mine = omp_get_thread_num() + 10;
        for (int k = 1; k <= 5; k++) {
            usleep(10 * omp_get_thread_num());
#pragma omp atomic
            arrived++;
#pragma omp barrier
            if (arrived != k * omp_get_num_threads()) {
#pragma omp atomic write
                good = 0;
            }
#pragma omp barrier
        }
#pragma omp single
        singles++;
        if (mine != omp_get_thread_num() + 10) {
#pragma omp atomic write
            private = 0;
        }
    }
    printf("%d: barrier %d, single %d, private %d\n", me, good, singles, private);
}

static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void tasks(void)
{
    int result = 0, chain = 0;
#pragma omp parallel
#pragma omp single
    {
        result = fib(14);
#pragma omp task depend(out : chain)
        chain = 1;
#pragma omp task depend(inout : chain)
        chain *= 3;
#pragma omp taskwait
    }
    printf("%d: tasks %d, depend %d\n", me, result, chain);
}

static void nests(void)
{
    int count = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(4)
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
        count++;
    }
    printf("%d: nested %d\n", me, count);
}

static void shares(void)
{
    int sections = 0, last = -1, ordered = 1, dynamic = 0;
#pragma omp parallel sections reduction(+ : sections)
    {
#pragma omp section
        sections += 1;
#pragma omp section
        sections += 2;
    }
#pragma omp parallel for ordered schedule(dynamic)
    for (int k = 0; k < 50; k++) {
#pragma omp ordered
        {
            ordered &= last == k - 1;
            last = k;
        }
    }
#pragma omp parallel for schedule(guided) reduction(+ : dynamic)
    for (int k = 0; k < 1000; k++)
        dynamic++;
    printf("%d: sections %d, ordered %d, dynamic %d\n", me, sections, ordered, dynamic);
}

static void locks(void)
{
    omp_lock_t lock;
    long count = 0;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
    for (int k = 0; k < 10; k++) {
        omp_set_lock(&lock);
        long seen = count;
        usleep(1);
        count = seen + 1;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    printf("%d: locks %ld\n", me, count);
}

/* Each thread puts to another PE; then the time of a computation on all cores. */
static void together(void)
{
    static long got[64];
    int good = 1;
#pragma omp parallel num_threads(4)
    shmem_long_p(&got[omp_get_thread_num()], 1000 * me + omp_get_thread_num(), (me + 1) % peers);
    shmem_barrier_all();
    for (int k = 0; k < 4; k++)
        good &= got[k] == 1000 * ((me + peers - 1) % peers) + k;
    double before = omp_get_wtime();
#pragma omp parallel num_threads(4)
    pgasim_compute_seconds(0.5);
    double took = omp_get_wtime() - before;
    printf("%d: puts %d, time %d\n", me, good, took > 0.499 && took < 0.501);
}

int main(void)
{
    int provided;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    me = shmem_my_pe();
    peers = shmem_n_pes();
    reductions();
    exclusions();
    barriers();
    tasks();
    nests();
    shares();
    locks();
    if (peers == 2)
        together();
    shmem_finalize();
    return 0;
}
