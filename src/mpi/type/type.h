/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * type: datatypes (MPI-5.0 chapter 5). A datatype is a layout of types/ and what is known of how it was made.
 * Predefined ones are static and the same for all ranks; what a rank attaches to one is kept apart.
 */
#ifndef PGASIM_MPI_TYPE_H
#define PGASIM_MPI_TYPE_H

#include "mpi/attr/attr.h"
#include "mpi/internal.h"

struct mpi_made; /* how it was made: for MPI_Type_get_envelope and _contents */

/* What a program attaches to a datatype. */
struct mpi_type_extra {
    char *name; /* NULL: none was set */
    struct mpi_attributes *attributes;
};

struct mpi_type {
    struct mpi_object object;
    const struct types_layout *layout; /* a reference, except of predefined ones; NULL: a predefined one that
                                        * does not exist here */
    bool committed, predefined;
    uint8_t bound;               /* MPI_LB: 1, MPI_UB: 2 */
    const char *text;            /* a predefined one's name */
    struct mpi_made *made;       /* NULL: predefined */
    struct mpi_type_extra extra; /* of one that is not predefined */
};

/* The datatypes of the handles 0x200 to 0x2ff, by the low byte; then the removed MPI_LB and MPI_UB. */
enum { MPI_TYPE_LB = 256, MPI_TYPE_UB, MPI_TYPES };
extern struct mpi_type mpi_types[MPI_TYPES];
/* NULL: no such datatype. */
static inline struct mpi_type *mpi_type_find(const struct mpi_rank *self, MPI_Datatype datatype)
{
    uintptr_t value = (uintptr_t)datatype;
    if (BASE_LIKELY(value - 0x200 < 0x100))
        return mpi_types[value - 0x200].layout ? &mpi_types[value - 0x200] : NULL;
    if (BASE_UNLIKELY(value - 0x3f0 < 2))
        return &mpi_types[MPI_TYPE_LB + (value - 0x3f0)];
    return mpi_find(self, MPI_KIND_TYPE, datatype);
}
/* The same, or fails with MPI_ERR_TYPE, which *rc then is. */
struct mpi_type *mpi_type_of(struct mpi_call *c, MPI_Datatype datatype, int *rc);
/* What this rank has attached to it. */
struct mpi_type_extra *mpi_type_extra(struct mpi_rank *self, struct mpi_type *t);
static inline MPI_Datatype mpi_type_handle(const struct mpi_type *t)
{
    return MPI_HANDLE(MPI_Datatype, t->object.handle);
}
void mpi_type_retain(struct mpi_type *t);
void mpi_type_release(struct mpi_type *t);
/* Before any other function; at start-up. */
void mpi_type_register(void);

/* A buffer of a communication call as p2p/ wants it: count items of a committed datatype at an address, NULL being
 * MPI_BOTTOM. Returns MPI_SUCCESS, or fails by the handler of `on` with MPI_ERR_COUNT, _TYPE or _BUFFER. */
int mpi_type_buffer(struct mpi_call *c, struct mpi_guarded *on, const void *address, MPI_Count count,
                    MPI_Datatype datatype, struct p2p_buffer *out);
/* "MPI_INT", "a datatype made by MPI_Type_vector": for reports. Returns buf. */
char *mpi_type_text(struct mpi_rank *self, struct mpi_type *t, char *buf, size_t size);

#endif
