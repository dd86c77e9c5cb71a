/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * combine_integer: operators on integers, logicals and bits. Sums and products wrap around, as the hardware
 * does.
 */
#include "types/combine.h"

#define ALL(kind, T, U)                                                                                      \
    TYPES_COMBINE(max, kind, T, a < b ? b : a)                                                               \
    TYPES_COMBINE(min, kind, T, b < a ? b : a)                                                               \
    TYPES_COMBINE(sum, kind, T, (T)((U)a + (U)b))                                                            \
    TYPES_COMBINE(prod, kind, T, (T)((U)a * (U)b))                                                           \
    TYPES_COMBINE(land, kind, T, (a != 0) & (b != 0))                                                        \
    TYPES_COMBINE(lor, kind, T, (a != 0) | (b != 0))                                                         \
    TYPES_COMBINE(lxor, kind, T, (a != 0) ^ (b != 0))                                                        \
    TYPES_COMBINE(band, kind, T, (T)(a & b))                                                                 \
    TYPES_COMBINE(bor, kind, T, (T)(a | b))                                                                  \
    TYPES_COMBINE(bxor, kind, T, (T)(a ^ b))

TYPES_INTEGER_KINDS(ALL)
