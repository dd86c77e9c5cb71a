# SPDX-License-Identifier: BSD-3-Clause
"""Declarations and set-up of a program, which follow from the names that its text uses, and from where the object in
conflict lies."""
import re

# name: (declaration, set-up, taking down)
COMMON = {
    "src": ("static long src[4] = {41, 42, 43, 44};", "", ""),
    "into": ("static long into[4];", "", ""),
    "got": ("static long got;", "", ""),
    "mutex": ("static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;", "", ""),
    "meet": ("static pthread_barrier_t meet;", "pthread_barrier_init(&meet, NULL, 2);", ""),
    "semaphore": ("static sem_t semaphore;", "sem_init(&semaphore, 0, 0);", ""),
    "omp_lock": ("static omp_lock_t omp_lock;", "omp_init_lock(&omp_lock);", "omp_destroy_lock(&omp_lock);"),
    "seven": ("static const long seven = 7;", "", ""),
}
SHMEM = {
    **COMMON,
    **{name: (f"static long {name}[4];", "", "") for name in ("there", "other", "one", "two")},
    **{name: (f"static long {name};", "", "") for name in ("flag", "lock", "lock2")},
    **{name: (f"static uint64_t {name};", "", "") for name in ("sig", "sig2")},
    "flags": ("static long flags[2];", "", ""),
    "ones": ("static long ones[2] = {1, 1};", "", ""),
    "not_first": ("static const int not_first[2] = {1, 0};", "", ""),
    "not_second": ("static const int not_second[2] = {0, 1};", "", ""),
    "which": ("static size_t which;", "", ""),
    "owner": ("static const int owner = $T;", "", ""),
    "first": ("static const int first = $A;", "", ""),
    "peer": ("static const int peer = 1;", "", ""),
    **{name: (f"static shmem_ctx_t {name};", f"shmem_ctx_create(0, &{name});", f"shmem_ctx_destroy({name});")
       for name in ("ctx", "ctx2", "own")},
    "nostore": ("static shmem_ctx_t nostore;", "shmem_ctx_create(SHMEM_CTX_NOSTORE, &nostore);",
                "shmem_ctx_destroy(nostore);"),
    "everybody": ("static shmem_team_t everybody;",
                  "shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &everybody);",
                  "shmem_team_destroy(everybody);"),
    "team_ctx": ("static shmem_ctx_t team_ctx;", "shmem_team_create_ctx(everybody, 0, &team_ctx);", ""),
    "shared_ctx": ("static shmem_ctx_t shared_ctx;", "shmem_team_create_ctx(SHMEM_TEAM_SHARED, 0, &shared_ctx);",
                   "shmem_ctx_destroy(shared_ctx);"),
    "team": ("static shmem_team_t team;", "shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, 2, NULL, 0, &team);",
             "if (me > 0)\n    shmem_team_destroy(team);"),
}
WIN_CREATE = "MPI_Win_create({what}, sizeof {what}, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &{win});"
WIN_FREE = "MPI_Win_free(&%s);"
FILE_NAME = "__FILE__"
FILE_OPEN = ("MPI_File_open(MPI_COMM_{comm}, " + FILE_NAME + "{end}, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, "
             "&{name});")
MPI = {
    **COMMON,
    "other": ("static long other[4] = {51, 52, 53, 54};", "", ""),
    "small": ("static int small[1] = {2};", "", ""),
    **{name: (f"static long {name};", "", "") for name in ("zero", "number")},
    "offset": ("static MPI_Aint offset;", "", ""),
    "done": ("static int done;", "", ""),
    **{name: (f"static MPI_Request {name};", "", "") for name in ("request", "request2", "entered")},
    **{name: (f"static MPI_File {name};", FILE_OPEN.format(comm=comm, name=name, end=end),
              f"MPI_File_close(&{name});\nMPI_Barrier(MPI_COMM_WORLD);\nif (me == 0)\n    "
              f"MPI_File_delete({FILE_NAME}{end}, MPI_INFO_NULL);" if name != "own_fh" else f"MPI_File_close(&{name});")
       for name, comm, end in (("fh", "WORLD", ' ".dat"'), ("own_fh", "SELF", ' ".dat"'),
                               ("other_fh", "WORLD", ' ".other"'))},
    "strided": ("static MPI_Datatype strided;",
                "MPI_Type_vector(2, 1, 2, MPI_LONG, &strided);\nMPI_Type_commit(&strided);", "MPI_Type_free(&strided);"),
    "win": ("static MPI_Win win;\nstatic long memory[8];", WIN_CREATE.format(what="memory", win="win"), WIN_FREE % "win"),
    "win2": ("static MPI_Win win2;\nstatic long memory2[8];", WIN_CREATE.format(what="memory2", win="win2"),
             WIN_FREE % "win2"),
    **{"to_" + name: (f"static MPI_Group to_{name};", f"to_{name} = group_of({ranks});", f"MPI_Group_free(&to_{name});")
       for name, ranks in (("a", "$A, $A"), ("b", "$B, $B"), ("t", "$T, $T"), ("ab", "$A, $B"), ("0", "0, 0"),
                           ("1", "1, 1"))},
}
GROUP_OF = """static MPI_Group group_of(int first, int second)
{
    int ranks[2] = {first, second};
    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, first == second ? 1 : 2, ranks, &group);
    MPI_Group_free(&world);
    return group;
}
"""
ZERO = """MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win);
memset(data, 0, 8 * sizeof(long));
MPI_Win_unlock(me, win);
MPI_Barrier(MPI_COMM_WORLD);"""

