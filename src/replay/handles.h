/* SPDX-License-Identifier: BSD-3-Clause */
/* handles: what the objects that a trace names are while it is played (private to replay/). */
#ifndef PGASIM_REPLAY_HANDLES_H
#define PGASIM_REPLAY_HANDLES_H

#include "base/base.h"
#include "record/record.h"

struct storage_file;
/* Of one rank: by kind and number. */
struct replay_handles {
    struct {
        uint64_t *at;
        size_t n;
    } kind[RECORD_OBJECTS];
    BASE_ARRAY(int64_t)
    over; /* windows, by their words, whose exposure has ended before it did in the recorded run */
    BASE_ARRAY(struct storage_file *) files; /* by the numbers of posix_open */
};
/* The handle for a word of the trace. false: the trace has not made such an object. */
bool replay_handle_of(const struct replay_handles *h, enum record_object o, int64_t word, uint64_t *out);
/* The object of that word is now this one. */
void replay_handle_set(struct replay_handles **h, enum record_object o, int64_t word, uint64_t handle);
bool replay_window_is_over(const struct replay_handles *h, int64_t word);
void replay_window_set_over(struct replay_handles **h, int64_t word, bool over);
void replay_handles_release(struct replay_handles *h);

#endif
