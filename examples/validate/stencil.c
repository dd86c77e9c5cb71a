/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stencil: a five-point stencil on a square of ranks' blocks of N x N numbers, with halos exchanged in each step. Its
 * computation is waited for where WAIT_LENGTHS has a block "stencil-N" (runtime/calibrate/wait.h).
 *     stencil N STEPS
 */
#include "timing.h"

#include "wait.h"

struct block {
    int n, west, east, north, south;
    double *at, *next;            /* (n + 2) x (n + 2), with halos */
    double *send[2], *receive[2]; /* columns: west, east */
};

static double *row(const struct block *b, int k)
{
    return b->at + (size_t)k * (size_t)(b->n + 2);
}

static void columns(struct block *b, int pack)
{
    for (int k = 1; k <= b->n; k++) {
        if (pack) {
            b->send[0][k - 1] = row(b, k)[1];
            b->send[1][k - 1] = row(b, k)[b->n];
        } else {
            row(b, k)[0] = b->receive[0][k - 1];
            row(b, k)[b->n + 1] = b->receive[1][k - 1];
        }
    }
}

static void exchange(struct block *b, MPI_Comm grid)
{
    MPI_Request r[8];
    const int n = b->n;
    columns(b, 1);
    MPI_Irecv(row(b, 0) + 1, n, MPI_DOUBLE, b->north, 1, grid, &r[0]);
    MPI_Irecv(row(b, n + 1) + 1, n, MPI_DOUBLE, b->south, 2, grid, &r[1]);
    MPI_Irecv(b->receive[0], n, MPI_DOUBLE, b->west, 3, grid, &r[2]);
    MPI_Irecv(b->receive[1], n, MPI_DOUBLE, b->east, 4, grid, &r[3]);
    MPI_Isend(row(b, n) + 1, n, MPI_DOUBLE, b->south, 1, grid, &r[4]);
    MPI_Isend(row(b, 1) + 1, n, MPI_DOUBLE, b->north, 2, grid, &r[5]);
    MPI_Isend(b->send[1], n, MPI_DOUBLE, b->east, 3, grid, &r[6]);
    MPI_Isend(b->send[0], n, MPI_DOUBLE, b->west, 4, grid, &r[7]);
    MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
    columns(b, 0);
}

static void compute(struct block *b)
{
    const size_t width = (size_t)b->n + 2;
    for (int i = 1; i <= b->n; i++)
        for (int j = 1; j <= b->n; j++) {
            size_t k = (size_t)i * width + (size_t)j;
            b->next[k] = 0.2 * (b->at[k] + b->at[k - 1] + b->at[k + 1] + b->at[k - width] + b->at[k + width]);
        }
    double *other = b->at;
    b->at = b->next;
    b->next = other;
}

static struct block block_create(int n, MPI_Comm grid)
{
    const size_t cells = (size_t)(n + 2) * (size_t)(n + 2);
    struct block b = {.n = n, .at = calloc(cells, sizeof(double)), .next = calloc(cells, sizeof(double))};
    MPI_Cart_shift(grid, 0, 1, &b.north, &b.south);
    MPI_Cart_shift(grid, 1, 1, &b.west, &b.east);
    for (int k = 0; k < 2; k++) {
        b.send[k] = calloc((size_t)n, sizeof(double));
        b.receive[k] = calloc((size_t)n, sizeof(double));
    }
    return b;
}

static void block_destroy(struct block *b)
{
    for (int k = 0; k < 2; k++) {
        free(b->send[k]);
        free(b->receive[k]);
    }
    free(b->at);
    free(b->next);
}

int main(int argc, char **argv)
{
    int size, dims[2] = {0, 0}, periods[2] = {1, 1};
    char name[40];
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = timing_argument(argc, argv, 1, "N"), steps = timing_argument(argc, argv, 2, "steps");
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    struct block b = block_create(n, grid);
    snprintf(name, sizeof name, "stencil-%d", n);
    exchange(&b, grid);
    double begin = timing_begin();
    for (int k = 0; k < steps; k++) {
        exchange(&b, grid);
        WAIT_INSTEAD(name)
        {
            compute(&b);
        }
    }
    timing_end(begin, steps);
    block_destroy(&b);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
