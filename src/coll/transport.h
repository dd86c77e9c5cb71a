/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport: how a front end carries the messages of its collectives. Part of coll.h. A front end makes one
 * transport per job and names it in its calls; several may be in use at once. All members of a collective
 * name the same one.
 *
 * One-sided (put/): a message needs nothing of its receiver's to arrive. Two-sided (p2p/): it must be
 * received, and a long one sets out only then. A member posts the receives of a round when the round begins,
 * issues its sends, and then pays for what has come, in order of arrival; the next round begins when its CPU
 * is through with that. So its time is that of a rank that calls MPI_Irecv, MPI_Isend and MPI_Waitall for
 * each round.
 *
 * Invariant
 *  C11 A transport hands each message over once: coll_arrived after send, coll_acknowledged after ack.
 */
#ifndef PGASIM_COLL_TRANSPORT_H
#define PGASIM_COLL_TRANSPORT_H

#include "rank/rank.h"

/* A message on its way. It begins with room for the transport, which holds nothing when `send` is called. */
struct coll_message;
struct coll_message_room {
    union {
        struct fabric_op op;                         /* one-sided; also while an arrival is acknowledged */
        struct {                                     /* two-sided */
            struct coll_message_room *next, **place; /* in the transport's list of what is under way */
            double receive; /* seconds of the receiver's CPU; set before coll_arrived */
        };
    };
};

/* A receive of a two-sided transport. No two messages of one sender to one receiver that are under way have
 * the same collective and tag. */
struct coll_receive {
    struct rank *rank, *from;
    uint64_t collective, bytes; /* bytes: at most */
    uint32_t tag;
    bool even;        /* coll_message_is_even of its message */
    const char *call; /* literal */
};

/* Every slot is filled, but for `post`. `ctx` is the transport's; bytes are of the payload. */
struct coll_transport_ops {
    /* Seconds of the sender's CPU before `send`. */
    double (*issue_cost)(void *ctx, uint64_t bytes, const struct rank *from, const struct rank *to);
    /* The CPU has issued the message; `cause` is the number of the message whose arrival led to it, 0: none.
     * The transport calls coll_arrived when it reaches the receiver. */
    void (*send)(void *ctx, struct coll_message *msg, struct rank *from, struct rank *to, uint64_t cause);
    /* Two-sided: posts a receive, for whose message coll_arrived is called, perhaps at once, and perhaps
     * before that: then coll matches them. NULL: one-sided. */
    void (*post)(void *ctx, const struct coll_receive *what);
    /* Seconds from a call until an empty message is seen at the other end, with nothing else on the
     * network. */
    double (*message_time)(void *ctx, const struct rank *from, const struct rank *to);
    /* Seconds per byte of a long message that has the network to itself; 0: not known. */
    double (*byte_time)(void *ctx, const struct rank *from, const struct rank *to);
    /* The rank's zone of the platform, and its routing as in <zone routing=...>. */
    uint32_t (*zone)(void *ctx, const struct rank *r, const char **routing);
    /* Seconds from now, when a message above the limit arrives, until its sender knows. */
    double (*ack_delay)(void *ctx, struct coll_message *msg);
    /* write: writes bytes into a rank's memory. touched: bytes there have changed; wakes whoever waits for
     * them. */
    void (*write)(void *ctx, struct rank *r, uintptr_t address, const void *in, size_t bytes);
    void (*touched)(void *ctx, struct rank *r, uintptr_t address, size_t bytes);
    /* Reports a collect's result of this many bytes that does not fit at its destination; may return. */
    void (*check)(void *ctx, struct rank *r, uintptr_t address, size_t bytes, const char *call);
};
struct coll_transport {
    const struct coll_transport_ops *ops;
    void *ctx;
    uint64_t overhead; /* bytes that go with each payload */
    uint64_t
        buffered_limit; /* payload and overhead together: a larger message stays in the sender's memory until
                         * it arrives */
    double receive;     /* one-sided: seconds of CPU per message received */
    double copy_byte,
        reduce_byte; /* seconds of CPU to copy a byte within a member's memory, or to reduce one */
    bool overlaps;   /* a message sets out at the begin of its sender's CPU time, not at the end */
};

static inline bool coll_is_two_sided(const struct coll_transport *t)
{
    return t->ops->post != NULL;
}

/* Seconds to reduce a byte, by the setting coll/reduce-bandwidth. */
double coll_reduce_cost(const struct base_settings *settings);

static inline struct coll_message_room *coll_message_room(struct coll_message *msg)
{
    return (struct coll_message_room *)(void *)msg;
}
static inline struct coll_message *coll_message_of(struct coll_message_room *room)
{
    return (struct coll_message *)(void *)room;
}
const struct coll_transport *coll_message_transport(const struct coll_message *msg);
uint64_t coll_message_bytes(const struct coll_message *msg);
struct rank *coll_message_sender(const struct coll_message *msg);
struct rank *coll_message_receiver(const struct coll_message *msg);
const char *coll_message_call(const struct coll_message *msg);
uint64_t coll_message_collective(const struct coll_message *msg); /* struct coll_receive's */
uint32_t coll_message_tag(const struct coll_message *msg);
/* All members' calls have equal sizes, or were reported, so sender and receiver know what the message has. */
bool coll_message_is_even(const struct coll_message *msg);
/* Gives up a message that will not arrive, at the end of the job. */
void coll_message_destroy(struct coll_message *msg);
void coll_arrived(struct coll_message *msg);

/* For traces: `number` is the message's own. Fills an event's ranks, bytes, call and time, and emits it. */
void coll_message_trace(struct coll_message *msg, uint64_t number, struct trace_event *ev);
uint64_t coll_message_number(const struct coll_message *msg); /* as given at its issue */

#endif
