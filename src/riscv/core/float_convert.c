/* SPDX-License-Identifier: BSD-3-Clause */
/* float_convert: signs, comparisons, classes and conversions, by the bits. */
#include "riscv/core/float_parts.h"

#define SIGN_S 0x80000000u
#define SIGN_D (UINT64_C(1) << 63)

uint64_t float_negate_s(uint64_t a)
{
    return FLOAT_BOX | (float_unbox(a) ^ SIGN_S);
}

static uint64_t sign_of(unsigned which, uint64_t a, uint64_t b)
{
    return which == 0 ? b : which == 1 ? ~b : a ^ b;
}

uint64_t float_sign_s(unsigned which, uint64_t a, uint64_t b)
{
    uint32_t x = float_unbox(a), y = float_unbox(b);
    return FLOAT_BOX | (x & ~SIGN_S) | ((uint32_t)sign_of(which, x, y) & SIGN_S);
}

uint64_t float_sign_d(unsigned which, uint64_t a, uint64_t b)
{
    return (a & ~SIGN_D) | (sign_of(which, a, b) & SIGN_D);
}

/* --- order ------------------------------------------------------------------------------------------ */

/* Numbers, not NaN, as integers in the same order, -0 just below +0. */
static int64_t order_d(uint64_t a)
{
    return a & SIGN_D ? -(int64_t)(a & ~SIGN_D) - 1 : (int64_t)a;
}

static int64_t order_s(uint32_t a)
{
    return a & SIGN_S ? -(int64_t)(a & ~SIGN_S) - 1 : (int64_t)a;
}

uint64_t float_least_s(bool max, uint64_t a, uint64_t b, uint32_t *flags)
{
    uint32_t x = float_unbox(a), y = float_unbox(b);
    if (float_signals_s(x) || float_signals_s(y))
        *flags |= FLOAT_NV;
    if (float_is_nan_s(x))
        return float_is_nan_s(y) ? FLOAT_NAN_S : FLOAT_BOX | y;
    if (float_is_nan_s(y))
        return FLOAT_BOX | x;
    return FLOAT_BOX | ((order_s(x) < order_s(y)) != max ? x : y);
}

uint64_t float_least_d(bool max, uint64_t a, uint64_t b, uint32_t *flags)
{
    if (float_signals_d(a) || float_signals_d(b))
        *flags |= FLOAT_NV;
    if (float_is_nan_d(a))
        return float_is_nan_d(b) ? FLOAT_NAN_D : b;
    if (float_is_nan_d(b))
        return a;
    return (order_d(a) < order_d(b)) != max ? a : b;
}

static uint64_t compared(unsigned which, int64_t x, int64_t y)
{
    if ((x == -1 && y == 0) || (x == 0 && y == -1)) /* -0 = +0 */
        return which != 1;
    return which == 0 ? x <= y : which == 1 ? x < y : x == y;
}

uint64_t float_compare_s(unsigned which, uint64_t a, uint64_t b, uint32_t *flags)
{
    uint32_t x = float_unbox(a), y = float_unbox(b);
    if (float_is_nan_s(x) || float_is_nan_s(y)) {
        *flags |= which != 2 || float_signals_s(x) || float_signals_s(y) ? FLOAT_NV : 0;
        return 0;
    }
    return compared(which, order_s(x), order_s(y));
}

uint64_t float_compare_d(unsigned which, uint64_t a, uint64_t b, uint32_t *flags)
{
    if (float_is_nan_d(a) || float_is_nan_d(b)) {
        *flags |= which != 2 || float_signals_d(a) || float_signals_d(b) ? FLOAT_NV : 0;
        return 0;
    }
    return compared(which, order_d(a), order_d(b));
}

/* --- classes ---------------------------------------------------------------------------------------- */

enum { NEG_INF = 1, NEG_NORMAL = 2, NEG_SUB = 4, NEG_ZERO = 8, SIGNALS = 256, QUIET = 512 };

/* The classes of positive numbers mirror those of negative ones in bits 7 to 4. */
static uint64_t class_of(bool negative, bool largest, bool least, bool fraction)
{
    unsigned c = largest ? NEG_INF : !least ? NEG_NORMAL : fraction ? NEG_SUB : NEG_ZERO;
    return negative ? c : 128 / c;
}

uint64_t float_class_s(uint64_t a)
{
    uint32_t x = float_unbox(a), exponent = x >> 23 & 0xff;
    if (float_is_nan_s(x))
        return float_signals_s(x) ? SIGNALS : QUIET;
    return class_of(x >> 31, exponent == 0xff, exponent == 0, x & 0x7fffff);
}

uint64_t float_class_d(uint64_t a)
{
    uint64_t exponent = a >> 52 & 0x7ff;
    if (float_is_nan_d(a))
        return float_signals_d(a) ? SIGNALS : QUIET;
    return class_of(a >> 63, exponent == 0x7ff, exponent == 0, a & (UINT64_MAX >> 12));
}

/* --- conversions ------------------------------------------------------------------------------------ */

