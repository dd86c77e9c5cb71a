/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * api_reduce: the functions of reduce.def: a collective with an operator and an element of types/ each.
 */
#include "shmem/forms.h"

/* --- operators and elements of types/ -------------------------------------------------------------- */

#define OPERATOR_and  TYPES_BAND
#define OPERATOR_or   TYPES_BOR
#define OPERATOR_xor  TYPES_BXOR
#define OPERATOR_max  TYPES_MAX
#define OPERATOR_min  TYPES_MIN
#define OPERATOR_sum  TYPES_SUM
#define OPERATOR_prod TYPES_PROD

/* Types of fixed width are one of these. */
#define ELEMENT(T)                                                                                           \
    _Generic((T){0}, char                                                                                    \
             : TYPES_CHAR, signed char                                                                       \
             : TYPES_SCHAR, unsigned char                                                                    \
             : TYPES_UCHAR, short                                                                            \
             : TYPES_SHORT, unsigned short                                                                   \
             : TYPES_USHORT, int                                                                             \
             : TYPES_INT, unsigned                                                                           \
             : TYPES_UINT, long                                                                              \
             : TYPES_LONG, unsigned long                                                                     \
             : TYPES_ULONG, long long                                                                        \
             : TYPES_LONGLONG, unsigned long long                                                            \
             : TYPES_ULONGLONG, float                                                                        \
             : TYPES_FLOAT, double                                                                           \
             : TYPES_DOUBLE, long double                                                                     \
             : TYPES_LONGDOUBLE, float _Complex                                                              \
             : TYPES_COMPLEX_FLOAT, double _Complex                                                          \
             : TYPES_COMPLEX_DOUBLE)

/* --- the functions -------------------------------------------------------------------------------- */

#define REDUCE_BODY(T, N, KIND, OP, WORK)                                                                    \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .kind = KIND};                   \
    const struct coll_operator op = {OPERATOR_##OP, ELEMENT(T), false};                                      \
    shmem_core_reduce(&form, &who, dest, source, count, WORK, op);
#define REDUCE(T, N, OP)                                                                                     \
    const struct shmem_who who = {.team = team, .caller = __builtin_return_address(0)};                      \
    const size_t count = nreduce;                                                                            \
    REDUCE_BODY(T, N, COLL_REDUCE, OP, NULL)                                                                 \
    return 0;
#define REDUCE_SET(T, N, OP)                                                                                 \
    const struct shmem_who who = {NULL,    true,  PE_start, logPE_stride,                                    \
                                  PE_size, pSync, false,    __builtin_return_address(0)};                    \
    const size_t count = nreduce > 0 ? (size_t)nreduce : 0;                                                  \
    REDUCE_BODY(T, N, COLL_REDUCE, OP, pWrk)
#define SCAN(T, N, KIND)                                                                                     \
    const struct shmem_who who = {.team = team, .caller = __builtin_return_address(0)};                      \
    const size_t count = nelems;                                                                             \
    REDUCE_BODY(T, N, KIND, sum, NULL)                                                                       \
    return 0;

#include "shmem/reduce.def"
