# SPDX-License-Identifier: BSD-3-Clause
"""MPI's functions as Fortran has them (MPI-5.0 chapter 19), by rules from the lists for C: which parameters are LOGICAL,
text, choice buffers, arrays of handles, and which functions need code of their own."""
import re

HANDLES = {"MPI_Comm": "MPI_Comm", "MPI_Group": "MPI_Group", "MPI_Datatype": "MPI_Datatype", "MPI_Op": "MPI_Op",
           "MPI_Request": "MPI_Request", "MPI_Message": "MPI_Message", "MPI_Errhandler": "MPI_Errhandler",
           "MPI_Info": "MPI_Info", "MPI_Session": "MPI_Session", "MPI_Win": "MPI_Win", "MPI_File": "MPI_File"}
LOGICALS = {"flag", "periods", "reorder", "remain_dims", "high", "weighted", "is_set", "commute"}
# What has another name in Fortran.
RENAMED = {"indx": "index"}
# Written by hand (src/mpi/fortran/): what they are called with differs more than rules can say.
SPECIAL = {"Init", "Init_thread", "Info_get_string", "Session_get_nth_pset", "Comm_spawn", "Comm_spawn_multiple",
           "Grequest_start", "Comm_create_keyval", "Type_create_keyval", "Win_create_keyval", "Keyval_create",
           "Comm_set_attr", "Type_set_attr", "Win_set_attr", "Attr_put", "Comm_get_attr", "Type_get_attr",
           "Win_get_attr", "Attr_get", "Info_create_env", "Register_datarep", "Register_datarep_c"}
# C's alone.
NOT_IN_FORTRAN = {"Pcontrol", "Abi_get_fortran_booleans", "Abi_set_fortran_booleans"}
# Parameters that Fortran leaves out.
LEFT_OUT = {"Init": {"argc", "argv"}, "Init_thread": {"argc", "argv"}, "Info_create_env": {"argc", "argv"}}
# Read and written, though their names do not say so.
IN_OUT = {"position", "buflen", "pset_len", "array_of_requests"}
IN_OUT_OF = {("Start", "request"), ("Test", "request"), ("Wait", "request"), ("Type_commit", "datatype"),
             ("Imrecv", "message"), ("Mrecv", "message"), ("Comm_disconnect", "comm"), ("File_close", "fh"),
             ("Session_finalize", "session"), ("Dims_create", "dims")}
# How many handles an array has.
LENGTHS = {"array_of_requests": "count", "array_of_types": "count", "array_of_datatypes": "max_datatypes",
           "array_of_info": "count", "sendtypes": "members", "recvtypes": "members"}
# How long C's text may be.
TEXT_LENGTHS = {"comm_name": "MPI_MAX_OBJECT_NAME", "type_name": "MPI_MAX_OBJECT_NAME", "win_name": "MPI_MAX_OBJECT_NAME",
                "string": "MPI_MAX_ERROR_STRING", "version": "MPI_MAX_LIBRARY_VERSION_STRING",
                "name": "MPI_MAX_PROCESSOR_NAME", "key": "MPI_MAX_INFO_KEY", "port_name": "MPI_MAX_PORT_NAME",
                "datarep": "MPI_MAX_DATAREP_STRING", "value": "*valuelen"}
# Buffers of collectives that hold `count` items, as those of point-to-point calls do: the others hold as many for each
# member.
COUNTED_BUFFERS = {"sendbuf": ("Gather", "Allgather", "Neighbor_allgather"), "recvbuf": ("Scatter",)}


