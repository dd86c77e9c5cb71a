/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uses: which memory of its member a collective reads and writes, for checkers (rank/order.h). Told at the
 * call; it may be used until the call's end, or until a thread learns of that. What is read and written in place
 * is told as written.
 */
#include "coll/schedule/schedule.h"
#include "coll/neighbor/neighbor.h"

struct uses {
    uint64_t action;
    struct rank *rank;
    const struct coll_call *call;
    struct coll_schedule at; /* enough of one for translating places */
};

static void tell(const struct uses *u, coll_place at, uint64_t bytes)
{
    bool reads = coll_place_base(at) == COLL_SOURCE;
    enum rank_use how = reads ? RANK_READS : RANK_WRITES;
    struct types_cursor c;
    struct types_strip s;
    if (!bytes || (reads ? u->call->inner_source : u->call->inner_dest || !u->at.has_dest))
        return;
    struct coll_spot spot = coll_spot_of(&u->at, at, bytes);
    if (!spot.layout) {
        rank_action_uses(u->action, u->rank, spot.address, bytes, how);
        return;
    }
    types_cursor_init(&c, spot.layout, coll_spot_items(&spot, bytes), spot.from, spot.from + bytes);
    while (types_cursor_next(&c, &s))
        for (uint64_t k = 0; k < s.n; k++)
            rank_action_uses(u->action, u->rank, spot.address + (uintptr_t)(s.offset + (int64_t)k * s.stride),
                             s.bytes, how);
    types_cursor_release(&c);
}

static void whole(const struct uses *u, enum coll_base base, uint64_t bytes)
{
    tell(u, coll_at(base, 0), bytes);
}

static void part(const struct uses *u, enum coll_base base, uint32_t k)
{
    tell(u, coll_part_at(&u->at, base, k), coll_part_bytes(&u->at, base, k));
}

static bool is_counted(const struct uses *u, enum coll_base base)
{
    const struct coll_local *l = u->at.local;
    return l && (base == COLL_DEST ? &l->dest : &l->source)->counts;
}

/* A part for each member. */
static void parts(const struct uses *u, enum coll_base base)
{
    if (!is_counted(u, base)) {
        whole(u, base, u->at.size * coll_part_bytes(&u->at, base, 0));
        return;
    }
    for (uint32_t k = 0; k < u->at.size; k++)
        part(u, base, k);
}

static void neighbors(const struct uses *u)
{
    const struct coll_neighbors *l = u->at.local->neighbors;
    bool each = u->call->op == COLL_NEIGHBOR_ALLTOALL;
    for (uint32_t k = 0; each && k < l->n_out; k++)
        part(u, COLL_SOURCE, l->out[k].part);
    if (!each && l->n_out)
        whole(u, COLL_SOURCE, u->at.bytes);
    for (uint32_t k = 0; k < l->n_in; k++)
        part(u, COLL_DEST, l->in[k].part);
}

/* The root's dest may be its source, which is not written. */
static void broadcast(const struct uses *u, bool root)
{
    if (root)
        whole(u, COLL_SOURCE, u->at.bytes);
    if (!root || u->call->dest != u->call->source)
        whole(u, COLL_DEST, u->at.bytes);
}

static void reduction(const struct uses *u, bool root)
{
    const struct coll_call *c = u->call;
    bool writes = c->op == COLL_REDUCE_ROOT ? root : c->op != COLL_EXSCAN || c->me || !c->keep_first;
    if (!writes || c->source != c->dest)
        whole(u, COLL_SOURCE, u->at.bytes);
    if (writes)
        whole(u, COLL_DEST, u->at.bytes);
}

/* The parts of all, which may have this member's in its place. */
static void gathering(const struct uses *u, bool writes)
{
    uint64_t own = coll_part_bytes(&u->at, COLL_DEST, u->call->me);
    if (!writes || !own ||
        coll_spot_of(&u->at, coll_part_at(&u->at, COLL_DEST, u->call->me), own).address !=
            coll_spot_of(&u->at, coll_at(COLL_SOURCE, 0), own).address)
        whole(u, COLL_SOURCE, u->at.bytes);
    if (writes)
        parts(u, COLL_DEST);
}

/* In place, the result takes the place of the first operands. */
static void scattering(const struct uses *u)
{
    if (!u->call->in_place)
        parts(u, COLL_SOURCE);
    for (uint32_t k = 1; u->call->in_place && k < u->at.size; k++)
        part(u, COLL_SOURCE, k);
    whole(u, COLL_DEST, coll_part_bytes(&u->at, COLL_SOURCE, u->call->me));
}

static void tell_all(const struct uses *u)
{
    const struct coll_call *c = u->call;
    bool root = c->me == c->root;
    switch (c->op) {
    case COLL_BARRIER:
    case COLL_OPS:
        return;
    case COLL_BROADCAST:
        broadcast(u, root);
        return;
    case COLL_COLLECT: /* the size of the result is not known yet */
        whole(u, COLL_SOURCE, u->at.bytes);
        return;
    case COLL_GATHER:
    case COLL_GATHERV:
    case COLL_FCOLLECT:
    case COLL_ALLGATHERV:
        gathering(u, root || !coll_op_is_rooted(c->op));
        return;
    case COLL_SCATTER:
    case COLL_SCATTERV:
        if (root)
            parts(u, COLL_SOURCE);
        whole(u, COLL_DEST, u->at.bytes);
        return;
    case COLL_ALLTOALL:
    case COLL_ALLTOALLV:
    case COLL_ALLTOALLW:
        if (!c->in_place)
            parts(u, COLL_SOURCE);
        parts(u, COLL_DEST);
        return;
    case COLL_REDUCE:
    case COLL_REDUCE_ROOT:
    case COLL_INSCAN:
    case COLL_EXSCAN:
        reduction(u, root);
        return;
    case COLL_REDUCE_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        scattering(u);
        return;
    case COLL_NEIGHBOR_ALLGATHER:
    case COLL_NEIGHBOR_ALLTOALL:
        neighbors(u);
        return;
    }
}

void coll_uses(uint64_t action, struct rank *r, const struct coll_call *c)
{
    struct uses u = {.action = action, .rank = r, .call = c};
    static const struct coll_tuning none;
    coll_schedule_init(&u.at, c, c, NULL, NULL, &none);
    if (action)
        tell_all(&u);
}

void coll_pending_begin(struct rank *r, const struct coll_call *c, struct rank_pending *p)
{
    p->order = rank_order_release(r);
    if (c->op == COLL_BARRIER)
        return;
    p->action = rank_action_begin(r, c->name);
    coll_uses(p->action, r, c);
}
