/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alltoall: exercise 2 of docs/teaching.md. Each rank has a different part for every other rank. Usage:
 * alltoall WHICH BYTES, the size of a part.
 *
 * Write the functions marked EXERCISE; solutions are in alltoall-solved.c.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int me, ranks;

/* Everybody sends to rank 0 first, then to rank 1, and so on: each rank in turn is overrun. */
static void in_order(const char *out, char *in, int bytes)
{
    MPI_Request *open = malloc((size_t)ranks * sizeof *open);
    for (int from = 0; from < ranks; from++)
        MPI_Irecv(in + (size_t)from * bytes, bytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, &open[from]);
    for (int to = 0; to < ranks; to++)
        MPI_Send(out + (size_t)to * bytes, bytes, MPI_CHAR, to, 0, MPI_COMM_WORLD);
    MPI_Waitall(ranks, open, MPI_STATUSES_IGNORE);
    free(open);
}

/* EXERCISE 2a: in step k each rank sends to the one k after it and receives from the one k before it. */
static void by_shifts(const char *out, char *in, int bytes)
{
    in_order(out, in, bytes);
}

/* EXERCISE 2b: in every step each rank exchanges parts with one partner. */
static void by_pairs(const char *out, char *in, int bytes)
{
    in_order(out, in, bytes);
}

static void by_library(const char *out, char *in, int bytes)
{
    MPI_Alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*exchange)(const char *out, char *in, int bytes);
} ways[] = {{"in-order", in_order}, {"shifts", by_shifts}, {"pairs", by_pairs}, {"library", by_library}};

static char part(int from, int to, int k)
{
    return (char)(from * 31 + to * 17 + k);
}

static int count_wrong(const char *in, int bytes)
{
    int wrong = 0;
    for (int from = 0; from < ranks; from++)
        for (int k = 0; k < bytes; k++)
            wrong += in[(size_t)from * bytes + k] != part(from, me, k);
    return wrong;
}

int main(int argc, char **argv)
{
    int bytes = argc > 2 ? atoi(argv[2]) : 0, way = -1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int k = 0; argc > 1 && k < (int)(sizeof ways / sizeof ways[0]); k++)
        if (strcmp(ways[k].name, argv[1]) == 0)
            way = k;
    if (way < 0 || bytes < 1) {
        if (me == 0)
            fprintf(stderr, "usage: alltoall in-order|shifts|pairs|library BYTES\n");
        MPI_Finalize();
        return 2;
    }
    char *out = malloc((size_t)ranks * bytes), *in = calloc((size_t)ranks, bytes);
    for (int to = 0; to < ranks; to++)
        for (int k = 0; k < bytes; k++)
            out[(size_t)to * bytes + k] = part(me, to, k);
    MPI_Barrier(MPI_COMM_WORLD);
    double took = MPI_Wtime(), slowest;
    ways[way].exchange(out, in, bytes);
    took = MPI_Wtime() - took;
    int wrong = count_wrong(in, bytes), wrong_anywhere;
    MPI_Reduce(&took, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        printf("%-8s %4d ranks %7d bytes each: %10.1f us, %s\n", argv[1], ranks, bytes, slowest * 1e6,
               wrong_anywhere ? "WRONG" : "right");
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
