#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes include/shmem.h, shmemx.h and pshmem.h, src/shmem/pshmem.ld, src/shmem/traced.c and tests/shmem/api.list
from the lists src/shmem/*.def.

  gen_shmem.py                writes the files
  gen_shmem.py --check        writes nothing; fails when a file is stale
  gen_shmem.py --exported LIB fails when the shared library LIB lacks a function of the list or its twin, or has others

The lists are the ones the C shims are expanded from, so a function cannot be declared without being defined or
the other way round. shmem_lists.py reads them.
"""
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # nothing is left in the source folder
from shmem_lists import LISTS, ROOT, calls, plain_forms, read, read_families, read_types, split_arguments

HEADER = os.path.join(ROOT, "include", "shmem.h")
EXTRA_HEADER = os.path.join(ROOT, "include", "shmemx.h")
TWINS_HEADER = os.path.join(ROOT, "include", "pshmem.h")
ALIASES = os.path.join(LISTS, "pshmem.ld")
TRACED = os.path.join(LISTS, "traced.c")
API_LIST = os.path.join(ROOT, "tests", "shmem", "api.list")
FAMILY_LISTS = ["rma", "atomic", "signal", "collective", "reduce", "wait"]
WIDTH = 110
# What a type is on the platforms pgasim supports (LP64): two names of one type cannot both be in a _Generic.
BASIC = {
    "int8_t": "signed char", "int16_t": "short", "int32_t": "int", "int64_t": "long",
    "uint8_t": "unsigned char", "uint16_t": "unsigned short", "uint32_t": "unsigned int",
    "uint64_t": "unsigned long", "size_t": "unsigned long", "ptrdiff_t": "long",
}


def prototype(result, name, params):
    """A declaration, broken as the house style breaks it."""
    head = result + ("" if result.endswith("*") else " ") + name + "("
    lines, line = [], head
    for i, p in enumerate(params):
        piece = p + (", " if i + 1 < len(params) else ");")
        if len(line) + len(piece.rstrip()) > WIDTH:
            lines.append(line.rstrip())
            line = " " * len(head)
        line += piece
    return "\n".join(lines + [line.rstrip()]) + "\n"


def declarations(form):
    out = prototype(form.result, "shmem_" + form.name, form.params)
    if form.ctx:
        out += prototype(form.result, "shmem_ctx_" + form.name, ["shmem_ctx_t ctx"] + form.params)
    return out


def section(text):
    return "\n/* --- %s %s */\n" % (text, "-" * max(3, WIDTH - 9 - len(text)))


def constant(name, value, old, prefix="SHMEM_"):
    out = "#define %-32s %s\n" % (prefix + name, value)
    if old:
        out += "#define %-32s %s\n" % ("_SHMEM_" + name, "SHMEM_" + name)
    return out


def plain(constants):
    """The part of plain.def before (constants) or after the first function."""
    out, pending = "", ""
    for word, args in calls(read("plain"), ["SECTION", "CONSTANT", "CONSTANT_OLD", "PLAIN"]):
        if word == "SECTION":
            pending = section(args[0].strip('"'))
        elif word == "PLAIN" and not constants:
            out += pending + prototype(args[0], args[1], split_arguments(args[2][1:-1]))
            pending = ""
        elif word != "PLAIN" and constants:
            out += pending + constant(args[0], args[1], word == "CONSTANT_OLD")
            pending = ""
    return out


def multiline(head, items, tail=""):
    """#define head, then the items one after another with continuation lines."""
    lines, line = [], "   "
    for i, item in enumerate(items):
        piece = " " + item
        if len(line) + len(piece) > WIDTH - 2:
            lines.append(line)
            line = "   "
        line += piece
    lines.append(line)
    if tail:
        lines[-1] += tail
    return "#define %s \\\n" % head + " \\\n".join(lines) + "\n"


def generics(families):
    """generic name -> (ctx form?, position of the typed pointer, [(type, typename)], the first form)"""
    out = {}
    for family in families:
        for f in family.forms:
            if not f.generic:
                continue
            at = next(i for i, p in enumerate(f.params) if p.split("*")[0].replace("const ", "").strip() == f.type)
            entry = out.setdefault(f.generic, (f.ctx, at, [], f))
            if BASIC.get(f.type, f.type) not in [BASIC.get(t, t) for t, _ in entry[2]]:
                entry[2].append((f.type, f.typename))
    return out


def type_sets(table):
    """Names for the type lists that the generics use: PGASIM_TYPES_1, ..."""
    names = {}
    for _, _, types, _ in table.values():
        names.setdefault(tuple(types), "PGASIM_PICK_%d" % (len(names) + 1))
    return names


