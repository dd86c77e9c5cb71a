/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * broadcast-solved: the solution of exercises 1 and 4 of docs/teaching.md.
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

/* Rank 0 sends to 1, 1 to 2, and so on. */
static void by_ring(char *data, int bytes, int segment)
{
    (void)segment;
    if (me != 0)
        MPI_Recv(data, bytes, MPI_CHAR, me - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me + 1 < ranks)
        MPI_Send(data, bytes, MPI_CHAR, me + 1, 0, MPI_COMM_WORLD);
}

/* The same in segments. A rank receives the next one while it still sends the last one. */
static void by_pipeline(char *data, int bytes, int segment)
{
    MPI_Request sent = MPI_REQUEST_NULL;
    for (int from = 0; from < bytes; from += segment) {
        int part = bytes - from < segment ? bytes - from : segment;
        if (me != 0)
            MPI_Recv(data + from, part, MPI_CHAR, me - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
        if (me + 1 < ranks)
            MPI_Isend(data + from, part, MPI_CHAR, me + 1, 0, MPI_COMM_WORLD, &sent);
    }
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

/* A binomial tree: in step k, ranks below 2^k send to the ranks 2^k above them. */
static void by_tree(char *data, int bytes, int segment)
{
    (void)segment;
    for (int far = 1; far < ranks; far *= 2) {
        if (me < far && me + far < ranks)
            MPI_Send(data, bytes, MPI_CHAR, me + far, 0, MPI_COMM_WORLD);
        else if (me >= far && me < 2 * far)
            MPI_Recv(data, bytes, MPI_CHAR, me - far, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Exercise 4: the same tree with the longest distances first, so that the many messages of the last steps stay
 * near. */
static void by_near_tree(char *data, int bytes, int segment)
{
    int far = 1;
    (void)segment;
    while (far < ranks)
        far *= 2;
    for (far /= 2; far; far /= 2) {
        if (me % (2 * far) == 0 && me + far < ranks)
            MPI_Send(data, bytes, MPI_CHAR, me + far, 0, MPI_COMM_WORLD);
        else if (me % (2 * far) == far)
            MPI_Recv(data, bytes, MPI_CHAR, me - far, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void by_library(char *data, int bytes, int segment)
{
    (void)segment;
    MPI_Bcast(data, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*broadcast)(char *data, int bytes, int segment);
} ways[] = {{"star", by_star}, {"ring", by_ring},           {"pipeline", by_pipeline},
            {"tree", by_tree}, {"near-tree", by_near_tree}, {"library", by_library}};

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
            fprintf(stderr,
                    "usage: broadcast-solved star|ring|pipeline|tree|near-tree|library BYTES [SEGMENT]\n");
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
