/* SPDX-License-Identifier: BSD-3-Clause */
/* request: requests as programs have them: made, started, complete, freed (parts.h). */
#include "mpi/message/parts.h"

#include "mpi/calls.h"

struct mpi_request *mpi_request_create(struct mpi_call *c, enum mpi_request_kind kind, struct mpi_comm *comm,
                                       bool persistent, MPI_Request *handle)
{
    struct mpi_request *q = base_pool_get(&c->self->job->requests);
    *q = (struct mpi_request){.owner = c->self,
                              .comm = comm ? mpi_comm_retain(comm) : NULL,
                              .kind = (uint8_t)kind,
                              .persistent = persistent};
    *handle = MPI_HANDLE(MPI_Request, mpi_handle_make(c->self, MPI_KIND_REQUEST, &q->object));
    return q;
}

static void destroy(struct mpi_request *q)
{
    mpi_sought_end(&q->sought, q->comm, NULL);
    if (q->p2p)
        p2p_request_destroy(q->p2p);
    if (q->other && q->other->destroy)
        q->other->destroy(q->arg);
    if (q->comm)
        mpi_comm_release(q->comm);
    base_pool_put(&q->owner->job->requests, q);
}

/* --- other work --------------------------------------------------------------------------------------- */

static void describe(const void *about, char *buf, size_t size)
{
    const struct mpi_request *q = about;
    if (q->other->describe)
        q->other->describe(q->arg, buf, size);
    else
        snprintf(buf, size, "a %s", q->other->what);
}

static uint64_t whom(const void *about)
{
    const struct mpi_request *q = about;
    return q->other->whom ? q->other->whom(q->arg) : ENGINE_NOBODY;
}

void mpi_request_register(void)
{
    engine_waits_register(describe, whom);
}

struct mpi_request *mpi_request_other(struct mpi_call *c, struct mpi_comm *comm, const struct mpi_other *kind,
                                      void *arg, bool persistent, MPI_Request *handle)
{
    struct mpi_request *q = mpi_request_create(c, MPI_REQUEST_OTHER, comm, persistent, handle);
    q->other = kind;
    q->arg = arg;
    q->p2p = p2p_other_create(c->rank, c->name, describe, q);
    if (!persistent) {
        q->active = true;
        mpi_use_begin(q);
        p2p_other_start(q->p2p);
    }
    return q;
}

struct rank_pending *mpi_request_pending(struct mpi_request *q)
{
    return p2p_request_pending(q->p2p);
}

void mpi_request_done(struct mpi_request *q)
{
    bool dropped = q->dropped;
    p2p_other_complete(q->p2p);
    if (!dropped)
        return;
    if (q->object.handle)
        mpi_handle_drop(q->owner, &q->object);
    destroy(q);
}

/* --- use ------------------------------------------------------------------------------------------------ */

struct mpi_request *mpi_request_of(struct mpi_call *c, MPI_Request request, int *rc)
{
    struct mpi_request *q = mpi_find(c->self, MPI_KIND_REQUEST, request);
    if (BASE_UNLIKELY(q && q->dropped))
        q = NULL;
    if (BASE_UNLIKELY(!q))
        *rc = mpi_fail(c, NULL, MPI_ERR_REQUEST, "%#lx is no request%s", (unsigned long)(uintptr_t)request,
                       request == MPI_REQUEST_NULL ? " (MPI_REQUEST_NULL)"
                                                   : ": was it freed, or completed before?");
    return q;
}

void mpi_request_begin(struct mpi_request *q)
{
    q->active = true;
    mpi_use_begin(q);
    if (q->kind == MPI_REQUEST_SEND || q->kind == MPI_REQUEST_RECEIVE) {
        q->sought = mpi_sought_begin(q->owner->rank, q->seeks);
        if (q->persistent && BASE_UNLIKELY(q->seeks != 0))
            mpi_sought_play(q->p2p, q->comm, q->seeks);
        if (q->persistent)
            p2p_issue_kept(q->p2p);
        else
            p2p_issue(q->p2p);
        return;
    }
    p2p_other_start(q->p2p);
    if (q->kind == MPI_REQUEST_NOTHING)
        p2p_other_complete(q->p2p);
    else
        q->other->start(q, q->arg);
}

static void forget(struct mpi_request *q)
{
    mpi_handle_drop(q->owner, &q->object);
    destroy(q);
}

