/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * transport: how a front end carries the messages of its collectives. Part of coll.h. A front end makes one
 * transport per job and names it in its calls; several may be in use at once. All members of a collective
 * name the same one.
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
    struct fabric_op op;
};

/* Every slot is filled. `ctx` is the transport's; bytes are of the payload. */
struct coll_transport_ops {
    /* Seconds of the sender's CPU before `send`. */
    double (*issue_cost)(void *ctx, uint64_t bytes, const struct rank *from, const struct rank *to);
    /* The CPU has issued the message; `cause` is the number of the message whose arrival led to it, 0: none.
     * The transport calls coll_arrived when it reaches the receiver. */
    void (*send)(void *ctx, struct coll_message *msg, struct rank *from, struct rank *to, uint64_t cause);
    /* Seconds from a call until an empty message is seen at the other end, with nothing else on the
     * network. */
    double (*message_time)(void *ctx, const struct rank *from, const struct rank *to);
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
    double receive;     /* seconds of CPU per message received */
};

static inline struct coll_message_room *coll_message_room(struct coll_message *msg)
{
    return (struct coll_message_room *)(void *)msg;
}
static inline struct coll_message *coll_message_of(struct coll_message_room *room)
{
    return (struct coll_message *)(void *)room;
}
uint64_t coll_message_bytes(const struct coll_message *msg);
struct rank *coll_message_sender(const struct coll_message *msg);
void coll_arrived(struct coll_message *msg);

/* For traces: `number` is the message's own. Fills an event's ranks, bytes, call and time, and emits it. */
void coll_message_trace(struct coll_message *msg, uint64_t number, struct trace_event *ev);
uint64_t coll_message_number(const struct coll_message *msg); /* as given at its issue */

#endif
