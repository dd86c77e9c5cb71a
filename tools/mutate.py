# SPDX-License-Identifier: BSD-3-Clause
"""One-line mutants of C sources: where they could be, and which of them are chosen.

It knows lines and tokens, not C. The caller finds out whether a mutant compiles and whether its object
differs from the original's. Changes that hardly ever matter are left out: replacing -1 by another negative
number, or < by <= when a minimum is chosen. Comments, strings, preprocessor lines, assertions and all code
outside of functions are never changed.
"""
import hashlib
import re

CONTROL = re.compile(r"\s*(return|break|continue|goto|case|default|else|do)\b")
DECLARED = re.compile(r"\s*(const |static |struct |enum |union |unsigned |uint|int|size_t|bool|char|double|"
                      r"float|void|FILE|long|short|coll_place|fluid_resource)\b")
CALL = re.compile(r"(\s+)(?:\(void\))?[a-z_][\w.>-]*(?:->|\.)?\w*\(.*\);\s*$")
STORE = re.compile(r"(\s+)[*(]*[a-z_][^=;]*[^=!<>;]=[^=].*;\s*$")
COUNT = re.compile(r"(\s+)(?:\+\+|--)?[a-z_][\w.>\[\]-]*(?:\+\+|--)?;\s*$")
LEFT_ALONE = re.compile(r"BASE_ASSERT|base_error|base_fatal|base_warn|base_info|printf|_describe|trace_emit|"
                        r"prefetch|LIKELY\(base_acc|SAT_LOG|SAT_EVENT|sat_fail|sat_warn|log_release")
SWAPS = [(r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "),
         (r" != ", " == "), (r" && ", " || "), (r" \|\| ", " && "), (r" \+ ", " - "), (r" - ", " + "),
         (r" \+= ", " -= "), (r" -= ", " += "),
         (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"(?<=[(& |])!(?=[a-z(])", ""),
         (r" \* (?=[a-z0-9(])", " / "),
         (r" / ", " * "), (r" & ", " | "), (r" \| ", " & "), (r" << ", " >> "), (r" >> ", " << "),
         (r"(?<![\w.\"'])0(?![\w.\"'])", "1"), (r"(?<![\w.\"'-])1(?![\w.\"'])", "2")]
SWAPS = [(re.compile(pattern), instead) for pattern, instead in SWAPS]


# The lesser or greater of two: where they are equal, the choice makes no difference.
EITHER = re.compile(r"(\S.*?)( [<>]=? )(\S.*?) \? (?:\1 : \3|\3 : \1)(?!\w)")


class Mutant:
    """A line of a file, the `nth` (from 0) with this content, and its replacement. `label`: the name of one that
    was written by hand."""

    def __init__(self, path, nth, old, new, reason="", label=""):
        self.path, self.nth, self.old, self.new, self.reason, self.label = path, nth, old, new, reason, label

    def module(self):
        """The module that the mutant changes; the algorithms of collectives, which are in folders of coll, are
        one of their own, and so are the files of MPI."""
        parts = self.path.split("/")
        if parts[1:3] == ["mpi", "file"]:
            return "mpi.file"
        return "collectives" if parts[1] == "coll" and len(parts) > 3 else parts[1]

    def key(self):
        """Identifies the mutant."""
        return self.path, self.nth, self.old, self.new

    def name(self):
        """Its name in reports: file and line."""
        label = f"{self.label}: " if self.label else ""
        return f"{label}{self.path}#{self.nth}: {self.old.strip()} -> {self.new.strip() or '(nothing)'}"

    def applied(self, text):
        """The file's text with the mutant in it; None when the line is no longer there."""
        lines = text.split("\n")
        places = [k for k, line in enumerate(lines) if line == self.old]
        if self.nth >= len(places):
            return None
        lines[places[self.nth]] = self.new
        return "\n".join(lines)

    def text(self):
        """Its entry in the list."""
        label = f"= {self.label}\n" if self.label else ""
        reason = f"? {self.reason}\n" if self.reason else ""
        return f"{self.path} {self.nth}\n-{self.old}\n+{self.new}\n" + label + reason


def read_list(path):
    """Reads a list of mutants."""
    mutants = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line.startswith("-"):
                mutants[-1].old = line[1:]
            elif line.startswith("+"):
                mutants[-1].new = line[1:]
            elif line.startswith("?"):
                mutants[-1].reason = line[2:]
            elif line.startswith("="):
                mutants[-1].label = line[2:]
            elif line and not line.startswith("#"):
                name, nth = line.rsplit(" ", 1)
                mutants.append(Mutant(name, int(nth), None, None))
    return mutants


def blanked(text):
    """The text with comments and the insides of strings as spaces, line for line."""
    def blank(found):
        inside = found.group(0)
        if inside[0] in "\"'":
            return inside[0] + " " * (len(inside) - 2) + inside[-1]
        return re.sub(r"[^\n]", " ", inside)
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", blank, text,
                  flags=re.DOTALL)


