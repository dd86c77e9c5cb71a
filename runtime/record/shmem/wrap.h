/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wrap: what a recorded function is: VOID or VALUE(result, name, parameters, arguments, the call in shmem.def, its values
 * there, what is done before the call, and after it), and for waits and tests LOOK_VOID or LOOK_VALUE. Handles are pointers
 * in all libraries, so the user's shmem.h is not needed.
 */
#ifndef PGASIM_SHMEM_WRAP_H
#define PGASIM_SHMEM_WRAP_H

#include "shmem_recorder.h"

#include <string.h>

typedef struct recorder_ctx *shmem_ctx_t;
typedef struct recorder_team *shmem_team_t;
typedef double _Complex pgasim_complexd;
typedef float _Complex pgasim_complexf;

#define UNWRAP(...) __VA_ARGS__
#define REAL(name)                                                                                           \
    static __typeof__(name) *real;                                                                           \
    if (!real)                                                                                               \
        real = (__typeof__(real))recorder_shmem_real(#name);

/* An operand's bits. */
#define OPERAND(T, value_of)                                                                                 \
    T operand = (T)(value_of);                                                                               \
    memcpy(&c.operand, &operand, sizeof operand);

#define VOID(name, params, args, function, values, before, after)                                            \
    void name params;                                                                                        \
    void name params                                                                                         \
    {                                                                                                        \
        struct recorder_shmem_call c;                                                                        \
        REAL(name)                                                                                           \
        if (!recorder_shmem_enter(&c, RECORD_SHMEM_##function)) {                                            \
            real args;                                                                                       \
            return;                                                                                          \
        }                                                                                                    \
        before const struct record_value v[] = {UNWRAP values};                                              \
        recorder_shmem_before(&c, v);                                                                        \
        real args;                                                                                           \
        after recorder_shmem_after(&c, v);                                                                   \
    }
#define VALUE(T, name, params, args, function, values, before, after)                                        \
    T name params;                                                                                           \
    T name params                                                                                            \
    {                                                                                                        \
        struct recorder_shmem_call c;                                                                        \
        int64_t number = 0;                                                                                  \
        (void)number;                                                                                        \
        REAL(name)                                                                                           \
        if (!recorder_shmem_enter(&c, RECORD_SHMEM_##function))                                              \
            return real args;                                                                                \
        before const struct record_value v[] = {UNWRAP values};                                              \
        recorder_shmem_before(&c, v);                                                                        \
        T result = real args;                                                                                \
        after recorder_shmem_after(&c, v);                                                                   \
        return result;                                                                                       \
    }
#define LOOK_VOID(name, params, args, fields)                                                                \
    void name params;                                                                                        \
    void name params                                                                                         \
    {                                                                                                        \
        struct recorder_shmem_call c;                                                                        \
        struct recorder_look l = {UNWRAP fields};                                                            \
        REAL(name)                                                                                           \
        if (!recorder_look_enter(&c, &l)) {                                                                  \
            real args;                                                                                       \
            return;                                                                                          \
        }                                                                                                    \
        real args;                                                                                           \
        recorder_look_over(&c, &l, 0);                                                                       \
    }
#define LOOK_VALUE(T, name, params, args, fields)                                                            \
    T name params;                                                                                           \
    T name params                                                                                            \
    {                                                                                                        \
        struct recorder_shmem_call c;                                                                        \
        struct recorder_look l = {UNWRAP fields};                                                            \
        REAL(name)                                                                                           \
        if (!recorder_look_enter(&c, &l))                                                                    \
            return real args;                                                                                \
        T result = real args;                                                                                \
        recorder_look_over(&c, &l, (size_t)result);                                                          \
        return result;                                                                                       \
    }

/* What traces call a type that is reduced. */
#define TYPE_NAME(T)                                                                                         \
    _Generic((T){0}, char                                                                                    \
             : "char", signed char                                                                           \
             : "signed char", unsigned char                                                                  \
             : "unsigned char", short                                                                        \
             : "short", unsigned short                                                                       \
             : "unsigned short", int                                                                         \
             : "int", unsigned                                                                               \
             : "unsigned int", long                                                                          \
             : "long", unsigned long                                                                         \
             : "unsigned long", long long                                                                    \
             : "long long", unsigned long long                                                               \
             : "unsigned long long", float                                                                   \
             : "float", double                                                                               \
             : "double", long double                                                                         \
             : "long double", pgasim_complexf                                                                \
             : "float complex", pgasim_complexd                                                              \
             : "double complex")

#endif
