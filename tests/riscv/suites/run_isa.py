#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds the "p" programs of riscv-tests, from trees given by path, and runs each with riscv_alone."""
import argparse
import glob
import os
import shlex
import subprocess
import sys
import tempfile


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("tests", help="riscv-tests")
    p.add_argument("env", help="riscv-test-env")
    p.add_argument("--ours", default="build/bin/riscv_alone", help="our command (%(default)s)")
    p.add_argument("--groups",
                   default="rv64ui,rv64um,rv64ua,rv64uf,rv64ud,rv64uc,rv64uzba,rv64uzbb,rv64uzbs,rv64mi",
                   help="(%(default)s)")
    o = p.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for group in o.groups.split(","):
            sources = sorted(glob.glob(os.path.join(o.tests, "isa", group, "*.S")))
            if not sources:
                sys.exit("%s: has no folder isa/%s with sources (expected: a tree of riscv-tests)" % (o.tests, group))
            passed = 0
            for source in sources:
                program = os.path.join(folder, os.path.basename(source)[:-2])
                march = "rv64g_zba_zbb_zbs" if "uzb" in group else "rv64g"
                subprocess.run(["riscv64-unknown-elf-gcc", "-march=" + march, "-mabi=lp64d", "-static",
                                "-mcmodel=medany", "-fvisibility=hidden", "-nostdlib", "-nostartfiles",
                                "-I" + os.path.join(o.env, "p"),
                                "-I" + os.path.join(o.tests, "isa", "macros", "scalar"),
                                "-T" + os.path.join(o.env, "p", "link.ld"), source, "-o", program],
                                check=True)
                got = subprocess.run([*shlex.split(o.ours), "-n", "3000000", program], capture_output=True,
                                     text=True,
                                     check=False, timeout=120)
                passed += got.returncode == 0
                if got.returncode:
                    print("%s/%s: %s" % (group, os.path.basename(source), got.stderr.strip()))
            failures += len(sources) - passed
            print("%s: %d of %d" % (group, passed, len(sources)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
