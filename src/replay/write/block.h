/* SPDX-License-Identifier: BSD-3-Clause */
/* block: what is computed before a line of a trace, and at the same place of other turns of its loops (private to write/). */
#ifndef PGASIM_REPLAY_WRITE_BLOCK_H
#define PGASIM_REPLAY_WRITE_BLOCK_H

#include "replay/write/write.h"

struct replay_amount {
    double sum, first; /* of all visits; of one */
    bool differs;      /* not all are `first` */
};
struct replay_block {
    struct replay_amount of[REPLAY_COMPUTES];
    double counted; /* instructions of all visits */
};
/* Adds to what is computed at a visit, and returns the block; NULL: there is none yet. */
struct replay_block *replay_block_add(struct replay_block *b, enum replay_computes kind, double amount,
                                      uint64_t counted);
/* Adds the visits of another block at the same place; NULL: they compute nothing. */
void replay_block_join(struct replay_block **to, const struct replay_block *from);
/* Its lines, in the mean of so many visits. */
void replay_block_print(const struct replay_block *b, const char *who, uint64_t visits, struct base_text *to);

#endif
