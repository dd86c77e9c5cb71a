/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadcast: exercises 1, 3 and 4 of docs/teaching.md. Sends an array from rank 0 to all others, by a function of
 * your own, and prints how long the slowest rank took. Usage: broadcast WHICH BYTES [SEGMENT]
 *
 * Write the functions marked EXERCISE; solutions are in broadcast-solved.c.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, ranks;

/* Rank 0 sends the whole array to one rank after the other. */
static void by_star(char *data, int bytes, int segment)
{
    (void)segment;
    if (me != 0)
        MPI_Recv(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int to = 1; me == 0 && to < ranks; to++)
        MPI_Send(data, bytes, MPI_CHAR, to, 0, MPI_COMM_WORLD);
}

/* EXERCISE 1a: rank 0 sends to 1, 1 to 2, and so on. */
static void by_ring(char *data, int bytes, int segment)
{
    by_star(data, bytes, segment);
}

/* EXERCISE 1b: the same in segments, so that many ranks are busy at a time. */
static void by_pipeline(char *data, int bytes, int segment)
{
    by_star(data, bytes, segment);
}

/* EXERCISE 1c: a binomial tree: in every step, each rank that has the array sends it to one that has not. */
static void by_tree(char *data, int bytes, int segment)
{
    by_star(data, bytes, segment);
}

static void by_library(char *data, int bytes, int segment)
{
    (void)segment;
    MPI_Bcast(data, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*broadcast)(char *data, int bytes, int segment);
} ways[] = {{"star", by_star},
            {"ring", by_ring},
            {"pipeline", by_pipeline},
            {"tree", by_tree},
            {"library", by_library}};

int main(int argc, char **argv)
{
    int bytes = argc > 2 ? atoi(argv[2]) : 0, segment = argc > 3 ? atoi(argv[3]) : 65536, way = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int k = 0; argc > 1 && k < (int)(sizeof ways / sizeof ways[0]); k++)
        if (strcmp(ways[k].name, argv[1]) == 0)
            way = k;
    if (way < 0 || bytes < 1 || segment < 1) {
        if (me == 0)
            fprintf(stderr, "usage: broadcast star|ring|pipeline|tree|library BYTES [SEGMENT]\n");
        MPI_Finalize();
        return 2;
    }
    char *data = malloc((size_t)bytes);
    for (int k = 0; k < bytes; k++)
        data[k] = me == 0 ? (char)(k * 7 + 1) : 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double took = MPI_Wtime(), slowest;
    ways[way].broadcast(data, bytes, segment);
    took = MPI_Wtime() - took;
    int wrong = 0, wrong_anywhere;
    for (int k = 0; k < bytes; k++)
        wrong += data[k] != (char)(k * 7 + 1);
    MPI_Reduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("%-9s %4d ranks %9d bytes: %10.1f us, %s\n", argv[1], ranks, bytes, slowest * 1e6,
               wrong_anywhere ? "WRONG" : "right");
    free(data);
    MPI_Finalize();
    return 0;
}
