/* SPDX-License-Identifier: BSD-3-Clause */
/* collective: collectives and reduction operations (MPI-5.0 chapter 6, sections 8.6 to 8.8). */
#ifndef PGASIM_MPI_COLLECTIVE_H
#define PGASIM_MPI_COLLECTIVE_H

#include "mpi/comm/comm.h"
#include "mpi/type/type.h"

/* A reduction operation: a predefined one, or a function of the program. */
struct mpi_op {
    struct mpi_object object;
    uint8_t op; /* enum types_op; TYPES_OPS: a function of the program */
    bool commutes;
    bool wide; /* the function takes an MPI_Count */
    void (*fn)(void);
    /* Calls fn: inout[k] = in[k] fn inout[k]. NULL: as C functions are called. */
    void (*call)(void (*fn)(void), void *in, void *inout, MPI_Count len, uint32_t datatype);
};

/* The operations of the handles 0x20 to 0x3f; those that do not exist have the handle 0. */
extern struct mpi_op mpi_ops[32];
/* NULL: no such operation. */
static inline struct mpi_op *mpi_op_find(const struct mpi_rank *self, MPI_Op op)
{
    uintptr_t value = (uintptr_t)op;
    if (BASE_LIKELY(value - 0x20 < 32))
        return mpi_ops[value - 0x20].object.handle ? &mpi_ops[value - 0x20] : NULL;
    return mpi_find(self, MPI_KIND_OP, op);
}
struct mpi_op *mpi_op_retain(struct mpi_op *o);
void mpi_op_release(struct mpi_op *o);
/* Applies an operation of the program to items in memory that the calling code can reach, on an actor of the
 * rank and within rank_call_back. */
void mpi_op_apply(const struct mpi_op *o, const void *in, void *inout, uint64_t items, uint32_t datatype);

void mpi_coll_register(void); /* before the first operation or record is made; may be called again */

#endif
