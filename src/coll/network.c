/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network: what a selector may know of the network between a group's members, worked out when the group first
 * calls a collective: its class, that of the zone in which all of them are; the bytes that it takes between two
 * hosts while a message is on its way (the pipe), and the messages that a member issues in that time (the
 * burst). The two are the first member and the one half of the members on, or the next one on another host.
 */
#include "coll/exec.h"

static const struct rank *rank_of(const struct coll_group_record *g, uint32_t place)
{
    return g->exec->runtime->rank(g->exec->ctx, coll_group_rank(&g->key, place));
}

static enum coll_topology topology(const struct coll_group_record *g)
{
    const struct coll_transport *t = g->transport;
    const char *routing = NULL;
    uint32_t first = t->ops->zone(t->ctx, rank_of(g, 0), &routing);
    enum coll_topology it = coll_topology_of_routing(routing);
    for (uint32_t p = 1; p < g->key.size; p++)
        if (t->ops->zone(t->ctx, rank_of(g, p), &routing) != first)
            return COLL_TOPOLOGY_HIERARCHY;
    return it;
}

/* NULL: all members are on one host. */
static const struct rank *other_end(const struct coll_group_record *g, const struct rank *from)
{
    uint32_t n = g->key.size;
    for (uint32_t k = 0; k < n; k++) {
        const struct rank *to = rank_of(g, (n / 2 + k) % n);
        if (to->host != from->host)
            return to;
    }
    return NULL;
}

static uint64_t whole(double x)
{
    return x < 1 ? 1 : x > 1e15 ? (uint64_t)1e15 : (uint64_t)x;
}

static struct coll_network survey(const struct coll_group_record *g)
{
    const struct coll_transport *t = g->transport;
    const struct rank *from = rank_of(g, 0), *to = other_end(g, from);
    struct coll_network net = {.pipe = COLL_PIPE_USUAL, .burst = COLL_BURST_USUAL};
    net.topology = (uint32_t)topology(g);
    if (!to)
        return net;
    double time = t->ops->message_time(t->ctx, from, to), byte = t->ops->byte_time(t->ctx, from, to);
    double issue = t->ops->issue_cost(t->ctx, 0, from, to);
    net.pipe = byte > 0 ? whole(time / byte) : net.pipe;
    net.burst = issue > 0 ? whole(time / issue) : UINT32_MAX;
    return net;
}

const struct coll_network *coll_group_network(struct coll_group_record *g)
{
    if (BASE_UNLIKELY(!g->network.pipe))
        g->network = survey(g);
    return &g->network;
}
