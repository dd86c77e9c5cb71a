# SPDX-License-Identifier: BSD-3-Clause
"""Checks what files include: headers of their own folder, and public headers that the tables allow."""
import os
import re

from layers import house

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SUFFIXES = (".c", ".h", ".def", ".inc")


def sources(root):
    """(path below src/, whole path) of each file of C code."""
    top = os.path.join(root, "src")
    for where, folders, names in os.walk(top):
        folders.sort()
        for name in sorted(names):
            if name.endswith(SUFFIXES):
                path = os.path.join(where, name)
                yield os.path.relpath(path, top), path


def blocked(here, there):
    """Why code in one place, a (module, room), may not use code in another; None: it may."""
    module, room = here
    target, target_room = there
    if module != target:
        if target in house.module_sees(module):
            return None
        if house.MODULES.index(target) >= house.MODULES.index(module):
            return f"{module}/ is not above {target}/"
        return f"{target}/ is not among the modules that {module}/ sees"
    if room == target_room or target_room in house.room_sees(module, room):
        return None
    return f"{name(there)} is not among the rooms that {name(here)} sees"


def name(at):
    """The name of a place in messages."""
    module, room = at
    return f"{module}/" if room == "." else f"{module}/{room}/"


def complaint(here, included, quoted):
    """Why a file in the place `here` may not include this header, or None."""
    module = here[0]
    if included in house.FOR_APPLICATIONS:
        owners = house.FOR_APPLICATIONS[included].split()
        if module in owners:
            return None
        return f"{included} is for applications, and for {owners[0]}/ that implements it"
    if not quoted:
        return None
    there = house.place(included) if "/" in included else (None, None)
    target, room = there
    if target not in house.SEES:
        return "a project header is included as \"module/name\""
    if target != module:
        why = blocked(here, there)
        return why or (None if included in house.public(target) else f"{included} is private to {target}/")
    if room == here[1] or included in (f"{target}/{target}.h", f"{target}/internal.h") or \
            included in house.ANYWHERE:
        return None
    if room == ".":
        return f"{included} is private to the files beside it: rooms see {target}/internal.h"
    shown = included in (f"{target}/{room}/{room}.h", f"{target}/{room}/{room}.def") or included in house.PREFIXED
    return blocked(here, there) or (None if shown else f"{included} is private to {target}/{room}/")


def check_file(below, path, here):
    """Prints the violations in one file; returns their number."""
    wrong = 0
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            found = INCLUDE.match(line)
            why = complaint(here, found.group(2), found.group(1) == '"') if found else None
            if why:
                print(f"src/{below}:{number}: {why}")
                wrong += 1
    return wrong


def check(root):
    """Checks every file; returns (files, violations)."""
    wrong = files = 0
    strange = set()
    for below, path in sources(root):
        here = house.place(below)
        module, room = here
        if module not in house.SEES:
            strange.add(f"src/{below.split('/')[0]}: no module of this name is in the table of layers")
        elif not house.knows_room(module, room):
            strange.add(f"src/{module}/{room}: no room of this name is in the table of layers")
        else:
            wrong += check_file(below, path, here)
            files += 1
    for line in sorted(strange):
        print(line)
    return files, wrong + len(strange)
