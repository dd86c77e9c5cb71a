/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * core: floating-point instructions as they are executed, against the functions of float.h, which test_float
 * compares with the host: results and flags, whatever was set before, in each rounding mode, static and
 * dynamic; and that the host's own rounding mode and flags change nothing.
 */
#include "core_machine.h"

#include <fenv.h>

#include "riscv/core/float.h"

enum { ROUNDS = 40000, DYNAMIC = 7 };

static uint64_t seed = 0x243f6a8885a308d3;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Numbers of every kind, with many whose sums and products are at the ends of what a format holds. */
static uint64_t number(bool wide)
{
    uint64_t x = draw(), kind = draw() % 8;
    unsigned most = wide ? 2047 : 255, digits = wide ? 52 : 23;
    uint64_t exponent = kind == 0   ? 0
                        : kind == 1 ? most
                        : kind == 2 ? draw() % 4
                        : kind == 3 ? most - 1 - draw() % 3
                        : kind == 4 ? draw() % most
                                    : most / 2 + draw() % 40 - 20;
    uint64_t bits = exponent << digits | (x & ((UINT64_C(1) << digits) - 1));
    if (draw() % 4 == 0) /* few digits: exact results, zero and infinity */
        bits &= UINT64_MAX << (digits - 3);
    bits |= (draw() & 1) << (wide ? 63 : 31);
    return wide ? bits : draw() % 32 ? FLOAT_BOX | bits : bits | x << 32;
}

struct operation {
    uint32_t word; /* of singles, without registers and rounding mode; doubles: | 1 << 25 */
    enum float_op what;
    bool product, addend; /* whose sign is turned */
};
static const struct operation operations[] = {
    {0x00000053, FLOAT_ADD, 0, 0}, {0x08000053, FLOAT_SUB, 0, 0},  {0x10000053, FLOAT_MUL, 0, 0},
    {0x18000053, FLOAT_DIV, 0, 0}, {0x58000053, FLOAT_SQRT, 0, 0}, {0x00000043, FLOAT_FMA, 0, 0},
    {0x00000047, FLOAT_FMA, 0, 1}, {0x0000004b, FLOAT_FMA, 1, 0},  {0x0000004f, FLOAT_FMA, 1, 1},
};

/* The state before an instruction: flags, and the dynamic mode; returns the mode that it rounds by. */
static unsigned set_modes(struct riscv_core *c, unsigned field)
{
    c->frm = draw() % 4 ? FLOAT_RNE : (uint32_t)(draw() % 5);
    c->fflags = draw() % 4 ? FLOAT_NX | (uint32_t)(draw() & 31) : (uint32_t)(draw() & 30);
    return field == DYNAMIC ? c->frm : field;
}

static unsigned any_field(void)
{
    return draw() % 2 ? DYNAMIC : (unsigned)(draw() % 5);
}

static uint64_t turned(bool wide, bool turn, uint64_t a)
{
    return !turn ? a : wide ? float_negate_d(a) : float_negate_s(a);
}

static void machine_start(struct machine *m)
{
    machine_init(m, NULL, 0);
    m->core.csr.mstatus = UINT64_C(3) << 13;
}

static void expect(const struct machine *m, uint32_t word, uint64_t got, uint64_t wanted, uint32_t flags)
{
    if (got != wanted || m->core.fflags != flags)
        fail_msg("word %08x of %016llx %016llx %016llx, frm %u: %016llx flags %02x, expected %016llx %02x",
                 word, (unsigned long long)m->core.f[10], (unsigned long long)m->core.f[11],
                 (unsigned long long)m->core.f[12], m->core.frm, (unsigned long long)got, m->core.fflags,
                 (unsigned long long)wanted, flags);
}

static void arithmetic(void **state)
{
    (void)state;
    struct machine m;
    struct riscv_core *c = &m.core;
    machine_start(&m);
    for (int k = 0; k < ROUNDS; k++) {
        const struct operation *o = &operations[draw() % (sizeof operations / sizeof *operations)];
        bool wide = draw() % 2;
        unsigned field = any_field();
        uint32_t rs2 = o->what == FLOAT_SQRT ? 0 : 11u << 20, rs3 = o->what == FLOAT_FMA ? 12u << 27 : 0;
        uint32_t word = o->word | (uint32_t)wide << 25 | rs3 | rs2 | 10u << 15 | field << 12 | 9u << 7;
        for (unsigned r = 10; r < 13; r++)
            c->f[r] = number(wide);
        enum float_round round = (enum float_round)set_modes(c, field);
        uint32_t flags = c->fflags;
        uint64_t a = turned(wide, o->product, c->f[10]), b = c->f[11],
                 third = turned(wide, o->addend, c->f[12]);
        uint64_t wanted = wide ? float_arith_d(o->what, round, a, b, third, &flags)
                               : float_arith_s(o->what, round, a, b, third, &flags);
        machine_do(&m, word);
        expect(&m, word, c->f[9], wanted, flags);
    }
    riscv_core_close(c);
}

