/* SPDX-License-Identifier: BSD-3-Clause */
/* plain: what the files share that put actions in place of calls (private to convert/). */
#ifndef PGASIM_REPLAY_CONVERT_PLAIN_H
#define PGASIM_REPLAY_CONVERT_PLAIN_H

#include "replay/comms/comms.h"
#include "replay/convert/remote.h"
#include "replay/sources/sources.h"

/* rules.c: which call is what. */
enum replay_way {
    REPLAY_OTHER_CALL, /* left out */
    REPLAY_QUIET_CALL, /* takes no time */
    REPLAY_INITIALIZE_CALL,
    REPLAY_FINALIZE_CALL,
    REPLAY_COMM_CALL, /* makes a communicator */
    REPLAY_SEND_CALL,
    REPLAY_RECEIVE_CALL,
    REPLAY_EXCHANGE_CALL,
    REPLAY_PROBE_CALL, /* of a message that is received by its handle */
    REPLAY_MATCHED_CALL,
    REPLAY_COLLECTIVE_CALL,
    REPLAY_START_CALL,
    REPLAY_COMPLETE_CALL,
};
enum replay_when { REPLAY_NOW, REPLAY_LATER, REPLAY_PERSISTENT };

struct replay_rule {
    uint8_t way, when, number;
};
struct replay_rule replay_rule_of(const struct replay_words *w);

/* One request starts up to two actions; one that is left out, or whose message is none, starts no action. */
struct replay_request {
    struct replay_action start[2];
    uint32_t n;
    bool open, persistent;
    bool any_source, any_tag; /* of a persistent receive: what its starts are told */
    uint32_t peers;           /* whom it can come from */
};
struct replay_message {
    int64_t source, tag, comm;
};
/* A communicator as its rank sees it. */
struct replay_known {
    struct replay_comm comm;
    uint32_t place, size; /* in the rank's own group */
    uint32_t standing;    /* persistent collectives that were made on it: starts may come in any order */
};
struct replay_plain {
    struct replay_sink *sink;
    struct replay_tape *tape;
    const struct replay_comms *found;
    uint32_t told; /* so many of the rank's calls have made communicators */
    uint32_t rank, ranks, line;
    uint32_t open;   /* requests that have started actions */
    uint32_t serial; /* collectives that were started */
    struct base_table requests, messages, comms;
    struct replay_sizes sizes;
    int64_t *counts;
    struct replay_sources *sources;   /* NULL: the trace has none */
    struct record_words words;        /* of the call, with its source */
    struct base_table windows, teams; /* word -> struct replay_window; word of a team or context -> group */
    uint32_t moves, operations;       /* questions to targets; all others, by which waits name them */
    int64_t default_ctx;              /* its word */
};
/* Groups of the tape: of all its ranks, and those of the epochs that are open. */
struct replay_window {
    uint32_t group, posted, started;
};
/* NULL: it is not known who is in it. */
const struct replay_known *replay_plain_comm(const struct replay_plain *x, int64_t word);
uint32_t replay_plain_peers(const struct replay_known *on); /* the group of those whose messages come on it */

void replay_plain_put(struct replay_plain *x, struct replay_action *a);
void replay_plain_left_out(struct replay_plain *x, const struct replay_words *w);

/* windows.c: false: it is no call on a window that can be said. */
bool replay_window_call(struct replay_plain *x, const struct replay_words *w);
void replay_window_epoch(struct replay_plain *x, const struct replay_words *w,
                         uint32_t group); /* MPI_Win_post, _start */
/* symmetric.c: a call of OpenSHMEM. */
void replay_symmetric_call(struct replay_plain *x, const struct replay_words *w);
/* cores.c: what a RISC-V core did. */
void replay_core_action(struct replay_plain *x, const struct replay_words *w);

/* requests.c: the call makes one, which starts at once if it is not persistent; starts some; completes some. */
void replay_request_make(struct replay_plain *x, const struct replay_words *w,
                         const struct replay_request *made);
/* What the persistent receive that the call has made takes any of. */
void replay_request_seeks(struct replay_plain *x, const struct replay_words *w);
void replay_request_start(struct replay_plain *x, const struct replay_words *w);
void replay_request_complete(struct replay_plain *x, const struct replay_words *w);
void replay_request_wait(struct replay_plain *x, const struct replay_action *started);

#endif
