/* SPDX-License-Identifier: BSD-3-Clause */
/* loops: loops of ranks while they are written (private to tape/). */
#ifndef PGASIM_REPLAY_LOOPS_H
#define PGASIM_REPLAY_LOOPS_H

#include "base/table.h"

enum { REPLAY_LOOPS = 8 }; /* within one another, at most */

struct replay_loops {
    struct base_table open; /* rank -> struct open_loops */
};
void replay_loops_init(struct replay_loops *l);
void replay_loops_release(struct replay_loops *l);
/* -1 with st: the loop cannot be. */
int replay_loops_begin(struct replay_loops *l, uint32_t rank, uint32_t times, struct base_status *st);
int replay_loops_end(struct replay_loops *l, uint32_t rank, struct base_status *st);
int replay_loops_closed(const struct replay_loops *l, struct base_status *st);
/* An action is written: how often its rank does it. */
uint64_t replay_loops_times(struct replay_loops *l, uint32_t rank);

#endif