static void to_integers(void **state)
{
    (void)state;
    struct machine m;
    struct riscv_core *c = &m.core;
    machine_start(&m);
    for (int k = 0; k < ROUNDS; k++) {
        bool wide = draw() % 2;
        enum float_integer to = (enum float_integer)(draw() % 4);
        unsigned field = draw() % 2 ? FLOAT_RTZ : any_field();
        uint32_t word =
            0xc0000053 | (uint32_t)wide << 25 | (uint32_t)to << 20 | 10u << 15 | field << 12 | 9u << 7;
        c->f[10] = number(wide);
        if (draw() % 2) /* at the ends of the types */
            c->f[10] = wide ? (UINT64_C(0x41d) + draw() % 36) << 52 | (draw() & ~(UINT64_MAX >> 1)) |
                                  (draw() % 2 ? (draw() & UINT64_MAX >> 12) : 0)
                            : FLOAT_BOX | (0x9d + draw() % 36) << 23 | (draw() & 0x80000000);
        enum float_round round = (enum float_round)set_modes(c, field);
        uint32_t flags = c->fflags;
        uint64_t wanted = wide ? float_to_integer_d(to, round, c->f[10], &flags)
                               : float_to_integer_s(to, round, c->f[10], &flags);
        machine_do(&m, word);
        expect(&m, word, c->x[9], wanted, flags);
    }
    riscv_core_close(c);
}

static void from_integers_and_formats(void **state)
{
    (void)state;
    struct machine m;
    struct riscv_core *c = &m.core;
    machine_start(&m);
    for (int k = 0; k < ROUNDS; k++) {
        bool wide = draw() % 2, formats = draw() % 2;
        enum float_integer from = (enum float_integer)(draw() % 4);
        unsigned field = any_field();
        uint32_t word = formats ? wide ? 0x42000053 : 0x40100053 /* fcvt.d.s, fcvt.s.d */
                                : 0xd0000053 | (uint32_t)wide << 25 | (uint32_t)from << 20;
        word |= 10u << 15 | field << 12 | 9u << 7;
        c->f[10] = number(!wide);
        c->x[10] = draw() >> draw() % 64;
        enum float_round round = (enum float_round)set_modes(c, field);
        uint32_t flags = c->fflags;
        uint64_t wanted = formats
                              ? wide ? float_s_to_d(c->f[10], &flags) : float_d_to_s(round, c->f[10], &flags)
                          : wide ? float_from_integer_d(from, round, c->x[10], &flags)
                                 : float_from_integer_s(from, round, c->x[10], &flags);
        machine_do(&m, word);
        expect(&m, word, c->f[9], wanted, flags);
    }
    riscv_core_close(c);
}

static void comparisons(void **state)
{
    (void)state;
    struct machine m;
    struct riscv_core *c = &m.core;
    machine_start(&m);
    for (int k = 0; k < ROUNDS; k++) {
        bool wide = draw() % 2;
        uint32_t which = (uint32_t)(draw() % 3);
        uint32_t word = 0xa0000053 | (uint32_t)wide << 25 | 11u << 20 | 10u << 15 | which << 12 | 9u << 7;
        c->f[10] = number(wide);
        c->f[11] = draw() % 4 ? number(wide) : c->f[10];
        set_modes(c, 0);
        uint32_t flags = c->fflags;
        uint64_t wanted = wide ? float_compare_d(which, c->f[10], c->f[11], &flags)
                               : float_compare_s(which, c->f[10], c->f[11], &flags);
        machine_do(&m, word);
        expect(&m, word, c->x[9], wanted, flags);
    }
    riscv_core_close(c);
}

/* A program sees no other results, and leaves the host's mode, if the host rounds upwards. */
static void host_mode(void **state)
{
    (void)state;
    struct machine m;
    struct riscv_core *c = &m.core;
    machine_start(&m);
    c->f[10] = UINT64_C(0x3ff0000000000000); /* 1 */
    c->f[11] = UINT64_C(0x3c90000000000000); /* 2^-54: 1 + 2^-54 is 1 to nearest */
    for (uint32_t before = 0; before < 2; before++) {
        c->fflags = before;
        fesetround(FE_UPWARD);
        machine_do(&m, 0x02b574d3); /* fadd.d fs1, fa0, fa1 */
        assert_int_equal(fegetround(), FE_UPWARD);
        fesetround(FE_TONEAREST);
        assert_true(c->f[9] == c->f[10]);
        assert_int_equal(c->fflags, FLOAT_NX);
    }
    feraiseexcept(FE_ALL_EXCEPT);
    c->fflags = 0;
    c->f[11] = c->f[10];
    machine_do(&m, 0x02b574d3); /* 1 + 1 is exact */
    assert_int_equal(c->fflags, 0);
    feclearexcept(FE_ALL_EXCEPT);
    riscv_core_close(c);
}

/* A result that is tiny before it is rounded to the least normal number is an underflow, for doubles and for
 * singles: 2^-1022 * (1 - 2^-53), 2^-126 * (1 - 2^-24). */
static void least_normal(void **state)
{
    (void)state;
    struct machine m;
    struct riscv_core *c = &m.core;
    machine_start(&m);
    c->fflags = FLOAT_NX;
    c->f[10] = UINT64_C(0x0010000000000000);
    c->f[11] = UINT64_C(0x3fefffffffffffff);
    machine_do(&m, 0x12b574d3); /* fmul.d fs1, fa0, fa1 */
    assert_true(c->f[9] == c->f[10]);
    assert_int_equal(c->fflags, FLOAT_NX | FLOAT_UF);
    c->fflags = FLOAT_NX;
    c->f[10] = FLOAT_BOX | 0x00800000;
    c->f[11] = FLOAT_BOX | 0x3f7fffff;
    machine_do(&m, 0x10b574d3);
    assert_true(c->f[9] == c->f[10]);
    assert_int_equal(c->fflags, FLOAT_NX | FLOAT_UF);
    riscv_core_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(to_integers),
        cmocka_unit_test(from_integers_and_formats),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(host_mode),
        cmocka_unit_test(least_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
