# SPDX-License-Identifier: BSD-3-Clause
"""What the recorder for real machines (runtime/record) has for each function of MPI, in terms of the user's mpi.h: a
function of its name that records the call, and what constants and handles are in traces."""
from .mpi_record import OBJECTS, head, kind
from .mpi_shims import named, wanted
from .text import prototype

# recorder.c has its own: these begin and end the recording.
OWN = {"Init", "Init_thread", "Finalize"}
# Without MPI_Init there is no communicator of all ranks, by whose numbers traces name them.
SESSIONS = {"Comm_create_from_group", "Intercomm_create_from_groups", "Group_from_session_pset"}
PROCESSES = {"Comm_accept", "Comm_connect", "Comm_join", "Comm_spawn", "Comm_spawn_multiple"}
# Recorded as what they came to (files.c).
BY_HAND = {"File_open", "File_delete", "File_seek", "File_seek_shared"}
# Counted only (untold.c).
UNTOLD = PROCESSES | {"Register_datarep"}
# Its other form is counted; a process that an MPI has not started has no parent.
UNRECORDED = {"Register_datarep_c", "Comm_get_parent"}
# Constants among the numbers of a call, by the names of parameters; those of "assert" and "amode" are bits.
RANK = ["MPI_ANY_SOURCE", "MPI_PROC_NULL", "MPI_ROOT"]
SETS = [
    (["dest", "source", "target_rank", "rank", "root"], RANK),
    (["tag", "sendtag", "recvtag"], ["MPI_ANY_TAG"]),
    (["color", "indx", "outcount"], ["MPI_UNDEFINED"]),
    (["split_type"], ["MPI_UNDEFINED", "MPI_COMM_TYPE_SHARED", "MPI_COMM_TYPE_HW_UNGUIDED", "MPI_COMM_TYPE_HW_GUIDED",
                      "MPI_COMM_TYPE_RESOURCE_GUIDED"]),
    (["lock_type"], ["MPI_LOCK_EXCLUSIVE", "MPI_LOCK_SHARED"]),
    (["assert", "assert_"], ["MPI_MODE_NOCHECK", "MPI_MODE_NOPRECEDE", "MPI_MODE_NOPUT", "MPI_MODE_NOSTORE",
                             "MPI_MODE_NOSUCCEED"]),
    (["required"], ["MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE"]),
    (["order"], ["MPI_ORDER_C", "MPI_ORDER_FORTRAN"]),
    (["array_of_distribs"], ["MPI_DISTRIBUTE_NONE", "MPI_DISTRIBUTE_BLOCK", "MPI_DISTRIBUTE_CYCLIC"]),
    (["array_of_dargs"], ["MPI_DISTRIBUTE_DFLT_DARG"]),
    (["amode"], ["MPI_MODE_APPEND", "MPI_MODE_CREATE", "MPI_MODE_DELETE_ON_CLOSE", "MPI_MODE_EXCL", "MPI_MODE_RDONLY",
                 "MPI_MODE_RDWR", "MPI_MODE_SEQUENTIAL", "MPI_MODE_UNIQUE_OPEN", "MPI_MODE_WRONLY"]),
    (["whence"], ["MPI_SEEK_SET"]),
    (["disp"], ["MPI_DISPLACEMENT_CURRENT"]),
]


# Every MPI from 3.1 on has these, and some, such as Open MPI, as enumerators, of which the preprocessor knows nothing.
ENUMERATED = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED", "MPI_THREAD_MULTIPLE", "MPI_COMM_TYPE_SHARED"}


def recorded(api):
    """The functions that get a wrapper here."""
    return [f for f in wanted(api) if f.base not in OWN | SESSIONS | BY_HAND | UNRECORDED and "REMOVED" not in f.words and
            not f.base.startswith("Session_")]


def value(function, param):
    """How a wrapper takes an argument."""
    k = kind(function, param)
    if k.kind == "NUMBERS":
        return "{.p = %s, .width = sizeof *%s}" % (param.name, param.name)
    if k.kind == "NUMBER":
        return "{.i = (int64_t)%s}" % param.name
    if k.kind == "HANDLE" and k.way == "IN":
        return "{.i = RECORDER_BITS(%s)}" % param.name
    if k.kind in ("FUNCTION", "NOTHING"):
        return "{.i = 0}"
    return "{.p = %s}" % param.name


