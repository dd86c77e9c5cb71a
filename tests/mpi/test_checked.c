/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What checkers are told of MPI: who comes before whom by windows' locks, notices and fences, by requests of
 * all kinds and collectives on inter-communicators; windows' memory; what flushes and their like complete,
 * whether or not something was under way; no moment and no action is left.
 */
#include "coll/coll.h"
#include "fabric/fabric.h"
#include "mpi/mpi_front.h"
#include "p2p/p2p.h"
#include "rma/ear.h"

#include <mpi.h>

enum { RANKS = 4 };
static struct ranks stage;
static const char platform[] =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
    "<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>\n"
    "<link id='l' bandwidth='1GBps' latency='1us'/><link id='self' bandwidth='1GBps' latency='1us'/>\n"
    "<route src='a' dst='b'><link_ctn id='l'/></route>\n"
    "<route src='a' dst='a'><link_ctn id='self'/></route>\n"
    "<route src='b' dst='b'><link_ctn id='self'/></route>\n</zone></platform>\n";

static struct naive_event phase[RANKS][16];
static unsigned phases[RANKS];
static long *memory[RANKS];
static MPI_Win win[RANKS];

static void run(ranks_body_fn fn)
{
    ranks_prepare(&stage, RANKS, 4096);
    base_settings_declare(stage.settings, coll_settings, coll_settings_count);
    base_settings_declare(stage.settings, fabric_message_settings, fabric_message_settings_count);
    base_settings_declare(stage.settings, mpi_settings, mpi_settings_count);
    ranks_begin(&stage, ranks_platform(&stage, platform), NULL);
    stage.all = fn;
    memset(phases, 0, sizeof phases);
    naive_install();
    if (ranks_run(&stage) != ENGINE_ALL_DONE)
        fail_msg("the job did not end as it should: %s", stage.report);
    ranks_end(&stage);
    naive_remove();
    ear_clear();
}

/* A point in the rank's program; the n-th of each. */
static void mark(const struct rank *r)
{
    phase[r->id][phases[r->id]++] = naive_event(r);
}
static bool knows(const struct rank *r, uint32_t of, unsigned n)
{
    return n < phases[of] && naive_follows(r, phase[of][n]);
}
static void pause(const struct rank *r, double us)
{
    engine_sleep(r->engine, us * 1e-6);
}

static void open_window(struct rank *r)
{
    MPI_Init(NULL, NULL);
    mark(r); /* 0 */
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory[r->id], &win[r->id]);
    for (uint32_t k = 0; k < RANKS; k++)
        assert_true(knows(r, k, 0));
}
static void close_window(struct rank *r)
{
    MPI_Win_free(&win[r->id]);
    MPI_Finalize();
}

/* --- locks ---------------------------------------------------------------------------------------- */

/* Ranks 1 and 2 share the lock of 0, then 3 has it alone, then 1 shares it. Rank 0 has another one alone. */
static void locks(struct rank *r)
{
    open_window(r);
    MPI_Win w = win[r->id];
    mark(r); /* 1 */
    if (r->id == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, w);
        MPI_Win_unlock(2, w);
    }
    if (r->id == 1 || r->id == 2) {
        pause(r, r->id == 1 ? 0 : 20);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w);
        assert_false(knows(r, 3 - r->id, 1));
        pause(r, 5);
        MPI_Win_unlock(0, w);
        mark(r); /* 2 */
    }
    if (r->id == 3) {
        pause(r, 60);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
        assert_true(knows(r, 1, 1) && knows(r, 2, 1));
        assert_false(knows(r, 1, 2) || knows(r, 0, 1));
        MPI_Win_unlock(0, w);
    }
    if (r->id == 1) {
        pause(r, 100);
        MPI_Win_lock_all(0, w); /* shared, at all */
        assert_true(knows(r, 3, 1) && knows(r, 0, 1));
        MPI_Win_unlock_all(w);
        mark(r); /* 3 */
    }
    if (r->id == 2) { /* of another rank: lock_all comes before */
        pause(r, 150);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, w);
        assert_true(knows(r, 1, 2));
        assert_false(knows(r, 1, 3));
        MPI_Win_unlock(1, w);
    }
    close_window(r);
}

static void locks_order_as_they_exclude(void **state)
{
    (void)state;
    run(locks);
}

/* --- notices -------------------------------------------------------------------------------------- */

