/* SPDX-License-Identifier: BSD-3-Clause */
/* status: what statuses hold, and how a message ended. */
#include "mpi/message/parts.h"

#include "mpi/calls.h"

#include <string.h>

/* Places in MPI_internal: the bytes in two halves, and whether it was cancelled. */
enum { BYTES = 0, CANCELLED = 2 };

int64_t mpi_status_bytes(const MPI_Status *s)
{
    int64_t bytes;
    memcpy(&bytes, &s->MPI_internal[BYTES], sizeof bytes);
    return bytes;
}

void mpi_status_set_bytes(MPI_Status *s, int64_t bytes)
{
    memcpy(&s->MPI_internal[BYTES], &bytes, sizeof bytes);
}

static void fill(MPI_Status *s, int source, int tag, int64_t bytes, bool cancelled)
{
    s->MPI_SOURCE = source;
    s->MPI_TAG = tag;
    mpi_status_set_bytes(s, bytes);
    s->MPI_internal[CANCELLED] = cancelled;
}

void mpi_status_empty(MPI_Status *s)
{
    if (s == MPI_STATUS_IGNORE)
        return;
    fill(s, MPI_ANY_SOURCE, MPI_ANY_TAG, 0, false);
    s->MPI_ERROR = MPI_SUCCESS;
}

void mpi_status_nobody(MPI_Status *s)
{
    if (s != MPI_STATUS_IGNORE)
        fill(s, MPI_PROC_NULL, MPI_ANY_TAG, 0, false);
}

void mpi_status_received(MPI_Status *s, const struct mpi_comm *comm, const struct p2p_status *from)
{
    if (s != MPI_STATUS_IGNORE)
        fill(s, (int)coll_group_place(mpi_comm_peers(comm), from->source), from->tag, (int64_t)from->bytes,
             from->outcome == P2P_CANCELLED);
}

/* --- how it ended ------------------------------------------------------------------------------------ */

static int truncated(struct mpi_call *c, struct mpi_comm *comm, const struct p2p_status *s)
{
    char name[200];
    return mpi_fail(
        c, &comm->guarded, MPI_ERR_TRUNCATE,
        "a message of %llu bytes from rank %u, tag %d, of %s: its receive has room for %llu bytes",
        (unsigned long long)s->bytes, coll_group_place(mpi_comm_peers(comm), s->source), s->tag,
        mpi_comm_text(comm, name, sizeof name), (unsigned long long)s->room);
}

/* No library would notice, so this is no error of the call. */
static int mismatched(struct mpi_call *c, struct mpi_comm *comm, const struct p2p_status *s)
{
    char name[200], from[200], to[200];
    const struct p2p_unlike *u = s->unlike;
    rank_code_name(rank_at(c->rank->job, s->source), u->sender, from, sizeof from);
    rank_code_name(c->rank, u->receiver, to, sizeof to);
    base_warn(
        "misuse/types",
        "%s: a message of %llu bytes from rank %u, tag %d, of %s is of other datatypes than its receive: "
        "element %llu is %s in %s%s%s, and %s in %s%s%s",
        c->name, (unsigned long long)s->bytes, coll_group_place(mpi_comm_peers(comm), s->source), s->tag,
        mpi_comm_text(comm, name, sizeof name), (unsigned long long)u->elements.at,
        types_element_info(u->elements.a)->name, u->sent_by, *from ? " in " : "", from,
        types_element_info(u->elements.b)->name, u->wanted_by, *to ? " in " : "", to);
    return MPI_SUCCESS;
}

int mpi_outcome(struct mpi_call *c, struct mpi_comm *comm, const struct p2p_status *s, bool is_receive)
{
    switch (s->outcome) {
    case P2P_OK:
    case P2P_CANCELLED:
        return MPI_SUCCESS;
    case P2P_TRUNCATED:
        return truncated(c, comm, s);
    case P2P_MISMATCHED:
        return mismatched(c, comm, s);
    case P2P_NOT_POSTED:
        return mpi_fail(c, &comm->guarded, MPI_ERR_OTHER,
                        "a message sent in ready mode, with tag %d, found no receive posted for it", s->tag);
    case P2P_FAILED:
        rank_operation_failed(c->rank, is_receive ? "the receive of a message" : "the send of a message",
                              &s->failure);
        return MPI_ERR_PROC_ABORTED;
    }
    return MPI_ERR_INTERN;
}

int mpi_outcome_class(struct mpi_call *c, struct mpi_comm *comm, const struct p2p_status *s, bool is_receive)
{
    if (comm->guarded.errhandler->reaction <= MPI_REACT_ABORT || s->outcome == P2P_FAILED)
        return mpi_outcome(c, comm, s, is_receive);
    return s->outcome == P2P_TRUNCATED    ? MPI_ERR_TRUNCATE
           : s->outcome == P2P_MISMATCHED ? mismatched(c, comm, s)
           : s->outcome == P2P_NOT_POSTED ? MPI_ERR_OTHER
                                          : MPI_SUCCESS;
}

/* --- the program's own use ----------------------------------------------------------------------------- */

int mpi_get_count(struct mpi_call *c, const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    const struct mpi_type *t = mpi_type_find(c->self, datatype);
    if (!status || !count)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the status or the count is NULL");
    if (!t)
        return mpi_fail(c, NULL, MPI_ERR_TYPE, "%#lx is no datatype", (unsigned long)(uintptr_t)datatype);
    uint64_t size = types_layout_size(t->layout), bytes = (uint64_t)mpi_status_bytes(status);
    if (size)
        *count = bytes % size ? MPI_UNDEFINED : (MPI_Count)(bytes / size);
    else
        *count = bytes ? MPI_UNDEFINED : 0;
    return MPI_SUCCESS;
}

int mpi_test_cancelled(struct mpi_call *c, const MPI_Status *status, int *flag)
{
    if (!status || !flag)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the status or the flag is NULL");
    *flag = status->MPI_internal[CANCELLED];
    return MPI_SUCCESS;
}

int mpi_status_set_cancelled(struct mpi_call *c, MPI_Status *status, int flag)
{
    if (!status)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the status is NULL");
    status->MPI_internal[CANCELLED] = flag != 0;
    return MPI_SUCCESS;
}

/* MPI-4.1's functions for languages that do not see the struct. */
#define GETTER(name, field)                                                                                  \
    int mpi_status_get_##name(struct mpi_call *c, const MPI_Status *status, int *out)                        \
    {                                                                                                        \
        if (!status || !out)                                                                                 \
            return mpi_fail(c, NULL, MPI_ERR_ARG, "the status or the result is NULL");                       \
        *out = status->field;                                                                                \
        return MPI_SUCCESS;                                                                                  \
    }                                                                                                        \
    int mpi_status_set_##name(struct mpi_call *c, MPI_Status *status, int value)                             \
    {                                                                                                        \
        if (!status)                                                                                         \
            return mpi_fail(c, NULL, MPI_ERR_ARG, "the status is NULL");                                     \
        status->field = value;                                                                               \
        return MPI_SUCCESS;                                                                                  \
    }
GETTER(source, MPI_SOURCE)
GETTER(tag, MPI_TAG)
GETTER(error, MPI_ERROR)
