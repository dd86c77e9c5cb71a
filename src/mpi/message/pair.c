/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pair: a send and a receive in one call (MPI-5.0 sections 3.10, 3.7): the blocking forms, and the
 * nonblocking ones, whose request is complete when both are. The _replace forms receive into memory of ours
 * until the send is done.
 */
#include "mpi/message/parts.h"

#include "mpi/calls.h"

#include <stdlib.h>

struct pair {
    struct mpi_comm *comm; /* a reference */
    struct mpi_request *request;
    struct p2p_request *q[2]; /* receive, send; NULL: MPI_PROC_NULL */
    uint32_t left;
    struct mpi_sought *sought; /* by the receive, for a recorder */
    bool told;                 /* whose message was received */
    void *packed;              /* _replace: a copy of what is sent */
    struct types_layout *layout;
};

/* Starts both, the send first, as SMPI does. `done` is called when one is complete. */
static void start(struct mpi_call *c, struct pair *p, const struct mpi_end *from, const struct mpi_end *to,
                  p2p_done_fn done)
{
    p->q[0] = from->nobody ? NULL : p2p_receive_create(c->rank, &from->wanted, &from->buffer, c->name);
    p->q[1] = to->nobody ? NULL
                         : p2p_send_create(c->rank, to->to, to->wanted.context, to->wanted.tag, &to->buffer,
                                           mpi_standard(c->self, to), c->name);
    p->sought = mpi_sought_begin(c->rank, from->nobody ? 0 : mpi_seeks(&from->wanted));
    p->left = (p->q[0] != NULL) + (p->q[1] != NULL) + 1;
    for (int k = 0; k < 2; k++)
        if (p->q[k])
            mpi_use_check(c->self, p2p_request_buffer(p->q[k]), k == 1);
    for (int k = 1; k >= 0; k--)
        if (p->q[k]) {
            if (done)
                p2p_request_tell(p->q[k], done, p);
            p2p_issue(p->q[k]);
        }
}

/* Their end: the receive's status, and what went wrong. */
static int end(struct mpi_call *c, struct pair *p, struct mpi_comm *comm, MPI_Status *status)
{
    int rc = MPI_SUCCESS, sent = MPI_SUCCESS;
    if (p->q[0]) {
        mpi_status_received(status, comm, p2p_status(p->q[0]));
        mpi_sought_end(&p->sought, comm, p2p_status(p->q[0]));
        if (!p->told)
            mpi_bsend_left(p2p_status(p->q[0])->note);
        p->told = true;
        rc = mpi_outcome(c, comm, p2p_status(p->q[0]), true);
    } else {
        mpi_status_nobody(status);
    }
    if (p->q[1])
        sent = mpi_outcome(c, comm, p2p_status(p->q[1]), false);
    return rc ? rc : sent;
}

static void destroy(struct pair *p)
{
    mpi_sought_end(&p->sought, p->comm, NULL);
    for (int k = 0; k < 2; k++)
        if (p->q[k])
            p2p_request_destroy(p->q[k]);
    types_layout_release(p->layout);
    free(p->packed);
}

static int run(struct mpi_call *c, const struct mpi_end *from, const struct mpi_end *to, MPI_Status *status)
{
    struct pair p = {0};
    start(c, &p, from, to, NULL);
    p2p_wait_all(c->rank, p.q, 2, c->name);
    int rc = end(c, &p, from->comm, status);
    destroy(&p);
    return rc;
}

/* --- the request of both ------------------------------------------------------------------------------- */

static void one_done(struct pair *p)
{
    if (--p->left == 0)
        mpi_request_done(p->request);
}

static void on_done(struct p2p_request *q, void *arg)
{
    (void)q;
    one_done(arg);
}

static int finish(struct mpi_request *q, void *arg, MPI_Status *status)
{
    struct pair *p = arg;
    for (int k = 0; BASE_UNLIKELY(rank_checker != NULL) && k < 2; k++)
        if (p->q[k])
            p2p_request_seen(p->q[k]);
    struct mpi_call c = {.self = q->owner, .rank = q->owner->rank, .name = rank_call_of(q->owner->rank->call)};
    return end(&c, p, p->comm, status);
}

