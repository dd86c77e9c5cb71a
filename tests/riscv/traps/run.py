#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Executes words under qemu-system-riscv64 and under pgasim, in M and U mode, and compares how each ends:
mcause, mtval and mepc. The words are all compressed ones, all numbers of control registers, every opcode with every
funct3 and funct7, and random ones. Left out are jumps, words that wait or change control registers, and what
only one of the two has: xBGAS, the remote atomics and Zacas here."""
import argparse
import os
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CORE = os.path.join(HERE, "..", "..", "..", "src", "riscv", "core")
SKIPPED = 77
BREAKPOINT, U_MODE, FS_SHIFT = 3, 0x20, 3
CPU = "rv64,s=false,h=false,v=false,pmp=false,mmu=false,sstc=false,zbc=false,zba=true,zbb=true,zbs=true," \
      "pmu-num=29"
QEMU = ["qemu-system-riscv64", "-M", "virt", "-cpu", CPU, "-bios", "none", "-display", "none", "-monitor",
        "none", "-serial", "none", "-chardev", "stdio,id=out", "-semihosting-config",
        "enable=on,target=native,chardev=out", "-kernel"]
# The core has the registers of memory protection, all zero, and no tinfo.
CSRS_APART = set(range(0x3a0, 0x3f0)) | {0x7a4}
C_EBREAK = 0x9002
# ecall, ebreak, uret, sret, mret, dret, hfence.gvma, and such with fields that must be 0 and are not
PRIVILEGED = [0x73, 0x100073, 0x200073, 0x10200073, 0x30200073, 0x7b200073, 0x22000073, 0xf3, 0x80073,
              0x302000f3, 0x30280073, 0x300073, 0x105000f3, 0x4073, 0x30204073]


def own_words():
    """(mask, match) of what qemu does not know."""
    with open(os.path.join(CORE, "instructions.def")) as f:
        return [(int(mask, 0), int(match, 0)) for mask, match in re.findall(
            r'^INSTRUCTION\(\w+, "[^"]+", (\w+), (\w+), .*(?:XBGAS\w*|RAE|ZACAS)\)', f.read(), re.M)]


OWN = own_words()


def is_comparable(w):
    """Whether a 32-bit word ends in both simulators the same way, by a trap or behind itself."""
    opcode, f3, f7, rs1 = w & 0x7f, w >> 12 & 7, w >> 25, w >> 15 & 31
    if any(w & mask == match for mask, match in OWN):
        return False
    if opcode == 0x6f or (opcode == 0x63 and f3 not in (2, 3)):
        return False
    if opcode == 0x67 and f3 == 0 and rs1 != 0:  # from x0, it goes where there is no memory
        return False
    if opcode == 0x73 and f3 & 3:  # reads only, but for registers that are read-only
        number = w >> 20
        return (f3 & 3 != 1 and rs1 == 0 or number >> 10 == 3) and number not in CSRS_APART
    if w & 0xfe007fff == 0x12000073:  # sfence.vma belongs to S mode; qemu has it in M mode without that
        return False
    # wfi waits. sc without a reservation looks at its address here, as the specification has it, and does
    # not in qemu.
    return w != 0x10500073 and not (opcode == 0x2f and w >> 27 == 3)


def is_comparable_half(h):
    quadrant, f3 = h & 3, h >> 13
    if quadrant == 1 and f3 >= 5:
        return False  # jumps and branches
    return not (quadrant == 2 and f3 == 4 and h & 0x7c == 0 and h & 0xf80)  # jr, jalr


def random_word(rng):
    """Of any opcode; fields that are mostly fixed are often so."""
    w = rng.getrandbits(32) | 3
    if rng.randrange(3) == 0:
        w = w & ~0xfe000000 | rng.choice((0, 1, 4, 5, 8, 9, 0x0c, 0x10, 0x14, 0x20, 0x24, 0x2c, 0x2d, 0x30,
                                          0x34, 0x50, 0x60, 0x61, 0x68, 0x69, 0x70, 0x71, 0x78, 0x79)) << 25
    if rng.randrange(3) == 0:
        w = w & ~(31 << 20) | rng.randrange(8) << 20
    if rng.randrange(3) == 0:
        w = w & ~0x7f | rng.choice((0x03, 0x07, 0x0f, 0x13, 0x1b, 0x23, 0x27, 0x2f, 0x33, 0x3b, 0x43, 0x53,
                                    0x73))
    return w


def how(rng):
    """frm, FS, mode, and the low bits of addresses."""
    frm, fs = rng.choice((0, 0, rng.randrange(8))), rng.choice((0, 1, 3))
    return frm | fs << FS_SHIFT | rng.getrandbits(1) * U_MODE | rng.choice((0, 0, 8, rng.randrange(256))) << 8


def all_cases(rng, words, every):
    """`words` random ones, and one in `every` of those that are systematic."""
    out = [(h, how(rng)) for h in range(0x10000) if h & 3 != 3 and is_comparable_half(h)]
    for number in range(4096):  # csrr, and a write to those that are read-only
        out += [(number << 20 | 0x2573, mode | 3 << FS_SHIFT) for mode in (0, U_MODE)]
        out.append((number << 20 | 0x51073, 3 << FS_SHIFT))
    out += [(opcode << 2 | 3 | f3 << 12 | f7 << 25 | rng.getrandbits(5) << 7 | rng.getrandbits(10) << 15,
             how(rng)) for opcode in range(32) for f3 in range(8) for f7 in range(128)]
    out = out[rng.randrange(every)::every]
    out += [(w, how(rng)) for w in PRIVILEGED for _ in range(8)]
    out += [(random_word(rng), how(rng)) for _ in range(words)]
    return [(w, mode) for w, mode in out if w & 3 != 3 or is_comparable(w)]


def normal(w, cause, value, pc):
    """What happened, without what qemu 7.2 does in its own way: the fault of an atomic is a load's there, and
    an unaligned access to no memory shows the aligned address. mtval of a breakpoint may be 0 or the pc."""
    if cause == BREAKPOINT:
        return cause, 0, pc
    if w & 0x7f == 0x2f and w >> 27 != 2 and cause in (4, 5):
        cause += 2
    return cause, value & ~7 if cause in (5, 7) else value, pc


class Bench:
    def __init__(self, ours, folder):
        self.commands, self.folder = [QEMU, shlex.split(ours)], folder

    def build(self, cases):
        table, program = os.path.join(self.folder, "table"), os.path.join(self.folder, "traps")
        with open(table, "wb") as f:
            for w, mode in cases:
                f.write(struct.pack("<II", w if w & 3 == 3 else w | C_EBREAK << 16, mode))
        subprocess.run(["riscv64-unknown-elf-gcc", "-march=rv64g", "-mabi=lp64d", "-static", "-nostdlib",
                        "-nostartfiles", "-Wl,-N,--no-warn-rwx-segments", "-DCASES=%d" % len(cases),
                        '-DTABLE="%s"' % table,
                        "-T" + os.path.join(HERE, "..", "suites", "arch", "link.ld"),
                        os.path.join(HERE, "harness.S"), "-o", program], check=True)
        names = subprocess.run(["riscv64-unknown-elf-nm", program], capture_output=True, text=True,
                               check=True)
        return program, int(re.search(r"^(\w+) . slot$", names.stdout, re.M)[1], 16)

    def results(self, cases):
        """For each case (cause, value, pc from the slot on), by both."""
        program, slot = self.build(cases)
        out = []
        for command in self.commands:
            got = subprocess.run([*command, program], capture_output=True, stdin=subprocess.DEVNULL,
                                 timeout=300, check=False)
            if got.returncode or len(got.stdout) != 24 * len(cases):
                sys.exit("%s: status %d, %d bytes of %d: %s" % (
                    command[0], got.returncode, len(got.stdout), 24 * len(cases),
                    got.stderr[-1000:].decode()))
            rows = [struct.unpack_from("<QQQ", got.stdout, 24 * i) for i in range(len(cases))]
            out.append([normal(w, cause, value, (pc - slot) % (1 << 64))
                        for (w, _), (cause, value, pc) in zip(cases, rows)])
        return out


def text(result):
    return "cause %d, value %#x, pc + %#x" % result


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--ours", default="build/bin/pgasim riscv -q -np 1", help="our command (%(default)s)")
    p.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    p.add_argument("--words", type=int, default=20000, help="random ones (%(default)s)")
    p.add_argument("--every", type=int, default=1,
                   help="take one in so many of the systematic ones (%(default)s)")
    o = p.parse_args()
    for tool in ("qemu-system-riscv64", "riscv64-unknown-elf-gcc"):
        if not shutil.which(tool):
            print("%s is not installed: skipped" % tool)
            return SKIPPED
    cases = all_cases(random.Random(o.seed), o.words, o.every)
    with tempfile.TemporaryDirectory() as folder:
        theirs, ours = Bench(o.ours, folder).results(cases)
    differ = [i for i in range(len(cases)) if theirs[i] != ours[i]]
    for i in differ[:30]:
        print("%08x, how %#x: %s by qemu, %s by pgasim" % (*cases[i], text(theirs[i]), text(ours[i])))
    trapped = sum(cause != BREAKPOINT for cause, _, _ in ours)
    print("seed %d: %d cases, %d of which trap; %d differ" % (o.seed, len(cases), trapped, len(differ)))
    return 1 if differ or not trapped else 0


if __name__ == "__main__":
    sys.exit(main())
