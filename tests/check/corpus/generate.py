#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the programs of the corpus, from the table of rules.

    generate.py DIR [--all-shapes] [--filter PATTERN]

Each variant of each rule is a program in its plain shape. In addition, every rule is written in some shapes of code
and of data, which rotate through the table, each with a right and with a wrong variant; with --all-shapes, in all
that fit. DIR/index.json says of each program what a checker must find in it.
"""
import argparse
import itertools
import json
import os
import re

import rules_fortran
import rules_mpi_files
import rules_mpi_local
import rules_mpi_remote
import rules_shmem
import rules_shmem_coll
import rules_shmem_life
import rules_shmem_local
import rules_threads
import shapes
from declare import GROUP_OF, headers, object_of, used
from table import GRAY, KINDS, RIGHT, WRONG, Program

assert rules_shmem_local and rules_shmem_coll and rules_shmem_life  # they add to the same list
RULES = (rules_shmem.RULES + rules_mpi_remote.RULES + rules_mpi_local.RULES + rules_mpi_files.RULES + rules_threads.RULES
         + rules_fortran.RULES)
STANDARD = {"shmem": "OpenSHMEM 1.6", "mpi": "MPI 4.1"}
HOLE = re.compile(r"^(\s*)<(\w+)>$")


def statements(text):
    """The statements of a line of text."""
    out, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "({") - (c in ")}")
        if depth == 0 and (c == "}" or (c == ";" and text[i + 1:i + 2] in ("", " "))):
            out.append(text[start:i + 1].strip())
            start = i + 1
    rest = text[start:].strip()
    return out + ([rest] if rest else [])


def fill_holes(body, fill):
    """A body with its holes filled; blocks that are left empty are gone."""
    lines = []
    for line in body.split("\n"):
        hole = HOLE.match(line)
        if hole:
            lines += [hole.group(1) + s for s in statements(fill.get(hole.group(2), ""))]
        elif line.strip():
            lines.append(line)
    text = "\n".join(lines)
    while True:
        shorter = re.sub(r"\n *(if|else)[^\n]*\{\n *\}(?=\n|$)", "", "\n" + text)[1:]
        if shorter == text:
            return text
        text = shorter


def indent(text):
    """C text, indented by its braces."""
    out, depth = [], 0
    for line in text.split("\n"):
        bare = line.strip()
        if not bare:
            out.append("")
            continue
        plain = bare.lstrip("\x01")
        closing = plain[1:] if bare.startswith("\x01") else plain
        depth -= closing.startswith("}")
        label = "public:" == closing
        pad = "" if closing.startswith("#") and not closing.startswith("#pragma") else "    " * (depth - label)
        if out and re.match(r"\s*(if|for|while) \(.*\)$", out[-1]):
            pad += "    "
        out.append(bare[:2] + pad + bare[2:] if bare.startswith("\x01") else pad + bare)
        depth += closing.count("{") - closing.count("}") + closing.startswith("}")
    return "\n".join(out)


def body_of(rule, variant):
    """The rule's body for a variant."""
    return rule.body(variant) if callable(rule.body) else rule.body


def accesses(rule):
    """The statements of the two accesses."""
    text = body_of(rule, rule.variants[0]) + "\n" + rule.top
    return [re.search(rf"^\s*@{which} (.*)$", text, re.MULTILINE).group(1) for which in "AB"]


def checks(rule, variant):
    """What the program tests itself: after the second access, and at the end."""
    check, final = "", ""
    if rule.check:
        value, wanted, other = rule.check
        test = f"{value} == {wanted} || {value} == {other}" if variant.either else f"{value} == {wanted}"
        check = f'expect({test}, "{value}", {value});'
        if variant.verdict != RIGHT:
            check = f'printf("rank %d: {value} is %ld\\n", me, {value});'
    if rule.final and variant.verdict == RIGHT:
        wanted, other = rule.final
        test = f"$X[0] == {wanted}" + (f" || $X[0] == {other}" if variant.either else "")
        final = f'expect({test}, "the object", $X[0]);'
    return check, final


def finish(rule, final, text):
    """The statements that read the object at the end of a right program, when everything is complete."""
    if not final:
        return ""
    if rule.api == "shmem":
        quiets = "".join(f"shmem_ctx_quiet({ctx});\n" for ctx in ("ctx", "ctx2", "shared_ctx")
                         if re.search(rf"\b{ctx}\b", text))
        return f"{quiets}shmem_barrier_all();\nif (me == $T) {{\n{final}\n}}\n"
    return ("MPI_Barrier(MPI_COMM_WORLD);\nif (me == $T) {\nMPI_Win_lock(MPI_LOCK_SHARED, $T, 0, win);\n"
            f"{final}\nMPI_Win_unlock($T, win);\n}}\n")


