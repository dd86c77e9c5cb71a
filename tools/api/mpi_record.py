# SPDX-License-Identifier: BSD-3-Clause
"""What recorders and players of MPI's calls know of each function: its signature, the function that records it, the
one that plays it. Kinds and lengths of parameters follow from the standard's names for them."""
import re

from .lists import ListError
from .mpi_shims import core_name, core_param, named, recorded_name, wanted
from .outputs import TOOL, UNFORMATTED
from .text import LICENCE, prototype

OBJECTS = {"MPI_Comm": "COMM", "MPI_Group": "GROUP", "MPI_Datatype": "TYPE", "MPI_Op": "OP", "MPI_Request": "REQUEST",
           "MPI_Message": "MESSAGE", "MPI_Errhandler": "ERRHANDLER", "MPI_Info": "INFO", "MPI_Session": "SESSION",
           "MPI_Win": "WIN", "MPI_File": "FILE"}
# Functions whose parameter *request, *message, ... is read and changed; others make a new one.
CHANGED = {"Start": "request", "Wait": "request", "Test": "request", "Cancel": "request", "Request_free": "request",
           "Comm_free": "comm", "Comm_disconnect": "comm", "Group_free": "group", "Type_free": "datatype", "Type_commit": "datatype",
           "Op_free": "op", "Info_free": "info", "Win_free": "win", "Imrecv": "message", "Mrecv": "message",
           "Session_finalize": "session", "File_close": "fh"}
# Functions that start processes. Of commands and arguments a trace does not tell.
STARTS = {"Comm_spawn", "Comm_spawn_multiple"}
# What the standard's functions have not: the bytes that the file had (mpi/file/file.h); the first new process, a rank of the
# trace, and how many each command has started (mpi/process/).
MORE = {"File_open": ["size"], "Comm_spawn": ["first", "started"], "Comm_spawn_multiple": ["first", "started"]}
# Those of these functions are written by hand (recorded/files.c, recorded/processes.c).
BY_HAND = {"File_open", "File_delete", "File_seek", "File_seek_shared", "Comm_accept", "Comm_connect", "Comm_join", "Comm_spawn",
           "Comm_spawn_multiple"}
# That the recorded call has failed its player learns from the handle that it gave.
MAY_FAIL = {"Comm_accept": "newcomm", "Comm_connect": "newcomm", "Comm_join": "intercomm"}
ADDRESSES = {"Win_attach": "base", "Win_detach": "base"}
MARKS = [("MPI_LB", 0x3f0), ("MPI_UB", 0x3f1)]  # MPI-1's, no longer in the standard
WIDTHS = {"int": 4, "MPI_Aint": 8, "COUNT": 0, "DISPL": 0, "BYTES": 8}


class Kind:
    """What a parameter is: a row of the table of signatures."""

    def __init__(self, kind, thing="0", way="IN", length="NONE", of=(0, 0), width=0):
        self.kind, self.thing, self.way, self.length, self.of, self.width = kind, thing, way, length, of, width

    def row(self, name):
        return "    {\"%s\", RECORD_%s, %s, RECORD_%s, RECORD_LENGTH_%s, {%d, %d}, %d},\n" % (
            name, self.kind, self.thing, self.way, self.length, self.of[0], self.of[1], self.width)


def place(function, name):
    for k, p in enumerate(function.params):
        if p.name == name:
            return k
    raise ListError("%s: no parameter %s" % (function.base, name))


def first(function, names):
    return next(place(function, n) for n in names if any(p.name == n for p in function.params))


