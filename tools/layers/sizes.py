# SPDX-License-Identifier: BSD-3-Clause
"""A table of sizes for decision records: objects and knots according to nm, lines and functions from the
sources' text."""
from layers import house, includes, knots

COLUMNS = 110


def functions(lines):
    """Lengths of the functions of a file: from brace to brace. In the house format their braces, and no
    others, stand alone at the beginning of a line."""
    start = None
    for number, line in enumerate(lines):
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            yield number - start + 1
            start = None


def middle(values, part):
    """The value below which this fraction of the values lies; 0 without values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0


class Sizes:
    """The sizes of a module's sources, or of all sources."""

    def __init__(self):
        self.files, self.lengths, self.wide = [], [], 0

    def add(self, text):
        lines = text.splitlines()
        self.files.append(len(lines))
        self.lengths += functions(lines)
        self.wide += sum(len(line) > COLUMNS for line in lines)

    def columns(self):
        files = [len(self.files), sum(self.files), middle(self.files, 0.5), max(self.files, default=0)]
        lengths = [len(self.lengths), middle(self.lengths, 0.5), middle(self.lengths, 0.99),
                   max(self.lengths, default=0)]
        return [*files, *lengths, self.wide]


def report(root, links):
    """Prints the table, as Markdown."""
    sizes = {module: Sizes() for module in house.MODULES}
    everything = Sizes()
    for below, path in includes.sources(root):
        module = house.place(below)[0]
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for to in (sizes[module], everything) if module in sizes else ():
            to.add(text)
    heads = ["module", "objects", "largest knot", "files", "lines", "median file", "longest file",
             "functions", "median", "p99", "longest", f"lines over {COLUMNS} columns"]
    print("| " + " | ".join(heads) + " |\n|" + " --- |" * len(heads))
    largest = 0
    for module in house.MODULES:
        if not sizes[module].files:
            continue
        found = knots.of_module(links, module)
        knot = len(found[0]) if found else 0
        largest = max(largest, knot)
        row = [module, sum(map(len, found)), knot, *sizes[module].columns()]
        print("| " + " | ".join(map(str, row)) + " |")
    print("| " + " | ".join(map(str, ["all", len(links), largest, *everything.columns()])) + " |")
    print("\nFiles are .c, .h, .def and .inc; a function's length is in lines, from brace to brace. The "
          "objects of a knot need each other's symbols.")
