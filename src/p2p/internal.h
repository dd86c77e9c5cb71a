/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal: what the files of p2p/ share. match.c finds receives and messages for each other, message.c is
 * the life of a message, request.c that of a request, payload.c moves bytes, probe.c looks for messages,
 * call.c is what ranks call, wait.c waits, traced.c tells traces, job.c keeps the parts of jobs and ranks.
 *
 * States of a request
 *   state      what holds                                                  left by
 *   IDLE       its owner has it                                            p2p_start
 *   ACTIVE     on its way, or waits for a message or for its start         its message; cancel; failure
 *   COMPLETE   its status is there                                         p2p_request_finish, p2p_start
 *
 * Places of a message's bytes
 *   place      what holds                                                  left by
 *   AT_SENDER  in the buffer of `send`, which is not complete              being copied to HELD or DELIVERED
 *   HELD       our copy, packed                                            its delivery
 *   DELIVERED  in the receive's buffer
 */
#ifndef PGASIM_P2P_INTERNAL_H
#define PGASIM_P2P_INTERNAL_H

#include "p2p/match.h"

struct p2p_waiter;

enum p2p_state { P2P_IDLE, P2P_ACTIVE, P2P_COMPLETE };
struct p2p_request {
    /* First: a receive's, in its rank's queue, or its start; of a send, the envelope of its messages. */
    struct p2p_item item;
    struct p2p_rank *rank;
    union {
        struct p2p_buffer buffer;
        struct { /* of an other one; NULL: `call` says it */
            void (*describe)(const void *about, char *buf, size_t size);
            const void *about;
        };
    };
    uint64_t bytes;  /* of data in the buffer */
    struct rank *to; /* a send's; NULL: it is a receive */
    union {
        struct p2p_message *message; /* an active send's */
        double cost;                 /* of a complete receive: seconds of its rank's CPU */
    };
    uint32_t caller;           /* its rank's, when it was started */
    uint8_t state;             /* enum p2p_state */
    uint8_t how;               /* enum p2p_sending */
    bool destroyed : 1;        /* by its owner: freed when complete */
    bool posting : 1;          /* a receive whose start is ahead of the clock */
    bool unmoved : 1;          /* p2p_request_unmoved */
    bool apart : 1;            /* p2p_request_uses_apart */
    bool other : 1;            /* p2p_other_create: neither a send nor a receive */
    struct p2p_waiter *waiter; /* who waits for it */
    p2p_done_fn done;
    void *arg;
    union {
        void *note;      /* of a send */
        uint64_t number; /* of a receive, in traces */
    };
    const char *call;
    struct p2p_status status;
    struct rank_pending pending; /* for a checker; its `order`: until the message is matched, the start's */
};

/* What a message has whose bytes p2p moves. */
enum { P2P_SMALL = 64 };
struct p2p_cargo {
    void *data;                  /* HELD: `small`, or a buffer */
    struct types_layout *layout; /* of what it carries, `items` of them, retained; NULL: not compared */
    uint64_t items;
    unsigned char small[P2P_SMALL];
};

enum p2p_place { P2P_AT_SENDER, P2P_HELD, P2P_DELIVERED };
enum p2p_flag {
    P2P_OF_READY = 1, /* sent in ready mode */
    P2P_TAKEN = 2,    /* held by a matched probe */
    P2P_LOST = 4,     /* and lost meanwhile */
    P2P_UNMOVED = 8,  /* no bytes go with it */
};
struct p2p_message {
    struct p2p_item item;         /* first: in its receiver's queue */
    struct fabric_message fabric; /* owner_state: enum p2p_place; owner_flags: set of enum p2p_flag */
    struct p2p_rank *from, *to;
    struct p2p_request *send; /* not complete; NULL: it is */
    union {
        struct p2p_request *receive; /* NULL: it is not matched */
        struct fabric_failure why;   /* LOST: because of this */
    };
    const char *call;
    void *note;
    uint32_t caller;          /* its sender's, when it was sent */
    rank_moment order;        /* its send's start; 0: nobody asks, or its receive has it */
    struct p2p_cargo cargo[]; /* one; none if it is UNMOVED */
};

static inline bool p2p_is(const struct p2p_message *m, enum p2p_flag flag)
{
    return m->fabric.owner_flags & flag;
}

/* An actor in a call that waits for requests. */
struct p2p_waiter {
    struct engine_actor *actor;
    const struct p2p_request *first; /* the first active one, for reports */
    size_t of;                       /* number of active requests */
    size_t left;                     /* number that still have to complete */
    bool all;                        /* each of them must complete */
};

/* An actor in a call that waits for a message to be there. */
struct p2p_prober {
    struct p2p_rank *of;
    struct p2p_envelope wanted;
    struct engine_actor *actor;
    struct p2p_prober *next;     /* of the rank, in order of arrival */
    struct p2p_message *message; /* taken */
    struct p2p_status status;
    rank_moment order; /* of the message */
    bool takes, over;
};

