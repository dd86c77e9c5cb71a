/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM and MPI in one program, begun and ended in either order: ranks are PEs. */
// build: $MPICC -g "$SRC" -o $EXE
// run: -np 4 -- mpi mpi
// stdout: right
// run: -np 4 -- mpi shmem
// stdout: right
// run: -np 4 -- shmem mpi
// stdout: right
// run: -np 4 -- shmem shmem
// stdout: right
// run: -np 1 -- shmem mpi
// stdout: right
#include <mpi.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

static long cell, sums[2];
static int wrong;

static void begin(int mpi, int argc, char **argv)
{
    if (mpi)
        MPI_Init(&argc, &argv);
    else
        shmem_init();
}

static void mpi_part(int me, int n)
{
    long all = 0, mine = me;
    int to = (me + 1) % n, from = (me + n - 1) % n;
    long got = -1;
    MPI_Sendrecv(&mine, 1, MPI_LONG, to, 3, &got, 1, MPI_LONG, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&got, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    wrong |= got != from || all != (long)n * (n - 1) / 2;
}

static void shmem_part(int me, int n)
{
    shmem_long_p(&cell, me + 100, (me + 1) % n);
    shmem_barrier_all();
    wrong |= cell != (me + n - 1) % n + 100;
    sums[0] = cell;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sums[1], &sums[0], 1);
    wrong |= sums[1] != (long)n * (n - 1) / 2 + 100 * n;
}

int main(int argc, char **argv)
{
    int me, n, mpi_first = !strcmp(argv[1], "mpi"), mpi_ends_first = !strcmp(argv[2], "mpi");
    begin(mpi_first, argc, argv);
    begin(!mpi_first, argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    wrong |= me != shmem_my_pe() || n != shmem_n_pes();
    mpi_part(me, n);
    shmem_part(me, n);
    /* A message of MPI that a put announces, and the other way round. */
    long *symmetric = shmem_calloc(2, sizeof *symmetric);
    MPI_Request q = MPI_REQUEST_NULL;
    MPI_Irecv(&symmetric[1], 1, MPI_LONG, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &q);
    shmem_barrier_all();
    shmem_long_atomic_add(&symmetric[0], 1, (me + 1) % n);
    shmem_long_wait_until(&symmetric[0], SHMEM_CMP_EQ, 1);
    long value = me;
    MPI_Send(&value, 1, MPI_LONG, (me + 1) % n, 9, MPI_COMM_WORLD);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    wrong |= symmetric[1] != (me + n - 1) % n;
    shmem_free(symmetric);
    if (mpi_ends_first) {
        int sum;
        MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Finalize();
        shmem_part(me, n);
        if (me == 0)
            printf("%s\n", sum || wrong ? "wrong" : "right");
        shmem_finalize();
    } else {
        shmem_finalize();
        mpi_part(me, n);
        int sum;
        MPI_Reduce(&wrong, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        if (me == 0)
            printf("%s\n", sum ? "wrong" : "right");
        MPI_Finalize();
    }
    return 0;
}
