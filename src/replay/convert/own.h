/* SPDX-License-Identifier: BSD-3-Clause */
/* own: what files of calls say of a rank's objects at each of its calls (private to convert/). */
#ifndef PGASIM_REPLAY_CONVERT_OWN_H
#define PGASIM_REPLAY_CONVERT_OWN_H

#include "replay/convert/plain.h"

/* A rank's datatypes and communicators, as far as its calls have made them. */
struct replay_own {
    struct replay_tape *tape;
    const struct replay_comms *found;
    uint32_t rank, told; /* so many of its calls have made communicators */
    struct replay_sizes sizes;
    struct base_table
        comms; /* word -> struct replay_known; none where the members are not known, or are of two groups */
};
void replay_own_begin(struct replay_own *x, struct replay_tape *t, const struct replay_comms *found,
                      uint32_t rank);
void replay_own_end(struct replay_own *x);
uint64_t replay_own_size(void *own, int64_t type); /* of data, in bytes */
const struct replay_known *replay_own_comm(const struct replay_own *x,
                                           int64_t word); /* NULL: there is none */
/* What the next call that makes a communicator will make; NULL: it will not be known. */
const struct replay_known *replay_own_next(const struct replay_own *x, struct replay_known *out);
/* A call is over; what it has made is known from now on, if `said`. */
void replay_own_made(struct replay_own *x, const struct replay_words *w, bool said);

/* Whether an action is computation or sleep, and how long: -1 if it is another. */
double replay_seconds_of(const struct replay_action *a, double speed);
bool replay_needs_speed(struct replay_tape *t, double speed); /* it has flops, and there is none */

#endif
