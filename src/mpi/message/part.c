/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * part: partitioned communication (MPI-5.0 chapter 4). The partitions of a start travel as one message, which
 * sets out when the last one is ready; the receiver may divide it otherwise. So a partition has arrived when
 * all have. Which requests belong together: paired.c.
 */
#include "mpi/message/parts.h"

#include "mpi/calls.h"

#include <stdlib.h>
#include <string.h>

struct part {
    struct mpi_comm *comm; /* a reference */
    struct mpi_request *request;
    struct p2p_request *message; /* NULL: MPI_PROC_NULL */
    uint32_t n, ready;
    bool sends;
    int32_t tag;             /* the program's */
    unsigned char *is_ready; /* of each partition, of a send */
    /* For a checker: */
    rank_moment order; /* after the partitions that are ready */
    uint64_t *actions; /* the uses of partitions; NULL: nobody asks */
};

/* --- for checkers ------------------------------------------------------------------------------------ */

/* A partition is in use from MPI_Pready, or the start of the receive. */
static void use(struct part *p, uint32_t k)
{
    if (BASE_LIKELY(!rank_checker) || !p->message)
        return;
    struct p2p_buffer b = *p2p_request_buffer(p->message);
    struct rank *r = p->comm->owner->rank;
    b.count /= p->n;
    b.address += k * b.count * (uintptr_t)types_layout_bounds(b.layout).extent;
    if (!p->actions)
        p->actions = base_zalloc(p->n * sizeof *p->actions, "partitioned messages");
    p->actions[k] = p2p_use(r, rank_call_of(r->call), &b, p->sends ? RANK_READS : RANK_WRITES);
    if (p->sends)
        p->order = rank_order_join(p->order, rank_order_release(r));
}

static void used(struct part *p, uint32_t k)
{
    if (!p->actions)
        return;
    rank_action_end(p->comm->owner->rank, p->actions[k]);
    p->actions[k] = 0;
}

/* The message sets out after all partitions were ready. */
static void order_start(struct part *p)
{
    struct rank_pending *m = p2p_request_pending(p->message);
    m->order = rank_order_join(m->order, p->order);
    p->order = 0;
}

/* --- their work -------------------------------------------------------------------------------------- */

static void on_done(struct p2p_request *q, void *arg)
{
    struct part *p = arg;
    (void)q;
    mpi_request_done(p->request);
}

static void send_if_ready(struct part *p)
{
    if (p->ready != p->n)
        return;
    if (!p->message) {
        mpi_request_done(p->request);
        return;
    }
    order_start(p);
    p2p_issue(p->message);
}

static void start(struct mpi_request *q, void *arg)
{
    struct part *p = arg;
    (void)q;
    p->ready = 0;
    if (p->sends) {
        memset(p->is_ready, 0, p->n);
        send_if_ready(p);
    } else if (p->message) {
        for (uint32_t k = 0; BASE_UNLIKELY(rank_checker != NULL) && k < p->n; k++)
            use(p, k);
        p2p_issue(p->message);
    } else {
        mpi_request_done(p->request);
    }
}

static int finish(struct mpi_request *q, void *arg, MPI_Status *status)
{
    struct part *p = arg;
    struct mpi_call c = {.self = q->owner, .rank = q->owner->rank, .name = rank_call_of(q->owner->rank->call)};
    for (uint32_t k = 0; p->actions && k < p->n; k++)
        used(p, k);
    if (!p->message) {
        if (!p->sends)
            mpi_status_nobody(status);
        return MPI_SUCCESS;
    }
    if (BASE_UNLIKELY(rank_checker != NULL))
        p2p_request_seen(p->message);
    struct p2p_status s = *p2p_status(p->message);
    s.tag = p->tag;
    if (!p->sends)
        mpi_status_received(status, p->comm, &s);
    return mpi_outcome(&c, p->comm, &s, !p->sends);
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct part *p = arg;
    if (p->sends && p->ready < p->n)
        snprintf(buf, size, "%u of %u partitions to be ready", p->n - p->ready, p->n);
    else
        snprintf(buf, size, "a partitioned %s", p->sends ? "send to be received" : "message");
}

static void destroy(void *arg)
{
    struct part *p = arg;
    if (p->message)
        p2p_request_destroy(p->message);
    mpi_comm_release(p->comm);
    rank_order_forget(p->order);
    free(p->actions);
    free(p->is_ready);
    free(p);
}

static const struct mpi_other kind = {.what = "partitioned message",
                                      .start = start,
                                      .finish = finish,
                                      .describe = describe,
                                      .destroy = destroy,
                                      .must_end = true};

