/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For messages_compare: an MPI program of two ranks that sends messages of random size and kind, the one or
 * the other rank being first, and prints when each call began and how long it took:
 *
 *      RANK CASE HOW BYTES BEGIN SECONDS
 *
 *      messages_smpi SEED CASES
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 1 << 20 };
static char buffer[MOST], attached[2 * MOST];
static unsigned long long state;

static unsigned below(unsigned n)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)((state >> 33) % n);
}

/* The sets of enum fabric_sending. */
static void send(int how, int bytes, int tag)
{
    MPI_Request request = MPI_REQUEST_NULL;
    switch (how) {
    case 0:
        MPI_Send(buffer, bytes, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
        break;
    case 1:
        MPI_Isend(buffer, bytes, MPI_CHAR, 1, tag, MPI_COMM_WORLD, &request);
        break;
    case 2:
        MPI_Ssend(buffer, bytes, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
        break;
    case 3:
        MPI_Issend(buffer, bytes, MPI_CHAR, 1, tag, MPI_COMM_WORLD, &request);
        break;
    default:
        MPI_Bsend(buffer, bytes, MPI_CHAR, 1, tag, MPI_COMM_WORLD);
    }
    if (request != MPI_REQUEST_NULL)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(attached, sizeof attached);
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int cases = argc > 2 ? atoi(argv[2]) : 10;
    for (int k = 0; k < cases; k++) {
        int how = (int)below(5), bytes = (int)below(1u << below(21)), wait[2] = {0, 0};
        wait[below(2)] = (int)below(300);
        double start = (k + 1) * 0.01 + 1e-6 * wait[rank];
        usleep((useconds_t)(1e6 * (start - MPI_Wtime())));
        double begin = MPI_Wtime();
        if (rank == 0)
            send(how, bytes, k);
        else
            MPI_Recv(buffer, MOST, MPI_CHAR, 0, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d %d %d %d %.17g %.17g\n", rank, k, how, bytes, begin, MPI_Wtime() - begin);
    }
    MPI_Finalize();
    return 0;
}
