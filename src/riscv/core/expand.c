/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * expand: the 32-bit word that does the same as a compressed instruction (RV64C; the C chapters of the
 * unprivileged specification). Reserved words give 0, which is no instruction; hints give what they are an
 * encoding of.
 */
#include "riscv/core/table.h"

/* Bits [low, low + n) of an instruction, at bit `to`. */
static uint32_t part(uint32_t half, unsigned low, unsigned n, unsigned to)
{
    return (half >> low & ((1u << n) - 1)) << to;
}

static uint32_t r_type(uint32_t base, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return base | rd << 7 | rs1 << 15 | rs2 << 20;
}

static uint32_t i_type(uint32_t base, uint32_t rd, uint32_t rs1, uint32_t imm)
{
    return base | rd << 7 | rs1 << 15 | (imm & 0xfff) << 20;
}

static uint32_t s_type(uint32_t base, uint32_t rs2, uint32_t rs1, uint32_t imm)
{
    return base | (imm & 31) << 7 | rs1 << 15 | rs2 << 20 | (imm >> 5 & 127) << 25;
}

static uint32_t branch(uint32_t base, uint32_t rs1, uint32_t imm)
{
    return base | part(imm, 11, 1, 7) | part(imm, 1, 4, 8) | rs1 << 15 | part(imm, 5, 6, 25) |
           part(imm, 12, 1, 31);
}

static uint32_t jump(uint32_t rd, uint32_t imm)
{
    return 0x6f | rd << 7 | part(imm, 12, 8, 12) | part(imm, 11, 1, 20) | part(imm, 1, 10, 21) |
           part(imm, 20, 1, 31);
}

/* The six-bit immediate of most of them, sign-extended. */
static uint32_t small(uint32_t h)
{
    return part(h, 2, 5, 0) | (h & 0x1000 ? ~31u : 0);
}

/* Quadrant 0: the stack pointer plus a constant, loads and stores with three-bit registers. */
static uint32_t quadrant0(uint32_t h)
{
    uint32_t a = 8 + part(h, 7, 3, 0), b = 8 + part(h, 2, 3, 0);
    uint32_t word = part(h, 10, 3, 3) | part(h, 6, 1, 2) | part(h, 5, 1, 6);
    uint32_t doubleword = part(h, 10, 3, 3) | part(h, 5, 2, 6);
    uint32_t wide = part(h, 11, 2, 4) | part(h, 7, 4, 6) | part(h, 6, 1, 2) | part(h, 5, 1, 3);
    switch (h >> 13) {
    case 0:
        return wide ? i_type(0x13, b, 2, wide) : 0; /* addi4spn; all bits 0 is defined to be illegal */
    case 1:
        return i_type(0x3007, b, a, doubleword); /* fld */
    case 2:
        return i_type(0x2003, b, a, word); /* lw */
    case 3:
        return i_type(0x3003, b, a, doubleword); /* ld */
    case 5:
        return s_type(0x3027, b, a, doubleword); /* fsd */
    case 6:
        return s_type(0x2023, b, a, word); /* sw */
    case 7:
        return s_type(0x3023, b, a, doubleword); /* sd */
    default:
        return 0;
    }
}

/* Arithmetic on three-bit registers. */
static uint32_t arithmetic(uint32_t h)
{
    static const uint32_t wide[] = {0x40000033, 0x4033, 0x6033, 0x7033}; /* sub, xor, or, and */
    uint32_t a = 8 + part(h, 7, 3, 0), b = 8 + part(h, 2, 3, 0),
             amount = part(h, 2, 5, 0) | part(h, 12, 1, 5);
    switch (part(h, 10, 2, 0)) {
    case 0:
        return i_type(0x5013, a, a, amount); /* srli */
    case 1:
        return i_type(0x5013, a, a, amount) | 0x40000000; /* srai */
    case 2:
        return i_type(0x7013, a, a, small(h)); /* andi */
    default:
        break;
    }
    unsigned which = part(h, 5, 2, 0);
    if (!(h & 0x1000))
        return r_type(wide[which], a, a, b);
    return which == 0 ? r_type(0x4000003b, a, a, b) : which == 1 ? r_type(0x3b, a, a, b) : 0; /* subw, addw */
}

