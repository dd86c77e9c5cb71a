/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a user's operator loads and stores of a reduction's buffers is the reduction's: no race with it, but one with
 * what the program does before its end. A lock that is given back does not meet a later MPI_Win_post; and however many
 * puts a rank has made, the target knows of all of them after MPI_Win_wait, even if the origin has gone on.
 */
// build: $MPICC --check -g -O1 "$SRC" -o $EXE
// run: -np 3 --check=races -- right
// stdout: done
// stderr-not: error|race:
// run: -np 3 --check=races -- wrong
// status: 7
// stdout: done
// stderr-match: race: .*\n    written by MPI_Ireduce of rank 0 in main, mpi_check_operator.c:\d+\n    read by a load of rank 0 in main, mpi_check_operator.c:\d+
// stderr-not: in add, mpi_check_operator.c
// run: -np 3 --check=races -- exposed
// status: 7
// stderr-match: MPI_Win_post: .* it is locked, by 1 rank, shared: expected an unlock before \(misuse/locked-and-exposed\)
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { N = 64 };
static int in[N], out[N], sum;

static void add(void *left, void *right, int *n, MPI_Datatype *type)
{
    const int *a = left;
    int *b = right;
    (void)type;
    for (int k = 0; k < *n; k++)
        b[k] += a[k];
}

/* Rank 0 puts to rank 1, which has locked its own memory before it exposes it, or still does. */
static void expose(int me, int locked)
{
    MPI_Group all, other;
    MPI_Win w;
    int peer = 1 - me;
    MPI_Win_create(in, sizeof in, sizeof *in, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    if (me < 2)
        MPI_Group_incl(all, 1, &peer, &other);
    if (me == 0) {
        MPI_Win_start(other, 0, w);
        for (int k = 0; k < N; k++)
            MPI_Put(&out[k], 1, MPI_INT, 1, k, 1, MPI_INT, w);
        MPI_Win_complete(w);
    } else if (me == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, w);
        if (!locked)
            MPI_Win_unlock(1, w);
        MPI_Win_post(other, 0, w);
        MPI_Win_wait(w);
        for (int k = 0; k < N; k++)
            sum += in[k];
        if (locked)
            MPI_Win_unlock(1, w);
    }
    if (me < 2)
        MPI_Group_free(&other);
    MPI_Group_free(&all);
    MPI_Win_free(&w);
}

int main(int argc, char **argv)
{
    int me;
    MPI_Op op;
    MPI_Request q;
    const char *what = argc > 1 ? argv[1] : "right";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Op_create(add, 1, &op);
    for (int k = 0; k < N; k++)
        in[k] = k + me;
    MPI_Allreduce(in, out, N, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Scan(in, out, N, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Ireduce(in, out, N, MPI_INT, op, 0, MPI_COMM_WORLD, &q);
    int early = me == 0 && !strcmp(what, "wrong") ? out[3] : 0;
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Op_free(&op);
    if (strcmp(what, "wrong"))
        expose(me, !strcmp(what, "exposed"));
    if (me == 0 && early >= 0)
        printf("done\n");
    MPI_Finalize();
}
