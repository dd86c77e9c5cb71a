/* SPDX-License-Identifier: BSD-3-Clause */
/* The C11 generic forms: with and without a context, for pointers to const, one inside another's arguments.
 * */
// build: $OSHCC -std=c11 -Wall -Wextra -Werror -g "$SRC" -o $EXE
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 3
// stdout: passed on 3 PEs
#include <complex.h>
#include <stdint.h>

#include "shmem_check.h"

static int me, n, next, before;
static float f[4];
static double d[4];
static long double ld[2];
static char c[4];
static long l[4];
static unsigned u;
static uint64_t u64;
static int32_t i32;
static size_t size;
static ptrdiff_t difference;
static short s;
static double _Complex z;

static void check_transfer(void)
{
    const double source[4] = {me + 0.25, me + 0.5, me + 0.75, me + 1.0};
    const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    const double *there = &d[3];
    shmem_put(d, source, 2, next);
    shmem_put(ctx, d + 2, source + 2, 2, next);
    shmem_p(&ld[0], me + 7, next);
    shmem_p(SHMEM_CTX_DEFAULT, &ld[1], (long double)me + 8, next);
    shmem_put_nbi(f, ((const float[]){1.0f, 2.0f, 3.0f, 4.0f}), 4, next);
    shmem_put(c, "abc", 4, next);
    shmem_barrier_all();
    CHECK(d[0] == before + 0.25 && d[3] == before + 1.0 && ld[0] == before + 7 && ld[1] == before + 8);
    CHECK(f[3] == 4.0f && c[1] == 'b');
    CHECK(shmem_g(there, next) == me + 1.0 && shmem_g(ctx, &d[0], next) == me + 0.25);
    double back[4];
    shmem_get(back, d, 4, next);
    CHECK(back[1] == me + 0.5);
    shmem_iget(back, d, 1, 2, 2, next);
    shmem_iput(ctx, l, (const long[]){5, 6, 7}, 2, 1, 2, next);
    shmem_get_nbi(ctx, back + 2, d, 1, next);
    shmem_barrier_all();
    CHECK(back[1] == me + 0.75 && back[2] == me + 0.25 && l[0] == 5 && l[2] == 6);
    shmem_p(&l[1], shmem_g(&l[0], shmem_g(&l[3], next) ? 0 : next) + 10, next);
    shmem_barrier_all();
    CHECK(l[1] == 15);
    shmem_barrier_all();
}

static void check_atomics(void)
{
    const long *reader = &l[0];
    shmem_atomic_set(&u64, 5, next);
    shmem_fence();
    CHECK(shmem_atomic_fetch(&u64, next) == 5 && shmem_atomic_swap(SHMEM_CTX_DEFAULT, &u64, 6, next) == 5);
    CHECK(shmem_atomic_compare_swap(&u64, 6, 7, next) == 6 && shmem_atomic_fetch_inc(&u64, next) == 7);
    shmem_atomic_inc(SHMEM_CTX_DEFAULT, &size, next);
    shmem_atomic_add(&difference, -4, next);
    CHECK(shmem_atomic_fetch_add(&u64, 2, next) == 8 && shmem_atomic_fetch_or(&u64, 5, next) == 10);
    shmem_atomic_and(&u64, 3, next);
    shmem_atomic_xor(&i32, 9, next);
    CHECK(shmem_atomic_fetch(reader, next) == 5);
    uint64_t fetched = 0;
    shmem_fence();
    shmem_atomic_fetch_add_nbi(SHMEM_CTX_DEFAULT, &fetched, &u64, 1, next);
    shmem_barrier_all();
    CHECK(fetched == 3 && u64 == 4 && size == 1 && difference == -4 && i32 == 9);
    shmem_set(&d[0], 2.5, next);
    shmem_fence();
    CHECK(shmem_fetch(&d[0], next) == 2.5 && shmem_swap(&l[0], 3, next) == 5 && shmem_finc(&l[0], next) == 3);
    shmem_inc(&l[0], next);
    shmem_add(&l[0], 5, next);
    shmem_fence();
    CHECK(shmem_fadd(&l[0], 1, next) == 10 && shmem_cswap(&l[0], 11, 1, next) == 11);
    shmem_barrier_all();
}

static void check_waits(void)
{
    int status[4] = {0};
    size_t indices[4];
    shmem_p(&u, 3, next);
    shmem_wait_until(&u, SHMEM_CMP_EQ, 3);
    CHECK(shmem_test(&u, SHMEM_CMP_GT, 2) && !shmem_test(&s, SHMEM_CMP_NE, 0));
    for (int i = 0; i < 4; i++)
        l[i] = i;
    CHECK(shmem_wait_until_any(l, 4, status, SHMEM_CMP_EQ, 2) == 2);
    CHECK(shmem_wait_until_some(l, 4, indices, status, SHMEM_CMP_GE, 2) == 2 && indices[0] == 2);
    shmem_wait_until_all_vector(l, 4, NULL, SHMEM_CMP_EQ, (const long[]){0, 1, 2, 3});
    CHECK(shmem_test_all(l, 4, NULL, SHMEM_CMP_LT, 4) &&
          shmem_test_any(l, 4, NULL, SHMEM_CMP_LT, 0) == SIZE_MAX);
    shmem_barrier_all();
}

static void check_collectives(void)
{
    static long sync_work[SHMEM_BARRIER_SYNC_SIZE];
    for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++)
        sync_work[i] = SHMEM_SYNC_VALUE;
    z = me + 2.0 * I;
    u = 1u << me;
    shmem_sync(SHMEM_TEAM_WORLD);
    shmem_sync(0, 0, n, sync_work);
    CHECK(shmem_sum_reduce(SHMEM_TEAM_WORLD, &z, &z, 1) == 0 && creal(z) == n * (n - 1) / 2 &&
          cimag(z) == 2.0 * n);
    CHECK(shmem_or_reduce(SHMEM_TEAM_WORLD, &u, &u, 1) == 0 && u == (1u << n) - 1);
    f[0] = (float)me;
    shmem_max_reduce(SHMEM_TEAM_WORLD, &f[1], &f[0], 1);
    shmem_min_reduce(SHMEM_TEAM_WORLD, &f[2], &f[0], 1);
    CHECK(f[1] == n - 1 && f[2] == 0);
    shmem_broadcast(SHMEM_TEAM_WORLD, &f[3], &f[0], 1, n - 1);
    CHECK(f[3] == n - 1);
    c[0] = (char)('a' + me);
    static char all[16];
    shmem_fcollect(SHMEM_TEAM_WORLD, all, c, 1);
    CHECK(all[n - 1] == 'a' + n - 1);
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    check_transfer();
    check_atomics();
    check_waits();
    check_collectives();
    return finish();
}
