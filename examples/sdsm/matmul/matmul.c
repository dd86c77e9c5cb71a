/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matmul: the product of two matrices of SIZE x SIZE numbers, in blocks of BLOCK x BLOCK. A block is a chunk.
 *
 *   matmul --topology FILE [-n SIZE] [-b BLOCK]
 *
 * All clients are workers (role 1). They divide the blocks of A and B to be filled, meet at a barrier, and
 * then take blocks of the product, one after the other, from a counter in shared memory: a worker on a
 * faster host takes more. A block of A or B that a worker has read stays in its memory; with the protocol
 * home-mesi it is not fetched, nor even asked for, a second time.
 *
 * The numbers are small integers, so all sums are exact. At the end worker 0 checks the product C against A
 * and B with a vector x: C x = A (B x) (Freivalds' method), and prints a checksum, which is the same for
 * any topology and any size of blocks.
 */
#include <mpi.h>
#include <sat.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { A, B, C, MATRICES };
enum { WORKERS = 1, NEXT = 2 };                                   /* chunks: counters */
static const unsigned long FIRST[] = {1000000, 2000000, 3000000}; /* chunks: blocks of A, B, C */
enum { FILLED = 1, COMPUTED = 2 };                                /* barriers */
enum { MOST_BLOCKS = 1000 };                                      /* along an edge, so that ids do not meet */

struct product {
    int size, block, blocks; /* `blocks` along an edge; the last ones may be smaller */
    Chunk_t **chunk[MATRICES];
};

static double a_of(int i, int j)
{
    return (i * 7 + j * 3) % 11 - 5;
}

static double b_of(int i, int j)
{
    return (i * 5 + j * 13) % 17 - 8;
}

static _Noreturn void fail(int status, const char *why)
{
    fprintf(stderr, "matmul: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, status);
    exit(status);
}

/* How many rows the blocks of a row of blocks have. */
static int extent(const struct product *p, int block)
{
    const int rest = p->size - block * p->block;
    return rest < p->block ? rest : p->block;
}

static Chunk_t *chunk_of(const struct product *p, int matrix, int row, int column)
{
    return p->chunk[matrix][(size_t)row * (size_t)p->blocks + (size_t)column];
}

/* One chunk for each block, whatever the usual size of chunks is. No message is sent. */
static void allocate(struct product *p)
{
    const int n = p->blocks;
    for (int matrix = 0; matrix < MATRICES; matrix++) {
        p->chunk[matrix] = malloc((size_t)n * (size_t)n * sizeof(Chunk_t *));
        if (!p->chunk[matrix])
            fail(1, "there is not enough memory for this many blocks");
        for (int k = 0; k < n * n; k++) {
            const unsigned long id = FIRST[matrix] + (unsigned long)k;
            const unsigned long numbers = (unsigned long)extent(p, k / n) * (unsigned long)extent(p, k % n);
            p->chunk[matrix][k] = MALLOC_LST(NULL, UL_LIST(id), UL_LIST(numbers * sizeof(double)));
        }
    }
}

/* The next value of a counter that all workers share. */
static long take(Chunk_t *counter)
{
    READWRITE(counter);
    const long value = (*SAT_DATA(counter, long))++;
    RELEASE(counter);
    return value;
}

static void fill(const struct product *p, int matrix, int row, int column)
{
    const int rows = extent(p, row), columns = extent(p, column);
    Chunk_t *chunk = chunk_of(p, matrix, row, column);
    WRITE(chunk);
    double *out = SAT_DATA(chunk, double);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            const int i = row * p->block + r, j = column * p->block + c;
            *out++ = matrix == A ? a_of(i, j) : b_of(i, j);
        }
    RELEASE(chunk);
}

/* sum += the product of block (row, k) of A and block (k, column) of B */
static void accumulate(const struct product *p, int row, int k, int column, double *sum)
{
    const int rows = extent(p, row), inner = extent(p, k), columns = extent(p, column);
    Chunk_t *left = chunk_of(p, A, row, k), *right = chunk_of(p, B, k, column);
    READ(left);
    READ(right);
    const double *a = SAT_DATA(left, double), *b = SAT_DATA(right, double);
    for (int r = 0; r < rows; r++)
        for (int m = 0; m < inner; m++)
            for (int c = 0; c < columns; c++)
                sum[r * columns + c] += a[r * inner + m] * b[m * columns + c];
    RELEASE(right);
    RELEASE(left);
}

static void compute(const struct product *p, int row, int column)
{
    Chunk_t *chunk = chunk_of(p, C, row, column);
    const int numbers = extent(p, row) * extent(p, column);
    double *sum = calloc((size_t)numbers, sizeof *sum);
    if (!sum)
        fail(1, "there is not enough memory for a block");
    for (int k = 0; k < p->blocks; k++)
        accumulate(p, row, k, column, sum);
    WRITE(chunk);
    for (int k = 0; k < numbers; k++)
        SAT_DATA(chunk, double)[k] = sum[k];
    RELEASE(chunk);
    free(sum);
}

static double *matrix(int n)
{
    double *m = malloc((size_t)n * (size_t)n * sizeof *m);
    if (!m)
        fail(1, "there is not enough memory for a whole matrix");
    return m;
}

/* The whole of C, row by row. */
static double *gathered(const struct product *p)
{
    double *whole = matrix(p->size);
    for (int k = 0; k < p->blocks * p->blocks; k++) {
        const int row = k / p->blocks, column = k % p->blocks, columns = extent(p, column);
        Chunk_t *chunk = chunk_of(p, C, row, column);
        READ(chunk);
        for (int r = 0; r < extent(p, row); r++)
            for (int c = 0; c < columns; c++)
                whole[(size_t)(row * p->block + r) * (size_t)p->size + (size_t)(column * p->block + c)] =
                    SAT_DATA(chunk, double)[r * columns + c];
        RELEASE(chunk);
    }
    return whole;
}

/* The whole of A or B. */
static double *computed(int n, double (*of)(int row, int column))
{
    double *whole = matrix(n);
    for (int k = 0; k < n * n; k++)
        whole[k] = of(k / n, k % n);
    return whole;
}

/* Replaces x by the product of a matrix and x. Frees the matrix. */
static void multiply(int n, double *whole, double *x)
{
    double *y = malloc((size_t)n * sizeof *y);
    if (!y)
        fail(1, "there is not enough memory for a vector");
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += whole[(size_t)i * (size_t)n + (size_t)j] * x[j];
    }
    memcpy(x, y, (size_t)n * sizeof *y);
    free(y);
    free(whole);
}

