# SPDX-License-Identifier: BSD-3-Clause
"""Random instructions, as units: a unit is a list of words that is executed from its first one. Branches go
to beginnings of units, so that what a unit has set up (an address, a count) is there for its other words.

Registers: x31 is the sequence's block (program.py), x2 its window; x30 counts loops, x29 holds addresses.
Units write x29 and x30 before they read them as such; nobody else writes these four.
"""
from encode import (addi, branch, c_addi16sp, c_addi4spn, c_alu, c_branch, c_ci, c_jump, c_load_sp, c_memory4,
                    c_memory8, c_move, c_store_sp, csr, encoded, i_type, jal, jalr, load, r_type, s_type,
                    u_type)

WINDOW = 528  # of the block
WINDOW_SIZE = 256
BLOCK, STACK, COUNT, ADDRESS = 31, 2, 30, 29
TARGETS = [r for r in range(29) if r != STACK]
SMALL = [r for r in range(8, 16)]

# (f7, f3) of OP and OP-32
OP = {"I": [(0, f) for f in range(8)] + [(0x20, 0), (0x20, 5)], "M": [(1, f) for f in range(8)],
      "B": [(0x10, 2), (0x10, 4), (0x10, 6), (0x20, 7), (0x20, 6), (0x20, 4), (5, 4), (5, 5), (5, 6), (5, 7),
            (0x30, 1), (0x30, 5), (0x24, 1), (0x24, 5), (0x34, 1), (0x14, 1)]}
OP32 = {"I": [(0, 0), (0x20, 0), (0, 1), (0, 5), (0x20, 5)], "M": [(1, 0), (1, 4), (1, 5), (1, 6), (1, 7)],
        "B": [(4, 0), (0x10, 2), (0x10, 4), (0x10, 6), (0x30, 1), (0x30, 5)]}
SHIFTS = [(0, 1), (0, 5), (0x10, 5)]  # (f6, f3) of OP-IMM
SHIFTS_B = [(0x12, 1), (0x12, 5), (0x1a, 1), (0x0a, 1), (0x18, 5)]
UNARY = [(0x600, 1), (0x601, 1), (0x602, 1), (0x604, 1), (0x605, 1), (0x287, 5), (0x6b8, 5)]
AMO = [0, 1, 4, 8, 12, 16, 20, 24, 28]


def alu(rng):
    x, y, rd = rng.randrange(32), rng.randrange(32), rng.choice(TARGETS)
    group = rng.choice("IIMB")
    way = rng.randrange(6)
    if way < 2:
        f7, f3 = rng.choice(OP[group])
        return [r_type(0x33, f3, f7, rd, x, y)]
    if way == 2:
        f7, f3 = rng.choice(OP32[group])
        return [r_type(0x3b, f3, f7, rd, x, y)]
    if way == 3:
        return [i_type(0x13, rng.choice((0, 2, 3, 4, 6, 7)), rd, x, rng.randrange(-2048, 2048))]
    if way == 4:
        f6, f3 = rng.choice(SHIFTS_B if group == "B" else SHIFTS)
        return [i_type(0x13, f3, rd, x, f6 << 6 | rng.randrange(64))]
    if rng.randrange(16) == 0:
        # ctzw: qemu 7.2 looks at bits above the word when the word is 0 (8.0 does not), so it is not 0 here.
        return [i_type(0x13, 1, ADDRESS, x, 0x0a << 6 | 31), i_type(0x1b, 1, rd, ADDRESS, 0x601)]
    return [alu_rare(rng, rd, x)]


def alu_rare(rng, rd, x):
    way = rng.randrange(8)
    if way == 0:
        return i_type(0x1b, 0, rd, x, rng.randrange(-2048, 2048))
    if way == 1:
        f7, f3 = rng.choice(((0, 1), (0, 5), (0x20, 5), (0x30, 5)))
        return i_type(0x1b, f3, rd, x, f7 << 5 | rng.randrange(32))
    if way == 2:
        return i_type(0x1b, 1, rd, x, 2 << 6 | rng.randrange(64))  # slli.uw
    if way == 3:
        return i_type(0x1b, 1, rd, x, rng.choice((0x600, 0x602)))  # clzw, cpopw
    if way == 4:
        return r_type(0x3b, 4, 4, rd, x, 0)  # zext.h
    if way < 7:
        imm, f3 = rng.choice(UNARY)
        return i_type(0x13, f3, rd, x, imm)
    return u_type(rng.choice((0x37, 0x17)), rd, rng.getrandbits(20))


