/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What checkers are told of OpenSHMEM: who comes before whom by locks, barriers and meetings; symmetric memory;
 * which variables waits and tests have seen; what quiet completes, whether or not something was under way; no
 * moment and no action is left.
 */
#include "rma/ear.h"
#include "shmem/internal.h"

enum { RANKS = 4 };
static struct ranks stage;
static const char platform[] =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
    "<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n"
    "<link id='l' bandwidth='1GBps' latency='1us'/>\n"
    "<route src='a' dst='b'><link_ctn id='l'/></route>\n</zone></platform>\n";
static struct naive_event at[RANKS], later[RANKS];

static void run(ranks_body_fn fn)
{
    ranks_prepare(&stage, RANKS, 4096);
    base_settings_declare(stage.settings, coll_settings, coll_settings_count);
    base_settings_declare(stage.settings, shmem_settings, shmem_settings_count);
    ranks_setting(&stage, "shmem/symmetric-size", "1MiB");
    ranks_begin(&stage, ranks_platform(&stage, platform), NULL);
    stage.all = fn;
    naive_install();
    if (ranks_run(&stage) != ENGINE_ALL_DONE)
        fail_msg("the job did not end as it should: %s", stage.report);
    ranks_end(&stage);
    naive_remove();
    ear_clear();
}

/* --- locks ---------------------------------------------------------------------------------------- */

static uint32_t holders, order[RANKS];

static void locks(struct rank *r)
{
    shmem_init();
    long *lock = shmem_calloc(2, sizeof *lock);
    at[r->id] = naive_event(r);
    engine_sleep(r->engine, (RANKS - r->id) * 1e-6);
    shmem_set_lock(lock);
    order[holders++] = r->id;
    for (uint32_t k = 0; k + 1 < holders; k++) {
        assert_true(naive_follows(r, at[order[k]]));
        assert_false(naive_follows(r, later[order[k]]));
    }
    for (uint32_t k = 0; k < RANKS; k++) /* those that wait do not come before */
        assert_true(naive_follows(r, at[k]) == (later[k].count || k == r->id));
    size_t told = ear.syncs.n;
    engine_sleep(r->engine, 20e-6);
    shmem_clear_lock(lock);
    later[r->id] = naive_event(r);
    assert_int_equal(ear_count(r, RMA_SYNC_MEMORY, told), 0);
    assert_int_equal(ear_count(r, RMA_SYNC_QUIET, told), 1);
    for (size_t k = 0; k < ear.issues.n; k++)
        assert_true(ear.issues.at[k].inner);
    shmem_barrier_all();
    at[r->id] = naive_event(r);
    if (r->id == 0)
        assert_int_equal(shmem_test_lock(lock + 1), 0);
    engine_sleep(r->engine, 50e-6);
    assert_true(r->id == 0 || shmem_test_lock(lock + 1)); /* in vain */
    assert_true(r->id == 0 || !naive_follows(r, at[0]));
    engine_sleep(r->engine, 50e-6);
    if (r->id == 0)
        shmem_clear_lock(lock + 1);
    engine_sleep(r->engine, 50e-6);
    if (r->id == 1) {
        assert_int_equal(shmem_test_lock(lock + 1), 0);
        assert_true(naive_follows(r, at[0]));
        shmem_clear_lock(lock + 1);
    }
    shmem_finalize();
}

static void a_lock_orders_its_holders(void **state)
{
    (void)state;
    holders = 0;
    memset(later, 0, sizeof later);
    run(locks);
}

/* --- barriers and memory -------------------------------------------------------------------------- */

static size_t fresh_at(const void *p)
{
    for (size_t k = naive.fresh.n; k-- > 0;)
        if (naive.fresh.at[k].base == (uintptr_t)p)
            return naive.fresh.at[k].size;
    return 0;
}

static struct naive_event phase[RANKS][16];
static unsigned phases[RANKS];

static void mark(const struct rank *r)
{
    phase[r->id][phases[r->id]++] = naive_event(r);
}

/* The call since the last mark has ordered the PEs 0, `by`, 2 `by`, ... */
static void ordered(const struct rank *r, uint32_t by)
{
    for (uint32_t k = 0; k < RANKS; k++)
        assert_int_equal(naive_follows(r, phase[k][phases[r->id] - 1]), k % by == 0 || k == r->id);
    mark(r);
}

static void meets(struct rank *r)
{
    phases[r->id] = 0;
    mark(r);
    shmem_init();
    ordered(r, 1);
    shmem_barrier_all();
    ordered(r, 1);
    shmem_sync_all();
    ordered(r, 1);
    char *p = shmem_malloc(100);
    ordered(r, 1);
    assert_int_equal(fresh_at(p), 100);
    char *q = shmem_calloc(7, 8);
    ordered(r, 1);
    assert_int_equal(fresh_at(q), 0);
    p = shmem_realloc(p, 5000);
    ordered(r, 1);
    assert_int_equal(fresh_at(p + 100), 4900);
    shmem_free(p);
    ordered(r, 1);
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, 2, NULL, 0, &team);
    ordered(r, 1);
    if (team != SHMEM_TEAM_INVALID) {
        shmem_team_sync(team);
        ordered(r, 2);
    } else {
        mark(r);
    }
    shmem_finalize();
    ordered(r, 1);
}

static void barriers_order_all(void **state)
{
    (void)state;
    run(meets);
}

static size_t areas[2]; /* that are there, at the end; were there */

static void asks_for_areas(struct rank *r)
{
    shmem_init();
    if (r->id == 0)
        areas[0] = naive.areas.n;
    shmem_finalize();
    areas[1] = naive.areas.n;
}

