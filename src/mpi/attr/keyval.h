/* SPDX-License-Identifier: BSD-3-Clause */
/* keyval: keys of attributes. Private to attr/. */
#ifndef PGASIM_MPI_KEYVAL_H
#define PGASIM_MPI_KEYVAL_H

#include "mpi/attr/attr.h"

struct mpi_keyval {
    struct mpi_object object; /* references: the program's, and one for each attribute */
    struct mpi_keyval_spec spec;
    bool freed; /* by the program */
};

/* NULL: no such key, or one of other objects. */
struct mpi_keyval *mpi_keyval_find(const struct mpi_rank *self, enum mpi_kind kind, int key);
void mpi_keyval_release(struct mpi_rank *self, struct mpi_keyval *k);
/* Call its functions, and return what they return. */
int mpi_keyval_copy(struct mpi_call *c, const struct mpi_keyval *k, uint32_t handle, struct mpi_value *in,
                    struct mpi_value *out, bool *flag);
int mpi_keyval_delete(struct mpi_call *c, const struct mpi_keyval *k, uint32_t handle,
                      struct mpi_value *value);
/* "a communicator": for texts. */
const char *mpi_kind_text(enum mpi_kind kind);

#endif
