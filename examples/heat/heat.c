/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * heat: the temperature of a square plate, by Jacobi iteration on a grid of SIZE x SIZE cells.
 *
 *   heat [-n SIZE] [-i ITERATIONS] [-r EVERY]
 *
 * The upper edge of the plate is held at 100 degrees, the three others at 0. An iteration sets each cell to
 * the mean of its four neighbours. The PEs form a grid of their own and each holds one block of the plate,
 * with a halo one cell wide around it. After an iteration a PE puts the edges of its block into the halos of
 * its neighbours, and then a flag: `fence` makes sure that who sees the flag sees the edge. No PE waits for
 * more than its four neighbours; every EVERY iterations all PEs agree on the largest change (the residual).
 *
 * The printed results do not depend on the number of PEs, to the last bit: a cell is always the same sum in
 * the same order, the residual is a maximum, and the checksum an exclusive-or.
 */
#include <math.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum side { NORTH, SOUTH, WEST, EAST, SIDES };

/* Where this PE's block lies and who its neighbours are. Blocks differ by at most one row and column; every
 * PE lays its block out with the same stride, so that a cell's address means the same cell at the neighbour.
 */
struct block {
    int size; /* of the whole plate */
    int pes_down, pes_across;
    int first_row, first_column;
    int rows, columns;
    int stride;           /* cells from one row to the next, halo included */
    int neighbour[SIDES]; /* PE number, or -1 at the plate's edge */
};

/* The iteration that each neighbour's edge in our halo belongs to. */
static long arrived[SIDES];

static double residual_of_pe, residual;
static long long checksum_of_pe, checksum;
static double double_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long long long_work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long sync_work[SHMEM_REDUCE_SYNC_SIZE];

static int first_of(int size, int parts, int part)
{
    return (int)((long)size * part / parts);
}

/* The most nearly square grid of PEs. */
static void arrange(struct block *b, int size)
{
    int pes = shmem_n_pes(), me = shmem_my_pe(), down = (int)sqrt((double)pes);
    while (pes % down != 0)
        down--;
    b->size = size;
    b->pes_down = down;
    b->pes_across = pes / down;
    int row = me / b->pes_across, column = me % b->pes_across;
    b->first_row = first_of(size, down, row);
    b->rows = first_of(size, down, row + 1) - b->first_row;
    b->first_column = first_of(size, b->pes_across, column);
    b->columns = first_of(size, b->pes_across, column + 1) - b->first_column;
    b->stride = (size + b->pes_across - 1) / b->pes_across + 2;
    b->neighbour[NORTH] = row > 0 ? me - b->pes_across : -1;
    b->neighbour[SOUTH] = row + 1 < down ? me + b->pes_across : -1;
    b->neighbour[WEST] = column > 0 ? me - 1 : -1;
    b->neighbour[EAST] = column + 1 < b->pes_across ? me + 1 : -1;
}

static double *grid_create(const struct block *b)
{
    size_t rows = (size_t)(b->size + b->pes_down - 1) / (size_t)b->pes_down + 2;
    double *grid = shmem_calloc(rows * (size_t)b->stride, sizeof *grid);
    if (!grid) {
        fprintf(stderr, "heat: the symmetric heap is too small for this plate: set SHMEM_SYMMETRIC_SIZE\n");
        shmem_global_exit(1);
    }
    if (b->neighbour[NORTH] < 0)
        for (int c = 1; c <= b->columns; c++)
            grid[c] = 100.0;
    return grid;
}

/* One iteration on this PE's block; returns the largest change. */
static double relax(const struct block *b, const double *old, double *new)
{
    double largest = 0;
    for (int r = 1; r <= b->rows; r++) {
        const double *above = old + (size_t)(r - 1) * (size_t)b->stride;
        const double *here = above + b->stride, *below = here + b->stride;
        double *out = new + (size_t)r *(size_t)b->stride;
        for (int c = 1; c <= b->columns; c++) {
            out[c] = 0.25 * (above[c] + below[c] + here[c - 1] + here[c + 1]);
            largest = fmax(largest, fabs(out[c] - here[c]));
        }
    }
    return largest;
}

/* Puts the edges of this PE's block of `grid` into the neighbours' halos, then tells them. Row and column
 * sizes of the neighbour across an edge equal ours along that edge, but not across it: hence its own last
 * row. */
