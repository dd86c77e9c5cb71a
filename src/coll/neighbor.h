/* SPDX-License-Identifier: BSD-3-Clause */
/* neighbor: a member's neighbours as its schedule uses them. */
#ifndef PGASIM_COLL_NEIGHBOR_H
#define PGASIM_COLL_NEIGHBOR_H

#include "coll/schedule.h"

/* One edge of the member: who is at the other end, which of the edges to or from there it is, and its place
 * in the member's list. */
struct coll_edge {
    uint32_t peer, tag, part;
};
/* Both lists ascend by (peer, tag), without those to nobody. */
struct coll_neighbors {
    uint32_t references;
    uint32_t n_in, n_out;
    struct coll_edge *in, *out; /* behind the record */
};

#endif
