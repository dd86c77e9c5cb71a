/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ids: checks that no ID occurs twice in a list. An index of a million IDs does not fit in the caches,
 * so all IDs are entered in one pass, and the slot of each is prefetched some IDs ahead.
 */
#include "base/table.h"
#include "cli/flows/list.h"

#include <string.h>

enum { AHEAD = 16 };

static const char *id_of(const struct flows_list *l, uint32_t k)
{
    return flows_list_id(l, &l->activity.at[k]);
}

/* The activity that has this ID, or BASE_NONE. */
static uint32_t find(const struct flows_list *l, const struct base_index *ids, uint32_t hash, const char *id)
{
    for (uint32_t at = hash, k; (k = base_index_next(ids, hash, &at)) != BASE_NONE;)
        if (!strcmp(id_of(l, k), id))
            return k;
    return BASE_NONE;
}

static int enter_all(const struct flows_list *l, struct base_index *ids, struct base_status *st)
{
    uint32_t next[AHEAD] = {0}, n = (uint32_t)l->activity.n;
    for (uint32_t k = 0; k < n + AHEAD; k++) {
        uint32_t hash = next[k % AHEAD];
        if (k < n) {
            next[k % AHEAD] = base_hash_bytes(id_of(l, k), strlen(id_of(l, k)));
            base_index_prefetch(ids, next[k % AHEAD]);
        }
        if (k < AHEAD)
            continue;
        uint32_t mine = k - AHEAD, other = find(l, ids, hash, id_of(l, mine));
        if (other != BASE_NONE)
            return base_fail(st,
                             "%.200s:%u: the ID '%.80s' is already used in line %u; expected a different one",
                             l->name, l->activity.at[mine].line, id_of(l, mine), l->activity.at[other].line);
        base_index_add(ids, hash, mine);
    }
    return 0;
}

int flows_ids_check(const struct flows_list *l, struct base_status *st)
{
    struct base_index ids;
    base_index_init(&ids, "IDs of activities");
    base_index_reserve(&ids, (uint32_t)l->activity.n);
    int rc = enter_all(l, &ids, st);
    base_index_release(&ids);
    return rc;
}
