/* SPDX-License-Identifier: BSD-3-Clause */
/* member: lists of who takes part in something. */
#include <string.h>

#include "sdsm/internal.h"

void sat_member_set(struct sat_member *m, const struct sat_record *r)
{
    *m = (struct sat_member){.client = r->client, .server = r->server, .mode = r->mode};
    memcpy(m->place, r->place, sizeof m->place);
}

void sat_member_add(struct sat_member **list, size_t *n, const struct sat_record *r)
{
    if (!(*n & (*n - 1))) /* 0, or a power of two */
        *list = sat_grow(*list, (*n ? 2 * *n : 1) * sizeof **list);
    sat_member_set(&(*list)[(*n)++], r);
}

static struct sat_member *find(struct sat_member *list, size_t n, int client)
{
    for (size_t k = 0; k < n; k++)
        if (list[k].client == client)
            return &list[k];
    return NULL;
}

bool sat_member_remove(struct sat_member *list, size_t *n, int client)
{
    struct sat_member *m = find(list, *n, client);
    if (!m)
        return false;
    memmove(m, m + 1, (size_t)(list + *n - (m + 1)) * sizeof *m);
    --*n;
    return true;
}

bool sat_member_has(const struct sat_member *list, size_t n, int client)
{
    return find((struct sat_member *)list, n, client) != NULL;
}
