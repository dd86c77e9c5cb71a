/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * naive_operators: every operator on one element of any type: by C type, not by kind; integers in 128 bits,
 * 16-bit floats rounded from a double.
 */
#ifndef TESTS_TYPES_NAIVE_OPERATORS_H
#define TESTS_TYPES_NAIVE_OPERATORS_H

#include "types/internal.h"

#include "types/naive.h"
#include "types/small_floats.h"

static void one_integer(enum types_op op, uint32_t size, bool is_signed, const void *left, const void *right,
                        void *out)
{
    unsigned __int128 a = 0, b = 0, c = 0;
    memcpy(&a, left, size);
    memcpy(&b, right, size);
    unsigned above = 128 - 8 * size;
    bool less = is_signed ? (__int128)(a << above) < (__int128)(b << above) : a < b;
    switch (op) {
    case TYPES_MAX:
        c = less ? b : a;
        break;
    case TYPES_MIN:
        c = less ? a : b;
        break;
    case TYPES_SUM:
        c = a + b;
        break;
    case TYPES_PROD:
        c = a * b;
        break;
    case TYPES_LAND:
        c = a && b;
        break;
    case TYPES_LOR:
        c = a || b;
        break;
    case TYPES_LXOR:
        c = !a != !b;
        break;
    case TYPES_BAND:
        c = a & b;
        break;
    case TYPES_BOR:
        c = a | b;
        break;
    case TYPES_BXOR:
        c = a ^ b;
        break;
    default:
        fail_msg("%s of an integer", types_operator_name(op));
    }
    memcpy(out, &c, size);
}

#define ONE_FLOAT(name, T)                                                                                   \
    static void name(enum types_op op, const void *left, const void *right, void *out)                       \
    {                                                                                                        \
        volatile T a, b;                                                                                     \
        memcpy((void *)&a, left, sizeof a);                                                                  \
        memcpy((void *)&b, right, sizeof b);                                                                 \
        T c = op == TYPES_MAX   ? (b > a ? b : a)                                                            \
              : op == TYPES_MIN ? (a > b ? b : a)                                                            \
              : op == TYPES_SUM ? a + b                                                                      \
                                : a * b;                                                                     \
        memcpy(out, &c, sizeof c);                                                                           \
    }
ONE_FLOAT(one_float, float)
ONE_FLOAT(one_double, double)
ONE_FLOAT(one_long_double, long double)
ONE_FLOAT(one_f128, types_f128)

#define ONE_COMPLEX(name, T)                                                                                 \
    static void name(enum types_op op, const void *left, const void *right, void *out)                       \
    {                                                                                                        \
        T a, b;                                                                                              \
        memcpy(&a, left, sizeof a);                                                                          \
        memcpy(&b, right, sizeof b);                                                                         \
        T c = op == TYPES_SUM ? a + b : a * b;                                                               \
        memcpy(out, &c, sizeof c);                                                                           \
    }
ONE_COMPLEX(one_cf32, float _Complex)
ONE_COMPLEX(one_cf64, double _Complex)
ONE_COMPLEX(one_cfld, long double _Complex)

static void one_small(enum types_op op, const struct small *f, const void *left, const void *right, void *out)
{
    uint16_t x, y;
    memcpy(&x, left, sizeof x);
    memcpy(&y, right, sizeof y);
    double a = small_value(f, x), b = small_value(f, y);
    uint16_t c = op == TYPES_MAX   ? (b > a ? y : x)
                 : op == TYPES_MIN ? (a > b ? y : x)
                 : op == TYPES_SUM ? small_of(f, a + b)
                                   : small_of(f, a * b);
    memcpy(out, &c, sizeof c);
}

static void one_cf16(enum types_op op, const void *left, const void *right, void *out)
{
    uint16_t x[2], y[2];
    memcpy(x, left, sizeof x);
    memcpy(y, right, sizeof y);
    float ar = (float)small_value(&half, x[0]), ai = (float)small_value(&half, x[1]);
    float br = (float)small_value(&half, y[0]), bi = (float)small_value(&half, y[1]);
    float rr = ar * br, ii = ai * bi, ri = ar * bi, ir = ai * br;
    float re = op == TYPES_SUM ? ar + br : rr - ii, im = op == TYPES_SUM ? ai + bi : ri + ir;
    uint16_t c[2] = {small_of(&half, re), small_of(&half, im)};
    memcpy(out, c, sizeof c);
}

static void one_cf128(enum types_op op, const void *left, const void *right, void *out)
{
    struct types_cf128 a, b, c;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    volatile types_f128 rr = a.re * b.re, ii = a.im * b.im, ri = a.re * b.im, ir = a.im * b.re;
    c.re = op == TYPES_SUM ? a.re + b.re : rr - ii;
    c.im = op == TYPES_SUM ? a.im + b.im : ri + ir;
    memcpy(out, &c, sizeof c);
}

/* --- by element ----------------------------------------------------------------------------------- */

static void one_f16(enum types_op op, const void *left, const void *right, void *out)
{
    one_small(op, &half, left, right, out);
}

static void one(enum types_op op, enum types_element e, const void *left, const void *right, void *out)
{
    switch (e) {
#define C_INTEGER(T)      one_integer(op, sizeof(T), (T)-1 < (T)1, left, right, out)
#define F_INTEGER(T)      C_INTEGER(T)
#define MULTI_LANGUAGE(T) C_INTEGER(T)
#define CHARACTER(T)      C_INTEGER(T)
#define LOGICAL(T)        C_INTEGER(T)
#define BYTE(T)           C_INTEGER(T)
#define OPAQUE(T)         C_INTEGER(T)
#define FLOATING(T)                                                                                          \
    _Generic((T *)NULL, uint16_t *                                                                           \
             : one_f16, float *                                                                              \
             : one_float, double *                                                                           \
             : one_double, long double *                                                                     \
             : one_long_double, default                                                                      \
             : one_f128)(op, left, right, out)
#define COMPLEX(T)                                                                                           \
    _Generic((T *)NULL, struct types_cf16 *                                                                  \
             : one_cf16, float _Complex *                                                                    \
             : one_cf32, double _Complex *                                                                   \
             : one_cf64, long double _Complex *                                                              \
             : one_cfld, struct types_cf128 *                                                                \
             : one_cf128)(op, left, right, out)
#define TYPES_ELEMENT(NAME, text, T, KIND, CLASS)                                                            \
    case TYPES_##NAME:                                                                                       \
        if (TYPES_##NAME == TYPES_BFLOAT16)                                                                  \
            one_small(op, &bfloat, left, right, out);                                                        \
        else                                                                                                 \
            CLASS(T);                                                                                        \
        break;
#define TYPES_PAIR(NAME, text, A, B, FIRST, SECOND)                                                          \
    case TYPES_##NAME: {                                                                                     \
        struct types_##NAME a, b, c;                                                                         \
        memcpy(&a, left, sizeof a);                                                                          \
        memcpy(&b, right, sizeof b);                                                                         \
        memcpy(&c, out, sizeof c);                                                                           \
        bool better = op == TYPES_MAXLOC ? b.value > a.value : b.value < a.value;                            \
        c.value = better ? b.value : a.value;                                                                \
        c.place = better ? b.place : a.value == b.value && b.place < a.place ? b.place : a.place;            \
        memcpy(out, &c, sizeof c);                                                                           \
        break;                                                                                               \
    }
#include "types/elements.def"
#undef TYPES_ELEMENT
#undef TYPES_PAIR
    case TYPES_ELEMENTS:
        fail();
    }
}

#endif
