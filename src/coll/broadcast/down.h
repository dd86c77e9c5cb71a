/* SPDX-License-Identifier: BSD-3-Clause */
/* down: a broadcast in segments down a tree, as a rank's program: which receives are posted when, and for
 * what a member waits before it sends on. */
#ifndef PGASIM_COLL_BROADCAST_DOWN_H
#define PGASIM_COLL_BROADCAST_DOWN_H

#include "coll/broadcast/tree.h"

/* A member waits for each send before the next one; for those of a segment before those of the next one; for
 * all of them at the end. */
enum broadcast_sends { BROADCAST_EACH, BROADCAST_SEGMENT, BROADCAST_ALL };

struct broadcast_way {
    const struct broadcast_shape *shape;
    uint32_t fan;
    uint64_t segment; /* bytes, > 0 */
    enum broadcast_sends sends;
    bool
        posted; /* all receives are posted at the beginning; else that of the next segment before the wait for
                  * this one */
    /* As STAR-MPI does, from which SMPI has these: the tree begins at the group's first member, to which
     * another root hands the data. What is left after the last full segment goes its own way, from that to
     * the end, with a wait after each send; so does what is not longer than a segment. */
    bool handed, rest;
    bool given; /* the group's first member has the data already (broadcast_hand_over) */
};

/* Segments of a round: between two rounds the pipeline empties, so they are many. */
enum { BROADCAST_BATCH = 1024 };

/* Round `round`; false: there is none. */
bool broadcast_hand_over(struct coll_schedule *s, uint32_t round); /* all data, to the group's first member */
bool broadcast_down(struct coll_schedule *s, uint32_t round, const struct broadcast_way *way);

#endif
