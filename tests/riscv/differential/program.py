# SPDX-License-Identifier: BSD-3-Clause
"""A static Linux executable that runs sequences, each on a block of its own, and writes all blocks at its
end.

A block: x0 to x31, f0 to f31, fcsr, a window of memory. It holds what the sequence begins with, and
afterwards what the sequence made of it.
"""
import struct

import operands
from encode import addi, branch, csr, encoded, fld, fsd, jal, jalr, li32, load, r_type, store
from units import ADDRESS, BLOCK, COUNT, STACK, WINDOW, WINDOW_SIZE

FLOATS, FCSR, SIZE = 256, 512, 832
TEXT, DATA = 0x100000, 0x4000000
REACH = 1 << 20  # of jal
NAMES = ["x%d" % i for i in range(32)] + ["f%d" % i for i in range(32)] + ["fcsr"]
PAST_WINDOW = 16  # an access that is not aligned may end there


def block(rng):
    """What a sequence begins with."""
    few = rng.randrange(4) == 0  # equal values make branches and compare-and-swap go both ways
    pool = [operands.integer(rng) for _ in range(3)]
    x = [rng.choice(pool) if few else operands.integer(rng) for _ in range(32)]
    f = [operands.floating(rng) for _ in range(32)]
    memory = [rng.choice((operands.integer, operands.floating))(rng)
              for _ in range((WINDOW_SIZE + PAST_WINDOW) // 8)]
    fcsr = rng.randrange(5) << 5 | rng.choice((0, rng.getrandbits(5)))
    words = x + f + [fcsr, 0] + memory
    return struct.pack("<%dQ" % len(words), *words).ljust(SIZE, b"\0")


def harness():
    """Two routines, called by x30: registers from the block, and to it."""
    takes = [load(3, ADDRESS, BLOCK, FCSR), csr(1, 0, 3, ADDRESS)]
    takes += [fld(i, BLOCK, FLOATS + 8 * i) for i in range(32)]
    takes += [load(3, i, BLOCK, 8 * i) for i in range(1, 30) if i != STACK]
    takes += [addi(STACK, BLOCK, WINDOW), jalr(0, COUNT, 0)]
    gives = [store(3, i, BLOCK, 8 * i) for i in range(31)]
    gives += [fsd(i, BLOCK, FLOATS + 8 * i) for i in range(32)]
    gives += [csr(2, ADDRESS, 3, 0), store(3, ADDRESS, BLOCK, FCSR), addi(BLOCK, BLOCK, SIZE),
              jalr(0, COUNT, 0)]
    return takes, gives


def ending(size):
    """write(1, blocks, size), as often as it takes; exit(0), or 1 after an error."""
    a0, a1, a2, a7 = 10, 11, 12, 17
    return [*li32(a1, DATA), *li32(a2, size), addi(a0, 0, 1), addi(a7, 0, 64), 0x73, branch(4, a0, 0, 24),
            r_type(0x33, 0, 0, a1, a1, a0), r_type(0x33, 0, 0x20, a2, a2, a0), branch(1, a2, 0, -24),
            addi(a0, 0, 0), jal(0, 8), addi(a0, 0, 1), addi(a7, 0, 93), 0x73]


def executable(sequences, blocks):
    """The bytes of an ELF file."""
    takes, gives = (encoded(words) for words in harness())
    text = encoded([jal(0, 4 + len(takes) + len(gives))]) + takes + gives
    text += encoded(li32(BLOCK, DATA))
    for units in sequences:
        body = b"".join(encoded(u) for u in units)
        text += encoded([jal(COUNT, 4 - len(text))]) + body
        text += encoded([jal(COUNT, 4 + len(takes) - len(text))])
    assert len(text) < REACH, "the program is too long for its jumps: fewer sequences are needed"
    data = b"".join(blocks)
    text += encoded(ending(len(data)))
    return elf(text, data)


def elf(text, data):
    page = 0x1000
    at_text, at_data = page, page + -(-len(text) // page) * page
    head = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1".ljust(16, b"\0"), 2, 243, 1, TEXT, 64, 0, 5, 64,
                       56,
                       2, 64, 0, 0)  # RVC, floats in registers of doubles
    for flags, offset, address, size in ((5, at_text, TEXT, len(text)), (6, at_data, DATA, len(data))):
        head += struct.pack("<IIQQQQQQ", 1, flags, offset, address, address, size, size, page)
    return head.ljust(at_text, b"\0") + text.ljust(at_data - at_text, b"\0") + data
