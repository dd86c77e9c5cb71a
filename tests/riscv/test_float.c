/* SPDX-License-Identifier: BSD-3-Clause */
/* float: against the host's FPU in its four rounding modes, results and flags; to nearest, ties away from zero,
 * against exact sums and products; integers against integer arithmetic. Random numbers with many special ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "riscv/core/float.h"

enum { ROUNDS = 60000 };

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Many numbers near each other, near the ends and with few bits: sums that cancel, ties, subnormal results. */
static uint64_t draw_double(void)
{
    static const uint64_t special[] = {0,
                                       1,
                                       UINT64_C(0x7ff) << 52,
                                       UINT64_C(0x3ff) << 52,
                                       UINT64_C(0x7fefffffffffffff),
                                       UINT64_C(0x0010000000000000),
                                       UINT64_C(0x7ff8000000000000),
                                       UINT64_C(0x7ff0000000000001)};
    uint64_t sign = draw() & UINT64_C(1) << 63, x = draw();
    switch (draw() % 8) {
    case 0:
        return sign | special[draw() % 8];
    case 1:
        return sign | (x & UINT64_C(0x000fffffffffffff)); /* subnormal */
    case 2:
        return sign | ((uint64_t)(1023 + draw() % 4) << 52) | (x & (UINT64_C(0xff) << 44));
    case 3:
        return sign | ((uint64_t)(1023 + draw() % 120 - 60) << 52) | (x & (UINT64_MAX >> 12));
    case 4:
        return sign | ((uint64_t)(draw() % 60) << 52) | (x & (UINT64_MAX >> 12));
    case 5:
        return sign | ((uint64_t)(2046 - draw() % 3) << 52) | (x & (UINT64_MAX >> 12));
    default:
        return x;
    }
}

static uint64_t draw_single(void)
{
    uint32_t sign = (uint32_t)draw() & 0x80000000u, x = (uint32_t)draw();
    static const uint32_t special[] = {0,          1,          0x7f800000, 0x3f800000,
                                       0x7f7fffff, 0x00800000, 0x7fc00000, 0x7f800001};
    switch (draw() % 8) {
    case 0:
        x = sign | special[draw() % 8];
        break;
    case 1:
        x = sign | (x & 0x007fffff);
        break;
    case 2:
        x = sign | (uint32_t)(127 + draw() % 4) << 23 | (x & 0x007f8000);
        break;
    case 3:
        x = sign | (uint32_t)(127 + draw() % 60 - 30) << 23 | (x & 0x007fffff);
        break;
    case 4:
        x = sign | (uint32_t)(draw() % 30) << 23 | (x & 0x007fffff);
        break;
    default:
        break;
    }
    return FLOAT_BOX | x;
}

static const int host_modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static uint32_t host_flags(void)
{
    int now = fetestexcept(FE_ALL_EXCEPT);
    return (now & FE_INEXACT ? FLOAT_NX : 0u) | (now & FE_UNDERFLOW ? FLOAT_UF : 0u) |
           (now & FE_OVERFLOW ? FLOAT_OF : 0u) | (now & FE_DIVBYZERO ? FLOAT_DZ : 0u) |
           (now & FE_INVALID ? FLOAT_NV : 0u);
}

static uint64_t bits_d(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits << 1 > UINT64_C(0xffe0000000000000) ? FLOAT_NAN_D : bits;
}

