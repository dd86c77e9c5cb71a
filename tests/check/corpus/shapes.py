# SPDX-License-Identifier: BSD-3-Clause
"""Shapes of code: ways to write the same access, from a plain statement to a lambda or another file.

A shape rewrites the two access statements. It gets each as text with $X for the object, and returns what stands in
the body instead, functions in front of main, other files, and the language. The marker \\x01A or \\x01B stands in
front of each line that a report may name for the access.
"""
import re
from dataclasses import dataclass, field

LOAD = re.compile(r"^got = \$X\[0\];$")
STORE = re.compile(r"^\$X\[0\] = (\d+);$")
NAMES = {"A": "first_access", "B": "second_access"}


def mark(which, text):
    """A line that belongs to an access."""
    return f"\x01{which}{text}"


@dataclass
class Written:
    """How the accesses are written."""

    first: str
    second: str
    front: str = ""                                # functions and macros in front of main
    main: str = ""                                 # statements at the beginning of main, with $X
    units: dict = field(default_factory=dict)      # suffix of another file: its functions
    suffix: str = ".c"


def simple(statement):
    """A load or a store of one element."""
    return bool(LOAD.match(statement) or STORE.match(statement))


def define(which, statement, prefix="static void ", parameter="long *p"):
    """A function that makes the access to *p."""
    return f"{prefix}{NAMES[which]}({parameter})\n{{\n{mark(which, statement.replace('$X', 'p'))}\n}}\n"


def plain(a, b):
    """As the rule has it."""
    return Written(mark("A", a), mark("B", b))


def alias(a, b):
    """The second access by another pointer to the object."""
    return Written(mark("A", a), mark("B", b.replace("$X", "view")), main="long *view = $X;")


def function(a, b):
    """Each access in a function."""
    return Written("first_access($X);", "second_access($X);", define("A", a) + "\n" + define("B", b) + "\n")


def macro(a, b):
    """Each access in a macro."""
    front = "".join(f"#define {NAMES[w].upper()}(p) {s.rstrip(';').replace('$X', '(p)')}\n" for w, s in
                    (("A", a), ("B", b)))
    return Written(mark("A", "FIRST_ACCESS($X);"), mark("B", "SECOND_ACCESS($X);"), front)


def callback(a, b):
    """Each access by a function pointer in a table."""
    front = define("A", a) + "\n" + define("B", b) + "\nstatic void (*actions[2])(long *) = {first_access, second_access};\n"
    return Written("actions[0]($X);", "actions[1]($X);", front)


def recursion(a, b):
    """The first access at the end of a recursion, the second deep in another."""
    front = ""
    for which, statement in (("A", a), ("B", b)):
        name = NAMES[which]
        front += (f"static void {name}(long *p, int depth)\n{{\nif (depth > 0) {{\n{name}(p, depth - 1);\nreturn;\n}}\n"
                  f"{mark(which, statement.replace('$X', 'p'))}\n}}\n\n")
    return Written("first_access($X, 3);", "second_access($X, 5);", front)


def unit(a, b):
    """The first access in another source file."""
    return Written("first_access($X);", mark("B", b), "void first_access(long *p);\n",
                   units={"_unit": define("A", a, "void first_access(long *p);\n\nvoid ")})


def library(a, b):
    """The load or store in a shared library."""
    which, statement = ("B", b) if simple(b) else ("A", a)
    if LOAD.match(statement):
        head, call, inside = "long peek(const long *p)", "got = peek($X);", "return p[0];"
    else:
        head, call = "void poke(long *p)", "poke($X);"
        inside = statement.replace("$X", "p")
    text = f"{head};\n\n{head}\n{{\n{mark(which, inside)}\n}}\n"
    pair = {"A": mark("A", a), "B": mark("B", b), which: call}
    return Written(pair["A"], pair["B"], head + ";\n", units={"_lib": text})


