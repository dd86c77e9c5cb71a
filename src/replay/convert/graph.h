/* SPDX-License-Identifier: BSD-3-Clause */
/* graph: a rank's schedule while it is made (private to convert/). */
#ifndef PGASIM_REPLAY_CONVERT_GRAPH_H
#define PGASIM_REPLAY_CONVERT_GRAPH_H

#include "replay/convert/parts.h"
#include "replay/convert/remote.h"
#include "replay/convert/steps.h"

enum { REPLAY_NO_OP = UINT32_MAX };

/* A one-sided operation whose answer was not waited for. */
struct replay_pending {
    uint64_t stream;
    uint32_t target, op; /* op: the receive of the answer */
};
struct replay_graph {
    struct replay_sink sink; /* first */
    struct replay_goal *goal;
    struct replay_goal_draft draft; /* of the rank */
    /* What the rank's next operation waits for: the end of these, and the start of that one. */
    BASE_ARRAY(uint32_t) ended;
    uint32_t started;
    struct replay_started_list open;
    struct replay_steps steps;
    struct replay_incoming *incoming;
    const struct replay_arrivals *arrivals; /* of the rank: operations 2 k are their receives */
    BASE_ARRAY(struct replay_pending) pending;
    double rest;       /* of a nanosecond */
    uint64_t *largest; /* message to each rank */
    bool needs_speed;
};
/* An operation of its own, and one that waits for the other's end. */
uint32_t replay_graph_put(struct replay_graph *x, const struct replay_goal_op *op);
void replay_graph_edge(struct replay_graph *x, uint32_t before, uint32_t after);
void replay_graph_edge_start(struct replay_graph *x, uint32_t before, uint32_t after); /* for its start */
/* unroll.c: the operations of a collective. false, and there are none: its messages depend on what they say. */
bool replay_graph_collective(struct replay_graph *x, uint32_t rank, const struct replay_action *a);
/* graph_remote.c: the receives of what others do to the rank, before all else of it. */
void replay_graph_begin_rank(struct replay_graph *x, uint32_t rank);
extern const struct replay_remote_sink replay_graph_remote;
/* The operation comes next; returns its number. The one after it waits for its start, or, if replay_graph_wait says so,
 * for its end. */
uint32_t replay_graph_add(struct replay_graph *x, const struct replay_goal_op *op);
void replay_graph_wait(struct replay_graph *x, uint32_t op);

#endif
