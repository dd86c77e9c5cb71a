/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * combine_pair: MINLOC and MAXLOC (MPI-5.0 section 6.9.4). Members are written one by one: what lies between
 * and behind them is left alone.
 */
#include "types/combine.h"

#define LOC(verb, NAME, better)                                                                              \
    void types_##verb##_##NAME(void *out, const void *left, const void *right, size_t n)                     \
    {                                                                                                        \
        typedef struct types_##NAME anywhere TYPES_STRUCT_ANYWHERE;                                          \
        anywhere *to = out;                                                                                  \
        const anywhere *first = left, *second = right;                                                       \
        TYPES_INDEPENDENT                                                                                    \
        for (size_t i = 0; i < n; i++) {                                                                     \
            struct types_##NAME a = first[i], b = second[i];                                                 \
            bool other = b.value better a.value || (b.value == a.value && b.place < a.place);                \
            to[i].value = b.value better a.value ? b.value : a.value;                                        \
            to[i].place = other ? b.place : a.place;                                                         \
        }                                                                                                    \
    }

#define TYPES_ELEMENT(...)
#define TYPES_PAIR(NAME, ...)                                                                                \
    LOC(minloc, NAME, <)                                                                                     \
    LOC(maxloc, NAME, >)
#include "types/elements.def"
