/* SPDX-License-Identifier: BSD-3-Clause */
/* A bucket sort by OpenMP's threads of several PEs at once: each thread draws keys as it comes to them,
 * reserves a place at the key's PE by fetch-add and puts the key there through a context of its own. What
 * arrives is what a serial computation says; the order of arrival, which depends on every thread's time, is
 * the same in all runs. */
// build: $OSHCC -std=gnu11 -fopenmp -Wall -Wextra -Werror -g "$SRC" -o $EXE
// run: -np 1 -- 4
// stdout-has: passed on 1 PEs
// run: -np 4 -- 3
// stdout-match: PE 3: [0-9]+ keys by 3 threads, order [0-9a-f]+
// stdout-has: passed on 4 PEs
// stderr-not: misuse
// run: -np 7 --map-by host --strict -- 8
// stdout-match: PE 0: [0-9]+ keys by 8 threads, order [0-9a-f]+
// stdout-has: passed on 7 PEs
// shell: OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive $RUN --quiet -np 5 $EXE
// stdout-match: PE 4: [0-9]+ keys by 2 threads, order [0-9a-f]+
// stdout-has: passed on 5 PEs
#include "shmem_check.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS = 2000, LARGEST = 1 << 20 };

static int me, n, threads;
static long arrived, box[KEYS], expected[KEYS];
static long counted; /* at PE 0: what all threads counted */

/* Key i of the whole, 0 <= i < KEYS: anybody can compute it. */
static long key_of(long i)
{
    uint64_t x = (uint64_t)i * 0x9e3779b97f4a7c15u + 1;
    x ^= x >> 31;
    x *= 0xbf58476d1ce4e5b9u;
    return (long)((x ^ x >> 29) % LARGEST);
}

static int owner_of(long key)
{
    return (int)(key * n / LARGEST);
}

/* One thread's keys: it counts them, for all to compare. */
static long distribute(shmem_ctx_t ctx)
{
    long count = 0;
#pragma omp for schedule(dynamic, 16) nowait
    for (long i = KEYS * (long)me / n; i < KEYS * (me + 1L) / n; i++) {
        const long key = key_of(i);
        const int owner = owner_of(key);
        const long place = shmem_atomic_fetch_add(ctx, &arrived, 1L, owner);
        shmem_p(ctx, &box[place], key, owner);
        count++;
    }
    return count;
}

static void team_of_threads(void)
{
    long drawn = 0;
#pragma omp parallel reduction(+ : drawn)
    {
        shmem_ctx_t ctx;
        if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx))
            ctx = SHMEM_CTX_DEFAULT;
        const long mine = distribute(ctx);
        drawn += mine;
        shmem_ctx_quiet(ctx);
#pragma omp barrier
        if (omp_get_thread_num() == 0)
            threads = omp_get_num_threads();
        shmem_atomic_add(ctx, &counted, mine, 0);
        if (ctx != SHMEM_CTX_DEFAULT)
            shmem_ctx_destroy(ctx);
    }
    CHECK(drawn == KEYS * (me + 1L) / n - KEYS * (long)me / n);
}

static int by_value(const void *a, const void *b)
{
    const long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

/* What this PE must have got, by one thread that looks at all keys. */
static long serial(void)
{
    long count = 0;
    for (long i = 0; i < KEYS; i++)
        if (owner_of(key_of(i)) == me)
            expected[count++] = key_of(i);
    qsort(expected, (size_t)count, sizeof *expected, by_value);
    return count;
}

static uint64_t order_of_arrival(void)
{
    uint64_t sum = 1469598103934665603u;
    for (long k = 0; k < arrived; k++)
        sum = (sum ^ (uint64_t)box[k]) * 1099511628211u;
    return sum;
}

int main(int argc, char **argv)
{
    int provided;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    CHECK(provided == SHMEM_THREAD_MULTIPLE);
    if (argc > 1)
        omp_set_num_threads(atoi(argv[1]));
    me = shmem_my_pe();
    n = shmem_n_pes();
    team_of_threads();
    shmem_barrier_all();
    CHECK(arrived == serial());
    CHECK(me != 0 || counted == KEYS);
    printf("PE %d: %ld keys by %d threads, order %016lx\n", me, arrived, threads,
           (unsigned long)order_of_arrival());
    qsort(box, (size_t)arrived, sizeof *box, by_value);
    CHECK(memcmp(box, expected, (size_t)arrived * sizeof *box) == 0);
    return finish();
}
