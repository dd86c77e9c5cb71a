/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heat: the temperature of a square plate, by Jacobi iteration on a grid of SIZE x SIZE cells: examples/heat with
 * messages.
 *
 *   heat [-n SIZE] [-i ITERATIONS] [-r EVERY]
 *
 * The upper edge of the plate is held at 100 degrees, the three others at 0. An iteration sets each cell to the mean
 * of its four neighbours. The ranks form a Cartesian grid; each holds one block of the plate with a halo one cell wide.
 * The messages that fill the halos are the same in every iteration: they are made once, as persistent requests, for
 * each of the two copies of the plate. An inner part of a block needs no halo: it is computed while messages travel.
 * Every EVERY iterations all ranks agree on the largest change (the residual).
 *
 * The printed results do not depend on the number of ranks, to the last bit: a cell is always the same sum in the same
 * order, the residual is a maximum, and the checksum an exclusive-or.
 */
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum side { NORTH, SOUTH, WEST, EAST, SIDES };

struct block {
    MPI_Comm grid;
    int me;
    int size; /* of the whole plate */
    int first_row, first_column, rows, columns;
    int stride; /* cells from one row to the next, halo included */
    int neighbour[SIDES];
    MPI_Datatype column;
};

static int first_of(int size, int parts, int part)
{
    return (int)((long)size * part / parts);
}

static void arrange(struct block *b, int size)
{
    int ranks, dims[2] = {0, 0}, periods[2] = {0, 0}, at[2];
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &b->grid);
    MPI_Comm_rank(b->grid, &b->me);
    MPI_Cart_coords(b->grid, b->me, 2, at);
    MPI_Cart_shift(b->grid, 0, 1, &b->neighbour[NORTH], &b->neighbour[SOUTH]);
    MPI_Cart_shift(b->grid, 1, 1, &b->neighbour[WEST], &b->neighbour[EAST]);
    b->size = size;
    b->first_row = first_of(size, dims[0], at[0]);
    b->rows = first_of(size, dims[0], at[0] + 1) - b->first_row;
    b->first_column = first_of(size, dims[1], at[1]);
    b->columns = first_of(size, dims[1], at[1] + 1) - b->first_column;
    b->stride = b->columns + 2;
    MPI_Type_vector(b->rows, 1, b->stride, MPI_DOUBLE, &b->column);
    MPI_Type_commit(&b->column);
}

static double *cell(const struct block *b, double *grid, int row, int column)
{
    return grid + (size_t)row * (size_t)b->stride + column;
}

static double *grid_create(const struct block *b)
{
    double *grid = calloc((size_t)(b->rows + 2) * (size_t)b->stride, sizeof *grid);
    if (!grid) {
        fprintf(stderr, "heat: there is not enough memory for this plate\n");
        MPI_Abort(b->grid, 1);
    }
    if (b->neighbour[NORTH] == MPI_PROC_NULL)
        for (int c = 1; c <= b->columns; c++)
            grid[c] = 100.0;
    return grid;
}

/* The messages of one copy of the plate: an edge to each neighbour, a halo from each. */
static void requests_create(const struct block *b, double *grid, MPI_Request request[2 * SIDES])
{
    const struct {
        int edge_row, edge_column, halo_row, halo_column;
    } at[SIDES] = {
        {1, 1, 0, 1}, {b->rows, 1, b->rows + 1, 1}, {1, 1, 1, 0}, {1, b->columns, 1, b->columns + 1}};
    for (int side = 0; side < SIDES; side++) {
        int along_row = side == NORTH || side == SOUTH, count = along_row ? b->columns : 1;
        MPI_Datatype type = along_row ? MPI_DOUBLE : b->column;
        MPI_Recv_init(cell(b, grid, at[side].halo_row, at[side].halo_column), count, type, b->neighbour[side],
                      side ^ 1, b->grid, &request[side]); /* our north neighbour sends to its south */
        MPI_Send_init(cell(b, grid, at[side].edge_row, at[side].edge_column), count, type, b->neighbour[side],
                      side, b->grid, &request[SIDES + side]);
    }
}

