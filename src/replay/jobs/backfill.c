/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * backfill: which waiting jobs begin now, by EASY backfilling (Lifka, The ANL/IBM SP scheduling system, JSSPP 1995).
 *
 * Jobs begin in their order as long as there are enough cores. The first one for which there are too few gets a
 * reservation: at `shadow`, when enough jobs are expected to have ended, it will begin, and `extra` cores will be left
 * over. A later job begins now if it does not put that off: it is expected to end by then, or needs only cores that are
 * left over.
 */
#include "replay/jobs/jobs.h"

#include <math.h>
#include <stdlib.h>

struct reservation {
    double shadow;
    uint64_t extra;
};

static int by_end(const void *a, const void *b)
{
    const struct replay_running *x = a, *y = b;
    return x->end < y->end ? -1 : x->end > y->end;
}

static struct reservation reserve(struct replay_running *running, size_t n, uint64_t free, uint32_t cores)
{
    qsort(running, n, sizeof *running, by_end);
    for (size_t k = 0; k < n;) {
        double end = running[k].end;
        for (; k < n && running[k].end == end; k++) /* all cores of an instant */
            free += running[k].cores;
        if (free >= cores)
            return (struct reservation){end, free - cores};
    }
    return (struct reservation){INFINITY, 0};
}

void replay_backfill(struct replay_running *running, size_t n, uint32_t free, double now,
                     struct replay_waiting *waiting, size_t m)
{
    size_t k = 0;
    for (; k < m && waiting[k].cores <= free; k++) {
        waiting[k].begins = true;
        free -= waiting[k].cores;
        running[n++] = (struct replay_running){now + waiting[k].seconds, waiting[k].cores};
    }
    if (k == m || !free)
        return;
    struct reservation r = reserve(running, n, free, waiting[k].cores);
    for (k++; k < m && free; k++) {
        bool in_time = now + waiting[k].seconds <= r.shadow;
        if (waiting[k].cores > free || !(in_time || waiting[k].cores <= r.extra))
            continue;
        waiting[k].begins = true;
        free -= waiting[k].cores;
        r.extra -= in_time ? 0 : waiting[k].cores;
    }
}
