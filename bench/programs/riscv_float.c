/* SPDX-License-Identifier: BSD-3-Clause */
/* Floating-point work for simulators of RISC-V: a matrix product, a sum of single numbers, and functions of the
 * mathematical library, again and again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 48, SINGLES = 4096 };
static double a[N][N], b[N][N];
static float singles[SINGLES];

static double work(int seed)
{
    double sum = 0;
    float single = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i * 0.1 + j, b[i][j] = 1.0 / (i + j + seed);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double product = 0;
            for (int k = 0; k < N; k++)
                product += a[i][k] * b[k][j];
            sum += sqrt(product);
        }
    for (int i = 0; i < SINGLES; i++)
        singles[i] = (float)i / 3.0f + (float)seed;
    for (int i = 0; i < SINGLES; i++)
        single += singles[i] > 700.0f ? (float)(int)(singles[i] * 0.5f) : singles[i] - 1.0f;
    for (int i = 1; i < 500; i++)
        sum += sin(i * 0.01) * exp(i * -0.001) + log(i);
    return sum + (double)single;
}

int main(int argc, char **argv)
{
    double sum = 0;
    for (int i = argc > 1 ? atoi(argv[1]) : 1; i > 0; i--)
        sum += work(i);
    printf("%.17g\n", sum);
    return 0;
}
