# SPDX-License-Identifier: BSD-3-Clause
"""Reads lists (.def files) as the preprocessor does: macro calls, the macros that a list defines, families of
functions. Independent of any API: the prefix of a list's macros is a parameter. The format of lists is
described at the top of src/shmem/rma.def and plain.def.

A mistake in a list raises ListError, with the list's name in the text.
"""
import os
import re

WORDS_OF_FORMS = ["FORM", "FORM_GENERIC", "FORM_CTX", "FORM_CTX_GENERIC"]


class ListError(Exception):
    """A mistake in a list."""


class Form:
    """One function (or, with a context, pair of functions) of a family, for one row of its type class."""

    def __init__(self, kind, result, name, params):
        self.ctx = "CTX" in kind
        self.has_generic = "GENERIC" in kind
        self.result, self.name, self.params = result, name, params
        self.row = None       # of the type class: a type and its TYPENAME, or what the lists have instead
        self.template = None  # the same form for the row that represents all


class Family:
    """A heading, and the forms of all rows of a type class."""

    def __init__(self, title, forms):
        self.title, self.forms = title, forms


def read(folder, name):
    """The text of a list without comments, its continued lines joined."""
    with open(os.path.join(folder, name + ".def"), encoding="utf-8") as f:
        text = f.read()
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return text.replace("\\\n", " ")


def split_arguments(text):
    """The arguments of a macro call: split at commas outside parentheses and strings."""
    parts, depth, quoted, start = [], 0, False, 0
    for i, c in enumerate(text):
        if c == '"':
            quoted = not quoted
        elif not quoted and c in "({":
            depth += 1
        elif not quoted and c in ")}":
            depth -= 1
        elif not quoted and c == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return [re.sub(r"\* (?=\w)", "*", re.sub(r"\s+", " ", p)) for p in parts]


def calls(text, names):
    """Every call of one of the macros `names` in text: (name, [arguments])."""
    found, at = [], 0
    pattern = re.compile(r"\b(%s)\(" % "|".join(names))
    while True:
        m = pattern.search(text, at)
        if not m:
            return found
        depth, i = 1, m.end()
        while depth:
            if i == len(text):
                raise ListError("the parenthesis of %s is not closed" % text[m.start():m.start() + 40])
            depth += {"(": 1, ")": -1}.get(text[i], 0)
            i += 1
        found.append((m.group(1), split_arguments(text[m.end():i - 1])))
        at = i


def macros(text):
    """name -> ([parameters], body) of every macro that text defines"""
    out = {}
    for m in re.finditer(r"^#define (\w+)\(([^)]*)\)(.*)$", text, re.M):
        out[m.group(1)] = ([p.strip() for p in m.group(2).split(",")], m.group(3))
    return out


def substitute(body, params, args):
    """Substitutes like the preprocessor: tokens next to ## are parameters, too."""
    pieces = re.split(r"(\b\w+\b)", re.sub(r"\s*##\s*", "##", body))
    table = dict(zip(params, args))
    return "".join(table.get(p, p) for p in pieces).replace("##", "")


def read_types(folder, word):
    """type class -> its rows, tuples of the arguments of X"""
    defined = macros(read(folder, "types"))
    prefix = word + "_TYPES_"
    out = {}

    def expand(name):
        if name not in defined:
            raise ListError("types.def: there is no %s" % name)
        if name not in out:
            out[name] = []
            for called, args in calls(defined[name][1], ["X", prefix + r"\w+"]):
                out[name] += expand(called) if called != "X" else [tuple(args)]
        return out[name]

    for name in defined:
        expand(name)
    return {k[len(prefix):]: v for k, v in out.items()}


def expand_forms(defined, word, name, args):
    """The forms of macro `name`, called with `args`; it may consist of other macros."""
    if name not in defined:
        raise ListError("there is no %s" % name)
    params, body = defined[name]
    if params[-1] == "...":
        first = len(params) - 1
        params, args = params[:-1] + ["__VA_ARGS__"], list(args[:first]) + [", ".join(args[first:])]
    if len(params) != len(args):
        raise ListError("%s has %d parameters, not %d" % (name, len(params), len(args)))
    out = []
    for called, inner in calls(substitute(body, params, args), WORDS_OF_FORMS + [word + r"_FORM_\w+"]):
        if called in WORDS_OF_FORMS:
            out.append(Form(called, inner[0], inner[1], split_arguments(inner[2][1:-1])))
        else:
            out += expand_forms(defined, word, called, inner)
    return out


def read_families(folder, word, name, types, template):
    """The families of a list, in its order; template: the row that represents all."""
    text = read(folder, name)
    defined = macros(text)
    out = []
    try:
        for _, (title, cls, forms) in calls(re.sub(r"^#define.*$", "", text, flags=re.M), [word + "_FAMILY"]):
            if cls not in types:
                raise ListError("types.def has no %s_TYPES_%s" % (word, cls))
            family = Family(title.strip('"'), [])
            for row in types[cls]:
                made = expand_forms(defined, word, forms, row)
                for form, of_all in zip(made, expand_forms(defined, word, forms, template)):
                    form.row, form.template = row, of_all
                family.forms += made
            out.append(family)
    except ListError as e:
        raise ListError("%s.def: %s" % (name, e)) from None
    return out


def read_singles(folder, name):
    """name -> (result, [parameters]) of the list's PLAIN lines, in its order"""
    lines = [args for _, args in calls(read(folder, name), ["PLAIN"])]
    return {name: (result, split_arguments(params[1:-1])) for result, name, params in lines}
