/* SPDX-License-Identifier: BSD-3-Clause */
/* elements: how many basic elements a status tells of (MPI-5.0 sections 5.1.11 and 3.8.5). */
#include "mpi/calls.h"
#include "mpi/message/message.h"

int mpi_get_elements(struct mpi_call *c, const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *t = mpi_type_of(c, NULL, datatype, &rc);
    if (!t)
        return rc;
    if (!status || !count)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the status or the place for the count is NULL");
    uint64_t bytes = (uint64_t)mpi_status_bytes(status);
    bool whole = true;
    uint64_t elements =
        types_layout_size(t->layout) ? types_elements_in(t->layout, UINT64_MAX, bytes, &whole) : 0;
    *count = !whole || (bytes && !elements) ? MPI_UNDEFINED : (MPI_Count)elements;
    return MPI_SUCCESS;
}

int mpi_get_elements_x(struct mpi_call *c, const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    return mpi_get_elements(c, status, datatype, count);
}

int mpi_status_set_elements(struct mpi_call *c, MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    int rc = MPI_SUCCESS;
    const struct mpi_type *t = mpi_type_of(c, NULL, datatype, &rc);
    if (!t)
        return rc;
    if (!status)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the status is NULL");
    if (count < 0)
        return mpi_fail(c, NULL, MPI_ERR_COUNT, "the count is %lld: expected 0 or more", (long long)count);
    /* One item more than all these elements begin in. */
    uint64_t per_item = types_signature(t->layout, 1).elements;
    if (per_item && !types_layout_fits(t->layout, (uint64_t)count / per_item + 1))
        return mpi_fail(c, NULL, MPI_ERR_COUNT, "%lld elements are more than 2^63 bytes", (long long)count);
    mpi_status_set_bytes(status, (int64_t)types_bytes_of(t->layout, (uint64_t)count));
    return MPI_SUCCESS;
}

int mpi_status_set_elements_x(struct mpi_call *c, MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    return mpi_status_set_elements(c, status, datatype, count);
}
