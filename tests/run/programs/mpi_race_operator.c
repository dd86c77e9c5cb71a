/* SPDX-License-Identifier: BSD-3-Clause */
/* A user-defined operator reads and writes the buffers of its own reduction: no race. */
// build: $MPICC --check -g "$SRC" -o $EXE
// run: -np 5 --check=races --
// stdout: 10
// stderr-match: races: 0 found
#include <mpi.h>
#include <stdio.h>
static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int k = 0; k < *n; k++)
        ((int *)inout)[k] += ((int *)in)[k];
}
int main(int argc, char **argv)
{
    static int one[64], sum[64];
    int me;
    MPI_Op op;
    MPI_Request q;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Op_create(add, 0, &op); /* not commutative: in the order of ranks, in the result's buffer */
    for (int k = 0; k < 64; k++)
        one[k] = me;
    MPI_Allreduce(one, sum, 64, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Iallreduce(one, sum, 64, MPI_INT, op, MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, one, 64, MPI_INT, op, MPI_COMM_WORLD);
    if (me == 0 && sum[63] == one[63])
        printf("%d\n", sum[63]);
    MPI_Op_free(&op);
    MPI_Finalize();
}
