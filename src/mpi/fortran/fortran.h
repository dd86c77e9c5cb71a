/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fortran: MPI's entry points for Fortran (MPI-5.0 chapter 19), by the names that compilers make of
 * subroutines:
 *
 *     mpi_send_           of mpif.h and of the module mpi; as pmpi_send_, too
 *     mpi_send_f08ts_     of mpi_f08, where there are choice buffers: these are array descriptors
 *     mpi_send_c_f08ts_   the same with large counts
 *     mpi_wait_f08_       of mpi_f08 otherwise: another name of mpi_wait_ (names.ld)
 *
 * They are generated from the lists that the C functions are made of (shims/), by the rules in
 * tools/api/mpi_fortran.py, and call the same functions behind them. What the languages share as it is: a
 * handle's integer, a status, LOGICAL (0 and 1, gfortran's), and a type with one INTEGER, which mpi_f08 has
 * for handles. The rest is converted here.
 */
#ifndef PGASIM_MPI_FORTRAN_H
#define PGASIM_MPI_FORTRAN_H

#include "mpi/internal.h"

/* --- variables that stand for something (sentinel.c) ------------------------------------------------- */

/* Known by their addresses. They are data of this library, one for all ranks: a program that declares them as
 * common blocks or as variables of a module refers to these, since it is built with -fPIC. The names are
 * those of the common blocks, with what a Fortran compiler appends. */
#define MPI_FORTRAN_SHARED BASE_PUBLIC __attribute__((aligned(32))) /* as compilers align common blocks */
extern MPI_FORTRAN_SHARED MPI_Fint mpi_fortran_bottom_, mpi_fortran_in_place_, mpi_fortran_buffer_automatic_;
extern MPI_FORTRAN_SHARED MPI_Fint mpi_fortran_status_ignore_[8], mpi_fortran_statuses_ignore_[8];
extern MPI_FORTRAN_SHARED MPI_F08_status mpi_f08_status_ignore_, mpi_f08_statuses_ignore_[1];
extern MPI_FORTRAN_SHARED MPI_Fint mpi_fortran_errcodes_ignore_[1], mpi_fortran_unweighted_[1];
extern MPI_FORTRAN_SHARED MPI_Fint mpi_fortran_weights_empty_[1];
extern MPI_FORTRAN_SHARED char mpi_fortran_argv_null_[1], mpi_fortran_argvs_null_[1];

/* What C passes for a choice buffer, a status or statuses, weights, error codes. */
static inline void *mpi_fortran_buffer(const void *p)
{
    if (BASE_UNLIKELY(p == &mpi_fortran_bottom_))
        return MPI_BOTTOM;
    if (BASE_UNLIKELY(p == &mpi_fortran_in_place_))
        return MPI_IN_PLACE;
    return p == &mpi_fortran_buffer_automatic_ ? MPI_BUFFER_AUTOMATIC : (void *)(uintptr_t)p;
}
static inline MPI_Status *mpi_fortran_status(const void *p)
{
    bool ignore = p == mpi_fortran_status_ignore_ || p == mpi_fortran_statuses_ignore_ ||
                  p == &mpi_f08_status_ignore_ || p == mpi_f08_statuses_ignore_;
    return ignore ? MPI_STATUS_IGNORE : (MPI_Status *)(uintptr_t)p;
}
static inline int *mpi_fortran_special(const MPI_Fint *p)
{
    if (BASE_UNLIKELY(p == mpi_fortran_unweighted_))
        return MPI_UNWEIGHTED;
    if (BASE_UNLIKELY(p == mpi_fortran_weights_empty_))
        return MPI_WEIGHTS_EMPTY;
    return p == mpi_fortran_errcodes_ignore_ ? MPI_ERRCODES_IGNORE : (int *)(uintptr_t)p;
}

/* --- handles, counts (convert.c) ----------------------------------------------------------------------- */

static inline MPI_Fint mpi_fortran_number(const void *handle)
{
    return (MPI_Fint)(intptr_t)handle;
}
/* An array of n handles from their integers. mpi_fortran_handles_end frees it; `back`: after it has written
 * the integers of the handles there, if not NULL. */
