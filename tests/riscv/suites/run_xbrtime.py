#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds xbgas-runtime (branch spike, from a tree given by path) and its test programs unchanged, runs each
on several cores, and checks what it prints and what its symmetric memory holds when it is freed: each program's
text says what that must be. A wrapper around the runtime's header prints the memory."""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

WRAPPER = """\
#include_next "xbrtime.h"
#include <stdio.h>
static size_t held_bytes;
static void held(const void *memory)
{
    static char line[1 << 15];
    int n = sprintf(line, "HELD %d:", xbrtime_mype());
    for (size_t i = 0; i < held_bytes / 8 && memory; i++)
        n += sprintf(line + n, " %llu", ((const unsigned long long *)memory)[i]);
    puts(line);
}
#define xbrtime_malloc(size) xbrtime_malloc(held_bytes = (size))
#define xbrtime_free(memory) (held(memory), xbrtime_free(memory))
"""


def may_hold(kind, pe, n):
    """The numbers k for which element i may be k + i at PE pe, when each PE p begins with p + i. The programs
    with "rot" in their names have races: elements may be sent before or after they were overwritten."""
    everyone = set(range(n))
    if kind == "get":  # PE 0 from 1
        return {1} if pe == 0 else {pe}
    if kind == "put":  # PE 0 to 1
        return {0} if pe == 1 else {pe}
    if kind == "grot":  # PE 0 from 1, the others from 0
        return {0, 1}
    return everyone if pe < 2 else {pe}  # prot: PE 0 to 1, the others to 0


def transfer(kind, elements, n, lines):
    """What is wrong with a test of puts or gets; empty if nothing is."""
    found = [re.match(r"HELD (\d+):(.*)", text) for text in lines]
    rows = {int(m[1]): list(map(int, m[2].split())) for m in found if m}
    for pe in range(n):
        row = rows.get(pe, [])
        wrong = [i for i, value in enumerate(row) if value - i not in may_hold(kind, pe, n)]
        if len(row) != elements or wrong:
            return "PE %d holds %s" % (pe, row[:8] if not wrong else "%d at %d" % (row[wrong[0]], wrong[0]))
        if "PE=%d; PTR[0]=0x%d" % (pe, row[0]) not in lines:
            return "PE %d does not print element 0" % pe
    return ""


# Lines that each PE prints
CLOSED = {"Initializing xBGAS Runtime", "xBGAS is Closed"}
EACH = {
    "init_test_1": CLOSED,
    "init_test_2": {"Initializing xBGAS Runtime", "xBGAS is Initialized; Closing xBGAS"},
    "init_test_3": {"xBGAS is Closed"}, "init_test_4": CLOSED, "init_test_5": {"Success; caught the error"},
    "alloc_test_KF_1": {"Successfully caught erroneous condition"},
    "alloc_test_KF_2": {"Successfully caught erroneous condition"}}


def judge(name, source, n, output):
    """What is wrong with what a program printed; empty if nothing is."""
    lines = output.splitlines()
    kind = name.split("_")[1]
    if name.startswith("xfer"):
        found = re.search(r"_XBGAS_ALLOC_NELEMS_ (\d+)", source)
        wrong = transfer(kind, int(found[1]) if found else 1, n, lines)
        return wrong or ("" if lines.count("xBGAS is Closed") == n else "not every PE closes")
    for line in EACH.get(name, CLOSED):
        if lines.count(line) != n * (2 if name == "init_test_5" else 1):
            return "%d times '%s'" % (lines.count(line), line)
    if name == "init_test_4" and not all("I AM PE=%d of %d TOTAL PEs" % (pe, n) in lines for pe in range(n)):
        return "not every PE says its number"
    if name.startswith("alloc") and "KF" not in name:
        pointers = [t for t in lines if t.startswith("PTR = ")]
        if len(pointers) != n or any(re.fullmatch(r"PTR = (0x0|0|\(nil\))", t) for t in pointers):
            return "no memory: %s" % pointers
    return ""


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("runtime", help="xbgas-runtime, branch spike")
    p.add_argument("--pgasim", default="build/bin/pgasim", help="(%(default)s)")
    p.add_argument("--cores", default="2,4,6", help="(%(default)s)")
    o = p.parse_args()
    library = os.path.join(o.runtime, "src", "xbgas-runtime")
    sources = sorted(glob.glob(os.path.join(library, "*.c")) + glob.glob(os.path.join(library, "*.s")))
    tests = sorted(glob.glob(os.path.join(o.runtime, "test", "*", "*.c")))
    if not sources or not tests:
        sys.exit("%s: has no src/xbgas-runtime and test (expected: a tree of xbgas-runtime)" % o.runtime)
    cores, bad = [int(n) for n in o.cores.split(",")], 0
    compiler = [o.pgasim, "riscv-cc", "--xbgas-map=2020", "-O2", "-w"]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "xbrtime.h"), "w") as f:
            f.write(WRAPPER)
        objects = []
        for i, path in enumerate(sources):
            objects.append(os.path.join(folder, "%d.o" % i))
            subprocess.run([*compiler, "-I" + library, "-c", path, "-o", objects[-1]], check=True)
        for path in tests:
            name, program = os.path.basename(path)[:-2], os.path.join(folder, "test")
            subprocess.run([*compiler, "-I" + folder, "-I" + library, path, *objects, "-o", program],
                           check=True)
            with open(path) as f:
                source = f.read()
            for n in cores:
                got = subprocess.run([o.pgasim, "riscv", "-q", "-np", str(n), "--map-by", "host",
                                      "--xbgas-map", "2020", "--cas", "symmetric", program],
                                     capture_output=True, text=True, timeout=300, check=False)
                wrong = got.returncode and "status %d" % got.returncode or judge(name, source, n, got.stdout)
                if wrong:
                    bad += 1
                    print("%s on %d cores: %s %s" % (name, n, wrong, got.stderr[-300:]))
    print("%d programs on %s cores: %d runs are wrong" % (len(tests), o.cores, bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