/* Rank 0 exposes its memory to 1 and 2. */
static void notices(struct rank *r)
{
    MPI_Group world, origins, target;
    open_window(r);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, (int[]){1, 2}, &origins);
    MPI_Group_incl(world, 1, (int[]){0}, &target);
    MPI_Win w = win[r->id];
    mark(r); /* 1 */
    if (r->id == 0) {
        int flag = 0;
        MPI_Win_post(origins, 0, w);
        mark(r); /* 2 */
        size_t from = ear.syncs.n;
        MPI_Win_test(w, &flag);
        assert_true(!flag && !knows(r, 1, 1) && !ear_count(r, RMA_SYNC_DELIVERED, from));
        MPI_Win_wait(w);
        assert_true(knows(r, 1, 1) && knows(r, 2, 1));
        assert_false(knows(r, 1, 2) || knows(r, 2, 2));
        assert_int_equal(ear_count(r, RMA_SYNC_DELIVERED, from), 2);
    } else if (r->id < 3) {
        long v = 1;
        MPI_Win_start(target, 0, w);
        assert_true(knows(r, 0, 1));
        assert_false(knows(r, 0, 2) || knows(r, 3 - r->id, 1));
        MPI_Put(&v, 1, MPI_LONG, 0, 8 * r->id, 1, MPI_LONG, w);
        size_t from = ear.syncs.n;
        MPI_Win_complete(w);
        mark(r); /* 2 */
        assert_int_equal(ear_count(r, RMA_SYNC_LOCAL, from), 1);
        assert_int_equal(ear_count(r, RMA_SYNC_QUIET, from), 0);
    }
    MPI_Group_free(&world);
    MPI_Group_free(&origins);
    MPI_Group_free(&target);
    close_window(r);
}

static void notices_order_both_ways(void **state)
{
    (void)state;
    run(notices);
}

/* --- completion ----------------------------------------------------------------------------------- */

static void flushes(struct rank *r)
{
    open_window(r);
    MPI_Win w = win[r->id];
    long v[4] = {0};
    for (size_t k = 0, found = 0; k < naive.areas.n; k++) {
        const struct naive_area *a = &naive.areas.at[k];
        found += a->rank == r->id && a->area.address == (uintptr_t)memory[r->id] && a->area.bytes == 64;
        assert_true(found || k + 1 < naive.areas.n);
    }
    if (r->id == 0) {
        MPI_Request q;
        MPI_Win_lock_all(0, w);
        MPI_Put(v, 1, MPI_LONG, 1, 0, 1, MPI_LONG, w);
        MPI_Accumulate(v, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, w);
        const struct rma_issue *i = ear.issues.at + ear.issues.n;
        assert_true(!i[-1].blocks && !i[-2].blocks && i[-1].type == TYPES_INT);
        assert_int_equal(i[-1].stream->ops, RMA_SAME_OP_NO_OP);
        char text[100];
        i[-1].names->stream(i[-1].stream->about, text, sizeof text);
        assert_string_equal(text, "window of 4 ranks (MPI_Win_allocate)");
        pause(r, 100); /* all is over, but that is not known */
        size_t from = ear.syncs.n;
        MPI_Win_flush(1, w);
        assert_int_equal(ear_count(r, RMA_SYNC_QUIET, from), 1);
        assert_int_equal(ear.targets.at[from], 1);
        MPI_Win_flush_local(2, w);
        assert_int_equal(ear_count(r, RMA_SYNC_LOCAL, from), 1);
        assert_int_equal(ear.targets.at[from + 1], 2);
        from = ear.syncs.n;
        MPI_Rput(v, 1, MPI_LONG, 3, 0, 1, MPI_LONG, w, &q);
        uint64_t number = ear.issues.at[ear.issues.n - 1].operation;
        pause(r, 50);
        assert_int_equal(ear.syncs.n, from);
        MPI_Wait(&q, MPI_STATUS_IGNORE); /* NOLINT: the analyzer does not know MPI_Rput */
        assert_int_equal(ear_count(r, RMA_SYNC_OPERATION, from), 1);
        assert_int_equal(ear.syncs.at[from].limit, number);
        MPI_Win_sync(w);
        assert_int_equal(ear_count(r, RMA_SYNC_COPIES, from), 1);
        MPI_Win_unlock_all(w);
        assert_int_equal(ear_count(r, RMA_SYNC_QUIET, from), 1);
        assert_int_equal(ear.targets.at[ear.syncs.n - 1], UINT32_MAX);
    }
    mark(r); /* 1 */
    MPI_Win_fence(0, w);
    for (uint32_t k = 0; k < RANKS; k++)
        assert_true(knows(r, k, 1));
    MPI_Win_fence(MPI_MODE_NOSUCCEED, w);
    close_window(r);
}

