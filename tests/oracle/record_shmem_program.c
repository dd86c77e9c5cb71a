/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of OpenSHMEM of many kinds, for record_shmem.py, whose order and effects do not depend on times: typed, sized and
 * generic forms, contexts, and, where the library has them (version 1.5; not with ONLY_14), teams and signals.
 */
#include <shmem.h>
#include <stdlib.h>

enum { N = 64, STEPS = 5 };
#define VERSION (SHMEM_MAJOR_VERSION * 10 + SHMEM_MINOR_VERSION)

static long flag, lock, counter, sum_to[N], sum_from[N], work[N];
static long sync_all[SHMEM_REDUCE_SYNC_SIZE > SHMEM_COLLECT_SYNC_SIZE ? SHMEM_REDUCE_SYNC_SIZE
                                                                      : SHMEM_COLLECT_SYNC_SIZE];
static int me, n, next, last;

static void moves(double *heap)
{
    double own[N] = {0};
    shmem_double_put(heap, own, N, next);
    shmem_put(heap + N, own, 3, next); /* generic */
    shmem_putmem_nbi(heap, own, 100, next);
    shmem_put64(heap, own, 2, next);
    shmem_double_p(heap + 1, 2.5, next);
    shmem_double_iput(heap, own, 2, 3, 10, next);
    shmem_quiet();
    shmem_barrier_all();
    shmem_double_get(own, heap, N, last);
    own[0] = shmem_g(heap + 2, last);
    shmem_get32_nbi(own, heap, 7, last);
    shmem_fence();
    shmem_quiet();
    shmem_barrier_all();
}

static void atomics(void)
{
    shmem_long_atomic_add(&counter, 2, next);
    shmem_long_atomic_fetch_inc(&counter, next);
    shmem_atomic_set(&work[0], 5L, next);
    shmem_long_atomic_compare_swap(&work[1], 0, 7, next);
    shmem_long_atomic_fetch(&counter, next);
    shmem_long_atomic_swap(&work[2], 9, next);
    shmem_int_atomic_fetch_add((int *)&work[3], 1, next);
    shmem_barrier_all();
}

/* A token around the ring; then all tell PE 0, which waits for the sum. */
static void waits(void)
{
    static long arrived;
    for (long step = 1; step <= STEPS; step++) {
        if (me)
            shmem_long_wait_until(&flag, SHMEM_CMP_EQ, step);
        shmem_long_p(&flag, step, next);
        if (!me)
            shmem_wait_until(&flag, SHMEM_CMP_GE, step); /* generic */
    }
    shmem_barrier_all();
    if (me)
        shmem_long_atomic_inc(&arrived, 0);
    else
        shmem_long_wait_until(&arrived, SHMEM_CMP_EQ, n - 1);
    shmem_barrier_all();
    shmem_long_test(&arrived, SHMEM_CMP_EQ, -1);
    shmem_barrier_all();
}

static void locks(void)
{
    shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
    shmem_barrier_all();
}

static void collectives(void)
{
    for (size_t k = 0; k < sizeof sync_all / sizeof *sync_all; k++)
        sync_all[k] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    shmem_long_sum_to_all(sum_to, sum_from, 4, 0, 0, n, work, sync_all);
    shmem_barrier_all();
    shmem_broadcast64(sum_to, sum_from, 4, 0, 0, 0, n, sync_all);
    shmem_barrier_all();
    shmem_fcollect64(sum_to, sum_from, 2, 0, 0, n, sync_all);
    shmem_barrier_all();
}

static void contexts(double *heap)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx))
        return;
    shmem_ctx_double_p(ctx, heap, 1, next);
    shmem_put(ctx, heap, heap + 1, 1, next);
    shmem_ctx_quiet(ctx);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
}

static double *memory(void)
{
    double *first = shmem_malloc(100), *second = shmem_align(256, 1000),
           *third = shmem_malloc(4 * N * sizeof(double));
    shmem_free(first);
    first = shmem_malloc(8);
    second = shmem_realloc(second, 5000);
    shmem_free(second);
    return third;
}

#if VERSION >= 15 && !defined ONLY_14
static void signals(double *heap)
{
    static uint64_t signal, all[2];
    double own[N] = {0};
    shmem_double_put_signal(heap, own, 10, &signal, 3, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 3);
    shmem_barrier_all();
    shmem_putmem_signal_nbi(heap, own, 20, &signal, 1, SHMEM_SIGNAL_ADD, next);
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 4);
    shmem_barrier_all();
    shmem_uint64_p(&all[0], 1, next);
    shmem_uint64_p(&all[1], 1, last);
    shmem_uint64_wait_until_all(all, 2, NULL, SHMEM_CMP_EQ, 1);
    shmem_barrier_all();
}

static void teams(void)
{
    shmem_team_t half;
    shmem_ctx_t ctx;
    static long of_team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, n / 2, NULL, 0, &half);
    if (half == SHMEM_TEAM_INVALID)
        return;
    shmem_long_sum_reduce(half, sum_to, sum_from, 3);
    shmem_sum_reduce(half, sum_to, sum_from, 3); /* generic */
    shmem_broadcast(half, sum_to, sum_from, 5, 1);
    shmem_team_sync(half);
    shmem_team_create_ctx(half, 0, &ctx);
    shmem_ctx_long_p(ctx, &of_team, 6, (me / 2 + 1) % (n / 2));
    shmem_ctx_quiet(ctx);
    shmem_long_wait_until(&of_team, SHMEM_CMP_EQ, 6);
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(half);
}
#endif

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    last = (me + n - 1) % n;
    double *heap = memory();
    moves(heap);
    atomics();
    waits();
    locks();
    collectives();
    contexts(heap);
#if VERSION >= 15 && !defined ONLY_14
    signals(heap);
    teams();
    shmem_sync_all();
#endif
    shmem_free(heap);
    shmem_finalize();
    return 0;
}