class Argument:
    """A parameter of a function of Fortran. `kind` is integer, logical, count, aint, offset, bigcount, short (an INTEGER
    where C has an MPI_Aint), handle, status, choice, pointer, detached, text, function, attribute, state or special."""

    def __init__(self, function, param):
        m = re.match(r"(const )?(\w+)\s*(\**)(\w+)((?:\[\w*\])*)$", param.text)
        const, self.type, stars, self.name, brackets = m.groups()
        self.param, self.second = param, param.second
        self.fortran = RENAMED.get(self.name, self.name)
        if function.base == "Precv_init" and self.name == "dest":
            self.fortran = "source"
        self.array = bool(brackets) or self.name == "array_of_statuses"
        self.matrix = brackets.count("[") > 1
        self.written = bool(stars or brackets) and not const
        self.read = not self.written
        self.kind = self.find_kind(function, stars)
        if self.written and (self.name in IN_OUT or function.base.endswith("free") or function.base.endswith("free_keyval")
                             or function.base.startswith("Status_set") or (function.base, self.name) in IN_OUT_OF):
            self.read = True
        if function.base == "Cancel" or function.base.startswith("Request_get_status"):
            self.written = self.written and self.name not in ("request", "array_of_requests")
        if self.kind in ("text",) and not const:
            self.read = False

    def find_kind(self, function, stars):
        if re.search(r"_function(_c)?$", self.type):
            return "function"
        if self.type == "void":
            if self.name == "buffer_addr":
                return "detached"
            return {"attribute_val": "attribute", "extra_state": "state", "baseptr": "pointer"}.get(self.name, "choice")
        if self.type == "char":
            return "text"
        if self.type in HANDLES:
            return "handle"
        if self.type == "MPI_Status":
            return "status"
        if self.second:
            return "count"
        if self.type == "MPI_Aint":
            return "short" if "REMOVED" in function.words else "aint"
        if self.type in ("MPI_Offset", "MPI_Count"):
            return {"MPI_Offset": "offset", "MPI_Count": "bigcount"}[self.type]
        if "weights" in self.name or self.name == "array_of_errcodes":
            return "special"
        return "logical" if self.name in LOGICALS else "integer"

    def wide(self, form):
        """A count's C type."""
        return re.search(r"\b(MPI_Count|MPI_Aint|int)\b", self.param.of_form(form)).group(1)


class Subroutine:
    """A function of a list as Fortran has it."""

    def __init__(self, function):
        self.function, self.base = function, function.base
        self.lower = "mpi_" + function.base.lower()
        left_out = LEFT_OUT.get(function.base, ())
        self.arguments = [Argument(function, p) for p in function.params if p.name not in left_out and p.name != "..."]
        self.special = function.base in SPECIAL
        self.absent = "ABSENT" in function.words
        self.choices = [a for a in self.arguments if a.kind == "choice"]
        # mpi_f08 has entry points of its own
        self.differs = bool(self.choices) or any(a.kind == "detached" for a in self.arguments)
        self.later = any(a.name == "request" and a.written for a in self.arguments) or \
            function.chapter == "win" or bool(re.search(r"_(begin|init)$", function.base))
        self.old = "REMOVED" in function.words or function.base in ("Attr_put", "Attr_get", "Attr_delete",
                                                                     "Keyval_create", "Keyval_free")

    def forms(self):
        return [form for _, form in self.function.forms()]

    def large_differs(self):
        """Is the large form told from the usual one by the kinds of its arguments?"""
        return any(a.second and a.wide(0) == "int" and a.wide(1) != "int" for a in self.arguments)

    def f08_forms(self):
        """(form, the specific procedure's name) of mpi_f08."""
        if self.old:
            return []
        end = "_f08ts" if self.choices else "_f08"
        out = [(0, "MPI_" + self.base + end)]
        if 1 in self.forms() and self.large_differs():
            out.append((1, "MPI_" + self.base + "_c" + end))
        return out

    def use(self, argument):
        """How a choice buffer is described to C: "pair" with the count and the datatype behind it, "whole", or "first"."""
        at = self.arguments.index(argument)
        names = [a.name for a in self.arguments]
        behind = self.arguments[at + 1:at + 3]
        pair = len(behind) == 2 and behind[0].second == "COUNT" and not behind[0].array and behind[1].type == "MPI_Datatype" \
            and not behind[1].array
        if not pair:
            counted = any(re.search("datatype|type", n) for n in names) or argument.name == "outbuf"
            return "whole" if counted and self.base not in ("Fetch_and_op", "Compare_and_swap") else "first"
        if self.function.chapter == "coll" and "cast" not in self.base:
            plain = re.sub("^I", "", self.base).replace("_init", "")
            plain = plain[0].upper() + plain[1:]
            return "pair" if plain in COUNTED_BUFFERS.get(argument.name, ()) else "whole"
        if self.base.startswith("Reduce") or argument.name == "inbuf" and self.base.startswith("Unpack"):
            return "whole"
        return "pair"


def subroutines(api):
    """Every function that Fortran has, in the order of the lists."""
    chapters = [f for f in api.functions if f.chapter not in ("tool", "convert")]
    return [Subroutine(f) for f in chapters if f.base not in NOT_IN_FORTRAN]
