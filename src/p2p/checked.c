/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * checked: what checkers are told of the program's messages (rank/order.h): what came before a send comes
 * before the end of its receive, and, if the send is synchronous, what came before the receive before the end
 * of the send; and which memory sends read and receives write, from their start until a thread learns of their
 * end. Collectives' messages are told by coll/.
 */
#include "p2p/internal.h"

uint64_t p2p_use(struct rank *r, const char *call, const struct p2p_buffer *b, enum rank_use how)
{
    uint64_t bytes = b->count * types_layout_size(b->layout), action;
    struct types_cursor c;
    struct types_strip s;
    if (!bytes || !(action = rank_action_begin(r, call)))
        return 0;
    types_cursor_init(&c, b->layout, b->count, 0, bytes);
    while (types_cursor_next(&c, &s))
        for (uint64_t k = 0; k < s.n; k++)
            rank_action_uses(action, r, b->address + (uintptr_t)(s.offset + (int64_t)k * s.stride), s.bytes,
                             how);
    types_cursor_release(&c);
    return action;
}

void p2p_checked_start(struct p2p_request *q)
{
    struct rank *r = q->rank->rank;
    struct rank_pending *p = &q->pending;
    if (p2p_is_inner(&q->item.envelope))
        return;
    p->order = rank_order_join(p->order, rank_order_release(r));
    if (!q->unmoved && !q->apart)
        p->action = p2p_use(r, q->call, &q->buffer, q->to ? RANK_READS : RANK_WRITES);
}

/* Its owner knows otherwise when the buffer may be used again: by an answer, for example. */
void p2p_checked_freed(struct p2p_request *q)
{
    rank_action_end(q->rank->rank, q->pending.action);
    q->pending.action = 0;
}

void p2p_checked_match(struct p2p_message *m, struct p2p_request *receive)
{
    rank_moment posted = receive->pending.order;
    receive->pending.order = m->order;
    m->order = 0;
    if (m->send && m->send->how == P2P_SYNCHRONOUS)
        m->send->pending.order = rank_order_join(m->send->pending.order, posted);
    else
        rank_order_forget(posted);
}

void p2p_request_uses_apart(struct p2p_request *q)
{
    q->apart = true;
}

void p2p_request_seen(struct p2p_request *q)
{
    rank_pending_seen(q->rank->rank, &q->pending);
}

struct rank_pending *p2p_request_pending(struct p2p_request *q)
{
    return &q->pending;
}
