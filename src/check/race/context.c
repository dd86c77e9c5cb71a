/* SPDX-License-Identifier: BSD-3-Clause */
/* context: the open operations of contexts, and their orders of deliveries. */
#include "check/race/operations.h"

#include <stdlib.h>

struct race_context *race_context_of(struct race *d, uint32_t origin, uint32_t context)
{
    uint64_t key = (uint64_t)origin << 32 | context;
    struct race_context *c = base_table_find(&d->contexts, key);
    return BASE_LIKELY(c != NULL) ? c : base_table_add(&d->contexts, key, NULL);
}

uint32_t race_lane_of(struct race *d, uint32_t origin, uint32_t context, uint32_t target, bool make)
{
    uint64_t key = (uint64_t)origin << 42 ^ (uint64_t)context << 21 ^ target;
    uint32_t *lane = base_table_find(&d->lanes, key);
    if (!lane && make)
        *(lane = base_table_add(&d->lanes, key, NULL)) = d->ids++;
    return lane ? *lane : 0;
}

/* A request that only read is over, but stays in the list until now: taking it out needs a walk. */
void race_contexts_drop(struct race *d)
{
    uint32_t at = 0;
    for (struct race_context *c; (c = base_table_next(&d->contexts, &at));)
        for (uint32_t *link = &c->open; *link;) {
            struct race_end *e = &d->ends.at[*link];
            if (!e->remote.count) {
                link = &e->next;
                continue;
            }
            *link = e->next;
            e->next = 0;
        }
}

void race_contexts_mark(const struct race *d, bool *end)
{
    uint32_t at = 0;
    for (const struct race_context *c; (c = base_table_next(&d->contexts, &at));)
        for (size_t k = 0; k < c->past.n; k++)
            end[c->past.at[k]] = true;
}

void race_contexts_release(struct race *d)
{
    uint32_t at = 0;
    for (struct race_context *c; (c = base_table_next(&d->contexts, &at));) {
        free(c->past.at);
        race_past_release(d, c);
    }
    base_table_release(&d->contexts);
}
