/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions are hints: started, started again, stopped, stopped again; they change neither results nor time.
 * */
// build: $OSHCC -std=gnu11 -Wall -Wextra -Werror -g "$SRC" -o $EXE
// run: -np 4
// stdout: passed on 4 PEs
// run: -np 4 -- left
// stdout: passed on 4 PEs
// stderr-match: shmem_finalize: a session of the context was not stopped
// run: --strict -np 2 -- options
// status: 5
// stderr-match: shmem_ctx_session_start: options 0x40 contain unknown bits
#include "shmem_check.h"

#include <string.h>
#include <time.h>

static long sum;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double run(shmem_ctx_t ctx, int session)
{
    shmem_ctx_session_config_t config = {.total_ops = 100};
    int n = shmem_n_pes();
    double start = now();
    if (session) {
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
        shmem_ctx_session_start(ctx, 0, NULL, 0);
    }
    for (int i = 0; i < 100 && shmem_my_pe() == 0; i++)
        shmem_atomic_add(ctx, &sum, i, i % n);
    shmem_ctx_quiet(ctx);
    if (session) {
        shmem_ctx_session_stop(ctx);
        shmem_ctx_session_stop(ctx);
    }
    double end = now();
    shmem_barrier_all();
    return end - start;
}

int main(int argc, char **argv)
{
    shmem_ctx_t ctx;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0);
    shmem_barrier_all();
    double plain = run(ctx, 0), hinted = run(ctx, 1);
    CHECK(me != 0 || (plain - hinted < 1e-9 && hinted - plain < 1e-9));
    run(SHMEM_CTX_DEFAULT, 1);
    shmem_ctx_session_start(SHMEM_CTX_INVALID, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    shmem_ctx_session_stop(SHMEM_CTX_INVALID);
    long all = 0;
    for (int i = me; i < 100; i += n)
        all += 3L * i;
    CHECK(sum == all);
    shmem_ctx_destroy(ctx);
    if (argc > 1 && !strcmp(argv[1], "left"))
        shmem_ctx_session_start(SHMEM_CTX_DEFAULT, 0, NULL, 0);
    if (argc > 1 && !strcmp(argv[1], "options"))
        shmem_ctx_session_start(SHMEM_CTX_DEFAULT, 0x40, NULL, 0);
    return finish();
}