def length(function, name):
    """How long an array is: a rule and the parameters that it needs."""
    base, has = function.base, {p.name for p in function.params}
    if name == "array_of_partitions":
        return "PARAMETER", (place(function, "length"), 0)
    if name == "ranges":
        return "TRIPLES", (place(function, "n"), 0)
    if name == "ranks":
        return "PARAMETER", (place(function, "n"), 0)
    if name == "array_of_indices":
        return "RESULT", (place(function, "outcount"), 0)
    if name in ("dims", "periods"):
        return "PARAMETER", (place(function, "ndims"), 0)
    if name == "remain_dims":
        return "DIMENSIONS", (place(function, "comm"), 0)
    if base == "Dist_graph_create":
        return {"sources": ("PARAMETER", (place(function, "n"), 0)), "degrees": ("PARAMETER", (place(function, "n"), 0)),
                "destinations": ("SUM", (place(function, "degrees"), 0)),
                "weights": ("SUM", (place(function, "degrees"), 0))}[name]
    if base == "Dist_graph_create_adjacent":
        return "PARAMETER", (place(function, "indegree" if "source" in name else "outdegree"), 0)
    if base == "Graph_create":
        return ("PARAMETER", (place(function, "nnodes"), 0)) if name == "indx" else ("LAST", (place(function, "indx"), 0))
    if name in ("sendcounts", "sdispls", "sendtypes", "recvcounts", "rdispls", "recvtypes", "displs"):
        comm = place(function, "comm")
        if "eighbor" in base:
            return "OUTDEGREE" if name.startswith("s") else "INDEGREE", (comm, 0)
        if "root" in has:
            return "AT_ROOT", (comm, place(function, "root"))
        return "LOCAL" if "educe_scatter" in base else "MEMBERS", (comm, 0)
    if base.startswith("Type_get_contents"):
        return "CONTENTS", (place(function, "datatype"), place(function, "max_datatypes"))
    if name.startswith("array_of_"):
        return "PARAMETER", (first(function, ["count", "incount", "ndims"]), 0)
    raise ListError("%s: the length of %s is not known" % (base, name))


def array(function, param, words):
    if function.base.startswith("Type_get_contents") and param.name != "array_of_datatypes":
        return Kind("NOTHING")
    rule, of = length(function, param.name)
    for c_type, thing in OBJECTS.items():
        if c_type in words:
            way = "OUT" if rule == "CONTENTS" else "IN" if words[0] == "const" or thing != "REQUEST" else "CHANGED"
            return Kind("HANDLES", "RECORD_" + thing, way, rule, of, 8)
    width = next(w for t, w in WIDTHS.items() if t in words)
    if rule == "RESULT":
        return Kind("NUMBERS", way="OUT", length=rule, of=of, width=width)
    return Kind("NUMBERS", length=rule, of=of, width=width)


def pointer(function, param, words):
    base = function.base
    if "MPI_Status" in words:
        return Kind("STATUS", way="OUT")
    for c_type, thing in OBJECTS.items():
        if c_type in words:
            return Kind("HANDLE", "RECORD_" + thing, "CHANGED" if CHANGED.get(base) == param.name else "OUT")
    if any(re.search(r"_function(_c)?$", w) for w in words):
        return Kind("FUNCTION")
    if "char" in words and words[0] == "const":
        return Kind("TEXT")
    if "void" in words and param.name not in ("baseptr", "buffer_addr", "extra_state"):
        return Kind("ADDRESS" if ADDRESSES.get(base) == param.name else "BUFFER")
    if param.name in ("flag", "indx", "outcount"):
        return Kind("ANSWER", way="OUT")
    return Kind("NOTHING")


def kind(function, param):
    """The Kind of a parameter."""
    words = re.findall(r"\w+", param.text)
    if function.base in STARTS and param.name != "array_of_info" and ("[" in param.text or param.name == "command"):
        return Kind("NOTHING")
    if "[" in param.text:
        return array(function, param, words)
    if "*" in param.text:
        return pointer(function, param, words)
    for c_type, thing in OBJECTS.items():
        if c_type in words:
            return Kind("HANDLE", "RECORD_" + thing)
    return Kind("NUMBER")


def head(what, *includes):
    return LICENCE + "/* Generated by %s from the lists in src/mpi: change those and run it again. */\n" % TOOL + \
        UNFORMATTED + "/* %s */\n" % what + "".join("#include \"%s\"\n" % i for i in includes) + "\n"


def numbers_header(api):
    """src/record/mpi_numbers.h"""
    return head("mpi_numbers: the numbers of MPI's functions in record_mpi.").replace("/* mpi_numbers", "/* mpi_numbers") + \
        "#ifndef PGASIM_RECORD_MPI_NUMBERS_H\n#define PGASIM_RECORD_MPI_NUMBERS_H\n\nenum record_mpi_number {\n" + \
        "".join("    RECORD_MPI_%s,\n" % f.base.upper() for f in sorted(wanted(api), key=lambda f: f.base)) + \
        "    RECORD_MPI_FUNCTIONS\n};\n\n#endif\n"


