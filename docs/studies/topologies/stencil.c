/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stencil PLACEMENT STEPS EDGE: a 7-point stencil on a periodic grid, EDGE^3 cells for each rank. A step sends the six
 * faces to the neighbours and then computes.
 */
#include "ranks.h"

#include <pgasim.h>

enum { FACES = 6, FLOPS = 8 }; /* of a cell */

static size_t at(int edge, int x, int y, int z)
{
    return ((size_t)x * (size_t)(edge + 2) + (size_t)y) * (size_t)(edge + 2) + (size_t)z;
}

static void compute(double *next, const double *now, int edge)
{
    for (int x = 1; x <= edge; x++)
        for (int y = 1; y <= edge; y++)
            for (int z = 1; z <= edge; z++)
                next[at(edge, x, y, z)] = 0.4 * now[at(edge, x, y, z)] +
                                          0.1 * (now[at(edge, x - 1, y, z)] + now[at(edge, x + 1, y, z)] +
                                                 now[at(edge, x, y - 1, z)] + now[at(edge, x, y + 1, z)] +
                                                 now[at(edge, x, y, z - 1)] + now[at(edge, x, y, z + 1)]);
}

static void exchange(MPI_Comm grid, double *const face[2], int cells)
{
    MPI_Request request[2 * FACES];
    int n = 0;
    for (int dimension = 0; dimension < 3; dimension++)
        for (int way = -1; way <= 1; way += 2) {
            int from, to;
            MPI_Cart_shift(grid, dimension, way, &from, &to);
            MPI_Irecv(face[0], cells, MPI_DOUBLE, from, 2 * dimension + (way > 0), grid, &request[n++]);
            MPI_Isend(face[1], cells, MPI_DOUBLE, to, 2 * dimension + (way > 0), grid, &request[n++]);
        }
    MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int ranks, dims[3] = {0}, periods[3] = {1, 1, 1};
    const int steps = argc > 2 ? atoi(argv[2]) : 3, edge = argc > 3 ? atoi(argv[3]) : 64;
    const size_t cells = (size_t)(edge + 2) * (size_t)(edge + 2) * (size_t)(edge + 2);
    MPI_Comm all = ranks_of(argc > 1 ? argv[1] : "order"), grid;
    MPI_Comm_size(all, &ranks);
    MPI_Dims_create(ranks, 3, dims);
    MPI_Cart_create(all, 3, dims, periods, 0, &grid);
    /* One copy for all ranks: what is in it does not matter to the time. */
    double *now = pgasim_fold_malloc(cells * sizeof *now), *next = pgasim_fold_malloc(cells * sizeof *next);
    double *const face[2] = {pgasim_fold_malloc((size_t)(edge * edge) * sizeof(double)),
                             pgasim_fold_malloc((size_t)(edge * edge) * sizeof(double))};
    MPI_Barrier(grid);
    double since = MPI_Wtime();
    for (int k = 0; k < steps; k++) {
        exchange(grid, face, edge * edge);
        PGASIM_INSTEAD_FLOPS((double)FLOPS * edge * edge * edge)
        {
            compute(next, now, edge);
        }
    }
    ranks_say(grid, since, steps);
    return MPI_Finalize();
}
