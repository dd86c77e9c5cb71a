/* SPDX-License-Identifier: BSD-3-Clause */
/* message: what message.c and message_model.c share. */
#ifndef PGASIM_FABRIC_MESSAGE_H
#define PGASIM_FABRIC_MESSAGE_H

#include "fabric/fabric.h"

/* A piecewise linear cost: startup + bytes * per_byte of the last piece whose `above` is less than the size,
 * or else of the first piece. Sorted by `above`. */
struct fabric_cost_piece {
    uint64_t above;
    double startup, per_byte;
};
struct fabric_pieces {
    struct fabric_cost_piece *at;
    size_t n;
};
double fabric_pieces_cost(const struct fabric_pieces *p, uint64_t bytes);
/* Parses "size:startup:per-byte;...". Returns -1 with st saying what was expected. */
int fabric_pieces_parse(struct fabric_pieces *p, const char *text, struct base_status *st);

/* What a host's CPU pays for messages. */
enum fabric_overhead { FABRIC_O_S, FABRIC_O_IS, FABRIC_O_R, FABRIC_OVERHEADS };
struct fabric_overheads {
    struct fabric_pieces of[FABRIC_OVERHEADS];
};

struct fabric_messages {
    struct fabric *fabric;
    uint64_t asynchronous_below, detached_below, envelope;
    uint64_t ahead; /* network/rendezvous-data */
    bool overlap, in_order;
    struct fabric_overheads usual;
    const struct fabric_overheads **of_host; /* NULL: all hosts have the usual ones */
    BASE_ARRAY(struct fabric_overheads *) own;
    struct fabric_call_costs calls;
};

#endif
