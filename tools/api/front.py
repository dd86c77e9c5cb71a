# SPDX-License-Identifier: BSD-3-Clause
"""An API as its lists describe it: the names of its functions, and where each comes from. outputs.py writes
the generated files."""
import os

from . import lists

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Front:
    """The names of an API and what its lists contain.

    folder    where the lists are, below root
    word      what the macros of the lists begin with: SHMEM of SHMEM_FAMILY
    prefix    what functions of families begin with
    twin      the prefix of a function's profiling twin
    exported  a pattern of all names, including twins, that a library exports only for the API
    families  the lists of families
    singles   the lists of single functions and constants
    template  the row of a type class that represents all: it gives families the names that traced.def uses
    """

    def __init__(self, folder, word, prefix, twin, exported, families, singles, template, root=ROOT):
        self.folder, self.word, self.prefix, self.twin, self.exported = folder, word, prefix, twin, exported
        self.path = os.path.join(root, folder)
        self.types = lists.read_types(self.path, word)
        self.families = [f for name in families
                         for f in lists.read_families(self.path, word, name, self.types, template)]
        self.singles = {name: lists.read_singles(self.path, name) for name in singles}

    def read(self, name):
        return lists.read(self.path, name)

    def of_form(self, form):
        """(name, result, [parameters]) of each function of a form"""
        out = [(self.prefix + form.name, form.result, form.params)]
        if form.ctx:
            with_ctx = [self.prefix + "ctx_t ctx"] + form.params
            out.append((self.prefix + "ctx_" + form.name, form.result, with_ctx))
        return out

    def of_families(self):
        """The functions of all families."""
        forms = [form for family in self.families for form in family.forms]
        return [function for form in forms for function in self.of_form(form)]

    def of_singles(self, name):
        """The functions of a list of single ones."""
        return [(function, result, params) for function, (result, params) in self.singles[name].items()]

    def names(self):
        """Every function of the API, sorted."""
        all_of = self.of_families() + [f for name in self.singles for f in self.of_singles(name)]
        names = sorted(f[0] for f in all_of)
        twice = [a for a, b in zip(names, names[1:]) if a == b]
        if twice:
            raise lists.ListError("%s: %s is there twice" % (self.folder, twice[0]))
        return names
