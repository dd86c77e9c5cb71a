#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""races.py BUILD SOURCE: the races of a run (races.c) in its traces, of all formats: each with both accesses, their
lines, ranks, threads and times; the same bytes in each run; none in a run without races, or that is not checked."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

build, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
here = source / "tests/trace"
wrong = []


def equal(what, got, wanted):
    if got != wanted:
        wrong.append(f"{what}: {got!r}, expected {wanted!r}")


def call(*words, **more):
    return subprocess.run([str(w) for w in words], capture_output=True, encoding="utf-8", errors="replace",
                          timeout=200, check=False, **more)


def run(folder, *words, checks=("--check=races",), status=7):
    done = call(build / "bin/pgasim", "run", "-np", 4, "--compute=off", "--quiet", *checks, *words, cwd=folder)
    equal(f"status of {words}: {done.stderr}", done.returncode, status)
    return done


def profile(trace):
    return json.loads(call(build / "bin/pgasim", "profile", "--json", trace).stdout)


def line_of(mark):
    lines = (here / "races.c").read_text(encoding="utf-8").splitlines()
    return f"races.c:{1 + next(k for k, line in enumerate(lines) if f'/* {mark} */' in line)}"


def known(folder):
    """What the trace of the wrong program has, against the program's text and its report."""
    done = run(folder, "--trace", "a.pgt", "./program")
    races = profile(folder / "a.pgt")["races"]
    found = {(a["access"], a["by"], a["rank"], a["thread"] > 0, b["access"], b["by"], b["rank"])
             for a, b in (r["accesses"] for r in races)}
    equal("races", sorted(found),
          sorted({("written", "MPI_Put", 2, False, "read", "MPI_Get", 2),
                  ("written", "MPI_Put", 2, False, "read", "a load", 3),
                  ("written", "a store", 1, True, "written", "a store", 1)}))
    for race in races:
        first, second = race["accesses"]
        for access in (first, second):
            mark = {"MPI_Put": "PUT", "MPI_Get": "GET", "a load": "LOAD", "a store": "THREADS"}[access["by"]]
            equal(f"place of {access['by']}", access["place"].endswith(line_of(mark)), True)
        equal(f"{first} before {second}", first["time"] <= second["time"], True)
        equal("bytes", race["bytes"], 4)
        equal(f"the report has it: {race['missing']}", race["missing"].split("; ")[0] in done.stderr, True)
        owner = 1 if first["by"] == "a store" else 3
        equal("owner", race["owner_rank"], owner)
        if owner == 1:
            equal("threads", first["thread"] != second["thread"], True)
    equal("objects", sorted({r["object"].split(" ")[0] for r in races}), ["shared", "window+0x0", "window+0x4"])
    text = call(build / "bin/pgasim", "profile", "a.pgt", cwd=folder).stdout
    equal("the profile's section", re.findall(r"^Races .*|^  .* of rank \d$", text, re.M)[0],
          "Races (--check=races): accesses that nothing orders")
    return races


def foreign(folder, races):
    """Chrome's ends have the accesses' own times; those of the others are where the race was found."""
    run(folder, "--trace", "t.json", "--trace", "t.paje", "./program")
    events = json.loads((folder / "t.json").read_text(encoding="utf-8"))
    of_races = [e for e in events if e.get("cat") == "race"]
    times = sorted(round(a["time"] * 1e6, 6) for r in races for a in r["accesses"])
    for phases in ("i", "sf"):
        equal(f"times of {phases}", sorted(round(e["ts"], 6) for e in of_races if e["ph"] in phases), times)
    put = next(r["accesses"][0]["time"] for r in races if r["accesses"][0]["by"] == "MPI_Put")
    issued = [e["ts"] for e in events if e.get("cat") == "put" and e["ph"] == "s"]
    equal("the put's issue", round(put * 1e6, 6) in [round(t, 6) for t in issued], True)
    paje = (folder / "t.paje").read_text(encoding="utf-8")
    equal("Paje's events", len(re.findall(r"^11 \S+ (?:RAC|TRA) ", paje, re.M)), 2 * len(races))
    equal("Paje's arrows", len(re.findall(r"^1[23] \S+ RCE ", paje, re.M)), 2 * len(races))
    if shutil.which("pj_dump"):
        dumped = call("pj_dump", "-n", folder / "t.paje")
        equal(f"pj_dump: {dumped.stderr}", len(re.findall(r"^Link, .*Race", dumped.stdout, re.M)), len(races))
    if shutil.which("otf2-print"):
        run(folder, "--trace", "t.otf2", "./program")
        printed = call("otf2-print", folder / "t.otf2").stdout
        equal("OTF2's parameters", len(re.findall(r'Parameter: "race"', printed)), 2 * len(races))


def same(folder):
    """Two runs, and one that another trace goes with."""
    names = ["b.pgt", "b.json", "b.paje"]
    for copy in ("one", "two"):
        (folder / copy).mkdir()
        run(folder, *[w for n in names for w in ("--trace", f"{copy}/{n}")], "./program")
    for name in names:
        equal(f"two runs: {name}", (folder / "one" / name).read_bytes() == (folder / "two" / name).read_bytes(),
              True)
    equal("the same without others", (folder / "one/b.pgt").read_bytes() == (folder / "a.pgt").read_bytes(), True)


def none(folder):
    end = profile(folder / "a.pgt")["simulated_seconds"]
    for what, words, more in (("not checked", ["./program"], {"checks": (), "status": 0}),
                              ("right", ["./program", "right"], {"status": 0}),
                              ("other kinds", ["--trace-kinds", "calls,waits", "./program"], {})):
        run(folder, "--trace", "n.pgt", *words, **more)
        got = profile(folder / "n.pgt")
        equal(f"{what}: races", got.get("races"), None)
        if what == "not checked":
            equal("the check takes no simulated time", got["simulated_seconds"], end)
    run(folder, "--trace", "o.pgt", "--trace-kinds", "races", "./program")
    equal("only races", profile(folder / "o.pgt")["race_count"], 3)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = call(build / "bin/wrappers/mpicc", "--check", "-g", "-pthread",
                    here / "races.c", "-o", folder / "program")
        if made.returncode:
            sys.exit(made.stderr)
        races = known(folder)
        foreign(folder, races)
        same(folder)
        none(folder)
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
