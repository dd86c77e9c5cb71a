/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer instructions on random operands against C that is as plain as can be: bit by bit where the
 * interpreter uses a trick. Pins M, Zba, Zbb and Zbs, and that nothing is ever written to x0. */
#include "core_machine.h"

#include <stdlib.h>

typedef uint64_t (*model_fn)(uint64_t a, uint64_t b);

static int64_t low(uint64_t x)
{
    return (int64_t)(int32_t)(uint32_t)x;
}
/* The high half of a product, by 32-bit halves. */
static uint64_t high_unsigned(uint64_t a, uint64_t b)
{
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t middle = ah * bl + (al * bl >> 32), other = al * bh + (uint32_t)middle;
    return ah * bh + (middle >> 32) + (other >> 32);
}
static uint64_t m_mulh(uint64_t a, uint64_t b)
{
    return high_unsigned(a, b) - ((int64_t)a < 0 ? b : 0) - ((int64_t)b < 0 ? a : 0);
}
static uint64_t m_mulhsu(uint64_t a, uint64_t b)
{
    return high_unsigned(a, b) - ((int64_t)a < 0 ? b : 0);
}
/* Long division, one bit after the other. */
static void divide(uint64_t a, uint64_t b, uint64_t *quotient, uint64_t *rest)
{
    *quotient = *rest = 0;
    for (int i = 63; i >= 0; i--) {
        uint64_t out = *rest >> 63;
        *rest = *rest << 1 | (a >> i & 1);
        if (out || *rest >= b) {
            *rest -= b;
            *quotient |= UINT64_C(1) << i;
        }
    }
}
static uint64_t m_divu(uint64_t a, uint64_t b)
{
    uint64_t q, r;
    divide(a, b, &q, &r);
    return b ? q : UINT64_MAX;
}
static uint64_t m_remu(uint64_t a, uint64_t b)
{
    uint64_t q, r;
    divide(a, b, &q, &r);
    return b ? r : a;
}
static uint64_t m_div(uint64_t a, uint64_t b)
{
    uint64_t q = m_divu((int64_t)a < 0 ? -a : a, (int64_t)b < 0 ? -b : b);
    return b == 0 ? UINT64_MAX : (int64_t)(a ^ b) < 0 ? -q : q;
}
static uint64_t m_rem(uint64_t a, uint64_t b)
{
    return b == 0 ? a : a - m_div(a, b) * b;
}
static uint64_t m_divw(uint64_t a, uint64_t b)
{
    return (uint32_t)b == 0 ? UINT64_MAX : (uint64_t)low(m_div((uint64_t)low(a), (uint64_t)low(b)));
}
static uint64_t m_remw(uint64_t a, uint64_t b)
{
    return (uint64_t)low(m_rem((uint64_t)low(a), (uint64_t)low(b)));
}
static uint64_t m_divuw(uint64_t a, uint64_t b)
{
    return (uint64_t)low(m_divu((uint32_t)a, (uint32_t)b));
}
static uint64_t m_remuw(uint64_t a, uint64_t b)
{
    return (uint64_t)low(m_remu((uint32_t)a, (uint32_t)b));
}
static uint64_t m_mulw(uint64_t a, uint64_t b)
{
    return (uint64_t)low(a * b);
}
static uint64_t m_sra(uint64_t a, uint64_t b)
{
    for (unsigned i = 0; i < b % 64; i++)
        a = a >> 1 | (a & UINT64_C(1) << 63);
    return a;
}
static uint64_t m_sraw(uint64_t a, uint64_t b)
{
    return m_sra((uint64_t)low(a), b % 32);
}
static uint64_t m_ror(uint64_t a, uint64_t b)
{
    for (unsigned i = 0; i < b % 64; i++)
        a = a >> 1 | a << 63;
    return a;
}
static uint64_t m_rol(uint64_t a, uint64_t b)
{
    return m_ror(a, 64 - b % 64);
}
static uint64_t m_rorw(uint64_t a, uint64_t b)
{
    uint32_t w = (uint32_t)a;
    for (unsigned i = 0; i < b % 32; i++)
        w = w >> 1 | w << 31;
    return (uint64_t)low(w);
}
static uint64_t m_rolw(uint64_t a, uint64_t b)
{
    return m_rorw(a, 32 - b % 32);
}
static uint64_t m_slt(uint64_t a, uint64_t b)
{
    return (a ^ UINT64_C(1) << 63) < (b ^ UINT64_C(1) << 63);
}
static uint64_t m_max(uint64_t a, uint64_t b)
{
    return m_slt(a, b) ? b : a;
}
static uint64_t m_minu(uint64_t a, uint64_t b)
{
    return b < a ? b : a;
}
static uint64_t m_sh3add_uw(uint64_t a, uint64_t b)
{
    return (a & UINT32_MAX) * 8 + b;
}
static uint64_t m_xnor(uint64_t a, uint64_t b)
{
    return ~(a ^ b);
}
static uint64_t m_bclr(uint64_t a, uint64_t b)
{
    return m_ror(m_ror(a, b) / 2 * 2, 64 - b % 64);
}
static uint64_t m_binv(uint64_t a, uint64_t b)
{
    return m_ror(m_ror(a, b) ^ 1, 64 - b % 64);
}
static uint64_t m_clz(uint64_t a, uint64_t b)
{
    (void)b;
    unsigned n = 0;
    while (n < 64 && !(a >> (63 - n) & 1))
        n++;
    return n;
}
static uint64_t m_ctzw(uint64_t a, uint64_t b)
{
    (void)b;
    unsigned n = 0;
    while (n < 32 && !(a >> n & 1))
        n++;
    return n;
}
static uint64_t m_cpop(uint64_t a, uint64_t b)
{
    (void)b;
    unsigned n = 0;
    for (; a; a >>= 1)
        n += a & 1;
    return n;
}
static uint64_t m_orc_b(uint64_t a, uint64_t b)
{
    (void)b;
    uint64_t out = 0;
    for (unsigned i = 0; i < 64; i += 8)
        out |= (a >> i & 255 ? UINT64_C(255) : 0) << i;
    return out;
}
static uint64_t m_rev8(uint64_t a, uint64_t b)
{
    (void)b;
    uint64_t out = 0;
    for (unsigned i = 0; i < 64; i += 8)
        out = out << 8 | (a >> i & 255);
    return out;
}

