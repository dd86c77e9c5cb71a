/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer work for simulators of RISC-V: a sieve, a matrix product, a sort and a checksum, again and again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 48, SIEVE = 65536, SORTED = 8192 };
static uint8_t sieve[SIEVE];
static int a[N][N], b[N][N], c[N][N];
static uint32_t words[SORTED];

static int order(const void *x, const void *y)
{
    uint32_t p = *(const uint32_t *)x, q = *(const uint32_t *)y;
    return p < q ? -1 : p > q;
}

static uint32_t work(uint32_t seed)
{
    uint32_t sum = 0;
    memset(sieve, 0, sizeof sieve);
    for (unsigned i = 2; i < SIEVE; i++)
        if (!sieve[i])
            for (unsigned k = 2 * i; k < SIEVE; k += i)
                sieve[k] = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i * j + (int)seed, b[i][j] = i - j, c[i][j] = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
    for (int i = 0; i < SORTED; i++)
        words[i] = seed = seed * 1664525 + 1013904223;
    qsort(words, SORTED, sizeof *words, order);
    for (int i = 0; i < SIEVE; i++)
        sum = (sum << 1 | sum >> 31) ^ (sieve[i] + words[i % SORTED]);
    return sum + (uint32_t)c[N / 2][N / 3];
}

int main(int argc, char **argv)
{
    uint32_t sum = 0;
    for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--)
        sum += work((uint32_t)i);
    printf("%u\n", sum);
    return 0;
}
