/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sources: whose messages a rank's calls got in the recorded run that take any source or any tag. A call stands on the tape
 * before it is known whose message it gets, so a second cursor goes ahead and reads nothing else.
 */
#ifndef PGASIM_REPLAY_SOURCES_H
#define PGASIM_REPLAY_SOURCES_H

#include "replay/words/words.h"

struct replay_sources;
/* Of a rank of the tape, or of a place on that of further threads; NULL: the tape has none. */
struct replay_sources *replay_sources_create(struct replay_tape *t, uint32_t rank);
void replay_sources_destroy(struct replay_sources *s); /* NULL is allowed */
/* The next one. It reads the tape, which overwrites what was read before. */
enum replay_source {
    REPLAY_SOURCE_MISSING = -1, /* there are no more */
    REPLAY_SOURCE_NOBODY,       /* the call got no message */
    REPLAY_SOURCE_KNOWN,
    REPLAY_SOURCE_UNKNOWN,
};
enum replay_source replay_sources_next(struct replay_sources *s, int64_t *source, int64_t *tag);
/* Puts the next one in the place of the wildcards among a call's words, if it has some that stand for one message: it is no
 * MPI_Recv_init, and no probe in vain; `nobody`: the source of those that got no message; MPI_ANY_SOURCE: these take a tag that nobody uses. 1: it did; 0: there is nothing to do;
 * -1: there are no more. */
int replay_sources_resolve(struct replay_sources *s, uint32_t function, int64_t *words, size_t n,
                           int64_t nobody);

#endif
