# SPDX-License-Identifier: BSD-3-Clause
"""Writes C: declarations, constants, headings and long macros, within the maximum line length."""
WIDTH = 110
LICENCE = "/* SPDX-License-Identifier: BSD-3-Clause */\n"


def prototype(result, name, params, width=WIDTH):
    """A declaration, with line breaks in the house style."""
    head = result + ("" if result.endswith("*") else " ") + name + "("
    lines, line = [], head
    for i, p in enumerate(params):
        piece = p + (", " if i + 1 < len(params) else ");")
        if len(line) + len(piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = " " * len(head)
        line += piece
    return "\n".join(lines + [line.rstrip()]) + "\n"


def section(text):
    return "\n/* --- %s %s */\n" % (text, "-" * max(3, WIDTH - 11 - len(text)))


def constant(name, value):
    return "#define %-32s %s\n" % (name, value)


def multiline(head, items):
    """#define head, then the items one after another with continuation lines."""
    lines, line = [], "   "
    for item in items:
        piece = " " + item
        if len(line) + len(piece) > WIDTH - 2:
            lines.append(line)
            line = "   "
        line += piece
    lines.append(line)
    return "#define %s \\\n" % head + " \\\n".join(lines) + "\n"
