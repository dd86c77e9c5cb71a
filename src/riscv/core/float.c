/* SPDX-License-Identifier: BSD-3-Clause */
/* float: arithmetic. */
#include <math.h>
#include <string.h>

#include "riscv/core/float_host.h"
#include "riscv/core/float_parts.h"

/* --- other rounding modes --------------------------------------------------------------------------- */

/* The result towards zero in quadruple precision, its last bit set if it is not exact. Sums and products of
 * double numbers need no more bits to be rounded once more, to any format. */
static float_quad odd(enum float_op op, float_quad a, float_quad b, float_quad c)
{
    volatile float_quad x = a, y = b, z = c, r;
#if defined(__x86_64__)
    uint32_t state = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(0x7f80); /* towards zero */
#endif
    switch (op) {
    case FLOAT_ADD:
        r = x + y;
        break;
    case FLOAT_SUB:
        r = x - y;
        break;
    case FLOAT_MUL:
        r = x * y;
        break;
    case FLOAT_DIV:
        r = x / y;
        break;
    default:
        r = x * y; /* exact */
        r = r + z;
    }
    float_quad result = r;
#if defined(__x86_64__)
    bool inexact = __builtin_ia32_stmxcsr() & 32;
    __builtin_ia32_ldmxcsr(state);
    if (inexact) {
        float_bits bits;
        memcpy(&bits, &result, sizeof bits);
        bits |= 1;
        memcpy(&result, &bits, sizeof bits);
    }
#endif
    return result;
}

static uint64_t rounded(const struct float_format *f, enum float_round round, float_quad x,
                        bool zero_negative, uint32_t *flags)
{
    float_bits bits;
    memcpy(&bits, &x, sizeof bits);
    float_bits fraction = bits & (((float_bits)1 << 112) - 1);
    int field = (int)(bits >> 112 & 0x7fff);
    if (!field && !fraction)
        return float_round_to(f, round, zero_negative, 0, 0, flags);
    return float_round_to(f, round, (bool)(bits >> 127), fraction | (float_bits)1 << 112, field - 16383 - 112,
                          flags);
}

/* The sign of a sum or product that is exactly 0. */
static bool zero_sign(enum float_op op, enum float_round round, double a, double b, double c)
{
    bool left = signbit(a), right = signbit(b);
    if (op == FLOAT_MUL || op == FLOAT_DIV)
        return left != right;
    if (op == FLOAT_SUB)
        right = !right;
    if (op == FLOAT_FMA) {
        left = left != right;
        right = signbit(c);
    }
    return left == right ? left : round == FLOAT_RDN;
}

/* A square root is never halfway between two numbers: it is the host's, moved by its error. */
static uint64_t root(const struct float_format *f, enum float_round round, double a, uint32_t *flags)
{
    double r = sqrt(a); /* of a single number: correct to 24 bits, and to the side of what is left */
    float_quad x = r, square = x * x, error = (float_quad)a - square;
    if (error == 0)
        return rounded(f, round, x, signbit(a), flags);
    float_bits bits;
    memcpy(&bits, &x, sizeof bits); /* 60 bits below r are 0: a step there is far below any halfway point */
    bits = error > 0 ? bits | 1 : bits - 1;
    memcpy(&x, &bits, sizeof bits);
    return rounded(f, round, x, false, flags);
}

/* Whether the host's result is that of every mode: infinities, NaN, divisions by zero. */
static bool special(enum float_op op, double a, double b, double c)
{
    if (op == FLOAT_SQRT)
        return !isfinite(a) || a < 0 || a == 0;
    return !isfinite(a) || !isfinite(b) || (op == FLOAT_FMA && !isfinite(c)) || (op == FLOAT_DIV && b == 0);
}

static uint64_t slow(const struct float_format *f, enum float_op op, enum float_round round, double a,
                     double b, double c, uint32_t *flags)
{
    uint32_t state = float_host_begin();
    uint64_t result;
    if (op == FLOAT_SQRT)
        result = root(f, round, a, flags);
    else
        result = rounded(f, round, odd(op, a, b, c), zero_sign(op, round, a, b, c), flags);
    float_host_end(state);
    return result;
}

