#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds riscv-arch-test's tests of Zacas from a tree given by path (its folder riscv-test-suite), and
compares their signatures under pgasim with those of a sequential model, which executes the tests' macros in
Python: neither the assembler nor qemu knows these instructions."""
import argparse
import os
import re
import shlex
import struct
import subprocess
import sys
import tempfile

from run_arch import HERE, signature

MASK = (1 << 64) - 1
CC = ["riscv64-unknown-elf-gcc", "-march=rv64ima_zicsr_zifencei", "-mabi=lp64", "-mcmodel=medany"]
WIDTHS = {"w": 2, "d": 3, "q": 4}  # funct3


def instruction(found):
    width, rd, rs2, rs1 = found.groups()
    return ".insn r 0x2f, %d, 0x14, %s, %s, %s" % (WIDTHS[width], rd, rs1, rs2)


def build(suite, source, folder):
    """The path of the program."""
    text = subprocess.run([*CC, "-E", "-DXLEN=64", "-DTEST_CASE_1=True", "-DFLEN=64",
                           "-I" + os.path.join(HERE, "arch"), "-I" + os.path.join(suite, "env"), source],
                          capture_output=True, text=True, check=True).stdout
    text = re.sub(r"\bamocas\.([wdq])\s+(\w+)\s*,\s*(\w+)\s*,\s*\((\w+)\)", instruction, text)
    assembly, out = os.path.join(folder, "test.s"), os.path.join(folder, os.path.basename(source)[:-2])
    with open(assembly, "w") as f:
        f.write(text)
    subprocess.run([*CC, "-static", "-nostdlib", "-nostartfiles", "-Wl,-N",
                    "-T" + os.path.join(HERE, "arch", "link.ld"), assembly, "-o", out], check=True)
    return out


def symbols(program):
    lines = subprocess.run(["riscv64-unknown-elf-nm", program], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    return {name: int(value, 16) for value, kind, name in (line.split() for line in lines if line[0] != " ")}


def initial(program, begin, end):
    """The signature's bytes before the test."""
    image = program + ".bin"
    subprocess.run(["riscv64-unknown-elf-objcopy", "-O", "binary", program, image], check=True)
    with open(image, "rb") as f:
        return bytearray(f.read()[begin - 0x80000000:end - 0x80000000])


class Model:
    """Registers, and the 16 bytes that the tests work on."""

    def __init__(self, data):
        self.x, self.data, self.word = {}, data, [0, 0]

    def get(self, name):
        return 0 if name == "x0" else self.x.get(name, 0)

    def put(self, name, value):
        self.x[name] = value & MASK

    def swap(self, width, rd, rs2):
        """amocas with the address in rs1, which points at the 16 bytes."""
        assert width != "q"
        bits = 32 if width == "w" else 64
        low = (1 << bits) - 1
        old, wanted, new = self.word[0] & low, self.get(rd) & low, self.get(rs2) & low
        if old == wanted:
            self.word[0] = self.word[0] & ~low | new
        self.put(rd, old - (old >> bits - 1 << bits))

    def swap_pair(self, rd, rd_high, rs2, rs2_high):
        old = list(self.word)
        if old == [self.get(rd), self.get(rd_high)]:
            self.word = [self.get(rs2), self.get(rs2_high)]
        self.put(rd, old[0])
        self.put(rd_high, old[1])

    def one(self, width, rd, rs1, rs2, value):
        """TEST_CAS_OP; what it leaves in rd."""
        self.put(rd, -value)
        self.put(rs1, self.data)
        self.word[0] = self.get(rd)
        self.put(rd, value)
        self.put(rs2, value)
        self.put(rs1, self.data)
        for _ in range(2):
            assert self.get(rs1) == self.data, "the test changes its address"
            self.swap(width, rd, rs2)
        return [self.get(rd)]

    def pair(self, rd, rd_high, rs1, rs2, rs2_high, value, high):
        """TEST_DCAS_OP"""
        self.word = [-value & MASK, -high & MASK]
        for name, number in ((rd, value), (rd_high, high), (rs2, value), (rs2_high, high)):
            self.put(name, number)
        self.put(rs1, self.data)
        for _ in range(2):
            assert self.get(rs1) == self.data or rs1 in (rd, rd_high), "the test changes its address"
            self.swap_pair(rd, rd_high, rs2, rs2_high)
            self.put(rs1, self.data)
        return [self.get(rd), self.get(rd_high)]


def expected(source, program):
    """The signature that the test must have, and how many results are in it."""
    at = symbols(program)
    begin, end = at["begin_signature"], at["end_signature"]
    out, model, bases, n = initial(program, begin, end), Model(at["rvtest_data"]), {}, 0
    with open(source) as f:
        calls = re.findall(r"^(RVTEST_SIGBASE|TEST_D?CAS_OP)\(([^)]*)\)", f.read(), re.M)
    for macro, text in calls:
        a = [part.strip() for part in text.split(",")]
        if macro == "RVTEST_SIGBASE":
            bases[a[0]] = at[a[1]]
            continue
        width = a[0].split(".")[1]
        if macro == "TEST_CAS_OP":
            results = model.one(width, a[1], a[2], a[3], int(a[4], 0))
        else:
            results = model.pair(*a[1:6], int(a[6], 0), int(a[7], 0))
        offset = bases[a[-2]] + 8 * int(a[-1].split("*")[0]) - begin
        for i, value in enumerate(results):
            struct.pack_into("<Q", out, offset + 8 * i, value)
            n += 1
    return bytes(out), n


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("suite", help="riscv-arch-test/riscv-test-suite")
    p.add_argument("--ours", default="build/bin/pgasim riscv -q -np 1", help="(%(default)s)")
    o = p.parse_args()
    folder = os.path.join(o.suite, "rv64i_m", "Zacas", "src")
    bad = 0
    with tempfile.TemporaryDirectory() as work:
        for name in sorted(n for n in os.listdir(folder) if n.endswith(".S")):
            source = os.path.join(folder, name)
            program = build(o.suite, source, work)
            wanted, n = expected(source, program)
            got, wrong = signature(shlex.split(o.ours), program)
            differ = [i for i in range(0, len(wanted), 8) if (got or b"")[i:i + 8] != wanted[i:i + 8]]
            print("%s: %d results, %d words of the signature differ%s"
                  % (name, n, len(differ), wrong and "; " + wrong))
            for i in differ[:5]:
                words = [text[i:i + 8][::-1].hex() for text in (got, wanted)]
                print("  word %d: %s, expected %s" % (i // 8, *words))
            bad += bool(wrong or differ or len(got) != len(wanted) or not n)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
