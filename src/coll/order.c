/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * order: who is ordered after whom by a collective, for checkers (rank/order.h). A member that gives data comes
 * before the ends of those that get it, and no more than that: what an algorithm's messages order besides is
 * not promised. A barrier orders all; where nothing is moved, nothing is ordered.
 *
 *   barrier, allreduce, allgather, alltoall, reduce-scatter    all before all     `all`: all givers, joined
 *   broadcast, scatter                                         root before all    the same
 *   gather, reduce                                             all before root    the same
 *   scans                                                      lower before higher    of[k]: those up to k
 *   alltoallv, alltoallw, neighbours                           pairs              of[k]: that of k
 *
 * A member's past is in its `pending` when it enters, and what it gets is there when it ends: of neighbours
 * that alone, else with its own past. So the steps of a chain (mpi/collective/chain.c) carry on what they got.
 */
#include "coll/exec.h"
#include "coll/neighbor/neighbor.h"
#include "coll/schedule/schedule.h"

#include <stdlib.h>

struct coll_order {
    rank_moment all;
    bool joined;       /* `all` is that of all of[] */
    uint32_t prefixes; /* so many of[] are joined with those before them */
    uint64_t bytes;    /* that all members give */
    rank_moment of[];
};

enum flow { TO_ALL, FROM_ROOT, TO_ROOT, UPWARDS, IN_PAIRS };
static const uint8_t flows[COLL_OPS] = {
    [COLL_BROADCAST] = FROM_ROOT,
    [COLL_SCATTER] = FROM_ROOT,
    [COLL_SCATTERV] = FROM_ROOT,
    [COLL_GATHER] = TO_ROOT,
    [COLL_GATHERV] = TO_ROOT,
    [COLL_REDUCE_ROOT] = TO_ROOT,
    [COLL_INSCAN] = UPWARDS,
    [COLL_EXSCAN] = UPWARDS,
    [COLL_ALLTOALLV] = IN_PAIRS,
    [COLL_ALLTOALLW] = IN_PAIRS,
    [COLL_NEIGHBOR_ALLGATHER] = IN_PAIRS,
    [COLL_NEIGHBOR_ALLTOALL] = IN_PAIRS,
};

static enum flow flow_of(const struct coll_instance *i)
{
    return (enum flow)flows[i->first.op];
}

static uint32_t members(const struct coll_instance *i)
{
    return i->group->key.size;
}

static struct coll_order *order_of(struct coll_instance *i)
{
    size_t n = flow_of(i) == UPWARDS || flow_of(i) == IN_PAIRS ? members(i) : 0;
    if (!i->order)
        i->order = base_zalloc(sizeof *i->order + n * sizeof i->order->of[0], "the order of a collective");
    return i->order;
}

void coll_order_release(struct coll_instance *i)
{
    if (BASE_LIKELY(!i->order))
        return;
    rank_order_forget(i->order->all);
    for (uint32_t k = 0; (flow_of(i) == UPWARDS || flow_of(i) == IN_PAIRS) && k < members(i); k++)
        rank_order_forget(i->order->of[k]);
    free(i->order);
    i->order = NULL;
}

/* --- giving ------------------------------------------------------------------------------------------- */

static bool is_root(const struct coll_member *m)
{
    return m->schedule.place == m->instance->first.root;
}

static bool reduces_any(const struct coll_member *m)
{
    for (uint32_t k = 0; k < members(m->instance); k++)
        if (coll_part_bytes(&m->schedule, COLL_SOURCE, k))
            return true;
    return false;
}

static bool gives(const struct coll_member *m)
{
    enum coll_op op = m->instance->first.op;
    bool bytes = m->schedule.bytes;
    if (op == COLL_BARRIER || flow_of(m->instance) == IN_PAIRS)
        return true;
    if (coll_op_scatters_result(op))
        return reduces_any(m);
    if (flow_of(m->instance) == FROM_ROOT)
        return is_root(m) && (bytes || op == COLL_SCATTERV);
    return bytes && !(flow_of(m->instance) == TO_ROOT && is_root(m));
}