/* Quadrant 1: immediates, jumps, branches. */
static uint32_t quadrant1(uint32_t h)
{
    uint32_t rd = part(h, 7, 5, 0), a = 8 + part(h, 7, 3, 0);
    uint32_t far = part(h, 3, 3, 1) | part(h, 11, 1, 4) | part(h, 2, 1, 5) | part(h, 7, 1, 6) |
                   part(h, 6, 1, 7) | part(h, 9, 2, 8) | part(h, 8, 1, 10) | (h & 0x1000 ? ~0x7ffu : 0);
    uint32_t near = part(h, 3, 2, 1) | part(h, 10, 2, 3) | part(h, 2, 1, 5) | part(h, 5, 2, 6) |
                    (h & 0x1000 ? ~0xffu : 0);
    uint32_t stack = part(h, 6, 1, 4) | part(h, 2, 1, 5) | part(h, 5, 1, 6) | part(h, 3, 2, 7) |
                     (h & 0x1000 ? ~0x1ffu : 0);
    switch (h >> 13) {
    case 0:
        return i_type(0x13, rd, rd, small(h)); /* addi */
    case 1:
        return rd ? i_type(0x1b, rd, rd, small(h)) : 0; /* addiw */
    case 2:
        return i_type(0x13, rd, 0, small(h)); /* li */
    case 3:
        if (rd == 2)
            return stack ? i_type(0x13, 2, 2, stack) : 0;      /* addi16sp */
        return small(h) ? 0x37 | rd << 7 | small(h) << 12 : 0; /* lui */
    case 4:
        return arithmetic(h);
    case 5:
        return jump(0, far);
    case 6:
        return branch(0x63, a, near); /* beqz */
    default:
        return branch(0x1063, a, near); /* bnez */
    }
}

/* jr, mv, ebreak, jalr, add. */
static uint32_t registers(uint32_t h)
{
    uint32_t rd = part(h, 7, 5, 0), rs2 = part(h, 2, 5, 0);
    if (rs2)
        return r_type(0x33, rd, h & 0x1000 ? rd : 0, rs2);
    if (h & 0x1000)
        return rd ? i_type(0x67, 1, rd, 0) : 0x00100073;
    return rd ? i_type(0x67, 0, rd, 0) : 0;
}

/* Quadrant 2: loads and stores by the stack pointer, moves, calls. */
static uint32_t quadrant2(uint32_t h)
{
    uint32_t rd = part(h, 7, 5, 0), rs2 = part(h, 2, 5, 0);
    uint32_t word = part(h, 12, 1, 5) | part(h, 4, 3, 2) | part(h, 2, 2, 6);
    uint32_t doubleword = part(h, 12, 1, 5) | part(h, 5, 2, 3) | part(h, 2, 3, 6);
    uint32_t to_double = part(h, 10, 3, 3) | part(h, 7, 3, 6);
    switch (h >> 13) {
    case 0:
        return i_type(0x1013, rd, rd, rs2 | part(h, 12, 1, 5)); /* slli */
    case 1:
        return i_type(0x3007, rd, 2, doubleword); /* fld */
    case 2:
        return rd ? i_type(0x2003, rd, 2, word) : 0; /* lw */
    case 3:
        return rd ? i_type(0x3003, rd, 2, doubleword) : 0; /* ld */
    case 4:
        return registers(h);
    case 5:
        return s_type(0x3027, rs2, 2, to_double); /* fsd */
    case 6:
        return s_type(0x2023, rs2, 2, part(h, 9, 4, 2) | part(h, 7, 2, 6)); /* sw */
    default:
        return s_type(0x3023, rs2, 2, to_double); /* sd */
    }
}

uint32_t riscv_expand(uint16_t half)
{
    switch (half & 3) {
    case 0:
        return quadrant0(half);
    case 1:
        return quadrant1(half);
    case 2:
        return quadrant2(half);
    default:
        return 0;
    }
}
