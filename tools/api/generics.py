# SPDX-License-Identifier: BSD-3-Clause
"""The type-generic names of OpenSHMEM: C11 selections, and C++ overloads of the same meaning."""
import re

from .text import WIDTH, multiline, prototype

# The underlying types on the platforms that pgasim supports (LP64): one type must not be in a _Generic twice.
BASIC = {
    "int8_t": "signed char", "int16_t": "short", "int32_t": "int", "int64_t": "long",
    "uint8_t": "unsigned char", "uint16_t": "unsigned short", "uint32_t": "unsigned int",
    "uint64_t": "unsigned long", "size_t": "unsigned long", "ptrdiff_t": "long",
}


def table(families):
    """generic name -> (ctx form?, position of the typed pointer, [(type, TYPENAME)], the first form)"""
    out = {}
    for form in (f for family in families for f in family.forms if f.has_generic):
        of_type, typename = form.row
        name = form.name[len(typename) + 1:]
        bare = [p.split("*")[0].replace("const ", "").strip() for p in form.params]
        types = out.setdefault(name, (form.ctx, bare.index(of_type), [], form))[2]
        if BASIC.get(of_type, of_type) not in [BASIC.get(t, t) for t, _ in types]:
            types.append(form.row)
    return out


def type_sets(generic):
    """Names for the lists of types that the generics use: PGASIM_PICK_1, ..."""
    names = {}
    for _, _, types, _ in generic.values():
        names.setdefault(tuple(types), "PGASIM_PICK_%d" % (len(names) + 1))
    return names


# Generic names that differ from a function of the same name by a handle as first argument.
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
    _Generic((PGASIM_1ST(__VA_ARGS__)), \\
        shmem_ctx_t: (PGASIM_2ND(__VA_ARGS__)), default: (PGASIM_1ST(__VA_ARGS__)))
#define PGASIM_BY_CTX(PICK, after, ...) \\
    _Generic((PGASIM_1ST(__VA_ARGS__)), \\
        shmem_ctx_t: _Generic(*PGASIM_AFTER_CTX(__VA_ARGS__), PICK(shmem_ctx_, after)), \\
        default: _Generic(*PGASIM_AFTER_CTX(__VA_ARGS__), PICK(shmem_, after)))(__VA_ARGS__)
#define PGASIM_BY_1ST(PICK, after, ...) _Generic(*(PGASIM_1ST(__VA_ARGS__)), PICK(shmem_, after))(__VA_ARGS__)
#define PGASIM_BY_2ND(PICK, after, ...) _Generic(*(PGASIM_2ND(__VA_ARGS__)), PICK(shmem_, after))(__VA_ARGS__)

"""


def c11(generic):
    """The C11 section of shmem.h."""
    out = C11_HEAD
    names = type_sets(generic)
    for types, name in names.items():
        items = ["%s: before##%s##after%s" % (t, n, "," if i + 1 < len(types) else "")
                 for i, (t, n) in enumerate(types)]
        out += multiline(name + "(before, after)", items)
    out += "\n"
    for g, (ctx, at, types, _) in generic.items():
        way = "PGASIM_BY_CTX" if ctx else "PGASIM_BY_1ST" if at == 0 else "PGASIM_BY_2ND"
        out += "#define shmem_%s(...) %s(%s, _%s, __VA_ARGS__)\n" % (g, way, names[tuple(types)], g)
    for name, handle, function in BY_HANDLE:
        pick = "%s: %s, default: %s" % (handle, function, name)
        out += "#define %s(...) \\\n    _Generic((PGASIM_1ST(__VA_ARGS__)), \\\n" % name + \
            "        %s)(__VA_ARGS__)\n" % pick
    return out + "#endif\n"


INNER = WIDTH - 6  # columns of a line within a macro: four before it, a backslash after it


def overload(form, g):
    """The bodies of the C++ overloads of a generic name, for the type T named N."""
    form = form.template

    def function(name, params):
        args = [re.search(r"(\w+)$", p).group(1) for p in params]
        head = prototype("inline " + form.result, "shmem_" + g, params, INNER).rstrip(";\n").split("\n")
        return head + ["{", "    %sshmem_%s##N##_%s(%s);" % (
            "" if form.result == "void" else "return ", name, g, ", ".join(args)), "}"]

    lines = function("", form.params)
    return lines + (function("ctx_", ["shmem_ctx_t ctx"] + form.params) if form.ctx else [])


CXX_HEAD = """
/* --- C++ overloads, the counterpart of the C11 forms --------------------------------------------------- */
#if defined(__cplusplus) && !defined(PGASIM_SHMEM_NO_GENERICS)
extern "C++" {
"""


def cxx(generic, single):
    """The C++ section of shmem.h; single: the functions that belong to no family."""
    out = CXX_HEAD
    names = {}
    for types in type_sets(generic):
        names[types] = "PGASIM_EACH_%d" % (len(names) + 1)
        out += multiline(names[types] + "(X)", ["X(%s, %s)" % t for t in types])
    for g, (_, _, types, form) in generic.items():
        # shmem_wait_until of long is a function of its own (deprecated), with C linkage.
        own = [t for t in types if not (g == "wait_until" and t[0] == "long")]
        body = " \\\n    ".join(overload(form, g))
        each = names.get(tuple(own))
        if not each:
            each = "PGASIM_EACH_" + g
            out += multiline(each + "(X)", ["X(%s, %s)" % t for t in own])
        out += "#define PGASIM_FORM(T, N) \\\n    %s\n%s(PGASIM_FORM)\n#undef PGASIM_FORM\n" % (body, each)
    for name, _, function in BY_HANDLE:
        result, params = single[function]
        args = [re.search(r"(\w+)$", p).group(1) for p in params]
        out += prototype("inline " + result, name, params).rstrip(";\n") + "\n{\n    %s%s(%s);\n}\n" % (
            "" if result == "void" else "return ", function, ", ".join(args))
    return out + "}\n#endif\n"
