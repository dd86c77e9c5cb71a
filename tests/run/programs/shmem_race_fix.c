/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The smallest repair that reports of races name, for each way in which an order of OpenSHMEM can be missing. In each
 * form the program has one race.
 */
// build: $OSHCC --check -g "$SRC" -o $EXE
// shell: for h in local same get sync late context nothing stores types flag; do $RUN -q --check=races -np 2 $EXE $h 2>&1 >$W/out | sed -n "s/^    fix: /$h: /p"; done
// stdout: local: call shmem_quiet before the load in local_quiet, shmem_race_fix.c:29
// stdout: same: call shmem_fence before shmem_long_p in same_fence, shmem_race_fix.c:35
// stdout: get: use shmem_quiet instead of shmem_fence in fence_get, shmem_race_fix.c:41, which orders no gets
// stdout: sync: complete it earlier: shmem_quiet before shmem_sync_all in sync_only, shmem_race_fix.c:49
// stdout: late: complete it earlier: shmem_quiet before shmem_sync_all in late_quiet, shmem_race_fix.c:58
// stdout: context: shmem_barrier_all completes the default context only: shmem_ctx_quiet before shmem_barrier_all in other_context, shmem_race_fix.c:69
// stdout: nothing: complete it by shmem_quiet, and then synchronize rank 0 and rank 1: shmem_barrier_all does both
// stdout: stores: synchronize rank 0 and rank 1 between the two
// stdout: types: use one type for both: long or unsigned long
// stdout: flag: complete it before the ranks synchronize: shmem_quiet before shmem_long_atomic_set in flagged, shmem_race_fix.c:101
#include <shmem.h>
#include <stdio.h>
#include <string.h>

static long data[8], flag;
static shmem_ctx_t ctx;

static void local_quiet(void)
{
    static long value;
    shmem_long_get_nbi(&value, data, 1, 1);
    printf("%ld\n", value); /* shmem_quiet before the load */
}

static void same_fence(void)
{
    shmem_long_p(data, 1, 1);
    shmem_long_p(data, 2, 1); /* shmem_fence before */
}

static void fence_get(void)
{
    shmem_long_p(data, 1, 1);
    shmem_fence();
    shmem_long_g(data, 1); /* quiet instead of fence */
}

static void sync_only(int me)
{
    if (me == 0)
        shmem_long_p(data, 1, 1);
    shmem_sync_all();
    if (me == 1)
        printf("%ld\n", data[0]);
}

static void late_quiet(int me)
{
    if (me == 0)
        shmem_long_p(data, 1, 1);
    shmem_sync_all();
    if (me == 0)
        shmem_quiet();
    else
        printf("%ld\n", data[0]);
}

static void other_context(int me)
{
    if (me == 0)
        shmem_ctx_long_p(ctx, data, 1, 1);
    shmem_barrier_all();
    if (me == 1)
        printf("%ld\n", data[0]);
}

static void nothing(int me)
{
    if (me == 0)
        shmem_long_p(data, 1, 1);
    else
        printf("%ld\n", data[0]);
}

static void stores(int me)
{
    if (me == 0)
        data[0] = 1;
    else
        shmem_long_g(data, 0);
}

static void types(int me)
{
    if (me == 0)
        shmem_long_atomic_inc(data, 1);
    else
        shmem_ulong_atomic_inc((unsigned long *)data, 1);
}
static void flagged(int me)
{
    if (me == 0) {
        shmem_long_p(data, 1, 1);
        shmem_long_atomic_set(&flag, 1, 1);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        printf("%ld\n", data[0]);
    }
}

int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe();
    const char *how = argc > 1 ? argv[1] : "";
    shmem_ctx_create(0, &ctx);
    shmem_barrier_all();
    if (!strcmp(how, "local") && !me)
        local_quiet();
    if (!strcmp(how, "same") && !me)
        same_fence();
    if (!strcmp(how, "get") && !me)
        fence_get();
    if (!strcmp(how, "sync"))
        sync_only(me);
    if (!strcmp(how, "late"))
        late_quiet(me);
    if (!strcmp(how, "context"))
        other_context(me);
    if (!strcmp(how, "nothing"))
        nothing(me);
    if (!strcmp(how, "stores"))
        stores(me);
    if (!strcmp(how, "types"))
        types(me);
    if (!strcmp(how, "flag"))
        flagged(me);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
