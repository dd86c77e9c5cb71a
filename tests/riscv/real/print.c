/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers and text, formatted and read back. */
#include <inttypes.h>
#include <stdlib.h>

#include "count.h"

int main(void)
{
    static const double values[] = {0,     -0.0, 1, 0.1, 1e22, 123456.789, -2.5e-7, 1.7976931348623157e308,
                                    5e-324};
    static const long whole[] = {0, 1, -1, 2147483647, -2147483647 - 1, 0x7fffffffffffffff};
    unsigned long before = count_now();
    char line[256];
    unsigned sum = 0;
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        sum += (unsigned)snprintf(line, sizeof line, "%.17g|%12.4e|%g", values[i], values[i], values[i]);
        sum += strtod(line, NULL) == values[i];
    }
    count_print(before);
    printf("%u\n", sum);
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
        printf("[%g] [%.3f] [%+.10e]\n", values[i], i == 7 ? 0 : values[i], values[i]);
    for (unsigned i = 0; i < sizeof whole / sizeof *whole; i++)
        printf("[%ld] [%20ld] [%-20lx] [%020" PRIo64 "]\n", whole[i], whole[i], (unsigned long)whole[i],
               (uint64_t)whole[i]);
    int a, b, read;
    char word[16];
    float f;
    read = sscanf("17 0x2a word 2.75", "%d %i %15s %f", &a, &b, word, &f);
    printf("%d: %d %d %s %.2f\n", read, a, b, word, (double)f);
    printf("%5.2s|%-6s|%c|%%|%#x\n", "abcdef", "xy", 'q', 255u);
    return 7;
}
