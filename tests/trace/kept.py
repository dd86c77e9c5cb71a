#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""kept.py BUILD SOURCE: what the adversary has kept back is in the traces of its runs, of all formats: as many operations
as its list of decisions has. None are in the trace of another run."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

build, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
wrong = []


def equal(what, got, wanted):
    if got != wanted:
        wrong.append(f"{what}: {got!r}, expected {wanted!r}")


def call(*words, **more):
    return subprocess.run([str(w) for w in words], capture_output=True, encoding="utf-8", errors="replace",
                          timeout=200, check=False, **more)


def run(folder, *words):
    done = call(build / "bin/pgasim", "run", "-np", 4, "--compute=off", "--quiet", *words, "./program", "signal", cwd=folder)
    equal(f"status of {words}: {done.stderr}", done.returncode, 0)


def kept(trace):
    return json.loads(call(build / "bin/pgasim", "profile", "--json", "--top", 0, trace).stdout).get("kept_back")


def decided(path):
    """Operations that are kept back or late at one of their steps, or between the pieces of one: rank and number."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return {m[1] for m in (re.match(r"(?:hold|cut)[a-z-]*@(\d+#\d+)", line) for line in lines) if m}


def seed(folder, number):
    """Returns how many operations were kept back."""
    run(folder, "--check=nasty", "--seed", number, "--set", "check/decisions=d", "--trace", "k.pgt", "--trace", "k.json",
        "--trace", "k.paje")
    found, held = kept(folder / "k.pgt"), decided(folder / "d")
    if not held:
        equal(f"seed {number}: nothing was held", found, None)
        return 0
    longest = found["longest"]
    equal(f"seed {number}: as many as were held", found["operations"], len(held))
    equal("all are listed", len(longest), found["operations"])
    equal("they are in order", [k["seconds"] for k in longest],
          sorted((k["seconds"] for k in longest), reverse=True))
    equal("their sum", abs(sum(k["seconds"] for k in longest) - found["seconds"]) < 1e-12, True)
    equal("times", all(k["seconds"] >= 0 and k["issued"] >= 0 for k in longest), True)
    marks = [e for e in json.loads((folder / "k.json").read_text(encoding="utf-8")) if e.get("cat") == "kept back"]
    paje = re.findall(r"^\d+ ([0-9.]+) KEPT r(\d+) \"(\w+)\"", (folder / "k.paje").read_text(encoding="utf-8"), re.M)
    equal("marks", sorted((round(e["ts"], 6), e["name"]) for e in marks),
          sorted((round(float(at) * 1e6, 6), name) for at, _, name in paje))
    equal("calls", {e["name"] for e in marks} <= {k["call"] for k in longest}, True)
    text = call(build / "bin/pgasim", "profile", "--top", 1, "k.pgt", cwd=folder).stdout
    equal("the profile's section", "Kept back (--check=nasty): operations that the adversary made late\n"
          f"  {found['operations']} operation" in text, True)
    return len(held)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        made = call(build / "bin/pgasim", "cc", "-g", source / "tests/run/programs/shmem_nasty_legal.c", "-o",
                    folder / "program")
        if made.returncode:
            sys.exit(made.stderr)
        numbers = [seed(folder, k) for k in range(1, 7)]
        equal(f"some seeds hold operations back: {numbers}", max(numbers) > 10, True)
        run(folder, "--trace", "n.pgt")
        equal("without the adversary", kept(folder / "n.pgt"), None)
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
