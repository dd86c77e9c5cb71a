/* SPDX-License-Identifier: BSD-3-Clause */
/* What examples/heat must print, by one plain program: heat SIZE ITERATIONS EVERY. Knows nothing of PEs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t cell_mix(double value, int row, int column, int size)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits = (bits ^ ((uint64_t)row * (uint64_t)size + (uint64_t)column)) * 0x9e3779b97f4a7c15u;
    return (bits ^ bits >> 29) * 0xbf58476d1ce4e5b9u;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int size = atoi(argv[1]), iterations = atoi(argv[2]), every = atoi(argv[3]);
    size_t side = (size_t)size + 2;
    double *plate[2] = {calloc(side * side, sizeof(double)), calloc(side * side, sizeof(double))};
    for (int c = 1; c <= size; c++)
        plate[0][c] = plate[1][c] = 100.0;
    for (int i = 1; i <= iterations; i++) {
        double *old = plate[(i - 1) % 2], *new = plate[i % 2], residual = 0;
        for (size_t k = side; k < side * (side - 1); k++) {
            if (k % side == 0 || k % side == side - 1)
                continue;
            new[k] = 0.25 * (old[k - side] + old[k + side] + old[k - 1] + old[k + 1]);
            double change = new[k] > old[k] ? new[k] - old[k] : old[k] - new[k];
            residual = change > residual ? change : residual;
        }
        if (i % every == 0 || i == iterations)
            printf("iteration %d: residual %.9e\n", i, residual);
    }
    uint64_t sum = 0;
    for (int r = 1; r <= size; r++)
        for (int c = 1; c <= size; c++)
            sum ^= cell_mix(plate[iterations % 2][(size_t)r * side + (size_t)c], r, c, size);
    printf("checksum %016llx\n", (unsigned long long)sum);
    free(plate[0]);
    free(plate[1]);
    return 0;
}
