/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * node: a node of the cluster: namespaces for network, host name and IPC, kept alive by one process that
 * sleeps in them. All of it lives in a private PID namespace, and ends with it.
 */
#ifndef CLUSTER_NODE_H
#define CLUSTER_NODE_H

#include <sys/types.h>

#include "topology.h"

#define NODE_DEVICE "eth0"

struct node_options {
    uint32_t mtu;
    uint32_t transmit_queue;    /* frames that wait in a node's device */
    const char *const *sysctls; /* "net.ipv4.tcp_...=VALUE", ended by NULL: set in each node */
};

/* Whether nodes can be made here: 0, or -1 with the reason. Changes nothing that outlives the process. */
int node_permitted(struct base_status *st);
/* Makes a node from the calling process, which is in the new network namespace afterwards. `tap`: its device;
 * NULL: the node gets none here. */
int node_create(const struct topology *t, uint32_t k, const struct node_options *o, pid_t *holder, int *tap,
                struct base_status *st);
/* Gives the device of the calling process's network namespace the address of node k. */
int node_address(uint32_t k, const struct node_options *o, struct base_status *st);
/* Moves the calling process into the namespaces of a node. */
int node_enter(pid_t holder, struct base_status *st);
/* Frames that the node's device has dropped before the switch read them. */
uint64_t node_dropped(pid_t holder);

#endif
