#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs random instruction sequences under qemu-riscv64 and under pgasim, and compares all registers, fcsr and
memory after each. A sequence that differs is printed with its seed, reduced to the units that it takes."""
import argparse
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile

import program
import units

SKIPPED = 77
CPU = "rv64,zba=true,zbb=true,zbs=true"


class Failed(Exception):
    """A simulator did not run the program to its end."""


class Machines:
    """The two simulators; each runs an executable and gives the blocks that it writes."""

    def __init__(self, reference, ours, folder):
        self.commands, self.path = [reference, ours], os.path.join(folder, "sequences")

    def run(self, sequences, blocks):
        with open(self.path, "wb") as out:
            out.write(program.executable(sequences, blocks))
        os.chmod(self.path, 0o755)
        size = sum(map(len, blocks))
        results = []
        for command in self.commands:
            got = subprocess.run([*command, self.path], capture_output=True, check=False, timeout=600)
            if got.returncode or len(got.stdout) != size:
                said = got.stderr.decode(errors="replace")[-4000:]
                raise Failed("%s: status %d, %d bytes of %d\n%s" %
                             (" ".join(command), got.returncode, len(got.stdout), size, said))
            results.append(got.stdout)
        return results

    def differ(self, sequence, block):
        try:
            one, other = self.run([sequence], [block])
        except Failed:
            return True
        return one != other


def reduced(machines, sequence, block):
    """The units without which both sides agree."""
    i = 0
    while i < len(sequence):
        fewer = sequence[:i] + sequence[i + 1:]
        if machines.differ(fewer, block):
            sequence = fewer
        else:
            i += 1
    return sequence


def listing(sequence):
    """The sequence's instructions: as objdump has them, or as words."""
    words = [w for unit in sequence for w in unit]
    tool = shutil.which("riscv64-linux-gnu-objdump") or shutil.which("riscv64-unknown-elf-objdump")
    if not tool:
        return "\n".join("  %08x" % w for w in words)
    with tempfile.NamedTemporaryFile() as f:
        f.write(program.encoded(words))
        f.flush()
        text = subprocess.run([tool, "-D", "-b", "binary", "-m", "riscv:rv64", f.name], capture_output=True,
                              text=True,
                              check=False).stdout
    return "\n".join(text.splitlines()[7:])


def show(before, one, other):
    """The values that differ, and what they were before."""
    def words(block):
        return [int.from_bytes(block[i:i + 8], "little") for i in range(0, len(block), 8)]
    names = program.NAMES + ["-"] + ["window+%d" % i for i in range(0, len(before), 8)]
    for name, b, a, o in zip(names, words(before), words(one), words(other)):
        if a != o:
            print("  %-10s %016x before, %016x by qemu, %016x by pgasim" % (name, b, a, o))


def explain(machines, seed, index, sequence, block):
    print("seed %d, sequence %d: the results differ" % (seed, index))
    sequence = reduced(machines, sequence, block)
    print(listing(sequence))
    try:
        one, other = machines.run([sequence], [block])
        show(block, one, other)
        registers = ["x%d" % i for i in range(32)] + ["f%d" % i for i in range(32)]
        for name, offset in zip(registers, range(0, 512, 8)):
            print("%s=%016x" % (name, int.from_bytes(block[offset:offset + 8], "little")),
                  end="\n" if name[1:] in ("7", "15", "23", "31") else " ")
        print("fcsr=%02x" % block[program.FCSR])
    except Failed as failure:
        print(failure)


def check(machines, seed, count):
    """Whether the program of that seed has the same result on both sides."""
    rng = random.Random(seed)
    sequences = [units.sequence(rng) for _ in range(count)]
    blocks = [program.block(rng) for _ in range(count)]
    try:
        one, other = machines.run(sequences, blocks)
    except Failed as failure:
        print("seed %d: %s" % (seed, failure))
        for i, (sequence, block) in enumerate(zip(sequences, blocks)):
            if machines.differ(sequence, block):
                explain(machines, seed, i, sequence, block)
                break
        return False
    if one == other:
        return True
    size = program.SIZE
    for i in range(count):
        if one[i * size:(i + 1) * size] != other[i * size:(i + 1) * size]:
            # Addresses are others in a program of one sequence; what differs mostly still does.
            explain(machines, seed, i, sequences[i], blocks[i])
            show(blocks[i], one[i * size:(i + 1) * size], other[i * size:(i + 1) * size])
            break
    return False


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--ours", default="build/bin/pgasim riscv -q -np 1", help="our command (%(default)s)")
    p.add_argument("--qemu", default="qemu-riscv64", help="the reference (%(default)s)")
    p.add_argument("--seed", type=int, default=1,
                   help="of the first program; the next has the next (%(default)s)")
    p.add_argument("--programs", type=int, default=10, help="how many (%(default)s)")
    p.add_argument("--sequences", type=int, default=500, help="of each program (%(default)s)")
    o = p.parse_args()
    if not shutil.which(o.qemu):
        print("%s is not installed: skipped" % o.qemu)
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        machines = Machines([o.qemu, "-cpu", CPU], shlex.split(o.ours), folder)
        bad = sum(not check(machines, o.seed + i, o.sequences) for i in range(o.programs))
    print("%d sequences in %d programs from seed %d: %d programs differ" % (o.programs * o.sequences,
                                                                            o.programs,
                                                                        o.seed, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
