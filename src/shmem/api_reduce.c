/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * api_reduce: the functions of reduce.def and the operations they hand to the collectives. Sums and products
 * of integers wrap around, as the hardware does, rather than overflow.
 */
#include "shmem/forms.h"

/* --- the operations: one function per operation and type ------------------------------------------ */

#define OPERATION(T, N, OP, STATEMENT)                                                                       \
    static void OP##_##N(void *inout, const void *in, size_t n)                                              \
    {                                                                                                        \
        T *a = inout;                                                                                        \
        const T *b = in;                                                                                     \
        for (size_t i = 0; i < n; i++)                                                                       \
            STATEMENT                                                                                        \
    }
#define BITWISE(T, N)                                                                                        \
    OPERATION(T, N, and, a[i] = (T)(a[i] & b[i]);)                                                           \
    OPERATION(T, N, or, a[i] = (T)(a[i] | b[i]);)                                                            \
    OPERATION(T, N, xor, a[i] = (T)(a[i] ^ b[i]);)
#define ORDERED(T, N)                                                                                        \
    OPERATION(T, N, max, a[i] = a[i] < b[i] ? b[i] : a[i];)                                                  \
    OPERATION(T, N, min, a[i] = b[i] < a[i] ? b[i] : a[i];)
#define WRAPPING(T, N)                                                                                       \
    OPERATION(T, N, sum, (void)__builtin_add_overflow(a[i], b[i], &a[i]);)                                   \
    OPERATION(T, N, prod, (void)__builtin_mul_overflow(a[i], b[i], &a[i]);)
#define FLOATING(T, N)                                                                                       \
    OPERATION(T, N, sum, a[i] += b[i];)                                                                      \
    OPERATION(T, N, prod, a[i] *= b[i];)

SHMEM_TYPES_REDUCE_BITS(BITWISE)
SHMEM_TYPES_TO_ALL_BITS(BITWISE)
SHMEM_TYPES_REDUCE_ORDERED(ORDERED)
SHMEM_TYPES_REDUCE_SIGNED(WRAPPING)
SHMEM_TYPES_REDUCE_BITS(WRAPPING)
SHMEM_TYPES_REAL(FLOATING)
SHMEM_TYPES_COMPLEX(FLOATING)

/* --- their numbers: what members must agree on ---------------------------------------------------- */

enum { REDUCE_and, REDUCE_or, REDUCE_xor, REDUCE_max, REDUCE_min, REDUCE_sum, REDUCE_prod, REDUCE_OPS };
enum {
#define TYPE_NUMBER(T, N) TYPE_##N,
    SHMEM_TYPES_REDUCE(TYPE_NUMBER)
};

/* --- the functions -------------------------------------------------------------------------------- */

#define REDUCE_BODY(T, N, KIND, OP, WORK)                                                                    \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .kind = KIND};                   \
    static const struct shmem_reduction op = {OP##_##N, TYPE_##N * REDUCE_OPS + REDUCE_##OP};                \
    shmem_core_reduce(&form, &who, dest, source, count, WORK, &op);
#define REDUCE(T, N, OP)                                                                                     \
    const struct shmem_who who = {.team = team};                                                             \
    const size_t count = nreduce;                                                                            \
    REDUCE_BODY(T, N, COLL_REDUCE, OP, NULL)                                                                 \
    return 0;
#define REDUCE_SET(T, N, OP)                                                                                 \
    const struct shmem_who who = {NULL, true, PE_start, logPE_stride, PE_size, pSync, false};                \
    const size_t count = nreduce > 0 ? (size_t)nreduce : 0;                                                  \
    REDUCE_BODY(T, N, COLL_REDUCE, OP, pWrk)
#define SCAN(T, N, KIND)                                                                                     \
    const struct shmem_who who = {.team = team};                                                             \
    const size_t count = nelems;                                                                             \
    REDUCE_BODY(T, N, KIND, sum, NULL)                                                                       \
    return 0;

#include "shmem/reduce.def"
