/* SPDX-License-Identifier: BSD-3-Clause */
/* says: what a program says about its waits in a deadlock report; what it may know of its host. */
#include "pgasim.h"

#include "fold/annotate/annotate.h"

typedef void (*describe_fn)(char *text, size_t size);

BASE_PUBLIC void pgasim_on_deadlock(void (*describe)(char *text, size_t size))
{
    struct rank *r = rank_current;
    if (!r && !rank_ahead)
        return;
    if (!r)
        r = rank_none("pgasim_on_deadlock");
    struct base_table *t = &fold_of(r)->annotated->says;
    if (describe)
        *(describe_fn *)base_table_add(t, r->id, NULL) = describe;
    else
        base_table_remove(t, r->id);
}

bool annotated_speaks(const struct rank *r)
{
    return base_table_find(&fold_of(r)->annotated->says, r->id) != NULL;
}

void annotated_says(struct rank *r, char *text, size_t size)
{
    const describe_fn *describe = base_table_find(&fold_of(r)->annotated->says, r->id);
    if (describe)
        (*describe)(text, size);
}

/* Properties do not change, so a rank that is ahead may read them. */
BASE_PUBLIC const char *pgasim_host_property(const char *key)
{
    const struct rank *r = rank_current ? rank_current : rank_ahead;
    return r && key ? platform_host_property(fabric_platform(fold_of(r)->fabric), r->host, key) : NULL;
}
