/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * otf2: archives of Score-P and others, read through OTF2's library. A rank's messages and collectives become actions;
 * the time between two of its calls of the communication library is computation, in seconds.
 */
#ifndef PGASIM_REPLAY_OTF2_H
#define PGASIM_REPLAY_OTF2_H

#include "replay/tape/tape.h"

/* Whether content that begins like this is an archive's anchor file. */
bool replay_otf2_is(const char *head, size_t n);
/* A tape with all that the archive says; it is sealed. `ranks`: how many there are to be; 0: as many as it has. NULL with
 * st: it cannot be read. */
struct replay_tape *replay_otf2_read(const char *path, uint32_t ranks, struct base_status *st);

#endif