static void release(void *arg)
{
    struct pair *p = arg;
    mpi_comm_release(p->comm);
    destroy(p);
    free(p);
}

static int start_request(struct mpi_call *c, const struct mpi_end *from, const struct mpi_end *to,
                         struct pair *p, MPI_Request *request)
{
    static const struct mpi_other kind = {.what = "send and a receive", .finish = finish, .destroy = release};
    p->comm = mpi_comm_retain(from->comm);
    p->request = mpi_request_other(c, from->comm, &kind, p, false, request);
    start(c, p, from, to, on_done);
    one_done(p);
    return MPI_SUCCESS;
}

static struct pair *pair_create(void)
{
    return base_zalloc(sizeof(struct pair), "sends with receives");
}

/* --- calls --------------------------------------------------------------------------------------------- */

int mpi_sendrecv(struct mpi_call *c, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                 int dest, int sendtag, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source,
                 int recvtag, MPI_Comm comm, MPI_Status *status)
{
    struct mpi_end from = {0}, to = {0};
    int rc = mpi_send_end(c, sendbuf, sendcount, sendtype, dest, sendtag, comm, &to);
    if (!rc)
        rc = mpi_receive_end(c, recvbuf, recvcount, recvtype, source, recvtag, comm, &from);
    return rc ? rc : run(c, &from, &to, status);
}

int mpi_isendrecv(struct mpi_call *c, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                  int dest, int sendtag, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype,
                  int source, int recvtag, MPI_Comm comm, MPI_Request *request)
{
    struct mpi_end from = {0}, to = {0};
    int rc = mpi_send_end(c, sendbuf, sendcount, sendtype, dest, sendtag, comm, &to);
    if (!rc)
        rc = mpi_receive_end(c, recvbuf, recvcount, recvtype, source, recvtag, comm, &from);
    if (!rc && !request)
        rc = mpi_fail(c, &from.comm->guarded, MPI_ERR_ARG, "the request's address is NULL");
    return rc ? rc : start_request(c, &from, &to, pair_create(), request);
}

/* The ends of a _replace: the send is from a packed copy. */
static int replace_ends(struct mpi_call *c, void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
                        int sendtag, int source, int recvtag, MPI_Comm comm, struct mpi_end *from,
                        struct mpi_end *to, struct pair *p)
{
    int rc = mpi_send_end(c, buf, count, datatype, dest, sendtag, comm, to);
    if (!rc)
        rc = mpi_receive_end(c, buf, count, datatype, source, recvtag, comm, from);
    if (rc)
        return rc;
    uint64_t bytes = to->buffer.count * types_layout_size(to->buffer.layout);
    p->packed = base_zalloc(bytes + 1, "copies of what is sent");
    types_pack(to->buffer.layout, to->buffer.count, buf, 0, bytes, p->packed);
    to->buffer = (struct p2p_buffer){(uintptr_t)p->packed, bytes, types_layout_of(TYPES_PACKED)};
    return MPI_SUCCESS;
}

int mpi_sendrecv_replace(struct mpi_call *c, void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
                         int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    struct mpi_end from = {0}, to = {0};
    struct pair p = {0};
    int rc = replace_ends(c, buf, count, datatype, dest, sendtag, source, recvtag, comm, &from, &to, &p);
    if (!rc)
        rc = run(c, &from, &to, status);
    free(p.packed);
    return rc;
}

int mpi_isendrecv_replace(struct mpi_call *c, void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
                          int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Request *request)
{
    struct mpi_end from = {0}, to = {0};
    if (!request)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the request's address is NULL");
    struct pair *p = pair_create();
    int rc = replace_ends(c, buf, count, datatype, dest, sendtag, source, recvtag, comm, &from, &to, p);
    if (!rc)
        return start_request(c, &from, &to, p, request);
    free(p);
    return rc;
}