# Generic names that a handle as first argument tells from the function of the same name.
BY_HANDLE = [("shmem_sync", "shmem_team_t", "shmem_team_sync"),
             ("shmem_signal_add", "shmem_ctx_t", "shmem_ctx_signal_add"),
             ("shmem_signal_set", "shmem_ctx_t", "shmem_ctx_signal_set")]

C11_HEAD = """
/* --- C11 type-generic forms ------------------------------------------------------------------------------
 * The type that a typed pointer argument points to picks the function; a context as first argument picks the
 * shmem_ctx_ function and moves the pointer to the second place. */
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && !defined(PGASIM_SHMEM_NO_GENERICS)
#define PGASIM_1ST(...) PGASIM_1ST_OF(__VA_ARGS__, 0)
#define PGASIM_1ST_OF(a, ...) a
#define PGASIM_2ND(...) PGASIM_2ND_OF(__VA_ARGS__, 0, 0)
#define PGASIM_2ND_OF(a, b, ...) b
#define PGASIM_AFTER_CTX(...) \\
    _Generic((PGASIM_1ST(__VA_ARGS__)), shmem_ctx_t: (PGASIM_2ND(__VA_ARGS__)), default: (PGASIM_1ST(__VA_ARGS__)))
#define PGASIM_BY_CTX(PICK, after, ...) \\
    _Generic((PGASIM_1ST(__VA_ARGS__)), \\
        shmem_ctx_t: _Generic(*PGASIM_AFTER_CTX(__VA_ARGS__), PICK(shmem_ctx_, after)), \\
        default: _Generic(*PGASIM_AFTER_CTX(__VA_ARGS__), PICK(shmem_, after)))(__VA_ARGS__)
#define PGASIM_BY_1ST(PICK, after, ...) _Generic(*(PGASIM_1ST(__VA_ARGS__)), PICK(shmem_, after))(__VA_ARGS__)
#define PGASIM_BY_2ND(PICK, after, ...) _Generic(*(PGASIM_2ND(__VA_ARGS__)), PICK(shmem_, after))(__VA_ARGS__)

"""


def c11(table):
    out = C11_HEAD
    names = type_sets(table)
    for types, name in names.items():
        items = ["%s: before##%s##after%s" % (t, n, "," if i + 1 < len(types) else "")
                 for i, (t, n) in enumerate(types)]
        out += multiline(name + "(before, after)", items)
    out += "\n"
    for g, (ctx, at, types, _) in table.items():
        way = "PGASIM_BY_CTX" if ctx else "PGASIM_BY_1ST" if at == 0 else "PGASIM_BY_2ND"
        out += "#define shmem_%s(...) %s(%s, _%s, __VA_ARGS__)\n" % (g, way, names[tuple(types)], g)
    for name, handle, function in BY_HANDLE:
        out += "#define %s(...) \\\n    _Generic((PGASIM_1ST(__VA_ARGS__)), %s: %s, default: %s)(__VA_ARGS__)\n" % (
            name, handle, function, name)
    return out + "#endif\n"


def overload(form, g):
    """The bodies of the C++ overloads of a generic name, for the type T named N."""
    form = form.template

    def function(name, params):
        args = [re.search(r"(\w+)$", p).group(1) for p in params]
        head = prototype("inline " + form.result, "shmem_" + g, params).rstrip(";\n").split("\n")
        return head + ["{", "    %sshmem_%s##N##_%s(%s);" % (
            "" if form.result == "void" else "return ", name, g, ", ".join(args)), "}"]

    lines = function("", form.params)
    return lines + (function("ctx_", ["shmem_ctx_t ctx"] + form.params) if form.ctx else [])


CXX_HEAD = """
/* --- C++ overloads, the counterpart of the C11 forms ------------------------------------------------------ */
#if defined(__cplusplus) && !defined(PGASIM_SHMEM_NO_GENERICS)
extern "C++" {
"""


def cxx(table):
    out = CXX_HEAD
    names = {}
    for types in type_sets(table):
        names[types] = "PGASIM_EACH_%d" % (len(names) + 1)
        out += multiline(names[types] + "(X)", ["X(%s, %s)" % t for t in types])
    for g, (_, _, types, form) in table.items():
        # shmem_wait_until of long is a function of its own (deprecated), with C linkage.
        own = [t for t in types if not (g == "wait_until" and t[0] == "long")]
        body = " \\\n    ".join(overload(form, g))
        each = names.get(tuple(own))
        if not each:
            each = "PGASIM_EACH_" + g
            out += multiline(each + "(X)", ["X(%s, %s)" % t for t in own])
        out += "#define PGASIM_FORM(T, N) \\\n    %s\n%s(PGASIM_FORM)\n#undef PGASIM_FORM\n" % (body, each)
    forms = plain_forms()
    for name, _, function in BY_HANDLE:
        result, params = forms[function]
        args = [re.search(r"(\w+)$", p).group(1) for p in params]
        out += prototype("inline " + result, name, params).rstrip(";\n") + "\n{\n    %s%s(%s);\n}\n" % (
            "" if result == "void" else "return ", function, ", ".join(args))
    return out + "}\n#endif\n"


