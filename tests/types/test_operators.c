/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins every operator on every element against a computation of one element at a time: by C type, not by
 * kind; integers in 128 bits, 16-bit floats rounded from a double. In each form that out may have, at any
 * alignment.
 */
#include "types/internal.h"
#include "types/half.h"

#include "types/naive.h"

#include <math.h>

enum { MOST = 150, ROOM = MOST * 32 + 64 };

/* --- one at a time -------------------------------------------------------------------------------- */

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

/* --- floats of 16 bits, from their definition ----------------------------------------------------- */

struct small {
    int fraction; /* bits */
    int bias;
};
static const struct small half = {10, 15}, bfloat = {7, 127};

static double small_value(const struct small *f, uint16_t x)
{
    int exponent = (x & 0x7fff) >> f->fraction, fraction = x & ((1 << f->fraction) - 1);
    double value = exponent == 2 * f->bias + 1 ? (fraction ? NAN : INFINITY)
                   : exponent ? ldexp(fraction + (1 << f->fraction), exponent - f->bias - f->fraction)
                              : ldexp(fraction, 1 - f->bias - f->fraction);
    return x & 0x8000 ? -value : value;
}

static uint16_t small_of(const struct small *f, double x)
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

static bool small_same(const struct small *f, uint16_t a, uint16_t b)
{
    return a == b || (isnan(small_value(f, a)) && isnan(small_value(f, b)));
}

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

/* --- comparing ------------------------------------------------------------------------------------ */

/* Equal bits, or neither is a number. */
static bool same_part(enum types_element e, const unsigned char *x, const unsigned char *y)
{
    const struct types_element_info *info = types_element_info(e);
    if (memcmp(x, y, info->size) == 0)
        return true;
    if (info->class != TYPES_CLASS_FLOATING)
        return false;
    if (info->size == 2) {
        uint16_t a, b;
        memcpy(&a, x, 2);
        memcpy(&b, y, 2);
        return small_same(e == TYPES_BFLOAT16 ? &bfloat : &half, a, b);
    }
#define SAME(T)                                                                                              \
    {                                                                                                        \
        T a, b;                                                                                              \
        memcpy(&a, x, sizeof a);                                                                             \
        memcpy(&b, y, sizeof b);                                                                             \
        return (a != a && b != b) ||                                                                         \
               (sizeof a == sizeof(long double) && a == b && (a != 0 || 1 / a == 1 / b));                    \
    }
    if (info->size == 4)
        SAME(float)
    if (info->size == 8)
        SAME(double)
    if (e == TYPES_LONGDOUBLE) /* has bytes that belong to no number */
        SAME(long double)
    SAME(types_f128)
}

static bool same(enum types_element e, const unsigned char *x, const unsigned char *y)
{
    const struct types_element_info *info = types_element_info(e);
    if (info->class == TYPES_CLASS_PAIR) {
        size_t align = types_element_info(info->second)->align;
        size_t place = (types_element_info(info->first)->size + align - 1) / align * align;
        return same_part(info->first, x, y) && same_part(info->second, x + place, y + place);
    }
    if (info->class != TYPES_CLASS_COMPLEX)
        return same_part(e, x, y);
    enum types_element part = e == TYPES_COMPLEX_LONGDOUBLE ? TYPES_LONGDOUBLE
                              : info->size == 4             ? TYPES_FLOAT16
                              : info->size == 8             ? TYPES_FLOAT
                              : info->size == 16            ? TYPES_DOUBLE
                                                            : TYPES_REAL16;
    return same_part(part, x, y) && same_part(part, x + info->size / 2, y + info->size / 2);
}

/* --- random operands ------------------------------------------------------------------------------ */

static void put_part(struct base_random *r, enum types_element e, unsigned char *out)
{
    const struct types_element_info *info = types_element_info(e);
    static const double special[] = {0,   -0.0,    1,        -1,    INFINITY, -INFINITY,
                                     NAN, 0x1p-24, 0x1p-140, 65504, 3.4e38};
    double value = special[base_random_below(r, BASE_LENGTH(special))];
    for (uint32_t k = 0; k < info->size; k++)
        out[k] = (unsigned char)base_random_u64(r);
    uint64_t how = base_random_below(r, 4);
    if (info->class != TYPES_CLASS_FLOATING) {
        if (how == 0) /* zeros, and equal values */
            memset(out, (int)base_random_below(r, 3) - 1, info->size);
        return;
    }
    if (how > 1)
        value = (double)naive_between(r, -100, 100) / 8;
    if (info->size == 2 && how) {
        uint16_t x = small_of(e == TYPES_BFLOAT16 ? &bfloat : &half, value);
        memcpy(out, &x, sizeof x);
    } else if (info->size == 4 && how) {
        float x = (float)value;
        memcpy(out, &x, sizeof x);
    } else if (info->size == 8 && how) {
        memcpy(out, &value, sizeof value);
    } else if (e == TYPES_LONGDOUBLE) { /* not any bits are a number */
        long double x = (long double)value * (how ? 1 : (long double)base_random_unit(r));
        memcpy(out, &x, sizeof x);
    } else if (info->size == 16 && how) {
        types_f128 x = (types_f128)value / 3;
        memcpy(out, &x, sizeof x);
    }
}

