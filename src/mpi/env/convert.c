/* SPDX-License-Identifier: BSD-3-Clause */
/* convert: handles and statuses as integers, for Fortran and for the ABI (MPI-5.0 section 19.3, chapter 20).
 * A handle's value is its integer (internal.h), and a status is eight integers in every language. */
#include "mpi/calls.h"

#include <string.h>

#define HANDLES(name, type)                                                                                  \
    MPI_Fint mpi_##name##_c2f(struct mpi_call *c, type handle)                                               \
    {                                                                                                        \
        (void)c;                                                                                             \
        return (MPI_Fint)(uintptr_t)handle;                                                                  \
    }                                                                                                        \
    int mpi_##name##_toint(struct mpi_call *c, type handle)                                                  \
    {                                                                                                        \
        (void)c;                                                                                             \
        return (int)(uintptr_t)handle;                                                                       \
    }                                                                                                        \
    type mpi_##name##_f2c(struct mpi_call *c, MPI_Fint number)                                               \
    {                                                                                                        \
        (void)c;                                                                                             \
        return MPI_HANDLE(type, (uint32_t)number);                                                           \
    }                                                                                                        \
    type mpi_##name##_fromint(struct mpi_call *c, int number)                                                \
    {                                                                                                        \
        (void)c;                                                                                             \
        return MPI_HANDLE(type, (uint32_t)number);                                                           \
    }
HANDLES(comm, MPI_Comm)
HANDLES(errhandler, MPI_Errhandler)
HANDLES(file, MPI_File)
HANDLES(group, MPI_Group)
HANDLES(info, MPI_Info)
HANDLES(message, MPI_Message)
HANDLES(op, MPI_Op)
HANDLES(request, MPI_Request)
HANDLES(session, MPI_Session)
HANDLES(type, MPI_Datatype)
HANDLES(win, MPI_Win)

_Static_assert(sizeof(MPI_Status) == 8 * sizeof(MPI_Fint) && sizeof(MPI_F08_status) == sizeof(MPI_Status),
               "statuses are alike in all languages");
#define STATUSES(name, from, to)                                                                             \
    int mpi_status_##name(struct mpi_call *c, const from *in, to *out)                                       \
    {                                                                                                        \
        if (!in || !out)                                                                                     \
            return mpi_fail(c, NULL, MPI_ERR_ARG, "a status that is to be converted cannot be ignored");     \
        memcpy(out, in, sizeof(MPI_Status));                                                                 \
        return MPI_SUCCESS;                                                                                  \
    }
STATUSES(c2f, MPI_Status, MPI_Fint)
STATUSES(c2f08, MPI_Status, MPI_F08_status)
STATUSES(f082c, MPI_F08_status, MPI_Status)
STATUSES(f082f, MPI_F08_status, MPI_Fint)
STATUSES(f2c, MPI_Fint, MPI_Status)
STATUSES(f2f08, MPI_Fint, MPI_F08_status)