void *mpi_fortran_handles(const MPI_Fint *from, int64_t n);
void mpi_fortran_handles_end(void *handles, int64_t n, MPI_Fint *back);
/* How many datatypes a communicator's Alltoallw, or Neighbor_alltoallw, has: the members, and the neighbours
 * that are sent to or received from. 0: there is no such communicator. */
int64_t mpi_fortran_members(struct mpi_call *c, MPI_Comm comm);
/* Indices that count from one. */
static inline void mpi_fortran_index(int rc, MPI_Fint *index)
{
    if (rc == MPI_SUCCESS && *index != MPI_UNDEFINED)
        ++*index;
}
void mpi_fortran_indices(int rc, MPI_Fint *indices, const MPI_Fint *n);
/* n INTEGERs as addresses, for functions that were removed in MPI-3.0. The caller frees them. */
MPI_Aint *mpi_fortran_addresses(const MPI_Fint *from, int64_t n);

/* --- text (convert.c) ---------------------------------------------------------------------------------- */

/* A string for C without the blanks at its end, and at its beginning if `strip`. The caller frees it. */
char *mpi_fortran_text(const char *from, size_t n, bool strip);
/* Room for a string of up to n characters. */
char *mpi_fortran_room(int64_t n);
/* Writes a string of C with blanks behind it, if the call has not failed, and frees it. */
void mpi_fortran_fill(int rc, char *to, size_t n, char *text);

/* --- choice buffers of mpi_f08 (section.c) -------------------------------------------------------------- */

/* How gfortran describes an array of any rank (TYPE(*), DIMENSION(..)). */
struct mpi_fortran_array {
    void *base; /* the first element */
    size_t offset;
    size_t element; /* bytes */
    int32_t version;
    int8_t rank, type;
    int16_t attribute;
    ptrdiff_t span; /* what a stride of 1 is, in bytes; 0: as `element` */
    struct {
        ptrdiff_t stride, lower, upper;
    } dim[15];
};

enum mpi_fortran_use {
    MPI_FORTRAN_READ = 1,  /* the call reads the buffer */
    MPI_FORTRAN_WRITE = 2, /* the call writes it */
    MPI_FORTRAN_LATER = 4, /* after it has returned */
};
/* A section of an array as a call of C wants it: where it lies, and `count` items of `datatype`. */
struct mpi_fortran_choice {
    void *at;
    MPI_Count count;
    MPI_Datatype datatype;
    const struct mpi_fortran_array *array; /* to be written back from the copy */
    void *copy;
    struct mpi_type *made;
};
/* The section as `count` items of a datatype; a section with gaps becomes one item of a datatype of its own. */
int mpi_fortran_choose(struct mpi_call *c, struct mpi_fortran_choice *b, const struct mpi_fortran_array *a,
                       MPI_Count count, MPI_Datatype datatype);
/* The whole section, whatever it is used for: one with gaps is copied, if the call has done with it when it
 * returns. */
int mpi_fortran_choose_whole(struct mpi_call *c, struct mpi_fortran_choice *b,
                             const struct mpi_fortran_array *a, unsigned use);
/* `count` items of any layout, whose offsets count in the section without its gaps and lie within it, as one
 * item of a layout in memory (spread.c). NULL: it does not fit (`st`). */
struct types_layout *mpi_fortran_spread(const struct mpi_fortran_array *a, int64_t count,
                                        const struct types_layout *of, struct base_status *st);
static inline int64_t mpi_fortran_extent(const struct mpi_fortran_array *a, int dim)
{
    ptrdiff_t n = a->dim[dim].upper - a->dim[dim].lower + 1;
    return n > 0 ? n : 0;
}
static inline int64_t mpi_fortran_unit(const struct mpi_fortran_array *a)
{
    return a->span ? a->span : (ptrdiff_t)a->element;
}
/* After the call. */
void mpi_fortran_chosen(struct mpi_call *c, struct mpi_fortran_choice *b);
/* Where the section begins. */
static inline void *mpi_fortran_first(const struct mpi_fortran_array *a)
{
    return mpi_fortran_buffer(a->base);
}

/* --- functions of the program (callback.c) ------------------------------------------------------------- */

/* A subroutine, whatever its arguments are. It is called as a function of C is, by references to all its
 * arguments: a reference to a handle of C is one to its integer, too, in little-endian memory. So reduction
 * operations and error handlers need nothing here. */
typedef void mpi_fortran_fn(void);

#endif
