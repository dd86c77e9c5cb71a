/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * datarep: data representations whose functions are subroutines of Fortran (MPI-5.0 section 14.5.3). The extra state
 * is the program's variable.
 */
#include "mpi/calls.h"
#include "mpi/file/file.h"
#include "mpi/fortran/special.h"
#include "mpi/recorded/recorded.h"

#include <stdlib.h>

/* What C's functions are given. It stays as long as the rank, as the representation does. */
struct functions {
    mpi_fortran_fn *read, *write, *extent;
    MPI_Aint *extra;
};
typedef void convert_fn(void *userbuf, const MPI_Fint *datatype, const MPI_Fint *count, void *filebuf,
                        const MPI_Offset *position, MPI_Aint *extra, MPI_Fint *ierror);
typedef void convert_wide_fn(void *userbuf, const MPI_Fint *datatype, const MPI_Count *count, void *filebuf,
                             const MPI_Offset *position, MPI_Aint *extra, MPI_Fint *ierror);
typedef void extent_fn(const MPI_Fint *datatype, MPI_Aint *extent, MPI_Aint *extra, MPI_Fint *ierror);

static int call_extent(MPI_Datatype datatype, MPI_Aint *extent, void *state)
{
    const struct functions *f = state;
    MPI_Fint rc = MPI_SUCCESS, type = mpi_fortran_number(datatype);
    ((extent_fn *)f->extent)(&type, extent, f->extra, &rc);
    return rc;
}

#define CONVERSION(name, which, count_type, c_type, fn)                                                      \
    static int name(void *userbuf, MPI_Datatype datatype, c_type count, void *filebuf, MPI_Offset position,  \
                    void *state)                                                                             \
    {                                                                                                        \
        const struct functions *f = state;                                                                   \
        count_type n = count;                                                                                \
        MPI_Fint rc = MPI_SUCCESS, type = mpi_fortran_number(datatype);                                      \
        ((fn *)f->which)(userbuf, &type, &n, filebuf, &position, f->extra, &rc);                             \
        return rc;                                                                                           \
    }
CONVERSION(call_read, read, MPI_Fint, int, convert_fn)
CONVERSION(call_write, write, MPI_Fint, int, convert_fn)
CONVERSION(call_read_wide, read, MPI_Count, MPI_Count, convert_wide_fn)
CONVERSION(call_write_wide, write, MPI_Count, MPI_Count, convert_wide_fn)

/* MPI_CONVERSION_FN_NULL is an external subroutine in Fortran, which stands for none. */
BASE_PUBLIC void mpi_conversion_fn_null_(void);
BASE_PUBLIC void mpi_conversion_fn_null_(void)
{
}
BASE_PUBLIC void mpi_conversion_fn_null_c_(void);
BASE_PUBLIC void mpi_conversion_fn_null_c_(void)
{
}

static bool is_null(mpi_fortran_fn *fn)
{
    return !fn || fn == mpi_conversion_fn_null_ || fn == mpi_conversion_fn_null_c_;
}

int mpi_fortran_register_datarep(struct mpi_call *c, const char *datarep, mpi_fortran_fn *read_fn,
                                 mpi_fortran_fn *write_fn, mpi_fortran_fn *extent, MPI_Aint *extra,
                                 size_t datarep_length)
{
    char *name = mpi_fortran_text(datarep, datarep_length, false);
    struct functions *f = base_alloc(sizeof *f, "data representations of Fortran");
    *f = (struct functions){read_fn, write_fn, extent, extra};
    MPI_Datarep_conversion_function *reads = is_null(read_fn) ? NULL : call_read,
                                    *writes = is_null(write_fn) ? NULL : call_write;
    int rc = MPI_RECORDED(mpi_recorded_register_datarep(c, name, reads, writes, call_extent, f),
                          mpi_register_datarep(c, name, reads, writes, call_extent, f));
    free(name);
    if (rc)
        free(f);
    else
        mpi_datarep_own(c->self, f);
    return rc;
}

int mpi_fortran_register_datarep_c(struct mpi_call *c, const char *datarep, mpi_fortran_fn *read_fn,
                                   mpi_fortran_fn *write_fn, mpi_fortran_fn *extent, MPI_Aint *extra,
                                   size_t datarep_length)
{
    char *name = mpi_fortran_text(datarep, datarep_length, false);
    struct functions *f = base_alloc(sizeof *f, "data representations of Fortran");
    *f = (struct functions){read_fn, write_fn, extent, extra};
    MPI_Datarep_conversion_function_c *reads = is_null(read_fn) ? NULL : call_read_wide,
                                      *writes = is_null(write_fn) ? NULL : call_write_wide;
    int rc = MPI_RECORDED(mpi_recorded_register_datarep_c(c, name, reads, writes, call_extent, f),
                          mpi_register_datarep_c(c, name, reads, writes, call_extent, f));
    free(name);
    if (rc)
        free(f);
    else
        mpi_datarep_own(c->self, f);
    return rc;
}