/* --- arithmetic ------------------------------------------------------------------------------------- */

/* What the host makes of it: to nearest, with its flags. */
static uint64_t host_s(enum float_op op, float a, float b, float c, uint32_t *flags)
{
    volatile float x = a, y = b, z = c, r;
    uint32_t state = float_host_begin();
    switch (op) {
    case FLOAT_ADD:
        r = x + y;
        break;
    case FLOAT_SUB:
        r = x - y;
        break;
    case FLOAT_MUL:
        r = x * y;
        break;
    case FLOAT_DIV:
        r = x / y;
        break;
    case FLOAT_SQRT:
        r = sqrtf(x);
        break;
    default:
        r = fmaf(x, y, z);
    }
    *flags |= float_host_end(state);
    uint32_t bits = float_bits_of_single(r);
    return float_is_nan_s(bits) ? FLOAT_NAN_S : FLOAT_BOX | bits;
}

static uint64_t host_d(enum float_op op, double a, double b, double c, uint32_t *flags)
{
    volatile double x = a, y = b, z = c, r;
    uint32_t state = float_host_begin();
    switch (op) {
    case FLOAT_ADD:
        r = x + y;
        break;
    case FLOAT_SUB:
        r = x - y;
        break;
    case FLOAT_MUL:
        r = x * y;
        break;
    case FLOAT_DIV:
        r = x / y;
        break;
    case FLOAT_SQRT:
        r = sqrt(x);
        break;
    default:
        r = fma(x, y, z);
    }
    *flags |= float_host_end(state);
    uint64_t bits = float_bits_of_double(r);
    return float_is_nan_d(bits) ? FLOAT_NAN_D : bits;
}

/* Operands that an operation does not have must not raise flags: they are not looked at as numbers. */
static unsigned operands_of(enum float_op op)
{
    return op == FLOAT_SQRT ? 1 : op == FLOAT_FMA ? 3 : 2;
}

/* 0 * infinity + NaN is invalid, whatever the host says. */
static bool invalid_product(uint64_t a, uint64_t b, uint64_t infinity)
{
    return (a == infinity && b == 0) || (a == 0 && b == infinity);
}

uint64_t float_arith_s(enum float_op op, enum float_round round, uint64_t a, uint64_t b, uint64_t c,
                       uint32_t *flags)
{
    unsigned n = operands_of(op);
    uint32_t one = float_unbox(a), two = n > 1 ? float_unbox(b) : 0, three = n > 2 ? float_unbox(c) : 0;
    bool nan = float_is_nan_s(one) || float_is_nan_s(two) || float_is_nan_s(three);
    float x = float_single_of(one), y = float_single_of(two), z = float_single_of(three);
    if (round != FLOAT_RNE && !nan && !special(op, (double)x, (double)y, (double)z))
        return FLOAT_BOX | slow(&float_single, op, round, (double)x, (double)y, (double)z, flags);
    if (float_is_nan_s(three) && invalid_product(one & ~0x80000000u, two & ~0x80000000u, 0x7f800000))
        *flags |= FLOAT_NV;
    return host_s(op, x, y, z, flags);
}

uint64_t float_arith_d(enum float_op op, enum float_round round, uint64_t a, uint64_t b, uint64_t c,
                       uint32_t *flags)
{
    unsigned n = operands_of(op);
    b = n > 1 ? b : 0;
    c = n > 2 ? c : 0;
    bool nan = float_is_nan_d(a) || float_is_nan_d(b) || float_is_nan_d(c);
    double x = float_double_of(a), y = float_double_of(b), z = float_double_of(c);
    if (round != FLOAT_RNE && !nan && !special(op, x, y, z))
        return slow(&float_double, op, round, x, y, z, flags);
    if (float_is_nan_d(c) && invalid_product(a << 1, b << 1, UINT64_C(0xffe0000000000000)))
        *flags |= FLOAT_NV;
    return host_d(op, x, y, z, flags);
}
