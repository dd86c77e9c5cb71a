/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The lines that examples/isort must print about its result, by one plain program: isort LOG_KEYS
 * LOG_MAX_KEY. Random numbers come from the generator in double precision, as the benchmark's specification
 * writes it down (appendix on "randlc": 46-bit numbers as two halves of 23 bits), and the keys are sorted by
 * qsort.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* x = a x mod 2^46 in halves of 23 bits; returns x / 2^46. */
static double randlc(double *x, double a)
{
    const double half = 0x1p23, whole = 0x1p46;
    double a1 = floor(a / half), a2 = a - half * a1;
    double x1 = floor(*x / half), x2 = *x - half * x1;
    double middle = a1 * x2 + a2 * x1;
    double z = middle - half * floor(middle / half);
    double low = half * z + a2 * x2;
    *x = low - whole * floor(low / whole);
    return *x / whole;
}

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    long keys = 1L << atoi(argv[1]), max_key = 1L << atoi(argv[2]);
    int *key = malloc((size_t)keys * sizeof *key);
    double x = 314159265.0;
    if (!key)
        return 1;
    for (long i = 0; i < keys; i++) {
        double sum = 0;
        for (int k = 0; k < 4; k++)
            sum += randlc(&x, 1220703125.0);
        key[i] = (int)((double)(max_key / 4) * sum);
    }
    for (int iteration = 1; iteration <= 10; iteration++) {
        key[iteration] = iteration;
        key[iteration + 10] = (int)max_key - iteration;
    }
    qsort(key, (size_t)keys, sizeof *key, by_value);
    uint64_t sum = 0;
    for (long i = 0; i < keys; i++)
        sum ^= (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u * (uint64_t)(key[i] + 1);
    printf("partial verification: 50 of 50 ranks right\n");
    printf("full verification: %ld of %ld keys in order, checksum %016lx\n", keys, keys, (unsigned long)sum);
    free(key);
    return 0;
}
