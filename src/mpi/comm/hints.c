/* SPDX-License-Identifier: BSD-3-Clause */
/* hints: info objects of communicators (MPI-5.0 section 7.4.4). */
#include "mpi/comm/parts.h"

int mpi_comm_check_info(struct mpi_call *c, struct mpi_guarded *on, MPI_Info info)
{
    if (info == MPI_INFO_NULL || info == MPI_INFO_ENV || mpi_find(c->self, MPI_KIND_INFO, info))
        return MPI_SUCCESS;
    return mpi_fail(c, on, MPI_ERR_INFO, "%#lx is no info object", (unsigned long)(uintptr_t)info);
}

void mpi_comm_hint(struct mpi_call *c, struct mpi_comm *comm, MPI_Info info)
{
    (void)c, (void)comm, (void)info;
}

bool mpi_comm_info_value(struct mpi_call *c, MPI_Info info, const char *key, char *value, size_t size)
{
    (void)c, (void)info, (void)key, (void)value, (void)size;
    return false;
}

void mpi_comm_info_answer(struct mpi_call *c, MPI_Info info, const char *key, const char *value)
{
    (void)c, (void)info, (void)key, (void)value;
}
