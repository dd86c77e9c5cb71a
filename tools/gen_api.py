#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes what is generated from lists. For each API: its public headers, the second names of its functions,
its table for traces, the list for its tests. From the tables of options: the words that shells complete.
From the list of instructions of RISC-V cores: what programs use xBGAS by, and tables for readers. From the lists
of algorithms of collectives: tables for readers.

  gen_api.py                 writes the files that are stale
  gen_api.py --check         writes nothing; fails when a file is stale
  gen_api.py --exported LIB  fails when the shared library LIB lacks a function of an API or its twin,
                             or has others of the kind

The C shims are expanded from the same lists, so every declared function is defined, and the other way round.
An API is a file of tools/api/ and an entry of APIS.
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True  # nothing is left in the source folder
from api import collectives, completion, mpi, outputs, riscv_tables, shmem, xbgas
from api.front import ROOT
from api.lists import ListError

APIS = [shmem, mpi]


def generate(root):
    """path below root -> what the file should contain"""
    out = {}
    for part in APIS + [collectives, completion, xbgas, riscv_tables]:
        out.update(part.files(root))
    return out


def stale(root, files):
    """The paths of files that differ or do not exist."""
    out = []
    for path, text in files.items():
        try:
            with open(os.path.join(root, path), encoding="utf-8") as f:
                same = f.read() == text
        except FileNotFoundError:
            same = False
        if not same:
            out.append(path)
    return out


def check_exported(root, library):
    wrong = [text for api in APIS for text in outputs.wrongly_exported(api.front(root), library)]
    for text in wrong:
        print("%s %s" % (library, text), file=sys.stderr)
    return 1 if wrong else 0


def main():
    raw = argparse.RawDescriptionHelpFormatter
    options = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    options.add_argument("--root", default=ROOT, help="the project's folder")
    what = options.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="write nothing; fail when a file is stale")
    what.add_argument("--exported", metavar="LIB", help="check what a shared library exports")
    given = options.parse_args()
    try:
        if given.exported:
            return check_exported(given.root, given.exported)
        files = generate(given.root)
    except ListError as e:
        print("gen_api.py: %s" % e, file=sys.stderr)
        return 2
    old = stale(given.root, files)
    for path in old:
        if given.check:
            print("%s is stale: run tools/gen_api.py" % path, file=sys.stderr)
        else:
            with open(os.path.join(given.root, path), "w", encoding="utf-8") as f:
                f.write(files[path])
            print("wrote " + path)
    return 1 if given.check and old else 0


if __name__ == "__main__":
    sys.exit(main())