static void put_random(struct base_random *r, enum types_element e, unsigned char *out)
{
    const struct types_element_info *info = types_element_info(e);
    uint32_t half_size = info->size / 2;
    if (info->class == TYPES_CLASS_PAIR) {
        size_t align = types_element_info(info->second)->align;
        put_part(r, info->first, out);
        put_part(r, info->second, out + (types_element_info(info->first)->size + align - 1) / align * align);
    } else if (info->class == TYPES_CLASS_COMPLEX) {
        enum types_element part = e == TYPES_COMPLEX_LONGDOUBLE ? TYPES_LONGDOUBLE
                                  : half_size == 2              ? TYPES_FLOAT16
                                  : half_size == 4              ? TYPES_FLOAT
                                  : half_size == 8              ? TYPES_DOUBLE
                                                                : TYPES_REAL16;
        put_part(r, part, out);
        put_part(r, part, out + half_size);
    } else {
        put_part(r, e, out);
    }
}

/* --- the tests ------------------------------------------------------------------------------------ */

/* form 0: out apart, 1: left, 2: right, 3: left and right. */
static void check_operator(struct base_random *r, enum types_op op, enum types_element e, int form, size_t n)
{
    static unsigned char out[ROOM], a[ROOM], b[ROOM], want[ROOM];
    uint32_t extent = types_element_info(e)->extent;
    size_t at = base_random_below(r, 32);
    memset(out, 7, sizeof out);
    memset(a, 7, sizeof a);
    memset(b, 7, sizeof b);
    for (size_t k = 0; k < n; k++) {
        put_random(r, e, a + at + k * extent);
        put_random(r, e, b + at + k * extent);
    }
    unsigned char *left = a, *right = form == 3 ? a : b, *to = form == 0 ? out : form == 2 ? b : a;
    memcpy(want, to, sizeof want);
    for (size_t k = at; k < at + n * extent; k += extent)
        one(op, e, left + k, right + k, want + k);
    types_operator(op, e)(to + at, left + at, right + at, n);
    for (size_t k = 0; k < n; k++)
        if (!same(e, to + at + k * extent, want + at + k * extent))
            fail_msg("%s of %s: element %zu of %zu, form %d, differs", types_operator_name(op),
                     types_element_info(e)->name, k, n, form);
    assert_memory_equal(to, want, at);
    assert_memory_equal(to + at + n * extent, want + at + n * extent, sizeof want - at - n * extent);
}

static void test_operators(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("operators"), 7);
    for (int op = 0; op < TYPES_REPLACE; op++) {
        for (int e = 0; e < TYPES_ELEMENTS; e++) {
            for (int k = 0; types_operator((enum types_op)op, (enum types_element)e) && k < 40; k++) {
                size_t n = k < 8 ? (size_t)k : base_random_below(&r, MOST);
                check_operator(&r, (enum types_op)op, (enum types_element)e, k % 4, n);
            }
        }
    }
}

/* MPI-5.0 section 6.9.2, a column for each class in the order of enum types_class. */
static void test_allowed(void **state)
{
    (void)state;
    static const char *const table[TYPES_OPS] = {
        [TYPES_MAX] = "xxx...x...",     [TYPES_MIN] = "xxx...x...",    [TYPES_SUM] = "xxx.x.x...",
        [TYPES_PROD] = "xxx.x.x...",    [TYPES_LAND] = "x..x......",   [TYPES_LOR] = "x..x......",
        [TYPES_LXOR] = "x..x......",    [TYPES_BAND] = "xx...xx...",   [TYPES_BOR] = "xx...xx...",
        [TYPES_BXOR] = "xx...xx...",    [TYPES_MINLOC] = ".......x..", [TYPES_MAXLOC] = ".......x..",
        [TYPES_REPLACE] = "xxxxxxxxxx", [TYPES_NO_OP] = "xxxxxxxxxx",
    };
    static const char shmem_char[] =
        "xxxx...xxx..xx"; /* by operator: OpenSHMEM's char, and what goes for all */
    for (int op = 0; op < TYPES_OPS; op++) {
        for (int e = 0; e < TYPES_ELEMENTS; e++) {
            unsigned column = (unsigned)__builtin_ctz(types_element_info((enum types_element)e)->class);
            bool allowed = table[op][column] == 'x';
            assert_int_equal(types_operator_allowed((enum types_op)op, (enum types_element)e), allowed);
            bool exists = types_operator((enum types_op)op, (enum types_element)e);
            if (e != TYPES_CHAR && exists != allowed)
                fail_msg("%s of %s", types_operator_name((enum types_op)op),
                         types_element_info((enum types_element)e)->name);
        }
        if (shmem_char[op] == 'x')
            assert_non_null(types_operator((enum types_op)op, TYPES_CHAR));
    }
}

