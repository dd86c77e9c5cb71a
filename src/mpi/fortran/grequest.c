/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * grequest: generalized requests, whose functions are subroutines of Fortran (MPI-5.0 section 13.2). They get
 * a copy of the extra state, which may have been the value of an expression. What they change in it goes to
 * the program's variable, too: other libraries give them that variable.
 */
#include "mpi/fortran/special.h"

#include "mpi/recorded/recorded.h"

#include <stdlib.h>

/* What C's functions are given: it lives until the request's free function is called. */
struct functions {
    mpi_fortran_fn *query, *free, *cancel;
    MPI_Aint extra;
    MPI_Aint *variable; /* the program's */
};
typedef void query_fn(MPI_Aint *extra, MPI_Status *status, MPI_Fint *ierror);
typedef void free_fn(MPI_Aint *extra, MPI_Fint *ierror);
typedef void cancel_fn(MPI_Aint *extra, const MPI_Fint *complete, MPI_Fint *ierror);

/* The subroutine has returned; the extra state was `before`. */
static void write_back(struct functions *f, MPI_Aint before)
{
    if (f->extra != before)
        *f->variable = f->extra;
}

static int call_query(void *state, MPI_Status *status)
{
    struct functions *f = state;
    MPI_Aint before = f->extra;
    MPI_Fint rc = MPI_SUCCESS;
    ((query_fn *)f->query)(&f->extra, status, &rc);
    write_back(f, before);
    return rc;
}

static int call_free(void *state)
{
    struct functions *f = state;
    MPI_Aint before = f->extra;
    MPI_Fint rc = MPI_SUCCESS;
    ((free_fn *)f->free)(&f->extra, &rc);
    write_back(f, before);
    free(f);
    return rc;
}

static int call_cancel(void *state, int complete)
{
    struct functions *f = state;
    MPI_Aint before = f->extra;
    MPI_Fint rc = MPI_SUCCESS, yes = complete != 0;
    ((cancel_fn *)f->cancel)(&f->extra, &yes, &rc);
    write_back(f, before);
    return rc;
}

int mpi_fortran_grequest_start(struct mpi_call *c, mpi_fortran_fn *query, mpi_fortran_fn *free_,
                               mpi_fortran_fn *cancel, MPI_Aint *extra, MPI_Fint *request)
{
    MPI_Request made = MPI_REQUEST_NULL;
    struct functions *f = base_alloc(sizeof *f, "generalized requests of Fortran");
    *f = (struct functions){query, free_, cancel, *extra, extra};
    int rc = MPI_RECORDED(mpi_recorded_grequest_start(c, call_query, call_free, call_cancel, f, &made),
                          mpi_grequest_start(c, call_query, call_free, call_cancel, f, &made));
    if (rc)
        free(f);
    else
        *request = mpi_fortran_number(made);
    return rc;
}
