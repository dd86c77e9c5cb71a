/* SPDX-License-Identifier: BSD-3-Clause */
/* shims: the functions of the sample, from the lists that the header is made of. Each says which it is. */
#include <mpi.h>

#include "program.h"
#include "types.def"

struct called called;

#define FORM(RESULT, NAME, PARAMS, ...)                                                                      \
    RESULT MPI_##NAME PARAMS                                                                                 \
    {                                                                                                        \
        called.name = "MPI_" #NAME;                                                                          \
        __VA_ARGS__                                                                                          \
    }
#define COUNTED(value)                                                                                       \
    called.count = (value);                                                                                  \
    called.size = sizeof(value);                                                                             \
    return MPI_SUCCESS;
#define MPI_FAMILY(TITLE, TYPES, FORMS) MPI_TYPES_##TYPES(FORMS)
#include "counted.def"

#define SECTION(text)
#define CONSTANT(name, value)
#define PLAIN(RESULT, NAME, PARAMS)                                                                          \
    RESULT NAME PARAMS                                                                                       \
    {                                                                                                        \
        called.name = #NAME;                                                                                 \
        return (RESULT)0;                                                                                    \
    }
#include "single.def"