static const struct {
    const char *name;
    uint32_t base;
    bool unary;
    model_fn model;
} rows[] = {
    {"mulh", 0x02001033, false, m_mulh},
    {"mulhsu", 0x02002033, false, m_mulhsu},
    {"mulhu", 0x02003033, false, high_unsigned},
    {"div", 0x02004033, false, m_div},
    {"divu", 0x02005033, false, m_divu},
    {"rem", 0x02006033, false, m_rem},
    {"remu", 0x02007033, false, m_remu},
    {"mulw", 0x0200003b, false, m_mulw},
    {"divw", 0x0200403b, false, m_divw},
    {"divuw", 0x0200503b, false, m_divuw},
    {"remw", 0x0200603b, false, m_remw},
    {"remuw", 0x0200703b, false, m_remuw},
    {"sra", 0x40005033, false, m_sra},
    {"sraw", 0x4000503b, false, m_sraw},
    {"slt", 0x2033, false, m_slt},
    {"ror", 0x60005033, false, m_ror},
    {"rol", 0x60001033, false, m_rol},
    {"rorw", 0x6000503b, false, m_rorw},
    {"rolw", 0x6000103b, false, m_rolw},
    {"max", 0x0a006033, false, m_max},
    {"minu", 0x0a005033, false, m_minu},
    {"sh3add.uw", 0x2000603b, false, m_sh3add_uw},
    {"xnor", 0x40004033, false, m_xnor},
    {"bclr", 0x48001033, false, m_bclr},
    {"binv", 0x68001033, false, m_binv},
    {"clz", 0x60001013, true, m_clz},
    {"ctzw", 0x6010101b, true, m_ctzw},
    {"cpop", 0x60201013, true, m_cpop},
    {"orc.b", 0x28705013, true, m_orc_b},
    {"rev8", 0x6b805013, true, m_rev8},
};

static void random_operands(void **state)
{
    (void)state;
    struct machine *m = malloc(sizeof *m);
    uint64_t seed = 1;
    machine_init(m, NULL, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned k = 0; k < 400; k++) {
            uint64_t a = machine_random(&seed), b = machine_random(&seed);
            unsigned rd = k % 8 == 0 ? ZERO : A0;
            m->core.x[A1] = a;
            m->core.x[A2] = b;
            machine_do(m, r_word(rows[i].base, rd, A1, rows[i].unary ? 0 : A2));
            uint64_t want = rd == ZERO ? 0 : rows[i].model(a, b);
            if (m->core.x[rd] != want || m->core.x[ZERO] != 0)
                fail_msg("%s %#lx, %#lx: %#lx, expected %#lx", rows[i].name, a, b, m->core.x[rd], want);
        }
    riscv_core_close(&m->core);
    free(m);
}

/* A compressed instruction does what the 32-bit one does, and is 2 bytes long. */
static void compressed(void **state)
{
    (void)state;
    struct machine *m = malloc(sizeof *m);
    const uint32_t words[] = {
        0x4515u | 0x0509u << 16, /* c.li a0,5; c.addi a0,2 */
        0x952au | 0x8d0du << 16, /* c.add a0,a0; c.sub a0,a1 */
        EBREAK,
    };
    machine_init(m, words, 3);
    m->core.x[A1] = 4;
    assert_int_equal(riscv_core_run(&m->core, 100), RISCV_TRAPPED);
    assert_int_equal(m->core.x[A0], 10);
    assert_int_equal(m->core.pc, TEXT + 8);
    assert_int_equal(m->core.instret, 4);
    riscv_core_close(&m->core);
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_operands), cmocka_unit_test(compressed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
