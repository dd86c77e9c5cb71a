# SPDX-License-Identifier: BSD-3-Clause
"""Inputs that tools write: traces, programs, platforms as code, with changed bytes."""
import os
import struct

from hostile import prepared
from hostile.inputs import RUN, Input, write
from hostile.values import mutate


def of_trace(rng):
    with open(prepared.GOOD, "rb") as file:
        data = file.read()
    kept = rng.choice([0, 0, len(data) // 2, len(data) // 2, len(data) - 200])  # the head, and perhaps all but the index
    write("t.pgt", data[:kept] + mutate(rng, data[kept:]) if rng.random() < 0.9 else data[:rng.randrange(len(data))])
    return rng.choice([
        lambda: Input(["profile", "t.pgt"]),
        lambda: Input(["profile", "--json", "t.pgt"]),
        lambda: Input(["diff", "t.pgt", prepared.GOOD]),
        lambda: Input(["report", "t.pgt", "-o", "t.html"], outputs=[("t.html", "html")]),
    ])()


TABLES = {4: 8, 5: 4, 6: 8, 11: 8, 0x6FFFFFF6: 4, 0x6FFFFFFE: 4, 0x6FFFFFFF: 2}  # kinds of sections: bytes of a word


def mutate_tables(rng, data):
    """A word or two of the tables that the dynamic linker reads: relocations, symbols, hashes, versions, ..."""
    data = bytearray(data)
    at, n = struct.unpack_from("<Q", data, 0x28)[0], struct.unpack_from("<H", data, 0x3c)[0]
    sections = [struct.unpack_from("<IIQQQQ", data, at + 64 * k) for k in range(n)]
    tables = [(offset, size, TABLES[kind]) for _, kind, _, _, offset, size in sections if kind in TABLES and size]
    tables.append((64, 56 * struct.unpack_from("<H", data, 0x38)[0], 8))  # program headers
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        offset, size, width = rng.choice(tables)
        offset += width * rng.randrange(size // width)
        was = int.from_bytes(data[offset:offset + width], "little")
        now = rng.choice([0, 1, -1, was ^ 1 << rng.randrange(8 * width), was + 8, was - 8, was + 0x1000,
                          rng.randrange(1 << 15), rng.getrandbits(8 * width)])
        data[offset:offset + width] = (now % (1 << 8 * width)).to_bytes(width, "little")
    return bytes(data)


def of_elf(rng):
    with open("p", "rb") as file:
        data = file.read()
    os.remove("p")
    where = rng.random()
    if where < 0.4:
        data = mutate_tables(rng, data)
    elif where < 0.6:  # the head: ELF header, program headers, dynamic symbols, relocations
        cut = rng.choice([64, 64 + 56 * 13, 4096])
        data = mutate(rng, data[:cut])[:cut].ljust(cut, b"\0") + data[cut:]
    elif where < 0.9:
        data = mutate(rng, data)
    else:
        data = data[:rng.randrange(len(data))]
    write("bad", data)
    os.chmod("bad", 0o755)
    return rng.choice([
        lambda: Input(RUN + ["-np", "2", "--privatize", rng.choice(["auto", "swap", "none"]), "--json", "x.json", "./bad"],
                      program=True, hostile=True, outputs=[("x.json", "json")]),
        lambda: Input(RUN + ["-np", "2", "./bad"], program=True, hostile=True),
        lambda: Input(["info", "./bad"]),
    ])()


def of_library(rng):
    with open(prepared.SO, "rb") as file:
        data = file.read()
    how = rng.choice(["", "crash", "abort", "exit", "null", "again", "speed", "fails"])
    if rng.random() < 0.5:
        how, data = "", mutate(rng, data)
    write("x.so", data)
    return Input(rng.choice([["platform", "check", "x.so"], ["platform", "draw", "-o", "x.svg", "x.so"]]), env={"HOW": how})