def rows(function):
    """The parameters of a function that has any."""
    found = [kind(function, p).row(p.name) for p in named(function)]
    return found + [more_kind(name).row(name) for name in MORE.get(function.base, [])]


def more_kind(name):
    """The Kind of what MORE has."""
    return Kind("NUMBERS", length="GIVEN", width=4) if name == "started" else Kind("NUMBER")


def signatures(api):
    """src/record/mpi.c"""
    functions = sorted(wanted(api), key=lambda f: f.base)
    out = head("mpi: the signatures of MPI's functions, sorted by name; the handles and pointers that the standard names.",
               "record/record.h")
    for f in functions:
        if named(f):
            out += "static const struct record_param of_%s[] = {\n%s};\n" % (
                f.base.lower(), "".join(rows(f)))
    out += "\nconst struct record_function record_mpi[] = {\n"
    for f in functions:
        out += "    {\"MPI_%s\", %s, %d},\n" % (f.base, "of_" + f.base.lower() if named(f) else "NULL", len(rows(f)))
    out += "};\nconst size_t record_mpi_count = BASE_LENGTH(record_mpi);\n\nconst struct record_name record_mpi_names[] = {\n"
    for word, args in api.constants:
        if word == "HANDLE" and args[1] in OBJECTS:
            out += "    {\"%s\", RECORD_%s, %s},\n" % (args[0], OBJECTS[args[1]], args[2])
    out += "".join("    {\"%s\", RECORD_TYPE, %#x},\n" % mark for mark in MARKS)
    return out + "};\nconst size_t record_mpi_names_count = BASE_LENGTH(record_mpi_names);\n"


def value(function, param):
    """How a recorder takes an argument, in C."""
    k = kind(function, param)
    if k.kind == "NUMBERS":
        if param.second and param.second != "BYTES":
            return "{.p = %s.at, .width = %s.wide ? 8 : 4}" % (param.name, param.name)
        return "{.p = %s, .width = %d}" % (param.name, k.width)
    if k.kind == "NUMBER" or k.kind == "HANDLE" and k.way == "IN":
        return "{.i = (int64_t)%s}" % param.name
    if k.kind == "FUNCTION" or k.kind == "NOTHING":
        return "{.i = 0}"
    return "{.p = %s}" % param.name


def recorded_prototype(function):
    return prototype(function.result, recorded_name(function),
                     ["struct mpi_call *c"] + [core_param(p) for p in named(function)])


def recorders(api):
    """src/mpi/recorded/recorders.c"""
    out = head("recorders: the functions of calls.h, recorded.", "mpi/recorded/parts.h", "mpi/recorded/recorded.h")
    for f in wanted(api):
        if f.base in BY_HAND:
            continue
        names = ["c"] + [p.name for p in named(f)]
        out += "\n" + recorded_prototype(f).replace(");\n", ")\n{\n")
        if named(f):
            out += "    const struct record_value v[] = {%s};\n" % ", ".join(value(f, p) for p in named(f))
        out += "    struct record_words w = {0};\n"
        out += "    mpi_record_before(c, &w, RECORD_MPI_%s, %s);\n" % (f.base.upper(), "v" if named(f) else "NULL")
        out += "    %s rc = %s(%s);\n" % (f.result, core_name(f), ", ".join(names))
        out += "    mpi_record_after(c, &w, RECORD_MPI_%s, %s, %s);\n    return rc;\n}\n" % (
            f.base.upper(), "v" if named(f) else "NULL", "rc" if f.result == "int" else "MPI_SUCCESS")
    return out


def played(function, param, k):
    """How a player passes a value, in C."""
    how = kind(function, param)
    text = core_param(param)
    if how.kind == "NUMBERS" and param.second and param.second != "BYTES":
        return "(struct mpi_numbers){v[%d].p, true}" % k
    if how.kind == "NUMBER":
        return "(%s)v[%d].i" % (re.sub(r"\s*\b%s$" % param.name, "", text), k) if not text.startswith("MPI_Count") else "v[%d].i" % k
    if how.kind == "HANDLE" and how.way == "IN":
        return "MPI_HANDLE(%s, v[%d].i)" % (text.split()[0], k)
    if how.kind == "FUNCTION":
        return "%s" % {"query_fn": "query", "free_fn": "release", "cancel_fn": "cancel",
                       "user_fn": "combine_c" if function.base.endswith("_c") else "combine"}.get(param.name, "NULL")
    if text.startswith("const") and "[" not in text:
        return "v[%d].p" % k
    return "(void *)(uintptr_t)v[%d].p" % k


