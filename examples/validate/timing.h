/* SPDX-License-Identifier: BSD-3-Clause */
/* timing: the time of n operations from a common start to the end at the slowest rank, printed for pgasim validate. */
#ifndef TIMING_H
#define TIMING_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double timing_begin(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static void timing_end(double begin, int n)
{
    double mine = MPI_Wtime() - begin, slowest;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (!rank)
        printf("seconds %.9f\n", slowest / n);
}

/* The whole number, at least 1, that an argument is. */
static int timing_argument(int argc, char **argv, int k, const char *what)
{
    int n = k < argc ? atoi(argv[k]) : 0;
    if (n < 1) {
        fprintf(stderr, "argument %d: expected %s, at least 1\n", k, what);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return n;
}

#endif
