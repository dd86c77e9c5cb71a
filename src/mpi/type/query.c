/* SPDX-License-Identifier: BSD-3-Clause */
/* query: sizes, bounds and addresses (MPI-5.0 sections 5.1.5 to 5.1.8, and chapter 2's functions that were removed). */
#include "mpi/calls.h"
#include "mpi/type/parts.h"

/* --- sizes and bounds --------------------------------------------------------------------------------- */

/* What is asked of a datatype is written to one or two places. */
static const struct mpi_type *asked(struct mpi_call *c, MPI_Datatype datatype, const void *first,
                                    const void *second, int *rc)
{
    const struct mpi_type *t = mpi_type_of(c, NULL, datatype, rc);
    if (t && (!first || !second)) {
        *rc = mpi_fail(c, NULL, MPI_ERR_ARG, "the place for a result is NULL");
        return NULL;
    }
    return t;
}

int mpi_type_size(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *size)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *t = asked(c, datatype, size, size, &rc);
    if (t)
        *size = (MPI_Count)types_layout_size(t->layout);
    return rc;
}

int mpi_type_size_x(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *size)
{
    return mpi_type_size(c, datatype, size);
}

int mpi_type_get_extent(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *t = asked(c, datatype, lb, extent, &rc);
    if (t) {
        struct types_bounds b = types_layout_bounds(t->layout);
        *lb = b.lower;
        *extent = b.extent;
    }
    return rc;
}

int mpi_type_get_extent_x(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    return mpi_type_get_extent(c, datatype, lb, extent);
}

int mpi_type_get_true_extent(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *true_lb,
                             MPI_Count *true_extent)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *t = asked(c, datatype, true_lb, true_extent, &rc);
    if (t) {
        struct types_bounds b = types_layout_bounds(t->layout);
        *true_lb = b.true_lower;
        *true_extent = b.true_extent;
    }
    return rc;
}

int mpi_type_get_true_extent_x(struct mpi_call *c, MPI_Datatype datatype, MPI_Count *true_lb,
                               MPI_Count *true_extent)
{
    return mpi_type_get_true_extent(c, datatype, true_lb, true_extent);
}

int mpi_type_extent(struct mpi_call *c, MPI_Datatype datatype, MPI_Aint *extent)
{
    MPI_Count lower = 0, length = 0;
    int rc = mpi_type_get_extent(c, datatype, extent ? &lower : NULL, &length);
    if (!rc)
        *extent = (MPI_Aint)length;
    return rc;
}

int mpi_type_lb(struct mpi_call *c, MPI_Datatype datatype, MPI_Aint *displacement)
{
    MPI_Count lower = 0, length = 0;
    int rc = mpi_type_get_extent(c, datatype, displacement ? &lower : NULL, &length);
    if (!rc)
        *displacement = (MPI_Aint)lower;
    return rc;
}

int mpi_type_ub(struct mpi_call *c, MPI_Datatype datatype, MPI_Aint *displacement)
{
    MPI_Count lower = 0, length = 0;
    int rc = mpi_type_get_extent(c, datatype, displacement ? &lower : NULL, &length);
    if (!rc)
        *displacement = (MPI_Aint)(lower + length);
    return rc;
}

MPI_Count mpi_type_count(const struct mpi_type *t, uint64_t bytes)
{
    uint64_t size = types_layout_size(t->layout);
    if (!bytes)
        return 0;
    return !size || bytes % size ? MPI_UNDEFINED : (MPI_Count)(bytes / size);
}

/* --- addresses ---------------------------------------------------------------------------------------- */

int mpi_get_address(struct mpi_call *c, const void *location, MPI_Aint *address)
{
    if (!address)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the address is NULL");
    *address = (MPI_Aint)(uintptr_t)location;
    return MPI_SUCCESS;
}

int mpi_address(struct mpi_call *c, void *location, MPI_Aint *address)
{
    return mpi_get_address(c, location, address);
}

/* Addresses are numbers that wrap around. */
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