static rank_moment take(rank_moment *from)
{
    rank_moment m = *from;
    *from = 0;
    return m;
}

void coll_order_enter(struct coll_member *m)
{
    struct coll_order *o = order_of(m->instance);
    rank_moment *mine = &m->pending->order;
    o->bytes += m->schedule.bytes;
    if (!gives(m))
        return;
    switch (flow_of(m->instance)) {
    case FROM_ROOT: /* the root gets nothing back */
        o->all = rank_order_join(o->all, rank_order_copy(*mine));
        return;
    case TO_ALL:
    case TO_ROOT:
        o->all = rank_order_join(o->all, take(mine));
        return;
    case UPWARDS:
    case IN_PAIRS:
        o->of[m->schedule.place] = take(mine);
        return;
    }
}

/* --- getting ------------------------------------------------------------------------------------------ */

/* All lower members have entered. */
static rank_moment below(const struct coll_member *m, struct coll_order *o)
{
    uint32_t me = m->schedule.place;
    if (!me || !m->schedule.bytes)
        return 0;
    for (; o->prefixes < me; o->prefixes++)
        if (o->prefixes)
            o->of[o->prefixes] = rank_order_join(o->of[o->prefixes], rank_order_copy(o->of[o->prefixes - 1]));
    return rank_order_copy(o->of[me - 1]);
}

static rank_moment neighbors(const struct coll_member *m, const struct coll_order *o)
{
    const struct coll_neighbors *l = m->schedule.local->neighbors;
    rank_moment got = 0;
    for (uint32_t k = 0; k < l->n_in; k++)
        if (coll_part_bytes(&m->schedule, COLL_DEST, l->in[k].part))
            got = rank_order_join(got, rank_order_copy(o->of[l->in[k].peer]));
    return got;
}

static bool gets_from_all(const struct coll_member *m)
{
    for (uint32_t k = 0; k < members(m->instance); k++)
        if (!coll_part_bytes(&m->schedule, COLL_DEST, k))
            return false;
    return true;
}

static rank_moment senders(const struct coll_member *m, struct coll_order *o)
{
    uint32_t n = members(m->instance);
    rank_moment got = 0;
    if (!gets_from_all(m)) {
        for (uint32_t k = 0; k < n; k++)
            if (coll_part_bytes(&m->schedule, COLL_DEST, k))
                got = rank_order_join(got, rank_order_copy(o->of[k]));
        return got;
    }
    for (uint32_t k = 0; !o->joined && k < n; k++)
        o->all = rank_order_join(o->all, rank_order_copy(o->of[k]));
    o->joined = true;
    return rank_order_copy(o->all);
}

static bool takes(const struct coll_member *m)
{
    enum coll_op op = m->instance->first.op;
    if (coll_op_scatters_result(op))
        return coll_part_bytes(&m->schedule, COLL_SOURCE, m->schedule.place);
    if (flow_of(m->instance) == FROM_ROOT)
        return !is_root(m) && m->schedule.bytes;
    return flow_of(m->instance) != TO_ROOT || is_root(m);
}

static rank_moment gets(const struct coll_member *m)
{
    struct coll_order *o = m->instance->order;
    switch (flow_of(m->instance)) {
    case UPWARDS:
        return below(m, o);
    case IN_PAIRS:
        return m->schedule.local && m->schedule.local->neighbors ? neighbors(m, o) : senders(m, o);
    default:
        return takes(m) ? rank_order_copy(o->all) : 0;
    }
}

void coll_order_end(struct coll_member *m)
{
    rank_moment *mine = &m->pending->order;
    if (flow_of(m->instance) == IN_PAIRS)
        rank_order_forget(take(mine));
    *mine = rank_order_join(*mine, gets(m));
}

uint64_t coll_order_bytes(const struct coll_member *m)
{
    return m->instance->order->bytes;
}
