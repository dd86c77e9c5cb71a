#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the layers of src/: a module includes only the face headers of lower modules, and its own headers.

    check_layers.py [ROOT]

Prints each include that breaks a rule as FILE:LINE, and exits with 1 if there is any.
"""
import os
import re
import sys

# Lowest first; modules of one line are siblings, and see nothing of each other.
LAYERS = [["base"], ["trace"], ["engine"], ["fluid"], ["platform"], ["fabric"], ["fold"], ["rma"], ["p2p"], ["coll"],
          ["shmem", "mpi"], ["sdsm"], ["riscv"], ["check"], ["replay"], ["report"], ["cli"]]
RANK = {module: rank for rank, layer in enumerate(LAYERS) for module in layer}

# What others may include of a module, where it is not MODULE/MODULE.h alone.
FACES = {"shmem": {"shmem/shmem_front.h"}, "mpi": {"mpi/mpi_front.h"},
         "trace": {"trace/trace.h", "trace/events.def", "trace/file.h"}, "fold": {"fold/fold.h", "fold/survey.h"},
         "report": {"report/report.h", "report/facts.h", "report/page.h"}}

# Folders that belong to a module of another name: the start-up object is the other half of program loading.
PART_OF = {"crt": "fold"}

# Public headers belong to the module that implements them, and are included by it alone.
PUBLIC = {"shmem.h": "shmem", "shmemx.h": "shmem", "mpp/shmem.h": "shmem", "mpi.h": "mpi", "pgasim.h": "fold",
          "smpi/smpi.h": "fold",
          "sat.h": "riscv", "xbgas.h": "riscv"}
ALSO = {"pgasim.h": ("platform", "shmem")}  # platforms built by C code; folded symmetric memory

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def complaint(module, name, quoted):
    """Why a file of `module` may not include `name`, or None."""
    if name in PUBLIC:
        owner = PUBLIC[name]
        return None if module in (owner, *ALSO.get(name, ())) else f"{name} is for applications, and for {owner}/ that implements it"
    if not quoted:
        return None
    folder = name.split("/")[0] if "/" in name else None
    target = PART_OF.get(folder, folder)
    if target not in RANK:
        return "a project header is included as \"module/name\""
    if target == module:
        return None
    if RANK[target] >= RANK[module]:
        return f"{module}/ is not above {target}/"
    if name not in FACES.get(target, {f"{target}/{target}.h"}):
        return f"{name} is private to {target}/"
    return None


def check_file(root, path, module):
    """Prints what is wrong in one file; returns how much."""
    wrong = 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            found = INCLUDE.match(line)
            why = complaint(module, found.group(2), found.group(1) == '"') if found else None
            if why:
                print(f"{os.path.relpath(path, root)}:{number}: {why}")
                wrong += 1
    return wrong


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    source = os.path.join(root, "src")
    wrong = files = 0
    for folder in sorted(os.listdir(source)):
        module = PART_OF.get(folder, folder)
        if module not in RANK:
            print(f"src/{folder}: no module of this name is in the table of layers")
            wrong += 1
            continue
        for where, _, names in os.walk(os.path.join(source, folder)):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".def", ".inc")):
                    wrong += check_file(root, os.path.join(where, name), module)
                    files += 1
    print(f"layers: {files} files, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
