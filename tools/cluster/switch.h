/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * switch: moves frames between the TAP devices of the nodes as wire.h says when, and counts how late it is.
 * A node whose first link is busy is not read: its frames wait in the device, as they would in a network card.
 */
#ifndef CLUSTER_SWITCH_H
#define CLUSTER_SWITCH_H

#include "wire.h"

enum { SWITCH_LATE_STEPS = 40 };

struct switch_figures {
    uint64_t received, delivered, refused; /* frames; refused: by the device of the node that they are for */
    uint64_t dropped;                      /* at links */
    uint64_t ignored;                      /* not for a node */
    wire_time latest;
    uint64_t late[SWITCH_LATE_STEPS]; /* [k]: delivered less than 2^k ns late */
};

struct switch_;
/* tap[k]: the device of node k, of which the switch takes possession. */
struct switch_ *switch_create(const struct topology *t, const struct wire_options *o, const int *tap,
                              struct base_status *st);
void switch_destroy(struct switch_ *s);
/* Runs until `alive` says no, which it is asked about ten times a second and when its descriptor is readable. */
int switch_run(struct switch_ *s, int alive_fd, bool (*alive)(void *arg), void *arg, struct base_status *st);
struct switch_figures switch_figures(const struct switch_ *s);
const struct wire *switch_wire(const struct switch_ *s);
/* The lateness that a share of the frames does not exceed, in ns, up to a factor of 2. */
wire_time switch_late(const struct switch_figures *f, double share);

#endif
