/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts that are not what a call wants: each is named for what it is. */
// build: $OSHCC -std=c11 -Wall -Wextra -Werror -g "$SRC" -o $EXE
// run: --strict -np 2 -- destroyed
// status: 5
// stderr-match: rank 0 .*shmem_ctx_int_p: the context was destroyed
// run: -np 2 -- invalid
// status: 5
// stderr-match: rank 0 .*shmem_ctx_long_get: the context is SHMEM_CTX_INVALID
// run: -np 2 -- garbage
// status: 5
// stderr-match: rank 0 .*shmem_ctx_quiet: 0x1234 is not the handle of a context
// run: -np 2 -- other
// status: 5
// stderr-match: rank 0 .*shmem_ctx_fence: the context is PE 1's
// run: --strict -np 2 -- default
// status: 5
// stderr-match: shmem_ctx_destroy: the default context cannot be destroyed
// run: -np 2 -- team
// status: 5
// stderr-match: rank 0 .*shmem_ctx_int_atomic_inc: PE 1 is not in the context's team: PEs are 0 to 0
// run: -np 2 -- gone
// status: 5
// stderr-match: rank 0 .*shmem_ctx_int_p: the context was destroyed
// run: --strict -np 2 -- options
// status: 5
// stderr-match: shmem_ctx_create: options 0x100 contain unknown bits
// run: -np 2 -- private
// stderr-match: misuse|SHMEM_CTX_PRIVATE was not destroyed
// run: -np 2 --strict -- private
// status: 5
// stderr-match: error: .*shmem_finalize: a context with SHMEM_CTX_PRIVATE was not destroyed
// run: --strict -np 2 -- twice
// status: 5
// stderr-match: shmem_ctx_destroy: the context was destroyed
#include <shmem.h>
#include <stdint.h>
#include <string.h>

static int target;
static long number;
static uintptr_t other;

static void use_wrong(const char *what, shmem_ctx_t ctx, shmem_ctx_t team_ctx)
{
    long got;
    if (!strcmp(what, "destroyed")) {
        shmem_ctx_destroy(ctx);
        shmem_p(ctx, &target, 1, 1);
    } else if (!strcmp(what, "twice")) {
        shmem_ctx_destroy(ctx);
        shmem_ctx_destroy(ctx);
    } else if (!strcmp(what, "invalid")) {
        shmem_get(SHMEM_CTX_INVALID, &got, &number, 1, 1);
    } else if (!strcmp(what, "garbage")) {
        shmem_ctx_quiet((shmem_ctx_t)0x1234);
    } else if (!strcmp(what, "other")) {
        shmem_ctx_fence((shmem_ctx_t)other);
    } else if (!strcmp(what, "default")) {
        shmem_ctx_destroy(SHMEM_CTX_DEFAULT);
    } else if (!strcmp(what, "team")) {
        shmem_atomic_inc(team_ctx, &target, 1);
    } else if (!strcmp(what, "gone")) {
        shmem_p(team_ctx, &target, 1, 0);
    } else if (!strcmp(what, "options")) {
        shmem_ctx_create(0x100, &ctx);
    }
}

int main(int argc, char **argv)
{
    shmem_ctx_t ctx, team_ctx = SHMEM_CTX_INVALID;
    shmem_team_t team;
    const char *what = argv[argc - 1];
    shmem_init();
    int me = shmem_my_pe();
    shmem_ctx_create(!strcmp(what, "private") ? SHMEM_CTX_PRIVATE : 0, &ctx);
    shmem_uint64_p(&other, (uintptr_t)ctx, 1 - me);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team);
    if (team != SHMEM_TEAM_INVALID)
        shmem_team_create_ctx(team, 0, &team_ctx);
    if (!strcmp(what, "gone"))
        shmem_team_destroy(team);
    shmem_barrier_all();
    if (me == 0)
        use_wrong(what, ctx, team_ctx);
    shmem_finalize();
    return 0;
}
