/* SPDX-License-Identifier: BSD-3-Clause */
/* The header in C++: the C functions, and the overloads that stand for the C11 generic forms. */
// build: $OSHCXX -std=c++17 -Wall -Wextra -Werror -g "$SRC" -o $EXE
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 3
// stdout: passed on 3 PEs
#include <cstdint>
#include <vector>

#include "shmem_check.h"

namespace
{
int me, n, next, before;
double d[4];
long l[4];
std::uint64_t u;
float f;

template <typename T> bool passes_around(T *symmetric, T value)
{
    shmem_barrier_all();
    shmem_p(symmetric, value, next);
    shmem_barrier_all();
    T back = shmem_g(symmetric, next);
    shmem_barrier_all();
    return back == value;
}

void check_overloads()
{
    const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    std::vector<double> source = {me + 0.5, me + 1.5};
    shmem_put(d, source.data(), source.size(), next);
    shmem_put(ctx, d + 2, source.data(), source.size(), next);
    shmem_barrier_all();
    CHECK(d[0] == before + 0.5 && d[3] == before + 1.5);
    CHECK(passes_around(&f, 2.5f) && passes_around(&l[0], 12L) && passes_around(&u, std::uint64_t(9)));
    CHECK(shmem_atomic_fetch_add(&u, 3, next) == 9 && shmem_atomic_fetch(ctx, &u, next) == 12);
    shmem_atomic_inc(&l[0], next);
    shmem_barrier_all();
    shmem_wait_until(&l[0], SHMEM_CMP_EQ, 13L);
    shmem_wait_until(&u, SHMEM_CMP_GE, 12);
    CHECK(shmem_test(&l[0], SHMEM_CMP_EQ, 13));
    double mine = me;
    d[0] = mine;
    shmem_sync(SHMEM_TEAM_WORLD);
    CHECK(shmem_sum_reduce(SHMEM_TEAM_WORLD, &d[1], &d[0], 1) == 0 && d[1] == n * (n - 1) / 2);
    shmem_broadcast(SHMEM_TEAM_WORLD, &l[1], &l[0], 1, 0);
    CHECK(l[1] == 13);
}

void check_contexts_and_signals()
{
#if VERSION_AT_LEAST(6)
    static std::uint64_t signal;
    static long numbers[4];
    const long source[4] = {me, me + 1L, me + 2L, me + 3L};
    shmem_ctx_t ctx;
    CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE, &ctx) == 0);
    shmem_put_signal(numbers, source, 2, &signal, 1, SHMEM_SIGNAL_ADD, next);
    shmem_put_signal_nbi(ctx, numbers + 2, source + 2, 2, &signal, 1, SHMEM_SIGNAL_ADD, next);
    shmem_signal_add(&signal, 1, next);
    shmem_signal_add(ctx, &signal, 1, next);
    CHECK(shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 4) == 4 && numbers[0] == before &&
          numbers[3] == before + 3);
    shmem_barrier_all();
    shmem_signal_set(&signal, 9, next);
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 9);
    shmem_barrier_all();
    shmem_signal_set(ctx, &signal, 8, next);
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 8);
    shmem_atomic_add(ctx, &numbers[0], 10L, next);
    shmem_ibput(ctx, numbers + 1, source, 2, 2, 1, 2, next);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    CHECK(numbers[0] == before + 10 && numbers[1] == before && numbers[3] == before + 2);
    shmem_ctx_session_config_t config = {100};
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    shmem_ctx_session_stop(ctx);
    CHECK(shmem_sum_inscan(SHMEM_TEAM_WORLD, numbers, numbers + 1, 1) == 0);
    shmem_ctx_destroy(ctx);
#endif
}

void check_functions()
{
    long *p = static_cast<long *>(shmem_malloc(sizeof(long)));
    *p = me;
    shmem_barrier_all();
    CHECK(shmem_long_g(p, next) == next);
    shmem_barrier_all();
    shmem_free(p);
}
} // namespace

int main()
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    check_overloads();
    check_contexts_and_signals();
    check_functions();
    return finish();
}