static void test_halves(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("halves"), 8);
    for (uint32_t x = 0; x <= UINT16_MAX; x++) {
        float a = types_from_half((uint16_t)x), b = types_from_bfloat((uint16_t)x);
        double c = small_value(&half, (uint16_t)x), d = small_value(&bfloat, (uint16_t)x);
        if ((a != c && !(isnan(a) && isnan(c))) || (b != d && !(isnan(b) && isnan(d))))
            fail_msg("%#x is %g as a half, expected %g; %g as a bfloat, expected %g", x, a, c, b, d);
        assert_int_equal(signbit(a) != 0, x >> 15);
        assert_true(small_same(&half, types_to_half(a), (uint16_t)x));
        assert_true(small_same(&bfloat, types_to_bfloat(b), (uint16_t)x));
    }
    for (int k = 0; k < 2000000; k++) {
        /* Any bits, and halves with a little more or less than half a place. */
        uint32_t bits = (uint32_t)base_random_u64(&r);
        if (k % 2)
            bits = types_float_to_bits(types_from_half((uint16_t)bits)) + (bits >> 16 & 0x3fff) - 0x2000;
        if (k % 8 == 3)
            bits = (bits & ~UINT32_C(0x1fff)) | 0x1000;
        float x = types_bits_to_float(bits);
        if (!small_same(&half, types_to_half(x), small_of(&half, x)) ||
            !small_same(&bfloat, types_to_bfloat(x), small_of(&bfloat, x)))
            fail_msg("%a becomes %#x, expected %#x; as a bfloat %#x, expected %#x", x, types_to_half(x),
                     small_of(&half, x), types_to_bfloat(x), small_of(&bfloat, x));
    }
}

static void test_update(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("update"), 9);
    for (int e = 0; e < TYPES_ELEMENTS; e++) {
        for (int op = 0; op < TYPES_OPS; op++) {
            enum { N = 5 };
            unsigned char target[N * 32], operand[N * 32], old[N * 32], before[N * 32], want[N * 32];
            size_t size = (size_t)N * types_element_info((enum types_element)e)->extent;
            types_combine_fn combine = types_operator((enum types_op)op, (enum types_element)e);
            if (!combine)
                continue;
            memset(target, 0, sizeof target);
            memset(operand, 0, sizeof operand);
            for (size_t k = 0; k < size; k += size / N) {
                put_random(&r, (enum types_element)e, target + k);
                put_random(&r, (enum types_element)e, operand + k);
            }
            memcpy(before, target, size);
            memcpy(want, target, size);
            combine(want, before, operand, N);
            if (op == TYPES_REPLACE)
                assert_memory_equal(want, operand, size);
            if (op == TYPES_NO_OP)
                assert_memory_equal(want, before, size);
            types_update((enum types_op)op, (enum types_element)e, target, operand, old, N);
            assert_memory_equal(old, before, size);
            assert_memory_equal(target, want, size);
            types_update((enum types_op)op, (enum types_element)e, before, operand, NULL, N);
            assert_memory_equal(before, want, size);
        }
    }
}

/* Arrays of no elements may be anywhere, as those of a caller that has none: at NULL, too. Of interest to
 * the sanitizers. */
static void test_nothing(void **state)
{
    unsigned char there[32] = {0}, as_before[32] = {0};
    (void)state;
    for (int e = 0; e < TYPES_ELEMENTS; e++)
        for (int op = 0; op < TYPES_OPS; op++) {
            types_combine_fn combine = types_operator((enum types_op)op, (enum types_element)e);
            if (!combine)
                continue;
            combine(NULL, NULL, there, 0);
            combine(NULL, there, NULL, 0);
            combine(there, NULL, NULL, 0);
            types_update((enum types_op)op, (enum types_element)e, NULL, NULL, there, 0);
        }
    assert_memory_equal(there, as_before, sizeof there);
}

static void test_compare_swap(void **state)
{
    (void)state;
    for (size_t size = 1; size <= 16; size *= 2) {
        for (size_t differs = 0; differs <= size; differs++) { /* in this byte; size: in none */
            unsigned char memory[20], compare[16], value[16], old[16], was[20];
            for (size_t k = 0; k < sizeof memory; k++)
                memory[k] = (unsigned char)(k + 1);
            memcpy(was, memory, sizeof was);
            memcpy(compare, memory + 1, size);
            memset(value, 200, size);
            if (differs < size)
                compare[differs] ^= 0x80;
            bool swapped = types_compare_swap(memory + 1, compare, value, old, size);
            assert_int_equal(swapped, differs == size);
            assert_memory_equal(old, was + 1, size);
            assert_memory_equal(memory + 1, swapped ? value : was + 1, size);
            assert_int_equal(memory[0], 1);
            assert_int_equal(memory[size + 1], size + 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators), cmocka_unit_test(test_allowed),      cmocka_unit_test(test_halves),
        cmocka_unit_test(test_update),    cmocka_unit_test(test_compare_swap), cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
