/* SPDX-License-Identifier: BSD-3-Clause */
/* info: hints of communicators as the program sets and reads them (MPI-5.0 section 7.4.4). */
#include "mpi/calls.h"
#include "mpi/comm/parts.h"

int mpi_comm_set_info(struct mpi_call *c, MPI_Comm comm, MPI_Info info)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of || (rc = mpi_comm_check_info(c, &of->guarded, info)))
        return rc;
    mpi_comm_hint(c, of, info);
    return MPI_SUCCESS;
}

int mpi_comm_get_info(struct mpi_call *c, MPI_Comm comm, MPI_Info *info_used)
{
    int rc = MPI_SUCCESS;
    const struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of)
        return rc;
    if (!info_used)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the info object is NULL");
    rc = mpi_info_create(c, info_used);
    return rc ? rc : mpi_comm_hints_tell(c, of, *info_used);
}
