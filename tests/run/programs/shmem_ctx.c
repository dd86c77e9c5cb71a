/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts: creation with every option, handles, what a quiet and a fence of one context mean for the others,
 * PE numbers of a team's context, what goes at the end. */
// build: $OSHCC -std=c11 -Wall -Wextra -Werror -g "$SRC" -o $EXE
// run: -np 1
// stdout: passed on 1 PEs
// run: -np 2
// stdout: passed on 2 PEs
// run: -np 2 --map-by host -- apart
// stdout: passed on 2 PEs
// run: -np 1 -- many
// stdout: passed on 1 PEs
// run: -np 4
// stdout: passed on 4 PEs
// run: -np 7
// stdout: passed on 7 PEs
#include "shmem_check.h"

#include <string.h>

enum { CONTEXTS = 100 };

static int me, n, next, before;
static long data[CONTEXTS];
static int counter, flag;

static void check_handles(void)
{
    shmem_ctx_t ctx[CONTEXTS];
    shmem_team_t team = SHMEM_TEAM_INVALID;
    for (int i = 0; i < CONTEXTS; i++) {
        long options = (i & 1 ? SHMEM_CTX_SERIALIZED : 0) | (i & 2 ? SHMEM_CTX_PRIVATE : 0) |
                       (i & 4 ? SHMEM_CTX_NOSTORE : 0);
        CHECK(shmem_ctx_create(options, &ctx[i]) == 0);
        CHECK(ctx[i] != SHMEM_CTX_INVALID && ctx[i] != SHMEM_CTX_DEFAULT);
        for (int k = 0; k < i; k++)
            CHECK(ctx[k] != ctx[i]);
        CHECK(shmem_ctx_get_team(ctx[i], &team) == 0 && team == SHMEM_TEAM_WORLD);
    }
    for (int i = 0; i < CONTEXTS; i++)
        shmem_p(ctx[i], &data[i], 1000L * me + i, next);
    for (int i = 0; i < CONTEXTS; i++)
        i % 3 ? shmem_ctx_quiet(ctx[i]) : shmem_ctx_destroy(ctx[i]);
    shmem_sync_all();
    for (int i = 0; i < CONTEXTS; i++)
        CHECK(data[i] == 1000L * before + i);
    for (int i = 0; i < CONTEXTS; i++)
        if (i % 3)
            shmem_ctx_destroy(ctx[i]);
    shmem_ctx_t again;
    CHECK(shmem_ctx_create(0, &again) == 0);
    for (int i = 0; i < CONTEXTS; i++)
        CHECK(ctx[i] != again);
    shmem_ctx_destroy(again);
    CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team) == 0 && team == SHMEM_TEAM_WORLD);
}

static void check_invalid(void)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0 && team == SHMEM_TEAM_INVALID);
    CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0 && ctx == SHMEM_CTX_INVALID);
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    shmem_ctx_fence(SHMEM_CTX_INVALID);
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
}

/* Neither a quiet nor a fence of one context waits for another's transfer (between hosts: within one, the CPU
 * copies). */
static void check_independence(void)
{
    static char large[4 << 20], source[4 << 20];
    shmem_ctx_t slow, quick;
    CHECK(shmem_ctx_create(0, &slow) == 0 && shmem_ctx_create(SHMEM_CTX_NOSTORE, &quick) == 0);
    large[sizeof large - 1] = 0;
    source[sizeof source - 1] = 1;
    shmem_barrier_all();
    if (me == 0) {
        shmem_ctx_putmem_nbi(slow, large, source, sizeof large, 1);
        shmem_ctx_fence(slow);
        shmem_ctx_fence(quick);
        shmem_atomic_inc(quick, &counter, 1);
        shmem_ctx_quiet(quick);
        CHECK(shmem_g(quick, &counter, 1) == 1 && shmem_g(quick, &large[sizeof large - 1], 1) == 0);
        shmem_ctx_quiet(slow);
        CHECK(shmem_g(quick, &large[sizeof large - 1], 1) == 1);
    }
    shmem_ctx_destroy(quick);
    shmem_ctx_destroy(slow);
    shmem_barrier_all();
}

