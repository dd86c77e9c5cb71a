/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * p2p: two-sided messages between ranks. The fabric decides what a message costs and how long it takes
 * (fabric.h, two-sided messages). p2p decides which receive gets it, where its bytes are meanwhile, and who
 * is told. Communicators, type checks and error handling are left to the front end.
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
 * A message is at its receiver's matcher from the instant at which it is sent, as in SMPI: in the model
 * envelopes take no time. So receives and probes find messages in the order in which they were sent, even if
 * a short one arrives before a long one, and those of one sender in the order of its sends (MPI-5.0 section
 * 3.5). Asynchronous messages start their transfer when they are sent, the others when they are matched.
 *
 * Bytes are copied once, from buffer to buffer, if a receive is waiting when the message is sent, or if the
 * mode is synchronous (then at arrival); otherwise twice, through an internal buffer. A receive's buffer may
 * change at any time until the receive is complete; a send's buffer must not change before the send is.
 *
 * Two layers. A request is started at a given time and calls a function when complete; it costs no CPU time
 * and never waits. Schedules and front ends use these. The rank's calls, further below, charge it for its
 * part (o_s, o_is, o_r of SMPI's model), may run ahead of the clock, and wait.
 *
 * Invariants
 *  P1  A request is started only while it is not active; a status is written when it becomes complete.
 *  P2  Starts of one rank, of sends and of receives, take effect in the order of the calls.
 *  P3  A message is in exactly one place: its receiver's queue, a receive, or the hands of a matched probe.
 *  P4  The sender's buffer is not read once its send is complete.
 *  P5  `done` of a request is called once for each start, with the request inactive; it may restart the
 *      request.
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

/* What a message is matched by. The source and tag of a receive or a probe may be wildcards, those of a
 * message may not. */
enum { P2P_ANY_SOURCE = UINT32_MAX };
#define P2P_ANY_TAG INT32_MIN
/* Contexts from here on belong to collectives (coll/p2p/); users' receives and probes never have them. */
#define P2P_INNER_CONTEXTS UINT32_C(0x80000000)
struct p2p_envelope {
    uint32_t context; /* a communicator, or a part of one: nothing matches across contexts */
    uint32_t source;  /* rank */
    int32_t tag;
};
static inline bool p2p_is_inner(const struct p2p_envelope *e)
{
    return e->context >= P2P_INNER_CONTEXTS;
}

/* MPI-5.0 section 3.4. */
enum p2p_sending {
    P2P_STANDARD,
    P2P_WAITING,     /* a standard one that waits for its receive, as each may */
    P2P_SYNCHRONOUS, /* complete only when it is received */
    P2P_READY,       /* an error unless its receive is already posted */
    P2P_BUFFERED,    /* complete from the start */
};

enum p2p_outcome {
    P2P_OK,
    P2P_TRUNCATED,  /* a receive: the message is longer than its buffer, which holds the beginning */
    P2P_MISMATCHED, /* a receive: the message, which is there, is of other elements (p2p_check_types) */
    P2P_CANCELLED,
    P2P_NOT_POSTED, /* a ready send: no receive was there; the message is gone */
    P2P_FAILED,     /* the message is lost, because what `failure` names is off */
};
/* Where a message (a) and its receive (b) are of other elements, and who has started them. */
struct p2p_unlike {
    struct types_unlike elements;
    const char *sent_by, *wanted_by; /* calls */
    struct rank_code sender, receiver;
    struct p2p_unlike *next;
};
struct p2p_status {
    uint32_t source;
    int32_t tag;
    uint64_t bytes; /* received or sent; for a probe or a truncated receive, the message's size */
    uint64_t room;  /* of a receive: bytes in its buffer */
    double time;    /* when it became complete; never earlier than the clock */
    enum p2p_outcome outcome;
    union {
        struct fabric_failure failure;   /* FAILED */
        const struct p2p_unlike *unlike; /* MISMATCHED: lives as long as the job */
    };
    void *note; /* a receive: what its message's sender attached (p2p_request_note) */
};

/* Of a receive: a message came, and `note` is its note. */
static inline bool p2p_message_came(const struct p2p_status *s)
{
    return s->outcome == P2P_OK || s->outcome == P2P_TRUNCATED || s->outcome == P2P_MISMATCHED;
}

struct p2p_request;
struct p2p_message; /* a matched probe's */
typedef void (*p2p_done_fn)(struct p2p_request *q, void *arg);

/* A send or a receive of rank r that can be started any number of times without allocation. The layout is
 * retained. `call`: a literal, for reports and traces. */
struct p2p_request *p2p_send_create(struct rank *r, uint32_t to, uint32_t context, int32_t tag,
                                    const struct p2p_buffer *buffer, enum p2p_sending how, const char *call);
struct p2p_request *p2p_receive_create(struct rank *r, const struct p2p_envelope *wanted,
                                       const struct p2p_buffer *buffer, const char *call);
/* An active request is freed when it is complete. */
void p2p_request_destroy(struct p2p_request *q);
/* Given the note of each message that is received by a receive which was destroyed before. At start-up. */
void p2p_on_note(void (*fn)(void *note));
/* `done` is called when the request is complete: within p2p_start, in an event, or in another rank's call.
 * It must not block. Call before the start. */
void p2p_request_tell(struct p2p_request *q, p2p_done_fn done, void *arg);
/* Its bytes take their time, but p2p does not move them: the owner does, or nobody. Call before the start. */
void p2p_request_unmoved(struct p2p_request *q);
const struct p2p_buffer *p2p_request_buffer(const struct p2p_request *q); /* of a send or a receive */
/* What a receive wants that is not active, and another wish from its next start on. */
const struct p2p_envelope *p2p_receive_wanted(const struct p2p_request *q);
void p2p_receive_want(struct p2p_request *q, const struct p2p_envelope *wanted);
/* Attaches a word to the messages of a send. Call before the start. */
void p2p_request_note(struct p2p_request *q, void *note);
/* Starts it at `when` >= now, the rank's own time. The ranks at both ends need not be current. It may
 * already be complete on return. */
void p2p_start(struct p2p_request *q, double when);
/* Starts a receive of exactly this message, found by a matched probe. Not ahead of the clock. */
void p2p_start_matched(struct p2p_request *q, struct p2p_message *m);
bool p2p_active(const struct p2p_request *q);                     /* started and not complete */
const struct p2p_status *p2p_status(const struct p2p_request *q); /* of the last completion */
/* Cancels it if it is not matched yet; a send only while it is active. true: it is now complete, and
 * cancelled. The clock must have reached its start. MPI-5.0 section 3.8.4. */
bool p2p_request_cancel(struct p2p_request *q);

/* A request without a message, which its owner completes: work of another kind, waited for together with
 * messages. It is started and told of, waited for, tested and destroyed as the others are, and costs its rank
 * no CPU time. `describe`: what it waits for, in reports; NULL: `call` says it. */
struct p2p_request *p2p_other_create(struct rank *r, const char *call,
                                     void (*describe)(const void *about, char *buf, size_t size),
                                     const void *about);
void p2p_other_start(struct p2p_request *q);
void p2p_other_complete(struct p2p_request *q); /* at the clock's time, from anywhere */

/* Seconds of its rank's CPU: to start a send, and to finish a complete receive. */
double p2p_start_cost(const struct p2p_request *q, bool blocking);
double p2p_finish_cost(const struct p2p_request *q);
/* The same as p2p_start_cost of a nonblocking standard send of this many bytes. */
double p2p_send_cost(const struct rank *r, uint64_t bytes);
bool p2p_send_overlaps(const struct rank *r); /* that cost follows the start, instead of coming before it */
uint64_t
p2p_waits_from(const struct rank *r); /* standard sends of at least this many bytes wait for their receive */
struct fabric_messages *p2p_model(const struct rank *r); /* of the job's messages */
/* The number of the connection between them (fabric_message_handler's). */
static inline uint64_t p2p_connection(const struct rank *from, const struct rank *to)
{
    return (uint64_t)from->id << 32 | to->id;
}
/* Seconds from the call of an empty send until its receiver, which waits for it, goes on, if nothing else is
 * on the network. */
double p2p_empty_time(const struct rank *from, const struct rank *to);

/* --- probes -------------------------------------------------------------------------------------- */

/* Finds the first wanted message, if any; it stays in the queue. */
bool p2p_find(struct rank *r, const struct p2p_envelope *wanted, struct p2p_status *out);
/* The same, and takes it out: only p2p_start_matched can receive it. NULL: there is none. */
struct p2p_message *p2p_take(struct rank *r, const struct p2p_envelope *wanted, struct p2p_status *out);

/* --- calls of the current rank, which entered by rank_enter or rank_enter_issue ------------------ */

/* MPI_Isend, MPI_Irecv. */
void p2p_issue(struct p2p_request *q);
void p2p_issue_blocking(struct p2p_request *q); /* charged as in MPI_Send, which the caller waits for */
void p2p_issue_kept(struct p2p_request *q);     /* MPI_Start */
void p2p_issue_matched(struct p2p_request *q, struct p2p_message *m); /* MPI_Imrecv */
/* MPI_Send, MPI_Recv and the like: block until the request is complete. */
void p2p_send(struct rank *r, uint32_t to, uint32_t context, int32_t tag, const struct p2p_buffer *buffer,
              enum p2p_sending how, const char *call, struct p2p_status *out);
void p2p_receive(struct rank *r, const struct p2p_envelope *wanted, const struct p2p_buffer *buffer,
                 const char *call, struct p2p_status *out);
void p2p_receive_matched(struct rank *r, struct p2p_message *m, const struct p2p_buffer *buffer,
                         const char *call, struct p2p_status *out);
/* wait_all blocks until all are complete. wait_any blocks until one is, and returns the index of the first
 * that is. Entries may be NULL; p2p_wait_any returns n if no request is active or has completed since it was
 * last waited for. */
void p2p_wait_all(struct rank *r, struct p2p_request *const *q, size_t n, const char *call);
size_t p2p_wait_any(struct rank *r, struct p2p_request *const *q, size_t n, const char *call);
/* Tests without waiting; takes the time of smpi/test. */
bool p2p_test_all(struct rank *r, struct p2p_request *const *q, size_t n);
size_t p2p_test_any(struct rank *r, struct p2p_request *const *q, size_t n); /* n: none is complete */
void p2p_init_pay(struct rank *r);  /* the time of smpi/init: MPI_Init */
void p2p_clock_pay(struct rank *r); /* of smpi/wtime: MPI_Wtime */
void p2p_test_pay(struct rank *r);  /* that time alone, for callers that look themselves (p2p_active) */
/* MPI_Probe, MPI_Mprobe: block until there is a message. */
void p2p_probe(struct rank *r, const struct p2p_envelope *wanted, const char *call, struct p2p_status *out);
struct p2p_message *p2p_match(struct rank *r, const struct p2p_envelope *wanted, const char *call,
                              struct p2p_status *out);
/* MPI_Iprobe, MPI_Improbe: take the time of smpi/iprobe. */
bool p2p_look(struct rank *r, const struct p2p_envelope *wanted, struct p2p_status *out);
struct p2p_message *p2p_look_match(struct rank *r, const struct p2p_envelope *wanted, struct p2p_status *out);
bool p2p_cancel(struct p2p_request *q);

/* --- for checkers (rank/order.h) ------------------------------------------------------------------- */

/* What a thread that learns of a request's end is to do: calls that wait and test do it. Its owner may add what
 * else comes before the end, or, before the start, what comes before that. */
struct rank_pending *p2p_request_pending(struct p2p_request *q);
/* The current thread has learned that the request is complete, without a call of p2p. */
void p2p_request_seen(struct p2p_request *q);
/* The owner tells which memory its messages use. Call before the start. */
void p2p_request_uses_apart(struct p2p_request *q);
/* A call of the current rank begins to use a buffer: an action. */
uint64_t p2p_use(struct rank *r, const char *call, const struct p2p_buffer *b, enum rank_use how);

/* --- for reports --------------------------------------------------------------------------------- */

/* How a front end names ranks and contexts: what a request or a probe of rank r waits for. `to`: the
 * receiver, of a send; NULL: a receive or a probe. Returns false if the context is none of its own. At
 * start-up. */
typedef bool (*p2p_name_fn)(const struct rank *r, const struct p2p_envelope *e, const struct rank *to,
                            uint64_t bytes, char *buf, size_t size);
void p2p_on_name(p2p_name_fn fn);
/* From now on, messages' elements are compared with their receives'. */
void p2p_check_types(struct rank_job *job);

/* What happens to messages of the program, told to one listener, at once: in an event, or in a call of the
 * sender or receiver. It changes nothing and calls no function of p2p. */
enum p2p_instant {
    P2P_SENT,       /* to the sender's tools */
    P2P_UNEXPECTED, /* it exists, and no receive wants it */
    P2P_MATCHED,    /* it has met its receive */
    P2P_RECEIVED,   /* its data is there */
};
struct p2p_news {
    enum p2p_instant what;
    double at; /* seconds; ahead of the clock if its sender is */
    struct rank *from, *to;
    uint32_t context;
    int32_t tag;
    uint64_t bytes;
};
typedef void (*p2p_listener_fn)(const struct p2p_news *news);
void p2p_listen(struct rank_job *job, p2p_listener_fn fn);
/* Calls fn for each message that nobody has received, in the order in which they were sent to rank r. */
struct p2p_left {
    struct p2p_envelope envelope;
    uint64_t bytes;
    const char *call; /* that has sent it */
    struct rank_code caller;
};
void p2p_left(struct rank *r, void (*fn)(void *arg, const struct p2p_left *l), void *arg);

/* --- figures ------------------------------------------------------------------------------------- */

struct p2p_counts {
    uint64_t messages, bytes;             /* sent */
    uint64_t inner_messages, inner_bytes; /* of these, those of collectives */
    uint64_t copies;                      /* of payloads: one or two for each message */
    /* Current counts: anything left at the end of a job was leaked by its program, or by p2p. */
    uint64_t requests, live, buffers, waits; /* requests, messages, held payloads, calls that wait */
};
/* false: the job has no requests: none was made so far, or its end has taken them. */
bool p2p_exists(const struct rank_job *job);
struct p2p_counts p2p_counts(const struct rank_job *job);
/* Of one rank: what it has sent and received so far, without collectives' messages, some of which p2p does
 * not see. */
struct p2p_traffic {
    uint64_t sent, sent_bytes, received, received_bytes;
    uint64_t unexpected; /* messages for it that no receive waited for */
};
struct p2p_traffic p2p_traffic(const struct rank *r);
/* Now: its receives that wait for messages, and messages for it that wait for receives. */
struct p2p_queued {
    uint32_t receives, messages;
};
struct p2p_queued p2p_queued(const struct rank *r);

#endif
