# SPDX-License-Identifier: BSD-3-Clause
"""The house: its modules, their rooms, and who sees whom. All rules of the layers that are tables are in this
file; the other files of this folder use them.

A module is a folder of src/, a room is a folder in a module. Other modules see only a module's public header,
MODULE/MODULE.h. The rest of a module sees only a room's public header, MODULE/ROOM/ROOM.h. All files of a
module may include MODULE/MODULE.h and MODULE/internal.h; other headers are private to their folder.
"""

# Lowest first: a module sees only modules that stand before it, and of those only the ones named here.
SEES = {
    "base": "",
    "noise": "base",
    "record": "base",
    "trace": "base",
    "engine": "base",
    "node": "base engine",
    "fluid": "base engine",
    "platform": "base fluid",
    "energy": "base engine fluid platform",
    "fabric": "base noise engine node fluid platform energy",
    "types": "base",
    "rank": "base noise trace engine platform energy fabric",
    "clocks": "base platform fabric rank",
    "storage": "base trace engine fluid platform fabric rank",
    "fold": "base trace engine platform energy fabric rank clocks storage",
    "rma": "base trace engine node platform fabric types rank",
    "p2p": "base trace engine platform fabric types rank",
    "coll": "base trace engine platform fabric types rank p2p",
    "tune": "base trace engine fluid platform fabric types rank p2p coll",
    "shmem": "base record trace engine platform fabric types rank clocks rma coll",
    "mpi": "base record trace engine platform fabric types rank clocks storage rma p2p coll",
    "sdsm": "",
    "riscv": "base record trace engine node platform fabric types rank clocks rma",
    "check": "base trace engine platform fabric types rank rma p2p coll",
    "replay": "base noise record trace engine platform fabric types rank storage rma p2p coll shmem mpi riscv",
    "report": "base trace",
    "deploy": "base platform",
    "sweep": "base",
    "calibrate": "base",
    "cli": "base noise record trace engine node fluid platform energy fabric types rank clocks storage fold rma p2p coll tune shmem mpi riscv check "
           "replay report deploy sweep calibrate",
}

# The rooms of a module, lowest first, and which of its other rooms each sees. "." is the module's own folder.
ROOMS = {
    "trace": {
        "stream": "",
        "pgt": "stream",
        "foreign": "stream",
        ".": "stream pgt foreign",
    },
    "fold": {
        "elf": "",
        "ahead": "elf",
        "image": "elf ahead",
        "where": "elf image",
        "files": "",
        "heap": "elf image",
        "libc": "elf ahead image where files",
        "io": "image files libc",
        "poll": "elf image libc",
        "annotate": "elf image where heap libc",
        "thread": "elf image libc io annotate",
        "sanitize": "elf image libc thread",
        "touch": "libc io",
        "view": "image where",
        ".": "elf ahead image where files heap libc io poll annotate thread sanitize touch view",
    },
    "coll": {
        "rules": "",
        "schedule": "",
        "barrier": "schedule",
        "rooted": "schedule",
        "broadcast": "schedule rooted",
        "allgather": "schedule rooted broadcast",
        "alltoall": "schedule barrier",
        "scan": "schedule",
        "reduce_scatter": "schedule rooted alltoall",
        "reduce": "schedule rooted broadcast allgather alltoall reduce_scatter",
        "neighbor": "schedule",
        "levels": "schedule barrier rooted broadcast allgather alltoall scan reduce_scatter reduce",
        ".": "rules schedule barrier rooted broadcast allgather alltoall scan reduce_scatter reduce neighbor "
             "levels",
        "put": ".",
        "p2p": ".",
    },
    "mpi": {
        ".": "",
        "attr": ".",
        "info": ".",
        "type": ". attr",
        "comm": ". attr info",
        "message": ". type comm",
        "collective": ". type comm message",
        "tool": ". info type comm message",
        "win": ". attr info type comm message collective",
        "file": ". info type comm message",
        "process": ". info type comm",
        "env": ". attr info type comm message collective tool win file process",
        "recorded": ". attr info type comm message collective env tool win file process",
        "fortran": ". attr info type comm message collective env tool win file process recorded",
        "shims": ". attr info type comm message collective env tool win file process recorded",
    },
    "check": {
        "clock": "",
        "shadow": "",
        "finding": "",
        "race": "clock shadow finding",
        "watch": "race finding",
        "memory": "",
        "nasty": "",
        "explore": "finding",
        ".": "clock shadow finding race watch memory nasty explore",
    },
    "sdsm": {
        "protocol": "",
        ".": "protocol",
        "jia": ".",
    },
    "riscv": {
        "core": "",
        "program": "core",
        ".": "core program",
    },
    "replay": {
        "tape": "",
        "input": "",
        "write": "",
        "words": "tape",
        "sources": "tape words",
        "ti": "tape input",
        "allprof": "tape input write words",
        "dumpi": "tape input write",
        "goal": "tape input",
        "loggp": "goal",
        "jobs": "input",
        "extrapolate": "tape words",
        "collective": "tape",
        "comms": "tape words",
        "otf2": "tape",
        "convert": "tape write goal allprof dumpi otf2 collective words comms sources",
        ".": "tape input write ti allprof dumpi goal loggp jobs extrapolate collective convert sources otf2",
    },
    "report": {
        "sdsm": "",
        ".": "sdsm",
    },
    "sweep": {
        "study": "",
        "store": "",
        "plot": "study",
        ".": "study store plot",
        "validate": ". study store plot",
    },
    "cli": {
        "words": "",
        "options": "",
        "places": "",
        "figures": "",
        "self_profile": "",
        "platform": "options places",
        "launch": "words options",
        "run": "places figures self_profile platform launch options",
        "cc": "words options places",
        "tune": "options platform launch run",
        "flows": "options platform",
        "info": "options places",
        "study": "options places platform launch run",
        "replay": "options places launch run",
        "riscv": "words places launch run",
        "report": "options",
        "calibrate": "options",
        ".": "words options places figures self_profile platform launch run cc tune flows info study replay riscv report calibrate",
    },
    "calibrate": {
        "table": "",
        "read": "table",
        "fit": "",
        ".": "table read fit",
    },
    "platform": {
        "model": "",
        "zone": "model",
        "xml": "model zone",
        "builder": "model zone xml",
        "generate": "model zone xml",
        "draw": "model zone",
        ".": "model zone xml builder generate draw",
    },
}

