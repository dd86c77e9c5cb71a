/* SPDX-License-Identifier: BSD-3-Clause */
/* general: generalized requests (MPI-5.0 section 13.2): the program does their work, and says when it is
 * done. */
#include "mpi/message/parts.h"

#include "mpi/calls.h"

#include <stdlib.h>

struct general {
    struct mpi_rank *owner;
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *state;
    MPI_Status *status; /* of the call of `query` under way */
    bool complete;      /* for the call of `cancel` */
    int rc;             /* of the last function called */
};

static void call_query(void *arg)
{
    struct general *g = arg;
    g->rc = g->query(g->state, g->status);
}
static void call_free(void *arg)
{
    struct general *g = arg;
    g->rc = g->free(g->state);
}
static void call_cancel(void *arg)
{
    struct general *g = arg;
    g->rc = g->cancel(g->state, g->complete);
}

static int finish(struct mpi_request *q, void *arg, MPI_Status *status)
{
    struct general *g = arg;
    (void)q;
    if (!g->query)
        return MPI_SUCCESS;
    g->status = status;
    rank_call_back(g->owner->rank, call_query, g);
    return g->rc;
}

static bool cancel(void *arg, bool complete)
{
    struct general *g = arg;
    g->complete = complete;
    if (g->cancel)
        rank_call_back(g->owner->rank, call_cancel, g);
    return true;
}

static void destroy(void *arg)
{
    struct general *g = arg;
    if (g->free && rank_current == g->owner->rank)
        rank_call_back(g->owner->rank, call_free, g);
    free(g);
}

static const struct mpi_other kind = {
    .what = "generalized request", .finish = finish, .destroy = destroy, .cancel = cancel};

int mpi_grequest_start(struct mpi_call *c, MPI_Grequest_query_function *query_fn,
                       MPI_Grequest_free_function *free_fn, MPI_Grequest_cancel_function *cancel_fn,
                       void *extra_state, MPI_Request *request)
{
    if (!request)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the request's address is NULL");
    struct general *g = base_zalloc(sizeof *g, "generalized requests");
    *g = (struct general){
        .owner = c->self, .query = query_fn, .free = free_fn, .cancel = cancel_fn, .state = extra_state};
    mpi_request_other(c, NULL, &kind, g, false, request);
    return MPI_SUCCESS;
}

int mpi_grequest_complete(struct mpi_call *c, MPI_Request request)
{
    int rc = MPI_SUCCESS;
    struct mpi_request *q = mpi_find(c->self, MPI_KIND_REQUEST, request); /* the program may have freed it */
    if (!q)
        return mpi_request_of(c, request, &rc) ? MPI_SUCCESS : rc;
    if (q->other != &kind || !p2p_active(q->p2p))
        return mpi_fail(c, NULL, MPI_ERR_REQUEST, "the request is not a generalized one that is under way");
    if (BASE_UNLIKELY(rank_checker != NULL)) {
        rank_moment *order = &p2p_request_pending(q->p2p)->order;
        *order = rank_order_join(*order, rank_order_release(c->rank));
    }
    mpi_request_done(q);
    return MPI_SUCCESS;
}
