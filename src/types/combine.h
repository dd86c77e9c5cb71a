/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * combine: the operators' loops, one function for each operator and kind: types_<verb>_<kind>. The files
 * combine_*.c are compiled for vectorization (CMakeLists.txt); operator.c has the table of them.
 *
 *  TC1 Operands are read through unaligned types that alias everything, so any buffer will do.
 *  TC2 An element's result depends on its two operands alone, so loops need no order: out may be left or
 *      right.
 */
#ifndef PGASIM_TYPES_COMBINE_H
#define PGASIM_TYPES_COMBINE_H

#include "types/internal.h"

/* The function of one operator and kind: `result` is an expression of a and b. */
#define TYPES_COMBINE(verb, kind, T, result)                                                                 \
    void types_##verb##_##kind(void *out, const void *left, const void *right, size_t n)                     \
    {                                                                                                        \
        typedef T anywhere TYPES_ANYWHERE;                                                                   \
        anywhere *to = out;                                                                                  \
        const anywhere *first = left, *second = right;                                                       \
        TYPES_INDEPENDENT                                                                                    \
        for (size_t i = 0; i < n; i++) {                                                                     \
            T a = first[i], b = second[i];                                                                   \
            to[i] = result;                                                                                  \
        }                                                                                                    \
    }

/* X(VERB, kind) for each group of operators: ORDERED max and min, ADDED sum and prod, LOGIC, BITS,
 * PLACES. */
#define TYPES_ORDERED(X, kind) X(MAX, max, kind) X(MIN, min, kind)
#define TYPES_ADDED(X, kind)   X(SUM, sum, kind) X(PROD, prod, kind)
#define TYPES_LOGIC(X, kind)   X(LAND, land, kind) X(LOR, lor, kind) X(LXOR, lxor, kind)
#define TYPES_BITS(X, kind)    X(BAND, band, kind) X(BOR, bor, kind) X(BXOR, bxor, kind)
#define TYPES_PLACES(X, kind)  X(MINLOC, minloc, kind) X(MAXLOC, maxloc, kind)

#define TYPES_DECLARE(NAME, verb, kind)                                                                      \
    void types_##verb##_##kind(void *, const void *, const void *, size_t);
#define INTEGER(kind, ...)                                                                                   \
    TYPES_ORDERED(TYPES_DECLARE, kind)                                                                       \
    TYPES_ADDED(TYPES_DECLARE, kind)                                                                         \
    TYPES_LOGIC(TYPES_DECLARE, kind)                                                                         \
    TYPES_BITS(TYPES_DECLARE, kind)
#define FLOATING(kind, ...)                                                                                  \
    TYPES_ORDERED(TYPES_DECLARE, kind)                                                                       \
    TYPES_ADDED(TYPES_DECLARE, kind)
#define COMPLEX(kind, ...) TYPES_ADDED(TYPES_DECLARE, kind)
TYPES_INTEGER_KINDS(INTEGER)
TYPES_FLOAT_KINDS(FLOATING)
TYPES_COMPLEX_KINDS(COMPLEX)
#undef INTEGER
#undef FLOATING
#undef COMPLEX
#define TYPES_ELEMENT(...)
#define TYPES_PAIR(NAME, ...) TYPES_PLACES(TYPES_DECLARE, NAME)
#include "types/elements.def"
#undef TYPES_ELEMENT
#undef TYPES_PAIR

#endif
