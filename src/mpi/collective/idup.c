/* SPDX-License-Identifier: BSD-3-Clause */
/* idup: duplicates of communicators that do not wait (MPI-5.0 section 7.4.2). Their members agree on a
 * context by a collective that goes on after the call. */
#include "mpi/calls.h"
#include "mpi/message/message.h"

#include <stdlib.h>

struct idup {
    struct mpi_request *q; /* NULL: it is not there yet */
    bool done;
};

static void describe(const void *arg, char *buf, size_t size)
{
    (void)arg;
    snprintf(buf, size, "members of the communicator that have not called MPI_Comm_idup");
}

static void agreed(void *arg)
{
    struct idup *d = arg;
    d->done = true;
    if (d->q)
        mpi_request_done(d->q);
}

int mpi_comm_idup_with_info(struct mpi_call *c, MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm,
                            MPI_Request *request)
{
    static const struct mpi_other kind = {.what = "duplicate", .describe = describe, .destroy = free};
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of)
        return rc;
    if (!newcomm || !request)
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "the place for the %s is NULL",
                        newcomm ? "request" : "new communicator");
    struct idup *d = base_zalloc(sizeof *d, "communicators");
    rc = mpi_comm_idup_start(c, of, info, newcomm, agreed, d);
    d->q = mpi_request_other(c, of, &kind, d, false, request);
    if (d->done)
        mpi_request_done(d->q);
    return rc;
}

int mpi_comm_idup(struct mpi_call *c, MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    return mpi_comm_idup_with_info(c, comm, MPI_INFO_NULL, newcomm, request);
}
