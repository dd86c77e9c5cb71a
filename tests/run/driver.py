#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds a test program with the compiler wrappers, runs it under pgasim, and compares.

    driver.py --build DIR [--reference DIR] [--jobs N,N...] [--shared-stacks] [--keep] FILE...

FILE says what to do in lines `// key: value` (`# key: value` in .run files, which need no program,
`! key: value` in Fortran). DIR is a build tree. With --reference, the program is also built and run with that tree and must print the same bytes
in the same simulated time: this compares a sanitizer build (DIR) with an optimized one. With --jobs, every
program whose globals can be loaded apart also runs on that many threads, with the same result. With
--shared-stacks, every case also runs once in each way of private globals with one stack for all ranks and
dense heaps, with the same result.

Before the first case
    build:        shell command; several lines run in order. Default: compile FILE with oshcc, oshc++ or mpifort.
A case begins with one of
    run:          OPTIONS [-- ARGUMENTS] of `pgasim run ... $EXE ARGUMENTS`
    shell:        shell command, in which $RUN is `pgasim run` with the options that the driver varies
    misuse:       CLASS KEY OPTIONS -- ARGUMENTS: two cases. CLASS warning or notice: the run ends with status 0
                  and its figures count KEY in that class; with --strict it ends with status 5 because of KEY.
                  CLASS error: it ends with status 5 both ways, with a report that KEY, a pattern, matches.
and may say
    privatize:    which ways to try (default: dlopen swap)
    jobs:         numbers of threads to try, too (pgasim run --jobs N)
    times:        how often each (default 2)
    status:       exit status (default 0)
    stdout:       one line of the whole expected output; repeat for each line
    stdout-file:  a file (made by a build command) that holds the whole expected output
    stdout-has:   a line that must be among the output
    stdout-match: regular expression that must be found in the output
    stderr-match: regular expression that must be found in stderr
    stderr-not:   regular expression that must not be found in stderr
    varies:       why neither output nor time can be the same in all runs (given computation, a signal)
    unsanitized:  why the case is left out of a sanitizer build
All runs of a case must give the same stdout and simulated time, and leave nothing in $TMPDIR. With TEST_SHARE above
1 (tests/seed.h), each way is tried once instead of `times`.

