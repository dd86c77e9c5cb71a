/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a hostfile: a report, or a host for every rank. */
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RANKS = 300 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct platform *p = platform_default(RANKS); /* node-0 ... node-4 */
    char *copy = malloc(size ? size : 1);         /* exactly as long as it says */
    if (size)
        memcpy(copy, data, size);
    for (enum platform_map map = PLATFORM_MAP_CORE; map <= PLATFORM_MAP_HOST; map++) {
        uint32_t rank_host[RANKS];
        struct platform_placement at;
        struct base_status st = {""};
        if (platform_place_text(p, RANKS, copy, size, "hosts", map, rank_host, &at, &st)) {
            BASE_ASSERT("P10", !strncmp(st.text, "hosts:", 6));
            continue;
        }
        BASE_ASSERT("P11", at.slots > 0 && at.hosts > 0 && at.crowded <= at.hosts);
        for (uint32_t rank = 0; rank < RANKS; rank++)
            BASE_ASSERT("P11", rank_host[rank] < platform_host_count(p));
    }
    free(copy);
    platform_destroy(p);
    return 0;
}
