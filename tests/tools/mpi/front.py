# SPDX-License-Identifier: BSD-3-Clause
"""A sample of MPI as a front end of tools/gen_api.py: functions with large-count forms, PMPI_ twins, handles
with fixed values."""
from api import outputs
from api.front import Front
from api.text import LICENCE, section

HANDLES = ["Comm", "Group", "Win", "File", "Info", "Op", "Request", "Datatype"]
TOP = """#ifndef MPI_H
#define MPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset, MPI_Count;
typedef int MPI_Fint;
typedef struct {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR, MPI_internal[5];
} MPI_Status;
"""
CALLBACKS = """
typedef void MPI_User_function(void *invec, void *inoutvec, int *len, MPI_Datatype *datatype);
typedef void MPI_User_function_c(void *invec, void *inoutvec, MPI_Count *len, MPI_Datatype *datatype);
typedef int MPI_Comm_copy_attr_function(MPI_Comm comm, int keyval, void *extra_state, void *attribute_val_in,
                                        void *attribute_val_out, int *flag);
typedef int MPI_Comm_delete_attr_function(MPI_Comm comm, int keyval, void *attribute_val, void *extra_state);
"""
BOTTOM = """
#ifdef __cplusplus
}
#endif
#endif
"""


def front(root):
    """The lists of the sample."""
    return Front("tests/tools/mpi", "MPI", "MPI_", "P", r"P?MPI_", ["counted"], ["single"],
                 ("int", "int", "MPI_Aint", ""), root)


def files(root):
    """path -> what it contains"""
    api = front(root)
    types = "".join("typedef struct MPI_ABI_%s *MPI_%s;\n" % (h, h) for h in HANDLES)
    functions = api.of_singles("single") + api.of_families()
    wanted = outputs.CONSTANTS + outputs.FUNCTIONS
    return {
        "mpi.h": LICENCE + TOP + types + CALLBACKS + outputs.singles(api, "single", wanted, "MPI_") +
        outputs.families(api) + section("profiling") + outputs.twins(api, functions) + BOTTOM,
        "pmpi.ld": outputs.second_names(api),
        "traced.c": outputs.trace_table(api, "trace/trace.h", "mpi_calls"),
        "api.list": outputs.symbols(api, "mpi.h"),
    }
