#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds riscv-arch-test's RV64 tests from a tree given by path (its folder riscv-test-suite) and compares
their signatures under pgasim with those under qemu-system-riscv64."""
import argparse
import os
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MARCH = {"B": "rv64g_zba_zbb_zbc_zbs", "I": "rv64i_zicsr_zifencei", "M": "rv64im_zicsr_zifencei",
         "A": "rv64ima_zicsr_zifencei", "C": "rv64imac_zicsr_zifencei"}
QEMU = ["qemu-system-riscv64", "-M", "virt", "-cpu", "rv64", "-bios", "none", "-display", "none", "-monitor",
        "none",
        "-serial", "none", "-chardev", "stdio,id=out", "-semihosting-config",
        "enable=on,target=native,chardev=out", "-kernel"]


def build(suite, group, source, out):
    """Empty, or what the compiler says."""
    with open(source) as f:
        text = f.read()
    march = MARCH.get(group, "rv64g")
    if "_Zcb" in text:
        return "Zcb: not claimed"
    # Sources of F and D have a mistake in what is for traps, and so has fence; none of them traps.
    plain = group in "FD" or "/fence" in source
    traps = [] if plain else ["-Drvtest_mtrap_routine=True"]
    got = subprocess.run(["riscv64-unknown-elf-gcc", "-march=" + march, "-mabi=lp64", "-static",
                          "-mcmodel=medany",
                          "-nostdlib", "-nostartfiles", "-Wl,-N", "-DXLEN=64", "-DTEST_CASE_1=True", "-DFLEN=64",
                          *traps,
                          "-I" + os.path.join(HERE, "arch"), "-I" + os.path.join(suite, "env"),
                          "-T" + os.path.join(HERE, "arch", "link.ld"), source, "-o", out],
                         capture_output=True, text=True, check=False)
    return got.stderr if got.returncode else ""


def signature(command, program):
    try:
        got = subprocess.run([*command, program], capture_output=True, stdin=subprocess.DEVNULL, timeout=120,
                             check=False)
    except subprocess.TimeoutExpired:
        return None, "does not end"
    return got.stdout, "" if got.returncode == 0 else "status %d: %s" % (got.returncode,
                                                                       got.stderr.decode(errors="replace")[-300:])


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("suite", help="riscv-arch-test/riscv-test-suite")
    p.add_argument("--ours", default="build/bin/pgasim riscv -q -np 1", help="(%(default)s)")
    p.add_argument("--groups", default="I,M,A,F,D,C,Zifencei,B", help="(%(default)s)")
    p.add_argument("--work", default="/tmp/arch", help="programs are put there (%(default)s)")
    o = p.parse_args()
    os.makedirs(o.work, exist_ok=True)
    bad = 0
    for group in o.groups.split(","):
        folder = os.path.join(o.suite, "rv64i_m", group, "src")
        same = 0
        names = sorted(n for n in os.listdir(folder) if n.endswith(".S"))
        for name in names:
            program = os.path.join(o.work, group + "-" + name[:-2])
            error = os.path.exists(program) and "" or build(o.suite, group, os.path.join(folder, name),
                                                            program)
            if error:
                print("%s/%s: is not built: %s" % (group, name, error.strip()[:300]))
                continue
            theirs, wrong = signature(QEMU, program)
            if wrong or not theirs:
                print("%s/%s: qemu: %s" % (group, name, wrong or "no signature"))
                continue
            ours, wrong = signature(shlex.split(o.ours), program)
            if wrong or ours != theirs:
                print("%s/%s: pgasim: %s" % (group, name, wrong or "another signature"))
            else:
                same += 1
        bad += len(names) - same
        print("%s: %d of %d" % (group, same, len(names)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
