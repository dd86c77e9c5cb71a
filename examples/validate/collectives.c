/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collectives: one collective of all ranks, n times.
 *     collectives allreduce|broadcast|alltoall|allgather BYTES TIMES
 */
#include "timing.h"

#include <string.h>

enum kind { ALLREDUCE, BROADCAST, ALLTOALL, ALLGATHER, KINDS };

/* `bytes`: of a rank; of an all-to-all, from each rank to each other one. */
static void call(enum kind kind, double *in, double *out, int bytes)
{
    int n = bytes / (int)sizeof *in;
    if (kind == ALLREDUCE)
        MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    else if (kind == BROADCAST)
        MPI_Bcast(out, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    else if (kind == ALLTOALL)
        MPI_Alltoall(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, MPI_COMM_WORLD);
    else
        MPI_Allgather(in, n, MPI_DOUBLE, out, n, MPI_DOUBLE, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const char *const names[KINDS] = {"allreduce", "broadcast", "alltoall", "allgather"};
    int size, kind = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (kind < KINDS && (argc < 2 || strcmp(argv[1], names[kind]) != 0))
        kind++;
    if (kind == KINDS) {
        fprintf(stderr, "expected allreduce, broadcast, alltoall or allgather\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int bytes = timing_argument(argc, argv, 2, "bytes"), n = timing_argument(argc, argv, 3, "times");
    double *in = calloc((size_t)size, (size_t)bytes + 8), *out = calloc((size_t)size, (size_t)bytes + 8);
    call((enum kind)kind, in, out, bytes);
    double begin = timing_begin();
    for (int k = 0; k < n; k++)
        call((enum kind)kind, in, out, bytes);
    timing_end(begin, n);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
