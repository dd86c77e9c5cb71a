/* SPDX-License-Identifier: BSD-3-Clause */
/* malloc, realloc, calloc and free in random order; contents stay what was written. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"

enum { BLOCKS = 100 };
static struct {
    unsigned char *at;
    size_t size;
    unsigned char fill;
} block[BLOCKS];

static unsigned bad(int i)
{
    unsigned n = 0;
    for (size_t k = 0; k < block[i].size; k++)
        n += block[i].at[k] != block[i].fill;
    return n;
}

int main(void)
{
    uint64_t seed = 99;
    unsigned wrong = 0, grown = 0;
    unsigned long before = count_now();
    for (int step = 0; step < 4000; step++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int i = (int)(seed >> 33) % BLOCKS;
        size_t size = 1 + (seed >> 40) % (step % 50 ? 300 : 20000);
        wrong += bad(i);
        if (block[i].at && seed >> 63) {
            unsigned char *p = realloc(block[i].at, size);
            if (!p)
                return 2;
            grown += size > block[i].size;
            block[i].at = p;
        } else {
            free(block[i].at);
            block[i].at = step & 1 ? malloc(size) : calloc(size, 1);
            if (!block[i].at)
                return 2;
        }
        block[i].size = size;
        block[i].fill = (unsigned char)step;
        memset(block[i].at, block[i].fill, size);
    }
    for (int i = 0; i < BLOCKS; i++) {
        wrong += bad(i);
        free(block[i].at);
    }
    count_print(before);
    printf("%u wrong, %u grown\n", wrong, grown);
    return wrong != 0;
}
