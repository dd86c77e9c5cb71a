/* SPDX-License-Identifier: BSD-3-Clause */
/* abi: what the ABI and the hardware are like (MPI-5.0 chapter 20, section 11.2.1). */
#include "mpi/calls.h"
#include "mpi/info/info.h"

static int answer(struct mpi_call *c, struct mpi_info *info, MPI_Info *to)
{
    if (!to) {
        mpi_info_release(info);
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the address for the info object is NULL");
    }
    *to = mpi_info_handle(c->self, info);
    return MPI_SUCCESS;
}

static void put_size(struct mpi_info **info, const char *key, size_t size)
{
    char text[24];
    snprintf(text, sizeof text, "%zu", size);
    mpi_info_put(info, key, text);
}

int mpi_abi_get_info(struct mpi_call *c, MPI_Info *info)
{
    struct mpi_info *out = NULL;
    put_size(&out, "mpi_aint_size", sizeof(MPI_Aint));
    put_size(&out, "mpi_count_size", sizeof(MPI_Count));
    put_size(&out, "mpi_offset_size", sizeof(MPI_Offset));
    return answer(c, out, info);
}

int mpi_abi_get_fortran_info(struct mpi_call *c, MPI_Info *info)
{
    struct mpi_info *out = NULL;
    put_size(&out, "mpi_logical_size", sizeof(MPI_Fint));
    put_size(&out, "mpi_integer_size", sizeof(MPI_Fint));
    put_size(&out, "mpi_real_size", sizeof(float));
    put_size(&out, "mpi_double_precision_size", sizeof(double));
    return answer(c, out, info);
}

/* These are gfortran's, and do not change. */
int mpi_abi_set_fortran_info(struct mpi_call *c, MPI_Info info)
{
    (void)info;
    return mpi_fail(c, NULL, MPI_ERR_ABI, "what Fortran's types are like is set already");
}

int mpi_abi_get_fortran_booleans(struct mpi_call *c, int logical_size, void *logical_true,
                                 void *logical_false, int *is_set)
{
    if (!logical_true || !logical_false || !is_set)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "an address for a result is NULL");
    *is_set = 1;
    switch (logical_size) {
    case 1:
        *(int8_t *)logical_true = 1, *(int8_t *)logical_false = 0;
        return MPI_SUCCESS;
    case 2:
        *(int16_t *)logical_true = 1, *(int16_t *)logical_false = 0;
        return MPI_SUCCESS;
    case 4:
        *(int32_t *)logical_true = 1, *(int32_t *)logical_false = 0;
        return MPI_SUCCESS;
    case 8:
        *(int64_t *)logical_true = 1, *(int64_t *)logical_false = 0;
        return MPI_SUCCESS;
    default:
        *is_set = 0;
        return mpi_fail(c, NULL, MPI_ERR_ARG, "there is no LOGICAL of %d bytes", logical_size);
    }
}

int mpi_abi_set_fortran_booleans(struct mpi_call *c, int logical_size, void *logical_true,
                                 void *logical_false)
{
    (void)logical_size, (void)logical_true, (void)logical_false;
    return mpi_fail(c, NULL, MPI_ERR_ABI, "the values of LOGICAL are set already");
}

/* The one level below the platform: the rank's host. */
int mpi_get_hw_resource_info(struct mpi_call *c, MPI_Info *hw_info)
{
    struct mpi_info *out = NULL;
    mpi_info_put(&out, "pgasim://host", "true");
    return answer(c, out, hw_info);
}
