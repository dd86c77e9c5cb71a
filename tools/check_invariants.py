#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the numbers of invariants: each is declared once in its module, and asserts cite declared ones.

    check_invariants.py [SOURCE]

A comment declares an invariant in a line that begins with the number, as in ` *  E4  An actor is in one
state`. BASE_ASSERT cites it by the number alone, or with a text after a colon ("E4: ..."), which declares it
as well. SOURCE is the source tree (default: the one that contains this script). The status is 1 if a number
is wrong.
"""
import os
import re
import sys
from collections import defaultdict

DECLARED = re.compile(r"^ \*  +([A-Z]{1,2}[0-9]{1,2})  ?\S", re.MULTILINE)
ASSERTED = re.compile(r"(?:BASE|static)_ASSERT\(\s*\"([A-Z]{1,2}[0-9]{1,2})(:?)")


def places(module):
    """Where the files of a module declare and cite numbers: two dicts, number to places."""
    declared, cited = defaultdict(list), defaultdict(list)
    for folder, _, names in sorted(os.walk(module)):
        for name in sorted(names):
            if not name.endswith((".c", ".h")):
                continue
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            for match in DECLARED.finditer(text):
                declared[match[1]].append(f"{path}:{text.count(chr(10), 0, match.start()) + 1}")
            for match in ASSERTED.finditer(text):
                place = f"{path}:{text.count(chr(10), 0, match.start()) + 1}"
                (declared if match[2] else cited)[match[1]].append(place)
    return declared, cited


def check(source):
    """The errors in a tree, one line each."""
    wrong = []
    for module in sorted(os.scandir(os.path.join(source, "src")), key=lambda entry: entry.name):
        declared, cited = places(module.path)
        wrong += [f"{module.name}: {number} is declared {len(at)} times: {', '.join(at)}"
                  for number, at in sorted(declared.items()) if len(at) > 1]
        wrong += [f"{module.name}: {number} is cited but not declared: {', '.join(at)}"
                  for number, at in sorted(cited.items()) if number not in declared]
    return wrong


def main():
    """Prints all errors. The status is 1 if there are any."""
    here = os.path.dirname(os.path.abspath(__file__))
    source = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "..")
    wrong = [line.replace(source + os.sep, "") for line in check(source)]
    print("\n".join(wrong + [f"invariants: {len(wrong)} wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