def inside_functions(lines):
    """For each line of blanked text, whether it is in the body of a function."""
    inside, within = [], False
    for k, line in enumerate(lines):
        if line.startswith("}"):
            within = False
        inside.append(within)
        if line.startswith("{") and k and re.match(r"[a-z_].*\)$|\s+.*\)$", lines[k - 1].rstrip()):
            within = True
    return inside


def of_line(plain, line):
    """The mutated forms of one line, of which `plain` is the blanked text, as (begin, end,
    replacement)."""
    size = len(plain.rstrip())
    either = EITHER.search(plain)
    for pattern, instead in SWAPS:
        for found in pattern.finditer(plain):
            if either and found.start() == either.start(2):
                continue
            yield found.start(), found.end(), instead
    condition = re.match(r"(\s+(?:\} else )?(?:if|while) \()(.*)(\)(?: \{)?)$", plain.rstrip())
    if condition and condition.group(2).count("(") == condition.group(2).count(")"):
        begin, end = condition.span(2)
        yield begin, end, f"!({line[begin:end]})"
    if CONTROL.match(plain):
        if re.fullmatch(r"\s*(return|break|continue);", plain.rstrip()):
            yield size - len(plain.strip()), size, ";"
    elif not DECLARED.match(plain) and (CALL.match(plain) or STORE.match(plain) or COUNT.match(plain)):
        yield size - len(plain.strip()), size, ";"


def candidates(path, text):
    """All mutants of a file."""
    lines, plain = text.split("\n"), blanked(text).split("\n")
    seen, found = {}, []
    for line, bare, inside in zip(lines, plain, inside_functions(plain)):
        nth = seen[line] = seen.get(line, -1) + 1
        whole = bare.count("(") == bare.count(")")
        if not inside or LEFT_ALONE.search(line) or line.startswith("#"):
            continue
        for begin, end, instead in of_line(bare, line):
            if whole or instead != ";":
                found.append(Mutant(path, nth, line, line[:begin] + instead + line[end:]))
    return found


def choose(files, count, seed, is_good, taken_lines=()):
    """`count` mutants of the files ({path: text}): from each file in proportion to the square root of the
    number of its candidates, at most one per line. The order within a file is by hash, so that it depends as
    little as possible on the other candidates. is_good(mutant) says whether a mutant may be taken; none is of
    the lines (path, nth, content) of `taken_lines`."""
    def draw(mutant):
        return hashlib.sha256(repr((seed, mutant.key())).encode()).digest()
    offers = {path: sorted(candidates(path, text), key=draw) for path, text in sorted(files.items())}
    weight = {path: len(offer) ** 0.5 for path, offer in offers.items() if offer}
    chosen, used, taken = [], set(taken_lines), dict.fromkeys(weight, 0)
    while weight and len(chosen) < count:
        path = min(weight, key=lambda name: ((taken[name] + 0.5) / weight[name], name))
        mutant = offers[path].pop()
        if not offers[path]:
            del weight[path]
        if (path, mutant.nth, mutant.old) in used or not is_good(mutant):
            continue
        used.add((path, mutant.nth, mutant.old))
        taken[path] += 1
        chosen.append(mutant)
    return sorted(chosen, key=lambda mutant: (mutant.path, mutant.nth, mutant.old))
