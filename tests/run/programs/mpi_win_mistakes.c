/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes with windows: the classes of their errors, and what the report says when they are fatal. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 2
// stdout: done
// run: -np 2 -- hint
// stdout: done
// stderr-match: warning: .*MPI_Win_lock: window of 2 ranks \(MPI_Win_create\) has the hint no_locks: expected no locks$
// run: -np 2 -- outside
// status: 5
// stderr-match: rank 0 .*: MPI_Put in fatal, mpi_win_mistakes.c:\d+: MPI_ERR_RMA_RANGE: window 'halo' of 2 ranks \(MPI_Win_allocate\): bytes 72 to 95 of rank 1's memory \(displacement 9 of 8 bytes\), which has 80 bytes$
// run: -np 2 -- none
// status: 5
// stderr-match: MPI_Put in fatal, mpi_win_mistakes.c:\d+: MPI_ERR_RMA_SYNC: window 'halo' of 2 ranks \(MPI_Win_allocate\): it is in no epoch of access; an operation needs an epoch
// run: -np 2 -- fence
// status: 5
// stderr-match: MPI_Win_fence in fatal, mpi_win_mistakes.c:\d+: MPI_ERR_RMA_SYNC: window 'halo' .*: it holds locks \(MPI_Win_lock, fatal, mpi_win_mistakes.c:\d+\); a fence may not come between
// run: -np 2 -- attach
// status: 5
// stderr-match: MPI_Put in fatal, mpi_win_mistakes.c:\d+: MPI_ERR_RMA_RANGE: window .*: 8 bytes at 0x\w+ are not within memory that rank 1 has attached$
// run: -np 2 -- locks
// status: 3
// stderr-match: rank 0 since .*: rank 1's lock, exclusive: 1 holds it exclusively\n      called in fatal, mpi_win_mistakes.c:\d+$
// stderr-match: ^  a cycle of 2 ranks: rank 0 waits for 1, 1 for 0$
// run: -np 3 -- start
// status: 3
// stderr-match: rank 0 since .*: MPI_Win_post of rank 1\n      called in fatal, mpi_win_mistakes.c:\d+$
// run: -np 2 -- wait
// status: 3
// stderr-match: rank 1 since .*: MPI_Win_complete of 1 of the 1 ranks that it was posted to
// run: -np 2 -- free
// status: 3
// stderr-match: MPI_Win_free: 1 rank: 0\n    rank 0 since .*, 1 of 2 members have not called it: rank 1\n      called in fatal
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, n;
static long *at, v, old;
static MPI_Win win;

static void expect_at(int line, int rc, int class)
{
    int got = MPI_SUCCESS;
    if (rc)
        MPI_Error_class(rc, &got);
    if (got == class)
        return;
    fprintf(stderr, "line %d: class %d, expected %d\n", line, got, class);
    exit(1);
}
#define expect(class, call) expect_at(__LINE__, call, class)

static void arguments(void)
{
    MPI_Win bad;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    expect(MPI_ERR_SIZE, MPI_Win_create(at, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &bad));
    expect(MPI_ERR_DISP, MPI_Win_create(at, 8, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &bad));
    expect(MPI_ERR_BASE, MPI_Win_create(NULL, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &bad));
    expect(MPI_ERR_COMM, MPI_Win_create(at, 8, 1, MPI_INFO_NULL, MPI_COMM_NULL, &bad));
    expect(MPI_ERR_WIN, MPI_Win_fence(0, MPI_WIN_NULL));
    expect(MPI_ERR_WIN, MPI_Put(&v, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_WIN_NULL));
    MPI_Win_lock_all(0, win);
    expect(MPI_ERR_RANK, MPI_Put(&v, 1, MPI_LONG, n, 0, 1, MPI_LONG, win));
    expect(MPI_ERR_RANK, MPI_Put(&v, 1, MPI_LONG, -1000, 0, 1, MPI_LONG, win));
    expect(MPI_SUCCESS, MPI_Put(&v, 1, MPI_LONG, MPI_PROC_NULL, -5, 1, MPI_LONG, win));
    expect(MPI_ERR_DISP, MPI_Put(&v, 1, MPI_LONG, 0, -1, 1, MPI_LONG, win));
    expect(MPI_ERR_RMA_RANGE, MPI_Put(&v, 1, MPI_LONG, 0, 10, 1, MPI_LONG, win));
    expect(MPI_ERR_RMA_RANGE, MPI_Get(&v, 1, MPI_LONG, 0, (MPI_Aint)1 << 62, 1, MPI_LONG, win));
    expect(MPI_ERR_COUNT, MPI_Put(&v, -1, MPI_LONG, 0, 0, 1, MPI_LONG, win));
    expect(MPI_ERR_TYPE, MPI_Put(&v, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_LONG, win));
    expect(MPI_ERR_TRUNCATE, MPI_Put(at, 2, MPI_LONG, 0, 0, 1, MPI_LONG, win));
    expect(MPI_ERR_OP, MPI_Accumulate(&v, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_NO_OP, win));
    expect(MPI_ERR_OP, MPI_Accumulate(&v, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_OP_NULL, win));
    expect(MPI_ERR_OP, MPI_Accumulate(&v, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, MPI_BXOR, win));
    expect(MPI_ERR_TYPE, MPI_Compare_and_swap(&v, &v, &old, MPI_DOUBLE, 0, 0, win));
    expect(MPI_ERR_BUFFER, MPI_Fetch_and_op(&v, NULL, MPI_LONG, 0, 0, MPI_SUM, win));
    MPI_Win_unlock_all(win);
    expect(MPI_ERR_RMA_FLAVOR, MPI_Win_attach(win, at, 8));
}

