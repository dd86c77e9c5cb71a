/* SPDX-License-Identifier: BSD-3-Clause */
/* special: functions of Fortran that differ from C's, or that C does not have (MPI-5.0 chapter 19). */
#include "mpi/fortran/special.h"

#include "mpi/calls.h"

#include <string.h>

int mpi_fortran_init(struct mpi_call *c)
{
    return mpi_init(c, NULL, NULL);
}

int mpi_fortran_init_thread(struct mpi_call *c, const MPI_Fint *required, MPI_Fint *provided)
{
    return mpi_init_thread(c, NULL, NULL, *required, provided);
}

/* --- what C does not have -------------------------------------------------------------------------------- */

/* Declared and defined: none of them is in a header. */
#define SUBROUTINE(name, parameters)                                                                                   \
    BASE_PUBLIC void name parameters;                                                                                  \
    BASE_PUBLIC void name parameters

/* A call whose argument is a buffer keeps a compiler from moving accesses to it (section 19.1.17). */
SUBROUTINE(mpi_f_sync_reg_, (void *buf))
{
    (void)buf;
}

SUBROUTINE(mpi_pcontrol_, (const MPI_Fint *level))
{
    (void)level;
}

SUBROUTINE(mpi_status_f2f08_, (const MPI_Fint *from, MPI_F08_status *to, MPI_Fint *ierror))
{
    memcpy(to, from, sizeof *to);
    if (ierror)
        *ierror = MPI_SUCCESS;
}

SUBROUTINE(mpi_status_f082f_, (const MPI_F08_status *from, MPI_Fint *to, MPI_Fint *ierror))
{
    memcpy(to, from, sizeof *from);
    if (ierror)
        *ierror = MPI_SUCCESS;
}

/* MPI_Sizeof, by the size of the argument's type. */
#define SIZEOF(n)                                                                                                      \
    SUBROUTINE(mpi_fortran_sizeof_##n, (const void *x, MPI_Fint *size, MPI_Fint *ierror))                              \
    {                                                                                                                  \
        (void)x;                                                                                                       \
        *size = n;                                                                                                     \
        if (ierror)                                                                                                    \
            *ierror = MPI_SUCCESS;                                                                                     \
    }
SIZEOF(1)
SIZEOF(2)
SIZEOF(4)
SIZEOF(8)
SIZEOF(16)
SIZEOF(32)

/* == and /= of handles */
BASE_PUBLIC MPI_Fint mpi_fortran_equal(const MPI_Fint *a, const MPI_Fint *b);
BASE_PUBLIC MPI_Fint mpi_fortran_equal(const MPI_Fint *a, const MPI_Fint *b)
{
    return *a == *b;
}

BASE_PUBLIC MPI_Fint mpi_fortran_differ(const MPI_Fint *a, const MPI_Fint *b);
BASE_PUBLIC MPI_Fint mpi_fortran_differ(const MPI_Fint *a, const MPI_Fint *b)
{
    return *a != *b;
}
