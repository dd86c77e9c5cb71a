/* SPDX-License-Identifier: BSD-3-Clause */
/* loops: which loops of each rank are open while a tape is written, and how often an action within them is done. */
#include "replay/tape/loops.h"

#include <inttypes.h>

#define MOST_TIMES (UINT64_C(1) << 48) /* of an action in all loops */

struct open_loops {
    uint32_t depth;
    bool empty;                       /* nothing is in the innermost one so far */
    uint64_t times[REPLAY_LOOPS + 1]; /* [depth]: how often the innermost one's actions are done */
};

void replay_loops_init(struct replay_loops *l)
{
    base_table_init(&l->open, BASE_NUMBERS, sizeof(struct open_loops), "loops of a tape");
}

void replay_loops_release(struct replay_loops *l)
{
    base_table_release(&l->open);
}

int replay_loops_begin(struct replay_loops *l, uint32_t rank, uint32_t times, struct base_status *st)
{
    struct open_loops *o = base_table_add(&l->open, rank, NULL);
    o->times[0] = 1;
    if (o->depth == REPLAY_LOOPS)
        return base_fail(st, "repeat: expected at most %d within one another", REPLAY_LOOPS);
    if (!times || times > MOST_TIMES / o->times[o->depth])
        return base_fail(st,
                         "repeat: expected a number of times, of which all loops together make at most 2^48");
    o->times[o->depth + 1] = o->times[o->depth] * times;
    o->depth++;
    o->empty = true;
    return 0;
}

int replay_loops_end(struct replay_loops *l, uint32_t rank, struct base_status *st)
{
    struct open_loops *o = base_table_find(&l->open, rank);
    if (!o)
        return base_fail(st, "end: expected a repeat before it");
    if (o->empty)
        return base_fail(st, "end: expected actions since the repeat");
    if (!--o->depth)
        base_table_remove(&l->open, rank);
    return 0;
}

int replay_loops_closed(const struct replay_loops *l, struct base_status *st)
{
    uint32_t at = 0;
    const void *open = base_table_next(&l->open, &at);
    return open ? base_fail(st, "rank %" PRIu64 ": expected the end of a repeat", base_table_key(open)) : 0;
}

uint64_t replay_loops_times(struct replay_loops *l, uint32_t rank)
{
    struct open_loops *o = l->open.live ? base_table_find(&l->open, rank) : NULL;
    if (!o)
        return 1;
    o->empty = false;
    return o->times[o->depth];
}
