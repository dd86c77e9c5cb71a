/* SPDX-License-Identifier: BSD-3-Clause */
/* run: a cluster from its start to its end, and what it has measured. */
#ifndef CLUSTER_RUN_H
#define CLUSTER_RUN_H

#include "launch.h"
#include "node.h"
#include "wire.h"

struct run_options {
    const char *platform;
    const char *report; /* where one line of JSON goes as well; NULL: nowhere */
    bool veth;          /* the kernel's shaping instead of our switch */
    struct wire_options wire;
    struct node_options node;
    struct launch launch;
};

/* Returns the program's exit status, or a base_exit after a report. */
int run_cluster(struct run_options *o);
/* Removes folders of runs that were killed. Returns how many. */
unsigned run_clean(void);

#endif
