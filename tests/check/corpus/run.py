#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds and runs the corpus under a checker, and judges.

    run.py --build BUILD [--compilers gcc,clang] [--opt O0,O2] [--filter PATTERN] [--sample N --seed S] [--jobs N]
    run.py --build BUILD --plain          without the checker: right programs must give right results
    run.py --mpich                        right MPI programs with the host's MPICH instead of pgasim
    run.py --list                         names, verdicts and lines

A wrong program must end with status 7, and one report must name both accesses: a line `pgasim: race: ...`, and
before the next one, or the end, file:line of the first and of the second access. A right program must end with
status 0, and nothing of what it says may begin with `pgasim: race:`; its own tests have passed then. Gray programs
must build and end. Every program must compile without warnings.

Programs are written to --work (default: a temporary folder), one folder for each compiler and level. The status is
1 if a program was judged otherwise than the table says.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import generate
from process import finish
from table import KINDS

SECONDS = 60
RACE = re.compile(r"^pgasim: race:", re.MULTILINE)
REPAIR = re.compile(r"^ *fix: .*$", re.MULTILINE)  # its lines are those of other calls
STATUS_FOUND = 7


class Settings:
    """How to build and run: one compiler, one level of optimization."""

    def __init__(self, args, compiler, opt):
        self.args, self.compiler, self.opt = args, compiler, opt
        self.folder = os.path.join(args.work, f"{compiler}-{opt}")
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("PGASIM_", "SHMEM_", "OMP_"))}
        self.env.update(LC_ALL="C", PGASIM_CC=compiler,
                        PGASIM_CXX={"gcc": "g++", "clang": "clang++"}.get(compiler, compiler))
        if compiler == "clang":
            self.env.update(MPICH_CC="clang", MPICH_CXX="clang++")

    def wrapper(self, api, name):
        """The compiler command for a file."""
        fortran = name.endswith(".f90")
        cxx = name.endswith(".cpp")
        if self.args.mpich:
            return "mpifort.mpich" if fortran else "mpicxx.mpich" if cxx else "mpicc.mpich"
        mpi, shmem = ("mpifort", "oshfort") if fortran else ("mpicxx", "oshc++") if cxx else ("mpicc", "oshcc")
        return os.path.join(self.args.build, "bin", "wrappers", mpi if api == "mpi" else shmem)

    def build_commands(self, entry):
        """The commands that build a program."""
        api, files = entry["api"], entry["files"]
        flags = ["-g", "-" + self.opt, "-Wall", "-Werror"] + entry["flags"].split()
        if self.args.mpich:  # its MPI_STATUSES_IGNORE is null, and declared as an array
            flags.append("-Wno-stringop-overflow")
        if not self.args.plain and not self.args.mpich:
            flags += self.args.compile_with.split()
        commands, inputs = [], []
        for name in files:
            if name.endswith("_lib.c"):
                library = os.path.join(self.folder, "lib" + name[:-2] + ".so")
                commands.append([self.wrapper(api, name), *flags, "-shared", "-fPIC", name, "-o", library])
                inputs.append(library)
            else:
                inputs.append(name)
        commands.append([self.wrapper(api, files[0]), *flags, *inputs, "-o", entry["name"] + ".exe"])
        if inputs[-1].endswith(".so"):
            commands[-1].append("-Wl,-rpath," + self.folder)
        return commands

    def run_command(self, entry):
        """The command that runs it."""
        exe = "./" + entry["name"] + ".exe"
        if self.args.mpich:
            return ["mpiexec.mpich", "-n", str(entry["ranks"]), exe]
        checker = [] if self.args.plain else self.args.run_with.split()
        return [os.path.join(self.args.build, "bin", "pgasim"), "run", "--quiet", "--compute=off", "-np",
                str(entry["ranks"]), *checker, *entry["options"].split(), exe]

    def fits(self, entry):
        """Whether a program can be built so: OpenMP is libgomp's, Fortran is gfortran's, MPICH has MPI only."""
        if self.compiler != "gcc" and (entry["flags"] == "-fopenmp" or entry["files"][0].endswith(".f90")):
            return False
        return not self.args.mpich or (entry["api"] == "mpi" and entry["verdict"] == "right")


def names(report, places):
    """Whether a report names one of the places file:line."""
    return any(re.search(re.escape(place) + r"(?!\d)", report) for place in places)


