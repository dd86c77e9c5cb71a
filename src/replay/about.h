/* SPDX-License-Identifier: BSD-3-Clause */
/* about: what a file of events says of a run of which only a trace is known (private to replay/). */
#ifndef PGASIM_REPLAY_ABOUT_H
#define PGASIM_REPLAY_ABOUT_H

#include "trace/trace.h"

/* Where the ranks ran is not known: they are all on one host. */
struct replay_about {
    struct trace_about about;
    struct trace_host host;
    uint32_t *hosts;
};
void replay_about_init(struct replay_about *x, const char *program,
                       uint32_t ranks); /* `program` stays the caller's */
void replay_about_release(struct replay_about *x);

#endif
