/* SPDX-License-Identifier: BSD-3-Clause */
/* pack: packing and unpacking by the program, and what was received in parts (MPI-5.0 sections 4.2, 5.1.11, 5.2). */
#include "mpi/type/made.h"

#include "mpi/calls.h"

#include <string.h>

/* Data along a datatype beside packed bytes: from `position`, of which there are `size`. */
struct packing {
    const struct types_layout *layout;
    uint64_t count, bytes;
};

static int check(struct mpi_call *c, const void *buffer, MPI_Count count, MPI_Datatype datatype,
                 const MPI_Count *position, MPI_Count size, struct packing *out)
{
    struct p2p_buffer b;
    int rc = mpi_type_buffer(c, NULL, buffer, count, datatype, &b);
    if (rc)
        return rc;
    *out = (struct packing){b.layout, b.count, b.count * types_layout_size(b.layout)};
    if (!position || *position < 0 || size < 0 || *position > size)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the position lies outside of the %lld packed bytes",
                        (long long)size);
    if (out->bytes > (uint64_t)(size - *position))
        return mpi_fail(c, NULL, MPI_ERR_TRUNCATE,
                        "%llu bytes are more than the %lld that are left from %lld on",
                        (unsigned long long)out->bytes, (long long)(size - *position), (long long)*position);
    return MPI_SUCCESS;
}

static int check_comm(struct mpi_call *c, MPI_Comm comm)
{
    bool known = comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF || mpi_find(c->self, MPI_KIND_COMM, comm);
    return known ? MPI_SUCCESS
                 : mpi_fail(c, NULL, MPI_ERR_COMM, "%#lx is no communicator", (unsigned long)(uintptr_t)comm);
}

int mpi_pack(struct mpi_call *c, const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf,
             MPI_Count outsize, MPI_Count *position, MPI_Comm comm)
{
    struct packing p;
    int rc = check_comm(c, comm);
    if (rc || (rc = check(c, inbuf, incount, datatype, position, outsize, &p)))
        return rc;
    types_pack(p.layout, p.count, inbuf, 0, p.bytes, (char *)outbuf + *position);
    *position += (MPI_Count)p.bytes;
    return MPI_SUCCESS;
}

int mpi_unpack(struct mpi_call *c, const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf,
               MPI_Count outcount, MPI_Datatype datatype, MPI_Comm comm)
{
    struct packing p;
    int rc = check_comm(c, comm);
    if (rc || (rc = check(c, outbuf, outcount, datatype, position, insize, &p)))
        return rc;
    types_unpack(p.layout, p.count, outbuf, 0, p.bytes, (const char *)inbuf + *position);
    *position += (MPI_Count)p.bytes;
    return MPI_SUCCESS;
}

int mpi_pack_size(struct mpi_call *c, MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm,
                  MPI_Count *size)
{
    int rc = check_comm(c, comm);
    const struct mpi_type *t = rc ? NULL : mpi_type_of(c, datatype, &rc);
    if (!t)
        return rc;
    if (incount < 0)
        return mpi_fail(c, NULL, MPI_ERR_COUNT, "the count is %lld: expected 0 or more", (long long)incount);
    if (!size)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the size is NULL");
    if (__builtin_mul_overflow(incount, (MPI_Count)types_layout_size(t->layout), size))
        return mpi_fail(c, NULL, MPI_ERR_VALUE_TOO_LARGE, "the size of %lld items does not fit",
                        (long long)incount);
    return MPI_SUCCESS;
}

/* --- elements -------------------------------------------------------------------------------------------------------- */

/* What a status holds, as message/ stores it: bytes in the first two words. */
static uint64_t bytes_of(const MPI_Status *s)
{
    uint64_t bytes;
    memcpy(&bytes, s->MPI_internal, sizeof bytes);
    return bytes;
}

int mpi_get_elements(struct mpi_call *c, const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    int rc = MPI_SUCCESS;
    bool whole;
    const struct mpi_type *t = mpi_type_of(c, datatype, &rc);
    if (!t)
        return rc;
    if (!status || !count)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the status or the address for the number is NULL");
    uint64_t bytes = bytes_of(status), size = types_layout_size(t->layout);
    if (!size) {
        *count = bytes ? MPI_UNDEFINED : 0;
        return MPI_SUCCESS;
    }
    uint64_t n = types_elements_in(t->layout, bytes / size + 1, bytes, &whole);
    *count = whole ? (MPI_Count)n : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int mpi_get_elements_x(struct mpi_call *c, const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    return mpi_get_elements(c, status, datatype, count);
}

/* The fewest bytes of data, at most `most`, in which so many elements are complete. */
static uint64_t bytes_with(const struct types_layout *l, uint64_t elements, uint64_t most)
{
    uint64_t low = 0, high = most, items = most / types_layout_size(l) + 1;
    while (low < high) {
        uint64_t at = low + (high - low) / 2;
        bool whole;
        uint64_t n = types_elements_in(l, items, at, &whole);
        if (n > elements || (n == elements && whole))
            high = at;
        else
            low = at + 1;
    }
    return low;
}

int mpi_status_set_elements(struct mpi_call *c, MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *t = mpi_type_of(c, datatype, &rc);
    if (!t)
        return rc;
    if (!status)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the status is NULL");
    uint64_t per = types_signature(t->layout, 1).elements, bytes = 0;
    if (per)
        bytes = bytes_with(t->layout, (uint64_t)count,
                           ((uint64_t)count / per + 1) * types_layout_size(t->layout));
    memcpy(status->MPI_internal, &bytes, sizeof bytes);
    return MPI_SUCCESS;
}

int mpi_status_set_elements_x(struct mpi_call *c, MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    return mpi_status_set_elements(c, status, datatype, count);
}

/* --- addresses ------------------------------------------------------------------------------------------------------- */

int mpi_get_address(struct mpi_call *c, const void *location, MPI_Aint *address)
{
    if (!address)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the result is NULL");
    *address = (MPI_Aint)location;
    return MPI_SUCCESS;
}

int mpi_address(struct mpi_call *c, void *location, MPI_Aint *address)
{
    return mpi_get_address(c, location, address);
}

MPI_Aint mpi_aint_add(struct mpi_call *c, MPI_Aint base, MPI_Aint disp)
{
    (void)c;
    return (MPI_Aint)((uintptr_t)base + (uintptr_t)disp);
}

MPI_Aint mpi_aint_diff(struct mpi_call *c, MPI_Aint addr1, MPI_Aint addr2)
{
    (void)c;
    return (MPI_Aint)((uintptr_t)addr1 - (uintptr_t)addr2);
}
