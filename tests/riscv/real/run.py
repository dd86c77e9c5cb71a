#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Real programs under qemu and under pgasim: output, messages and exit status must be the same. Each program
is built as a static Linux executable,
and those in C that need no system (no `linux:` in their first comment) also as a bare one
with picolibc, whose counted instructions are compared with qemu's `-icount shift=0`, too."""
import argparse
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SKIPPED = 77
INPUT = b"1.5 two 3 4e2\nfive 6\n"
BARE = ["riscv64-unknown-elf-gcc", "--specs=picolibc.specs", "--oslib=semihost", "--crt0=semihost",
        "-march=rv64gc",
        "-mabi=lp64d", "-mcmodel=medany", "-DBARE", "-Wl,--defsym=__flash=0x80000000",
        "-Wl,--defsym=__flash_size=0x200000", "-Wl,--defsym=__ram=0x80200000",
        "-Wl,--defsym=__ram_size=0x400000"]
LINUX = {"c": ["riscv64-linux-gnu-gcc", "-static"], "cpp": ["riscv64-linux-gnu-g++", "-static"]}
QEMU = {"linux": ["qemu-riscv64"],
        "bare": ["qemu-system-riscv64", "-M", "virt", "-m", "64M", "-bios", "none", "-display", "none",
                 "-monitor",
                 "none", "-serial", "none", "-icount", "shift=0", "-chardev", "stdio,id=out",
                 "-semihosting-config",
                 "enable=on,target=native,chardev=out", "-kernel"]}


class Bench:
    """Builds programs in a folder and runs them."""

    def __init__(self, options, folder):
        self.folder, self.levels = folder, options.levels.split(",")
        command, *rest = shlex.split(options.ours)
        self.ours = [os.path.abspath(command) if "/" in command else command, *rest]
        self.bad, self.runs = [], 0

    def build(self, sources, kind, level, flags=()):
        name = os.path.basename(sources[0]).rsplit(".", 1)[0]
        out = os.path.join(self.folder, "%s-%s%s" % (name, kind, level))
        command = BARE if kind == "bare" else LINUX[sources[0].rsplit(".", 1)[1]]
        if "-static-pie" in flags:
            command = [word for word in command if word != "-static"]
        subprocess.run([*command, level, *flags, "-I" + HERE, *sources, "-lm", "-o", out], check=True)
        return out

    def result(self, command):
        try:
            got = subprocess.run(command, input=INPUT, capture_output=True, timeout=300, check=False,
                                 cwd=self.folder)
        except subprocess.TimeoutExpired:
            return "does not end", b"", b""
        return got.returncode, got.stdout, got.stderr

    def compare(self, program, kind):
        arguments = [self.folder] if kind == "linux" else []
        theirs = self.result([*QEMU[kind], program, *arguments])
        ours = self.result([*self.ours, program, *arguments])
        self.runs += 1
        # pgasim says what status a program ended with
        said = [line for line in ours[2].splitlines(True) if not line.startswith(b"pgasim: error: rank 0")]
        ours = (*ours[:2], b"".join(said))
        if kind == "bare":  # what qemu-system itself has to say is no part of the program
            theirs, ours = theirs[:2], ours[:2]
        if ours == theirs:
            return
        self.bad.append(os.path.basename(program))
        print("%s: another result" % os.path.basename(program))
        for what, t, o in zip(("status", "output", "messages"), theirs, ours):
            if t != o:
                print("  %s by qemu:   %s\n  %s by pgasim: %s" % (what, str(t)[-1500:], what, str(o)[-1500:]))

    def program(self, sources, kinds, flags=()):
        for kind in kinds:
            for level in self.levels:
                self.compare(self.build(sources, kind, level, flags), kind)


def kinds_of(path, wanted):
    """The kinds, and the compiler's options that the program asks for (`flags:` in its first comment)."""
    with open(path) as f:
        text = f.read(400)
    linux = path.endswith(".cpp") or "linux:" in text
    flags = re.search(r"flags: (.*)", text)
    return [k for k in wanted if k == "linux" or not linux], flags[1].split() if flags else []


def benchmarks(bench, folder, kinds):
    """Those of riscv-tests that run on one core; their own start code is replaced by picolibc's."""
    flags = ["-DPREALLOCATE=1", "-fno-common", "-std=gnu99", "-w", "-I" + os.path.join(folder, "common"),
             "-I" + os.path.join(folder, "..", "env")]
    for name in "median qsort rsort towers vvadd memcpy multiply mm dhrystone spmv".split():
        sources = sorted(glob.glob(os.path.join(folder, name, "*.c")))
        sources.sort(key=lambda p: "main" not in os.path.basename(p))
        reads_counters = name in ("mm", "dhrystone")  # of M mode, which no Linux program may
        bench.program([*sources, os.path.join(HERE, "set_stats.c")], ["bare"] if reads_counters else kinds,
                      [*flags, "-I" + os.path.join(folder, name)])


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--ours", default="build/bin/pgasim riscv -q -np 1", help="our command (%(default)s)")
    p.add_argument("--levels", default="-O2", help="of optimization, with commas (%(default)s)")
    p.add_argument("--kinds", default="linux,bare", help="(%(default)s)")
    p.add_argument("--benchmarks", help="the folder of riscv-tests' benchmarks: run them, too")
    p.add_argument("programs", nargs="*", help="sources (all of this folder)")
    o = p.parse_args()
    kinds = [k for k in o.kinds.split(",")]
    for tool in [QEMU[k][0] for k in kinds] + [BARE[0]] * ("bare" in kinds) + [LINUX["c"][0],
                                                                              LINUX["cpp"][0]] * ("linux" in kinds):
        if not shutil.which(tool):
            print("%s is not installed: skipped" % tool)
            return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(o, folder)
        sources = o.programs or sorted(glob.glob(os.path.join(HERE, "*.c")) + glob.glob(os.path.join(HERE,
                                                                                                     "*.cpp")))
        for path in sources:
            if os.path.basename(path) != "set_stats.c":
                bench.program([path], *kinds_of(path, kinds))
        if o.benchmarks:
            benchmarks(bench, o.benchmarks, kinds)
    print("%d programs, %d with another result" % (bench.runs, len(bench.bad)))
    return 1 if bench.bad else 0


if __name__ == "__main__":
    sys.exit(main())
