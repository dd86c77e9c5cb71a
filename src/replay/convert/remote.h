/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * remote: one-sided operations, for formats that can say them as messages (private to convert/). An operation sends bytes to its
 * target, and an answer comes back: what was asked for, or nothing, as an acknowledgement.
 */
#ifndef PGASIM_REPLAY_CONVERT_REMOTE_H
#define PGASIM_REPLAY_CONVERT_REMOTE_H

#include "replay/convert/parts.h"

struct replay_remote {
    uint32_t target, number; /* number: among the operations of its rank, at each feed the same */
    uint64_t there, back;    /* bytes */
    uint64_t stream;         /* of a window or context: what is waited for together */
    bool sent, answered;     /* what the rank waits for before it goes on */
};
struct replay_remote_sink {
    void (*move)(struct replay_sink *s, uint32_t rank, const struct replay_remote *o);
    /* The rank waits for the answers of a stream, from a target or, with REPLAY_ANY, all. */
    void (*settle)(struct replay_sink *s, uint32_t rank, uint64_t stream, uint32_t target);
    /* The rank waits until another one's operation has reached it. */
    void (*until)(struct replay_sink *s, uint32_t rank, uint32_t origin, uint32_t number);
};

/* incoming.c: what comes to each rank. */
struct replay_arrival {
    uint32_t origin, number;
    uint64_t there, back;
};
struct replay_arrivals {
    struct replay_arrival *at;
    size_t n, cap;
};
struct replay_incoming;
struct replay_incoming *replay_incoming_find(struct replay_tape *t); /* reads the tape */
void replay_incoming_destroy(struct replay_incoming *x);             /* NULL is allowed */
const struct replay_arrivals *replay_incoming_of(const struct replay_incoming *x, uint32_t rank);
/* The place of an arrival among those; their number: there is none such. */
size_t replay_arrival_find(const struct replay_arrivals *l, uint32_t origin, uint32_t number);

#endif
