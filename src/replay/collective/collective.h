/* SPDX-License-Identifier: BSD-3-Clause */
/* collective: collectives of traces of actions as calls of coll/. */
#ifndef PGASIM_REPLAY_COLLECTIVE_H
#define PGASIM_REPLAY_COLLECTIVE_H

#include "coll/coll.h"
#include "replay/tape/tape.h"

/* The lists of a member, until its collective is done. */
struct replay_sides {
    struct coll_local local;
    int64_t lists[]; /* counts, places; twice for exchanges */
};
/* The call of the member at place `me`, without name, memory and transport. *sides: to be freed when the collective is
 * over, or NULL. *bytes: of the larger buffer. */
struct coll_call replay_collective_call(const struct replay_action *a, const struct coll_group *g,
                                        uint32_t me, struct replay_sides **sides, uint64_t *bytes);

#endif
