/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * forms: turns the lines of a list (rma.def says how they are written) into functions. The including file
 * defines the body macros that its list names, then includes the list. In a body, `call` is the function's
 * name and, in the FORM_CTX kinds, `ctx` the context. To leave out a family without bodies, the file defines
 * SHMEM_FAMILY itself.
 */
#ifndef PGASIM_SHMEM_FORMS_H
#define PGASIM_SHMEM_FORMS_H

#include "shmem/internal.h"
#include "shmem/types.def"

#define SHMEM_UNWRAP(...) __VA_ARGS__
#define FORM(RESULT, NAME, PARAMS, ...)                                                                      \
    BASE_PUBLIC RESULT shmem_##NAME PARAMS                                                                   \
    {                                                                                                        \
        static const char call[] = "shmem_" #NAME;                                                           \
        __VA_ARGS__                                                                                          \
    }
#define FORM_GENERIC(RESULT, NAME, PARAMS, ...) FORM(RESULT, NAME, PARAMS, __VA_ARGS__)
#define FORM_CTX(RESULT, NAME, PARAMS, ...)                                                                  \
    BASE_PUBLIC RESULT shmem_##NAME PARAMS                                                                   \
    {                                                                                                        \
        static const char call[] = "shmem_" #NAME;                                                           \
        const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;                                                           \
        __VA_ARGS__                                                                                          \
    }                                                                                                        \
    BASE_PUBLIC RESULT shmem_ctx_##NAME(shmem_ctx_t ctx, SHMEM_UNWRAP PARAMS)                                \
    {                                                                                                        \
        static const char call[] = "shmem_ctx_" #NAME;                                                       \
        __VA_ARGS__                                                                                          \
    }
#define FORM_CTX_GENERIC(RESULT, NAME, PARAMS, ...) FORM_CTX(RESULT, NAME, PARAMS, __VA_ARGS__)
#define SHMEM_FAMILY(TITLE, TYPES, FORMS)           SHMEM_TYPES_##TYPES(FORMS)

#endif
