/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flows_ids: that no ID stands twice in a list. A table of a million IDs does not fit the caches: all IDs are entered at
 * once, and the place of each is fetched some IDs before its turn.
 *
 * Invariants
 *  L1  The table is at most half full.
 */
#include "cli/flows_list.h"

#include <string.h>

enum { AHEAD = 16, FIRST_SIZE = 256 };

struct place {
    uint32_t hash, activity; /* its number + 1; 0: nothing is here */
};

static uint32_t hash(const char *id)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *id; id++)
        h = (h ^ (unsigned char)*id) * UINT64_C(0x100000001b3);
    return (uint32_t)(h ^ h >> 32);
}

static const char *id_of(const struct flows_list *l, uint32_t k)
{
    return flows_list_id(l, &l->activity.at[k]);
}

/* The place of an ID, or the empty one where it belongs: only what has the same hash is looked at. */
static struct place *place_of(const struct flows_list *l, struct place *table, uint32_t mask, const char *id,
                              uint32_t h)
{
    uint32_t at = h & mask;
    while (table[at].activity && (table[at].hash != h || strcmp(id_of(l, table[at].activity - 1), id) != 0))
        at = (at + 1) & mask;
    return &table[at];
}

static int enter_all(const struct flows_list *l, struct place *table, uint32_t mask, struct base_status *st)
{
    uint32_t next[AHEAD] = {0}, n = (uint32_t)l->activity.n;
    for (uint32_t k = 0; k < n + AHEAD; k++) {
        uint32_t h = next[k % AHEAD];
        if (k < n) {
            next[k % AHEAD] = hash(id_of(l, k));
            __builtin_prefetch(&table[next[k % AHEAD] & mask], 1);
        }
        if (k < AHEAD)
            continue;
        uint32_t mine = k - AHEAD;
        struct place *at = place_of(l, table, mask, id_of(l, mine), h);
        if (at->activity)
            return base_fail(st, "%.200s:%u: the ID '%.80s' stands in line %u already; expected another one",
                             l->name, l->activity.at[mine].line, id_of(l, mine),
                             l->activity.at[at->activity - 1].line);
        *at = (struct place){h, mine + 1};
    }
    return 0;
}

int flows_ids_check(const struct flows_list *l, struct base_status *st)
{
    uint32_t size = FIRST_SIZE;
    while (size < 2 * l->activity.n)
        size *= 2;
    size_t bytes = size * sizeof(struct place);
    struct place *table = base_reserve(bytes, "IDs of activities");
    base_fill(table, bytes);
    BASE_ASSERT("L1", l->activity.n <= size / 2);
    int rc = enter_all(l, table, size - 1, st);
    base_unreserve(table, bytes);
    return rc;
}
