/* SPDX-License-Identifier: BSD-3-Clause */
/* buffer: the one check of an address, a count and a datatype that all communication goes through. */
#include "mpi/type/parts.h"

/* Lower addresses than that belong to no program's data. */
enum { FIRST_PAGE = 4096 };

static int wrong_address(struct mpi_call *c, struct mpi_guarded *on, const struct mpi_type *t,
                         const void *address, MPI_Count count)
{
    char name[200];
    mpi_type_text(t, name, sizeof name);
    if (address)
        return mpi_fail(c, on, MPI_ERR_BUFFER,
                        "MPI_IN_PLACE is no buffer here: expected the address of %lld x %s", (long long)count,
                        name);
    return mpi_fail(
        c, on, MPI_ERR_BUFFER,
        "the buffer is NULL: expected the address of %lld x %s (MPI_BOTTOM is for absolute addresses)",
        (long long)count, name);
}

/* Whatever is not the usual. */
static __attribute__((noinline)) int check(struct mpi_call *c, struct mpi_guarded *on, const void *address,
                                           MPI_Count count, MPI_Datatype datatype, struct p2p_buffer *out)
{
    int rc = MPI_SUCCESS;
    char name[200];
    const struct mpi_type *t = mpi_type_of(c, on, datatype, &rc);
    if (!t)
        return rc;
    if (!t->committed)
        return mpi_fail(c, on, MPI_ERR_TYPE, "the datatype is not committed: %s",
                        mpi_type_text(t, name, sizeof name));
    if (count < 0)
        return mpi_fail(c, on, MPI_ERR_COUNT, "the count is %lld: expected 0 or more", (long long)count);
    if (!types_layout_fits(t->layout, (uint64_t)count))
        return mpi_fail(c, on, MPI_ERR_COUNT, "%lld x %s are more than 2^63 bytes", (long long)count,
                        mpi_type_text(t, name, sizeof name));
    if ((uintptr_t)address <= 1 && count) { /* MPI_BOTTOM and MPI_IN_PLACE */
        int64_t low, high;
        types_layout_span(t->layout, (uint64_t)count, &low, &high);
        if (address == MPI_IN_PLACE || (high > low && low < FIRST_PAGE))
            return wrong_address(c, on, t, address, count);
    }
    *out = (struct p2p_buffer){(uintptr_t)address, (uint64_t)count, t->layout};
    return MPI_SUCCESS;
}

int mpi_type_buffer(struct mpi_call *c, struct mpi_guarded *on, const void *address, MPI_Count count,
                    MPI_Datatype datatype, struct p2p_buffer *out)
{
    uintptr_t at = (uintptr_t)datatype - 0x200;
    /* Predefined ones have at most 32 bytes: no overflow below 2^58, and a negative count is above. */
    if (BASE_LIKELY(at < 0x100 && (uint64_t)count < UINT64_C(1) << 58 && (uintptr_t)address > 1)) {
        *out = (struct p2p_buffer){(uintptr_t)address, (uint64_t)count, mpi_types[at].layout};
        if (BASE_LIKELY(out->layout != NULL))
            return MPI_SUCCESS;
    }
    return check(c, on, address, count, datatype, out);
}
