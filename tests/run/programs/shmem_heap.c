/* SPDX-License-Identifier: BSD-3-Clause */
/* The symmetric heap: alignment, contents over realloc, zeroed memory, sizes of nothing, no room, reuse. */
// run: -np 1 --set shmem/symmetric-size=1MiB
// stdout: passed on 1 PEs
// stderr-match: warning: .*shmem_malloc of 64.0* MiB \(in check_exhausted, shmem_heap.c:\d+\) does not fit
// run: -np 2 --set shmem/symmetric-size=1MiB
// stdout: passed on 2 PEs
// run: -np 7 --set shmem/symmetric-size=1MiB
// stdout: passed on 7 PEs
// shell: SHMEM_SYMMETRIC_SIZE=0.5m $RUN -np 2 $EXE
// stdout: passed on 2 PEs
// shell: SMA_SYMMETRIC_SIZE=600k $RUN -np 2 $EXE
// stdout: passed on 2 PEs
// shell: SHMEM_SYMMETRIC_SIZE=20t $PGASIM run --compute=off -np 4 $EXE big
// stdout: passed on 4 PEs
// stderr-match: symmetric heaps of 20.00 TiB for 4 PEs exceed the address space: each gets 8.00\d* TiB
// shell: SHMEM_SYMMETRIC_SIZE=lots $RUN -np 2 $EXE
// status: 2
// stderr-match: SHMEM_SYMMETRIC_SIZE=lots
#include <stdint.h>
#include <string.h>

#include "shmem_check.h"

enum { BLOCKS = 40 };
static int me, n, next, before;

static void check_all_reachable(unsigned char *p, size_t size)
{
    for (size_t i = 0; i < size; i++)
        p[i] = (unsigned char)me;
    shmem_barrier_all();
    unsigned char last = 255, mine = (unsigned char)me;
    shmem_getmem(&last, p + size - 1, 1, next);
    CHECK(last == next);
    shmem_barrier_all();
    shmem_putmem(p, &mine, 1, next);
    shmem_barrier_all();
    CHECK(p[0] == before);
}

static void check_malloc(void)
{
    unsigned char *p[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        p[i] = shmem_malloc((size_t)i * 37 + 1);
        CHECK(p[i] && (uintptr_t)p[i] % sizeof(long double) == 0);
        memset(p[i], i, (size_t)i * 37 + 1);
    }
    for (int i = 0; i < BLOCKS; i += 2)
        shmem_free(p[i]);
    for (int i = 1; i < BLOCKS; i += 2)
        CHECK(p[i][0] == i && p[i][i * 37] == i);
    for (int i = 0; i < BLOCKS; i += 2) {
        p[i] = shmem_malloc(90);
        check_all_reachable(p[i], 90);
    }
    for (int i = 1; i < BLOCKS; i += 2)
        CHECK(p[i][0] == i && p[i][i * 37] == i);
    for (int i = BLOCKS - 1; i >= 0; i--)
        shmem_free(p[i]);
}

static void check_align(void)
{
    void *small = shmem_malloc(3);
    for (size_t a = sizeof(void *); a <= 64 << 10; a *= 2) {
        unsigned char *p = shmem_align(a, 100);
        CHECK(p && (uintptr_t)p % a == 0);
        check_all_reachable(p, 100);
        shmem_free(p);
    }
    shmem_free(small);
}

static void check_calloc(void)
{
    for (int round = 0; round < 3; round++) {
        unsigned char *p = shmem_malloc(5000);
        memset(p, 0xff, 5000);
        shmem_free(p);
        unsigned char *q = shmem_calloc(10, 1000);
        int set = 0;
        for (int i = 0; i < 10000; i++)
            set += q[i] != 0;
        CHECK(set == 0);
        check_all_reachable(q, 10000);
        shmem_free(q);
    }
}

static void check_realloc(void)
{
    int *p = shmem_realloc(NULL, 100 * sizeof *p);
    for (int i = 0; i < 100; i++)
        p[i] = me * 1000 + i;
    p = shmem_realloc(p, 200 * sizeof *p); /* where it is */
    void *behind = shmem_malloc(1);
    int *q = shmem_realloc(p, 5000 * sizeof *p); /* elsewhere */
    CHECK(q != NULL);
    for (int i = 0; i < 100; i++)
        CHECK(q[i] == me * 1000 + i);
    q = shmem_realloc(q, 50 * sizeof *p);
    for (int i = 0; i < 50; i++)
        CHECK(q[i] == me * 1000 + i);
    check_all_reachable((unsigned char *)q, 50 * sizeof *q);
    CHECK(shmem_realloc(q, 0) == NULL);
    shmem_free(behind);
}

static void check_nothing(void)
{
    CHECK(shmem_malloc(0) == NULL && shmem_align(64, 0) == NULL);
    CHECK(shmem_calloc(0, 8) == NULL && shmem_calloc(8, 0) == NULL);
    shmem_free(NULL);
#if VERSION_AT_LEAST(5)
    void *hinted = shmem_malloc_with_hints(100, SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE);
    CHECK(hinted != NULL);
    shmem_free(hinted);
#endif
}

/* No room is no error; what was allocated before stays. */
static void check_exhausted(void)
{
    long *p = shmem_malloc(sizeof *p);
    *p = me;
    CHECK(shmem_malloc((size_t)64 << 20) == NULL);
    CHECK(shmem_realloc(p, (size_t)64 << 20) == NULL);
    CHECK(shmem_calloc((size_t)-1, (size_t)-1) == NULL);
    CHECK(*p == me && shmem_long_g(p, next) == next);
    shmem_barrier_all();
    shmem_free(p);
    char *all = shmem_malloc(400 << 10);
    CHECK(all != NULL);
    shmem_free(all);
}

static void check_old_names(void)
{
    long *p = shmalloc(sizeof *p);
    *p = me;
    shmem_barrier_all();
    CHECK(shmem_long_g(p, next) == next);
    p = shrealloc(p, 8 * sizeof *p);
    CHECK(*p == me);
    shfree(p);
    p = shmemalign(128, 8);
    CHECK((uintptr_t)p % 128 == 0);
    shfree(p);
}

int main(int argc, char **argv)
{
    (void)argv;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    check_malloc();
    check_align();
    check_calloc();
    check_realloc();
    check_nothing();
    if (argc == 1) /* else there is room for everything */
        check_exhausted();
    check_old_names();
    return finish();
}
