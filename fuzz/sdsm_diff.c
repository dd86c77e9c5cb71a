/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a difference of two copies: applied, it stays within the copy. And as two copies: their
 * difference makes one of the other. The first two bytes are the copy's size. */
#include "sdsm/internal.h"

#include <stdlib.h>
#include <string.h>

/* Stand in for libsat's, which tell other processes that there is no memory. */
void *sat_alloc(size_t bytes)
{
    return calloc(1, bytes ? bytes : 1);
}

void *sat_grow(void *p, size_t bytes)
{
    return realloc(p, bytes ? bytes : 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t room = data[0] | (size_t)data[1] << 8, half = (size - 2) / 2;
    const char *bytes = (const char *)data + 2, *other = bytes + half;
    char *copy = sat_alloc(room);
    (void)sat_diff_apply(copy, room, bytes, size - 2);
    free(copy);
    uint64_t n;
    char *diff = sat_diff_make(bytes, other, half, &n);
    copy = sat_alloc(half);
    memcpy(copy, bytes, half);
    if (!sat_diff_apply(copy, half, diff, n) || memcmp(copy, other, half) != 0)
        abort();
    sat_diff_free(diff);
    free(copy);
    return 0;
}