Variables: $SRC the file, $DIR its folder, $TOP the project, $W a fresh folder, $EXE the program, $OSHCC,
$OSHCXX, $MPICC, $MPIFORT, $PGASIM, $CC and $CXX (the host's own), $RUN. PGASIM_CC and PGASIM_CXX choose the compilers of the
wrappers.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DIRECTIVE = re.compile(r"^\s*(?://|#|!) ([a-z-]+):(?: (.*))?$")
SINGLE = {"status": int, "times": int, "varies": str, "unsanitized": str, "stdout-file": str, "privatize": str.split,
          "jobs": str.split}
LISTS = ("stdout", "stdout-has", "stdout-match", "stderr-match", "stderr-not")
SECONDS = 120
THREADS = b"pgasim: warning: the program uses threads: each rank gets a stack of its own\n"  # asked to share


class Failure(Exception):
    """A test failed; the text says what was expected and what happened."""


class Case:
    """One way to run the program, and the expected result."""

    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line
        self.single = {"status": 0, "times": 2, "privatize": ["dlopen", "swap"], "jobs": []}
        self.lists = {key: [] for key in LISTS}
        self.counted = None  # (class, key): what the figures must count


def misuse(text, line):
    """The two cases of a line `misuse:`."""
    kind, key, command = text.split(" ", 2)
    cases = [Case("run", command, line), Case("run", f"--strict {command}", line)]
    strict = cases[1]
    strict.single["status"], strict.single["times"] = 5, 1
    if kind == "error":
        cases[0].single["status"] = 5
        for case in cases:
            case.lists["stderr-match"].append(f"^pgasim: error: .*{key}")
    else:
        cases[0].counted = (kind + "s", key)
        cases[0].lists["stderr-not"].append("^pgasim: error")
        strict.lists["stderr-match"].append(rf"^pgasim: error: rank \d.*\(an error because of --strict: {key}\)$")
    return cases


def read_spec(path):
    """The build commands and cases that the lines of a file ask for."""
    builds, cases = [], []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            found = DIRECTIVE.match(line.rstrip("\n"))
            if not found:
                continue
            key, value = found.group(1), found.group(2) or ""
            if key == "build":
                builds.append(value)
            elif key in ("run", "shell"):
                cases.append(Case(key, value, number))
            elif key == "misuse":
                cases += misuse(value, number)
            elif key in SINGLE and cases:
                cases[-1].single[key] = SINGLE[key](value)
            elif key in LISTS and cases:
                cases[-1].lists[key].append(value)
            else:
                raise Failure(f"{path}:{number}: unknown directive '{key}'")
    if not cases:
        raise Failure(f"{path}: no case")
    return builds, cases


class Result:
    """The outcome of a command."""

    def __init__(self, command, status, out, err, figures):
        self.command, self.status, self.out, self.err, self.figures = command, status, out, err, figures
        self.time = figures.get("simulated_seconds")


class Tree:
    """One build of pgasim with one spec and a work folder."""

    def __init__(self, build, path, work):
        self.build, self.path, self.work = build, os.path.abspath(path), work
        self.tmp = os.path.join(work, "tmp")
        os.makedirs(self.tmp)
        wrappers = os.path.join(build, "bin", "wrappers")
        self.env = {k: v for k, v in os.environ.items()
                    if k in ("PGASIM_CC", "PGASIM_CXX") or not k.startswith(("PGASIM_", "SHMEM_"))}
        self.env.update(
            SRC=self.path, DIR=os.path.dirname(self.path), TOP=TOP, W=work, EXE=os.path.join(work, "program"),
            TMPDIR=self.tmp, PGASIM=os.path.join(build, "bin", "pgasim"),
            OSHCC=os.path.join(wrappers, "oshcc"),
            MPICC=os.path.join(wrappers, "mpicc"), MPIFORT=os.path.join(wrappers, "mpifort"),
            OSHCXX=os.path.join(wrappers, "oshc++"), CC=os.environ.get("CC", "cc"),
            CXX=os.environ.get("CXX", "c++"), LC_ALL="C")

    def sh(self, command, extra=None):
        """Runs a shell command to its end; a hang is a failure."""
        env = dict(self.env, **(extra or {}))
        with subprocess.Popen(["bash", "-c", command], cwd=self.work, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              start_new_session=True) as child:
            try:
                out, err = child.communicate(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                out, err = child.communicate()
                raise Failure(f"no end after {SECONDS} s: {command}\n{show(out)}{show(err)}") from None
        return child.returncode, out, err

    def prepare(self, builds):
        """Builds the program."""
        if not builds and not self.path.endswith(".run"):
            compilers = {".cpp": "OSHCXX", ".f90": "MPIFORT", ".f": "MPIFORT"}
            builds = ['$%s -g "$SRC" -o $EXE' % compilers.get(os.path.splitext(self.path)[1], "OSHCC")]
        for command in builds:
            status, out, err = self.sh(command)
            if status != 0:
                raise Failure(f"build: status {status}: {command}\n{show(out)}{show(err)}")

    def run(self, case, privatize, jobs=None, shared=False):
        """Runs a case once."""
        figures = os.path.join(self.work, "figures.json")
        if os.path.exists(figures):
            os.unlink(figures)
        prefix = f'{self.env["PGASIM"]} run --compute=off --privatize={privatize} --json {figures}'
        if jobs:
            prefix += f" --jobs={jobs}"
        if shared:
            prefix += " --set fold/stacks=shared --set shmem/dense-ranks=1"
        command = case.text
        if case.kind == "run":
            options, _, arguments = case.text.partition(" -- ")
            command = f"$RUN --quiet {options} $EXE {arguments}"
        status, out, err = self.sh(command, {"RUN": prefix, "PRIVATIZE": privatize})
        if shared:
            err = err.replace(THREADS, b"", 1)
        counted = {}
        if os.path.exists(figures) and os.path.getsize(figures) > 0:
            with open(figures, encoding="utf-8") as file:
                counted = json.load(file)
        if os.listdir(self.tmp):
            raise Failure(f"left in TMPDIR: {os.listdir(self.tmp)}: {command}")
        way = privatize + (f" on {jobs}" if jobs else "") + (" on one stack" if shared else "")
        return Result(f"[{way}] {command}", status, out, err, counted)


def show(data):
    """Output for people, cut to a reasonable length."""
    text = data.decode(errors="replace")
    return text if len(text) < 6000 else text[:3000] + "\n...\n" + text[-2900:]


def compare_output(case, result, tree):
    """The errors in the output of one run, as a list."""
    wrong = []
    out, err = result.out.decode(errors="replace"), result.err.decode(errors="replace")
    if result.status != case.single["status"]:
        wrong.append(f"status {result.status}, expected {case.single['status']}")
    if case.counted:
        keys = [row["key"] for row in result.figures.get(case.counted[0], []) if row["key"].startswith("misuse/")]
        if keys != [case.counted[1]]:
            wrong.append(f"counted as {case.counted[0]}: {keys}, expected {case.counted[1]}")
    expected = "".join(line + "\n" for line in case.lists["stdout"])
    if "stdout-file" in case.single:
        with open(os.path.join(tree.work, case.single["stdout-file"]), encoding="utf-8") as file:
            expected = file.read()
    if expected and out != expected:
        wrong.append(f"stdout, expected\n{expected}")
    wrong += [f"no line in stdout: {line}" for line in case.lists["stdout-has"]
              if line not in out.split("\n")]
    wrong += re.findall(r"not released at the end of the run: .*", err)
    for key, text, present in (("stdout-match", out, True), ("stderr-match", err, True),
                               ("stderr-not", err, False)):
        wrong += [f"{key}: {pattern}" for pattern in case.lists[key]
                  if bool(re.search(pattern, text, re.MULTILINE)) != present]
    return wrong


def ways_of(case, jobs, shared):
    """The ways to run a case: (private globals, threads, one stack for all), and how often."""
    times = case.single["times"] if int(os.environ.get("TEST_SHARE", "1")) <= 1 else 1
    ways = [((privatize, None, False), times) for privatize in case.single["privatize"]]
    if "dlopen" in case.single["privatize"]:
        ways += [(("dlopen", number, False), times)
                 for number in jobs + [j for j in case.single["jobs"] if j not in jobs]]
    if shared and "$RUN" in (case.text if case.kind == "shell" else "$RUN"):
        ways += [((privatize, None, True), 1) for privatize in case.single["privatize"]]
    return ways


def check_case(case, trees, jobs, shared):
    """Runs a case in all its variations and compares them with what is expected and with each other."""
    first = None
    for tree in trees:
        ways = ways_of(case, jobs, shared)
        for way, times in ways if tree is trees[0] else [(ways[0][0], 1)]:  # the reference has tests of its own
            for _ in range(times):
                result = tree.run(case, *way)
                wrong = compare_output(case, result, tree)
                first = first or result
                if "varies" not in case.single:
                    if result.out != first.out:
                        wrong.append(f"stdout differs from that of {first.command}:\n{show(first.out)}")
                    if result.time != first.time:
                        wrong.append(f"simulated time {result.time!r}, but {first.time!r} in {first.command}")
                if wrong:
                    raise Failure(f"{tree.path}:{case.line}: {result.command}\n  " + "\n  ".join(wrong) +
                                  f"\n--- status {result.status}, stdout:\n{show(result.out)}"
                                  f"--- stderr:\n{show(result.err)}")


def check_file(path, builds, jobs, shared, keep):
    """Builds and runs one spec under each of the given build trees."""
    work = tempfile.mkdtemp(prefix="run-")
    try:
        commands, cases = read_spec(path)
        trees = []
        for number, build in enumerate(builds):
            trees.append(Tree(os.path.abspath(build), path, os.path.join(work, str(number))))
            trees[-1].prepare(commands)
        for case in cases:
            if len(trees) == 1 or "unsanitized" not in case.single:
                check_case(case, trees, jobs, shared)
        return len(cases)
    finally:
        if keep:
            print(f"kept: {work}")
        else:
            shutil.rmtree(work, ignore_errors=True)


def main():
    """Checks every file named. The status is 1 if one failed."""
    parser = argparse.ArgumentParser(description="build and run end-to-end tests")
    parser.add_argument("--build", required=True)
    parser.add_argument("--reference")
    parser.add_argument("--jobs", default="")
    parser.add_argument("--shared-stacks", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    failed = 0
    for path in args.files:
        try:
            cases = check_file(path, [args.build] + ([args.reference] if args.reference else []),
                               args.jobs.split(",") if args.jobs else [], args.shared_stacks, args.keep)
            print(f"ok   {os.path.relpath(path, TOP)}: {cases} cases")
        except Failure as failure:
            failed += 1
            print(f"FAIL {os.path.relpath(path, TOP)}\n{failure}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
