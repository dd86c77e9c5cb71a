# SPDX-License-Identifier: BSD-3-Clause
"""A copy of the project in which sources are mutated, built and tested. Never touches the project's own
files."""
import concurrent.futures
import fcntl
import filecmp
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

# Whole programs that are quick and exercise the mutated modules.
PROGRAMS = (r"^run\.(shmem_(atomic|collective|rma|signal|wait|ctx|ctx_misuse|lock|team|scan|in_place|heap|ptr"
            r"|threads|generic)|ordering|deadlocks|collectives|collective_algorithms|folded_collective"
            r"|misuse_\w+|bad_calls|source_changed|jobs|exits"
            r"|software_progress|failing_hosts|shared_stack|example_heat|example_whatif|example_hello)$")
SDSM_PROGRAMS = r"^run\.sat_(litmus|random|counts|misuse|corners|log|states|mixture)$"
FILES_PROGRAMS = r"^run\.(mpi_file\w*|mpi_f_file|files_cost|example_files)$|^cli\.replay_files$"
SLOWEST = 8.0  # seconds: tests that take longer on the unchanged code are not run
SLOWEST_PROGRAM = 60.0
PATIENCE = 15.0


class Test:
    """A test of ctest. It has no command until its program is built."""

    def __init__(self, spec):
        self.name, self.seconds = spec["name"], None
        self.update(spec)

    def update(self, spec):
        """Takes over ctest's data about the test."""
        self.command = spec.get("command")
        properties = {p["name"]: p["value"] for p in spec.get("properties", [])}
        self.env = dict(os.environ, **dict(item.split("=", 1) for item in properties.get("ENVIRONMENT", [])))
        self.folder = properties.get("WORKING_DIRECTORY")

    def run(self, stop):
        """True, False, or None if `stop` was set meanwhile. A test fails if it takes far longer than without
        a mutant."""
        limit = PATIENCE + 8 * self.seconds if self.seconds is not None else 300
        began = time.monotonic()
        with subprocess.Popen(self.command, cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL,
                              start_new_session=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            while child.poll() is None:
                if stop.is_set() or time.monotonic() - began > limit:
                    os.killpg(child.pid, signal.SIGKILL)
                    child.wait()
                    return None if stop.is_set() else False
                try:
                    child.wait(0.05 if time.monotonic() - began > 0.2 else 0.005)
                except subprocess.TimeoutExpired:
                    pass
        if self.seconds is None:
            self.seconds = time.monotonic() - began
        return child.returncode == 0


class Build:
    """One build of the copy, and its tests."""

    def __init__(self, source, folder, jobs, *options):
        self.source, self.folder, self.jobs, self.options, self.tests = source, folder, jobs, options, {}

    def configure(self):
        """Sets up the build; if that fails, exits with the tool's own message."""
        subprocess.run(["cmake", "-G", "Ninja", "-S", self.source, "-B", self.folder, "-DPGASIM_REPORT=OFF",
                        *self.options],
                       check=True, stdout=subprocess.DEVNULL)
        self.read_tests()

    def read_tests(self):
        """Reads the list of tests, and the commands of those whose programs are built."""
        shown = subprocess.run(["ctest", "--test-dir", self.folder, "--show-only=json-v1"], check=True,
                               capture_output=True,
                               text=True).stdout
        for spec in json.loads(shown)["tests"]:
            if spec["name"] in self.tests:
                self.tests[spec["name"]].update(spec)
            else:
                self.tests[spec["name"]] = Test(spec)

    def make(self, targets):
        """Builds targets; False when that fails."""
        return subprocess.run(["ninja", "-C", self.folder, "-j", str(self.jobs), *targets], check=False,
                              stdout=subprocess.DEVNULL).returncode == 0

    def compiler(self, path):
        """The command that compiles a file, without its output and without debug information."""
        with open(os.path.join(self.folder, "compile_commands.json"), encoding="utf-8") as file:
            command = next(c["command"] for c in json.load(file)
                           if c["file"] == os.path.join(self.source, path))
        words = shlex.split(re.sub(r" -o \S+ ", " ", command))
        return words + ["-g0"]

    def is_quick(self, name, slowest):
        """Whether a test is quick enough; unknown until it has run once."""
        return self.tests[name].seconds is None or self.tests[name].seconds <= slowest

    def matching(self, pattern):
        """The names of the tests that match."""
        return [name for name in self.tests if re.search(pattern, name)]

    def own(self, module):
        """The targets and names of a module's unit tests; `module`: how their names begin, without a full stop at
        its end."""
        names = self.matching(rf"^unit\.{module}[._]")
        return ["test_" + name.removeprefix("unit.").replace(".", "_") for name in names], names

    def first_failure(self, names):
        """Runs tests, the quickest first, until one fails. Returns its name, or None."""
        order = sorted((self.tests[name] for name in names), key=lambda test: (test.seconds or 0, test.name))
        stop, failed = threading.Event(), []

        def one(test):
            if not stop.is_set() and test.run(stop) is False:
                failed.append(test.name)
                stop.set()
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(one, order))
        return failed[0] if failed else None