int mpi_request_finish(struct mpi_call *c, struct mpi_request *q, MPI_Request *handle, MPI_Status *status,
                       bool many)
{
    int (*outcome)(struct mpi_call * c, struct mpi_comm * comm, const struct p2p_status *s, bool is_receive) =
        many ? mpi_outcome_class : mpi_outcome;
    const struct p2p_status *s = p2p_status(q->p2p);
    int rc = MPI_SUCCESS;
    q->active = false;
    mpi_use_end(q, true);
    switch ((enum mpi_request_kind)q->kind) {
    case MPI_REQUEST_SEND:
        mpi_status_empty(status);
        if (s->outcome == P2P_CANCELLED && status != MPI_STATUS_IGNORE)
            mpi_status_set_cancelled(c, status, 1);
        rc = outcome(c, q->comm, s, false);
        break;
    case MPI_REQUEST_RECEIVE:
        mpi_status_received(status, q->comm, s);
        mpi_sought_end(&q->sought, q->comm, s);
        mpi_bsend_left(s->note);
        rc = outcome(c, q->comm, s, true);
        break;
    case MPI_REQUEST_NOTHING:
        mpi_status_nobody(status);
        break;
    case MPI_REQUEST_OTHER:
        mpi_status_empty(status);
        if (q->other->finish) {
            MPI_Status own;
            mpi_status_empty(&own);
            rc = q->other->finish(q, q->arg, status == MPI_STATUS_IGNORE ? &own : status);
        }
    }
    if (!q->persistent) {
        forget(q);
        *handle = MPI_REQUEST_NULL;
    }
    return rc;
}

void mpi_request_drop(struct mpi_request *q)
{
    bool other = q->kind == MPI_REQUEST_OTHER;
    mpi_use_end(q, false);
    if (!other || !q->active || !p2p_active(q->p2p)) {
        const struct p2p_status *s = p2p_status(q->p2p);
        if (q->kind == MPI_REQUEST_RECEIVE && q->active && !p2p_active(q->p2p) && p2p_message_came(s)) {
            mpi_sought_end(&q->sought, q->comm, s);
            mpi_bsend_left(s->note); /* else when its message comes: p2p_on_note */
        }
        forget(q);
        return;
    }
    if (!q->other->cancel) /* a generalized one is still to be named to MPI_Grequest_complete */
        mpi_handle_drop(q->owner, &q->object);
    q->dropped = true;
}

int mpi_request_free(struct mpi_call *c, MPI_Request *request)
{
    int rc = MPI_SUCCESS;
    if (!request)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the request's address is NULL");
    struct mpi_request *q = mpi_request_of(c, *request, &rc);
    if (!q)
        return rc;
    if (q->held)
        return mpi_fail(c, q->comm ? &q->comm->guarded : NULL, MPI_ERR_REQUEST,
                        "another thread waits for the request");
    if (q->kind == MPI_REQUEST_OTHER && q->other->must_end && q->active)
        base_warn("misuse/freed-active",
                  "%s: the request of a %s that no call has completed: expected MPI_Wait or MPI_Test before",
                  c->name, q->other->what);
    if (q->kind == MPI_REQUEST_RECEIVE && q->active)
        base_warn(
            "misuse/freed-active",
            "%s: the request of a receive that no call has completed: nothing will tell when its buffer is "
            "filled",
            c->name);
    *request = MPI_REQUEST_NULL;
    mpi_request_drop(q);
    return MPI_SUCCESS;
}

int mpi_start(struct mpi_call *c, MPI_Request *request)
{
    int rc = MPI_SUCCESS;
    if (!request)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the request's address is NULL");
    struct mpi_request *q = mpi_request_of(c, *request, &rc);
    if (!q)
        return rc;
    struct mpi_guarded *on = q->comm ? &q->comm->guarded : NULL;
    if (!q->persistent)
        return mpi_fail(c, on, MPI_ERR_REQUEST, "the request is not persistent");
    if (q->active)
        return mpi_fail(c, on, MPI_ERR_REQUEST, "the request was started before, and is not complete");
    if (q->buffered) {
        void *note;
        if ((rc = mpi_bsend_take(c, q->comm, q->bytes, &note)))
            return rc;
        p2p_request_note(q->p2p, note);
    }
    mpi_request_begin(q);
    return MPI_SUCCESS;
}

int mpi_startall(struct mpi_call *c, int count, MPI_Request requests[])
{
    int rc = MPI_SUCCESS;
    if (count < 0 || (count && !requests))
        return mpi_fail(c, NULL, count < 0 ? MPI_ERR_COUNT : MPI_ERR_ARG, "%d requests: expected 0 or more",
                        count);
    for (int k = 0; k < count && !rc; k++)
        rc = mpi_start(c, &requests[k]);
    return rc;
}

int mpi_cancel(struct mpi_call *c, MPI_Request *request)
{
    int rc = MPI_SUCCESS;
    if (!request)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the request's address is NULL");
    struct mpi_request *q = mpi_request_of(c, *request, &rc);
    if (!q)
        return rc;
    if (q->kind == MPI_REQUEST_OTHER && q->other->cancel)
        q->other->cancel(q->arg, !p2p_active(q->p2p));
    else if (q->kind == MPI_REQUEST_OTHER)
        return mpi_fail(c, q->comm ? &q->comm->guarded : NULL, MPI_ERR_REQUEST, "a %s cannot be cancelled",
                        q->other->what);
    else if (q->active && q->kind != MPI_REQUEST_NOTHING && p2p_active(q->p2p))
        p2p_cancel(q->p2p);
    return MPI_SUCCESS;
}

_Static_assert(sizeof(struct mpi_request) <= MPI_REQUEST_SIZE, "the job's pool has room for a request");
