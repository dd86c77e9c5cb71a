/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff: the bytes in which two copies differ. A diff is a sequence of runs: offset and length, 32 bits each,
 * then the bytes, padded to 4. Runs that are less than a run's head apart are one.
 */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

enum { HEAD = 8 };

/* The next run of differing bytes from `at` on; false: there is none. */
static bool next_run(const char *old, const char *new, size_t size, size_t at, size_t *first, size_t *end)
{
    while (at + 8 <= size && !memcmp(old + at, new + at, 8))
        at += 8;
    while (at < size && old[at] == new[at])
        at++;
    if (at == size)
        return false;
    *first = *end = at;
    for (size_t same = 0; at < size && same < HEAD; at++) {
        same = old[at] == new[at] ? same + 1 : 0;
        if (!same)
            *end = at + 1;
    }
    return true;
}

char *sat_diff_make(const char *old, const char *new, size_t size, uint64_t *bytes)
{
    size_t n = 0, cap = 0, first, end;
    char *diff = NULL;
    for (size_t at = 0; next_run(old, new, size, at, &first, &end); at = end) {
        uint32_t head[2] = {(uint32_t)first, (uint32_t)(end - first)};
        size_t padded = (head[1] + 3) & ~(size_t)3;
        if (n + HEAD + padded > cap) {
            cap = 2 * (n + HEAD + padded);
            diff = sat_grow(diff, cap);
        }
        memcpy(diff + n, head, HEAD);
        memcpy(diff + n + HEAD, new + first, head[1]);
        memset(diff + n + HEAD + head[1], 0, padded - head[1]);
        n += HEAD + padded;
    }
    *bytes = n;
    return diff;
}

bool sat_diff_apply(char *to, size_t size, const char *diff, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        uint32_t head[2];
        if (bytes - at < HEAD)
            return false;
        memcpy(head, diff + at, HEAD);
        at += HEAD;
        size_t padded = ((size_t)head[1] + 3) & ~(size_t)3;
        if (!head[1] || head[0] > size || head[1] > size - head[0] || padded > bytes - at)
            return false;
        memcpy(to + head[0], diff + at, head[1]);
        at += padded;
    }
    return true;
}

void sat_diff_range(const char *old, const char *new, size_t size, size_t *first, size_t *end, size_t *n)
{
    *first = *end = *n = 0;
    for (size_t k = 0; k < size; k++) {
        if (old[k] == new[k])
            continue;
        if (!(*n)++)
            *first = k;
        *end = k + 1;
    }
}

void sat_diff_free(char *diff)
{
    free(diff);
}
