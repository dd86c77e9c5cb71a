/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * connection: transfers of one connection follow each other, as messages on one TCP connection do
 * (network/in-order). A transfer joins its connection's line when its latency is over; the first of the line
 * has the flow. So latencies of those behind it pass meanwhile, and all of the connection's bandwidth is the
 * first one's.
 *
 * Invariants
 *  L1  A connection is in the table exactly while its line has transfers.
 *  L2  Exactly the first of a line has a flow, or is about to get one.
 */
#include "fabric/parts.h"

static struct fabric_transfer *of_line(struct fabric_ring *r)
{
    return BASE_CONTAINER(r, struct fabric_transfer, line);
}

bool fabric_connection_join(struct fabric *f, struct fabric_transfer *t)
{
    bool fresh;
    struct fabric_transfer **first = base_table_add(&f->connections, t->connection, &fresh);
    t->lined = true;
    if (!fresh) {
        fabric_ring_join(&(*first)->line, &t->line);
        return false;
    }
    *first = t;
    fabric_ring_init(&t->line);
    return true;
}

struct fabric_transfer *fabric_connection_leave(struct fabric *f, struct fabric_transfer *t)
{
    struct fabric_transfer **first = base_table_find(&f->connections, t->connection);
    BASE_ASSERT("L1", t->lined && first);
    bool was_first = *first == t, alone = fabric_ring_empty(&t->line);
    BASE_ASSERT("L2", was_first || !t->flow);
    t->lined = false;
    if (alone)
        base_table_remove(&f->connections, t->connection);
    else if (was_first)
        *first = of_line(t->line.next);
    struct fabric_transfer *next = was_first && !alone ? *first : NULL;
    fabric_ring_leave(&t->line);
    return next;
}
