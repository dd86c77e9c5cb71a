# SPDX-License-Identifier: BSD-3-Clause
"""RISC-V cores: instructions in a CPU second, beside qemu-riscv64; start and memory of many cores; their remote atomics
on a mesh."""
import os
import subprocess

from case import Case, grouped
from commands import HERE

ROUNDS = 100
DRAWS = 200  # of each core of examples/riscv/histogram.c
MILLIONS = 603  # instructions of so many rounds (pgasim riscv --stats), of GCC 12
FLOAT_ROUNDS, FLOAT_MILLIONS = 300, 271  # of programs/riscv_float.c
CACHED_ROUNDS = 20


class Beside(Case):
    """The other side is qemu."""

    heads = "pgasim", "qemu-riscv64"


def cases(c):
    program, floating, empty, histogram = (os.path.join(c.work, name)
                                           for name in ("riscv_work", "riscv_float", "riscv_empty", "riscv_histogram"))

    def build():
        for to in program, floating:
            subprocess.run(["riscv64-linux-gnu-gcc", "-O2", "-static",
                            os.path.join(HERE, "programs", os.path.basename(to) + ".c"), "-o", to, "-lm"], check=True)

    def build_empty():
        source = empty + ".c"
        with open(source, "w") as out:
            out.write("int main(void) { return 0; }\n")
        subprocess.run([c.pgasim, "riscv-cc", "-O2", source, "-o", empty], check=True)

    def build_histogram():
        subprocess.run([c.pgasim, "riscv-cc", "-O2", os.path.join(HERE, os.pardir, "examples", "riscv", "histogram.c"),
                        "-lxbgas", "-o", histogram], check=True)

    return [
        Beside("a Linux program of one core",
               [c.pgasim, "riscv", "--quiet", "-np", "1", program, str(ROUNDS)],
               ["qemu-riscv64", program, str(ROUNDS)], work=MILLIONS, unit="million instructions",
               aims={"rate": 300}, prepare=build),
        Beside("a fifth of its instructions floating point",
               [c.pgasim, "riscv", "--quiet", "-np", "1", floating, str(FLOAT_ROUNDS)],
               ["qemu-riscv64", floating, str(FLOAT_ROUNDS)], work=FLOAT_MILLIONS, unit="million instructions",
               aims={"rate": 250}, prepare=build),
        Case("the same with caches and memory",
             [c.pgasim, "riscv", "--quiet", "--cache", "-np", "1", program, str(CACHED_ROUNDS)],
             work=MILLIONS * CACHED_ROUNDS / ROUNDS, unit="million instructions", aims={"rate": 30},
             prepare=build),
        *[Case("start and end of %s bare cores" % grouped(n),
               [c.pgasim, "riscv", "--quiet", "-np", str(n), empty], aims=aims, prepare=build_empty)
          for n, aims in ((1, {}), (4096, {"seconds": 0.6, "mib": 300}))],
        *[Case("histogram over %s cores on a mesh of %d x %d" % (grouped(side * side), side, side),
               [c.pgasim, "riscv", "--quiet", "-np", str(side * side), "--platform", "rae-mesh:%dx%d" % (side, side),
                histogram], work=DRAWS * side * side / 1000, unit="thousand atomics", aims=aims,
               prepare=build_histogram)
          for side, aims in ((32, {"mib": 80}), (64, {"mib": 300}))],
    ]
