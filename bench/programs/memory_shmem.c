/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory KIND MIB: memory that others reach is written and read, all of it: by loads and stores (local), by puts and
 * gets of 4 KiB to the next PE (remote), or by puts and gets of 8 bytes (words). What a checker keeps of it.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double local(double *x, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        x[k] = (double)k;
    for (size_t k = 0; k < n; k++)
        sum += x[k];
    return sum;
}

static double remote(double *x, size_t n, size_t piece)
{
    double *block = calloc(piece, sizeof *block), sum = 0;
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    for (size_t k = 0; k + piece <= n; k += piece)
        shmem_double_put(x + k, block, piece, next);
    shmem_quiet();
    for (size_t k = 0; k + piece <= n; k += piece) {
        shmem_double_get(block, x + k, piece, next);
        sum += block[0];
    }
    free(block);
    return sum;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    size_t n = (size_t)atol(argv[2]) << 17;
    shmem_init();
    double *x = shmem_malloc(n * sizeof *x);
    if (!x)
        return 1;
    double sum = !strcmp(argv[1], "local") ? local(x, n) : remote(x, n, strcmp(argv[1], "words") ? 512 : 1);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("%g\n", sum);
    shmem_finalize();
    return 0;
}
