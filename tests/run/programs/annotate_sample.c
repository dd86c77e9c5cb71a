// SPDX-License-Identifier: BSD-3-Clause
// Sampled kernels with given costs: how often they are executed, and what time they take, to the last digit.
// run: -np 3 -platform $TOP/tests/run/cases/platforms/good.xml
// stdout: PE 0: local 3 of 10, block 3, again 0
// stdout: PE 1: local 3 of 10, block 3, again 0
// stdout: PE 2: local 3 of 10, block 3, again 0
// stdout: global: 4 of 30 executed, 26 skipped
// stdout: error: 0.2 0.1 0.05 0.02 as computed by hand
// stdout: no cost: 2 executed; no limit: 10; most: 5
// stdout: tags: 2 and 2
// stdout: loop: break at 4, 2 executed; continue: 2 of 5 odd; left open: 2
// stdout: nested: 2 outer, 2 inner; recursive: 12 calls
// stdout: instead: 0 executed, 3 ms
// stdout: skipped again 1
// stderr-not: .
// shell: $EXE native
// stdout: native: 10 10 10 10 0
// The same with threads, where each computes for itself.
// run: -np 1 -platform $TOP/tests/run/cases/platforms/good.xml -- threads
// stdout: threads: 2 of 10 executed each, 10 ms each
#include <assert.h>
#include <math.h>
#include <pgasim.h>
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

static int me;
static long runs; /* symmetric: of all PEs, at PE 0 */

static void is_time(double value, double expected)
{
    if (fabs(value - expected) > 1e-9 * expected + 1e-15) {
        printf("PE %d: time %.17g, expected %.17g\n", me, value, expected);
        shmem_global_exit(1);
    }
}

/* 10 iterations of 1e6 flops: 10 ms at 1 Gf, whatever is executed. */
static void local(void)
{
    int loop = 0, block = 0, again = 0;
    for (int turn = 0; turn < 2; turn++) {
        double start = pgasim_time();
        PGASIM_SAMPLE_LOOP_LOCAL(int k = 0, k < 10, k++, 3, 0)
        {
            pgasim_compute_flops(1e6);
            if (turn)
                again++;
            else
                loop++;
        }
        is_time(pgasim_time() - start, 0.01);
    }
    for (int k = 0; k < 10; k++)
        PGASIM_SAMPLE_LOCAL(3, 0)
        {
            pgasim_compute_seconds(0.002);
            block++;
        }
    shmem_barrier_all();
    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        if (pe == me)
            printf("PE %d: local %d of 10, block %d, again %d\n", me, loop, block, again);
        shmem_barrier_all();
    }
}