static void check(const struct product *p)
{
    const int n = p->size;
    double *c = gathered(p), *left = calloc((size_t)n, sizeof *left),
           *right = calloc((size_t)n, sizeof *right);
    uint64_t sum = 0;
    int wrong = 0;
    if (!left || !right)
        fail(1, "there is not enough memory for a vector");
    for (int i = 0; i < n; i++)
        left[i] = right[i] = i * 31 % 101 - 50;
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++)
        sum = (sum ^ (uint64_t)(int64_t)c[k]) * 0x100000001b3u;
    multiply(n, c, left);
    multiply(n, computed(n, b_of), right);
    multiply(n, computed(n, a_of), right);
    for (int i = 0; i < n; i++)
        wrong += left[i] != right[i];
    printf("%d x %d: %d wrong rows, checksum %016llx\n", n, n, wrong, (unsigned long long)sum);
    free(left);
    free(right);
}

static struct product options_of(const _SAT_Bootstrap_t *bootstrap)
{
    struct product p = {.size = 256, .block = 64};
    int option, wrong = 0;
    while ((option = getopt(bootstrap->argc, bootstrap->argv, "n:b:")) != -1)
        if (option == 'n')
            p.size = atoi(optarg);
        else if (option == 'b')
            p.block = atoi(optarg);
        else
            wrong = 1;
    if (p.size >= 1 && p.size <= 16384 && p.block >= 1)
        p.blocks = (p.size + p.block - 1) / p.block;
    if (wrong || optind != bootstrap->argc || p.blocks < 1 || p.blocks > MOST_BLOCKS)
        fail(2, "usage: matmul --topology FILE [-n SIZE] [-b BLOCK]; SIZE from 1 to 16384, at most 1000 "
                "blocks along it");
    return p;
}

static void work(_SAT_Bootstrap_t *bootstrap)
{
    struct product p = options_of(bootstrap);
    Consistency_t *exclusive =
        newHomeBaseMESI(); /* of the counters, whatever the protocol of the blocks is */
    Chunk_t *workers = MALLOC(exclusive, WORKERS, sizeof(long));
    Chunk_t *next = MALLOC(exclusive, NEXT, sizeof(long));
    const int n = p.blocks, clients = bootstrap->nclients;
    long taken = 0;
    allocate(&p);
    const long me = take(workers);
    for (int k = (int)me; k < n * n; k += clients) {
        fill(&p, A, k / n, k % n);
        fill(&p, B, k / n, k % n);
    }
    barrier(FILLED, clientGetClientNr());
    const double start = MPI_Wtime();
    for (long k; (k = take(next)) < (long)n * n; taken++)
        compute(&p, (int)(k / n), (int)(k % n));
    barrier(COMPUTED, clientGetClientNr());
    fprintf(stderr, "matmul: process %d computed %ld of %d blocks\n", bootstrap->id, taken, n * n);
    if (me == 0) {
        fprintf(stderr, "matmul: %.6f s\n", MPI_Wtime() - start);
        check(&p);
    }
    for (int matrix = 0; matrix < MATRICES; matrix++)
        free(p.chunk[matrix]);
}

int main(int argc, char **argv)
{
    _SAT_Roles_t roles[] = {NULL, work};
    return _SAT_BOOTSTRAP(roles, NULL, argc, argv);
}
