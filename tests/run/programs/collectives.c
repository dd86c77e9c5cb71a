/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives over the whole job and over active sets with a stride, small and large, against what each PE
 * works out for itself; PEs that are not in the set go on. */
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 2
// stdout: passed on 2 PEs
// run: -np 7
// stdout: passed on 7 PEs
// run: -np 16 --map-by host
// stdout: passed on 16 PEs
// run: -np 33
// stdout: passed on 33 PEs
#include <stdlib.h>
#include <string.h>

#include "shmem_check.h"

enum { LONGEST = 3000 };

struct set {
    int start, log_stride, size;
};

enum { SOURCE = LONGEST * 4, DEST = LONGEST * 40 };
static long *source, *dest; /* in the symmetric heap: exchanging large globals would take long */
static long sync_work[6][SHMEM_ALLTOALL_SYNC_SIZE + SHMEM_COLLECT_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE];
static long reduce_work[LONGEST + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static double real_source[LONGEST], real_dest[LONGEST], real_work[LONGEST + SHMEM_REDUCE_MIN_WRKDATA_SIZE];

static int place_of(const struct set *s, int pe)
{
    int distance = pe - s->start;
    return distance >= 0 && distance % (1 << s->log_stride) == 0 && distance >> s->log_stride < s->size
               ? distance >> s->log_stride
               : -1;
}

static long value(int pe, long i)
{
    return 1000 * (long)pe + i;
}

static void fill(int pe, long n)
{
    for (long i = 0; i < n; i++)
        source[i] = value(pe, i);
    memset(dest, 0xff, DEST * sizeof *dest);
}

static void broadcast(const struct set *s, int me, long n)
{
    int root = s->size - 1, place = place_of(s, me);
    fill(place, n);
    shmem_barrier_all();
    if (place >= 0)
        shmem_broadcast64(dest, source, (size_t)n, root, s->start, s->log_stride, s->size, sync_work[0]);
    for (long i = 0; i < n; i++)
        CHECK(dest[i] == (place >= 0 && place != root ? value(root, i) : -1)); /* the root keeps its dest */
}

static void collect(const struct set *s, int me, long n)
{
    int place = place_of(s, me);
    long mine = n + (place >= 0 ? place : 0), at = 0;
    fill(place, mine);
    shmem_barrier_all();
    if (place < 0)
        return;
    shmem_fcollect64(dest, source, (size_t)n, s->start, s->log_stride, s->size, sync_work[1]);
    for (int k = 0; k < s->size; k++)
        for (long i = 0; i < n; i++)
            CHECK(dest[k * n + i] == value(k, i));
    memset(dest, 0xff, DEST * sizeof *dest);
    shmem_barrier(s->start, s->log_stride, s->size, sync_work[0]); /* every dest is ready */
    shmem_collect64(dest, source, (size_t)mine, s->start, s->log_stride, s->size, sync_work[2]);
    for (int k = 0; k < s->size; k++)
        for (long i = 0; i < n + k; i++)
            CHECK(dest[at++] == value(k, i));
}

static void alltoall(const struct set *s, int me)
{
    enum { PART = 3 };
    int place = place_of(s, me);
    fill(place, PART * s->size);
    shmem_barrier_all();
    if (place < 0)
        return;
    shmem_alltoall64(dest, source, PART, s->start, s->log_stride, s->size, sync_work[3]);
    for (int k = 0; k < s->size; k++)
        for (int i = 0; i < PART; i++)
            CHECK(dest[k * PART + i] == value(k, place * PART + i));
    memset(dest, 0xff, DEST * sizeof *dest);
    shmem_barrier(s->start, s->log_stride, s->size, sync_work[0]);
    shmem_alltoalls64(dest, source, 2, 1, PART, s->start, s->log_stride, s->size, sync_work[4]);
    for (int k = 0; k < s->size; k++)
        for (int i = 0; i < PART; i++)
            CHECK(dest[2 * (k * PART + i)] == value(k, place * PART + i) &&
                  dest[2 * (k * PART + i) + 1] == -1);
}

#define REDUCE(OP, FIRST, COMBINE)                                                                           \
    do {                                                                                                     \
        fill(place, n);                                                                                      \
        shmem_barrier(s->start, s->log_stride, s->size, sync_work[0]);                                       \
        shmem_long_##OP##_to_all(dest, source, (int)n, s->start, s->log_stride, s->size, reduce_work,        \
                                 sync_work[5]);                                                              \
        for (long i = 0; i < n; i++) {                                                                       \
            long want = FIRST;                                                                               \
            for (int k = 0; k < s->size; k++) {                                                              \
                long v = value(k, i);                                                                        \
                want = COMBINE;                                                                              \
            }                                                                                                \
            CHECK(dest[i] == want);                                                                          \
        }                                                                                                    \
    } while (0)

static void reduce(const struct set *s, int me, long n)
{
    int place = place_of(s, me);
    if (place < 0)
        return;
    REDUCE(sum, 0, want + v);
    REDUCE(max, -1, v > want ? v : want);
    REDUCE(min, 1L << 40, v < want ? v : want);
    REDUCE(and, -1, want & v);
    REDUCE(or, 0, want | v);
    REDUCE(xor, 0, want ^ v);
    fill(place, n);
    memcpy(dest, source, (size_t)n * sizeof *dest); /* in place */
    shmem_barrier(s->start, s->log_stride, s->size, sync_work[0]);
    shmem_long_sum_to_all(dest, dest, (int)n, s->start, s->log_stride, s->size, reduce_work, sync_work[5]);
    CHECK(dest[n - 1] == 500L * s->size * (s->size - 1) + s->size * (n - 1));
    for (long i = 0; i < n; i++)
        real_source[i] = 1.0 + (double)(place == 0) * (double)i;
    shmem_barrier(s->start, s->log_stride, s->size, sync_work[0]);
    shmem_double_prod_to_all(real_dest, real_source, (int)n, s->start, s->log_stride, s->size, real_work,
                             sync_work[5]);
    CHECK(real_dest[n - 1] == (double)n);
}

static void over_set(const struct set *s, int me)
{
    static const long lengths[] = {1, 17, LONGEST};
    for (int k = 0; k < 3; k++) {
        long n = lengths[k];
        if (n * s->size <= LONGEST * 30) {
            broadcast(s, me, n);
            shmem_barrier_all();
            collect(s, me, n < 1000 ? n : 1000);
            shmem_barrier_all();
        }
        reduce(s, me, n);
        shmem_barrier_all();
    }
    alltoall(s, me);
    shmem_barrier_all();
    if (place_of(s, me) >= 0)
        shmem_sync(s->start, s->log_stride, s->size, sync_work[0]);
    shmem_sync_all();
}

int main(void)
{
    shmem_init();
    source = shmem_malloc(SOURCE * sizeof *source);
    dest = shmem_malloc(DEST * sizeof *dest);
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (size_t k = 0; k < sizeof sync_work / sizeof(long); k++)
        sync_work[0][k] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    const struct set sets[] = {
        {0, 0, n}, {n / 2, 0, n - n / 2}, {0, 1, (n + 1) / 2}, {n > 2, 2, (n - (n > 2) + 3) / 4}};
    for (int k = 0; k < 4; k++)
        over_set(&sets[k], me);
    return finish();
}
