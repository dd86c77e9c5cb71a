/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * combine_complex: sums and products of complex numbers. Products are C's (annex G.5.1): where both parts of
 * the plain formula are not numbers, the compiler's function looks for an infinity behind it. The plain
 * formula is computed for a block at once, and the rare blocks with such numbers are computed again.
 */
#include "types/combine.h"
#include "types/half.h"

#include <string.h>

enum { BLOCK = 64 };

#define SUM(kind, R)                                                                                         \
    void types_sum_##kind(void *out, const void *left, const void *right, size_t n)                          \
    {                                                                                                        \
        types_sum_##R(out, left, right, 2 * n);                                                              \
    }

/* C's own product of T. */
#define PLAIN_PRODUCT(kind, T)                                                                               \
    static void product_##kind(void *out, const void *left, const void *right, size_t n)                     \
    {                                                                                                        \
        typedef T anywhere TYPES_ANYWHERE;                                                                   \
        anywhere *to = out;                                                                                  \
        const anywhere *first = left, *second = right;                                                       \
        for (size_t i = 0; i < n; i++)                                                                       \
            to[i] = first[i] * second[i];                                                                    \
    }

/* The formula for up to BLOCK numbers of parts R into out. Whether some result has no part that is a
 * number. */
#define FORMULA(kind, R)                                                                                     \
    static bool formula_##kind(R *restrict out, const void *left, const void *right, size_t n)               \
    {                                                                                                        \
        typedef R anywhere TYPES_ANYWHERE;                                                                   \
        const anywhere *a = left, *b = right;                                                                \
        int lost = 0;                                                                                        \
        for (size_t i = 0; i < n; i++) {                                                                     \
            R re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];                                        \
            R im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];                                        \
            out[2 * i] = re;                                                                                 \
            out[2 * i + 1] = im;                                                                             \
            lost |= (re != re) & (im != im);                                                                 \
        }                                                                                                    \
        return lost;                                                                                         \
    }

#define PRODUCT(kind, T, R)                                                                                  \
    PLAIN_PRODUCT(kind, T)                                                                                   \
    FORMULA(kind, R)                                                                                         \
    void types_prod_##kind(void *out, const void *left, const void *right, size_t n)                         \
    {                                                                                                        \
        R block[2 * BLOCK];                                                                                  \
        for (size_t i = 0, k; i < n; i += k) {                                                               \
            size_t at = i * sizeof(T);                                                                       \
            k = n - i < BLOCK ? n - i : BLOCK;                                                               \
            const char *a = (const char *)left + at, *b = (const char *)right + at;                          \
            if (BASE_UNLIKELY(formula_##kind(block, a, b, k)))                                               \
                product_##kind((char *)out + at, a, b, k);                                                   \
            else                                                                                             \
                memcpy((char *)out + at, block, k * sizeof(T));                                              \
        }                                                                                                    \
    }

SUM(cf16, f16)
SUM(cf32, f32)
SUM(cf64, f64)
SUM(cfld, fld)
SUM(cf128, f128)

PRODUCT(cf32, float _Complex, float)
PRODUCT(cf64, double _Complex, double)

PLAIN_PRODUCT(cfld, long double _Complex)
void types_prod_cfld(void *out, const void *left, const void *right, size_t n)
{
    product_cfld(out, left, right, n);
}

/* Fortran's, which no annex G binds: the plain formula, of halves in float. */
#define FORTRAN_PRODUCT(kind, R, read, write)                                                                \
    void types_prod_##kind(void *out, const void *left, const void *right, size_t n)                         \
    {                                                                                                        \
        typedef struct types_##kind anywhere TYPES_STRUCT_ANYWHERE;                                          \
        anywhere *to = out;                                                                                  \
        const anywhere *first = left, *second = right;                                                       \
        TYPES_INDEPENDENT                                                                                    \
        for (size_t i = 0; i < n; i++) {                                                                     \
            struct types_##kind a = first[i], b = second[i];                                                 \
            R ar = read(a.re), ai = read(a.im), br = read(b.re), bi = read(b.im);                            \
            to[i].re = write(ar * br - ai * bi);                                                             \
            to[i].im = write(ar * bi + ai * br);                                                             \
        }                                                                                                    \
    }
FORTRAN_PRODUCT(cf16, float, types_from_half, types_to_half)
FORTRAN_PRODUCT(cf128, types_f128, , )
