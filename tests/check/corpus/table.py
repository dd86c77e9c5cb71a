# SPDX-License-Identifier: BSD-3-Clause
"""What the table of rules is made of.

A *rule* is one conflict: two accesses to the same bytes, of which at least one writes, and the order in which the
program means them to happen. It names the section of the standard by which they conflict. A *variant* of a rule is
one way to synchronize between the two, with its verdict and the reason.

A rule's body is C (or Fortran) text with
    @A, @B       in front of the statements that are the first and the second access, each on one line
    <name>       alone on a line: a hole that the variant fills with statements, or leaves empty; <check>: the
                 program's own test of the value that the second access read
    $X, $D       the object in conflict, as a pointer to its first element; its displacement in the window
    $A, $B, $T   the ranks of the first access, the second access, and the object

What is declared and set up follows from the names that the text uses: see setup.py.
"""
from dataclasses import dataclass, field

RIGHT, WRONG, GRAY = "right", "wrong", "gray"
ONE_HOST = "--ppn 8"


@dataclass
class Variant:
    """One way to synchronize. `fill` says what goes into which hole."""

    name: str
    verdict: str
    why: str
    fill: dict
    cite: str = ""
    either: bool = False  # right, but the order of the two accesses is not fixed
    ranks: int = 0        # more ranks than the rule needs


@dataclass
class Rule:
    """One conflict with all its variants."""

    name: str
    api: str              # shmem or mpi
    kind: str             # a name in KINDS
    what: str
    cite: str
    body: str
    variants: list
    place: str            # where the object is: symmetric, window, private, shared, dynamic
    ranks: int = 2
    roles: tuple = (0, 1, 1)  # ranks of the first access, the second access and the object
    check: tuple = ()     # expression, wanted value, value if the order is the other one
    final: tuple = ()     # the object's first element at the end: wanted value, the other
    top: str = ""         # declarations and functions in front of main
    shapes: bool = True   # whether the accesses can be written in other shapes
    language: str = "c"   # c, f08 or f90
    flags: str = ""       # for the compiler
    options: str = ""     # for pgasim run: ONE_HOST if ranks must share memory
    init: str = ""        # the level of threads


KINDS = {
    "local": "a local buffer that an operation still uses",
    "origin": "two operations of one origin on the same remote memory",
    "origins": "operations of two origins on the same remote memory",
    "target": "a remote operation and the target's own load or store",
    "atomic": "operations that are not atomic towards each other",
    "signal": "data or signal objects of signalling operations",
    "collective": "the arrays of a collective and another access",
    "life": "memory that ends while an operation may use it",
    "lock": "accesses in critical sections",
    "pointer": "loads and stores of another rank's memory by pointer",
    "thread": "threads of one process",
    "message": "buffers of messages",
    "file": "bytes of files, and the buffers of accesses to them",
    "icollective": "buffers of nonblocking collectives",
}


def between(first, second, pre=""):
    """The body for accesses of two ranks."""
    return f"""
<open>
if (me == $A) {{
    <a_open>
    {pre}
    @A {first}
    <a_close>
}}
<mid>
if (me == $A) {{
    <a_late>
}}
if (me == $T && $T != $A && $T != $B) {{
    <t_mid>
}}
<other>
if (me == $B) {{
    <b_open>
    @B {second}
    <b_close>
    <check>
}}
if (me == $A) {{
    <a_end>
}}
<end>
"""


def within(first, second, pre=""):
    """The body for two accesses of one rank, without a collective call in between."""
    return f"""
<open>
if (me == $A) {{
    <a_open>
    {pre}
    @A {first}
    <mid>
    @B {second}
    <check>
    <a_close>
}}
<other>
<end>
"""


def around(first, second, pre=""):
    """As within(), with a collective call between the accesses."""
    return f"""
<open>
if (me == $A) {{
    <a_open>
    {pre}
    @A {first}
    <a_close>
}}
<all>
if (me == $A) {{
    <b_open>
    @B {second}
    <check>
    <b_close>
}}
<end>
"""


def same_rank(first, second, **more):
    """A function from a variant to the body for two accesses of one rank."""
    return lambda variant: (around if "all" in variant.fill else within)(first, second, **more)


def right(name, why, cite="", either=False, ranks=0, **fill):
    """A variant that orders the accesses."""
    return Variant(name, RIGHT, why, fill, cite, either, ranks)


def wrong(name, why, cite="", ranks=0, **fill):
    """A variant that does not."""
    return Variant(name, WRONG, why, fill, cite, False, ranks)


def gray(name, why, cite="", either=False, **fill):
    """A variant about which the standard can be read both ways. Not judged."""
    return Variant(name, GRAY, why, fill, cite, either)


@dataclass
class Program:
    """A generated program."""

    name: str
    rule: Rule
    variant: Variant
    shape: str
    files: dict = field(default_factory=dict)   # file name: text; the first is the main one
    lines: dict = field(default_factory=dict)   # "A" and "B": list of "file:line", any of which will do
