/* SPDX-License-Identifier: BSD-3-Clause */
/* words: the arguments of one call of a tape, by the standard's names. */
#ifndef PGASIM_REPLAY_WORDS_H
#define PGASIM_REPLAY_WORDS_H

#include "record/record.h"
#include "replay/tape/tape.h"

struct replay_words {
    const struct record_function *f;
    uint32_t function;
    struct record_part part[RECORD_PARAMS];
};
/* Those of a REPLAY_CALL, in whose memory they stay. */
void replay_words_of(struct replay_words *w, const struct replay_action *a);
/* NULL: the function has no such parameter. */
const struct record_part *replay_words_part(const struct replay_words *w, const char *name);
int64_t replay_words_number(const struct replay_words *w, const char *name); /* 0: there is none */
int64_t replay_words_parent(
    const struct replay_words *w); /* the communicator from which the call makes one; likewise */

#endif