static void symmetric_memory_is_told(void **state)
{
    (void)state;
    run(asks_for_areas);
    assert_int_equal(areas[0], 2 * RANKS); /* a heap and one span each */
    assert_int_equal(areas[1], 4 * RANKS);
}

/* --- waits, tests, quiet --------------------------------------------------------------------------- */

static void sees(struct rank *r)
{
    enum { N = 6 };
    static const int left_out[N] = {0, 1, 0, 0, 1, 0};
    shmem_init();
    int *v = shmem_calloc(N, sizeof *v);
    size_t found[N], from;
    if (r->id == 1) {
        engine_sleep(r->engine, 5e-6);
        for (int k = 0; k < N; k++)
            shmem_int_atomic_set(v + k, k, 0);
        shmem_quiet();
    } else if (r->id == 0) {
        from = ear.syncs.n;
        assert_int_equal(shmem_int_test(v + 3, SHMEM_CMP_EQ, 3), 0);
        assert_int_equal(ear_seen(r, v, sizeof *v * N, from), 0);
        shmem_int_wait_until(v + 3, SHMEM_CMP_EQ, 3); /* waits */
        assert_int_equal(ear_seen(r, v + 3, sizeof *v, from), sizeof *v);
        engine_sleep(r->engine, 50e-6);
        shmem_int_wait_until(v + 2, SHMEM_CMP_EQ, 2); /* holds at once */
        assert_int_equal(ear_seen(r, v + 2, sizeof *v, from), sizeof *v);
        from = ear.syncs.n;
        assert_int_equal(shmem_int_test(v + 5, SHMEM_CMP_EQ, 5), 1);
        assert_int_equal(ear_seen(r, v + 5, sizeof *v, from), sizeof *v);
        from = ear.syncs.n;
        shmem_int_wait_until_all(v, N, NULL, SHMEM_CMP_GE, 0);
        assert_int_equal(ear_seen(r, v, N * sizeof *v, from), N * sizeof *v);
        from = ear.syncs.n;
        assert_int_equal(shmem_int_test_all(v, N, left_out, SHMEM_CMP_LT, 6), 1);
        assert_int_equal(ear_seen(r, v, N * sizeof *v, from), 4 * sizeof *v);
        assert_int_equal(ear_seen(r, v + 1, sizeof *v, from), 0);
        from = ear.syncs.n;
        assert_int_equal(shmem_int_wait_until_any(v, N, NULL, SHMEM_CMP_EQ, 4), 4);
        assert_int_equal(ear_seen(r, v + 4, sizeof *v, from), sizeof *v);
        assert_int_equal(ear_seen(r, v, N * sizeof *v, from), sizeof *v);
        from = ear.syncs.n;
        assert_int_equal(shmem_int_wait_until_some(v, N, found, NULL, SHMEM_CMP_GT, 3), 2);
        assert_int_equal(ear_seen(r, v + 4, 2 * sizeof *v, from), 2 * sizeof *v);
        assert_int_equal(ear_seen(r, v, N * sizeof *v, from), 2 * sizeof *v);
        from = ear.syncs.n;
        assert_int_equal(shmem_int_test_any(v, N, NULL, SHMEM_CMP_EQ, 9), SIZE_MAX);
        assert_int_equal(ear.syncs.n, from);
    }
    shmem_finalize();
}

static void waits_name_what_they_have_seen(void **state)
{
    (void)state;
    run(sees);
}

static void completes(struct rank *r)
{
    shmem_init();
    long *v = shmem_calloc(4, sizeof *v), local[4] = {0};
    if (r->id == 0) {
        shmem_ctx_t ctx;
        shmem_ctx_create(SHMEM_CTX_NOSTORE, &ctx);
        shmem_long_put(v, local, 4, 1);
        shmem_long_put_nbi(v, local, 4, 2);
        engine_sleep(r->engine, 100e-6); /* all is over, but that is not known */
        size_t from = ear.syncs.n;
        shmem_pe_quiet((int[]){2}, 1);
        assert_int_equal(ear_count(r, RMA_SYNC_QUIET, from), 1);
        assert_int_equal(ear.targets.at[from], 2);
        from = ear.syncs.n;
        shmem_quiet();
        assert_int_equal(ear_count(r, RMA_SYNC_QUIET, from), 1);
        assert_int_equal(ear.targets.at[from], UINT32_MAX);
        assert_int_equal(shmem_ctx_long_atomic_fetch_add(ctx, v, 1, 3), 0);
        const struct rma_issue *i = ear.issues.at + ear.issues.n;
        assert_true(i[-3].blocks && !i[-3].fetches && !i[-3].stream->nostore);
        assert_false(i[-2].blocks);
        assert_true(i[-1].blocks && i[-1].fetches && i[-1].stream->nostore);
        assert_int_equal(i[-1].type, TYPES_LONG);
        char text[80];
        i[-1].names->stream(i[-1].stream->about, text, sizeof text);
        assert_string_equal(text, "a context of the program, SHMEM_CTX_NOSTORE");
        shmem_ctx_destroy(ctx);
    }
    shmem_finalize();
}

static void quiet_tells_what_is_complete(void **state)
{
    (void)state;
    run(completes);
}

int main(void)
{
    rma_register();
    coll_register();
    shmem_register();
    ear_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lock_orders_its_holders),    cmocka_unit_test(barriers_order_all),
        cmocka_unit_test(symmetric_memory_is_told),     cmocka_unit_test(waits_name_what_they_have_seen),
        cmocka_unit_test(quiet_tells_what_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
