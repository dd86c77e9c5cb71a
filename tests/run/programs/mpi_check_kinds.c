/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Polling a window by loads (unified memory model), which can be allowed; and windows of two copies (separate
 * model), where a change needs a call of the owner to be seen on the other side, and no store may be made
 * anywhere in a window that an operation changes. Each is right in the unified model.
 */
// build: $MPICC --check -g -O0 "$SRC" -o $EXE
// shell: show() { o=$1; shift; $RUN --check=races $o -np 2 $EXE "$@" 2>&1 | grep -A 8 '^pgasim: race:' | grep -o '^pgasim: race:.*\|written by.*\|read by.*\|the window.*'; echo "$1 $2"; }; show "" poll; show "--set check/polling=no" poll; for w in good owner public beside fence post; do show "" $w; show "--set mpi/win-model=separate" $w; done
// stdout: pgasim: race: window+0x0 of rank 1
// stdout: written by MPI_Put of rank 0 in poll, mpi_check_kinds.c:54
// stdout: read by a load of rank 1 in poll, mpi_check_kinds.c:57
// stdout: poll
// stdout: poll
// stdout: good
// stdout: good
// stdout: owner
// stdout: pgasim: race: window+0x8 of rank 1
// stdout: written by MPI_Put of rank 0 in passive, mpi_check_kinds.c:73
// stdout: read by a load of rank 1 in passive, mpi_check_kinds.c:81
// stdout: the window has two copies (separate memory model), and no synchronization of its owner came in between
// stdout: owner
// stdout: public
// stdout: pgasim: race: window+0x8 of rank 1
// stdout: written by a store of rank 1 in passive, mpi_check_kinds.c:68
// stdout: written by MPI_Put of rank 0 in passive, mpi_check_kinds.c:73
// stdout: the window has two copies (separate memory model), and no synchronization of its owner came in between
// stdout: public
// stdout: beside
// stdout: pgasim: race: window of rank 1, as a whole
// stdout: written by MPI_Put of rank 0 in passive, mpi_check_kinds.c:73
// stdout: written by a store of rank 1 in passive, mpi_check_kinds.c:77
// stdout: beside
// stdout: fence
// stdout: fence
// stdout: post
// stdout: post
// times: 1
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, *base;
static MPI_Win win;

static void poll(void)
{
    int one = 1;
    base[0] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (me == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    } else {
        for (volatile int *p = base; !*p;)
            MPI_Win_sync(win);
    }
    MPI_Win_unlock_all(win);
}

static void passive(const char *how)
{
    int seven = 7;
    MPI_Win_lock_all(0, win);
    for (int k = 0; k < 16; k++)
        base[k] = k;
    if (strcmp(how, "public") != 0)
        MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
        MPI_Put(&seven, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    }
    if (me == 1 && !strcmp(how, "beside"))
        base[9] = 3;
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(how, "owner") != 0)
        MPI_Win_sync(win);
    printf("%d\n", base[2]);
    MPI_Win_unlock_all(win);
}

static void fence(void)
{
    int seven = 7, got = 0;
    MPI_Win_fence(0, win);
    base[2 * me] = 1;
    MPI_Win_fence(0, win);
    if (me == 0)
        MPI_Put(&seven, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    printf("%d\n", base[2]);
    if (me == 0)
        MPI_Get(&got, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    base[2] = got;
    MPI_Win_fence(0, win);
}

static void post(void)
{
    int other = 1 - me, seven = 7;
    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &other, &group);
    for (int k = 0; k < 2; k++) {
        base[k] = k;
        MPI_Win_post(group, 0, win);
        MPI_Win_start(group, 0, win);
        MPI_Put(&seven, 1, MPI_INT, other, k, 1, MPI_INT, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        printf("%d\n", base[k]);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    if (!strcmp(argv[1], "poll"))
        poll();
    else if (!strcmp(argv[1], "fence"))
        fence();
    else if (!strcmp(argv[1], "post"))
        post();
    else
        passive(argv[1]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