EXPECT = """static void expect(int good, const char *what, long value)
{
if (!good) {
printf("rank %d: %s is %ld\\n", me, what, value);
status = 1;
}
}
"""


def start_and_end(rule):
    """What opens and what closes main."""
    if rule.api == "shmem":
        init = "shmem_init();"
        if rule.init:
            init = f"int provided;\nshmem_init_thread({rule.init}, &provided);"
        return init + "\nme = shmem_my_pe();\n", "shmem_finalize();\n"
    init = "MPI_Init(NULL, NULL);"
    if rule.init:
        init = f"int provided;\nMPI_Init_thread(NULL, NULL, {rule.init}, &provided);"
    return init + "\nMPI_Comm_rank(MPI_COMM_WORLD, &me);\n", "MPI_Finalize();\n"


def explain(rule, variant):
    """The comment at the top."""
    sections = set(filter(None, f"{rule.cite}, {variant.cite}".split(", ")))
    where = ", ".join(sorted(sections, key=lambda s: [int(x) for x in s.split(".")]))
    return f"{variant.verdict}: {rule.what}.\n{variant.name}: {variant.why}. {STANDARD[rule.api]}, section {where}."


def declared(rule, unit, entry):
    """Declarations of main's variables that another file uses; it gets the object itself as a parameter."""
    lines = "\n".join([entry] + [e[0] for e in used(rule.api, unit, rule.place).values()]).split("\n")
    found = [re.match(r"static ((?:const )?\w+ (\w+)(\[\d+\])?)( = .*)?;$", line) for line in lines]
    unit = re.sub("\x01[AB]", " ", unit)
    return "".join(f"extern {m.group(1)};\n" for m in found if m and re.search(rf"\b{m.group(2)}\b", unit))


def compose(rule, variant, code, data):
    """The C text of a program: (main file, {suffix: other file}, suffix of the main file)."""
    entry = object_of(rule, data)
    written = (shapes.CODE[code][0] if code else shapes.plain)(*accesses(rule))
    check, final = checks(rule, variant)
    body = body_of(rule, variant)
    if check and "<check>" not in body:
        body = body.replace("<end>", "") + f"\nif (me == $B) {{\n{check}\n}}\n<end>"
    text = fill_holes(body, {**variant.fill, "check": check})
    top = fill_holes(rule.top, variant.fill)
    replacement = {"A": written.first, "B": written.second}

    def place(text):
        return re.sub(r"^(\s*)@([AB]) .*$", lambda m: m.group(1) + replacement[m.group(2)], text, flags=re.MULTILINE)
    text, top = place(text), place(top)
    everything = "\n".join([text, top, written.front, written.main, *written.units.values()])
    end = finish(rule, final, everything)
    if "got" in everything and not rule.check:
        end = 'printf("rank %d: %ld\\n", me, got);\n' + end
    names = used(rule.api, everything + end, rule.place)
    opening, closing = start_and_end(rule)
    setup = "\n".join(filter(None, [entry[2]] + [e[1] for e in names.values()]))
    down = [e[2] for e in reversed(list(names.values()))]
    # the end of the library completes what is under way in a private buffer
    down, closing = (down, closing + entry[3] + "\n") if rule.place == "private" else (down + [entry[3]], closing)
    down = "\n".join(filter(None, down))
    globals_ = "\n".join(filter(None, ["static int me, status;", entry[0]] + [e[0] for e in names.values()]))
    front = "\n".join(filter(None, [GROUP_OF if "group_of" in setup else "", EXPECT if "expect(" in text + end else "",
                                    written.front.rstrip("\n") + "\n" if written.front else "", top]))
    parts = [globals_, "", front, "int main(void)", "{", entry[1], opening + setup, written.main, text, end + down,
             closing + "return status;", "}"]
    main = "\n".join(part.rstrip("\n") if part != "" else "" for part in parts)
    main = main.replace("$X", entry[4]).replace("$D", entry[5])
    head = headers(rule.api, main)
    units = {}
    for suffix, unit in written.units.items():
        outside = ""
        if suffix == "_unit":
            main = main.replace(globals_.replace("$D", entry[5]), globals_.replace("static ", ""))
            outside = declared(rule, unit, entry[0])
        units[suffix] = (headers(rule.api, unit) if suffix == "_unit" else "") + "\n" + outside + "\n" + unit
    ranks = dict(zip("ABT", map(str, rule.roles)))

    def polish(text):
        text = re.sub(r"\$([ABT])\b", lambda m: ranks[m.group(1)], text).replace("$D", entry[5])
        return re.sub(r"\n\n\n+", "\n\n", indent(text))
    main = main.replace("}\nint main", "}\n\nint main").replace("int main(void)\n{\n\n", "int main(void)\n{\n")
    units = {suffix: polish(unit).lstrip("\n") + "\n" for suffix, unit in units.items()}
    return head + "\n" + polish(main) + "\n", units, written.suffix


