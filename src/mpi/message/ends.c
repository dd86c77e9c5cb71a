/* SPDX-License-Identifier: BSD-3-Clause */
/* ends: the arguments that say what is sent where, or received from where (MPI-5.0 section 3.2). */
#include "mpi/message/parts.h"

#include <string.h>

static int wrong_rank(struct mpi_call *c, struct mpi_comm *comm, const char *what, int rank)
{
    char name[200];
    return mpi_fail(c, &comm->guarded, MPI_ERR_RANK, "the %s is %d: %s has ranks 0 to %u", what, rank,
                    mpi_comm_text(comm, name, sizeof name), mpi_comm_peers(comm)->size - 1);
}

static int wrong_tag(struct mpi_call *c, struct mpi_comm *comm, int tag)
{
    return mpi_fail(c, &comm->guarded, MPI_ERR_TAG, "the tag is %d: expected 0 to %d", tag, INT32_MAX);
}

/* No items need no datatype. */
static int buffer(struct mpi_call *c, struct mpi_comm *of, const void *buf, MPI_Count count,
                  MPI_Datatype datatype, struct p2p_buffer *out)
{
    if (BASE_UNLIKELY(count == 0 && datatype == MPI_DATATYPE_NULL))
        datatype = MPI_BYTE;
    return mpi_type_buffer(c, &of->guarded, buf, count, datatype, out);
}

int mpi_send_end(struct mpi_call *c, const void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
                 int tag, MPI_Comm comm, struct mpi_end *out)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (BASE_UNLIKELY(!of))
        return rc;
    const struct coll_group *peers = mpi_comm_peers(of);
    if ((rc = buffer(c, of, buf, count, datatype, &out->buffer)))
        return rc;
    out->comm = of;
    out->nobody = dest == MPI_PROC_NULL;
    if (BASE_UNLIKELY((uint32_t)dest >= peers->size && !out->nobody))
        return wrong_rank(c, of, "destination", dest);
    if (BASE_UNLIKELY(tag < 0))
        return wrong_tag(c, of, tag);
    out->to = out->nobody ? 0 : coll_group_rank(peers, (uint32_t)dest);
    out->wanted = (struct p2p_envelope){of->space->context, 0, tag};
    return MPI_SUCCESS;
}

/* Whom and what a receive or a probe looks for. */
static int wanted(struct mpi_call *c, struct mpi_comm *of, int source, int tag, struct mpi_end *out)
{
    const struct coll_group *peers = mpi_comm_peers(of);
    out->comm = of;
    out->nobody = source == MPI_PROC_NULL;
    if (BASE_UNLIKELY((uint32_t)source >= peers->size && !out->nobody && source != MPI_ANY_SOURCE))
        return wrong_rank(c, of, "source", source);
    if (BASE_UNLIKELY(tag < 0 && tag != MPI_ANY_TAG))
        return wrong_tag(c, of, tag);
    uint32_t from = source < 0 ? (uint32_t)P2P_ANY_SOURCE : coll_group_rank(peers, (uint32_t)source);
    out->wanted = (struct p2p_envelope){of->space->context, from, tag == MPI_ANY_TAG ? P2P_ANY_TAG : tag};
    return MPI_SUCCESS;
}

int mpi_receive_end(struct mpi_call *c, void *buf, MPI_Count count, MPI_Datatype datatype, int source,
                    int tag, MPI_Comm comm, struct mpi_end *out)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (BASE_UNLIKELY(!of))
        return rc;
    if ((rc = buffer(c, of, buf, count, datatype, &out->buffer)))
        return rc;
    return wanted(c, of, source, tag, out);
}

int mpi_probe_end(struct mpi_call *c, int source, int tag, MPI_Comm comm, struct mpi_end *out)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    return BASE_LIKELY(of != NULL) ? wanted(c, of, source, tag, out) : rc;
}

enum p2p_sending mpi_standard(const struct mpi_rank *self, const struct mpi_end *to)
{
    bool waits = !to->nobody && (self->job->unbuffered || rank_choose(self->rank, RANK_CHOOSE_SEND, 2));
    return BASE_UNLIKELY(waits) ? P2P_WAITING : P2P_STANDARD;
}