static void send_edges(const struct block *b, double *grid, long iteration)
{
    int me = shmem_my_pe(), row = me / b->pes_across, column = me % b->pes_across;
    const int *to = b->neighbour;
    size_t stride = (size_t)b->stride;
    if (to[NORTH] >= 0) {
        size_t rows_there = (size_t)(b->first_row - first_of(b->size, b->pes_down, row - 1));
        shmem_double_put(grid + (rows_there + 1) * stride + 1, grid + stride + 1, (size_t)b->columns,
                         to[NORTH]);
    }
    if (to[SOUTH] >= 0)
        shmem_double_put(grid + 1, grid + (size_t)b->rows * stride + 1, (size_t)b->columns, to[SOUTH]);
    if (to[WEST] >= 0) {
        size_t columns_there = (size_t)(b->first_column - first_of(b->size, b->pes_across, column - 1));
        shmem_double_iput(grid + stride + columns_there + 1, grid + stride + 1, b->stride, b->stride,
                          (size_t)b->rows, to[WEST]);
    }
    if (to[EAST] >= 0)
        shmem_double_iput(grid + stride, grid + stride + (size_t)b->columns, b->stride, b->stride,
                          (size_t)b->rows, to[EAST]);
    shmem_fence();
    for (int side = 0; side < SIDES; side++) /* our north neighbour knows us as its south: side ^ 1 */
        if (to[side] >= 0)
            shmem_long_p(&arrived[side ^ 1], iteration, to[side]);
}

static void await_edges(const struct block *b, long iteration)
{
    for (int side = 0; side < SIDES; side++)
        if (b->neighbour[side] >= 0)
            shmem_long_wait_until(&arrived[side], SHMEM_CMP_GE, iteration);
}

static double largest_of_all(double mine)
{
    residual_of_pe = mine;
    shmem_barrier_all(); /* the work arrays are free again */
    shmem_double_max_to_all(&residual, &residual_of_pe, 1, 0, 0, shmem_n_pes(), double_work, sync_work);
    return residual;
}

/* Mixes every cell's bits with its place in the whole plate. */
static uint64_t checksum_of_all(const struct block *b, const double *grid)
{
    uint64_t sum = 0;
    for (int r = 1; r <= b->rows; r++)
        for (int c = 1; c <= b->columns; c++) {
            uint64_t bits,
                place = (uint64_t)(b->first_row + r) * (uint64_t)b->size + (uint64_t)(b->first_column + c);
            memcpy(&bits, &grid[(size_t)r * (size_t)b->stride + (size_t)c], sizeof bits);
            bits = (bits ^ place) * 0x9e3779b97f4a7c15u;
            sum ^= (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9u;
        }
    memcpy(&checksum_of_pe, &sum, sizeof sum);
    shmem_barrier_all();
    shmem_longlong_xor_to_all(&checksum, &checksum_of_pe, 1, 0, 0, shmem_n_pes(), long_work, sync_work);
    return (uint64_t)checksum;
}

static void solve(const struct block *b, long iterations, long every)
{
    double *grid[2] = {grid_create(b), grid_create(b)};
    shmem_barrier_all(); /* every plate is ready: some libraries clear memory after the barrier of calloc */
    for (long i = 1; i <= iterations; i++) {
        double *old = grid[(i - 1) % 2], *new = grid[i % 2];
        double change = relax(b, old, new);
        send_edges(b, new, i);
        await_edges(b, i);
        if (i % every == 0 || i == iterations) {
            change = largest_of_all(change);
            if (shmem_my_pe() == 0)
                printf("iteration %ld: residual %.9e\n", i, change);
        }
    }
    uint64_t sum = checksum_of_all(b, grid[iterations % 2]);
    if (shmem_my_pe() == 0)
        printf("checksum %016llx\n", (unsigned long long)sum);
    shmem_free(grid[1]);
    shmem_free(grid[0]);
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
    struct block b;
    int option;
    shmem_init();
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        sync_work[i] = SHMEM_SYNC_VALUE;
    while ((option = getopt(argc, argv, "n:i:r:")) != -1)
        if (option == 'n')
            size = number(optarg);
        else if (option == 'i')
            iterations = number(optarg);
        else if (option == 'r')
            every = number(optarg);
        else
            size = -1;
    arrange(&b, (int)size);
    if (size < b.pes_across || iterations < 1 || every < 1 || optind != argc) {
        if (shmem_my_pe() == 0)
            fprintf(stderr, "usage: heat [-n SIZE] [-i ITERATIONS] [-r EVERY]; SIZE at least %d here\n",
                    b.pes_across);
        shmem_finalize();
        return 2;
    }
    shmem_barrier_all(); /* every PE's sync_work is set */
    solve(&b, iterations, every);
    shmem_finalize();
    return 0;
}