# Lists that are expanded into declarations of names with a prefix.
PREFIXED = {
    "fold/libc/libc.def": "in_rank_",
    "fold/io/io.def": "in_rank_",
    "fold/io/shims.def": "in_rank_",
    "fold/thread/program.def": "in_rank_",
    "fold/thread/thread.def": "in_rank_",
    "fold/thread/order.def": "in_rank_",
    "fold/thread/openmp.def": "in_rank_",
    "fold/annotate/annotate.def": "in_rank_",
    "fold/sanitize/sanitize.def": "in_rank_",
    "fold/touch/touch.def": "touch_",
}

# The maximum number of objects of a module that may depend on each other in a cycle: a larger knot cannot be
# read in parts.
KNOT_LIMIT = 8

# Exceptions: module, and the size that its knots may have.
KNOTS = {}

# The headers that other modules may include, if not MODULE/MODULE.h alone.
PUBLIC = {
    "coll": {"coll/coll.h", "coll/put/put.h", "coll/p2p/p2p.h", "coll/rules/rules.h"},
    "rank": {"rank/rank.h", "rank/folded.h", "rank/busy.h", "rank/opened.h", "rank/resting.h", "rank/slots.h", "rank/title.h"},
    "types": {"types/types.h", "types/elements.def", "types/operators.def"},
    "base": {"base/base.h", "base/table.h", "base/text.h", "base/json.h", "base/json_tree.h", "base/output.h",
             "base/sanitizer.h", "base/source.h", "base/children.h", "base/numbers.h"},
    "noise": {"noise/noise.h", "noise/pairs.h", "noise/recorded.h"},
    "shmem": {"shmem/shmem_front.h"},
    "mpi": {"mpi/mpi_front.h"},
    "record": {"record/record.h", "record/mpi_numbers.h"},
    "check": {"check/check.h", "check/explore/explore.h"},
    "sweep": {"sweep/sweep.h", "sweep/validate/validate.h"},
    "trace": {"trace/trace.h", "trace/events.def"},
}

# Folders that belong to a module of another name: the start-up object is the other half of program loading.
PART_OF = {"crt": "fold"}

# Headers that every room of their module may include, besides internal.h.
ANYWHERE = {"cli/command.h", "crt/program.h", "mpi/calls.h", "trace/events.def", "trace/kinds.def"}

# Headers for applications, and the modules that may include them: those that implement them, and sdsm/, which
# is an MPI program. pgasim.h also declares platforms built by C code, and folded symmetric memory.
FOR_APPLICATIONS = {
    "shmem.h": "shmem",
    "shmemx.h": "shmem",
    "mpp/shmem.h": "shmem",
    "mpi.h": "mpi replay sdsm",
    "pgasim.h": "fold platform shmem",
    "smpi/smpi.h": "fold",
    "simgrid/host.h": "fold",
    "simgrid/plugins/energy.h": "fold",
    "sat.h": "sdsm",
    "jia.h": "sdsm",
    "xbgas.h": "",
    "xbgas_rt.h": "",
}

MODULES = list(SEES)


def module_sees(module):
    """The other modules that `module` sees."""
    return set(SEES[module].split())


def room_sees(module, room):
    """The other rooms of its module that a room sees."""
    return set(ROOMS.get(module, {}).get(room, "").split())


def public(module):
    """The headers that other modules may include of `module`."""
    return PUBLIC.get(module, {f"{module}/{module}.h"})


def place(path):
    """(module, room) of a path below src/, either of which may be unknown to the tables."""
    parts = path.split("/")
    module = PART_OF.get(parts[0], parts[0])
    return module, parts[1] if len(parts) > 2 else "."


def knows_room(module, room):
    return room == "." or room in ROOMS.get(module, {})


def disorder():
    """The errors in the tables themselves, one text each."""
    found = []
    for rank, module in enumerate(MODULES):
        found += [f"{module}/ is to see {other}/, which does not stand before it"
                  for other in sorted(module_sees(module) - set(MODULES[:rank]))]
    for module, rooms in ROOMS.items():
        names = list(rooms)
        for rank, room in enumerate(names):
            found += [f"{module}/{room}/ is to see {other}/, which does not stand before it"
                      for other in sorted(room_sees(module, room) - set(names[:rank]))]
    return found