/* Exact: a single number, not NaN, as a double one. */
static uint64_t widened(uint32_t a)
{
    uint64_t sign = (uint64_t)(a >> 31) << 63, fraction = a & 0x7fffff;
    uint32_t field = a >> 23 & 0xff;
    uint32_t none = 0;
    if (field == 0xff)
        return sign | UINT64_C(0x7ff) << 52 | fraction << 29;
    return sign | float_round_to(&float_double, FLOAT_RTZ, false, fraction | (uint64_t)(field != 0) << 23,
                                 (int)(field ? field : 1) - 150, &none);
}

uint64_t float_s_to_d(uint64_t a, uint32_t *flags)
{
    uint32_t x = float_unbox(a);
    if (float_is_nan_s(x)) {
        *flags |= float_signals_s(x) ? FLOAT_NV : 0;
        return FLOAT_NAN_D;
    }
    return widened(x);
}

uint64_t float_d_to_s(enum float_round round, uint64_t a, uint32_t *flags)
{
    uint64_t m;
    int exponent;
    if (float_is_nan_d(a)) {
        *flags |= float_signals_d(a) ? FLOAT_NV : 0;
        return FLOAT_NAN_S;
    }
    if ((a & ~SIGN_D) == UINT64_C(0x7ff) << 52)
        return FLOAT_BOX | (a >> 63) << 31 | 0x7f800000;
    float_split_d(a, &m, &exponent);
    return FLOAT_BOX | float_round_to(&float_single, round, a >> 63, m, exponent, flags);
}

/* What a number becomes that is too large for the type. NaN is as +infinity. */
static uint64_t end_of(enum float_integer to, bool negative)
{
    switch (to) {
    case FLOAT_W:
        return negative ? (uint64_t)INT32_MIN : INT32_MAX;
    case FLOAT_WU:
        return negative ? 0 : UINT64_MAX; /* 2^32 - 1, sign-extended */
    case FLOAT_L:
        return negative ? (uint64_t)INT64_MIN : INT64_MAX;
    default:
        return negative ? 0 : UINT64_MAX;
    }
}

/* m * 2^exponent without its fraction, rounded; UINT64_MAX with *large: it has more than 64 bits. */
static uint64_t whole(enum float_round round, bool negative, uint64_t m, int exponent, bool *large,
                      bool *exact)
{
    *exact = true;
    *large = exponent > 11;
    if (exponent >= 0)
        return *large ? UINT64_MAX : m << exponent;
    if (exponent < -62) { /* less than a half */
        m = m != 0;
        exponent = -2;
    }
    uint64_t kept = m >> -exponent, rest = m << (64 + exponent), half = UINT64_C(1) << 63;
    *exact = rest == 0;
    switch (round) {
    case FLOAT_RNE:
        return kept + (rest > half || (rest == half && (kept & 1)));
    case FLOAT_RDN:
        return kept + (rest && negative);
    case FLOAT_RUP:
        return kept + (rest && !negative);
    case FLOAT_RMM:
        return kept + (rest >= half);
    default:
        return kept;
    }
}

uint64_t float_to_integer_d(enum float_integer to, enum float_round round, uint64_t a, uint32_t *flags)
{
    bool negative = a >> 63, large, exact;
    uint64_t m;
    int exponent;
    if (float_is_nan_d(a)) {
        *flags |= FLOAT_NV;
        return end_of(to, false);
    }
    float_split_d(a, &m, &exponent);
    uint64_t size = whole(round, negative, m, exponent, &large, &exact);
    uint64_t most = to == FLOAT_W    ? (uint64_t)INT32_MAX + negative
                    : to == FLOAT_WU ? negative ? 0 : UINT32_MAX
                    : to == FLOAT_L  ? (uint64_t)INT64_MAX + negative
                    : negative       ? 0
                                     : UINT64_MAX;
    if (large || size > most) {
        *flags |= FLOAT_NV;
        return end_of(to, negative);
    }
    *flags |= exact ? 0 : FLOAT_NX;
    if (to == FLOAT_WU)
        return (uint64_t)(int64_t)(int32_t)(uint32_t)size;
    return negative ? -size : size;
}

uint64_t float_to_integer_s(enum float_integer to, enum float_round round, uint64_t a, uint32_t *flags)
{
    uint32_t x = float_unbox(a);
    return float_to_integer_d(to, round, float_is_nan_s(x) ? FLOAT_NAN_D : widened(x), flags);
}

static uint64_t from_integer(const struct float_format *f, enum float_integer from, enum float_round round,
                             uint64_t x, uint32_t *flags)
{
    if (from == FLOAT_W)
        x = (uint64_t)(int64_t)(int32_t)(uint32_t)x;
    else if (from == FLOAT_WU)
        x = (uint32_t)x;
    bool negative = (from == FLOAT_W || from == FLOAT_L) && x >> 63;
    return float_round_to(f, round, negative, negative ? -x : x, 0, flags);
}

uint64_t float_from_integer_s(enum float_integer from, enum float_round round, uint64_t x, uint32_t *flags)
{
    return FLOAT_BOX | from_integer(&float_single, from, round, x, flags);
}

uint64_t float_from_integer_d(enum float_integer from, enum float_round round, uint64_t x, uint32_t *flags)
{
    return from_integer(&float_double, from, round, x, flags);
}