/* The fence orders a small put behind a large one of the same context. */
static void check_fence(void)
{
    static char large[1 << 20], source[1 << 20];
    shmem_ctx_t ctx;
    CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0);
    source[sizeof source - 1] = 2;
    shmem_ctx_putmem_nbi(ctx, large, source, sizeof large, next);
    shmem_ctx_fence(ctx);
    shmem_p(ctx, &flag, 1, next);
    shmem_wait_until(&flag, SHMEM_CMP_EQ, 1);
    CHECK(large[sizeof large - 1] == 2);
    shmem_ctx_quiet(ctx);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
}

/* The PEs of even number, counted from the last; -1: not one of them. */
static void check_team(void)
{
    static long value, sum;
    const int members = (n + 1) / 2, place = me % 2 ? -1 : members - 1 - me / 2;
    shmem_team_t team, has;
    shmem_ctx_t ctx;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, members, NULL, 0, &team);
    if (place >= 0) {
        const int mine = shmem_team_my_pe(team), to = (mine + 1) % members,
                  from = (mine + members - 1) % members;
        CHECK(shmem_team_create_ctx(team, SHMEM_CTX_SERIALIZED, &ctx) == 0);
        CHECK(shmem_ctx_get_team(ctx, &has) == 0 && has == team);
        shmem_p(ctx, &value, 7L + mine, to);
        shmem_ctx_quiet(ctx);
        shmem_team_sync(team);
        CHECK(value == 7 + from && shmem_g(ctx, &value, to) == 7 + mine);
        shmem_atomic_add(ctx, &sum, 1L << mine, 0);
        shmem_ctx_pe_quiet(ctx, (const int[]){0}, 1);
        shmem_team_sync(team);
        CHECK(me != 0 || sum == (1L << members) - 1);
        CHECK(shmem_atomic_fetch(ctx, &sum, 0) == (1L << members) - 1);
        if (me % 4)
            shmem_ctx_destroy(ctx);
        shmem_team_destroy(team);
    } else {
        CHECK(team == SHMEM_TEAM_INVALID);
    }
}

/* As many as there can be, then one more; a place that is free again is another handle. */
static void check_many(void)
{
    enum { MOST = 1 << 16 };
    static shmem_ctx_t all[MOST];
    shmem_ctx_t more = SHMEM_CTX_DEFAULT;
    int made = 0;
    while (made < MOST && shmem_ctx_create(SHMEM_CTX_PRIVATE, &all[made]) == 0)
        made++;
    CHECK(made == MOST);
    CHECK(shmem_ctx_create(0, &more) != 0 && more == SHMEM_CTX_INVALID);
    shmem_p(all[MOST - 1], &data[1], 5L, me);
    shmem_ctx_destroy(all[MOST / 2]);
    CHECK(shmem_ctx_create(0, &more) == 0 && more != SHMEM_CTX_INVALID && more != all[MOST / 2]);
    shmem_ctx_destroy(more);
    for (int i = MOST - 1; i >= 0; i--)
        if (i != MOST / 2)
            shmem_ctx_destroy(all[i]);
    CHECK(data[1] == 5);
}

int main(int argc, char **argv)
{
    shmem_ctx_t left;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    next = (me + 1) % n;
    before = (me + n - 1) % n;
    check_handles();
    check_invalid();
    if (argc > 1 && !strcmp(argv[1], "many"))
        check_many();
    if (argc > 1 && !strcmp(argv[1], "apart"))
        check_independence();
    check_fence();
    check_team();
    CHECK(shmem_ctx_create(0, &left) == 0);
    shmem_p(left, &data[0], 1, next);
    return finish();
}
