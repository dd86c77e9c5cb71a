/* SPDX-License-Identifier: BSD-3-Clause */
/* What real libraries let pass, row by row of docs/real-libraries.md: teams and contexts. misuse_rows.h says
 * more. */
// misuse: warning misuse/team-config -np 4 -- team_mask
// misuse: warning misuse/team-config -np 4 -- team_mask_2d
// misuse: warning misuse/team-config -np 4 -- team_config_null
// misuse: warning misuse/team-config -np 4 -- team_config_differs
// misuse: warning misuse/team-split -np 4 -- team_stride_zero
// misuse: error predefined -np 4 -- team_destroy_world
// misuse: error the.team.is.destroyed -np 4 -- team_destroyed
// misuse: warning misuse/ctx-options -np 4 -- ctx_options
// misuse: notice misuse/session-options -np 4 -- session_options
// misuse: warning misuse/ctx-destroyed -np 4 -- ctx_destroyed
// misuse: warning misuse/ctx-destroyed -np 4 -- ctx_twice
// misuse: warning misuse/ctx-default -np 4 -- ctx_default
// misuse: error the.context.was.destroyed -np 4 -- ctx_of_team
// misuse: error SHMEM_CTX_INVALID -np 4 -- ctx_invalid
#include "misuse_rows.h"

static void team_mask(void)
{
    shmem_team_config_t config = {.num_contexts = 2};
    shmem_team_t team = SHMEM_TEAM_WORLD;
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &config, 6, &team) != 0);
    CHECK(team == SHMEM_TEAM_INVALID);
    CHECK(shmem_team_get_config(SHMEM_TEAM_WORLD, 6, &config) != 0 && config.num_contexts == 2);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &config, SHMEM_TEAM_NUM_CONTEXTS, &team) == 0);
    CHECK(shmem_team_n_pes(team) == n);
    shmem_team_destroy(team);
}

static void team_mask_2d(void)
{
    shmem_team_config_t config = {.num_contexts = 2};
    shmem_team_t x = SHMEM_TEAM_WORLD, y = SHMEM_TEAM_WORLD;
    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, &config, 2, &x, NULL, 0, &y) != 0);
    CHECK(x == SHMEM_TEAM_INVALID && shmem_team_n_pes(y) == 2);
    shmem_team_destroy(y);
}

static void team_config_null(void)
{
    CHECK(shmem_team_get_config(SHMEM_TEAM_WORLD, SHMEM_TEAM_NUM_CONTEXTS, NULL) != 0);
}

static void team_config_differs(void)
{
    shmem_team_config_t config = {.num_contexts = me};
    shmem_team_t team;
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &config, SHMEM_TEAM_NUM_CONTEXTS, &team) == 0);
    CHECK(shmem_team_my_pe(team) == me);
    shmem_team_destroy(team);
}

static void team_stride_zero(void)
{
    shmem_team_t team;
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 0, 2, NULL, 0, &team) != 0);
}

static void team_destroy_world(void)
{
    shmem_team_destroy(SHMEM_TEAM_WORLD);
}

static void team_destroyed(void)
{
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team);
    shmem_team_destroy(team);
    shmem_team_n_pes(team);
}

static void ctx_options(void)
{
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    CHECK(shmem_ctx_create(0x100 | SHMEM_CTX_SERIALIZED, &ctx) == 0);
    shmem_ctx_long_p(ctx, all, 6, (me + 1) % n);
    shmem_ctx_quiet(ctx);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    CHECK(all[0] == 6);
}

static void session_options(void)
{
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, 0x40, NULL, 0x10);
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
}

static void ctx_destroyed(void)
{
    shmem_ctx_t ctx;
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    shmem_ctx_destroy(ctx);
    shmem_ctx_long_p(ctx, all, 6, (me + 1) % n);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    CHECK(all[0] == 6);
}

static void ctx_twice(void)
{
    shmem_ctx_t ctx, other;
    CHECK(shmem_ctx_create(0, &ctx) == 0);
    shmem_ctx_destroy(ctx);
    shmem_ctx_destroy(ctx);
    CHECK(shmem_ctx_create(0, &ctx) == 0 && shmem_ctx_create(0, &other) == 0 && ctx != other);
    shmem_ctx_long_p(other, all, 6, (me + 1) % n);
    shmem_ctx_destroy(ctx);
    shmem_ctx_destroy(other);
    shmem_barrier_all();
    CHECK(all[0] == 6);
}

static void ctx_default(void)
{
    shmem_ctx_destroy(SHMEM_CTX_DEFAULT);
    shmem_ctx_long_p(SHMEM_CTX_DEFAULT, all, 6, (me + 1) % n);
    shmem_barrier_all();
    CHECK(all[0] == 6);
}

static void ctx_of_team(void)
{
    shmem_ctx_t ctx;
    CHECK(shmem_team_create_ctx(SHMEM_TEAM_SHARED, 0, &ctx) == 0);
    shmem_ctx_destroy(ctx);
    shmem_ctx_long_p(ctx, all, 6, 0);
}

static void ctx_invalid(void)
{
    shmem_ctx_long_p(SHMEM_CTX_INVALID, all, 6, 0);
}

static const struct row rows[] = {
    ROW(team_mask),        ROW(team_mask_2d),       ROW(team_config_null), ROW(team_config_differs),
    ROW(team_stride_zero), ROW(team_destroy_world), ROW(team_destroyed),   ROW(ctx_options),
    ROW(session_options),  ROW(ctx_destroyed),      ROW(ctx_twice),        ROW(ctx_default),
    ROW(ctx_of_team),      ROW(ctx_invalid),
};

int main(int argc, char **argv)
{
    return run_row(rows, sizeof rows / sizeof *rows, argc > 1 ? argv[1] : "");
}
