/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwaited: operations that are completed by the end of the API only. That is no error, but whoever reads
 * what they bring has not waited for it, or nobody reads it. A delivery that somebody has seen by a wait
 * counts as waited for, and so does what a fence put before it. That is known when all ranks have ended.
 */
#include "check/race/operations.h"
#include "check/race/reports.h"

#include <inttypes.h>
#include <stdlib.h>

void race_unwaited_note(struct race *d, const struct rma_sync *s)
{
    const struct race_context *c = race_context_of(d, s->rank->id, s->context);
    size_t before = d->unwaited.n;
    for (uint32_t k = c->open; k; k = d->ends.at[k].next)
        if (!d->ends.at[k].remote.count) {
            d->ends.at[k].last = true;
            BASE_ARRAY_PUSH(&d->unwaited, k);
        }
    for (size_t a = before, b = d->unwaited.n; a + 1 < b; a++) { /* the latest are first in the list */
        uint32_t k = d->unwaited.at[a];
        d->unwaited.at[a] = d->unwaited.at[--b];
        d->unwaited.at[b] = k;
    }
}

static uint64_t lane_of(const struct race_end *e)
{
    return (uint64_t)e->origin << 42 ^ (uint64_t)e->context << 21 ^ e->target;
}

/* For each order of deliveries, 1 + the number of fences that came before the last one that somebody has
 * seen. */
static void find_seen(const struct race *d, struct base_table *seen)
{
    for (size_t k = 0; k < d->unwaited.n; k++) {
        const struct race_end *e = &d->ends.at[d->unwaited.at[k]];
        if (!e->knowers)
            continue;
        uint64_t *fences = base_table_add(seen, lane_of(e), NULL);
        if (*fences < e->fences + 1)
            *fences = e->fences + 1;
    }
}

static bool is_waited_for(const struct race_end *e, const struct base_table *seen)
{
    const uint64_t *fences = base_table_find(seen, lane_of(e));
    return !e->served || e->knowers || (e->ordered && fences && e->fences + 1 < *fences);
}

static void tell(struct race *d, const struct race_end *e)
{
    const char *call = d->places.at[e->place].call;
    char place[FINDING_NAME];
    race_name_of(d, e->place, place, sizeof place);
    base_notice("hint/unwaited", "%s of rank %" PRIu32 "%s%s: nobody has waited for it when the API ended",
                call ? call : "an operation", e->origin, place[0] ? " in " : "", place);
}

void race_finish(struct race *d)
{
    struct base_table seen;
    base_table_init(&seen, BASE_NUMBERS, sizeof(uint64_t), "deliveries that were seen");
    find_seen(d, &seen);
    for (size_t k = 0; k < d->unwaited.n; k++)
        if (!is_waited_for(&d->ends.at[d->unwaited.at[k]], &seen))
            tell(d, &d->ends.at[d->unwaited.at[k]]);
    base_table_release(&seen);
}

void race_unwaited_mark(const struct race *d, bool *end)
{
    for (size_t k = 0; k < d->unwaited.n; k++)
        end[d->unwaited.at[k]] = true;
}

void race_unwaited_release(struct race *d)
{
    free(d->unwaited.at);
}
