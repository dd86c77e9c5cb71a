# SPDX-License-Identifier: BSD-3-Clause
"""Words of RISC-V instructions, from the manuals' tables of formats. Written apart from src/riscv/core, so
that a mistake in its table is not repeated here."""


def bits(value, high, low):
    return value >> low & (1 << high - low + 1) - 1


def r_type(op, f3, f7, rd, rs1, rs2):
    return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op


def i_type(op, f3, rd, rs1, imm):
    return bits(imm, 11, 0) << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op


def s_type(op, f3, rs1, rs2, imm):
    return bits(imm, 11, 5) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | bits(imm, 4, 0) << 7 | op


def branch(f3, rs1, rs2, offset):
    return (bits(offset, 12, 12) << 31 | bits(offset, 10, 5) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 |
            bits(offset, 4, 1) << 8 | bits(offset, 11, 11) << 7 | 0x63)


def jal(rd, offset):
    return (bits(offset, 20, 20) << 31 | bits(offset, 10, 1) << 21 | bits(offset, 11, 11) << 20 |
            bits(offset, 19, 12) << 12 | rd << 7 | 0x6f)


def u_type(op, rd, imm20):
    return bits(imm20, 19, 0) << 12 | rd << 7 | op


def addi(rd, rs1, imm):
    return i_type(0x13, 0, rd, rs1, imm)


def load(f3, rd, rs1, imm):
    return i_type(0x03, f3, rd, rs1, imm)


def store(f3, rs2, rs1, imm):
    return s_type(0x23, f3, rs1, rs2, imm)


def fld(rd, rs1, imm):
    return i_type(0x07, 3, rd, rs1, imm)


def fsd(rs2, rs1, imm):
    return s_type(0x27, 3, rs1, rs2, imm)


def jalr(rd, rs1, imm):
    return i_type(0x67, 0, rd, rs1, imm)


def csr(f3, rd, number, rs1):
    return i_type(0x73, f3, rd, rs1, number)


def li32(rd, value):
    """lui and addi: any value of 32 bits whose top bit is 0."""
    return [u_type(0x37, rd, value + 0x800 >> 12), addi(rd, rd, bits(value, 11, 0))]


# Compressed instructions: cN is a register of x8 to x15, given by its whole number.

def c_ci(f3, op, rd, imm):
    return f3 << 13 | bits(imm, 5, 5) << 12 | rd << 7 | bits(imm, 4, 0) << 2 | op


def c_addi16sp(imm):
    return (3 << 13 | bits(imm, 9, 9) << 12 | 2 << 7 | bits(imm, 4, 4) << 6 | bits(imm, 6, 6) << 5 |
            bits(imm, 8, 7) << 3 | bits(imm, 5, 5) << 2 | 1)


def c_addi4spn(rd, imm):
    return (bits(imm, 5, 4) << 11 | bits(imm, 9, 6) << 7 | bits(imm, 2, 2) << 6 | bits(imm, 3, 3) << 5 |
            rd - 8 << 2)


def c_memory4(f3, reg, base, imm):
    return (f3 << 13 | bits(imm, 5, 3) << 10 | base - 8 << 7 | bits(imm, 2, 2) << 6 | bits(imm, 6, 6) << 5 |
            reg - 8 << 2)


def c_memory8(f3, reg, base, imm):
    return f3 << 13 | bits(imm, 5, 3) << 10 | base - 8 << 7 | bits(imm, 7, 6) << 5 | reg - 8 << 2


def c_load_sp(f3, rd, imm):
    if f3 == 2:
        low = bits(imm, 4, 2) << 4 | bits(imm, 7, 6) << 2
    else:
        low = bits(imm, 4, 3) << 5 | bits(imm, 8, 6) << 2
    return f3 << 13 | bits(imm, 5, 5) << 12 | rd << 7 | low | 2


def c_store_sp(f3, rs2, imm):
    if f3 == 6:
        low = bits(imm, 5, 2) << 9 | bits(imm, 7, 6) << 7
    else:
        low = bits(imm, 5, 3) << 10 | bits(imm, 8, 6) << 7
    return f3 << 13 | low | rs2 << 2 | 2


def c_alu(kind, rd, rs2=8, imm=0):
    """srli 0, srai 1, andi 2; of registers: sub, xor, or, and, subw, addw from 3 on."""
    if kind < 3:
        return 4 << 13 | bits(imm, 5, 5) << 12 | kind << 10 | rd - 8 << 7 | bits(imm, 4, 0) << 2 | 1
    return (4 << 13 | (kind > 6) << 12 | 3 << 10 | rd - 8 << 7 | (kind - 3) % 4 << 5 | rs2 - 8 << 2 | 1)


def c_move(rd, rs2, add):
    return 4 << 13 | add << 12 | rd << 7 | rs2 << 2 | 2


def c_jump(offset):
    low = 0
    for place, bit in enumerate((5, 1, 2, 3, 7, 6, 10, 8, 9, 4, 11)):
        low |= bits(offset, bit, bit) << place + 2
    return 5 << 13 | low | 1


def c_branch(f3, rs1, offset):
    return (f3 << 13 | bits(offset, 8, 8) << 12 | bits(offset, 4, 3) << 10 | rs1 - 8 << 7 |
            bits(offset, 7, 6) << 5 | bits(offset, 2, 1) << 3 | bits(offset, 5, 5) << 2 | 1)


def encoded(words):
    """The bytes of words; those whose low two bits are not 11 have two bytes."""
    return b"".join(w.to_bytes(4 if w & 3 == 3 else 2, "little") for w in words)
