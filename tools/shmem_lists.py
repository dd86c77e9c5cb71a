# SPDX-License-Identifier: BSD-3-Clause
"""Reads the lists src/shmem/*.def as the preprocessor does, for gen_shmem.py. What a list contains is said at the
head of src/shmem/rma.def and plain.def."""
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LISTS = os.path.join(ROOT, "src", "shmem")


class Form:
    """One function (or pair of functions) of a family, for one type."""

    def __init__(self, kind, result, name, params):
        self.ctx = "CTX" in kind
        self.generic = None  # the C11 name, when there is one
        self.has_generic = "GENERIC" in kind
        self.result, self.name, self.params = result, name, params
        self.type = self.typename = None
        self.template = None  # the same form for the type T named N


class Family:
    def __init__(self, title, types, forms):
        self.title, self.types, self.forms = title, types, forms


def read(name):
    with open(os.path.join(LISTS, name + ".def"), encoding="utf-8") as f:
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
            depth += {"(": 1, ")": -1}.get(text[i], 0)
            i += 1
        found.append((m.group(1), split_arguments(text[m.end():i - 1])))
        at = i


def macros(text):
    out = {}
    for m in re.finditer(r"^#define (\w+)\(([^)]*)\)(.*)$", text, re.M):
        out[m.group(1)] = ([p.strip() for p in m.group(2).split(",")], m.group(3))
    return out


def substitute(body, params, args):
    """As the preprocessor does it: tokens next to ## are parameters, too."""
    pieces = re.split(r"(\b\w+\b)", body)
    table = dict(zip(params, args))
    return re.sub(r"\s*##\s*", "", "".join(table.get(p, p) for p in pieces))


def read_types():
    defined = macros(read("types"))
    out = {}

    def expand(name):
        if name not in out:
            body = defined[name][1]
            out[name] = []
            for word, args in calls(body, ["X", r"SHMEM_TYPES_\w+"]):
                out[name] += expand(word) if word != "X" else [tuple(args)]
        return out[name]

    for name in defined:
        expand(name)
    return {k[len("SHMEM_TYPES_"):]: v for k, v in out.items()}


def expand_forms(defined, name, args):
    params, body = defined[name]
    body = substitute(body, params, args)
    out = []
    for word, inner in calls(body, ["FORM", "FORM_GENERIC", "FORM_CTX", "FORM_CTX_GENERIC", "SHMEM_FORM_TO_ALL"]):
        if word.startswith("SHMEM_"):
            out += expand_forms(defined, word, inner)
        else:
            out.append(Form(word, inner[0], inner[1], split_arguments(inner[2][1:-1])))
    return out


def read_families(list_name, types):
    text = read(list_name)
    defined = macros(text)
    out = []
    for _, (title, cls, forms) in calls(re.sub(r"^#define.*$", "", text, flags=re.M), ["SHMEM_FAMILY"]):
        all_forms = []
        templates = expand_forms(defined, forms, ["T", "N"])
        for t, n in types[cls]:
            for f, template in zip(expand_forms(defined, forms, [t, n]), templates):
                f.type, f.typename, f.template = t, n, template
                if f.has_generic:
                    f.generic = f.name[len(n) + 1:]
                all_forms.append(f)
        out.append(Family(title.strip('"'), types[cls], all_forms))
    return out


def plain_forms(list_name="plain"):
    """name -> (result, [parameters]), in the list's order"""
    return {args[1]: (args[0], split_arguments(args[2][1:-1])) for _, args in calls(read(list_name), ["PLAIN"])}