/* What a rank has once it has sent, received or been sent to. */
struct p2p_rank {
    struct rank *rank;
    struct p2p_job *job;
    struct p2p_queue receives, messages;
    struct p2p_prober *probers;
    struct p2p_traffic traffic;
    uint32_t pending;      /* number of these starts */
    uint32_t tests, looks; /* consecutive ones that found nothing */
};

struct p2p_job {
    struct rank_job *job;
    struct engine *engine;
    struct fabric *fabric;
    struct fabric_messages *messages;
    bool probes_poll; /* a probe is a loop of looks, as in SMPI */
    struct trace *trace;
    struct p2p_bins bins;
    struct base_pool request_pool, message_pool, unmoved_pool, rank_pool, waiter_pool, prober_pool;
    struct base_buffers buffers;
    struct p2p_counts counts;
    bool check_types;
    struct p2p_unlike *unlike; /* that were found */
    p2p_listener_fn listener;  /* NULL: nobody listens */
};

/* job.c */
struct p2p_job *p2p_job_of(struct rank_job *job); /* made at its first use */
struct p2p_rank *p2p_rank_create(struct rank *r);
extern struct rank_slot p2p_slot; /* one pointer of each rank */
static inline struct p2p_rank *p2p_rank_of(struct rank *r)
{
    struct p2p_rank *k = rank_kept(r, &p2p_slot);
    return BASE_LIKELY(k != NULL) ? k : p2p_rank_create(r);
}
/* Whether a start of rank k at `when` must wait, for that time or for earlier starts. Messages of collectives
 * are matched apart from all others, so they wait for no start of those. */
static inline bool p2p_must_wait(const struct p2p_rank *k, const struct p2p_envelope *e, double when)
{
    return (BASE_UNLIKELY(k->pending > 0) && !p2p_is_inner(e)) || when > engine_now(k->job->engine);
}

/* request.c */
unsigned p2p_request_how(const struct p2p_request *q); /* set of enum fabric_sending */
void p2p_request_complete(struct p2p_request *q, enum p2p_outcome outcome, double time);
void p2p_request_fail(struct p2p_request *q, const struct fabric_failure *why);
/* Its owner has seen its completion. */
static inline void p2p_request_finish(struct p2p_request *q)
{
    q->state = P2P_IDLE;
}

/* message.c */
const struct fabric_message_handler *p2p_message_handler(void);
void p2p_message_start(struct p2p_request *send, double when);
void p2p_message_match(struct p2p_message *m, struct p2p_request *receive);
void p2p_message_cancel(struct p2p_message *m); /* in its receiver's queue */
void p2p_message_destroy(struct p2p_message *m);

/* signature.c: what a message carries, and whether that is what its receive wants. */
void p2p_note_types(struct p2p_message *m); /* of one that has a cargo */
void p2p_unlike_release(struct p2p_job *j);
/* The same; fills `unlike` of the receive's status. */
bool p2p_mismatched(const struct p2p_message *m, struct p2p_request *receive);

/* probe.c: a message has entered its receiver's queue. */
/* The queued message that such a receive or probe takes; NULL: none. */
struct p2p_item *p2p_message_wanted(struct p2p_rank *k, const struct p2p_envelope *wanted);
void p2p_probers_tell(struct p2p_message *m);
void p2p_message_describe(const struct p2p_message *m, struct p2p_status *out);

/* payload.c: the first `bytes` bytes of data. */
void p2p_pack(struct p2p_rank *from, const struct p2p_buffer *b, uint64_t bytes, void *packed);
void p2p_unpack(struct p2p_rank *to, const struct p2p_buffer *b, uint64_t bytes, const void *packed);
void p2p_copy(struct p2p_rank *to, const struct p2p_buffer *in, struct p2p_rank *from,
              const struct p2p_buffer *out, uint64_t bytes);

/* checked.c: what checkers are told. The current rank starts a request of the program's, or frees it while
 * it is active; a message meets its receive. */
void p2p_checked_start(struct p2p_request *q);
void p2p_checked_freed(struct p2p_request *q);
void p2p_checked_match(struct p2p_message *m, struct p2p_request *receive);

/* wait.c */
void p2p_spend(struct p2p_rank *k, double seconds);
void p2p_pay(const struct rank *r, double seconds);

/* report.c: what is waited for, in words. Return buf. */
char *p2p_wanted_text(const struct p2p_rank *k, const struct p2p_envelope *e, char *buf, size_t size);
char *p2p_request_text(const struct p2p_request *q, char *buf, size_t size);

/* traced.c: while there is a trace. */
void p2p_trace_issued(struct p2p_message *m, double when);
void p2p_trace_posted(struct p2p_request *receive, double when);
void p2p_trace_matched(const struct p2p_message *m);
void p2p_trace_message(const struct p2p_message *m, enum trace_type type);

/* For the deadlock report's cycles: whom waits are for. At start-up. */
void p2p_waits_register(void);  /* wait.c */
void p2p_probes_register(void); /* probe.c */

#endif