static void epochs(void)
{
    MPI_Group group;
    int flag;
    MPI_Comm_group(MPI_COMM_SELF, &group);
    expect(MPI_ERR_RMA_SYNC, MPI_Put(&v, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win));
    expect(MPI_ERR_RMA_SYNC, MPI_Win_unlock(0, win));
    expect(MPI_ERR_RMA_SYNC, MPI_Win_unlock_all(win));
    expect(MPI_ERR_RMA_SYNC, MPI_Win_complete(win));
    expect(MPI_ERR_RMA_SYNC, MPI_Win_wait(win));
    expect(MPI_ERR_RMA_SYNC, MPI_Win_test(win, &flag));
    expect(MPI_ERR_RMA_SYNC, MPI_Win_flush(0, win));
    expect(MPI_ERR_RMA_SYNC, MPI_Win_flush_local_all(win));
    expect(MPI_ERR_LOCKTYPE, MPI_Win_lock(7, 0, 0, win));
    expect(MPI_ERR_ASSERT, MPI_Win_lock(MPI_LOCK_SHARED, 0, MPI_MODE_NOSTORE, win));
    expect(MPI_ERR_RANK, MPI_Win_lock(MPI_LOCK_SHARED, n, 0, win));
    MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win);
    expect(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
    expect(MPI_ERR_RMA_SYNC, MPI_Win_lock_all(0, win));
    expect(MPI_ERR_RMA_SYNC, MPI_Win_start(group, 0, win));
    expect(MPI_ERR_RMA_SYNC, MPI_Put(&v, 1, MPI_LONG, (me + 1) % n, 0, 1, MPI_LONG, win));
    expect(MPI_ERR_RMA_SYNC, MPI_Win_unlock((me + 1) % n, win));
    expect(MPI_ERR_RMA_SYNC, MPI_Win_free(&win));
    MPI_Win_unlock(me, win);
    MPI_Win_post(group, 0, win);
    expect(MPI_ERR_RMA_SYNC, MPI_Win_post(group, 0, win));
    expect(MPI_ERR_RMA_SYNC, MPI_Win_fence(0, win));
    MPI_Win_start(group, 0, win);
    expect(MPI_ERR_RMA_SYNC, MPI_Put(&v, 1, MPI_LONG, (me + 1) % n, 0, 1, MPI_LONG, win));
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Win_fence(0, win);
    MPI_Put(&v, 1, MPI_LONG, me, 0, 1, MPI_LONG, win);
    expect(MPI_ERR_RMA_SYNC, MPI_Win_lock(MPI_LOCK_SHARED, me, 0, win));
    expect(MPI_ERR_RMA_SYNC, MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
    expect(MPI_ERR_ASSERT, MPI_Win_fence(MPI_MODE_NOCHECK, win));
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Group_free(&group);
}

/* Ends with a report. */
static void fatal(const char *what)
{
    MPI_Group other;
    int peer = !me;
    MPI_Comm_group(MPI_COMM_WORLD, &other);
    MPI_Group_incl(other, 1, &peer, &other);
    if (!strcmp(what, "outside") && !me) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(at, 3, MPI_LONG, 1, 9, 3, MPI_LONG, win);
    } else if (!strcmp(what, "none") && !me) {
        MPI_Put(at, 1, MPI_LONG, 1, 9, 1, MPI_LONG, win);
    } else if (!strcmp(what, "fence") && !me) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_fence(0, win);
    } else if (!strcmp(what, "hint")) {
        MPI_Win bare;
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Info_set(info, "no_locks", "true");
        MPI_Win_create(NULL, 0, 1, info, MPI_COMM_WORLD, &bare);
        MPI_Info_free(&info);
        MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, bare);
        MPI_Win_unlock(peer, bare);
        MPI_Win_free(&bare);
    } else if (!strcmp(what, "attach")) {
        MPI_Win dynamic;
        MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
        MPI_Win_fence(0, dynamic);
        MPI_Put(at, 1, MPI_LONG, 1, (MPI_Aint)at, 1, MPI_LONG, dynamic);
    } else if (!strcmp(what, "locks")) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, peer, 0, win);
    } else if (!strcmp(what, "start") && !me) {
        MPI_Win_start(other, 0, win);
    } else if (!strcmp(what, "wait") && me) {
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
    } else if (!strcmp(what, "free") && !me) {
        MPI_Win_free(&win);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Win_allocate(10 * sizeof *at, sizeof *at, MPI_INFO_NULL, MPI_COMM_WORLD, &at, &win);
    MPI_Win_set_name(win, "halo");
    if (argc > 1)
        fatal(argv[1]);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    arguments();
    epochs();
    MPI_Win_free(&win);
    MPI_Finalize();
    if (!me)
        puts("done");
    return 0;
}
