#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""read_back.py BUILD SOURCE PROGRAM: runs a program with a trace in each foreign format, reads the traces
with other tools (pj_dump, otf2-print, a JSON parser; those that are installed), and compares their counts
with the run's.

PROGRAM is heat, isort, mandel or hostile; filtered: hostile, traced with filters; or killed and interrupted:
a run that SIGKILL or SIGINT ends in the middle."""
import collections
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

build, source, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
wrong = []

PROGRAMS = {  # source, what it is linked with, ranks, arguments
    "heat": ("examples/heat/heat.c", ["-lm"], 8, ["-n", "64", "-i", "30", "-r", "10"]),
    "isort": ("examples/isort/isort.c", [], 8, ["S"]),
    "mandel": ("examples/mandel/mandel.c", ["-lpng"], 8, ["-w", "120", "-h", "90", "-o", "/dev/null"]),
    "hostile": ("tests/trace/hostile.c", ["-pthread"], 4, []),
    "filtered": ("tests/trace/hostile.c", ["-pthread"], 4, []),
    "interrupted": ("examples/heat/heat.c", ["-lm"], 8, ["-n", "64", "-i", "1000000", "-r", "1000000"]),
    "killed": ("examples/heat/heat.c", ["-lm"], 8, ["-n", "64", "-i", "1000000", "-r", "1000000"]),
}
FORMS = {"t.paje": "pj_dump", "t.otf2": "otf2-print", "t.json": "python3", "t.pgt": "python3"}


def equal(what, got, wanted):
    """Counts that must agree."""
    if got != wanted:
        wrong.append(f"{what}: {got!r}, expected {wanted!r}")


def run(*command, **more):
    """The finished process; its output is text, whatever bytes it holds."""
    return subprocess.run([str(c) for c in command], capture_output=True, encoding="utf-8",
                          errors="surrogateescape",
                          timeout=200, check=False, **more)


def compile_program(folder):
    file, libraries, _, _ = PROGRAMS[program]
    done = run(build / "bin/wrappers/oshcc", "-O1", source / file, "-o", folder / "program", *libraries)
    if done.returncode:
        sys.exit(done.stderr)


def command_of(folder, ranks, arguments):
    traces = [f"--trace={folder / name}" for name, tool in FORMS.items() if shutil.which(tool)]
    return [build / "bin/pgasim", "run", "--json", folder / "run.json", "-np", ranks, "--map-by", "host",
            "--compute",
            "off", *traces, folder / "program", *arguments]


# --- what each tool reads -----------------------------------------------------------------------------------


def read_paje(folder):
    """Counts of lines by nature and type, from pj_dump; it checks order, nesting and arrows itself."""
    done = run("pj_dump", "-e", "1e9", folder / "t.paje")  # by default it leaves out the last instant
    equal("pj_dump's status", (done.returncode, done.stderr), (0, ""))
    counts = collections.Counter()
    for line in done.stdout.splitlines():
        nature, _, kind = line.split(", ")[:3]
        counts[nature, kind] += 1
    return {
        "puts": counts["Link", "Put"],
        "gets": counts["Link", "Get request"],
        "replies": counts["Link", "Get reply"],
        "atomics": counts["Link", "Atomic"],
        "fetched": counts["Link", "Atomic reply"],
        "messages": counts["Link", "Message"],
        "signals": counts["Event", "Signal"],
        "marks": counts["Event", "Mark"] + counts["Event", "Thread mark"],
        "ranks": counts["Container", "Rank"],
        "threads": counts["Container", "Thread"],
        "states": counts["State", "State"] + counts["State", "Thread state"],
    }


def read_otf2(folder):
    """Counts of records, from otf2-print, which checks that definitions are there."""
    done = run("otf2-print", folder / "t.otf2")
    definitions = run("otf2-print", "-G", folder / "t.otf2")
    for one in (done, definitions):
        equal("otf2-print's status", (one.returncode, one.stderr), (0, ""))
    counts, last = collections.Counter(), 0
    for line in done.stdout.splitlines():
        words = line.split()
        if len(words) < 3 or not words[1].isdigit() or not words[2].isdigit():
            continue
        window = re.search(r'Window: "([^"]*)"', line)
        counts[words[0], window.group(1) if window else ""] += 1
        if int(words[2]) < last:
            wrong.append(f"otf2: {line} comes after {last}")
        last = int(words[2])
    memory, messages = "symmetric memory", "messages of collectives"
    equal("otf2: regions left", counts["LEAVE", ""], counts["ENTER", ""])
    return {
        "puts": counts["RMA_PUT", memory],
        "gets": counts["RMA_GET", memory],
        "replies": counts["RMA_OP_COMPLETE_NON_BLOCKING", memory] - fetched_of(done.stdout),
        "atomics": counts["RMA_ATOMIC", memory],
        "fetched": fetched_of(done.stdout),
        "messages": counts["RMA_PUT", messages],
        "signals": counts["PARAMETER_UINT64", ""],
        "marks": counts["PARAMETER_STRING", ""],
        "ranks": len(re.findall(r'^LOCATION_GROUP +\d+ +Name: "rank ', definitions.stdout, re.M)),
        "threads": len(re.findall(r'^LOCATION +\d+ +Name: "rank \d+ thread ', definitions.stdout, re.M)),
        "states": counts["ENTER", ""],
    }


def fetched_of(text):
    return len(re.findall(r"^RMA_ATOMIC .*(?:FETCH|SWAP)", text, re.M))


def read_json(folder):
    """Counts of records; what opens is closed, in order."""
    records = json.loads((folder / "t.json").read_text(encoding="utf-8"))
    counts, names = check_json(records)
    return {
        "puts": counts["s", "put"],
        "gets": counts["s", "get"],
        "replies": counts["f", "get"],
        "atomics": counts["s", "atomic"],
        "fetched": counts["t", "atomic"],
        "messages": counts["s", "message"],
        "signals": counts["i", "signal"],
        "marks": counts["i", "mark"],
        "ranks": sum(name.startswith("rank ") and "thread" not in name for name in names),
        "threads": sum("thread" in name for name in names),
        "states": sum(n for (phase, _), n in counts.items() if phase == "B"),
    }


def check_json(records):
    counts, names, last = collections.Counter(), [], 0
    depth = collections.Counter()
    for r in records:
        counts[r["ph"], r.get("cat", "")] += 1
        if r["ph"] == "M":
            names += [r["args"]["name"]] if r["name"] == "thread_name" else []
            continue
        if r["ts"] < last:
            wrong.append(f"json: {r} comes after {last}")
        last = r["ts"]
        depth[r["pid"], r.get("tid")] += {"B": 1, "E": -1}.get(r["ph"], 0)
        if min(depth[r["pid"], r.get("tid")], r.get("args", {}).get("bytes", 0)) < 0:
            wrong.append(f"json: more ends than beginnings, or less than nothing: {r}")
    return counts, names


READERS = {"t.paje": read_paje, "t.otf2": read_otf2, "t.json": read_json}


# --- the tests ----------------------------------------------------------------------------------------------


def check_counts(name, got, operations, ranks):
    equal(f"{name}: puts", got["puts"], operations["puts"])
    equal(f"{name}: gets", got["gets"], operations["gets"])
    equal(f"{name}: replies", got["replies"], operations["gets"])
    equal(f"{name}: atomics", got["atomics"], operations["atomics"])
    equal(f"{name}: messages", got["messages"], operations["collective_messages"])
    equal(f"{name}: ranks", got["ranks"], ranks)
    if program == "hostile":
        equal(f"{name}: marks", got["marks"], 2 * ranks)
        equal(f"{name}: threads", got["threads"], ranks)
        equal(f"{name}: fetched", got["fetched"], 5 * ranks)
        equal(f"{name}: signals", got["signals"], 10 * ranks)


def test_counts(folder):
    _, _, ranks, arguments = PROGRAMS[program]
    done = run(*command_of(folder, ranks, arguments))
    if done.returncode:
        sys.exit(done.stderr)
    figures = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    states = {}
    for name, read in READERS.items():
        if not shutil.which(FORMS[name]):
            print(f"{FORMS[name]} is not installed: {name} was not read")
            continue
        got = read(folder)
        print(name, got)
        states[name] = got["states"]
        check_counts(name, got, figures["operations"], ranks)
    equal("forms that have other numbers of states", len(set(states.values())), 1)


def test_filtered(folder):
    """Filtered traces hold less, and no tool complains."""
    _, _, ranks, arguments = PROGRAMS[program]
    before = 1 << 60
    for options in (
        [],
        ["--trace-from=25us"],
        ["--trace-from=25us", "--trace-to=35us"],
        ["--trace-from=25us", "--trace-to=35us", "--trace-ranks=1"],
        ["--trace-kinds=operations", "--trace-to=20.5us"],
    ):
        command = command_of(folder, ranks, arguments)
        done = run(*command[:2], *options, *command[2:])
        if done.returncode:
            sys.exit(done.stderr)
        got = {name: read(folder)["puts"] for name, read in READERS.items() if shutil.which(FORMS[name])}
        print(options, "puts", got)
        equal("forms that have other numbers of puts", len(set(got.values())), 1)
        puts = next(iter(got.values()))
        if not 0 < puts < before:
            wrong.append(f"{options}: {puts} puts, before them {before}")
        before = puts


def end_midway(folder, with_signal):
    """Starts the run, and ends it when the trace has grown."""
    _, _, ranks, arguments = PROGRAMS[program]
    with subprocess.Popen([str(c) for c in command_of(folder, ranks, arguments)], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        end = time.time() + 60
        while time.time() < end and size_of(folder / "t.json") < 1 << 20:
            time.sleep(0.02)
        equal("status before the end", process.poll(), None)
        os.kill(process.pid, with_signal)


def test_killed(folder):
    """The files hold whole records, except perhaps the last; JSON lacks its closing bracket."""
    end_midway(folder, signal.SIGKILL)
    for name in "t.json", "t.paje":
        if (folder / name).exists():
            text = (folder / name).read_bytes()
            (folder / name).write_bytes(text[: text.rindex(b"\n") + 1])
    text = (folder / "t.json").read_text(encoding="utf-8")
    counts, _ = check_json(json.loads(text.rstrip(",\n") + "]"))
    print("t.json", sum(counts.values()), "records")
    if (folder / "t.paje").exists() and shutil.which("pj_dump"):
        done = run("pj_dump", "-z", folder / "t.paje")
        print("t.paje", done.stdout.count("\n"), "lines")
        equal("pj_dump's status", (done.returncode, done.stderr), (0, ""))


def test_interrupted(folder):
    """The traces are whole."""
    end_midway(folder, signal.SIGINT)
    got = {name: read(folder)["puts"] for name, read in READERS.items() if shutil.which(FORMS[name])}
    print("puts", got)
    equal("forms that have other numbers of puts", len(set(got.values())), 1)


def size_of(path):
    return path.stat().st_size if path.exists() else 0


with tempfile.TemporaryDirectory() as scratch:
    compile_program(pathlib.Path(scratch))
    tests = {"killed": test_killed, "interrupted": test_interrupted, "filtered": test_filtered}
    tests.get(program, test_counts)(pathlib.Path(scratch))
for line in wrong[:20]:
    print(line)
sys.exit(bool(wrong))
