/* SPDX-License-Identifier: BSD-3-Clause */
/* small_floats: floats of 16 bits, from their definition. */
#ifndef TESTS_TYPES_SMALL_FLOATS_H
#define TESTS_TYPES_SMALL_FLOATS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct small {
    int fraction; /* bits */
    int bias;
};
static const struct small half = {10, 15}, bfloat = {7, 127};

static inline double small_value(const struct small *f, uint16_t x)
{
    int exponent = (x & 0x7fff) >> f->fraction, fraction = x & ((1 << f->fraction) - 1);
    double value = exponent == 2 * f->bias + 1 ? (fraction ? NAN : INFINITY)
                   : exponent ? ldexp(fraction + (1 << f->fraction), exponent - f->bias - f->fraction)
                              : ldexp(fraction, 1 - f->bias - f->fraction);
    return x & 0x8000 ? -value : value;
}

static inline uint16_t small_of(const struct small *f, double x)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0, infinity = (uint16_t)((2 * f->bias + 1) << f->fraction);
    x = fabs(x);
    if (isnan(x))
        return sign | infinity | 1;
    int exponent = 0;
    frexp(x, &exponent); /* x in [2^(exponent-1), 2^exponent) */
    exponent = exponent - 1 < 1 - f->bias ? 1 - f->bias : exponent - 1;
    if (isinf(x) || exponent > f->bias)
        return sign | infinity;
    double places = nearbyint(ldexp(x, f->fraction - exponent)); /* to even */
    uint16_t rounded = (uint16_t)places, one = (uint16_t)(1 << f->fraction);
    return (uint16_t)(sign |
                      (rounded < one ? rounded : rounded - one + ((exponent + f->bias) << f->fraction)));
}

static inline bool small_same(const struct small *f, uint16_t a, uint16_t b)
{
    return a == b || (isnan(small_value(f, a)) && isnan(small_value(f, b)));
}

#endif
