/* SPDX-License-Identifier: BSD-3-Clause */
/* receive: receives, probes and what probes have matched (MPI-5.0 sections 3.2, 3.7, 3.8). */
#include "mpi/message/parts.h"

#include "mpi/calls.h"

/* --- receives ------------------------------------------------------------------------------------------ */

int mpi_recv(struct mpi_call *c, void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
             MPI_Comm comm, MPI_Status *status)
{
    struct mpi_end e;
    struct p2p_status s;
    int rc = mpi_receive_end(c, buf, count, datatype, source, tag, comm, &e);
    if (BASE_UNLIKELY(rc))
        return rc;
    if (BASE_UNLIKELY(e.nobody)) {
        mpi_status_nobody(status);
        return MPI_SUCCESS;
    }
    mpi_use_check(c->self, &e.buffer, false);
    p2p_receive(c->rank, &e.wanted, &e.buffer, c->name, &s);
    mpi_status_received(status, e.comm, &s);
    mpi_sought_found(c, &e, &s);
    mpi_bsend_left(s.note);
    return BASE_LIKELY(s.outcome == P2P_OK) ? MPI_SUCCESS : mpi_outcome(c, e.comm, &s, true);
}

static int receive_later(struct mpi_call *c, const struct mpi_end *e, bool persistent, MPI_Request *request)
{
    if (!request)
        return mpi_fail(c, &e->comm->guarded, MPI_ERR_ARG, "the request's address is NULL");
    struct mpi_request *q = mpi_request_create(c, e->nobody ? MPI_REQUEST_NOTHING : MPI_REQUEST_RECEIVE,
                                               e->comm, persistent, request);
    q->seeks = e->nobody ? 0 : mpi_seeks(&e->wanted);
    q->p2p = e->nobody ? p2p_other_create(c->rank, c->name, NULL, NULL)
                       : p2p_receive_create(c->rank, &e->wanted, &e->buffer, c->name);
    if (!persistent)
        mpi_request_begin(q);
    return MPI_SUCCESS;
}

int mpi_irecv(struct mpi_call *c, void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
              MPI_Comm comm, MPI_Request *request)
{
    struct mpi_end e;
    int rc = mpi_receive_end(c, buf, count, datatype, source, tag, comm, &e);
    return BASE_LIKELY(!rc) ? receive_later(c, &e, false, request) : rc;
}

int mpi_recv_init(struct mpi_call *c, void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
                  MPI_Comm comm, MPI_Request *request)
{
    struct mpi_end e;
    int rc = mpi_receive_end(c, buf, count, datatype, source, tag, comm, &e);
    return BASE_LIKELY(!rc) ? receive_later(c, &e, true, request) : rc;
}

/* --- probes -------------------------------------------------------------------------------------------- */

int mpi_probe(struct mpi_call *c, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct mpi_end e;
    struct p2p_status s;
    int rc = mpi_probe_end(c, source, tag, comm, &e);
    if (rc)
        return rc;
    if (e.nobody) {
        mpi_status_nobody(status);
        return MPI_SUCCESS;
    }
    p2p_probe(c->rank, &e.wanted, c->name, &s);
    mpi_status_received(status, e.comm, &s);
    mpi_sought_found(c, &e, &s);
    return MPI_SUCCESS;
}

int mpi_iprobe(struct mpi_call *c, int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    struct mpi_end e;
    struct p2p_status s;
    int rc = mpi_probe_end(c, source, tag, comm, &e);
    if (rc)
        return rc;
    if (!flag)
        return mpi_fail(c, &e.comm->guarded, MPI_ERR_ARG, "the flag's address is NULL");
    *flag = e.nobody || p2p_look(c->rank, &e.wanted, &s);
    if (e.nobody)
        mpi_status_nobody(status);
    if (e.nobody || !*flag)
        return MPI_SUCCESS;
    mpi_status_received(status, e.comm, &s);
    mpi_sought_found(c, &e, &s);
    return MPI_SUCCESS;
}

/* --- matched probes ------------------------------------------------------------------------------------ */

/* A message that a matched probe has taken: MPI_Message. */
struct mpi_matched {
    struct mpi_object object;
    struct mpi_comm *comm; /* a reference */
    struct p2p_message *message;
};

static void matched(struct mpi_call *c, struct mpi_end *e, struct p2p_message *m, MPI_Message *message)
{
    struct mpi_matched *o = base_pool_get(&c->self->job->requests);
    *o = (struct mpi_matched){.comm = mpi_comm_retain(e->comm), .message = m};
    *message = MPI_HANDLE(MPI_Message, mpi_handle_make(c->self, MPI_KIND_MESSAGE, &o->object));
}

