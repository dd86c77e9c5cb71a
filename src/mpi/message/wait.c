/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait: calls that wait for requests, or test them (MPI-5.0 sections 3.7.3, 3.7.5, 3.7.6). p2p/ waits,
 * whatever the requests stand for; here are the rules of handles and statuses.
 */
#include "mpi/message/parts.h"

#include "mpi/calls.h"

#include <stdlib.h>
#include <string.h>

/* The requests of a call, and p2p's requests of those that are active (NULL: there is nothing to wait for). */
enum { FEW = 16 };
struct set {
    size_t n, active;
    struct mpi_request **q;
    struct p2p_request **p;
    struct mpi_request *few_q[FEW];
    struct p2p_request *few_p[FEW];
};

static void set_release(struct set *s)
{
    for (size_t k = 0; k < s->n; k++)
        if (s->p[k] && s->q[k])
            s->q[k]->held = false;
    if (s->q != s->few_q) {
        free(s->q);
        free(s->p);
    }
}

/* Section 11.6.1: only one call at a time may wait for a request, or test it. */
static int hold(struct mpi_call *c, struct mpi_request *q)
{
    if (BASE_UNLIKELY(q->held))
        return mpi_fail(c, q->comm ? &q->comm->guarded : NULL, MPI_ERR_REQUEST,
                        "the request is in the array twice, or another thread waits for it");
    q->held = true;
    mpi_request_want(q);
    return MPI_SUCCESS;
}

/* That a request is of the same session as those before it; *last: the communicator of one of them. */
static int check_session(struct mpi_call *c, const struct mpi_request *q, struct mpi_comm **last)
{
    struct mpi_comm *before = *last;
    if (q->comm)
        *last = q->comm;
    if (BASE_LIKELY(!before || *last == before))
        return MPI_SUCCESS;
    return mpi_check_sessions(c, &q->comm->guarded, MPI_ERR_REQUEST, before->session, q->comm->session);
}

/* Fails with MPI_ERR_COUNT, _ARG, _REQUEST; then there is no set. */
static int set_read(struct mpi_call *c, int count, MPI_Request requests[], struct set *s)
{
    int rc = MPI_SUCCESS;
    if (count < 0)
        return mpi_fail(c, NULL, MPI_ERR_COUNT, "the number of requests is %d: expected 0 or more", count);
    if (count && !requests)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the array of %d requests is NULL", count);
    struct mpi_comm *last = NULL;
    s->n = (size_t)count;
    s->active = 0;
    s->q = s->n <= FEW ? s->few_q : base_zalloc(s->n * sizeof *s->q, "requests that are waited for");
    s->p = s->n <= FEW ? s->few_p : base_zalloc(s->n * sizeof *s->p, "requests that are waited for");
    memset(s->p, 0, s->n * sizeof *s->p);
    memset(s->q, 0, s->n * sizeof *s->q);
    for (size_t k = 0; k < s->n && !rc; k++) {
        s->q[k] = requests[k] == MPI_REQUEST_NULL ? NULL : mpi_request_of(c, requests[k], &rc);
        if (!s->q[k] || (rc = check_session(c, s->q[k], &last)) || !s->q[k]->active ||
            (rc = hold(c, s->q[k])))
            continue;
        s->p[k] = s->q[k]->p2p;
        s->active++;
    }
    if (BASE_UNLIKELY(rc))
        set_release(s);
    return rc;
}

static MPI_Status *status_at(MPI_Status *statuses, size_t k)
{
    return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[k];
}

/* Request k of the set is complete. `many`: the call's error is MPI_ERR_IN_STATUS. */
static int finish_at(struct mpi_call *c, struct set *s, size_t k, MPI_Request requests[], MPI_Status *status,
                     bool many)
{
    struct mpi_request *q = s->q[k];
    q->held = false;
    s->q[k] = NULL;
    return mpi_request_finish(c, q, &requests[k], status, many);
}

static int in_status(struct mpi_call *c, struct mpi_comm *comm)
{
    int rc = mpi_raise(c, comm ? &comm->guarded : NULL, MPI_ERR_IN_STATUS);
    if (comm)
        mpi_comm_release(comm);
    return rc;
}

