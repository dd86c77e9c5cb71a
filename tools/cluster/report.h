/* SPDX-License-Identifier: BSD-3-Clause */
/* report: what a run has measured about itself. */
#ifndef CLUSTER_REPORT_H
#define CLUSTER_REPORT_H

#include "switch.h"
#include "usage.h"

struct report {
    const char *platform;
    const struct topology *topology;
    uint32_t ranks;
    int status; /* the program's */
    struct usage usage;
    struct switch_figures figures;
    const struct wire *wire;   /* NULL: the kernel's shaping */
    uint64_t dropped_at_nodes; /* frames, in the queues of their devices */
};

/* Prints it for people on stderr, and appends it to `path`, if there is one, as a line of JSON. */
int report_write(const struct report *r, const char *path, struct base_status *st);

#endif