static void global(void)
{
    unsigned long before = pgasim_skipped();
    long mine = 0;
    shmem_barrier_all();
    double start = pgasim_time();
    for (int k = 0; k < 10; k++)
        PGASIM_SAMPLE_GLOBAL(4, 0)
        {
            pgasim_compute_flops(1e6);
            mine++;
        }
    is_time(pgasim_time() - start, 0.01);
    shmem_long_atomic_add(&runs, mine, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("global: %ld of 30 executed, %lu skipped\n", runs, pgasim_skipped() - before);
    shmem_barrier_all();
}

static double cost(int k)
{
    return 1e5 * (1 + k * 7 % 5 + 0.25 * (k % 3));
}

/* From the definition, in two passes. */
static int enough_after(double error)
{
    for (int n = 2;; n++) {
        double mean = 0, squares = 0;
        for (int k = 0; k < n; k++)
            mean += cost(k) / n;
        for (int k = 0; k < n; k++)
            squares += (cost(k) - mean) * (cost(k) - mean);
        if (squares / (n - 1) / n <= error * mean * (error * mean))
            return n;
    }
}

static void by_error(double error, const char *tag)
{
    int n = 0, expected = enough_after(error);
    double start = pgasim_time(), sum = 0;
    for (int k = 0; k < 3000; k++)
        PGASIM_SAMPLE_LOCAL_TAG(0, error, tag)
        {
            pgasim_compute_flops(cost(n));
            sum += cost(n++);
        }
    assert(n == expected);
    is_time(pgasim_time() - start, sum / n * 3000 / 1e9);
}

static void limits(void)
{
    int none = 0, all = 0, most = 0, tagged[2] = {0, 0};
    for (int k = 0; k < 10; k++) {
        PGASIM_SAMPLE_LOCAL(0, 0.1)
        {
            none++;
        }
        PGASIM_SAMPLE_LOCAL(0, 0)
        {
            all++;
        }
        PGASIM_SAMPLE_LOCAL(5, 0)
        {
            most++;
        }
        PGASIM_SAMPLE_LOCAL_TAG(2, 0, k % 2 ? "odd" : "even")
        {
            tagged[k % 2]++;
        }
    }
    if (me == 0)
        printf("no cost: %d executed; no limit: %d; most: %d\ntags: %d and %d\n", none, all, most, tagged[0],
               tagged[1]);
}

static void recurse(int depth, int *calls)
{
    PGASIM_SAMPLE_LOOP_LOCAL(int k = 0, k < 3, k++, 0, 0)
    {
        ++*calls;
        if (depth)
            recurse(depth - 1, calls);
    }
}

static void control(void)
{
    int n = 0, at = 0, odd = 0, open = 0, outer = 0, inner = 0, calls = 0;
    PGASIM_SAMPLE_LOOP_LOCAL(int k = 0, k < 10, k++, 0, 0)
    {
        at = k;
        if (k == 4)
            break;
    }
    PGASIM_SAMPLE_LOOP_LOCAL(int k = 0, k < 10, k++, 2, 0) n++;
    PGASIM_SAMPLE_LOOP_LOCAL(int k = 1, k < 10, k++, 4, 0)
    {
        if (k % 2 == 0)
            continue;
        odd++;
    }
    for (int k = 0; k < 10; k++)
        PGASIM_SAMPLE_LOOP_LOCAL(int j = 0, j < 2, j++, 2, 0)
        {
            if (++open == 1)
                break; /* this execution does not count */
            pgasim_compute_flops(1);
        }
    if (me == 0)
        printf("loop: break at %d, %d executed; continue: %d of 5 odd; left open: %d\n", at, n, odd,
               open - 1);
    double start = pgasim_time();
    for (int k = 0; k < 5; k++)
        PGASIM_SAMPLE_LOCAL(2, 0)
        {
            outer++;
            for (int j = 0; j < 5; j++)
                PGASIM_SAMPLE_LOCAL(2, 0)
                {
                    inner++;
                    pgasim_compute_flops(1e6);
                }
        }
    is_time(pgasim_time() - start, 0.025);
    recurse(1, &calls);
    if (me == 0)
        printf("nested: %d outer, %d inner; recursive: %d calls\n", outer, inner, calls);
}

static void instead(void)
{
    int executed = 0;
    double start = pgasim_time();
    PGASIM_INSTEAD_FLOPS(1e6)
    {
        executed++;
    }
    PGASIM_INSTEAD_SECONDS(0.002) executed++;
    is_time(pgasim_time() - start, 0.003);
    if (me == 0)
        printf("instead: %d executed, %.0f ms\n", executed, (pgasim_time() - start) * 1e3);
}

static int all_executed(int which)
{
    int n = 0;
    for (int k = 0; k < 10; k++)
        switch (which) {
        case 0:
            PGASIM_SAMPLE_LOCAL(1, 0) n++;
            break;
        case 1:
            PGASIM_SAMPLE_GLOBAL(1, 0.5) n++;
            break;
        default:
            PGASIM_INSTEAD_FLOPS(1e9) n++;
        }
    return n;
}

static void native(void)
{
    int n = 0;
    PGASIM_SAMPLE_LOOP_GLOBAL(int k = 0, k < 10, k++, 1, 0) n++;
    printf("native: %d %d %d %d %lu\n", all_executed(0), all_executed(1), all_executed(2), n,
           pgasim_skipped());
}

static void *thread(void *arg)
{
    int *n = arg;
    double start = pgasim_time();
    for (int k = 0; k < 10; k++)
        PGASIM_SAMPLE_LOCAL_TAG(2, 0, n[1] ? "a" : "b")
        {
            n[0]++;
            pgasim_compute_flops(1e6);
        }
    is_time(pgasim_time() - start, 0.01);
    return NULL;
}

static void threads(void)
{
    pthread_t t;
    int a[2] = {0, 0}, b[2] = {0, 1};
    pthread_create(&t, NULL, thread, a);
    thread(b);
    pthread_join(t, NULL);
    assert(a[0] == 2 && b[0] == 2);
    printf("threads: %d of 10 executed each, 10 ms each\n", a[0]);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "native") == 0) {
        native();
        return 0;
    }
    shmem_init();
    me = shmem_my_pe();
    if (argc > 1) {
        threads();
        shmem_finalize();
        return 0;
    }
    local();
    global();
    by_error(0.2, "0.2");
    by_error(0.1, "0.1");
    by_error(0.05, "0.05");
    by_error(0.02, "0.02");
    if (me == 0)
        printf("error: 0.2 0.1 0.05 0.02 as computed by hand\n");
    limits();
    control();
    instead();
    shmem_barrier_all();
    unsigned long before = pgasim_skipped();
    shmem_barrier_all();
    if (me == 0)
        for (int k = 0; k < 2; k++)
            PGASIM_SAMPLE_GLOBAL(1, 0) pgasim_compute_flops(1);
    shmem_barrier_all();
    if (me == 0)
        printf("skipped again %lu\n", pgasim_skipped() - before);
    shmem_finalize();
    return 0;
}