def settle(program, files):
    """Takes the markers out of the files and notes their lines."""
    for name, text in files.items():
        lines = []
        for number, line in enumerate(text.split("\n"), 1):
            if line.startswith("\x01"):
                program.lines.setdefault(line[1], []).append(f"{name}:{number}")
                line = line[2:]
            lines.append(line)
        program.files[name] = "\n".join(lines)


def make(rule, variant, code="", data="plain"):
    """One program."""
    shape = "_".join(filter(None, [code, data if data != "plain" else ""])) or "plain"
    prefix = "" if rule.language == "c" else rule.language + "_"
    name = f"{rule.api}_{prefix}{rule.name}__{variant.name}" + ("" if shape == "plain" else f"__{shape}")
    program = Program(name, rule, variant, shape)
    if rule.language != "c":
        text = rules_fortran.compose(rule, variant, fill_holes)
        comment = "".join("! " + line + "\n" for line in explain(rule, variant).split("\n"))
        settle(program, {name + ".f90": comment + text})
    else:
        main, units, suffix = compose(rule, variant, code, data)
        comment = "/* " + explain(rule, variant).replace("\n", "\n * ") + " */\n"
        settle(program, {name + suffix: comment + main, **{name + s + ".c": t for s, t in units.items()}})
    return program


def programs(all_shapes=False):
    """All programs of the corpus, in the table's order."""
    turn = itertools.count()
    for rule in RULES:
        for variant in rule.variants:
            yield make(rule, variant, data="plain")
        if not rule.shapes or rule.language != "c":
            continue
        rule.accesses = accesses(rule)
        code = [name for name, (_, fits) in shapes.CODE.items() if fits(rule)]
        ways = [(name, "plain") for name in code] + [("", name) for name in shapes.DATA[rule.place]]
        if not all_shapes:
            k = next(turn)
            data = shapes.DATA[rule.place]
            ways = [(code[k * 3 % len(code)], "plain"), (code[(k * 3 + 1) % len(code)], "plain"),
                    (code[(k * 3 + 2) % len(code)], data[k % len(data)])]
        for k, (name, data) in enumerate(ways):
            for verdict in (WRONG, RIGHT):
                group = [variant for variant in rule.variants if variant.verdict == verdict]
                if group:
                    yield make(rule, group[(k + 1) % len(group)], name, data)


def write(folder, chosen):
    """Writes programs and their index into a folder."""
    os.makedirs(folder, exist_ok=True)
    index = []
    for program in chosen:
        for name, text in program.files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        rule, variant = program.rule, program.variant
        index.append({"name": program.name, "verdict": variant.verdict, "api": rule.api, "kind": rule.kind,
                      "rule": rule.name, "variant": variant.name, "shape": program.shape,
                      "ranks": max(rule.ranks, variant.ranks), "files": list(program.files), "lines": program.lines,
                      "flags": rule.flags, "options": rule.options})
    with open(os.path.join(folder, "index.json"), "w", encoding="utf-8") as file:
        json.dump(index, file, indent=1)
    return index


def main():
    """Writes the corpus and says how much of what it has."""
    parser = argparse.ArgumentParser(description="write the corpus of right and wrong programs")
    parser.add_argument("folder")
    parser.add_argument("--all-shapes", action="store_true")
    parser.add_argument("--filter", default="")
    args = parser.parse_args()
    index = write(args.folder, [p for p in programs(args.all_shapes) if re.search(args.filter, p.name)])
    print(f"{'':12} {'':6} {'wrong':>6} {'right':>6} {'gray':>6}")
    for api in ("shmem", "mpi"):
        for kind in KINDS:
            count = [sum(p["api"] == api and p["kind"] == kind and p["verdict"] == verdict for p in index)
                     for verdict in (WRONG, RIGHT, GRAY)]
            if any(count):
                print(f"{kind:12} {api:6} {count[0]:6} {count[1]:6} {count[2]:6}")
    total = [sum(p["verdict"] == verdict for p in index) for verdict in (WRONG, RIGHT, GRAY)]
    print(f"{'all':12} {'':6} {total[0]:6} {total[1]:6} {total[2]:6}")


if __name__ == "__main__":
    main()
