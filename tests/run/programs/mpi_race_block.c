/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A block of MPI_Alloc_mem, or of libc (strdup), that one rank has freed may be another rank's next. Nothing orders
 * the two ranks, and it is no race. They look at it because requests under way have buffers beside it. With
 * "pending", a block is freed that a request still uses.
 */
// build: $MPICC --check -g "$SRC" -o $EXE
// run: -np 2 --check=races -- mpi
// stderr-match: races: 0 found
// run: -np 2 --check=races -- libc
// stderr-match: races: 0 found
// run: -np 2 --check=races -- mpi pending
// status: 7
// stderr-match: written by MPI_Irecv of rank 1 in main, mpi_race_block.c:63
// stderr-match: written by MPI_Free_mem of rank 1 in put, mpi_race_block.c:36
// stderr-match: races: 1 found
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
enum { N = 64, BYTES = 1000, MORE = 100 };

static char *get(int mpi, int bytes)
{
    static char text[BYTES + N * MORE];
    char *p;
    if (mpi)
        MPI_Alloc_mem(bytes, MPI_INFO_NULL, &p);
    else
        p = strdup(memset(text, 'a', (size_t)bytes - 1));
    return p;
}

static void put(int mpi, char *p)
{
    if (mpi)
        MPI_Free_mem(p);
    else
        free(p);
}

int main(int argc, char **argv)
{
    int me, flag, mpi = !strcmp(argv[1], "mpi");
    char *beside[N], *p;
    MPI_Request q[N];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int k = 0; k < N; k++) {
        beside[k] = get(mpi, BYTES);
        MPI_Irecv(beside[k], 1, MPI_CHAR, me, 0, MPI_COMM_WORLD, q + k);
    }
    for (int k = 0; k < N; k++)
        if (me == k % 2) {
            p = get(mpi, mpi ? BYTES + k * MORE : BYTES);
            p[0] = p[1];
            put(mpi, p);
        } else {
            MPI_Iprobe(me, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
    if (argc > 2 && me == 1) {
        MPI_Request late;
        p = get(mpi, BYTES);
        MPI_Irecv(p, 1, MPI_CHAR, me, 1, MPI_COMM_WORLD, &late);
        put(mpi, p);
        MPI_Cancel(&late);
        MPI_Wait(&late, MPI_STATUS_IGNORE);
    }
    for (int k = 0; k < N; k++)
        MPI_Send(&me, 1, MPI_CHAR, me, 0, MPI_COMM_WORLD);
    MPI_Waitall(N, q, MPI_STATUSES_IGNORE);
    for (int k = 0; k < N; k++)
        put(mpi, beside[k]);
    MPI_Finalize();
}