def address(rng, size, aligned):
    """Words that make x29 an address in the window, from a random register's value or not; and an offset."""
    mask = WINDOW_SIZE - 1 & ~(size - 1 if aligned else 0)
    if rng.getrandbits(1):
        return [], BLOCK, WINDOW + (rng.randrange(WINDOW_SIZE) & mask)
    offset = rng.choice((-32, 0, 16, 32))
    return ([i_type(0x13, 7, ADDRESS, rng.randrange(32), mask), r_type(0x33, 0, 0, ADDRESS, ADDRESS, BLOCK),
             addi(ADDRESS, ADDRESS, WINDOW - offset)], ADDRESS, offset)


def memory(rng):
    f3 = rng.randrange(7)
    aligned = rng.randrange(4) > 0
    words, base, offset = address(rng, 1 << (f3 & 3), aligned)
    way = rng.randrange(5)
    if way < 2:
        return words + [load(f3, rng.choice(TARGETS), base, offset)]
    if way < 4:
        return words + [s_type(0x23, f3 & 3, base, rng.randrange(32), offset)]
    words, base, offset = address(rng, 8, aligned)
    if rng.getrandbits(1):
        return words + [i_type(0x07, rng.choice((2, 3)), rng.randrange(32), base, offset)]
    return words + [s_type(0x27, rng.choice((2, 3)), base, rng.randrange(32), offset)]


def atomic(rng):
    f3 = rng.choice((2, 3))
    size = 1 << f3
    words, base, offset = address(rng, size, True)
    words.append(addi(ADDRESS, base, offset))
    rd, rs2, order = rng.choice(TARGETS), rng.randrange(32), rng.randrange(4)
    if rng.randrange(4):
        return words + [r_type(0x2f, f3, rng.choice(AMO) << 2 | order, rd, ADDRESS, rs2)]
    # lr, and most times a few instructions that may be between, and sc, and perhaps another, which fails
    words.append(r_type(0x2f, f3, 2 << 2 | order, rd, ADDRESS, 0))
    for _ in range(rng.randrange(3)):
        words.append(r_type(0x33, rng.randrange(8), 0, rng.choice(TARGETS), rng.randrange(32),
                            rng.randrange(32)))
    words.append(r_type(0x2f, f3, 3 << 2 | order, rng.choice(TARGETS), ADDRESS, rs2))
    if rng.getrandbits(1):
        words.append(r_type(0x2f, f3, 3 << 2, rng.choice(TARGETS), ADDRESS, rs2))
    return words


def floating(rng):
    fmt = rng.getrandbits(1)
    rm = rng.choice((0, 1, 2, 3, 4, 7, 7))
    rd, a, b = (rng.randrange(32) for _ in range(3))
    rx = rng.choice(TARGETS)
    way = rng.randrange(12)

    def op(f5, f3, target, x, y):
        return [r_type(0x53, f3, f5 << 2 | fmt, target, x, y)]
    if way < 4:
        return op(rng.randrange(4), rm, rd, a, b)
    if way < 6:
        return [r_type(rng.choice((0x43, 0x47, 0x4b, 0x4f)), rm, rng.randrange(32) << 2 | fmt, rd, a, b)]
    if way == 6:
        return op(0x0b, rm, rd, a, 0)
    if way == 7:
        return op(*rng.choice(((4, 0), (4, 1), (4, 2), (5, 0), (5, 1))), rd, a, b)
    if way == 8:
        return op(0x14, rng.randrange(3), rx, a, b)
    if way == 9:
        return op(0x18, rm, rx, a, rng.randrange(4))
    if way == 10:
        return op(0x1a, rm, rd, rng.randrange(32), rng.randrange(4))
    return rng.choice((op(0x08, rm, rd, a, 1 - fmt), op(0x1c, rng.getrandbits(1), rx, a, 0),
                       op(0x1e, 0, rd, rng.randrange(32), 0)))


