/* SPDX-License-Identifier: BSD-3-Clause */
/* pairs: messages of a trace by sender, receiver and tag, of which as many are to be received as are sent; what both
 * surveys of traces count (private to replay/). */
#ifndef PGASIM_REPLAY_PAIRS_H
#define PGASIM_REPLAY_PAIRS_H

#include "base/table.h"
#include "replay/replay.h"

struct replay_pairs {
    struct base_table pairs;
    struct base_pool counts;
    bool *open_minded; /* of each rank: it receives from any rank, or any tag */
};
void replay_pairs_init(struct replay_pairs *p, uint32_t ranks);
void replay_pairs_sent(struct replay_pairs *p, uint32_t from, uint32_t to, int32_t tag, uint64_t bytes);
void replay_pairs_received(struct replay_pairs *p, uint32_t from, uint32_t to, int32_t tag);
/* What is unmatched, and who sends most, goes to the facts; releases the rest. */
void replay_pairs_close(struct replay_pairs *p, struct replay_facts *out);

/* The next rank has so many actions. */
void replay_facts_rank(struct replay_facts *f, uint64_t actions);

#endif
