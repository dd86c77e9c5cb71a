/* SPDX-License-Identifier: BSD-3-Clause */
/* message: blocking sends and receives. */
#include "mpi/message/message.h"

#include "mpi/calls.h"

int mpi_send(struct mpi_call *c, const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
             MPI_Comm comm)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    struct p2p_buffer b;
    struct p2p_status s;
    if (!of || (rc = mpi_type_buffer(c, &of->guarded, buf, count, datatype, &b)))
        return rc;
    p2p_send(c->rank, coll_group_rank(mpi_comm_peers(of), (uint32_t)dest), of->space->context, tag, &b,
             P2P_STANDARD, c->name, &s);
    return MPI_SUCCESS;
}

int mpi_recv(struct mpi_call *c, void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag,
             MPI_Comm comm, MPI_Status *status)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    struct p2p_buffer b;
    struct p2p_status s;
    if (!of || (rc = mpi_type_buffer(c, &of->guarded, buf, count, datatype, &b)))
        return rc;
    struct p2p_envelope e = {of->space->context,
                             source == MPI_ANY_SOURCE ? (uint32_t)P2P_ANY_SOURCE
                                                      : coll_group_rank(mpi_comm_peers(of), (uint32_t)source),
                             tag == MPI_ANY_TAG ? P2P_ANY_TAG : tag};
    p2p_receive(c->rank, &e, &b, c->name, &s);
    if (status != MPI_STATUS_IGNORE) {
        status->MPI_SOURCE = (int)coll_group_place(mpi_comm_peers(of), s.source);
        status->MPI_TAG = s.tag;
    }
    return MPI_SUCCESS;
}

void mpi_message_register(void)
{
}
