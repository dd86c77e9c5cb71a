#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the layers of src/. The rules are tables: tools/layers/house.py.

    check_layers.py [--root ROOT] [BUILD]            checks
    check_layers.py [--root ROOT] --report BUILD     prints sizes of modules, functions and knots

Without BUILD, checks what files include. Given the folder of a build, also checks what its objects use of
each other, and that only a few objects of a module depend on each other in a cycle. Prints each violation,
and exits with 1 if there is any.
"""
import argparse
import os
import sys

from layers import house, includes, knots, objects, sizes, symbols


def main():
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    options = argparse.ArgumentParser(description="Checks the layers of src/.")
    options.add_argument("--root", default=here, help="the project's folder")
    options.add_argument("--report", action="store_true", help="print sizes instead")
    options.add_argument("build", nargs="?", help="a folder in which the project was built")
    given = options.parse_args()
    if given.report and not given.build:
        options.error("--report needs the folder of a build")

    links = None
    if given.build:
        links = objects.links(objects.read(given.root, given.build, house.MODULES))
        if not links:
            options.error(f"{given.build} has no objects of src/: it has to be built first")
    if given.report:
        sizes.report(given.root, links)
        return 0

    disorder = house.disorder()
    for line in disorder:
        print(f"tools/layers/house.py: {line}")
    files, wrong = includes.check(given.root)
    wrong += len(disorder)
    said = f"{files} files"
    if links is not None:
        wrong += symbols.check(given.root, links) + knots.check(links)
        said += f", {len(links)} objects"
    print(f"layers: {said}, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
