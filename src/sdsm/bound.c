/* SPDX-License-Identifier: BSD-3-Clause */
/* bound: data of chunks that are bound to a lock, as they travel with it: one after the other, each behind a
 * struct sat_bound, and padded to 8 bytes with zeros. */
#include <string.h>

#include "sdsm/internal.h"

static size_t bytes_of(const struct sat_bound *b)
{
    return sizeof *b + ((b->size + 7) & ~(uint64_t)7);
}

char *sat_bound_add(char *list, uint64_t *bytes, const struct sat_bound *b, const char *data)
{
    list = sat_grow(list, *bytes + bytes_of(b));
    memset(list + *bytes, 0, bytes_of(b));
    memcpy(list + *bytes, b, sizeof *b);
    memcpy(list + *bytes + sizeof *b, data, b->size);
    *bytes += bytes_of(b);
    return list;
}

const struct sat_bound *sat_bound_next(const char **at, const char *end, const char **data)
{
    const struct sat_bound *b = (const void *)*at;
    if (*at >= end)
        return NULL;
    *data = *at + sizeof *b;
    *at += bytes_of(b);
    return b;
}
