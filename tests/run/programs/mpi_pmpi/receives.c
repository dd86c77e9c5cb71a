/* SPDX-License-Identifier: BSD-3-Clause */
/* A tool that counts what its rank receives, and says so when the rank ends. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int received;

static void say(void)
{
    printf("%d received\n", received);
}

int MPI_Init(int *argc, char ***argv)
{
    atexit(say);
    return PMPI_Init(argc, argv);
}

int MPI_Recv(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    received++;
    return PMPI_Recv(buffer, count, type, from, tag, comm, status);
}