def judge(entry, status, out):
    """What is wrong with the run of a program, and in which column it counts."""
    verdict = entry["verdict"]
    if status is None or status < 0:
        return "crash", out[-500:]
    reports = [REPAIR.sub("", report) for report in RACE.split(out)[1:]]
    if verdict == "gray":
        return "ok", ""
    if verdict == "right":
        if reports:
            return "false alarm", out[:800]
        return ("ok", "") if status == 0 else ("failed", f"status {status}: {out[:500]}")
    if any(names(report, entry["lines"]["A"]) and names(report, entry["lines"]["B"]) for report in reports):
        return ("ok", "") if status == STATUS_FOUND else ("status", f"status {status}, expected {STATUS_FOUND}")
    wanted = " and ".join("/".join(entry["lines"][which]) for which in "AB")
    return ("wrong lines" if reports else "missed"), f"expected {wanted}\n{out[:800]}"


def judge_plain(entry, status, out):
    """As judge(), without a checker."""
    if status is None or status < 0:
        return "crash", out[-500:]
    if entry["verdict"] == "right" and status != 0:
        return "failed", f"status {status}: {out[:500]}"
    return ("ok", "") if status == 0 else ("failed", f"status {status}: {out[:500]}")


def check(settings, entry):
    """Builds, runs and judges one program."""
    for command in settings.build_commands(entry):
        status, out = finish(command, settings.folder, settings.env, SECONDS)
        if status != 0:
            return settings, entry, "build", out
        if out:
            return settings, entry, "build", "says when it is compiled: " + out
    status, out = finish(settings.run_command(entry), settings.folder, settings.env, SECONDS)
    plain = settings.args.plain or settings.args.mpich
    result, why = (judge_plain if plain else judge)(entry, status, out)
    exe = os.path.join(settings.folder, entry["name"] + ".exe")
    if result == "ok" and os.path.exists(exe) and not settings.args.keep:
        os.unlink(exe)
    return settings, entry, result, why


def table(results):
    """Prints how many programs of each kind were judged how."""
    columns = sorted({result for _, _, result, _ in results} - {"ok"})
    print(f"\n{'':24} {'programs':>9} {'ok':>6}" + "".join(f" {c:>11}" for c in columns))
    for api in ("shmem", "mpi"):
        for kind in KINDS:
            for verdict in ("wrong", "right", "gray"):
                count = collections.Counter(r for _, e, r, _ in results
                                            if (e["api"], e["kind"], e["verdict"]) == (api, kind, verdict))
                if count:
                    print(f"{api + ' ' + kind:18} {verdict:5} {sum(count.values()):9} {count['ok']:6}"
                          + "".join(f" {count[c]:11}" for c in columns))
    count = collections.Counter((e["verdict"], r == "ok") for _, e, r, _ in results)
    for verdict in ("wrong", "right"):
        print(f"{'all':18} {verdict:5} {count[verdict, True] + count[verdict, False]:9} {count[verdict, True]:6}")


def choose(args):
    """The programs to check."""
    chosen = [p for p in generate.programs(args.all_shapes) if re.search(args.filter, p.name)]
    if args.sample and args.sample < len(chosen):
        chosen = random.Random(args.seed).sample(chosen, args.sample)
    return chosen


def options():
    """The command line."""
    parser = argparse.ArgumentParser(description="check the corpus of right and wrong programs")
    parser.add_argument("--build", default="")
    parser.add_argument("--compilers", default="gcc")
    parser.add_argument("--opt", default="O0")
    parser.add_argument("--filter", default="")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--all-shapes", action="store_true")
    parser.add_argument("--compile-with", default="--check")
    parser.add_argument("--run-with", default="--check=races")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--mpich", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--work", default="")
    parser.add_argument("--keep", action="store_true")
    return parser.parse_args()


def main():
    """Checks the programs that were asked for."""
    args = options()
    chosen = choose(args)
    if args.list:
        for p in chosen:
            print(p.variant.verdict, p.name, " ".join(f"{w}={'/'.join(p.lines[w])}" for w in sorted(p.lines)))
        return
    args.build = os.path.abspath(args.build)
    temporary = not args.work
    args.work = os.path.abspath(args.work or tempfile.mkdtemp(prefix="corpus-"))
    results, work = [], []
    for compiler in args.compilers.split(","):
        for opt in args.opt.split(","):
            settings = Settings(args, compiler, opt)
            index = generate.write(settings.folder, chosen)
            work += [(settings, entry) for entry in index if settings.fits(entry)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for settings, entry, result, why in pool.map(lambda job: check(*job), work):
            results.append((settings, entry, result, why))
            if result != "ok":
                way = f"{settings.compiler} -{settings.opt}"
                print(f"{result.upper()} {entry['verdict']} {entry['name']} ({way}): {why}", flush=True)
    table(results)
    bad = [r for r in results if r[2] != "ok"]
    if temporary and not bad and not args.keep:
        shutil.rmtree(args.work)
    else:
        print(f"programs in {args.work}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