/* The communicator of the first request that has failed, for the handler; a reference. */
static struct mpi_comm *failed_comm(struct set *s, size_t k)
{
    struct mpi_comm *comm = s->q[k]->comm;
    return comm ? mpi_comm_retain(comm) : NULL;
}

/* --- one request --------------------------------------------------------------------------------------- */

static int one(struct mpi_call *c, MPI_Request *request, struct mpi_request **out)
{
    int rc = MPI_SUCCESS;
    *out = NULL;
    if (!request)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the request's address is NULL");
    if (*request != MPI_REQUEST_NULL)
        *out = mpi_request_of(c, *request, &rc);
    return rc;
}

int mpi_wait(struct mpi_call *c, MPI_Request *request, MPI_Status *status)
{
    struct mpi_request *q;
    int rc = one(c, request, &q);
    if (BASE_UNLIKELY(rc))
        return rc;
    if (!q || !q->active) {
        mpi_status_empty(status);
        return MPI_SUCCESS;
    }
    if ((rc = hold(c, q)))
        return rc;
    p2p_wait_all(c->rank, &q->p2p, 1, c->name);
    q->held = false;
    return mpi_request_finish(c, q, request, status, false);
}

int mpi_test(struct mpi_call *c, MPI_Request *request, int *flag, MPI_Status *status)
{
    struct mpi_request *q;
    int rc = one(c, request, &q);
    if (BASE_UNLIKELY(rc))
        return rc;
    if (!flag)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the flag's address is NULL");
    if (!q || !q->active) {
        *flag = 1;
        mpi_status_empty(status);
        return MPI_SUCCESS;
    }
    if ((rc = hold(c, q)))
        return rc;
    *flag = p2p_test_all(c->rank, &q->p2p, 1);
    q->held = false;
    return *flag ? mpi_request_finish(c, q, request, status, false) : MPI_SUCCESS;
}

/* --- all ----------------------------------------------------------------------------------------------- */

/* All are complete. Statuses' MPI_ERROR is set only if some have failed. */
static int finish_all(struct mpi_call *c, struct set *s, MPI_Request requests[], MPI_Status statuses[])
{
    struct mpi_comm *comm = NULL;
    bool failed = false;
    for (size_t k = 0; k < s->n; k++) {
        MPI_Status *status = status_at(statuses, k);
        bool active = s->q[k] && s->p[k];
        struct mpi_comm *about = active && !failed ? failed_comm(s, k) : NULL;
        int rc = MPI_SUCCESS;
        if (active)
            rc = finish_at(c, s, k, requests, status, true);
        else
            mpi_status_empty(status);
        if (status != MPI_STATUS_IGNORE && (rc || failed))
            status->MPI_ERROR = rc;
        if (rc && !failed)
            for (size_t i = 0; i < k && statuses != MPI_STATUSES_IGNORE; i++)
                statuses[i].MPI_ERROR = MPI_SUCCESS;
        if (rc && !failed)
            comm = about;
        else if (about)
            mpi_comm_release(about);
        failed |= rc != MPI_SUCCESS;
    }
    return failed ? in_status(c, comm) : MPI_SUCCESS;
}

int mpi_waitall(struct mpi_call *c, int count, MPI_Request requests[], MPI_Status *statuses)
{
    struct set s;
    int rc = set_read(c, count, requests, &s);
    if (BASE_UNLIKELY(rc))
        return rc;
    if (s.active)
        p2p_wait_all(c->rank, s.p, s.n, c->name);
    rc = finish_all(c, &s, requests, statuses);
    set_release(&s);
    return rc;
}

int mpi_testall(struct mpi_call *c, int count, MPI_Request requests[], int *flag, MPI_Status *statuses)
{
    if (!flag)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the flag's address is NULL");
    struct set s;
    int rc = set_read(c, count, requests, &s);
    if (BASE_UNLIKELY(rc))
        return rc;
    *flag = !s.active || p2p_test_all(c->rank, s.p, s.n);
    if (*flag)
        rc = finish_all(c, &s, requests, statuses);
    set_release(&s);
    return rc;
}

/* --- any ----------------------------------------------------------------------------------------------- */

