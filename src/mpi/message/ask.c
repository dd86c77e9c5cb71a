/* SPDX-License-Identifier: BSD-3-Clause */
/* ask: whether requests are complete, without completing them (MPI-5.0 section 3.7.6). A look takes the time
 * of a test, so that a loop of looks lets time pass. */
#include "mpi/message/parts.h"

#include "mpi/calls.h"

/* What a complete request has to tell; its state stays. */
static void tell(const struct mpi_request *q, MPI_Status *status)
{
    const struct p2p_status *s = p2p_status(q->p2p);
    mpi_status_empty(status);
    if (q->kind == MPI_REQUEST_RECEIVE)
        mpi_status_received(status, q->comm, s);
    else if (q->kind == MPI_REQUEST_NOTHING)
        mpi_status_nobody(status);
}

static int look(struct mpi_call *c, MPI_Request request, struct mpi_request **out, bool *complete)
{
    int rc = MPI_SUCCESS;
    *out = NULL;
    *complete = true;
    if (request == MPI_REQUEST_NULL || !(*out = mpi_request_of(c, request, &rc)))
        return rc;
    *complete = !(*out)->active || !p2p_active((*out)->p2p);
    if (!*complete)
        mpi_request_want(*out);
    return MPI_SUCCESS;
}

static int told(struct mpi_call *c, struct mpi_request *q, MPI_Status *status)
{
    if (q && q->active && BASE_UNLIKELY(rank_checker != NULL))
        p2p_request_seen(q->p2p);
    if (!q || !q->active)
        mpi_status_empty(status);
    else if (q->kind == MPI_REQUEST_OTHER && q->other->finish) {
        MPI_Status own;
        mpi_status_empty(&own);
        mpi_status_empty(status);
        return q->other->finish(q, q->arg, status == MPI_STATUS_IGNORE ? &own : status);
    } else
        tell(q, status);
    (void)c;
    return MPI_SUCCESS;
}

int mpi_request_get_status(struct mpi_call *c, MPI_Request request, int *flag, MPI_Status *status)
{
    struct mpi_request *q;
    bool complete;
    if (!flag)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the flag's address is NULL");
    p2p_test_pay(c->rank);
    int rc = look(c, request, &q, &complete);
    *flag = !rc && complete;
    return *flag ? told(c, q, status) : rc;
}

static int check_array(struct mpi_call *c, int count, const MPI_Request requests[])
{
    if (count < 0)
        return mpi_fail(c, NULL, MPI_ERR_COUNT, "the number of requests is %d: expected 0 or more", count);
    if (count && !requests)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the array of %d requests is NULL", count);
    return MPI_SUCCESS;
}

int mpi_request_get_status_all(struct mpi_call *c, int count, const MPI_Request requests[], int *flag,
                               MPI_Status *statuses)
{
    struct mpi_request *q;
    bool complete = true;
    int rc = check_array(c, count, requests);
    *flag = 0;
    p2p_test_pay(c->rank);
    for (int k = 0; k < count && !rc && complete; k++)
        rc = look(c, requests[k], &q, &complete);
    *flag = !rc && complete;
    for (int k = 0; k < count && *flag && !rc; k++)
        if (!(rc = look(c, requests[k], &q, &complete)))
            rc = told(c, q, statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[k]);
    return rc;
}

int mpi_request_get_status_any(struct mpi_call *c, int count, const MPI_Request requests[], int *index,
                               int *flag, MPI_Status *status)
{
    struct mpi_request *q;
    bool complete;
    int active = 0, rc = check_array(c, count, requests);
    *flag = 0;
    *index = MPI_UNDEFINED;
    p2p_test_pay(c->rank);
    for (int k = 0; k < count && !rc; k++) {
        if ((rc = look(c, requests[k], &q, &complete)) || !q || !q->active)
            continue;
        active++;
        if (complete) {
            *flag = 1;
            *index = k;
            return told(c, q, status);
        }
    }
    if (!active && !rc) {
        *flag = 1;
        mpi_status_empty(status);
    }
    return rc;
}

int mpi_request_get_status_some(struct mpi_call *c, int incount, const MPI_Request requests[], int *outcount,
                                int indices[], MPI_Status *statuses)
{
    struct mpi_request *q;
    bool complete;
    int active = 0, n = 0, rc = check_array(c, incount, requests);
    p2p_test_pay(c->rank);
    for (int k = 0; k < incount && !rc; k++) {
        if ((rc = look(c, requests[k], &q, &complete)) || !q || !q->active)
            continue;
        active++;
        if (!complete)
            continue;
        rc = told(c, q, statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[n]);
        indices[n++] = k;
    }
    *outcount = active ? n : MPI_UNDEFINED;
    return rc;
}
