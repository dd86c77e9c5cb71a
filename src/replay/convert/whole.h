/* SPDX-License-Identifier: BSD-3-Clause */
/* whole: a call put together from arguments by their names (private to convert/). */
#ifndef PGASIM_REPLAY_CONVERT_WHOLE_H
#define PGASIM_REPLAY_CONVERT_WHOLE_H

#include "replay/convert/parts.h"

/* An argument by the standard's name: a number, a handle's word, or with `array` as many numbers. */
struct replay_argument {
    const char *name;
    int64_t value;
    const int64_t *array;
};
/* The words of a call. What is not given is 0, no array, or a buffer of the rank's own. */
void replay_put_words(struct record_words *out, uint32_t function, const struct replay_argument *given,
                      size_t n);

/* collective_call.c: a collective as a call on a communicator of `members`, of which the rank is number `place`. `op`: the word of
 * the operator of its reductions. Returns its function; RECORD_MPI_FUNCTIONS: there is none. */
struct replay_call_on {
    int64_t comm, op;
    uint32_t place, members;
};
uint32_t replay_collective_call_words(const struct replay_action *a, const struct replay_call_on *on,
                                      struct record_words *out);
/* A count and the word of a type that make so many bytes, in elements of `element` bytes if these are whole; sizes that no
 * such count has are rounded up. */
struct replay_data {
    int64_t count, type;
    bool rounded;
};
struct replay_data replay_data_of(uint64_t bytes, uint64_t element);
int64_t replay_word_of(enum record_object o, const char *name); /* of a handle that the standard names */

#endif
