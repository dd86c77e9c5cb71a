/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that overlap make communicators at the same time: by MPI_Comm_create_group, and without a parent.
 * Each member goes on with the next group as soon as it can. */
// build: $PGASIM cc $SRC -o $EXE
// run: -np 1
// stdout: right
// run: -np 8
// stdout: right
// run: -np 50
// stdout: right
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 64, STEPS = 80 };
static unsigned state = 9;

static int below(int n)
{
    state = state * 1103515245u + 12345;
    return (int)(state >> 8) % n;
}

int main(void)
{
    int me, size;
    MPI_Group world;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int step = 0; step < STEPS; step++) {
        int n = 0, place = -1, ranks[MOST], tag = below(3), free_standing = below(3) == 0, got = -1, rank,
            count;
        char text[8] = {(char)('a' + tag), 0};
        MPI_Group group;
        MPI_Comm comm;
        for (int k = 0; k < size; k++)
            if (below(2)) {
                if (k == me)
                    place = n;
                ranks[n++] = k;
            }
        if (place < 0)
            continue;
        MPI_Group_incl(world, n, ranks, &group);
        if (free_standing)
            MPI_Comm_create_from_group(group, text, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
        else
            MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &comm);
        MPI_Group_free(&group);
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &count);
        int word = me * STEPS + step;
        MPI_Send(&word, 1, MPI_INT, (rank + 1) % n, 5, comm);
        MPI_Recv(&got, 1, MPI_INT, (rank + n - 1) % n, 5, comm, MPI_STATUS_IGNORE);
        if (rank != place || count != n || got != ranks[(rank + n - 1) % n] * STEPS + step) {
            printf("rank %d, step %d: place %d of %d, expected %d of %d; got %d\n", me, step, rank, count,
                   place, n, got);
            exit(1);
        }
        MPI_Comm_free(&comm);
    }
    MPI_Group_free(&world);
    MPI_Finalize();
    if (me == 0)
        puts("right");
    return 0;
}
