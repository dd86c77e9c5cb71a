/* SPDX-License-Identifier: BSD-3-Clause */
/* hints: info objects of communicators (MPI-5.0 section 7.4.4). The standard's assertions are kept and given
 * back, for none changes what a communicator does here; other keys are ignored. */
#include "mpi/calls.h"
#include "mpi/comm/parts.h"

#include <string.h>

static const char *const assertions[] = {"mpi_assert_no_any_tag", "mpi_assert_no_any_source",
                                         "mpi_assert_exact_length", "mpi_assert_allow_overtaking",
                                         "mpi_assert_strict_persistent_collective_ordering"};

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

void mpi_comm_hint(struct mpi_call *c, struct mpi_comm *comm, MPI_Info info)
{
    char value[MPI_MAX_INFO_VAL];
    for (size_t k = 0; k < BASE_LENGTH(assertions); k++) {
        if (!mpi_comm_info_value(c, info, assertions[k], value, sizeof value))
            continue;
        comm->asserted &= (uint8_t) ~(1U << k);
        if (!strcmp(value, "true"))
            comm->asserted |= (uint8_t)(1U << k);
    }
}

int mpi_comm_hints_tell(struct mpi_call *c, const struct mpi_comm *comm, MPI_Info info)
{
    int rc = MPI_SUCCESS;
    for (size_t k = 0; k < BASE_LENGTH(assertions) && !rc; k++)
        rc = mpi_info_set(c, info, assertions[k], comm->asserted & 1U << k ? "true" : "false");
    return rc;
}
