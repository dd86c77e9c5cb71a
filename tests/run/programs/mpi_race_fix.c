/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The smallest repair that reports of races name, for each way in which an order of MPI's windows can be missing. In
 * each form the program has one race.
 */
// build: $MPICC --check -g "$SRC" -o $EXE
// shell: for h in local local_other request unwaited source barrier apart late fence pscw pscw_target message; do $RUN -q --check=races -np 2 $EXE $h 2>&1 >$W/out | sed -n "s/^    fix: /$h: /p"; done
// stdout: local: use MPI_Win_flush instead of MPI_Win_flush_local in passive, mpi_race_fix.c:44
// stdout: local_other: use MPI_Win_flush_all instead of MPI_Win_flush_local_all in passive, mpi_race_fix.c:50
// stdout: request: call MPI_Win_flush after MPI_Wait in passive, mpi_race_fix.c:58, which completes it at its origin only
// stdout: unwaited: wait for the request of MPI_Rput before the store in passive, mpi_race_fix.c:63
// stdout: source: call MPI_Win_flush_local before the store in passive, mpi_race_fix.c:68
// stdout: barrier: complete it before the ranks synchronize: MPI_Win_flush before MPI_Barrier in passive, mpi_race_fix.c:73
// stdout: apart: complete it by MPI_Win_flush, and then synchronize rank 0 and rank 1
// stdout: late: complete it before the ranks synchronize: MPI_Win_flush before MPI_Barrier in passive, mpi_race_fix.c:86
// stdout: fence: complete it earlier: MPI_Win_fence before MPI_Barrier in fenced, mpi_race_fix.c:100
// stdout: pscw: end its epoch first: MPI_Win_complete
// stdout: pscw_target: let the epoch end at its target, too: MPI_Win_wait at rank 1
// stdout: message: wait for the request of MPI_Isend before the store in messages, mpi_race_fix.c:137
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static long value = 7, got = -1;
static long *mine;
static MPI_Win win;
static int me;

static void put(void)
{
    MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
}
static void get(void)
{
    MPI_Get(&got, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
}

static void passive(const char *how)
{
    MPI_Request r;
    MPI_Win_lock_all(0, win);
    if (!strcmp(how, "local") && !me) {
        put();
        MPI_Win_flush_local(1, win);
        get();
    }
    if (!strcmp(how, "local_other")) {
        if (!me) {
            put();
            MPI_Win_flush_local_all(win);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (me)
            printf("%ld\n", *mine);
    }
    if (!strcmp(how, "request") && !me) {
        MPI_Rput(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        get();
    }
    if (!strcmp(how, "unwaited") && !me) {
        MPI_Rput(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win, &r);
        value = 8;
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    if (!strcmp(how, "source") && !me) {
        put();
        value = 8;
    }
    if (!strcmp(how, "barrier")) {
        if (!me)
            put();
        MPI_Barrier(MPI_COMM_WORLD);
        if (me)
            printf("%ld\n", *mine);
    }
    if (!strcmp(how, "apart")) {
        if (!me)
            put();
        else
            printf("%ld\n", *mine);
    }
    if (!strcmp(how, "late")) {
        if (!me)
            put();
        MPI_Barrier(MPI_COMM_WORLD);
        if (!me)
            MPI_Win_flush(1, win);
        else
            printf("%ld\n", *mine);
    }
    MPI_Win_unlock_all(win);
}

static void fenced(void)
{
    MPI_Win_fence(0, win);
    if (!me)
        put();
    MPI_Barrier(MPI_COMM_WORLD);
    if (me)
        printf("%ld\n", *mine);
    MPI_Win_fence(0, win);
}

static void started(const char *how)
{
    MPI_Group all, other;
    int rank = !me;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &rank, &other);
    if (!me) {
        MPI_Win_start(other, 0, win);
        put();
        if (!strcmp(how, "pscw"))
            value = 8;
        MPI_Win_complete(win);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Win_post(other, 0, win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (!strcmp(how, "pscw_target"))
            printf("%ld\n", *mine);
        MPI_Win_wait(win);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
}

static void messages(void)
{
    MPI_Request r;
    if (me) {
        MPI_Recv(&got, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Isend(&value, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD, &r);
        value = 8;
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(sizeof *mine, sizeof *mine, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    *mine = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(how, "fence"))
        fenced();
    else if (!strncmp(how, "pscw", 4))
        started(how);
    else if (!strcmp(how, "message"))
        messages();
    else
        passive(how);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
