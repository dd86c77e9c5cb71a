# SPDX-License-Identifier: BSD-3-Clause
"""Checks what objects use of each other, whether or not a header was included for it. The tables must allow
the user's module and room to see the owner's, and the owner's public header must contain the symbol."""
import os
import re

from layers import house
from layers.includes import INCLUDE, blocked, name

WORD = re.compile(r"\w+")


class Public:
    """The words of public headers, each read once. Headers of its own folder that a public header includes
    count as part of it."""

    def __init__(self, root):
        self.root = root
        self.words = {}

    def read(self, headers, folder):
        """The words of those of the given headers below src/ that exist."""
        words = set()
        todo, done = sorted(headers), set()
        while todo:
            header = todo.pop()
            path = os.path.join(self.root, "src", header)
            if header in done or not os.path.exists(path):
                continue
            done.add(header)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            prefix = house.PREFIXED.get(header, "")
            words.update(prefix + word for word in WORD.findall(text))
            found = (INCLUDE.match(line) for line in text.splitlines())
            todo += [i.group(2) for i in found if i and os.path.dirname(i.group(2)) == folder]
        return words

    def of_module(self, module):
        if module not in self.words:
            self.words[module] = self.read(house.public(module), module)
        return self.words[module]

    def of_room(self, module, room):
        """The words that the other rooms of the module see of this one."""
        if (module, room) not in self.words:
            own = set() if room == "." else {f"{module}/{room}/{room}.h"}
            shared = {h for h in house.ANYWHERE if h.startswith(module + "/")}
            self.words[module, room] = (self.of_module(module) | self.read(own, f"{module}/{room}")
                                        | self.read({f"{module}/{module}.h", f"{module}/internal.h"} | shared, module))
        return self.words[module, room]


def check(root, links):
    """Prints each use that the tables do not allow; returns their number."""
    public = Public(root)
    wrong = 0
    for user in sorted(links):
        here = house.place(user)
        for owner, symbols in sorted(links[user].items()):
            there = house.place(owner)
            if here == there:
                continue
            why = blocked(here, there)
            if why:
                print(f"src/{user}: uses {' '.join(sorted(symbols))} of src/{owner}: {why}")
                wrong += 1
                continue
            shown = public.of_module(there[0]) if here[0] != there[0] else public.of_room(*there)
            hidden = symbols - shown
            if hidden:
                print(f"src/{user}: uses {' '.join(sorted(hidden))} of src/{owner}: private to {name(there)}")
                wrong += 1
    return wrong
