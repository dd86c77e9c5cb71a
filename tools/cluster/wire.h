/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wire: frames on links. Each link carries frames one after the other at its bandwidth and holds them for its
 * latency; frames wait in its queue, and are dropped when the queue is full. Time is given by the caller, in
 * nanoseconds: no clock, no network.
 *
 * A frame goes on to the next link as soon as its head is there (cut-through), but never so early that the
 * next link, if faster, would run out of bytes; or when the whole frame is there (store and forward).
 *
 * Invariants
 *  W1  Events leave the heap in order of (time, sequence number).
 *  W2  Frames of one route arrive in the order in which they were sent, unless a FATPIPE is on it.
 *  W3  A link sends no two frames at the same time, unless it is a FATPIPE.
 */
#ifndef CLUSTER_WIRE_H
#define CLUSTER_WIRE_H

#include "topology.h"

typedef int64_t wire_time; /* nanoseconds */
enum { WIRE_FRAME_MOST = 65536 };

struct wire_frame {
    struct wire_frame *next; /* of the list of free ones */
    wire_time due;           /* when it ought to be delivered */
    wire_time tail;          /* when its last byte is at the link that it enters next */
    uint32_t from, to, size, hop;
    unsigned char *bytes;
};

struct wire_link_state {
    double ns_per_byte;
    wire_time latency, free_at;
    uint64_t queue;
    bool shared;
    uint64_t frames, bytes, dropped, most_queued;
};

struct wire_options {
    uint64_t queue; /* bytes that may wait at a link that does not say itself */
    bool store_and_forward;
    uint32_t frame_most; /* bytes of the largest frame */
};

struct wire;
struct wire *wire_create(const struct topology *t, const struct wire_options *o);
void wire_destroy(struct wire *w);

/* A frame to be filled and sent, or given back by wire_frame_put. */
struct wire_frame *wire_frame_get(struct wire *w);
void wire_frame_put(struct wire *w, struct wire_frame *f);
/* Takes the frame at `now`; its size, from and to are set. */
void wire_send(struct wire *w, struct wire_frame *f, wire_time now);
/* Advances to `now`. Returns the next frame that is due, which the caller puts back, or NULL. */
struct wire_frame *wire_arrived(struct wire *w, wire_time now);
/* When something happens next; INT64_MAX: nothing is on the wire. */
wire_time wire_next(const struct wire *w);
/* When the first link of the route has at most `bytes` left to send. */
wire_time wire_ready_at(const struct wire *w, uint32_t from, uint32_t to, uint64_t bytes);

const struct wire_link_state *wire_link(const struct wire *w, uint32_t id);
uint64_t wire_delivered(const struct wire *w);

#endif
