/* SPDX-License-Identifier: BSD-3-Clause */
/* store: the data that a server has: of chunks whose home it is, and of others that passed through it. */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

struct sat_store *sat_store_find(uint64_t id)
{
    return sat_table_find(&sdsm->stores, id);
}

struct sat_store *sat_store_put(uint64_t id, uint64_t version, uint64_t size, const char *data)
{
    struct sat_store *s = sat_store_find(id);
    if (!s) {
        s = sat_alloc(sizeof *s);
        s->id = id;
        s->size = size;
        s->data = sat_alloc(size);
        sat_table_add(&sdsm->stores, s);
    }
    s->version = version;
    if (data)
        memcpy(s->data, data, size);
    return s;
}

static void release_store(void *thing)
{
    struct sat_store *s = thing;
    free(s->data);
    free(s);
}

void sat_stores_release(void)
{
    sat_table_clear(&sdsm->stores, release_store);
}