def loop(a, b):
    """The load or store in a loop over the object."""
    def rewrite(which, statement):
        if not simple(statement):
            return mark(which, statement)
        return mark(which, "for (int i = 3; i >= 0; i--) " + statement.replace("$X[0]", "$X[i]"))
    return Written(rewrite("A", a), rewrite("B", b))


def copy(a, b):
    """The load or store by memcpy."""
    def rewrite(which, statement):
        if LOAD.match(statement):
            statement = "memcpy(&got, $X, sizeof got);"
        elif STORE.match(statement):
            statement = f"memcpy($X, &(const long){{{STORE.match(statement).group(1)}}}, sizeof(long));"
        return mark(which, statement)
    return Written(rewrite("A", a), rewrite("B", b))


def clear(a, b):
    """The store by memset."""
    return Written(mark("A", a), mark("B", "memset($X, 7, 4 * sizeof(long));" if STORE.match(b) else b))


def sort(a, b):
    """The store by qsort, the load by bsearch, down to the first element; both call a function of the program. What
    bsearch finds, which is nothing, is used: else clang leaves the call out."""
    front = ("static int compare(const void *a, const void *b)\n{\n"
             + mark("B", "const long x = *(const long *)a, y = *(const long *)b;") + "\nreturn (x > y) - (x < y);\n}\n")
    arguments = "$X, 4, sizeof(long), compare)"
    call = f"qsort({arguments};" if STORE.match(b) else f"status |= bsearch(&(const long){{-1}}, {arguments} != NULL;"
    return Written(mark("A", a), mark("B", call), front)


def closure(a, b):
    """Each access in a lambda."""
    main = "".join(f"const auto {NAMES[w]} = [](long *p) {{\n{mark(w, s.replace('$X', 'p'))}\n}};\n" for w, s in
                   (("A", a), ("B", b)))
    return Written("first_access($X);", "second_access($X);", main=main, suffix=".cpp")


def template(a, b):
    """Each access in a function template."""
    front = "".join(define(w, s, "template <class T> static void ", "T *p") + "\n" for w, s in (("A", a), ("B", b)))
    return Written("first_access($X);", "second_access($X);", front, suffix=".cpp")


def method(a, b):
    """Each access in a virtual function of a class."""
    front = ("class Base {\npublic:\nvirtual void touch(long *p) = 0;\nvirtual ~Base() = default;\n};\n\n")
    for name, which, statement in (("First", "A", a), ("Second", "B", b)):
        front += (f"class {name} : public Base {{\npublic:\nvoid touch(long *p) override\n{{\n"
                  f"{mark(which, statement.replace('$X', 'p'))}\n}}\n}};\n\n")
    front += ("static First first_object;\nstatic Second second_object;\n"
              "static Base *objects[2] = {&first_object, &second_object};\n")
    return Written("objects[0]->touch($X);", "objects[1]->touch($X);", front, suffix=".cpp")


def _any(_):
    """Fits all rules."""
    return True


def _simple(rule):
    """Fits rules with a load or a store."""
    return simple(rule.accesses[0]) or simple(rule.accesses[1])


def _private(rule):
    """Fits loads and stores of private buffers whose value does not matter."""
    return rule.place == "private" and not rule.check and simple(rule.accesses[1])


# Shape of code: (function, whether it fits the rule); shapes of data of each place, in declare.py
CODE = {"alias": (alias, lambda rule: "$X" in rule.accesses[1]), "function": (function, _any), "macro": (macro, _any),
        "callback": (callback, _any),
        "recursion": (recursion, _any), "unit": (unit, _any), "library": (library, _simple), "loop": (loop, _simple),
        "memcpy": (copy, _simple), "memset": (clear, lambda rule: _private(rule) and STORE.match(rule.accesses[1])),
        "qsort": (sort, _private), "lambda": (closure, _any), "template": (template, _any), "method": (method, _any)}
DATA = {"symmetric": ("heap", "member", "cells"), "window": ("allocate", "member", "cells"),
        "private": ("stack", "malloc", "member", "cells")}
