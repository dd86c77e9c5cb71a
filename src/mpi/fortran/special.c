/* SPDX-License-Identifier: BSD-3-Clause */
/* special: functions of Fortran that differ from C's, or that C does not have (MPI-5.0 chapter 19). */
#include "mpi/fortran/special.h"

#include "mpi/recorded/recorded.h"

#include <stdlib.h>
#include <string.h>

int mpi_fortran_init(struct mpi_call *c)
{
    return MPI_RECORDED(mpi_recorded_init(c, NULL, NULL), mpi_init(c, NULL, NULL));
}

int mpi_fortran_init_thread(struct mpi_call *c, const MPI_Fint *required, MPI_Fint *provided)
{
    return MPI_RECORDED(mpi_recorded_init_thread(c, NULL, NULL, *required, provided),
                        mpi_init_thread(c, NULL, NULL, *required, provided));
}

/* --- what C does not have ------------------------------------------------------------------------------ */

/* Declared and defined: none of them is in a header. */
#define SUBROUTINE(name, parameters)                                                                         \
    BASE_PUBLIC void name parameters;                                                                        \
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
#define SIZEOF(n)                                                                                            \
    SUBROUTINE(mpi_fortran_sizeof_##n, (const void *x, MPI_Fint *size, MPI_Fint *ierror))                    \
    {                                                                                                        \
        (void)x;                                                                                             \
        *size = n;                                                                                           \
        if (ierror)                                                                                          \
            *ierror = MPI_SUCCESS;                                                                           \
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

/* --- text whose length the program gives --------------------------------------------------------------- */

/* C's lengths count the end of a string, which Fortran's do not have. */
#ifdef MPI_HAS_INFO_GET_STRING
int mpi_fortran_info_get_string(struct mpi_call *c, const MPI_Fint *info, const char *key, MPI_Fint *buflen,
                                char *value, MPI_Fint *flag, size_t key_length, size_t value_length)
{
    char *name = mpi_fortran_text(key, key_length, true), *text = mpi_fortran_room(*buflen);
    int length = *buflen > 0 ? *buflen + 1 : 0;
    int rc = mpi_info_get_string(c, MPI_HANDLE(MPI_Info, *info), name, &length, text, flag);
    bool found = rc == MPI_SUCCESS && *flag;
    if (found && *buflen > 0)
        mpi_fortran_fill(rc, value, value_length, text);
    else
        free(text);
    if (found)
        *buflen = length - 1;
    free(name);
    return rc;
}
#endif

#ifdef MPI_HAS_SESSION_GET_NTH_PSET
int mpi_fortran_session_get_nth_pset(struct mpi_call *c, const MPI_Fint *session, const MPI_Fint *info,
                                     const MPI_Fint *n, MPI_Fint *pset_len, char *pset_name,
                                     size_t pset_name_length)
{
    char *text = mpi_fortran_room(*pset_len);
    int length = *pset_len > 0 ? *pset_len + 1 : 0;
    int rc = mpi_session_get_nth_pset(c, MPI_HANDLE(MPI_Session, *session), MPI_HANDLE(MPI_Info, *info), *n,
                                      &length, text);
    if (rc == MPI_SUCCESS && *pset_len > 0)
        mpi_fortran_fill(rc, pset_name, pset_name_length, text);
    else
        free(text);
    if (rc == MPI_SUCCESS)
        *pset_len = length - 1;
    return rc;
}
#endif

#ifdef MPI_HAS_INFO_CREATE_ENV
int mpi_fortran_info_create_env(struct mpi_call *c, MPI_Fint *info)
{
    MPI_Info made = MPI_INFO_NULL;
    int rc = mpi_info_create_env(c, 0, NULL, &made);
    *info = mpi_fortran_number(made);
    return rc;
}
#endif
