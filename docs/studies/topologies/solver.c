/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * solver PLACEMENT STEPS EDGE: the skeleton of a conjugate gradient solver, EDGE^3 unknowns for each rank: a step is an
 * exchange of faces, a product with a matrix of 7 diagonals, two scalar products, each with a sum over all ranks, and
 * three updates of vectors.
 */
#include "ranks.h"

#include <pgasim.h>

enum { FACES = 6, PRODUCT = 14, SCALAR = 2, UPDATE = 2 }; /* operations for each unknown */

static double scalar(MPI_Comm grid, const double *a, const double *b, long n)
{
    double mine = 0, sum;
    PGASIM_INSTEAD_FLOPS((double)SCALAR * n)
    {
        for (long k = 0; k < n; k++)
            mine += a[k] * b[k];
    }
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, grid);
    return sum;
}

static void faces(MPI_Comm grid, double *const face[2], int n)
{
    MPI_Request request[2 * FACES];
    int k = 0;
    for (int dimension = 0; dimension < 3; dimension++)
        for (int way = -1; way <= 1; way += 2) {
            int from, to;
            MPI_Cart_shift(grid, dimension, way, &from, &to);
            MPI_Irecv(face[0], n, MPI_DOUBLE, from, 2 * dimension + (way > 0), grid, &request[k++]);
            MPI_Isend(face[1], n, MPI_DOUBLE, to, 2 * dimension + (way > 0), grid, &request[k++]);
        }
    MPI_Waitall(k, request, MPI_STATUSES_IGNORE);
}

/* q = A p, of the middle and of both sides in each dimension. */
static void product(double *q, const double *p, long n, int edge)
{
    const long far[3] = {1, edge, (long)edge * edge};
    PGASIM_INSTEAD_FLOPS((double)PRODUCT * n)
    {
        for (long k = 0; k < n; k++) {
            q[k] = 6 * p[k];
            for (int d = 0; d < 3; d++)
                q[k] -= p[(k + far[d]) % n] + p[(k + n - far[d]) % n];
        }
    }
}

static void update(double *x, const double *p, double factor, long n)
{
    PGASIM_INSTEAD_FLOPS((double)UPDATE * n)
    {
        for (long k = 0; k < n; k++)
            x[k] += factor * p[k];
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int ranks, dims[3] = {0}, periods[3] = {1, 1, 1};
    const int steps = argc > 2 ? atoi(argv[2]) : 5, edge = argc > 3 ? atoi(argv[3]) : 16;
    const long n = (long)edge * edge * edge;
    MPI_Comm all = ranks_of(argc > 1 ? argv[1] : "order"), grid;
    MPI_Comm_size(all, &ranks);
    MPI_Dims_create(ranks, 3, dims);
    MPI_Cart_create(all, 3, dims, periods, 0, &grid);
    double *v[4], *face[2];
    for (int k = 0; k < 4; k++)
        v[k] = pgasim_fold_malloc((size_t)n * sizeof *v[k]);
    for (int k = 0; k < 2; k++)
        face[k] = pgasim_fold_malloc((size_t)(edge * edge) * sizeof *face[k]);
    MPI_Barrier(grid);
    double since = MPI_Wtime();
    for (int k = 0; k < steps; k++) {
        faces(grid, face, edge * edge);
        product(v[0], v[1], n, edge);
        double step = 1 / (1 + scalar(grid, v[0], v[1], n) * 0);
        update(v[2], v[1], step, n);
        update(v[3], v[0], -step, n);
        double beta = 1 / (1 + scalar(grid, v[3], v[3], n) * 0);
        update(v[1], v[3], beta, n);
    }
    ranks_say(grid, since, steps);
    return MPI_Finalize();
}
