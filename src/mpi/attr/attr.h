/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * attr: what programs attach to communicators, datatypes and windows (MPI-5.0 section 7.7): keys, and a list
 * of attributes for each object that has any. The object's room calls these functions; this one does not
 * know the objects.
 *
 * Invariants
 *  M10 A key lives until the program has freed it and no attribute of it is left; its number is not given
 *      again before.
 *  M11 A list holds at most one attribute of a key, in the order in which they were last set.
 */
#ifndef PGASIM_MPI_ATTR_H
#define PGASIM_MPI_ATTR_H

#include "mpi/internal.h"

struct mpi_keyval;
struct mpi_attributes;

/* Which language a value came from. C is given a pointer to what Fortran has set, and Fortran the integer
 * that a pointer is (MPI-5.0 section 19.3.7). */
enum mpi_attribute_form {
    MPI_FORM_POINTER, /* set by C */
    MPI_FORM_INTEGER, /* an INTEGER, of Fortran's old functions; predefined ones, which C sees as int * */
    MPI_FORM_ADDRESS, /* an INTEGER(KIND=MPI_ADDRESS_KIND) of Fortran */
};
struct mpi_value {
    union {
        void *pointer;
        int integer;
        MPI_Aint address;
    };
    uint8_t form; /* enum mpi_attribute_form */
};
/* What C sees of a value; it stays where it is until the attribute goes. */
void *mpi_value_pointer(struct mpi_value *v);
/* What Fortran sees. */
MPI_Aint mpi_value_integer(const struct mpi_value *v);

/* How a key's functions are called if they are not C's. Each returns the function's error code. */
struct mpi_keyval_language {
    int (*copy)(void (*fn)(void), uint32_t handle, int key, void *extra, struct mpi_value *in,
                struct mpi_value *out, bool *flag);
    int (*delete)(void (*fn)(void), uint32_t handle, int key, struct mpi_value *value, void *extra);
};

/* What a key is made of. */
struct mpi_keyval_spec {
    enum mpi_kind kind;   /* of the objects: MPI_KIND_COMM, _TYPE, _WIN */
    void (*copy)(void);   /* or NULL: not copied; or mpi_dup_fn */
    void (*delete)(void); /* or NULL */
    void *extra;
    const struct mpi_keyval_language *language; /* NULL: C */
};
/* MPI_COMM_DUP_FN and the like: the value 1 by the standard's ABI. */
#define mpi_dup_fn ((void (*)(void))1)
int mpi_keyval_make(struct mpi_call *c, const struct mpi_keyval_spec *spec, int *key);
int mpi_keyval_drop(struct mpi_call *c, enum mpi_kind kind, int *key);

/* Whose attributes a call is about. */
struct mpi_holder {
    enum mpi_kind kind;
    uint32_t handle;             /* that the key's functions are told */
    struct mpi_guarded *guarded; /* for errors; NULL: a datatype */
    struct mpi_attributes **list;
};
/* Each returns MPI_SUCCESS, or has failed by the handler of the holder. */
int mpi_attributes_set(struct mpi_call *c, const struct mpi_holder *h, int key, struct mpi_value value);
/* *out: NULL if there is none. */
int mpi_attributes_get(struct mpi_call *c, const struct mpi_holder *h, int key, struct mpi_value **out);
int mpi_attributes_remove(struct mpi_call *c, const struct mpi_holder *h, int key);
/* The same as MPI_..._get_attr in C. */
int mpi_attributes_get_c(struct mpi_call *c, const struct mpi_holder *h, int key, void *attribute_val,
                         int *flag);

/* Calls the keys' copy functions, in the order in which the attributes were set (section 7.7.2), and makes
 * the list of the new object. A function that fails ends that: its code is returned, which no error handler
 * has seen, and *to holds what was copied before. */
int mpi_attributes_copy(struct mpi_call *c, const struct mpi_attributes *from, uint32_t old_handle,
                        struct mpi_attributes **to);
/* Calls the delete functions, in the reverse order (section 11.2.4), and frees the list. A function that
 * fails ends that: its code is returned, which no error handler has seen; its attribute stays, and those set
 * before it. */
int mpi_attributes_delete(struct mpi_call *c, struct mpi_attributes **list, uint32_t handle);
/* Frees the list and calls nothing: the object goes with its rank, or was never seen. */
void mpi_attributes_forget(struct mpi_rank *self, struct mpi_attributes **list);

#endif