int mpi_mprobe(struct mpi_call *c, int source, int tag, MPI_Comm comm, MPI_Message *message,
               MPI_Status *status)
{
    struct mpi_end e;
    struct p2p_status s;
    int rc = mpi_probe_end(c, source, tag, comm, &e);
    if (rc)
        return rc;
    if (!message)
        return mpi_fail(c, &e.comm->guarded, MPI_ERR_ARG, "the message's address is NULL");
    if (e.nobody) {
        *message = MPI_MESSAGE_NO_PROC;
        mpi_status_nobody(status);
        return MPI_SUCCESS;
    }
    matched(c, &e, p2p_match(c->rank, &e.wanted, c->name, &s), message);
    mpi_status_received(status, e.comm, &s);
    mpi_sought_found(c, &e, &s);
    return MPI_SUCCESS;
}

int mpi_improbe(struct mpi_call *c, int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                MPI_Status *status)
{
    struct mpi_end e;
    struct p2p_status s;
    int rc = mpi_probe_end(c, source, tag, comm, &e);
    if (rc)
        return rc;
    if (!flag || !message)
        return mpi_fail(c, &e.comm->guarded, MPI_ERR_ARG, "the address of the flag or the message is NULL");
    if (e.nobody) {
        *flag = 1;
        *message = MPI_MESSAGE_NO_PROC;
        mpi_status_nobody(status);
        return MPI_SUCCESS;
    }
    struct p2p_message *m = p2p_look_match(c->rank, &e.wanted, &s);
    *flag = m != NULL;
    if (m) {
        matched(c, &e, m, message);
        mpi_status_received(status, e.comm, &s);
        mpi_sought_found(c, &e, &s);
    }
    return MPI_SUCCESS;
}

/* Takes the message of a handle, which is gone; the communicator's reference goes to the caller. */
static int take(struct mpi_call *c, MPI_Message *message, struct mpi_matched *out)
{
    if (!message)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the message's address is NULL");
    struct mpi_matched *o = mpi_find(c->self, MPI_KIND_MESSAGE, *message);
    if (!o)
        return mpi_fail(c, NULL, MPI_ERR_REQUEST, "%#lx is no message that a probe has matched",
                        (unsigned long)(uintptr_t)*message);
    *out = *o;
    mpi_handle_drop(c->self, &o->object);
    base_pool_put(&c->self->job->requests, o);
    *message = MPI_MESSAGE_NULL;
    return MPI_SUCCESS;
}

int mpi_mrecv(struct mpi_call *c, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message,
              MPI_Status *status)
{
    struct mpi_matched m;
    struct p2p_buffer b;
    struct p2p_status s;
    if (message && *message == MPI_MESSAGE_NO_PROC) {
        *message = MPI_MESSAGE_NULL;
        mpi_status_nobody(status);
        return MPI_SUCCESS;
    }
    int rc = mpi_type_buffer(c, NULL, buf, count, datatype, &b);
    if (rc)
        return rc;
    if ((rc = take(c, message, &m)))
        return rc;
    p2p_receive_matched(c->rank, m.message, &b, c->name, &s);
    mpi_status_received(status, m.comm, &s);
    mpi_bsend_left(s.note);
    rc = mpi_outcome(c, m.comm, &s, true);
    mpi_comm_release(m.comm);
    return rc;
}

int mpi_imrecv(struct mpi_call *c, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message,
               MPI_Request *request)
{
    struct mpi_matched m;
    struct p2p_buffer b;
    int rc = mpi_type_buffer(c, NULL, buf, count, datatype, &b);
    if (rc)
        return rc;
    if (!request)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the request's address is NULL");
    if (message && *message == MPI_MESSAGE_NO_PROC) {
        struct mpi_end e = {.comm = mpi_comm_self(c->self), .nobody = true};
        *message = MPI_MESSAGE_NULL;
        return receive_later(c, &e, false, request);
    }
    if ((rc = take(c, message, &m)))
        return rc;
    struct mpi_request *q = mpi_request_create(c, MPI_REQUEST_RECEIVE, m.comm, false, request);
    mpi_comm_release(m.comm); /* the request has its own reference */
    q->p2p = p2p_receive_create(
        c->rank, &(struct p2p_envelope){q->comm->space->context, P2P_ANY_SOURCE, P2P_ANY_TAG}, &b, c->name);
    q->active = true;
    p2p_issue_matched(q->p2p, m.message);
    return MPI_SUCCESS;
}
