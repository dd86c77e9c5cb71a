# SPDX-License-Identifier: BSD-3-Clause
"""What the objects of a build define and use, according to nm, by source file. Objects whose sources no
longer exist are ignored."""
import os
import re
import subprocess
import sys


class Object:
    """An object of a module: `name` is its source below src/."""

    def __init__(self, name):
        self.name = name
        self.defined = set()
        self.used = set()


def nm_of(build):
    """The nm of the build's compiler, which may be a cross compiler."""
    try:
        with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
            found = re.search(r"^CMAKE_NM:\w+=(.+)$", cache.read(), re.M)
    except FileNotFoundError:
        found = None
    return found.group(1) if found else "nm"


def find(root, build, modules):
    """Path of the object by its source, for each object that the build has."""
    paths = {}
    for module in modules:
        top = os.path.join(build, "CMakeFiles", f"m_{module}.dir", "src")
        for where, _, names in os.walk(top):
            for name in names:
                below = os.path.relpath(os.path.join(where, name), top)[:-len(".o")]
                if name.endswith(".o") and os.path.exists(os.path.join(root, "src", below)):
                    paths[below] = os.path.join(where, name)
    return paths


def read(root, build, modules):
    """All objects, by source, with the global symbols that they define and use."""
    paths = find(root, build, modules)
    objects = {below: Object(below) for below in sorted(paths)}
    if not paths:
        return objects
    by_path = {path: objects[below] for below, path in paths.items()}
    said = subprocess.run([nm_of(build), "-A", "-P", "-g", *paths.values()], capture_output=True, text=True,
                          check=False)
    if said.returncode:
        sys.exit(f"check_layers: nm failed: {said.stderr.strip()}")
    for line in said.stdout.splitlines():
        path, rest = line.split(": ", 1)
        symbol, kind = rest.split()[:2]
        what = by_path[path]
        (what.used if kind in "Uwv" else what.defined).add(symbol)
    return objects


def links(objects):
    """{user: {owner: symbols}} between different objects; symbols of libraries are ignored."""
    owner = {}
    for what in objects.values():
        for symbol in what.defined:
            owner[symbol] = what.name
    found = {name: {} for name in objects}
    for what in objects.values():
        for symbol in what.used - what.defined:
            if symbol in owner:
                found[what.name].setdefault(owner[symbol], set()).add(symbol)
    return found
