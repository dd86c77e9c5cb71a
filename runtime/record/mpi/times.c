/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * times: the clock of a host (CLOCK_MONOTONIC), and the zero that all ranks share. Ranks on rank 0's host have its clock.
 * For others the difference between the clocks is measured once, at the beginning: of some exchanges with rank 0 the
 * quickest counts, and rank 0's answer is taken to be from its middle. That clocks drift apart is not seen.
 */
#include "mpi_recorder.h"

#include <string.h>

enum { EXCHANGES = 20, TAG = 1 };

/* With rank 0's clock: what this one is ahead of it. */
static int64_t ask(MPI_Comm comm)
{
    int64_t quickest = INT64_MAX, ahead = 0;
    for (int k = 0; k < EXCHANGES; k++) {
        int64_t there = 0, before = recorder_now();
        PMPI_Send(&there, 1, MPI_INT64_T, 0, TAG, comm);
        PMPI_Recv(&there, 1, MPI_INT64_T, 0, TAG, comm, MPI_STATUS_IGNORE);
        int64_t after = recorder_now();
        if (after - before >= quickest)
            continue;
        quickest = after - before;
        ahead = before + quickest / 2 - there;
    }
    return ahead;
}

static void answer(MPI_Comm comm, int rank)
{
    for (int k = 0; k < EXCHANGES; k++) {
        int64_t now;
        PMPI_Recv(&now, 1, MPI_INT64_T, rank, TAG, comm, MPI_STATUS_IGNORE);
        now = recorder_now();
        PMPI_Send(&now, 1, MPI_INT64_T, rank, TAG, comm);
    }
}

static int64_t difference(MPI_Comm comm, int rank, int ranks)
{
    char here[MPI_MAX_PROCESSOR_NAME] = "", there[MPI_MAX_PROCESSOR_NAME];
    int n, differs;
    int64_t ahead = 0;
    PMPI_Get_processor_name(here, &n);
    memcpy(there, here, sizeof there);
    PMPI_Bcast(there, sizeof there, MPI_CHAR, 0, comm);
    differs = memcmp(here, there, sizeof there) != 0;
    for (int k = 1; k < ranks; k++) {
        int asks = differs;
        PMPI_Bcast(&asks, 1, MPI_INT, k, comm);
        if (asks && rank == k)
            ahead = ask(comm);
        if (asks && rank == 0)
            answer(comm, k);
    }
    return ahead;
}

int64_t recorder_common_zero(int64_t end, int rank, int ranks)
{
    MPI_Comm comm; /* so that the program's messages are not touched */
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    int64_t ahead = difference(comm, rank, ranks), first, own = end - ahead;
    PMPI_Allreduce(&own, &first, 1, MPI_INT64_T, MPI_MIN, comm);
    PMPI_Comm_free(&comm);
    return first + ahead;
}
