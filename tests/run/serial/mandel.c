/* SPDX-License-Identifier: BSD-3-Clause */
/* The first line that examples/mandel must print, by one plain program: mandel WIDTH HEIGHT ITERATIONS. */
#include <complex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The order of operations is the example's, since the last bit of a coordinate can decide a count. */
static int escape(double complex c, int limit)
{
    double x = 0, y = 0, xx = 0, yy = 0;
    int n;
    for (n = 0; n < limit && xx + yy <= 4.0; n++) {
        y = 2.0 * x * y + cimag(c);
        x = xx - yy + creal(c);
        xx = x * x;
        yy = y * y;
    }
    return n;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int width = atoi(argv[1]), height = atoi(argv[2]), limit = atoi(argv[3]);
    double step = 2.6 / height;
    uint64_t sum = 0xcbf29ce484222325u;
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++) {
            double complex c =
                CMPLX(-0.65 + (column - 0.5 * (width - 1)) * step, (0.5 * (height - 1) - row) * step);
            sum = (sum ^ (uint64_t)escape(c, limit)) * 0x100000001b3u;
        }
    printf("mandel %d x %d, at most %d iterations, checksum %016llx\n", width, height, limit,
           (unsigned long long)sum);
    return 0;
}