/* What was found, or count: none is active. */
static int finish_any(struct mpi_call *c, struct set *s, size_t at, MPI_Request requests[], int *index,
                      MPI_Status *status)
{
    if (at < s->n) {
        *index = (int)at;
        return finish_at(c, s, at, requests, status, false);
    }
    *index = MPI_UNDEFINED;
    mpi_status_empty(status);
    return MPI_SUCCESS;
}

int mpi_waitany(struct mpi_call *c, int count, MPI_Request requests[], int *index, MPI_Status *status)
{
    if (!index)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the index's address is NULL");
    struct set s;
    int rc = set_read(c, count, requests, &s);
    if (BASE_UNLIKELY(rc))
        return rc;
    size_t at = s.active ? p2p_wait_any(c->rank, s.p, s.n, c->name) : s.n;
    rc = finish_any(c, &s, at, requests, index, status);
    set_release(&s);
    return rc;
}

int mpi_testany(struct mpi_call *c, int count, MPI_Request requests[], int *index, int *flag,
                MPI_Status *status)
{
    if (!flag || !index)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address of the flag or the index is NULL");
    struct set s;
    int rc = set_read(c, count, requests, &s);
    if (BASE_UNLIKELY(rc))
        return rc;
    size_t at = s.active ? p2p_test_any(c->rank, s.p, s.n) : s.n;
    *flag = at < s.n || !s.active;
    *index = MPI_UNDEFINED;
    if (*flag)
        rc = finish_any(c, &s, at, requests, index, status);
    set_release(&s);
    return rc;
}

/* --- some ---------------------------------------------------------------------------------------------- */

/* Request `first` was found complete; so may others be when that one has taken its time. */
static int finish_some(struct mpi_call *c, struct set *s, size_t first, MPI_Request requests[], int *outcount,
                       int indices[], MPI_Status *statuses)
{
    struct mpi_comm *comm = NULL;
    int n = 0;
    bool failed = false;
    rank_catch_up(c->rank);
    for (size_t k = 0; k < s->n; k++) {
        if (!s->p[k] || (k != first && p2p_active(s->p[k])))
            continue;
        if (k != first)
            p2p_wait_all(c->rank, &s->p[k], 1, c->name);
        MPI_Status *status = status_at(statuses, (size_t)n);
        struct mpi_comm *about = !failed ? failed_comm(s, k) : NULL;
        int rc = finish_at(c, s, k, requests, status, true);
        if (status != MPI_STATUS_IGNORE)
            status->MPI_ERROR = rc;
        if (rc && !failed)
            comm = about;
        else if (about)
            mpi_comm_release(about);
        failed |= rc != MPI_SUCCESS;
        indices[n++] = (int)k;
    }
    *outcount = n;
    return failed ? in_status(c, comm) : MPI_SUCCESS;
}

int mpi_waitsome(struct mpi_call *c, int incount, MPI_Request requests[], int *outcount, int indices[],
                 MPI_Status *statuses)
{
    if (!outcount || (incount > 0 && !indices))
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address of the number or of the indices is NULL");
    struct set s;
    int rc = set_read(c, incount, requests, &s);
    if (BASE_UNLIKELY(rc))
        return rc;
    *outcount = MPI_UNDEFINED;
    if (s.active)
        rc = finish_some(c, &s, p2p_wait_any(c->rank, s.p, s.n, c->name), requests, outcount, indices,
                         statuses);
    set_release(&s);
    return rc;
}

int mpi_testsome(struct mpi_call *c, int incount, MPI_Request requests[], int *outcount, int indices[],
                 MPI_Status *statuses)
{
    if (!outcount || (incount > 0 && !indices))
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address of the number or of the indices is NULL");
    struct set s;
    int rc = set_read(c, incount, requests, &s);
    if (BASE_UNLIKELY(rc))
        return rc;
    *outcount = s.active ? 0 : MPI_UNDEFINED;
    size_t at = s.active ? p2p_test_any(c->rank, s.p, s.n) : s.n;
    if (at < s.n)
        rc = finish_some(c, &s, at, requests, outcount, indices, statuses);
    set_release(&s);
    return rc;
}
