/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch: starts collectives from drafts: blocking, with a request, persistent. Keeps the records of those
 * under way (draft.h).
 */
#include "mpi/collective/draft.h"
#include "rank/folded.h"

#include <string.h>

/* --- records ------------------------------------------------------------------------------------------ */

/* Retains what the record refers to. */
static struct mpi_draft *record_of(struct mpi_call *c, const struct mpi_draft *d)
{
    struct mpi_colls *j = mpi_colls_of(c->self->job);
    struct mpi_draft *q = base_pool_get(&j->pool);
    *q = *d;
    q->keeps = true;
    q->next = j->records;
    q->link = &j->records;
    if (q->next)
        q->next->link = &q->next;
    j->records = q;
    mpi_comm_retain(q->comm);
    if (q->op)
        mpi_op_retain(q->op);
    if (q->local.dest.layout)
        types_layout_retain(q->local.dest.layout);
    if (q->local.source.layout)
        types_layout_retain(q->local.source.layout);
    if (q->op) {
        types_layout_retain(q->user.layout);
        q->user.arg = q;
        q->local.user = &q->user;
    }
    for (unsigned k = 0; k < 2; k++)
        if (q->used & 1U << k)
            types_layout_retain(q->uses[k].layout);
    if (q->laid)
        q->call.local = &q->local;
    mpi_draft_zero(&q->call, &q->local);
    return q;
}

void mpi_draft_release(struct mpi_draft *d)
{
    mpi_parts_release(d->dest_parts);
    mpi_parts_release(d->source_parts);
    coll_neighbors_release(d->neighbors);
    if (d->chain)
        mpi_chain_release(d->chain);
    if (!d->keeps)
        return;
    *d->link = d->next;
    if (d->next)
        d->next->link = d->link;
    if (d->plan && !d->active)
        coll_plan_free(d->plan);
    if (d->standing)
        mpi_standing_leave(d);
    types_layout_release(d->local.dest.layout);
    types_layout_release(d->local.source.layout);
    if (d->op)
        types_layout_release(d->user.layout);
    for (unsigned k = 0; k < 2; k++)
        if (d->used & 1U << k)
            types_layout_release(d->uses[k].layout);
    mpi_op_release(d->op);
    struct mpi_comm *comm = d->comm;
    base_pool_put(&mpi_colls_of(comm->owner->job)->pool, d);
    mpi_comm_release(comm);
}

/* --- folded blocks -------------------------------------------------------------------------------------- */

static bool in_folded(const struct rank *r, const void *p)
{
    return rank_folds(r, p);
}

/* Parts lie in runs from the buffer's address on. */
static bool is_plain(const struct coll_side *side)
{
    int64_t offset;
    return !side->layouts && (!side->layout || (types_layout_is_dense(side->layout, &offset) && !offset));
}

/* Whether no contents matter, and the addresses say where the data are. */
static bool may_be_left(const struct mpi_draft *d)
{
    switch (d->call.op) {
    case COLL_ALLTOALL:
    case COLL_FCOLLECT:
    case COLL_BROADCAST:
        return !d->laid && d->call.bytes;
    case COLL_ALLTOALLV:
    case COLL_ALLGATHERV:
        return is_plain(&d->local.source) && is_plain(&d->local.dest);
    default:
        return false;
    }
}

/* A broadcast has one buffer. */
static void find_folded(const struct mpi_call *c, struct mpi_draft *d)
{
    struct coll_call *call = &d->call;
    if (BASE_LIKELY(!rank_folds) || d->chain || !may_be_left(d))
        return;
    call->folded = (!call->dest || in_folded(c->rank, call->dest)) &&
                   (!call->source || in_folded(c->rank, call->source));
}

/* --- blocking ----------------------------------------------------------------------------------------- */

/* What is under way of it. */
static const struct coll_call *present_call(const struct mpi_draft *q)
{
    const struct mpi_chain *chain = q->chain;
    return chain && chain->at ? &chain->step[chain->at - 1].call : &q->call;
}

static const void *present_arg(const struct mpi_draft *q)
{
    return q->plan ? (const void *)q->plan : q;
}

static uint64_t whom(const void *arg)
{
    const struct mpi_draft *q = arg;
    return coll_whom(q->comm->owner->job->job, present_call(q), present_arg(q));
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct mpi_draft *q = arg;
    char who[300] = "", name[200];
    coll_describe(q->comm->owner->job->job, present_call(q), present_arg(q), who, sizeof who);
    if (!*who)
        mpi_comm_text(q->comm, name, sizeof name);
    snprintf(buf, size, "%s%s%s", q->call.name, *who ? ", " : " of ", *who ? who : name);
}

void mpi_launch_register(void)
{
    engine_waits_register(describe, whom);
}

/* A collective may, or may not, synchronize its members (MPI-5.0 section 6.14). Of the others, each member's
 * result needs data of all. */
static bool may_leave_early(const struct coll_call *call)
{
    return coll_op_is_rooted(call->op) || call->op == COLL_INSCAN || call->op == COLL_EXSCAN;
}

