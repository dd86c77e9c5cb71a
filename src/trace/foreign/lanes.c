/* SPDX-License-Identifier: BSD-3-Clause */
/* lanes: the lines of a timeline, by rank and thread. A rank has few threads, numbered from 0. */
#include "trace/foreign/foreign.h"

#include <stdlib.h>
#include <string.h>

void trace_lanes_init(struct trace_lanes *l, uint32_t ranks)
{
    l->ranks = ranks;
    l->rank = base_zalloc(((size_t)ranks + 1) * sizeof *l->rank, "lanes of a trace");
}

void trace_lanes_release(struct trace_lanes *l)
{
    for (uint32_t r = 0; r < l->ranks; r++) {
        for (size_t t = 0; t < l->rank[r].thread.n; t++) {
            if (l->rank[r].thread.at[t])
                free(l->rank[r].thread.at[t]->stack.at);
            free(l->rank[r].thread.at[t]);
        }
        free(l->rank[r].thread.at);
    }
    free(l->rank);
}

struct trace_lane *trace_lanes_find(const struct trace_lanes *l, uint32_t rank, uint32_t thread)
{
    if (BASE_UNLIKELY(rank >= l->ranks)) /* of one that was started later */
        return NULL;
    return thread < l->rank[rank].thread.n ? l->rank[rank].thread.at[thread] : NULL;
}

void trace_lanes_room(struct trace_lanes *l, uint32_t ranks)
{
    if (ranks <= l->ranks)
        return;
    l->rank = base_realloc(l->rank, ((size_t)ranks + 1) * sizeof *l->rank, "lanes of a trace");
    memset(&l->rank[l->ranks], 0, ((size_t)ranks + 1 - l->ranks) * sizeof *l->rank);
    l->ranks = ranks;
}

struct trace_lane *trace_lanes_add(struct trace_lanes *l, uint32_t rank, uint32_t thread)
{
    struct trace_lane *lane = base_zalloc(sizeof *lane, "a lane of a trace");
    lane->rank = rank;
    lane->thread = thread;
    trace_lanes_room(l, rank + 1);
    while (l->rank[rank].thread.n <= thread)
        BASE_ARRAY_PUSH(&l->rank[rank].thread, NULL);
    l->rank[rank].thread.at[thread] = lane;
    return lane;
}
