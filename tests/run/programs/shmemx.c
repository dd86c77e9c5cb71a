/* SPDX-License-Identifier: BSD-3-Clause */
/* shmemx.h: time and place, thread levels under their former names, counting puts, and former names of
 * functions, generic ones too. */
// build: $OSHCC -std=c11 -Wall -Wextra -Werror -g "$SRC" -o $EXE
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 4
// stdout: passed on 4 PEs
#include <mpp/shmemx.h>
#include <string.h>

#include "shmem_check.h"

static int me, n, next, before;

static void check_time_and_place(void)
{
    double start = shmemx_wtime(), now = start;
    CHECK(start >= 0 && strlen(shmemx_nodename()) > 0);
    while (now - start < 1e-6)
        now = shmemx_wtime();
    CHECK(now - start < 2e-6);
    CHECK(shmem_team_n_pes(SHMEMX_TEAM_NODE) == shmem_team_n_pes(SHMEM_TEAM_SHARED));
}

static void check_counting(void)
{
    static int slots[16];
    shmemx_ct_t ct;
    shmemx_ct_create(&ct);
    CHECK(shmemx_ct_get(ct) == 0);
    for (int pe = 0; pe < n; pe++)
        shmemx_putmem_ct(ct, &slots[me], &me, sizeof me, pe);
    shmemx_ct_wait(ct, n);
    for (int pe = 0; pe < n; pe++)
        CHECK(slots[pe] == pe);
    shmem_barrier_all();
    shmemx_ct_set(ct, 100);
    shmem_barrier_all();
    int got = -1;
    shmemx_getmem_ct(ct, &got, &slots[next], sizeof got, next);
    shmemx_ct_wait(ct, 101);
    CHECK(got == next && shmemx_ct_get(ct) == 101);
    shmem_barrier_all();
    shmemx_ct_free(&ct);
}

static void check_counters(void)
{
    static long word[12];
    shmem_ctx_t ctx;
    shmemx_pcntr_t all;
    uint64_t arrived, writes, reads;
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    shmemx_pcntr_get_completed_target(&arrived);
    shmem_barrier_all();
    for (int i = 0; i < 10; i++)
        shmem_p(ctx, &word[i], 1L, next);
    CHECK(shmem_g(ctx, &word[10], me) == 0);
    shmem_atomic_inc(ctx, &word[11], next);
    shmem_ctx_fence(ctx);
    CHECK(shmem_atomic_fetch(ctx, &word[11], next) == 1);
    shmemx_pcntr_get_issued_write(ctx, &writes);
    shmemx_pcntr_get_issued_read(ctx, &reads);
    CHECK(writes == 11 && reads == 2);
    shmem_ctx_quiet(ctx);
    shmem_sync_all();
    shmemx_pcntr_get_all(ctx, &all);
    CHECK(all.pending_put == 11 && all.completed_put == 11 && all.pending_get == 2 && all.completed_get == 2);
    CHECK(all.target == arrived + 13);
    shmemx_pcntr_get_completed_write(SHMEM_CTX_DEFAULT, &writes);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
}

static void check_former_names(void)
{
    static long a[8], b[8];
    static unsigned bits;
    static uint64_t signal;
    long fetched = -1;
    for (int i = 0; i < 8; i++)
        b[i] = 10L * me + i;
    bits = 1;
    shmem_barrier_all();
    shmemx_ibput(a, b, 4, 2, 2, 2, next);
    shmemx_ctx_long_ibput(SHMEM_CTX_DEFAULT, a + 2, b + 2, 4, 2, 2, 2, next);
    shmemx_uint_xor(&bits, 3, next);
    shmemx_signal_add(&signal, 2, next);
    shmem_fence();
    shmemx_long_put_nbi(a + 7, b + 7, 1, next);
    shmem_barrier_all();
    shmemx_atomic_fetch_add_nbi(&fetched, &a[0], 5L, next);
    shmem_quiet();
    CHECK(fetched == 10L * me && bits == 2 && signal == 2);
    CHECK(a[1] == 10L * before + 1 && a[7] == 10L * before + 7);
    shmem_barrier_all();
    CHECK(shmemx_long_sum_inscan(SHMEM_TEAM_WORLD, a, b, 1) == 0 && a[0] == 5L * me * (me + 1));
}

int main(void)
{
    int level = -1;
    CHECK(shmemx_init_thread(SHMEMX_THREAD_FUNNELED, &level) == 0 && level == SHMEM_THREAD_FUNNELED);
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    check_time_and_place();
    check_counting();
    check_counters();
    check_former_names();
    return finish();
}
