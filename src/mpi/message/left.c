/* SPDX-License-Identifier: BSD-3-Clause */
/* left: what a rank leaves behind at the end of the library: requests that it never completed or freed. */
#include "mpi/message/parts.h"

#include <stdlib.h>

struct count {
    size_t active, inactive;
};

static void add(void *arg, void *object)
{
    struct count *n = arg;
    const struct mpi_request *q = object;
    if (q->active)
        n->active++;
    else
        n->inactive++;
}

void mpi_message_leftovers(struct mpi_call *c)
{
    struct count n = {0};
    mpi_handle_each(c->self, MPI_KIND_REQUEST, add, &n);
    if (n.active || n.inactive)
        base_notice("mpi/leftover",
                    "%s: requests are left: %zu neither waited for nor freed, %zu persistent ones", c->name,
                    n.active, n.inactive);
}

static void end_request(void *arg, void *object)
{
    (void)arg;
    struct mpi_request *q = object;
    if (q->kind != MPI_REQUEST_OTHER || !p2p_active(q->p2p))
        mpi_request_drop(q);
}

static void leave(struct mpi_rank *self)
{
    mpi_handle_each(self, MPI_KIND_REQUEST, end_request, NULL);
    free(self->bsends);
    self->bsends = NULL;
}

void mpi_message_register(void)
{
    static const struct mpi_keeper keeper = {.leave = leave};
    mpi_keeper_register(&keeper);
}
