/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * combine_float: operators on floating-point numbers.
 */
#include "types/combine.h"
#include "types/half.h"

#define ALL(kind, T, read, write)                                                                            \
    TYPES_COMBINE(max, kind, T, read(a) < read(b) ? b : a)                                                   \
    TYPES_COMBINE(min, kind, T, read(b) < read(a) ? b : a)                                                   \
    TYPES_COMBINE(sum, kind, T, write(read(a) + read(b)))                                                    \
    TYPES_COMBINE(prod, kind, T, write(read(a) * read(b)))

TYPES_FLOAT_KINDS(ALL)