static void completion_is_told_whenever_it_is_learned(void **state)
{
    (void)state;
    run(flushes);
}

/* --- requests ------------------------------------------------------------------------------------- */

/* A nonblocking broadcast, a partitioned message, both directions at once. */
static void requests(struct rank *r)
{
    long a[4] = {0}, b[4] = {0};
    MPI_Request q;
    int flag = 0;
    MPI_Init(NULL, NULL);
    mark(r); /* 0 */
    MPI_Ibcast(a, 4, MPI_LONG, 1, MPI_COMM_WORLD, &q);
    pause(r, 100);
    assert_true(r->id == 1 || !knows(r, 1, 0));
    MPI_Request_get_status(q, &flag, MPI_STATUS_IGNORE);
    assert_true(flag);
    for (uint32_t k = 0; k < RANKS; k++)
        assert_int_equal(knows(r, k, 0), k == 1 || k == r->id);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    mark(r); /* 1 */
    if (r->id == 0) {
        MPI_Psend_init(a, 2, 2, MPI_LONG, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &q);
        MPI_Start(&q);
        size_t n = naive_open();
        MPI_Pready(1, q);
        MPI_Pready(0, q);
        assert_true(naive_open() >= n + 2);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        MPI_Request_free(&q);
    } else if (r->id == 1) {
        MPI_Precv_init(a, 2, 2, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &q);
        MPI_Start(&q);
        for (flag = 0; !flag;)
            MPI_Parrived(q, 1, &flag);
        assert_true(knows(r, 0, 1));
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        MPI_Request_free(&q);
    }
    int peer = (int)(r->id ^ 2);
    mark(r); /* 2 */
    MPI_Isendrecv(a, 4, MPI_LONG, peer, 1, b, 4, MPI_LONG, peer, 1, MPI_COMM_WORLD, &q);
    pause(r, 300);
    assert_false(knows(r, (uint32_t)peer, 2));
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    assert_true(knows(r, (uint32_t)peer, 2));
    assert_false(knows(r, r->id ^ 1, 2));
    MPI_Finalize();
}

static void requests_order_when_they_end(void **state)
{
    (void)state;
    run(requests);
}

/* --- inter-communicators ---------------------------------------------------------------------------- */

/* Ranks 0, 2 and 1, 3 are the sides. What one side gives comes before the other side's end, and no more. */
static void both_sides(struct rank *r)
{
    MPI_Comm side, both;
    long a[2] = {0}, b[2] = {0};
    MPI_Request q;
    uint32_t mine = r->id % 2;
    MPI_Init(NULL, NULL);
    MPI_Comm_split(MPI_COMM_WORLD, (int)mine, 0, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - (int)mine, 0, &both);
    mark(r); /* 0 */
    MPI_Allreduce(a, b, 2, MPI_LONG, MPI_SUM, both);
    for (uint32_t k = 0; k < RANKS; k++)
        assert_int_equal(knows(r, k, 0), k % 2 != mine || k == r->id);
    mark(r); /* 1 */
    MPI_Bcast(a, 2, MPI_LONG, r->id == 0 ? MPI_ROOT : r->id == 2 ? MPI_PROC_NULL : 0, both);
    for (uint32_t k = 0; k < RANKS; k++)
        assert_int_equal(knows(r, k, 1), k == r->id || (k == 0 && mine));
    mark(r); /* 2 */
    MPI_Ibarrier(both, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    for (uint32_t k = 0; k < RANKS; k++)
        assert_true(knows(r, k, 2));
    mark(r); /* 3 */
    MPI_Reduce(a, b, 2, MPI_LONG, MPI_SUM, r->id == 1 ? MPI_ROOT : r->id == 3 ? MPI_PROC_NULL : 0, both);
    for (uint32_t k = 0; k < RANKS; k++)
        assert_int_equal(knows(r, k, 3), k == r->id || (r->id == 1 && k % 2 == 0));
    MPI_Comm_free(&both);
    MPI_Comm_free(&side);
    MPI_Finalize();
}

static void sides_order_each_other(void **state)
{
    (void)state;
    run(both_sides);
}

int main(void)
{
    p2p_register();
    rma_register();
    coll_register();
    mpi_register();
    ear_register();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locks_order_as_they_exclude),
        cmocka_unit_test(notices_order_both_ways),
        cmocka_unit_test(completion_is_told_whenever_it_is_learned),
        cmocka_unit_test(requests_order_when_they_end),
        cmocka_unit_test(sides_order_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