struct mpi_entered mpi_coll_enter(struct mpi_call *c, struct mpi_draft *d, int rc)
{
    struct mpi_entered e = {.rc = rc};
    if (BASE_UNLIKELY(rank_adversary != NULL) && !rc && may_leave_early(&d->call) && d->call.group.size > 1)
        d->call.meets = rank_choose(c->rank, RANK_CHOOSE_MEET, 2);
    if (BASE_LIKELY(rc == MPI_SUCCESS))
        find_folded(c, d);
    if (BASE_UNLIKELY(rc != MPI_SUCCESS)) {
        mpi_draft_release(d);
    } else if (BASE_UNLIKELY(!d->chain && coll_is_automatic(c->rank->job, d->call.op))) {
        e.record = record_of(c, d);
        mpi_coll_try_all(c->rank, &e.record->call);
    } else if (BASE_LIKELY(!d->laid && !d->chain)) {
        e.member = coll_enter(c->rank, &d->call);
    } else {
        e.record = record_of(c, d);
        if (e.record->chain && BASE_UNLIKELY(rank_checker != NULL))
            mpi_chain_pending(e.record, &e.record->pending);
        if (e.record->chain)
            mpi_chain_start(e.record);
        else
            e.member = coll_enter(c->rank, &e.record->call);
    }
    return e;
}

static void await_chain(struct mpi_call *c, struct mpi_draft *q)
{
    struct engine *e = c->rank->engine;
    q->reason = (struct engine_reason){c->name, describe, q};
    q->waits = engine_current(e);
    while (!q->done)
        engine_block(e, &q->reason);
    if (BASE_UNLIKELY(rank_checker != NULL))
        rank_pending_end(c->rank, &q->pending);
}

int mpi_coll_await(struct mpi_call *c, struct mpi_entered e)
{
    if (BASE_LIKELY(e.member != NULL))
        coll_await(e.member);
    else if (e.record && e.record->chain)
        await_chain(c, e.record);
    if (e.record)
        mpi_draft_release(e.record);
    return e.rc;
}

/* --- with a request ------------------------------------------------------------------------------------- */

static void complete(void *arg)
{
    struct mpi_draft *q = arg;
    q->active = false;
    mpi_request_done(q->request);
}

void mpi_coll_complete(struct mpi_draft *q)
{
    q->done = true;
    if (q->request)
        mpi_request_done(q->request);
    else if (q->waits)
        engine_wake(q->comm->owner->rank->engine, q->waits);
}

/* What the thread that learns of its end is to do, for a checker. */
static void check_begin(struct mpi_draft *q)
{
    struct rank_pending *p = mpi_request_pending(q->request);
    if (q->chain)
        mpi_chain_pending(q, p);
    else
        coll_pending_begin(q->comm->owner->rank, &q->call, p);
}

static void start(struct mpi_request *request, void *arg)
{
    struct mpi_draft *q = arg;
    (void)request;
    rank_catch_up(q->comm->owner->rank);
    if (BASE_UNLIKELY(rank_checker != NULL))
        check_begin(q);
    if (q->chain) {
        mpi_chain_start(q);
        return;
    }
    q->active = true;
    coll_plan_start(q->plan, complete, q);
}

static void destroy(void *arg)
{
    mpi_draft_release(arg);
}

static unsigned buffers(const void *arg, struct p2p_buffer buffer[2])
{
    const struct mpi_draft *q = arg;
    memcpy(buffer, q->uses, sizeof q->uses);
    return q->used;
}

static const struct mpi_other kind = {.what = "collective",
                                      .start = start,
                                      .describe = describe,
                                      .whom = whom,
                                      .destroy = destroy,
                                      .buffers = buffers,
                                      .must_end = true};

static int no_request(struct mpi_call *c, struct mpi_draft *d)
{
    mpi_draft_release(d);
    return mpi_fail(c, &d->comm->guarded, MPI_ERR_ARG, "the address for the request is NULL");
}

int mpi_coll_issue(struct mpi_call *c, struct mpi_draft *d, int rc, MPI_Request *request)
{
    if (BASE_UNLIKELY(rc != MPI_SUCCESS)) {
        mpi_draft_release(d);
        return rc;
    }
    if (!request)
        return no_request(c, d);
    find_folded(c, d);
    struct mpi_draft *q = record_of(c, d);
    q->request = mpi_request_other(c, q->comm, &kind, q, false, request);
    q->call.pending = mpi_request_pending(q->request);
    q->call.nonblocking = true;
    if (BASE_UNLIKELY(rank_checker != NULL))
        check_begin(q);
    if (q->chain)
        mpi_chain_start(q);
    else
        coll_start(c->rank, &q->call, complete, q);
    return MPI_SUCCESS;
}

int mpi_coll_persist(struct mpi_call *c, struct mpi_draft *d, int rc, MPI_Request *request)
{
    if (BASE_UNLIKELY(rc != MPI_SUCCESS)) {
        mpi_draft_release(d);
        return rc;
    }
    if (!request)
        return no_request(c, d);
    find_folded(c, d);
    struct mpi_draft *q = record_of(c, d);
    mpi_standing_join(q);
    q->request = mpi_request_other(c, q->comm, &kind, q, true, request);
    q->call.pending = mpi_request_pending(q->request);
    if (!q->chain)
        q->plan = coll_plan_create(c->rank, &q->call);
    return MPI_SUCCESS;
}
