/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: what the files of type/ share: how datatypes were made, and making them. */
#ifndef PGASIM_MPI_TYPE_PARTS_H
#define PGASIM_MPI_TYPE_PARTS_H

#include "mpi/type/type.h"

/* --- how a datatype was made (made.c) ---------------------------------------------------------------- */

/* A datatype that another one was made of: a predefined one, or what an object of the program's was. */
struct mpi_made_part {
    const struct mpi_type *predefined;
    const struct mpi_made *made; /* a reference, if it is not predefined */
};

/* The arguments of a constructor, in the order of MPI-5.0 section 5.1.13. Objects with handles come and go;
 * this stays as long as a datatype was made of it. */
struct mpi_made {
    uint32_t references;
    int combiner;
    bool large;                                /* by a function for large counts */
    uint64_t integers, addresses, counts;      /* numbers[]: one after the other */
    uint64_t at_integer, at_address, at_count; /* while it is filled */
    uint64_t parts, at_part;
    const struct types_layout *layout; /* a reference */
    struct mpi_made_part *part;
    int64_t *numbers;
    struct mpi_made *next; /* of those to be freed */
};

/* How many arguments of each form a constructor has: those that are int in both forms of the function, those
 * that are MPI_Count in the second, and those that are MPI_Aint in the first and MPI_Count in the second. */
struct mpi_made_form {
    uint64_t ints, counts, addresses, parts;
};
/* Which form was called is taken from the call's name. */
struct mpi_made *mpi_made_create(const struct mpi_call *c, int combiner, struct mpi_made_form form);
void mpi_made_int(struct mpi_made *m, int64_t value);
void mpi_made_count(struct mpi_made *m, int64_t value);
void mpi_made_address(struct mpi_made *m, int64_t value);
void mpi_made_part(struct mpi_made *m, const struct mpi_type *t);
struct mpi_made *mpi_made_retain(const struct mpi_made *m);
void mpi_made_release(const struct mpi_made *m);

/* --- making and ending (life.c) ---------------------------------------------------------------------- */

/* The end of every constructor: a new datatype of `layout`, both of whose references are taken. layout NULL:
 * fails with `class` and the text of st, as do the arguments that are checked there. */
int mpi_type_make(struct mpi_call *c, struct mpi_made *made, struct types_layout *layout, int class,
                  const struct base_status *st, MPI_Datatype *newtype);
/* The object alone. */
struct mpi_type *mpi_type_create(struct mpi_rank *self, struct mpi_made *made);
/* Checks oldtype and the place for the new one. */
struct mpi_type *mpi_type_old(struct mpi_call *c, MPI_Datatype oldtype, const MPI_Datatype *newtype, int *rc);

/* --- predefined ones (predefined.c, fortran.c) -------------------------------------------------------- */

extern const struct mpi_keeper mpi_type_keeper;
extern struct mpi_type mpi_type_lower, mpi_type_upper; /* MPI_LB, MPI_UB */

/* What a rank has of its own. */
struct mpi_noted {
    const struct mpi_type *type;
    struct mpi_type_notes notes;
    struct mpi_noted *next;
};
struct mpi_types {
    struct mpi_noted *noted; /* predefined ones with a name or attributes */
};

#endif
