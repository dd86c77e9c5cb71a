/* SPDX-License-Identifier: BSD-3-Clause */
/* What real libraries let pass, row by row of docs/real-libraries.md: outside of the library's life.
 * misuse_rows.h says more. */
// misuse: warning misuse/no-thread-level -np 4 -- thread_level
// misuse: warning misuse/query-before-init -np 4 -- query_before
// misuse: error before.shmem_init -np 4 -- barrier_before
// misuse: notice misuse/finalize -np 4 -- finalize_before
// misuse: notice misuse/finalize -np 4 -- finalize_twice
// misuse: notice misuse/query-after-finalize -np 4 -- query_after
// misuse: error after.the.last.shmem_finalize -np 4 -- put_after
// misuse: error after.the.last.shmem_finalize -np 4 -- barrier_after
// run: -np 4 -- global_exit_after
// status: 3
// stderr-match: called shmem_global_exit\(3\)
// run: --strict -np 4 -- global_exit_after
// status: 5
// stderr-match: --strict: misuse/global-exit
#include "misuse_rows.h"

static void query_before(void)
{
    int level = -1;
    CHECK(shmem_my_pe() == -1 && shmem_n_pes() == -1 && !shmem_pe_accessible(0));
    CHECK(!shmem_addr_accessible(all, 0) && shmem_team_my_pe(SHMEM_TEAM_WORLD) == -1);
    shmem_query_thread(&level);
    CHECK(level == SHMEM_THREAD_SINGLE);
}

static void query_after(void)
{
    int level = -1;
    shmem_team_config_t config = {0};
    CHECK(shmem_my_pe() == me && shmem_n_pes() == n && _my_pe() == me && _num_pes() == n);
    CHECK(shmem_pe_accessible(n - 1) && !shmem_pe_accessible(n) && !shmem_addr_accessible(block, 0));
    CHECK(shmem_team_my_pe(SHMEM_TEAM_WORLD) == me && shmem_team_n_pes(SHMEM_TEAM_WORLD) == n);
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 1, SHMEM_TEAM_WORLD) == 1);
    CHECK(shmem_team_get_config(SHMEM_TEAM_WORLD, 0, &config) == 0);
    shmem_query_thread(&level);
    CHECK(level == SHMEM_THREAD_SINGLE);
}

static void put_after(void)
{
    shmem_long_p(all, 1, 0);
}

static void global_exit_after(void)
{
    shmem_global_exit(3);
}

static const struct row rows[] = {
    {"thread_level", NULL, NULL, NULL},
    BEFORE(query_before),
    {"barrier_before", shmem_barrier_all, NULL, NULL},
    {"finalize_before", shmem_finalize, NULL, NULL},
    {"finalize_twice", NULL, NULL, shmem_finalize},
    AFTER(query_after),
    AFTER(put_after),
    {"barrier_after", NULL, NULL, shmem_barrier_all},
    AFTER(global_exit_after),
};

int main(int argc, char **argv)
{
    return run_row(rows, sizeof rows / sizeof *rows, argc > 1 ? argv[1] : "");
}