class Stage:
    """A group of tests of one build. A mutant passes through stages until a test fails."""

    def __init__(self, name, build, targets, tests, first=False, slowest=SLOWEST):
        self.name, self.build, self.targets, self.tests = name, build, targets, tests
        self.first, self.slowest = first, slowest


class Copy:
    """The copy, `folder`/source, with the builds build and, under sanitizers, build-asan in it: where a build of the
    project has them, so that a cache of compilers knows its objects."""

    def __init__(self, top, folder, jobs):
        os.makedirs(folder, exist_ok=True)
        self.lock = open(os.path.join(folder, "lock"), "w", encoding="utf-8")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"mutants: another run works in {folder}")
        self.top, self.source = top, os.path.join(folder, "source")
        self.changed = None  # a file and its own text
        self.plain = Build(self.source, os.path.join(self.source, "build"), jobs, "-DCMAKE_BUILD_TYPE=Release")
        self.sanitized = Build(self.source, os.path.join(self.source, "build-asan"), jobs,
                               "-DCMAKE_BUILD_TYPE=Debug",
                               "-DPGASIM_SANITIZE=ON")

    def update(self):
        """Brings the copy up to date. Files that did not change keep their times, so little is rebuilt."""
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=self.top,
                                check=True,
                                capture_output=True, text=True).stdout.split("\0")
        wanted = {name for name in listed if name and os.path.isfile(os.path.join(self.top, name))}
        for folder, folders, names in os.walk(self.source):
            if folder == self.source:
                folders[:] = [name for name in folders if not name.startswith("build")]
            for name in names:
                path = os.path.join(folder, name)
                if os.path.relpath(path, self.source) not in wanted:
                    os.unlink(path)
        for name in wanted:
            old, new = os.path.join(self.top, name), os.path.join(self.source, name)
            if not os.path.exists(new) or not filecmp.cmp(old, new, shallow=False):
                os.makedirs(os.path.dirname(new), exist_ok=True)
                shutil.copy(old, new)

    def compiled(self, words, path, text):
        """Compiles a text in place of a file. Returns the object's bytes, or None if that fails."""
        self.write(path, text)
        out = os.path.join(self.plain.folder, "mutant.o")
        ran = subprocess.run(words + ["-o", out], cwd=self.plain.folder, check=False, capture_output=True)
        if ran.returncode:
            return None
        with open(out, "rb") as file:
            return file.read()

    def read(self, path):
        """The text of a file without the mutant; empty if there is no such file."""
        if self.changed and self.changed[0] == path:
            return self.changed[1]
        try:
            with open(os.path.join(self.source, path), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def write(self, path, text):
        """Changes one file of the copy, and restores the one changed before."""
        if self.changed and self.changed[0] != path:
            self.restore()
        self.changed = path, self.read(path)
        with open(os.path.join(self.source, path), "w", encoding="utf-8") as file:
            file.write(text)

    def restore(self):
        """Undoes the change."""
        if self.changed:
            path, text = self.changed
            self.changed = None
            with open(os.path.join(self.source, path), "w", encoding="utf-8") as file:
                file.write(text)

    def stages(self, module):
        """The stages for a mutant of a module, in order."""
        if module == "sdsm":
            return [Stage("own", self.plain, ["test_sdsm_twin"], self.plain.matching(r"^unit\.sdsm\.twin$"), True),
                    Stage("programs", self.plain, ["product"], self.plain.matching(SDSM_PROGRAMS),
                          slowest=SLOWEST_PROGRAM)]
        if module == "collectives":
            targets, own = self.plain.own("coll")
            quick = ["unit.coll.schedules", "unit.coll.algorithms", "unit.coll.costs"]
            programs = ["test_" + name.removeprefix("unit.").replace(".", "_") for name in quick]
            return [Stage("quick", self.plain, programs, quick, True),
                    Stage("units", self.plain, targets, [name for name in own if name not in quick]),
                    Stage("times", self.plain, ["product", "oracle_coll_smpi"],
                          self.plain.matching(r"^oracle\.coll$"), slowest=SLOWEST_PROGRAM)]
        if module in ("storage", "mpi.file"):
            return [Stage("own", self.plain, *self.plain.own(module), True),
                    Stage("sanitized", self.sanitized, *self.sanitized.own(module)),
                    Stage("programs", self.plain, ["product"], self.plain.matching(FILES_PROGRAMS),
                          slowest=SLOWEST_PROGRAM)]
        targets, own = self.plain.own(module)
        others = [name for name in self.plain.matching(r"^(unit|oracle)\.") if name not in own]
        return [Stage("own", self.plain, targets, own, True),
                Stage("sanitized", self.sanitized, *self.sanitized.own(module)),
                Stage("units", self.plain, ["all"], others),
                Stage("programs", self.plain, ["all"], self.plain.matching(PROGRAMS))]
