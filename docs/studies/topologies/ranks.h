/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks: what the three programs of the study share: a communicator of all ranks, in order or shuffled, and their clock. */
#ifndef TOPOLOGIES_RANKS_H
#define TOPOLOGIES_RANKS_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number without a pattern for each rank, the same in every run (the mixing steps of splitmix64). */
static inline int ranks_key(int rank)
{
    uint64_t z = ((uint64_t)rank + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (int)((z ^ (z >> 31)) >> 34);
}

/* "order": as the launcher placed them, neighbours side by side; "shuffled": as on a machine that many jobs share. */
static inline MPI_Comm ranks_of(const char *placement)
{
    int rank;
    MPI_Comm out;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(placement, "order") != 0 && strcmp(placement, "shuffled") != 0) {
        if (rank == 0)
            fprintf(stderr, "'%s': expected order or shuffled\n", placement);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_split(MPI_COMM_WORLD, 0, strcmp(placement, "order") == 0 ? rank : ranks_key(rank), &out);
    return out;
}

/* Says how long a step takes: of all ranks, from a barrier until the last one has done `steps`. */
static inline void ranks_say(MPI_Comm all, double since, int steps)
{
    int rank;
    double mine = MPI_Wtime() - since, longest;
    MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, all);
    MPI_Comm_rank(all, &rank);
    if (rank == 0)
        printf("%.9f seconds a step\n", longest / steps);
}

#endif
