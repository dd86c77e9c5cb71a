#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records the programs of the end-to-end tests that use MPI or OpenSHMEM (pgasim run --record-ti) and plays them
(pgasim replay): both must end at the same simulated time, to the last bit. Each trace is also played twice on another
platform: by itself, and as a job of a list, beside another job that it does not meet (pgasim replay --jobs).

    replayed.py --build DIR [--at-least N] [--verbose] FILE...

Cases that a trace of calls cannot have are left out: other ends than status 0, several programs, checks. The
number of cases that were compared must be at least N.
"""
import argparse
import json
import os
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
from driver import Failure, Tree, read_spec, show

# What pgasim replay has no use for, and with a value what is to be dropped.
DROPPED = re.compile(r"(-x|--seed|--privatize|--jobs|--compute|-j)[ =]\S+ ?|--(leaks|heap-guard|strict|tag-output) ?")
OTHER = re.compile(r"--check|--alone|--trace|--json|--gdb|--lldb|--wrapper| : ")
USES = re.compile(r"^\s*(#include *[<\"](mpi|sat|jia|shmemx?|pshmem|shmem_check|misuse_rows)\.h[>\"]|use +mpi|include +'mpif\.h')",
                  re.MULTILINE | re.IGNORECASE)
SOURCE = re.compile(r"\$TOP/(\S+\.(?:c|cpp|f90))\b")  # of a case that builds an example
HOSTS = 64  # of the platform on which traces are played as jobs


def simulated(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["simulated_seconds"]


def play(tree, case):
    """The times of the run and of its replay; None: the case is none of ours."""
    options, _, arguments = case.text.partition(" -- ")
    options = DROPPED.sub("", options + " ").strip()
    if case.kind != "run" or case.single["status"] or "varies" in case.single or OTHER.search(f" {options} "):
        return None
    files = {key: os.path.join(tree.work, key) for key in ("run.json", "play.json", "calls.zst")}
    status, out, err = tree.sh(f"$PGASIM run --quiet --compute=off --json {files['run.json']} "
                               f"--record-ti {files['calls.zst']} {case.text.partition(' -- ')[0]} $EXE {arguments}")
    if status:
        raise Failure(f"run: status {status}: {show(out)}{show(err)}")
    status, out, err = tree.sh(f"$PGASIM replay --quiet --json {files['play.json']} {options} {files['calls.zst']}")
    if status:
        raise Failure(f"replay: status {status}: {show(out)}{show(err)}")
    list_alone(tree, files, options)
    return simulated(files["run.json"]), simulated(files["play.json"])


def list_alone(tree, files, options):
    """Fails if the trace as a job of a list, whose ranks are not the first ones, takes another time than by itself."""
    settings = " ".join(re.findall(r"--(?:set|cfg)[ =]\S+", options))
    platform, hosts, idle, jobs = (os.path.join(tree.work, name) for name in ("many.xml", "many", "idle", "jobs.json"))
    with open(hosts, "w", encoding="utf-8") as file:
        file.writelines(f"node-{k}\n" for k in range(HOSTS - 1))
    with open(idle, "w", encoding="utf-8") as file:
        file.write("0 sleep 0\n2 sleep 0\n")
    with open(jobs, "w", encoding="utf-8") as file:
        json.dump([{"trace": idle, "hosts": [f"node-{HOSTS - 1}"]}, {"trace": files["calls.zst"], "hostfile": hosts}], file)
    if not os.path.exists(platform):
        tree.sh(f"$PGASIM platform generate cluster --hosts {HOSTS} --cores 2 >{platform}")
    for how in (f"-hostfile {hosts} {files['calls.zst']}", f"--jobs {jobs}"):
        key = "jobs.out" if how.startswith("--jobs") else "play.out"
        files[key] = os.path.join(tree.work, key)
        status, out, err = tree.sh(f"$PGASIM replay --quiet --json {files[key]} -platform {platform} {settings} {how}")
        if status and key == "play.out" and (b"MPI_ERR_RMA_SHARED" in err or b"shmem_" in err):
            return  # windows and teams of ranks that share a host: here they do not
        if status == 2 and b"is ended by a thread" in err:
            return
        if status:
            raise Failure(f"replay {how}: status {status}: {show(out)}{show(err)}")
    alone, job = simulated(files["play.out"]), simulated(files["jobs.out"])
    if alone != job:
        raise Failure(f"played by itself it ends at {alone!r} s, as a job of a list at {job!r} s")


def compare(path, build, verbose):
    """How many cases of a file agree."""
    agree, work = 0, tempfile.mkdtemp(prefix="replayed-")
    try:
        builds, cases = read_spec(path)
        tree = Tree(build, path, work)
        tree.prepare(builds)
        for case in cases:
            try:
                times = play(tree, case)
            except Failure as e:
                raise Failure(f"{path}:{case.line}: {case.text}: {e}") from None
            if times and times[0] != times[1]:
                raise Failure(f"{path}:{case.line}: {case.text}: ended at {times[0]!r} s, replayed at {times[1]!r} s")
            agree += times is not None
            if verbose and times:
                print(f"{os.path.basename(path)}:{case.line}: {times[0]!r}")
    finally:
        shutil.rmtree(work)
    return agree


def concerned(path):
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    with open(path, encoding="utf-8", errors="replace") as file:
        texts = [file.read()]
    for source in SOURCE.findall(texts[0]):
        if not os.path.exists(os.path.join(top, source)):
            continue
        with open(os.path.join(top, source), encoding="utf-8", errors="replace") as file:
            texts.append(file.read())
    return any(USES.search(text) for text in texts)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", required=True)
    options.add_argument("--at-least", type=int, default=1)
    options.add_argument("--verbose", action="store_true")
    options.add_argument("files", nargs="+")
    given = options.parse_args()
    agree, wrong = 0, 0
    for path in filter(concerned, given.files):
        try:
            agree += compare(path, os.path.abspath(given.build), given.verbose)
        except Failure as e:
            print(f"WRONG: {e}")
            wrong += 1
    print(f"{agree} cases end at the same time, {wrong} programs do not")
    return 1 if wrong or agree < given.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
