/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * veth: a star where bandwidth alone is wanted: veth pairs on a bridge, shaped by the kernel (`tc`, tbf), without
 * our switch. The bandwidths are those of each node's first and last link; latencies are the machine's own.
 */
#ifndef CLUSTER_VETH_H
#define CLUSTER_VETH_H

#include "node.h"

/* Makes all nodes. */
int veth_create(const struct topology *t, const struct node_options *o, uint64_t queue, pid_t *holders,
                struct base_status *st);

#endif