/* Computes some rows and columns of `new`; returns the larger of `largest` and the largest change. */
static double relax(const struct block *b, double *old, double *new, const int rows[2], const int columns[2],
                    double largest)
{
    for (int r = rows[0]; r <= rows[1]; r++) {
        const double *above = cell(b, old, r - 1, 0), *here = cell(b, old, r, 0),
                     *below = cell(b, old, r + 1, 0);
        double *out = cell(b, new, r, 0);
        for (int c = columns[0]; c <= columns[1]; c++) {
            out[c] = 0.25 * (above[c] + below[c] + here[c - 1] + here[c + 1]);
            largest = fmax(largest, fabs(out[c] - here[c]));
        }
    }
    return largest;
}

/* One iteration: the inner part, then, when the halo is there, the rim. Returns the largest change. */
static double iterate(const struct block *b, double *old, double *new, MPI_Request request[2 * SIDES])
{
    const int r = b->rows, c = b->columns;
    MPI_Startall(2 * SIDES, request);
    double largest = relax(b, old, new, (int[]){2, r - 1}, (int[]){2, c - 1}, 0);
    MPI_Waitall(2 * SIDES, request, MPI_STATUSES_IGNORE);
    largest = relax(b, old, new, (int[]){1, 1}, (int[]){1, c}, largest);
    if (r > 1)
        largest = relax(b, old, new, (int[]){r, r}, (int[]){1, c}, largest);
    largest = relax(b, old, new, (int[]){2, r - 1}, (int[]){1, 1}, largest);
    if (c > 1)
        largest = relax(b, old, new, (int[]){2, r - 1}, (int[]){c, c}, largest);
    return largest;
}

/* Mixes every cell's bits with its place in the whole plate. The result is at rank 0. */
static uint64_t checksum(const struct block *b, double *grid)
{
    uint64_t sum = 0, all = 0;
    for (int r = 1; r <= b->rows; r++)
        for (int c = 1; c <= b->columns; c++) {
            uint64_t bits,
                place = (uint64_t)(b->first_row + r) * (uint64_t)b->size + (uint64_t)(b->first_column + c);
            memcpy(&bits, cell(b, grid, r, c), sizeof bits);
            bits = (bits ^ place) * 0x9e3779b97f4a7c15u;
            sum ^= (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9u;
        }
    MPI_Reduce(&sum, &all, 1, MPI_UINT64_T, MPI_BXOR, 0, b->grid);
    return all;
}

static void solve(const struct block *b, long iterations, long every)
{
    double *grid[2] = {grid_create(b), grid_create(b)};
    MPI_Request request[2][2 * SIDES];
    for (int k = 0; k < 2; k++)
        requests_create(b, grid[k], request[k]);
    for (long i = 1; i <= iterations; i++) {
        double change = iterate(b, grid[(i - 1) % 2], grid[i % 2], request[(i - 1) % 2]);
        if (i % every != 0 && i != iterations)
            continue;
        MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, b->grid);
        if (b->me == 0)
            printf("iteration %ld: residual %.9e\n", i, change);
    }
    uint64_t sum = checksum(b, grid[iterations % 2]);
    if (b->me == 0)
        printf("checksum %016llx\n", (unsigned long long)sum);
    for (int k = 0; k < 2; k++) {
        for (int q = 0; q < 2 * SIDES; q++)
            MPI_Request_free(&request[k][q]);
        free(grid[k]);
    }
}

static long number(const char *text)
{
    char *end;
    long n = strtol(text, &end, 10);
    return *end == '\0' && n > 0 && n <= 1000000 ? n : -1;
}

int main(int argc, char **argv)
{
    long size = 512, iterations = 200, every = 50;
    int option, ranks;
    struct block b;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    while ((option = getopt(argc, argv, "n:i:r:")) != -1)
        if (option == 'n')
            size = number(optarg);
        else if (option == 'i')
            iterations = number(optarg);
        else if (option == 'r')
            every = number(optarg);
        else
            size = -1;
    arrange(&b, size > 0 ? (int)size : ranks);
    if (size < ranks || iterations < 1 || every < 1 || optind != argc) {
        if (b.me == 0)
            fprintf(stderr, "usage: heat [-n SIZE] [-i ITERATIONS] [-r EVERY]; SIZE at least %d here\n",
                    ranks);
        size = -1;
    } else {
        solve(&b, iterations, every);
    }
    MPI_Type_free(&b.column);
    MPI_Comm_free(&b.grid);
    MPI_Finalize();
    return size < 0 ? 2 : 0;
}