TOP = """/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated by tools/gen_shmem.py from the lists src/shmem/<list>.def: change those and run it again. */
/* clang-format off */
/*
 * shmem.h: OpenSHMEM 1.6 as pgasim provides it. docs/openshmem.md says how it behaves.
 * Section numbers are those of the specification.
 */
#ifndef PGASIM_SHMEM_H
#define PGASIM_SHMEM_H

#include <stddef.h>
#include <stdint.h>

#define PGASIM_NORETURN __attribute__((noreturn))
#ifdef __cplusplus
extern "C" {
#endif

/* Handles are small numbers in disguise: a type of its own each, so that the generic forms can tell them from
 * other arguments. */
typedef struct pgasim_team {
    char opaque;
} *shmem_team_t;
typedef struct pgasim_ctx {
    char opaque;
} *shmem_ctx_t;
typedef struct {
    int num_contexts;
} shmem_team_config_t;
typedef struct {
    size_t total_ops;
} shmem_ctx_session_config_t;
__extension__ typedef double _Complex pgasim_complexd;
__extension__ typedef float _Complex pgasim_complexf;
"""

BOTTOM = """
#ifdef __cplusplus
}
#endif
#endif
"""


EXTRA_TOP = """/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated by tools/gen_shmem.py from src/shmem/extra.def: change that and run it again. */
/* clang-format off */
/* shmemx.h: extensions to OpenSHMEM that programs use, and the names that parts of the standard had before. */
#ifndef PGASIM_SHMEMX_H
#define PGASIM_SHMEMX_H

#include <shmem.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t *shmemx_ct_t;
typedef struct {
    uint64_t pending_put; /* issued */
    uint64_t pending_get;
    uint64_t completed_put;
    uint64_t completed_get;
    uint64_t target;
} shmemx_pcntr_t;
"""


def extra(names, generic):
    """shmemx.h. `names`: every function of the standard; `generic`: the type-generic names."""
    out, twins = EXTRA_TOP, ""
    text = read("extra")
    for word, args in calls(text, ["SECTION", "CONSTANT", "PLAIN"]):
        if word == "SECTION":
            out += section(args[0].strip('"'))
        elif word == "CONSTANT":
            out += constant(args[0], args[1], False, "SHMEMX_")
        else:
            params = split_arguments(args[2][1:-1])
            out += prototype(args[0], args[1], params)
            twins += prototype(args[0], "p" + args[1], params)
    out += section("profiling") + twins + BOTTOM.replace("#endif\n#endif", "#endif")
    patterns = [args[0].strip('"') for _, args in calls(text, ["FORMER"])]
    former = re.compile(r"shmem_(ctx_)?(%s)" % "|".join(patterns))
    out += section("former names")
    for n in sorted(set(names + ["shmem_" + g for g in generic])):
        if former.fullmatch(n):
            out += "#define %s %s\n" % (n.replace("shmem_", "shmemx_", 1), n)
        bitwise = re.fullmatch(r"shmem_(\w+)_atomic_((fetch_)?(and|or|xor))", n)
        if bitwise and not n.startswith("shmem_ctx"):
            out += "#define shmemx_%s_%s %s\n" % (bitwise.group(1), bitwise.group(2), n)
    return out + "\n#endif\n"


TWINS_TOP = """/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated by tools/gen_shmem.py, as shmem.h is. */
/* clang-format off */
/*
 * pshmem.h: the profiling interface (OpenSHMEM 1.6 section 10). Every function has a second name with a p before
 * it. A program or a tool that defines a function of its own under the first name reaches pgasim's under the
 * second.
 */
#ifndef PGASIM_PSHMEM_H
#define PGASIM_PSHMEM_H

#include <shmem.h>

#ifdef __cplusplus
extern "C" {
#endif

"""

def twins_of_plain():
    """In full: some of these names are overloaded in C++, so that a __typeof__ would not do."""
    return "".join(prototype(result, "p" + name, params) for name, (result, params) in plain_forms().items())


TRACED_TOP = """/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated by tools/gen_shmem.py from src/shmem/traced.def: change that and run it again. */
/* clang-format off */
/* traced: what every function of the API is for a trace, sorted by name. */
#include "shmem/shmem_front.h"

const struct trace_call shmem_calls[] = {
"""


