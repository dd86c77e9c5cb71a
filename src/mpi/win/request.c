/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * request: requests of MPI_Rput and its kin (MPI-5.0 section 12.3.5). One is complete when its operation is
 * locally: the operand may be used again, the result is there.
 */
#include "mpi/win/parts.h"

#include <stdlib.h>

struct asked {
    struct rma_notice notice; /* first */
    struct mpi_request *q;
    struct rank *rank;
    struct rma_ctx *ctx; /* until the operation is locally complete */
    uint32_t context;    /* its number */
    const char *call;
    bool dropped, complete; /* the record goes when both are true */
};

static void release(struct asked *a)
{
    if (a->dropped && a->complete)
        free(a);
}

static void local(struct rma_notice *n)
{
    struct asked *a = BASE_CONTAINER(n, struct asked, notice);
    a->ctx = NULL;
    mpi_request_done(a->q);
}

static void complete(struct rma_notice *n)
{
    struct asked *a = BASE_CONTAINER(n, struct asked, notice);
    a->complete = true;
    release(a);
}

static void destroy(void *arg)
{
    struct asked *a = arg;
    a->dropped = true;
    release(a);
}

static void wanted(void *arg)
{
    const struct asked *a = arg;
    if (a->ctx)
        rma_need_local(a->ctx, &a->notice);
}

/* Its thread learns that the operation is over. */
static int finish(struct mpi_request *q, void *arg, MPI_Status *status)
{
    const struct asked *a = arg;
    (void)q;
    (void)status;
    if (BASE_UNLIKELY(rma_is_heard(a->rank)) && a->notice.operation)
        rma_tell((struct rma_sync){.kind = RMA_SYNC_OPERATION,
                                   .rank = a->rank,
                                   .context = a->context,
                                   .call = a->call,
                                   .limit = a->notice.operation});
    return MPI_SUCCESS;
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct asked *a = arg;
    snprintf(buf, size, "%s", a->call);
}

int mpi_win_request(struct mpi_call *c, struct mpi_win *w, MPI_Request *request)
{
    static const struct mpi_other kind = {.what = "one-sided operation",
                                          .wanted = wanted,
                                          .finish = finish,
                                          .describe = describe,
                                          .destroy = destroy};
    if (!request)
        return mpi_fail(c, &w->guarded, MPI_ERR_ARG, "the place for the request is NULL");
    struct asked *a = base_zalloc(sizeof *a, "requests of one-sided operations");
    struct rma_ctx *x = w->ctx ? w->ctx : mpi_win_ctx_make(w);
    *a = (struct asked){.notice = {.local = local, .complete = complete},
                        .rank = c->rank,
                        .ctx = x,
                        .context = rma_ctx_number(x),
                        .call = c->name};
    a->q = mpi_request_other(c, NULL, &kind, a, false, request);
    rma_notify_next(x, &a->notice);
    return MPI_SUCCESS;
}