def control(rng):
    """fflags, frm and fcsr; a rounding mode that does not exist is never set."""
    way = rng.randrange(4)
    rd = rng.choice(TARGETS)
    if way == 0:
        return [csr(5, rd, 2, rng.randrange(5))]
    if way == 1:
        return [csr(rng.choice((1, 2, 3, 5, 6, 7)), rd, 1, rng.randrange(32))]
    if way == 2:
        return [i_type(0x13, 7, ADDRESS, rng.randrange(32), 0x9f), csr(1, rd, 3, ADDRESS)]
    return [csr(2, rd, rng.choice((1, 2, 3)), 0)]


def compressed(rng):
    way = rng.randrange(16)
    rd = rng.choice([r for r in TARGETS if r])
    small = rng.choice(SMALL)
    imm = rng.randrange(-32, 32)
    nonzero = imm or 1
    if way < 3:
        return [c_ci(way, 1, rd, nonzero)]  # addi, addiw, li
    if way == 3:
        return [c_ci(3, 1, rd, nonzero)]  # lui
    if way == 4:
        return [c_addi16sp(nonzero * 16), c_addi16sp(-nonzero * 16)] if nonzero > -32 else [1]  # or nop
    if way == 5:
        return [c_addi4spn(small, 4 * rng.randrange(1, 256))]
    if way == 6:
        return [c_alu(rng.randrange(2), small, imm=rng.randrange(1, 64))]
    if way == 7:
        return [c_alu(2, small, imm=imm)]
    if way < 10:
        return [c_alu(rng.randrange(3, 9), small, rng.choice(SMALL))]
    if way == 10:
        return [c_ci(0, 2, rd, rng.randrange(1, 64))]  # slli
    if way == 11:
        return [c_move(rd, rng.randrange(1, 32), rng.getrandbits(1))]
    return compressed_memory(rng, way, rd, small)


def compressed_memory(rng, way, rd, small):
    if way == 12:
        f3 = rng.choice((1, 2, 3))
        size = 4 if f3 == 2 else 8
        where = size * rng.randrange(WINDOW_SIZE // size)
        return [c_load_sp(f3, rng.randrange(32) if f3 == 1 else rd, where)]
    if way == 13:
        f3 = rng.choice((5, 6, 7))
        size = 4 if f3 == 6 else 8
        return [c_store_sp(f3, rng.randrange(32), size * rng.randrange(WINDOW_SIZE // size))]
    f3 = rng.choice((1, 2, 3, 5, 6, 7))
    word = f3 in (2, 6)
    imm = (4 if word else 8) * rng.randrange(32)
    base = addi(small, BLOCK, WINDOW + 8 * rng.randrange((WINDOW_SIZE - imm) // 8))
    return [base, (c_memory4 if word else c_memory8)(f3, rng.choice(SMALL), small, imm)]


KINDS = {"alu": alu, "memory": memory, "atomic": atomic, "float": floating, "control": control,
         "compressed": compressed}
MIXES = [("alu",), ("alu", "memory"), ("memory", "atomic"), ("float", "float", "float", "control"),
         ("float", "memory"), ("compressed", "compressed", "alu"),
         ("alu", "memory", "atomic", "float", "control",
                                                                   "compressed")]


def jump(rng, skipped):
    """Words that jump over `skipped` bytes, always or depending on registers."""
    way = rng.randrange(8)
    if way < 4:
        return [branch(rng.choice((0, 1, 4, 5, 6, 7)), rng.randrange(32), rng.randrange(32), skipped + 4)]
    if way == 4:
        return [jal(rng.choice(TARGETS), skipped + 4)]
    if way == 5:
        return [c_jump(skipped + 2)]
    if way == 6 and skipped < 250:
        return [c_branch(rng.choice((6, 7)), rng.choice(SMALL), skipped + 2)]
    return [u_type(0x17, ADDRESS, 0), jalr(rng.choice(TARGETS), ADDRESS, skipped + 8)]


def sequence(rng):
    """A list of units, all random. Jumps are units that hold what they jump over, and so are loops."""
    kinds = rng.choice(MIXES)
    units = []
    for _ in range(rng.randrange(4, 20)):
        body = [w for _ in range(rng.randrange(1, 4)) for w in KINDS[rng.choice(kinds)](rng)]
        size = len(encoded(body))
        way = rng.randrange(12)
        if way == 0:
            body = jump(rng, size) + body
        elif way == 1:
            body = [addi(COUNT, 0, rng.randrange(1, 5)), *body, addi(COUNT, COUNT, -1),
                    branch(1, COUNT, 0, -size - 4)]
        units.append(body)
    return units