def traced_names(families):
    """traced.def's words for functions -> the functions that they stand for"""
    out = {n: [n] for n in list(plain_forms()) + list(plain_forms("extra"))}
    for family in families:
        for f in family.forms:
            names = out.setdefault(f.template.name, [])
            names += ["shmem_" + f.name] + (["shmem_ctx_" + f.name] if f.ctx else [])
    return out


def traced(families):
    """The table of kinds: each function has one, and one alone."""
    known, kinds, awaits = traced_names(families), {}, {}
    for word, args in calls(read("traced"), ["KIND", "AWAITS", "NAME"]):
        for name in args[1:]:
            functions = known.setdefault(name, [name]) if word == "NAME" else known.get(name)
            if not functions:
                sys.exit("traced.def: %s is no function of the lists" % name)
            for f in dict.fromkeys(functions):
                into = awaits if word == "AWAITS" else kinds
                if f in into:
                    sys.exit("traced.def: %s is there twice" % f)
                into[f] = args[0]
    missing = sorted({f for functions in known.values() for f in functions} - set(kinds))
    if missing:
        sys.exit("traced.def: %s has no kind" % ", ".join(missing))
    of = {f: "TRACE_AWAITS_" + word for f, word in awaits.items()}
    rows = ["    {\"%s\", TRACE_KIND_%s, %s},\n" % (f, kinds[f], of.get(f, "0")) for f in sorted(kinds)]
    return TRACED_TOP + "".join(rows) + "};\nconst size_t shmem_calls_count = BASE_LENGTH(shmem_calls);\n"


def generate():
    types = read_types()
    families = [f for name in FAMILY_LISTS for f in read_families(name, types)]
    header = TOP + plain(constants=True) + plain(constants=False)
    names = list(plain_forms())
    twins = twins_of_plain()
    for family in families:
        if family.title:
            header += section(family.title)
        for form in family.forms:
            header += declarations(form)
            of_form = ["shmem_" + form.name] + (["shmem_ctx_" + form.name] if form.ctx else [])
            names += of_form
            twins += "".join("__typeof__(%s) p%s;\n" % (n, n) for n in of_form)
    table = generics(families)
    files = {EXTRA_HEADER: extra(names, table)}
    names += list(plain_forms("extra"))
    header += c11(table) + cxx(table) + BOTTOM
    api = "/* SPDX-License-Identifier: BSD-3-Clause */\n" \
          "/* Generated by tools/gen_shmem.py: every function of include/shmem.h and include/shmemx.h. */\n"
    api += "".join("SYMBOL(%s)\n" % n for n in sorted(names))
    aliases = "/* SPDX-License-Identifier: BSD-3-Clause */\n" \
              "/* Generated by tools/gen_shmem.py, for the linker: the second name of every function. */\n"
    aliases += "".join("p%s = %s;\n" % (n, n) for n in sorted(names))
    files[TRACED] = traced(families)
    files.update({HEADER: header, TWINS_HEADER: TWINS_TOP + twins + BOTTOM, ALIASES: aliases, API_LIST: api})
    return files


def stale(files):
    out = []
    for path, text in files.items():
        try:
            with open(path, encoding="utf-8") as f:
                same = f.read() == text
        except FileNotFoundError:
            same = False
        if not same:
            out.append(os.path.relpath(path, ROOT))
    return out


def wrongly_exported(library):
    text = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    have = {line.split()[-1].split("@")[0] for line in text.splitlines()}
    with open(API_LIST, encoding="utf-8") as f:
        want = re.findall(r"^SYMBOL\((\w+)\)$", f.read(), re.M)
    want += ["p" + n for n in want]
    extra_names = [n for n in have if re.match(r"p?shmemx?_", n) and n not in want]
    return ["lacks " + n for n in want if n not in have] + ["exports " + n + ", which no list has" for n in extra_names]


def main(argv):
    if argv[1:2] == ["--exported"] and len(argv) == 3:
        wrong = wrongly_exported(argv[2])
        for text in wrong:
            print("%s %s" % (argv[2], text), file=sys.stderr)
        return 1 if wrong else 0
    files = generate()
    if argv[1:] == ["--check"]:
        for path in stale(files):
            print("%s is stale: run tools/gen_shmem.py" % path, file=sys.stderr)
        return 1 if stale(files) else 0
    if argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    for path in stale(files):
        with open(os.path.join(ROOT, path), "w", encoding="utf-8") as f:
            f.write(files[os.path.join(ROOT, path)])
        print("wrote " + path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