# Shapes of the object: (declaration, in main, set-up, taking down, its address, its displacement in the window)
OBJECTS = {
    "plain": ("static long data[8];", "", "", "", "data", "0"),
    "member": ("static struct {\n    long tag;\n    long data[8];\n} box;", "", "", "", "box.data", "1"),
    "cells": ("static struct {\n    long key;\n    long data[8];\n} cells[3];", "", "", "", "cells[1].data", "10"),
    "stack": ("", "long data[8] = {0};", "", "", "data", "0"),
    "malloc": ("static long *data;", "", "data = (long *)calloc(8, sizeof *data);", "free(data);", "data", "0"),
    "heap": ("static long *data;", "", "data = (long *)shmem_calloc(8, sizeof *data);", "shmem_free(data);", "data", "0"),
    "signal": ("static uint64_t word[1];", "", "", "", "word", "0"),
    "allocate": ("static MPI_Win win;\nstatic long *data;", "",
                 "MPI_Win_allocate(8 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &data, &win);\n" + ZERO,
                 WIN_FREE % "win", "data", "0"),
    "shared": ("static MPI_Win win;\nstatic long *data, *peer;", "MPI_Aint bytes;\nint unit;",
               "MPI_Win_allocate_shared(8 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &data, &win);\n"
               "MPI_Win_shared_query(win, $T, &bytes, &unit, &peer);\n" + ZERO, WIN_FREE % "win", "data", "0"),
    "dynamic": ("static MPI_Win win;\nstatic long data[8];\nstatic MPI_Aint address;", "",
                "MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);\n"
                "MPI_Win_attach(win, data, sizeof data);\nMPI_Get_address(data, &address);\n"
                "MPI_Bcast(&address, 1, MPI_AINT, $T, MPI_COMM_WORLD);\nMPI_Barrier(MPI_COMM_WORLD);",
                "MPI_Barrier(MPI_COMM_WORLD);\nMPI_Win_detach(win, data);\n" + WIN_FREE % "win", "data", "address"),
    "twin": ("static MPI_Win win, twin;\nstatic long data[8];", "",
             WIN_CREATE.format(what="data", win="win") + "\n" + WIN_CREATE.format(what="data", win="twin"),
             WIN_FREE % "win" + "\n" + WIN_FREE % "twin", "data", "0"),
}


def object_of(rule, shape):
    """The entry of OBJECTS for a rule in a shape of data, as a list."""
    if rule.place in ("signal", "shared", "dynamic", "twin"):
        return list(OBJECTS[rule.place])
    entry = list(OBJECTS[shape])
    if rule.place == "window" and shape != "allocate":
        variable = entry[4].split(".")[0].split("[")[0]
        entry[0] = "static MPI_Win win;\n" + entry[0]
        entry[2] = WIN_CREATE.format(what=variable, win="win").replace("(box,", "(&box,")
        entry[3] = WIN_FREE % "win"
    return entry


def used(api, text, place):
    """The names of the table that a text uses, in the table's order."""
    table = SHMEM if api == "shmem" else MPI
    own = {"window": ("win",), "shared": ("win", "peer"), "dynamic": ("win",), "twin": ("win",)}.get(place, ())
    text = re.sub(r'"[^"]*"|\x01[AB]', " ", text)
    return {name: entry for name, entry in table.items() if re.search(rf"\b{name}\b", text) and name not in own}


def headers(api, text):
    """The header files that a text needs."""
    text = re.sub("\x01[AB]", " ", text)
    names = ["shmem.h" if api == "shmem" else "mpi.h"]
    for header, pattern in (("omp.h", r"\bomp_"), ("pthread.h", r"\bpthread_"), ("semaphore.h", r"\bsem_"),
                            ("stdint.h", r"uint64_t"), ("stdio.h", r"\bprintf"),
                            ("stdlib.h", r"\b(calloc|qsort|bsearch|free)\b"),
                            ("string.h", r"\bmem(cpy|set|move)\b"), ("unistd.h", r"\busleep\b")):
        if re.search(pattern, text):
            names.append(header)
    if "NULL" in text and not any(name.startswith(("stdi", "stdl", "str")) for name in names):
        names.append("stddef.h")
    return "".join(f"#include <{name}>\n" for name in names)
