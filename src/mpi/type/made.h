/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * made: how a datatype was made (MPI-5.0 section 5.1.13), for the files of type/. The arguments of its constructor, in
 * the order in which MPI_Type_get_contents gives them: integers, addresses, and large counts of the _c forms.
 */
#ifndef PGASIM_MPI_TYPE_MADE_H
#define PGASIM_MPI_TYPE_MADE_H

#include "mpi/type/type.h"

struct mpi_made {
    int combiner;
    bool large;       /* by a _c form that has counts */
    const char *call; /* literal */
    size_t n_integers, n_addresses, n_counts, n_types;
    int64_t *value;          /* of all three, one after the other */
    struct mpi_type **types; /* references */
};

/* Being filled by a constructor. */
struct mpi_maker {
    struct mpi_call *c;
    struct mpi_made *made;
};
/* For up to this many arguments and datatypes. `large`: the call has counts, and is a _c form. */
struct mpi_maker mpi_make_begin(struct mpi_call *c, int combiner, bool has_counts, size_t values,
                                size_t types);
void mpi_make_integer(struct mpi_maker *m, int64_t value); /* an int in both forms */
void mpi_make_count(struct mpi_maker *m, int64_t value);   /* an int; a count in the _c form */
void mpi_make_address(struct mpi_maker *m, int64_t value); /* an address; a count in the _c form */
void mpi_make_type(struct mpi_maker *m, struct mpi_type *t);
/* The datatype of a layout, which it takes over; NULL: fails with `st`. */
int mpi_make_end(struct mpi_maker *m, struct types_layout *layout, const struct base_status *st,
                 MPI_Datatype *newtype);
int mpi_make_fail(struct mpi_maker *m, int code, const char *text); /* gives it up */
void mpi_made_release(struct mpi_made *made);

#endif
