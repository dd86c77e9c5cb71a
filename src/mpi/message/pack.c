/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pack: MPI_Pack and MPI_Unpack (MPI-5.0 section 5.2). Packed data is the data alone, in the order of the type map, in
 * the host's representation.
 */
#include "mpi/calls.h"
#include "mpi/message/message.h"

/* What both are about: items of memory, and a packed buffer of `size` bytes, used from *position on. */
struct packing {
    struct p2p_buffer items;
    uint64_t bytes;
    MPI_Comm comm;
    const void *memory, *packed;
    MPI_Count size, *position;
};

static int check(struct mpi_call *c, struct packing *p, MPI_Count count, MPI_Datatype datatype)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *comm = mpi_comm_of(c, p->comm, &rc);
    if (!comm)
        return rc;
    struct mpi_guarded *on = &comm->guarded;
    if ((rc = mpi_type_buffer(c, on, p->memory, count, datatype, &p->items)))
        return rc;
    p->bytes = types_layout_size(p->items.layout) * (uint64_t)count;
    if (!p->position)
        return mpi_fail(c, on, MPI_ERR_ARG, "the place of the position is NULL");
    if (p->size < 0 || *p->position < 0 || *p->position > p->size)
        return mpi_fail(c, on, MPI_ERR_ARG, "position %lld is not in a packed buffer of %lld bytes",
                        (long long)*p->position, (long long)p->size);
    if ((uint64_t)(p->size - *p->position) < p->bytes)
        return mpi_fail(c, on, MPI_ERR_TRUNCATE, "%llu bytes of data do not fit at position %lld of %lld",
                        (unsigned long long)p->bytes, (long long)*p->position, (long long)p->size);
    if (p->bytes && !p->packed)
        return mpi_fail(c, on, MPI_ERR_BUFFER, "the packed buffer is NULL");
    return MPI_SUCCESS;
}

int mpi_pack(struct mpi_call *c, const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf,
             MPI_Count outsize, MPI_Count *position, MPI_Comm comm)
{
    struct packing p = {
        .comm = comm, .memory = inbuf, .packed = outbuf, .size = outsize, .position = position};
    int rc = check(c, &p, incount, datatype);
    if (rc)
        return rc;
    types_pack(p.items.layout, (uint64_t)incount, inbuf, 0, p.bytes, (char *)outbuf + *position);
    *position += (MPI_Count)p.bytes;
    return MPI_SUCCESS;
}

int mpi_unpack(struct mpi_call *c, const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf,
               MPI_Count outcount, MPI_Datatype datatype, MPI_Comm comm)
{
    struct packing p = {
        .comm = comm, .memory = outbuf, .packed = inbuf, .size = insize, .position = position};
    int rc = check(c, &p, outcount, datatype);
    if (rc)
        return rc;
    types_unpack(p.items.layout, (uint64_t)outcount, outbuf, 0, p.bytes, (const char *)inbuf + *position);
    *position += (MPI_Count)p.bytes;
    return MPI_SUCCESS;
}

int mpi_pack_size(struct mpi_call *c, MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm,
                  MPI_Count *size)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    const struct mpi_type *t = of ? mpi_type_of(c, &of->guarded, datatype, &rc) : NULL;
    if (!t)
        return rc;
    if (incount < 0 || !types_layout_fits(t->layout, (uint64_t)incount))
        return mpi_fail(c, &of->guarded, MPI_ERR_COUNT,
                        "the count is %lld: expected 0 or more, and what fits", (long long)incount);
    if (!size)
        return mpi_fail(c, &of->guarded, MPI_ERR_ARG, "the place for the size is NULL");
    *size = (MPI_Count)(types_layout_size(t->layout) * (uint64_t)incount);
    return MPI_SUCCESS;
}
