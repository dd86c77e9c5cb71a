/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * type: datatypes (MPI-5.0 chapter 5). A datatype is a layout of types/ and what is known of how it was made.
 * Predefined ones are static, shared by all ranks, and found by their handle's value; what a rank adds to
 * them (a name, attributes) is its own.
 */
#ifndef PGASIM_MPI_TYPE_H
#define PGASIM_MPI_TYPE_H

#include "mpi/internal.h"

struct mpi_made;       /* how it was made: for MPI_Type_get_envelope and _contents */
struct mpi_attributes; /* attr/ */

/* What a program attaches to a datatype. */
struct mpi_type_notes {
    char *name; /* NULL: none was set */
    struct mpi_attributes *attributes;
};

struct mpi_type {
    struct mpi_object object;
    const struct types_layout *layout; /* a reference, except of predefined ones; NULL: a predefined one that
                                        * does not exist here */
    bool committed, predefined;
    const char *standard;        /* "MPI_INT"; NULL: it has no name in the standard */
    const struct mpi_made *made; /* a reference; NULL: a named predefined one */
    struct mpi_type_notes notes; /* not of predefined ones */
    MPI_Datatype section_of; /* a section of an array of Fortran's, with gaps: as items of which datatype */
    uint64_t section_items;  /* the program passed it; 0: it is no section */
};

/* The datatypes of the handles 0x200 to 0x2ff, by the low byte. */
extern struct mpi_type mpi_types[256];
/* Those removed from the standard, which only mark bounds, and those of a rank. */
struct mpi_type *mpi_type_find_other(const struct mpi_rank *self, MPI_Datatype datatype);
/* NULL: no such datatype. */
static inline struct mpi_type *mpi_type_find(const struct mpi_rank *self, MPI_Datatype datatype)
{
    uintptr_t value = (uintptr_t)datatype;
    if (BASE_LIKELY(value - 0x200 < 0x100))
        return mpi_types[value - 0x200].layout ? &mpi_types[value - 0x200] : NULL;
    return mpi_type_find_other(self, datatype);
}
/* The same, or fails by the handler of `on` with MPI_ERR_TYPE, which *rc then is. */
struct mpi_type *mpi_type_of(struct mpi_call *c, struct mpi_guarded *on, MPI_Datatype datatype, int *rc);

void mpi_type_retain(struct mpi_type *t);
void mpi_type_release(struct mpi_type *t);
/* A handle for it that the program frees, unless it is a named predefined one. */
MPI_Datatype mpi_type_again(struct mpi_call *c, struct mpi_type *t);
/* relaid.c: the layout that its constructors make if a predefined datatype has as many bytes as `size` says: a
 * reference. NULL: it does not fit, or no constructor made it, as those of sections of Fortran's arrays. */
typedef uint64_t (*mpi_type_size_fn)(void *arg, const struct mpi_type *t);
const struct types_layout *mpi_type_relaid(const struct mpi_type *t, mpi_type_size_fn size, void *arg);
/* external.c, "external32": bytes of count items there; from packed data and back. mpi_external_decode converts the
 * elements that are whole in n bytes, and returns how many bytes they have here. */
uint64_t mpi_external_bytes(const struct types_layout *l, uint64_t count);
void mpi_external_encode(const struct types_layout *l, uint64_t count, const void *here, void *there);
uint64_t mpi_external_decode(const struct types_layout *l, uint64_t count, void *here, const void *there,
                             uint64_t n);
/* A rank's own notes on any datatype; they stay where they are. */
struct mpi_type_notes *mpi_type_notes(struct mpi_rank *self, struct mpi_type *t);
/* Before any other function; at start-up. */
void mpi_type_register(void);

/* A buffer of a communication call as p2p/ wants it: count items of a committed datatype at an address, NULL
 * being MPI_BOTTOM. Returns MPI_SUCCESS, or fails by the handler of `on` with MPI_ERR_COUNT, _TYPE or
 * _BUFFER. */
int mpi_type_buffer(struct mpi_call *c, struct mpi_guarded *on, const void *address, MPI_Count count,
                    MPI_Datatype datatype, struct p2p_buffer *out);

/* How many whole items are in `bytes` bytes of data; MPI_UNDEFINED: it is no whole number. */
MPI_Count mpi_type_count(const struct mpi_type *t, uint64_t bytes);
/* "MPI_INT", "a vector of 3 x 2 MPI_DOUBLE made by MPI_Type_vector": for reports. Returns buf. */
const char *mpi_type_text(const struct mpi_type *t, char *buf, size_t size);

#endif