def players(api):
    """src/mpi/recorded/players.c"""
    out = head("players: the functions of calls.h, called with values.", "mpi/calls.h", "mpi/recorded/parts.h")
    out += "/* What stands for the program's functions. */\n" + \
        "static void combine(void *in, void *inout, int *n, MPI_Datatype *type)\n{\n    (void)in, (void)inout, (void)n, (void)type;\n}\n" + \
        "static void combine_c(void *in, void *inout, MPI_Count *n, MPI_Datatype *type)\n{\n    (void)in, (void)inout, (void)n, (void)type;\n}\n" + \
        "static int query(void *extra, MPI_Status *status)\n{\n    (void)extra, (void)status;\n    return MPI_SUCCESS;\n}\n" + \
        "static int release(void *extra)\n{\n    (void)extra;\n    return MPI_SUCCESS;\n}\n" + \
        "static int cancel(void *extra, int complete)\n{\n    (void)extra, (void)complete;\n    return MPI_SUCCESS;\n}\n"
    for f in wanted(api):
        if f.base in STARTS: # recorded/processes.c
            continue
        arguments = ", ".join(["&c"] + [played(f, p, k) for k, p in enumerate(named(f))])
        out += "\nstatic int play_%s(const struct record_value *v)\n{\n" % f.base.lower()
        if not named(f):
            out += "    (void)v;\n"
        out += "    struct mpi_call c = MPI_ENTER_%s%s(\"MPI_%s\");\n" % (
            "ISSUE" if "ISSUE" in f.words else "FULL", "_ANYTIME" if "ANYTIME" in f.words else "", f.base)
        if f.base in MORE:
            out += "    c.told = &(struct mpi_beside){.%s = v[%d].i};\n" % (MORE[f.base][0], len(named(f)))
        if f.base in MAY_FAIL:
            out += "    c.told = &(struct mpi_beside){.fails = v[%d].i < RECORD_MADE};\n" % place(f, MAY_FAIL[f.base])
        call = "%s(%s)" % (core_name(f), arguments)
        if f.result == "int":
            out += "    return mpi_leave(&c, %s);\n}\n" % call
        else:
            out += "    %s;\n    return mpi_leave(&c, MPI_SUCCESS);\n}\n" % call
    out += "\nint (*const mpi_players[])(const struct record_value *v) = {\n"
    out += "".join("    %splay_%s,\n" % ("mpi_" if f.base in STARTS else "", f.base.lower())
                   for f in sorted(wanted(api), key=lambda f: f.base)) + "};\n"
    return out


def recorded_header(api):
    """src/mpi/recorded/recorded.h"""
    out = head("recorded: the functions of calls.h, recorded.", "mpi/calls.h")
    out = out.replace("#include", "#ifndef PGASIM_MPI_RECORDED_RECORDED_H\n#define PGASIM_MPI_RECORDED_RECORDED_H\n\n#include", 1)
    return out + "extern bool mpi_recording; /* calls of this job are recorded */\n" + \
        "#define MPI_RECORDED(recorded, plain) (BASE_UNLIKELY(mpi_recording) ? (recorded) : (plain))\n" + \
        "/* While calls are recorded: a datatype of so many bytes that the library has made for a call, and its end. */\n" + \
        "void mpi_record_type(struct mpi_call *c, MPI_Datatype made, int64_t count, MPI_Datatype of);\n" + \
        "void mpi_record_type_end(struct mpi_call *c, MPI_Datatype made);\n\n" + \
        "/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */\n" + \
        "".join(recorded_prototype(f) for f in wanted(api)) + \
        "/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */\n\n#endif\n"


def files(api):
    """path below root -> what it contains"""
    return {"src/record/mpi_numbers.h": numbers_header(api), "src/record/mpi.c": signatures(api),
            "src/mpi/recorded/recorders.c": recorders(api), "src/mpi/recorded/recorded.h": recorded_header(api),
            "src/mpi/recorded/players.c": players(api)}
