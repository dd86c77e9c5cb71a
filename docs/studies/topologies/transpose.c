/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transpose PLACEMENT STEPS KIB: what a Fourier transform in three dimensions does on a grid of ranks, each with so many
 * KiB of complex numbers: transforms of lines, everyone of a row of ranks to everyone, transforms, everyone of a column to
 * everyone, transforms.
 */
#include "ranks.h"

#include <math.h>
#include <pgasim.h>

/* Each rank has lines of the third root of all numbers, and 5 n log2 n operations for a line. */
static double flops_of(double numbers, int ranks)
{
    return 5 * numbers * log2(cbrt(numbers * ranks));
}

static void transform(double *v, long numbers, double flops)
{
    PGASIM_INSTEAD_FLOPS(flops)
    {
        for (long k = 0; k < numbers; k++) /* its place: one pass over the numbers */
            v[2 * k] = 0.5 * (v[2 * k] + v[2 * k + 1]);
    }
}

static void exchange(MPI_Comm group, const double *from, double *to, long numbers)
{
    int size;
    MPI_Comm_size(group, &size);
    int each = (int)(2 * numbers / size);
    MPI_Alltoall(from, each, MPI_DOUBLE, to, each, MPI_DOUBLE, group);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, ranks, dims[2] = {0};
    const int steps = argc > 2 ? atoi(argv[2]) : 1;
    const long numbers = (argc > 3 ? atol(argv[3]) : 1024) * 1024 / (long)(2 * sizeof(double));
    MPI_Comm all = ranks_of(argc > 1 ? argv[1] : "order"), row, column;
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &ranks);
    MPI_Dims_create(ranks, 2, dims);
    MPI_Comm_split(all, rank / dims[1], rank, &row);
    MPI_Comm_split(all, rank % dims[1], rank, &column);
    double *a = pgasim_fold_malloc((size_t)numbers * 2 * sizeof *a),
           *b = pgasim_fold_malloc((size_t)numbers * 2 * sizeof *b);
    const double flops = flops_of((double)numbers, ranks);
    MPI_Barrier(all);
    double since = MPI_Wtime();
    for (int k = 0; k < steps; k++) {
        transform(a, numbers, flops);
        exchange(row, a, b, numbers);
        transform(b, numbers, flops);
        exchange(column, b, a, numbers);
        transform(a, numbers, flops);
    }
    ranks_say(all, since, steps);
    return MPI_Finalize();
}
