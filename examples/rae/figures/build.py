# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the kernels, each for the back ends of remote.h."""
import os
import subprocess
import sys

SOURCES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = {"atomics": ["atomics.c"], "graphs": ["graphs.c", "graph.c"], "scatter": ["scatter.c"],
            "operations": ["operations.c"]}
# Back ends for simulated cores: others are settings of a run (workloads.py).
BACKENDS = ("rae", "getput")


def compile_with(command, program, out, definitions):
    """`command` is a compiler and its options. Returns the program's path, or ends with what was wrong."""
    words = [*command, "-O2", "-Wall", "-Wextra", "-Wno-unused-function", *(f"-D{d}" for d in definitions),
             *(os.path.join(SOURCES, s) for s in PROGRAMS[program]), "-o", out]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        sys.exit(done.returncode if done.returncode == 2 else 1)
    return out


def build_for_cores(pgasim, folder, programs=tuple(PROGRAMS), backends=BACKENDS, definitions=()):
    """{(program, back end): path}."""
    made = {}
    for program in programs:
        for backend in backends:
            made[program, backend] = compile_with(
                [pgasim, "riscv-cc", "--ram", "8MiB"], program,
                os.path.join(folder, f"{program}-{backend}"), (f"REMOTE_{backend.upper()}", *definitions))
    return made
