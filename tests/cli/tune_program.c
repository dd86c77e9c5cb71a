/* SPDX-License-Identifier: BSD-3-Clause */
/* tune_program: for tune.sh. Without arguments, some collectives. With an operation's name, the time of one
 * that all ranks begin at once; the longest line is what `pgasim tune` says. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { BYTES = 6000, MOST = 16 };
static char from[MOST * BYTES], to[MOST * BYTES];

/* A torus as nearly square as the ranks allow. */
static MPI_Comm torus(void)
{
    int ranks, sides[2] = {0, 0}, around[2] = {1, 1};
    MPI_Comm comm;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, sides);
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, around, 0, &comm);
    return comm;
}

/* All go on a millisecond after the start, to a nanosecond. */
static void meet(void)
{
    struct timespec left = {0, (long)(1e9 * (1e-3 - MPI_Wtime()))};
    nanosleep(&left, NULL);
}

static void with_neighbors(const char *op)
{
    MPI_Comm comm = torus();
    meet();
    double begun = MPI_Wtime();
    if (!strcmp(op, "neighbor_allgather"))
        MPI_Neighbor_allgather(from, BYTES, MPI_BYTE, to, BYTES, MPI_BYTE, comm);
    else
        MPI_Neighbor_alltoall(from, BYTES, MPI_BYTE, to, BYTES, MPI_BYTE, comm);
    printf("%.12g\n", MPI_Wtime() - begun);
    MPI_Comm_free(&comm);
}

/* Two groups of ranks, of which the first may have one more. */
static MPI_Comm groups(int *side)
{
    int me, ranks;
    MPI_Comm half, comm;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int first = ranks - ranks / 2;
    *side = me >= first;
    MPI_Comm_split(MPI_COMM_WORLD, *side, me, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, *side ? 0 : first, 0, &comm);
    MPI_Comm_free(&half);
    return comm;
}

/* A root is the first rank. */
static void between(const char *op)
{
    int side, me;
    MPI_Comm comm = groups(&side);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    int root = side ? 0 : me ? MPI_PROC_NULL : MPI_ROOT;
    meet();
    double begun = MPI_Wtime();
    if (!strcmp(op, "inter_barrier"))
        MPI_Barrier(comm);
    if (!strcmp(op, "inter_bcast"))
        MPI_Bcast(to, BYTES / 8, MPI_DOUBLE, root, comm);
    if (!strcmp(op, "inter_gather"))
        MPI_Gather(from, BYTES / 8, MPI_DOUBLE, to, BYTES / 8, MPI_DOUBLE, root, comm);
    if (!strcmp(op, "inter_reduce"))
        MPI_Reduce(from, to, BYTES / 8, MPI_DOUBLE, MPI_MAX, root, comm);
    if (!strcmp(op, "inter_allreduce"))
        MPI_Allreduce(from, to, BYTES / 8, MPI_DOUBLE, MPI_MAX, comm);
    if (!strcmp(op, "inter_allgather"))
        MPI_Allgather(from, BYTES / 8, MPI_DOUBLE, to, BYTES / 8, MPI_DOUBLE, comm);
    if (!strcmp(op, "inter_alltoall"))
        MPI_Alltoall(from, BYTES / 8, MPI_DOUBLE, to, BYTES / 8, MPI_DOUBLE, comm);
    printf("%.12g\n", MPI_Wtime() - begun);
    MPI_Comm_free(&comm);
}

static void one(const char *op)
{
    if (!strcmp(op, "bcast"))
        MPI_Bcast(from, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (!strcmp(op, "reduce"))
        MPI_Reduce(from, to, BYTES / 8, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (!strcmp(op, "allreduce"))
        MPI_Allreduce(from, to, BYTES / 8, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (!strcmp(op, "allgather"))
        MPI_Allgather(from, BYTES, MPI_BYTE, to, BYTES, MPI_BYTE, MPI_COMM_WORLD);
    if (!strcmp(op, "alltoall"))
        MPI_Alltoall(from, BYTES, MPI_BYTE, to, BYTES, MPI_BYTE, MPI_COMM_WORLD);
    if (!strcmp(op, "scan"))
        MPI_Scan(from, to, BYTES / 8, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static void several(void)
{
    int me;
    MPI_Comm half;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
    for (int k = 0; k < 3; k++)
        MPI_Bcast(from, BYTES, MPI_BYTE, 0, half);
    MPI_Allreduce(from, to, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_free(&half);
    MPI_Comm grid = torus();
    for (int k = 0; k < 3; k++)
        MPI_Neighbor_alltoall(from, BYTES, MPI_BYTE, to, BYTES, MPI_BYTE, grid);
    MPI_Comm_free(&grid);
    int side;
    MPI_Comm both = groups(&side);
    for (int k = 0; k < 4; k++)
        MPI_Allreduce(from, to, BYTES / 8, MPI_DOUBLE, MPI_SUM, both);
    for (int k = 0; k < 5; k++) /* the root is in the second group */
        MPI_Bcast(to, BYTES, MPI_BYTE, !side ? 0 : me == 4 ? MPI_ROOT : MPI_PROC_NULL, both);
    MPI_Comm_free(&both);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1 && !strncmp(argv[1], "neighbor", 8)) {
        with_neighbors(argv[1]);
    } else if (argc > 1 && !strncmp(argv[1], "inter_", 6)) {
        between(argv[1]);
    } else if (argc > 1) {
        double begun = MPI_Wtime();
        one(argv[1]);
        printf("%.12g\n", MPI_Wtime() - begun);
    } else {
        several();
    }
    MPI_Finalize();
    return 0;
}