static int init(struct mpi_call *c, int partitions, struct mpi_end *e, bool sends, MPI_Request *request)
{
    if (partitions < 0)
        return mpi_fail(c, &e->comm->guarded, MPI_ERR_ARG,
                        "the number of partitions is %d: expected 0 or more", partitions);
    if (!request)
        return mpi_fail(c, &e->comm->guarded, MPI_ERR_ARG, "the request's address is NULL");
    struct part *p = base_zalloc(sizeof *p, "partitioned messages");
    *p = (struct part){.comm = mpi_comm_retain(e->comm), .n = (uint32_t)partitions, .sends = sends};
    if (!e->nobody) {
        uint32_t me = c->rank->id, from = sends ? me : e->wanted.source, to = sends ? e->to : me;
        p->tag = e->wanted.tag;
        e->wanted.tag = mpi_part_pair(c->self->job, from, to, e->wanted.context, e->wanted.tag, sends);
        e->wanted.context = MPI_PARTS_CONTEXT;
    }
    e->buffer.count *= (uint64_t)partitions;
    if (sends)
        p->is_ready = base_zalloc((size_t)partitions, "partitioned messages");
    if (!e->nobody) {
        p->message = sends ? p2p_send_create(c->rank, e->to, e->wanted.context, e->wanted.tag, &e->buffer,
                                             mpi_standard(c->self, e), c->name)
                           : p2p_receive_create(c->rank, &e->wanted, &e->buffer, c->name);
        p2p_request_tell(p->message, on_done, p);
        p2p_request_uses_apart(p->message);
    }
    p->request = mpi_request_other(c, e->comm, &kind, p, true, request);
    return MPI_SUCCESS;
}

int mpi_psend_init(struct mpi_call *c, const void *buf, int partitions, MPI_Count count,
                   MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info,
                   MPI_Request *request)
{
    struct mpi_end e;
    int rc = mpi_send_end(c, buf, count, datatype, dest, tag, comm, &e);
    (void)info;
    return rc ? rc : init(c, partitions, &e, true, request);
}

int mpi_precv_init(struct mpi_call *c, void *buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                   int source, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct mpi_end e;
    int rc = mpi_receive_end(c, buf, count, datatype, source, tag, comm, &e);
    (void)info;
    if (!rc && (source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG))
        return mpi_fail(c, &e.comm->guarded, source == MPI_ANY_SOURCE ? MPI_ERR_RANK : MPI_ERR_TAG,
                        "a partitioned receive has no wildcards");
    return rc ? rc : init(c, partitions, &e, false, request);
}

/* The request of a call that names partitions [low, high]. */
static struct part *part_of(struct mpi_call *c, MPI_Request request, bool sends, int low, int high, int *rc)
{
    struct mpi_request *q = mpi_request_of(c, request, rc);
    if (!q)
        return NULL;
    struct part *p = q->other == &kind ? q->arg : NULL;
    if (!p || p->sends != sends) {
        *rc = mpi_fail(c, NULL, MPI_ERR_REQUEST, "the request is no partitioned %s",
                       sends ? "send" : "receive");
        return NULL;
    }
    if (low < 0 || high >= (int)p->n || low > high) {
        *rc = mpi_fail(c, &p->comm->guarded, MPI_ERR_ARG, "partitions %d to %d: there are 0 to %u", low, high,
                       p->n - 1);
        return NULL;
    }
    if (sends && !q->active) {
        *rc = mpi_fail(c, &p->comm->guarded, MPI_ERR_REQUEST, "the partitioned send was not started");
        return NULL;
    }
    return p;
}

static int ready(struct mpi_call *c, struct part *p, int k)
{
    if (p->is_ready[k])
        return mpi_fail(c, &p->comm->guarded, MPI_ERR_ARG, "partition %d was marked as ready before", k);
    p->is_ready[k] = 1;
    p->ready++;
    use(p, (uint32_t)k);
    send_if_ready(p);
    return MPI_SUCCESS;
}

int mpi_pready(struct mpi_call *c, int partition, MPI_Request request)
{
    int rc = MPI_SUCCESS;
    struct part *p = part_of(c, request, true, partition, partition, &rc);
    return p ? ready(c, p, partition) : rc;
}

int mpi_pready_range(struct mpi_call *c, int partition_low, int partition_high, MPI_Request request)
{
    int rc = MPI_SUCCESS;
    struct part *p = part_of(c, request, true, partition_low, partition_high, &rc);
    for (int k = partition_low; p && !rc && k <= partition_high; k++)
        rc = ready(c, p, k);
    return rc;
}

int mpi_pready_list(struct mpi_call *c, int length, const int array_of_partitions[], MPI_Request request)
{
    int rc = MPI_SUCCESS;
    if (length < 0 || (length && !array_of_partitions))
        return mpi_fail(c, NULL, length < 0 ? MPI_ERR_COUNT : MPI_ERR_ARG,
                        "%d partitions in a list: expected 0 or more, and an array", length);
    for (int k = 0; k < length && !rc; k++)
        rc = mpi_pready(c, array_of_partitions[k], request);
    return rc;
}

int mpi_parrived(struct mpi_call *c, MPI_Request request, int partition, int *flag)
{
    int rc = MPI_SUCCESS;
    if (!flag)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the flag's address is NULL");
    *flag = 1;
    if (request == MPI_REQUEST_NULL)
        return rc;
    struct part *p = part_of(c, request, false, partition, partition, &rc);
    if (!p)
        return rc;
    p2p_test_pay(c->rank);
    *flag = !p->request->active || !p2p_active(p->request->p2p);
    if (*flag && BASE_UNLIKELY(rank_checker != NULL) && p->message) {
        p2p_request_seen(p->message);
        used(p, (uint32_t)partition);
    }
    return MPI_SUCCESS;
}
