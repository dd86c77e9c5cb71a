/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as notices of several processes: those that are valid are collected as a barrier does, and what
 * comes out is valid. The first byte is the number of notices that each process sends. */
#include "sdsm/internal.h"
#include "sdsm/jia/runs.h"

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
    struct jia_runs runs = {0};
    size_t part = size ? (data[0] % 8 + 1) * sizeof(struct jia_notice) : 0;
    for (size_t at = 1, k = 0; size && at + part <= size; at += part, k++) {
        struct jia_notice notices[8];
        memcpy(notices, data + at, part);
        if (jia_notices_valid(notices, part, UINT32_MAX))
            jia_runs_add(&runs, notices, part / sizeof *notices, (int32_t)k % 3, 1, true);
    }
    size_t n = jia_runs_for(&runs, 0, 0, NULL);
    struct jia_notice *out = malloc((n + 1) * sizeof *out);
    if (!out || jia_runs_for(&runs, 0, 0, out) != n || !jia_notices_valid(out, n * sizeof *out, UINT32_MAX))
        abort();
    free(out);
    jia_runs_release(&runs);
    return 0;
}
