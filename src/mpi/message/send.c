/* SPDX-License-Identifier: BSD-3-Clause */
/* send: sends in all modes, blocking, nonblocking and persistent (MPI-5.0 sections 3.4, 3.7, 3.9). */
#include "mpi/message/parts.h"

#include "mpi/calls.h"

static uint64_t bytes_of(const struct mpi_end *e)
{
    return e->buffer.count * types_layout_size(e->buffer.layout);
}

/* In the calls of these modes; a standard send may have to wait for its receive. */
static int send_now(struct mpi_call *c, const struct mpi_end *e, enum p2p_sending how)
{
    struct p2p_status s;
    if (BASE_UNLIKELY(e->nobody))
        return MPI_SUCCESS;
    mpi_use_check(c->self, &e->buffer, true);
    if (BASE_LIKELY(how != P2P_BUFFERED)) {
        p2p_send(c->rank, e->to, e->wanted.context, e->wanted.tag, &e->buffer, how, c->name, &s);
        return BASE_LIKELY(s.outcome == P2P_OK) ? MPI_SUCCESS : mpi_outcome(c, e->comm, &s, false);
    }
    void *note;
    int rc = mpi_bsend_take(c, e->comm, bytes_of(e), &note);
    if (rc)
        return rc;
    struct p2p_request *q =
        p2p_send_create(c->rank, e->to, e->wanted.context, e->wanted.tag, &e->buffer, P2P_BUFFERED, c->name);
    p2p_request_note(q, note);
    p2p_issue(q);
    p2p_wait_all(c->rank, &q, 1, c->name);
    s = *p2p_status(q);
    p2p_request_destroy(q);
    return mpi_outcome(c, e->comm, &s, false);
}

/* A request for it, started unless it is persistent. */
static int send_later(struct mpi_call *c, const struct mpi_end *e, enum p2p_sending how, bool persistent,
                      MPI_Request *request)
{
    void *note = NULL;
    int rc;
    if (!request)
        return mpi_fail(c, &e->comm->guarded, MPI_ERR_ARG, "the request's address is NULL");
    bool buffered = how == P2P_BUFFERED && !e->nobody;
    if (buffered && !persistent && (rc = mpi_bsend_take(c, e->comm, bytes_of(e), &note)))
        return rc;
    struct mpi_request *q = mpi_request_create(c, e->nobody ? MPI_REQUEST_NOTHING : MPI_REQUEST_SEND, e->comm,
                                               persistent, request);
    q->buffered = buffered;
    q->bytes = bytes_of(e);
    q->p2p = e->nobody ? p2p_other_create(c->rank, c->name, NULL, NULL)
                       : p2p_send_create(c->rank, e->to, e->wanted.context, e->wanted.tag, &e->buffer, how,
                                         c->name);
    if (note)
        p2p_request_note(q->p2p, note);
    if (!persistent)
        mpi_request_begin(q);
    return MPI_SUCCESS;
}

/* The public functions of a mode: blocking, nonblocking, persistent. */
#define SENDS(now, later, init, how)                                                                         \
    int mpi_##now(struct mpi_call *c, const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,     \
                  int tag, MPI_Comm comm)                                                                    \
    {                                                                                                        \
        struct mpi_end e;                                                                                    \
        int rc = mpi_send_end(c, buf, count, datatype, dest, tag, comm, &e);                                 \
        return BASE_LIKELY(!rc) ? send_now(c, &e, how) : rc;                                                 \
    }                                                                                                        \
    int mpi_##later(struct mpi_call *c, const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,   \
                    int tag, MPI_Comm comm, MPI_Request *request)                                            \
    {                                                                                                        \
        struct mpi_end e;                                                                                    \
        int rc = mpi_send_end(c, buf, count, datatype, dest, tag, comm, &e);                                 \
        return BASE_LIKELY(!rc) ? send_later(c, &e, how, false, request) : rc;                               \
    }                                                                                                        \
    int mpi_##init(struct mpi_call *c, const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,    \
                   int tag, MPI_Comm comm, MPI_Request *request)                                             \
    {                                                                                                        \
        struct mpi_end e;                                                                                    \
        int rc = mpi_send_end(c, buf, count, datatype, dest, tag, comm, &e);                                 \
        return BASE_LIKELY(!rc) ? send_later(c, &e, how, true, request) : rc;                                \
    }
SENDS(send, isend, send_init, mpi_standard(c->self, &e))
SENDS(bsend, ibsend, bsend_init, P2P_BUFFERED)
SENDS(ssend, issend, ssend_init, P2P_SYNCHRONOUS)
SENDS(rsend, irsend, rsend_init, P2P_READY)
