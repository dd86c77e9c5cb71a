/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * p2p: two-sided messages between ranks. What a message costs and how long it is on its way is the fabric's
 * (fabric.h, two-sided messages); here is which receive gets it, where its bytes are meanwhile, and who is
 * told. Communicators, types of elements that must agree, and what to do about errors are the front end's.
 *
 * Life of a message
 *
 *      sender                      message                                       receiver
 *      start, at its own time -->  exists: it is at its receiver's matcher  <--  start of a receive, a probe
 *        |                           | a receive wants it: matched
 *        |  asynchronous, detached: complete from the start, for the bytes are copied
 *        '- synchronous: complete when the bytes have arrived
 *                                    | arrives: bytes are in the receive's buffer  -->  complete
 *
 * A message is at its receiver's matcher from the instant at which it is sent, as in SMPI: the model has no
 * time for envelopes. So receives and probes find messages in the order in which they were sent, also when a
 * short one will be there before a long one, and those of one sender in the order of its sends (MPI-5.0
 * section 3.5). Asynchronous messages set out when they are sent, the others when they are matched.
 *
 * Bytes are copied once where a receive waits for the message when it is sent (from buffer to buffer then),
 * and where the mode is synchronous (then when it arrives); else twice, by way of a buffer of ours. A
 * receive's buffer may change at any time until the receive is complete; a send's buffer must not change
 * before the send is.
 *
 * Two layers. A request is started at an instant and tells a function when it is complete: that is for
 * schedules and front ends, costs no CPU time and never waits. Calls of a rank, below, charge the rank for
 * its part (o_s, o_is, o_r of SMPI's model), run ahead of the clock, and wait.
 *
 * Invariants
 *  P1  A request is started only while it is not active; a status is written when it becomes complete.
 *  P2  Starts of one rank, of sends and of receives, take effect in the order of the calls.
 *  P3  A message is in its receiver's queue, with a receive, or somebody's by a matched probe: one of them.
 *  P4  The sender's buffer is not read once its send is complete.
 *  P5  `done` of a request is called once for each start, with the request inactive; it may start it again.
 */
#ifndef PGASIM_P2P_H
#define PGASIM_P2P_H

#include "rank/rank.h"
#include "types/types.h"

/* At start-up, before any job. */
void p2p_register(void);

/* --- requests ------------------------------------------------------------------------------------ */

/* `count` items of a layout at an address of the rank's. */
struct p2p_buffer {
    uintptr_t address;
    uint64_t count;
    const struct types_layout *layout;
};

/* What a message is found by. A receive's or a probe's source and tag may be wildcards, a message's may
 * not. */
enum { P2P_ANY_SOURCE = UINT32_MAX };
#define P2P_ANY_TAG INT32_MIN
struct p2p_envelope {
    uint32_t context; /* a communicator, or a part of one: nothing matches across contexts */
    uint32_t source;  /* rank */
    int32_t tag;
};

/* MPI-5.0 section 3.4. */
enum p2p_sending {
    P2P_STANDARD,
    P2P_SYNCHRONOUS, /* complete only when it is received */
    P2P_READY,       /* its receive is there, or it is an error */
    P2P_BUFFERED,    /* complete from the start */
};

enum p2p_outcome {
    P2P_OK,
    P2P_TRUNCATED, /* a receive: the message is longer than its buffer, which has the beginning */
    P2P_CANCELLED,
    P2P_NOT_POSTED, /* a ready send: no receive was there; the message is gone */
    P2P_FAILED,     /* `failure` is off: the message is lost */
};
struct p2p_status {
    uint32_t source;
    int32_t tag;
    uint64_t bytes; /* received, or sent; of a probe, and of a truncated receive: the message's */
    double time;    /* when it was complete; not before the clock */
    enum p2p_outcome outcome;
    struct fabric_failure failure;
};

struct p2p_request;
struct p2p_message; /* a matched probe's */
typedef void (*p2p_done_fn)(struct p2p_request *q, void *arg);

/* A send or a receive of rank r that can be started any number of times; nothing is allocated then. The
 * layout is retained. `call`: a literal, for reports and traces. */
struct p2p_request *p2p_send_create(struct rank *r, uint32_t to, uint32_t context, int32_t tag,
                                    const struct p2p_buffer *buffer, enum p2p_sending how, const char *call);
struct p2p_request *p2p_receive_create(struct rank *r, const struct p2p_envelope *wanted,
                                       const struct p2p_buffer *buffer, const char *call);
/* An active one lives until it is complete. */
void p2p_request_destroy(struct p2p_request *q);
/* `done` is called when the request is complete: within p2p_start, in an event, or in another rank's call,
 * and does not block. Before the start. */
void p2p_request_tell(struct p2p_request *q, p2p_done_fn done, void *arg);
/* Starts it at `when` >= now, the rank's own time; ranks of both ends need not be current. It may be complete
 * on return. */
void p2p_start(struct p2p_request *q, double when);
/* Starts a receive of that very message, which a matched probe has found. Not ahead of the clock. */
void p2p_start_matched(struct p2p_request *q, struct p2p_message *m);
bool p2p_active(const struct p2p_request *q);                     /* started and not complete */
const struct p2p_status *p2p_status(const struct p2p_request *q); /* of its last completion */
/* Takes it back if it is not matched yet; a send's, only while it is active. true: it is complete now, and
 * cancelled. The clock is at its start or later. MPI-5.0 section 3.8.4. */
bool p2p_request_cancel(struct p2p_request *q);

/* Seconds of its rank's CPU: of a send's start, and of a receive that is complete. */
double p2p_start_cost(const struct p2p_request *q, bool blocking);
double p2p_finish_cost(const struct p2p_request *q);

/* --- probes -------------------------------------------------------------------------------------- */

/* The first message that is wanted, if there is one; it stays where it is. */
bool p2p_find(struct rank *r, const struct p2p_envelope *wanted, struct p2p_status *out);
/* The same, and takes it: it will be received by p2p_start_matched alone. NULL: there is none. */
struct p2p_message *p2p_take(struct rank *r, const struct p2p_envelope *wanted, struct p2p_status *out);

/* --- calls of the current rank, which entered by rank_enter or rank_enter_issue ------------------ */

/* MPI_Isend, MPI_Irecv, MPI_Start. */
void p2p_issue(struct p2p_request *q);
/* MPI_Send, MPI_Recv and their kin: until the request is complete. */
void p2p_send(struct rank *r, uint32_t to, uint32_t context, int32_t tag, const struct p2p_buffer *buffer,
              enum p2p_sending how, const char *call, struct p2p_status *out);
void p2p_receive(struct rank *r, const struct p2p_envelope *wanted, const struct p2p_buffer *buffer,
                 const char *call, struct p2p_status *out);
void p2p_receive_matched(struct rank *r, struct p2p_message *m, const struct p2p_buffer *buffer,
                         const char *call, struct p2p_status *out);
/* Until all are complete; until one is, whose place is returned: the first one's that is. Entries may be
 * NULL; p2p_wait_any returns n when no request is active or was completed since it was last waited for. */
void p2p_wait_all(struct rank *r, struct p2p_request *const *q, size_t n, const char *call);
size_t p2p_wait_any(struct rank *r, struct p2p_request *const *q, size_t n, const char *call);
/* Looks without waiting, which takes the time of smpi/test. */
bool p2p_test_all(struct rank *r, struct p2p_request *const *q, size_t n);
size_t p2p_test_any(struct rank *r, struct p2p_request *const *q, size_t n); /* n: none is complete */
/* MPI_Probe, MPI_Mprobe: until there is a message. */
void p2p_probe(struct rank *r, const struct p2p_envelope *wanted, const char *call, struct p2p_status *out);
struct p2p_message *p2p_match(struct rank *r, const struct p2p_envelope *wanted, const char *call,
                              struct p2p_status *out);
/* MPI_Iprobe, MPI_Improbe: the time of smpi/iprobe. */
bool p2p_look(struct rank *r, const struct p2p_envelope *wanted, struct p2p_status *out);
struct p2p_message *p2p_look_match(struct rank *r, const struct p2p_envelope *wanted, struct p2p_status *out);
bool p2p_cancel(struct p2p_request *q);

/* --- figures ------------------------------------------------------------------------------------- */

struct p2p_counts {
    uint64_t messages, bytes; /* sent */
    uint64_t copies;          /* of payloads: one for each message that was copied once, two for others */
    /* Now: what is not given back at the end of a job was left by its program, or by us. */
    uint64_t requests, live, buffers, waits; /* requests, messages, held payloads, calls that wait */
};
struct p2p_counts p2p_counts(const struct rank_job *job);

#endif
