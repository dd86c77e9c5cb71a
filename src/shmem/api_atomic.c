/* SPDX-License-Identifier: BSD-3-Clause */
/* api_atomic: the functions of atomic.def. The work is atomic.c's; values travel by their bits. */
#include "shmem/forms.h"

#include <string.h>

#define TYPE(T)                                                                                              \
    _Generic((T)0, int                                                                                       \
             : TYPES_INT, long                                                                               \
             : TYPES_LONG, long long                                                                         \
             : TYPES_LONGLONG, unsigned                                                                      \
             : TYPES_UINT, unsigned long                                                                     \
             : TYPES_ULONG, unsigned long long                                                               \
             : TYPES_ULONGLONG, float                                                                        \
             : TYPES_FLOAT, double                                                                           \
             : TYPES_DOUBLE)
#define BITS(T, NAME, VALUE)                                                                                 \
    uint64_t NAME = 0;                                                                                       \
    const T NAME##_typed = (T)(VALUE);                                                                       \
    memcpy(&NAME, &NAME##_typed, sizeof NAME##_typed);
#define FETCH(T, OBJECT, OP, VALUE, COMPARE)                                                                 \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .kind = OP, .type = TYPE(T)};    \
    BITS(T, operand, VALUE)                                                                                  \
    BITS(T, compare, COMPARE)                                                                                \
    const uint64_t old =                                                                                     \
        shmem_core_fetch(&form, ctx, OBJECT, operand, compare, pe, __builtin_return_address(0));             \
    T result;                                                                                                \
    memcpy(&result, &old, sizeof result);                                                                    \
    return result;
#define FETCH_NBI(T, OBJECT, OP, VALUE, COMPARE)                                                             \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .kind = OP, .type = TYPE(T)};    \
    BITS(T, operand, VALUE)                                                                                  \
    BITS(T, compare, COMPARE)                                                                                \
    shmem_core_fetch_nbi(&form, ctx, fetch, OBJECT, operand, compare, pe, __builtin_return_address(0));
#define POST(T, OP, VALUE)                                                                                   \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .kind = OP, .type = TYPE(T)};    \
    BITS(T, operand, VALUE)                                                                                  \
    shmem_core_post(&form, ctx, dest, operand, pe, __builtin_return_address(0));

/* The deprecated names have no context of their own. */
#undef FORM_GENERIC
#define FORM_GENERIC(RESULT, NAME, PARAMS, ...)                                                              \
    FORM(RESULT, NAME, PARAMS, const shmem_ctx_t ctx = SHMEM_CTX_DEFAULT; __VA_ARGS__)

#include "shmem/atomic.def"
