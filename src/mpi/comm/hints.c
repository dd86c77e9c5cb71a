/* SPDX-License-Identifier: BSD-3-Clause */
/* hints: info objects of communicators (MPI-5.0 section 7.4.4). Hints are kept and given back; none changes
 * what a communicator does. */
#include "mpi/calls.h"
#include "mpi/comm/parts.h"

static bool is_there(MPI_Info info)
{
    return info != NULL && info != MPI_INFO_NULL;
}

int mpi_comm_check_info(struct mpi_call *c, struct mpi_guarded *on, MPI_Info info)
{
    if (info == MPI_INFO_NULL || info == MPI_INFO_ENV || mpi_find(c->self, MPI_KIND_INFO, info))
        return MPI_SUCCESS;
    return mpi_fail(c, on, MPI_ERR_INFO, "%#lx is no info object", (unsigned long)(uintptr_t)info);
}

void mpi_comm_hint(struct mpi_call *c, struct mpi_comm *comm, MPI_Info info)
{
    if (is_there(info))
        mpi_info_dup(c, info, &comm->info);
}

void mpi_comm_hints_release(struct mpi_comm *comm)
{
    struct mpi_call c = {comm->owner, comm->owner->rank, "MPI_Comm_free"};
    if (is_there(comm->info))
        mpi_info_free(&c, &comm->info);
}

bool mpi_comm_info_value(struct mpi_call *c, MPI_Info info, const char *key, char *value, size_t size)
{
    int flag = 0, length = (int)size;
    if (is_there(info))
        mpi_info_get_string(c, info, key, &length, value, &flag);
    return flag != 0;
}

void mpi_comm_info_answer(struct mpi_call *c, MPI_Info info, const char *key, const char *value)
{
    if (is_there(info) && info != MPI_INFO_ENV)
        mpi_info_set(c, info, key, value);
}

/* New values replace those of the same keys; the others stay. */
static int add(struct mpi_call *c, struct mpi_comm *of, MPI_Info info)
{
    char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];
    int n = 0, rc = mpi_info_get_nkeys(c, info, &n);
    for (int k = 0; k < n && !rc; k++) {
        rc = mpi_info_get_nthkey(c, info, k, key);
        if (!rc && mpi_comm_info_value(c, info, key, value, sizeof value))
            rc = mpi_info_set(c, of->info, key, value);
    }
    return rc;
}

int mpi_comm_set_info(struct mpi_call *c, MPI_Comm comm, MPI_Info info)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of || (rc = mpi_comm_check_info(c, &of->guarded, info)))
        return rc;
    if (info == MPI_INFO_NULL)
        return mpi_fail(c, &of->guarded, MPI_ERR_INFO, "the info object is MPI_INFO_NULL");
    return is_there(of->info) ? add(c, of, info) : mpi_info_dup(c, info, &of->info);
}

int mpi_comm_get_info(struct mpi_call *c, MPI_Comm comm, MPI_Info *info_used)
{
    int rc = MPI_SUCCESS;
    const struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of)
        return rc;
    if (!info_used)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the info object is NULL");
    return is_there(of->info) ? mpi_info_dup(c, of->info, info_used) : mpi_info_create(c, info_used);
}
