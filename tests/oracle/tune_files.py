#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Gives files of `pgasim tune` to the installed Open MPI and MPICH, and watches what they choose then.

  tune_files.py BUILD

For each point of a small grid the library must choose what the file says, as `pgasim info selectors FILE` reads
it, and in both libraries the file must change something.
"""
import os
import subprocess
import sys
import tempfile

import library_choices as libraries

RANKS = [4]
OPERATIONS = {"openmpi": ["bcast", "allreduce", "allgather"], "mpich": ["bcast", "reduce_scatter", "allgather"]}
FORM = {"openmpi": "ompi", "mpich": "mpich"}
# Open MPI's functions have other names than its rules.
FUNCTION = {"linear": "basic_linear", "binary_tree": "bintree", "split_binary_tree": "split_bintree",
            "recursive_doubling": "recursivedoubling", "segmented_ring": "ring_segmented",
            "rabenseifner": "redscat_allgather", "neighbor": "neighborexchange", "two_proc": "two_procs"}


def variables(library, path):
    if library == "mpich":
        return {"MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": path}
    return {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1", "OMPI_MCA_coll_tuned_dynamic_rules_filename": path}


def tune(pgasim, library, path):
    """Sizes are those of the points, so that each point is where it was tuned."""
    operations = ",".join(OPERATIONS[library])
    subprocess.run([pgasim, "tune", "--quiet", "-np", ",".join(map(str, RANKS)), "-ppn", "1", "--op", operations,
                    "--sizes", "8:1MiB", "--form", FORM[library], "-o", path], check=True, timeout=300)


def point_of(operation, ranks, size):
    words = "%s ranks=%d nodes=%d " % (operation, ranks, ranks)
    if operation != "reduce_scatter":
        return words + "part=%d count=%d" % (size, size // 4)
    regular = "" if size // 4 % ranks == 0 else " not regular"
    return words + "part=%d total=%d count=%d%s" % (size // ranks, size, size // 4, regular)


def said(pgasim, path, points):
    """What the file says: {point: name}; None: the library decides as without it."""
    lines = "\n".join(point_of(*p) for p in points)
    done = subprocess.run([pgasim, "info", "selectors", path, "-"], input=lines, stdout=subprocess.PIPE, text=True,
                          check=True, timeout=60)
    leaves = [line.split()[0] for line in done.stdout.splitlines()]
    assert len(leaves) == len(points), done.stdout
    return {p: None if leaf == "no" else leaf.split(":")[-1].split("_intra_")[-1]
            for p, leaf in zip(points, leaves)}


def chosen(library, folder, points_of):
    ask = {"openmpi": libraries.open_mpi, "mpich": libraries.mpich}[library]
    return {(op, ranks, size): name for op, ranks in points_of for size, name, _ in ask(folder, op, ranks)}


def compare(pgasim, library, folder):
    path = "%s/%s.rules" % (folder, library)
    tune(pgasim, library, path)
    points_of = [(op, ranks) for op in OPERATIONS[library] for ranks in RANKS]
    before = chosen(library, folder, points_of)
    os.environ.update(variables(library, path))
    after = chosen(library, folder, points_of)
    says = said(pgasim, path, list(after))
    bad = 0
    for point, name in after.items():
        expected = says[point]
        if library == "openmpi":
            expected = FUNCTION.get(expected, expected)
        if expected is not None and expected not in name.split("|"):
            print("DIFFER: %s: %s ranks=%d bytes=%d: %s, the file says %s" % (library, *point, name, expected))
            bad += 1
    moved = sum(after[p] != before.get(p) for p in after)
    print("%s: %d points, %d as the file says, %d chosen anew" % (library, len(after), len(after) - bad, moved))
    return bool(after) and not bad and moved > 0


def main():
    pgasim = os.path.realpath(sys.argv[1]) + "/bin/pgasim"
    with tempfile.TemporaryDirectory() as folder:
        libraries.build(folder, list(FORM))
        good = [compare(pgasim, library, folder) for library in FORM]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
