/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * half: 16-bit floating-point numbers to float and back, rounded to nearest even, without branches, so that
 * loops of them are vectorized and give the same bits on every machine. Infinities and NaNs are preserved.
 */
#ifndef PGASIM_TYPES_HALF_H
#define PGASIM_TYPES_HALF_H

#include <stdint.h>

union types_float_bits {
    float number;
    uint32_t bits;
};

static inline float types_bits_to_float(uint32_t bits)
{
    return (union types_float_bits){.bits = bits}.number;
}

static inline uint32_t types_float_to_bits(float x)
{
    return (union types_float_bits){.number = x}.bits;
}

/* a if x > limit, else b; x and limit are below 2^31, because vectors compare signed numbers. No branch,
 * which would prevent vectorization. */
static inline uint32_t types_above(uint32_t x, uint32_t limit, uint32_t a, uint32_t b)
{
    uint32_t mask = -(uint32_t)((int32_t)x > (int32_t)limit);
    return (a & mask) | (b & ~mask);
}

/* binary16: 1 bit of sign, 5 of exponent (bias 15), 10 of fraction. */
static inline float types_from_half(uint16_t half)
{
    uint32_t magnitude = half & UINT32_C(0x7fff), sign = (half & UINT32_C(0x8000)) << 16;
    /* The same exponent and fraction in a float are too small by 2^112; exact for subnormal ones, too. */
    uint32_t finite = types_float_to_bits(types_bits_to_float(magnitude << 13) * 0x1p112f);
    uint32_t special = magnitude << 13 | UINT32_C(0x7f800000);
    return types_bits_to_float(sign | types_above(magnitude, 0x7bff, special, finite));
}

static inline uint16_t types_to_half(float x)
{
    uint32_t bits = types_float_to_bits(x), magnitude = bits & UINT32_C(0x7fffffff),
             sign = bits >> 16 & 0x8000;
    /* Half of the last place less one, and one more where the kept part is odd. */
    uint32_t normal = (magnitude - UINT32_C(0x38000000) + 0xfff + (magnitude >> 13 & 1)) >> 13;
    /* Subnormal: 0.5 has its last place where a subnormal half has it, so that the sum is rounded as
     * wanted. */
    uint32_t small = types_float_to_bits(types_bits_to_float(magnitude) + 0.5f) - UINT32_C(0x3f000000);
    uint32_t no_number = 0x7e00 | (magnitude >> 13 & 0x3ff);
    uint32_t half = types_above(magnitude, UINT32_C(0x387fffff), normal, small); /* from 2^-14 on */
    half = types_above(magnitude, UINT32_C(0x477fffff), 0x7c00,
                       half); /* 2^16; the largest values below round up to it */
    half = types_above(magnitude, UINT32_C(0x7f800000), no_number, half);
    return (uint16_t)(sign | half);
}

/* bfloat16: the upper 16 bits of a float. */
static inline float types_from_bfloat(uint16_t x)
{
    return types_bits_to_float((uint32_t)x << 16);
}

static inline uint16_t types_to_bfloat(float x)
{
    uint32_t bits = types_float_to_bits(x);
    uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    uint32_t no_number = bits >> 16 | 0x40;
    return (uint16_t)types_above(bits & UINT32_C(0x7fffffff), UINT32_C(0x7f800000), no_number, rounded);
}

#endif
