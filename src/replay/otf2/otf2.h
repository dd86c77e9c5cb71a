/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * otf2: archives of Score-P and others, read through OTF2's library. A rank's messages and collectives become actions;
 * the time between two of its calls of the communication library is computation, in seconds. And actions as such an archive.
 */
#ifndef PGASIM_REPLAY_OTF2_H
#define PGASIM_REPLAY_OTF2_H

#include "replay/tape/tape.h"

/* Whether content that begins like this is an archive's anchor file. */
bool replay_otf2_is(const char *head, size_t n);
/* A tape with all that the archive says; it is sealed. `ranks`: how many there are to be; 0: as many as it has. NULL with
 * st: it cannot be read. */
struct replay_tape *replay_otf2_read(const char *path, uint32_t ranks, struct base_status *st);

/* --- writing -------------------------------------------------------------------------------------------- */

/* What happens to a rank, at a time in picoseconds that never goes back. */
enum replay_otf2_kind {
    REPLAY_OTF2_ENTER_CODE, /* a region of the program, by its name */
    REPLAY_OTF2_ENTER_CALL, /* one of MPI */
    REPLAY_OTF2_LEAVE,      /* the innermost one */
    REPLAY_OTF2_SEND,       /* its action; with a request: it is started */
    REPLAY_OTF2_SENT,       /* the request */
    REPLAY_OTF2_RECEIVE,    /* its action; with a request: which is complete */
    REPLAY_OTF2_START,      /* a receive, or a collective: only its request is said */
    REPLAY_OTF2_TEST,       /* in vain, of a request */
    REPLAY_OTF2_MEET,       /* a collective begins that is not started by a request */
    REPLAY_OTF2_COLLECTIVE, /* its action; with a request: which is complete */
};
struct replay_otf2_event {
    enum replay_otf2_kind kind;
    uint64_t time, request;             /* request 0: none */
    const char *name;                   /* which lives on */
    const struct replay_action *action; /* its members' counts are not needed: */
    uint64_t sent, received;            /* of a collective, by this rank */
};
struct replay_otf2_writer;
/* `groups`: whose groups are the communicators, and which is the caller's; the archive's anchor is `path`. NULL with st. */
struct replay_otf2_writer *replay_otf2_writer_create(const char *path, const struct replay_tape *groups,
                                                     struct base_status *st);
void replay_otf2_writer_rank(struct replay_otf2_writer *x,
                             uint32_t rank); /* whose the next events are; each once */
void replay_otf2_writer_put(struct replay_otf2_writer *x, const struct replay_otf2_event *e);
int replay_otf2_writer_close(struct replay_otf2_writer *x, struct base_status *st);

#endif
