/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transpose: a matrix of N x N numbers in columns of blocks, one for each rank, is transposed block by block, each with
 * another rank. Its computation is waited for where WAIT_LENGTHS has a block "transpose-M", M the size of a block (runtime/calibrate/wait.h).
 *     transpose N TIMES          N a multiple of the number of ranks
 */
#include "timing.h"

#include "wait.h"

/* A block of m x m numbers, turned around. */
static void turn(const double *in, double *out, int m)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            out[(size_t)j * (size_t)m + (size_t)i] += in[(size_t)i * (size_t)m + (size_t)j];
}

struct matrix {
    int m, rank, size;
    double *in, *out, *received;
    char name[40];
};

static void transpose(struct matrix *x)
{
    const size_t block = (size_t)x->m * (size_t)x->m;
    for (int phase = 0; phase < x->size; phase++) {
        int to = (x->rank + phase) % x->size, from = (x->rank - phase + x->size) % x->size;
        const double *block_in = x->in + (size_t)x->rank * block;
        if (phase) {
            MPI_Sendrecv(x->in + (size_t)to * block, (int)block, MPI_DOUBLE, to, phase, x->received,
                         (int)block, MPI_DOUBLE, from, phase, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            block_in = x->received;
        }
        WAIT_INSTEAD(x->name)
        {
            turn(block_in, x->out + (size_t)from * block, x->m);
        }
    }
}

int main(int argc, char **argv)
{
    struct matrix x = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &x.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &x.size);
    int n = timing_argument(argc, argv, 1, "N"), times = timing_argument(argc, argv, 2, "times");
    if (n % x.size) {
        fprintf(stderr, "expected N as a multiple of the number of ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    x.m = n / x.size;
    x.in = calloc((size_t)n * (size_t)x.m, sizeof(double));
    x.out = calloc((size_t)n * (size_t)x.m, sizeof(double));
    x.received = calloc((size_t)x.m * (size_t)x.m, sizeof(double));
    snprintf(x.name, sizeof x.name, "transpose-%d", x.m);
    transpose(&x);
    double begin = timing_begin();
    for (int k = 0; k < times; k++)
        transpose(&x);
    timing_end(begin, times);
    free(x.in);
    free(x.out);
    free(x.received);
    MPI_Finalize();
    return 0;
}