static uint64_t bits_s(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits << 1 > 0xff000000u ? FLOAT_NAN_S : FLOAT_BOX | bits;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float single_of(uint64_t bits)
{
    float x;
    uint32_t low = (uint32_t)bits;
    memcpy(&x, &low, sizeof x);
    return x;
}

static uint64_t host_d(enum float_op op, uint64_t a, uint64_t b, uint64_t c)
{
    volatile double x = double_of(a), y = double_of(b), z = double_of(c), r;
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
    return bits_d(r);
}

static uint64_t host_s(enum float_op op, uint64_t a, uint64_t b, uint64_t c)
{
    volatile float x = single_of(a), y = single_of(b), z = single_of(c), r;
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
    return bits_s(r);
}

static bool quiet_product(bool wide, uint64_t a, uint64_t b, uint64_t c)
{
    double x = wide ? double_of(a) : (double)single_of(a), y = wide ? double_of(b) : (double)single_of(b);
    return isnan(wide ? double_of(c) : (double)single_of(c)) &&
           ((isinf(x) && y == 0) || (x == 0 && isinf(y)));
}

static void check(bool wide, enum float_op op, unsigned mode, uint64_t a, uint64_t b, uint64_t c)
{
    uint32_t flags = 0;
    uint64_t mine = wide ? float_arith_d(op, (enum float_round)mode, a, b, c, &flags)
                         : float_arith_s(op, (enum float_round)mode, a, b, c, &flags);
    fesetround(host_modes[mode]);
    feclearexcept(FE_ALL_EXCEPT);
    uint64_t host = wide ? host_d(op, a, b, c) : host_s(op, a, b, c);
    uint32_t wanted = host_flags();
    fesetround(FE_TONEAREST);
    if (op == FLOAT_FMA && quiet_product(wide, a, b, c))
        wanted |= FLOAT_NV; /* the architecture's rule; the host is free */
    if (mine != host || flags != wanted)
        fail_msg(
            "%s op %d mode %u of %016llx %016llx %016llx: %016llx flags %02x, the host: %016llx flags %02x",
            wide ? "double" : "single", (int)op, mode, (unsigned long long)a, (unsigned long long)b,
            (unsigned long long)c, (unsigned long long)mine, flags, (unsigned long long)host, wanted);
}

static void as_the_host(void **state)
{
    (void)state;
    for (int k = 0; k < ROUNDS; k++) {
        unsigned mode = (unsigned)(draw() % 4);
        enum float_op op = (enum float_op)(draw() % 6);
        uint64_t a = draw_double(), b = draw_double(), c = draw_double();
        check(true, op, mode, a, draw() % 8 ? b : a, c);
        check(false, op, mode, draw_single(), draw_single(), draw_single());
    }
}

/* Products and sums of single numbers are exact in double precision, if exponents are not far apart. */
static void ties_away(void **state)
{
    (void)state;
    int ties = 0;
    for (int k = 0; k < ROUNDS; k++) {
        uint32_t flags = 0, none = 0;
        uint64_t bits_a = FLOAT_BOX | (uint32_t)(120 + draw() % 14) << 23 | ((uint32_t)draw() & 0x807fffff);
        uint64_t bits_b = FLOAT_BOX | (uint32_t)(120 + draw() % 14) << 23 | ((uint32_t)draw() & 0x80600000);
        enum float_op op = draw() % 2 ? FLOAT_MUL : FLOAT_ADD;
        double a = (double)single_of(bits_a), b = (double)single_of(bits_b);
        double exact = op == FLOAT_MUL ? a * b : a + b;
        float down = single_of(float_arith_s(op, FLOAT_RDN, bits_a, bits_b, 0, &none));
        float up = single_of(float_arith_s(op, FLOAT_RUP, bits_a, bits_b, 0, &none));
        float mine = single_of(float_arith_s(op, FLOAT_RMM, bits_a, bits_b, 0, &flags));
        double below = exact - (double)down, above = (double)up - exact;
        bool tie = below == above && down != up;
        ties += tie;
        bool wants_up = below > above || (tie && exact > 0);
        assert_true(mine == (wants_up ? up : down));
        assert_int_equal(flags, down == up ? 0 : FLOAT_NX);
    }
    assert_true(ties > ROUNDS / 100);
}

static double (*volatile at_run_time)(double) = rint; /* compilers do it for one mode */

static void to_integers(void **state)
{
    (void)state;
    for (int k = 0; k < ROUNDS; k++) {
        uint64_t a = draw() % 2 ? draw_double() : (uint64_t)(1023 + draw() % 66) << 52 | (draw() >> 12);
        double x = double_of(a);
        unsigned mode = (unsigned)(draw() % 4);
        uint32_t flags = 0;
        fesetround(host_modes[mode]);
        volatile double whole = at_run_time(x);
        fesetround(FE_TONEAREST);
        int64_t mine = (int64_t)float_to_integer_d(FLOAT_L, (enum float_round)mode, a, &flags);
        if (isnan(x) || whole >= 0x1p63) {
            assert_true(mine == INT64_MAX && flags == FLOAT_NV);
        } else if (whole < -0x1p63) {
            assert_true(mine == INT64_MIN && flags == FLOAT_NV);
        } else {
            assert_true(mine == (int64_t)whole);
            assert_int_equal(flags, whole == x ? 0 : FLOAT_NX);
        }
        flags = 0;
        uint64_t word = float_to_integer_d(FLOAT_WU, (enum float_round)mode, a, &flags);
        if (whole >= 0 && whole < 0x1p32)
            assert_true(word == (uint64_t)(int64_t)(int32_t)(uint32_t)whole && !(flags & FLOAT_NV));
        else
            assert_true(word == (whole < 0 ? 0 : UINT64_MAX) && flags == FLOAT_NV);
    }
    uint32_t flags = 0;
    assert_int_equal(float_to_integer_d(FLOAT_W, FLOAT_RMM, bits_d(2.5), &flags), 3);
    assert_true(float_to_integer_d(FLOAT_W, FLOAT_RMM, bits_d(-2.5), &flags) == (uint64_t)-3);
    assert_int_equal(float_to_integer_d(FLOAT_W, FLOAT_RNE, bits_d(2.5), &flags), 2);
}

static void from_integers(void **state)
{
    (void)state;
    for (int k = 0; k < ROUNDS; k++) {
        uint64_t x = draw() >> draw() % 64;
        unsigned mode = (unsigned)(draw() % 4);
        uint32_t flags = 0;
        x = draw() % 2 ? x : -x;
        fesetround(host_modes[mode]);
        feclearexcept(FE_ALL_EXCEPT);
        volatile int64_t from = (int64_t)x;
        volatile double d = (double)from;
        uint32_t wanted = host_flags();
        volatile float s = (float)from;
        fesetround(FE_TONEAREST);
        assert_true(float_from_integer_d(FLOAT_L, (enum float_round)mode, x, &flags) == bits_d(d));
        assert_int_equal(flags, wanted);
        assert_true(float_from_integer_s(FLOAT_L, (enum float_round)mode, x, &flags) == bits_s(s));
        assert_true(double_of(float_from_integer_d(FLOAT_WU, FLOAT_RTZ, x, &flags)) == (double)(uint32_t)x);
        assert_true(double_of(float_from_integer_d(FLOAT_W, FLOAT_RTZ, x, &flags)) == (double)(int32_t)x);
    }
}

static void between_formats(void **state)
{
    (void)state;
    for (int k = 0; k < ROUNDS; k++) {
        uint64_t a = draw_double();
        unsigned mode = (unsigned)(draw() % 4);
        uint32_t flags = 0;
        if (draw() % 2)
            a = (a & ~(UINT64_C(0x7ff) << 52)) | (uint64_t)(1023 + draw() % 300 - 160) << 52;
        fesetround(host_modes[mode]);
        feclearexcept(FE_ALL_EXCEPT);
        volatile double x = double_of(a);
        volatile float s = (float)x;
        uint32_t wanted = host_flags();
        fesetround(FE_TONEAREST);
        assert_true(float_d_to_s((enum float_round)mode, a, &flags) == bits_s(s));
        assert_int_equal(flags, wanted);
        uint64_t single = draw_single();
        flags = 0;
        volatile float y = single_of(single);
        assert_true(float_s_to_d(single, &flags) == bits_d((double)y));
    }
    uint32_t flags = 0;
    assert_true(float_s_to_d(0x3f800000, &flags) == FLOAT_NAN_D); /* not boxed */
}

static void order_and_classes(void **state)
{
    (void)state;
    for (int k = 0; k < ROUNDS; k++) {
        uint64_t a = draw_double(), b = draw() % 4 ? draw_double() : a ^ (draw() & UINT64_C(1) << 63);
        double x = double_of(a), y = double_of(b);
        uint32_t flags = 0;
        assert_int_equal(float_compare_d(0, a, b, &flags), x <= y);
        assert_int_equal(float_compare_d(1, a, b, &flags), x < y);
        assert_int_equal(flags, isnan(x) || isnan(y) ? FLOAT_NV : 0);
        assert_int_equal(float_compare_d(2, a, b, &flags), x == y);
        uint64_t least = float_least_d(false, a, b, &flags), most = float_least_d(true, a, b, &flags);
        if (!isnan(x) && !isnan(y))
            assert_true(double_of(least) <= double_of(most) &&
                        ((least == a && most == b) || (least == b && most == a)));
        uint64_t class = float_class_d(a);
        unsigned bit = isinf(x) ? 7 : isnormal(x) ? 6 : x != 0 ? 5 : 4;
        if (isnan(x))
            assert_int_equal(class, a & UINT64_C(1) << 51 ? 512 : 256);
        else
            assert_int_equal(class, 1u << (signbit(x) ? 7 - bit : bit));
    }
    uint32_t flags = 0;
    uint64_t zero = 0, minus = UINT64_C(1) << 63;
    assert_true(float_least_d(false, zero, minus, &flags) == minus &&
                float_least_d(true, minus, zero, &flags) == zero);
    assert_int_equal(float_compare_d(2, zero, minus, &flags), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_host),     cmocka_unit_test(ties_away),
        cmocka_unit_test(to_integers),     cmocka_unit_test(from_integers),
        cmocka_unit_test(between_formats), cmocka_unit_test(order_and_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
