#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Stands in for pgasim in the test of the figures: `riscv-cc` makes a file that names the program and the
back end, `riscv` prints the line of such a program with latencies and counts by simple formulas.

A remote atomic takes 100 ns and what the setting says; the library's 366 instructions 183 ns; the host's
service 40 ns. Get and put take three times as long."""
import json
import os
import sys

INSTRUCTIONS = {"rae": 2, "runtime": 106, "software": 368, "getput": 30}


def compile_(args):
    path = args[args.index("-o") + 1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(os.path.basename(path) + (" unmeasured" if "-DREMOTE_UNMEASURED" in args else ""))


def parse(args):
    """Options, settings, and the program with its arguments."""
    options, settings = {}, {}
    while args and args[0].startswith("-"):
        if args[0] == "--set":
            key, value = args[1].split("=")
            settings[key] = value
        options[args[0]] = args[1]
        args = args[2:]
    return options, settings, args


def latency(backend, settings):
    added = float(settings.get("rdma/atomic-overhead", "0ns")[:-2])
    base = {"rae": 100, "runtime": 152, "software": 283, "getput": 300}[backend]
    return base + added + (40 if settings.get("rdma/profile") == "software" else 0)


def run(args):
    options, settings, (path, *words) = parse(args)
    program, backend = os.path.basename(path).split("-")
    pes, remote = int(options["-np"]), 60000
    instructions = INSTRUCTIONS[backend]
    if program == "operations":
        for name in ("add", "cas"):
            print(f"{name} first instructions 3 cycles 9 then instructions 2 cycles 8")
    if "-l" in words:
        for k in range(20000):
            print("address", k * 7919 % 65536 * 8)
    atomics = remote * pes // (pes - 1) if pes > 1 else 1000
    print(f"{program} pes {pes} checksum 1f atomics {atomics} remote {remote if pes > 1 else 0} "
          f"cycles {round(2 * remote * latency(backend, settings))} instructions {instructions * remote} "
          f"elapsed 1 executed {atomics * 50}")
    kept = settings.get("card/policy") == "retain"
    regular = words and words[0] in ("STRIDE1", "STRIDEN", "CENTRAL")
    misses = 100 if not kept else 0 if regular else 85
    with open(options["--json"], "w", encoding="utf-8") as file:
        json.dump({"card": {"hits": 100 - misses, "misses": misses, "merges": 0}}, file)


if __name__ == "__main__":
    (compile_ if sys.argv[1] == "riscv-cc" else run)(sys.argv[2:])
