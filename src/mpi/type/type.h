/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * type: datatypes (MPI-5.0 chapter 5). A datatype is a layout of types/ and what is known of how it was made.
 * Predefined ones are static, and found by their handle's value.
 */
#ifndef PGASIM_MPI_TYPE_H
#define PGASIM_MPI_TYPE_H

#include "mpi/internal.h"

struct mpi_made;       /* how it was made: for MPI_Type_get_envelope and _contents */
struct mpi_attributes; /* attr/ */

struct mpi_type {
    struct mpi_object object;
    const struct types_layout *layout; /* a reference, except of predefined ones; NULL: a predefined one that
                                        * does not exist here */
    bool committed, predefined;
    char *name; /* NULL: none was set */
    const struct mpi_made *made;
    struct mpi_attributes *attributes;
};

/* The datatypes of the handles 0x200 to 0x2ff, by the low byte, and of the removed MPI_LB and MPI_UB. */
extern struct mpi_type mpi_types[256];
/* NULL: no such datatype. */
static inline struct mpi_type *mpi_type_find(const struct mpi_rank *self, MPI_Datatype datatype)
{
    uintptr_t value = (uintptr_t)datatype;
    if (BASE_LIKELY(value - 0x200 < 0x100))
        return mpi_types[value - 0x200].layout ? &mpi_types[value - 0x200] : NULL;
    return mpi_find(self, MPI_KIND_TYPE, datatype);
}
void mpi_type_retain(struct mpi_type *t);
void mpi_type_release(struct mpi_type *t);
/* Before any other function; at start-up. */
void mpi_type_register(void);

/* A buffer of a communication call as p2p/ wants it: count items of a committed datatype at an address, NULL being
 * MPI_BOTTOM. Returns MPI_SUCCESS, or fails by the handler of `on` with MPI_ERR_COUNT, _TYPE or _BUFFER. */
int mpi_type_buffer(struct mpi_call *c, struct mpi_guarded *on, const void *address, MPI_Count count,
                    MPI_Datatype datatype, struct p2p_buffer *out);

#endif