def statuses(function):
    """A line that has statuses for what the program ignores, from which the recorder learns whose message it was."""
    names = [p.name for p in named(function)]
    if function.base.startswith(("Request_get_status", "File_")):
        return ""
    if "status" in names:
        return "    status = recorder_status(status);\n"
    if "array_of_statuses" in names:
        count = "incount" if "incount" in names else "count"
        return "    array_of_statuses = recorder_statuses(array_of_statuses, %s);\n" % count
    return ""


def since(text):
    major, minor = text.split(".")
    return int(major) * 10 + int(minor)


def forms(function):
    """(name, form): in every MPI's header the counts of these two are of type MPI_Count, without a second form."""
    if function.base in ("Psend_init", "Precv_init"):
        return [("MPI_" + function.base, 1)]
    return function.forms()


def heading(function, name, form):
    """The head of a wrapper. Headers disagree on one function's const, so that it has another name in C."""
    head_of = prototype(function.result, name, function.prototype(form))
    if name != "MPI_Pready_list":
        return head_of.replace(");\n", ")\n{\n")
    other = head_of.replace(name, "recorder_pready_list")
    return other.replace(");\n", ") __asm__(\"%s\");\n" % name) + other.replace(");\n", ")\n{\n")


def wrapper(function, name, form):
    names = ", ".join("(int *)(uintptr_t)" + p.name if name == "MPI_Pready_list" and "[" in p.text else p.name
                      for p in named(function))
    values = ", ".join(value(function, p) for p in named(function))
    out = "\nRECORDER_REAL(%s)\n" % name + heading(function, name, form)
    out += "    struct recorder_call c;\n"
    out += "    if (!recorder_enter(&c, RECORD_MPI_%s))\n        return real_%s(%s);\n" % (function.base.upper(), name, names)
    if function.base in UNTOLD:
        out += "    recorder_untold_before(&c);\n    int result = real_%s(%s);\n" % (name, names)
        return out + "    recorder_untold_after(&c);\n    return result;\n}\nRECORDER_ALSO(%s)\n" % name
    out += statuses(function)
    out += "    const struct record_value v[] = {%s};\n" % (values or "{.i = 0}")
    out += "    recorder_before(&c, v);\n    %s result = real_%s(%s);\n" % (function.result, name, names)
    return out + "    recorder_after(&c, v, %s);\n    return result;\n}\n" % (
        "result" if function.result == "int" else "MPI_SUCCESS") + "RECORDER_ALSO(%s)\n" % name


def guarded(function, form, text):
    """For MPIs of the version that has the function."""
    version = max(since(function.since), 40 if form else 10)
    return text if version <= 31 else "#if RECORDER_MPI >= %d\n%s#endif\n" % (version, text)


def wrappers(api):
    """runtime/record/mpi/wrappers.c"""
    out = head("wrappers: the functions of the user's MPI, recorded.", "mpi_recorder.h")
    for function in recorded(api):
        for name, form in forms(function):
            out += guarded(function, form, wrapper(function, name, form))
    out += "\nvoid recorder_find_wrapped(void)\n{\n"
    for function in recorded(api):
        for name, form in forms(function):
            out += guarded(function, form, "    RECORDER_FIND(%s);\n" % name)
    return out + "}\n"


def tables(api):
    """runtime/record/mpi/constants.c"""
    values = {args[0]: args[-1] for word, args in api.constants if word in ("CONSTANT", "POINTER")}
    out = head("constants: the user's MPI's constants and handles, and what they are in traces.", "mpi_recorder.h")
    rows = [args for word, args in api.constants if word == "HANDLE" and args[1] in OBJECTS]
    # Where an MPI does not have a type, its name is another one for the null handle, which comes first.
    rows.sort(key=lambda args: not args[0].endswith("_NULL"))
    out += "void recorder_list_handles(void)\n{\n"
    for name, c_type, number in rows:
        out += "#ifdef %s\n    recorder_predefine(RECORD_%s, RECORDER_BITS(%s), %s);\n#endif\n" % (
            name, OBJECTS[c_type], name, number)
    out += "}\n\nconst struct recorder_constant recorder_constants[] = {\n"
    for parameters, names in SETS:
        for parameter in parameters:
            for name in names:
                line = "    {\"%s\", %s, %s},\n" % (parameter, name, values[name])
                out += line if name in ENUMERATED else "#ifdef %s\n%s#endif\n" % (name, line)
    return out + "    {NULL, 0, 0},\n};\n"


def files(api):
    """path below root -> what it contains"""
    return {"runtime/record/mpi/wrappers.c": wrappers(api), "runtime/record/mpi/constants.c": tables(api)}
