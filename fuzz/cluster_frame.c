/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a frame that a node of tools/cluster sends: what is passed on goes to a node of the cluster. */
#include "cluster/frame.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { NODES = 5 };
    if (!size)
        return 0;
    uint32_t from = data[0] % NODES, to = UINT32_MAX, n = (uint32_t)size - 1;
    unsigned char *bytes = malloc(n + 1); /* exactly as long as the frame, for the sanitizer */
    memcpy(bytes, data + 1, n);
    enum frame_kind kind = frame_read(bytes, n, NODES, from, &to);
    BASE_ASSERT("B2", kind == FRAME_OTHER ? to == UINT32_MAX : to < NODES);
    BASE_ASSERT("B2", kind != FRAME_UNICAST || (to != from && !memcmp(bytes, data + 1, n)));
    BASE_ASSERT("B2", kind != FRAME_ARP || to == from);
    free(bytes);
    return 0;
}
