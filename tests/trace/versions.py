#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""versions.py BUILD SOURCE: files of format versions before this one are read as they were by the pgasim that
wrote them. SOURCE/tests/trace/versionN/NAME.txt has its answers: the profile, and the class of every state of
the page. Files of version 1 do not say what their names stand for. Files that are cut off or damaged are
noticed.

versions.py PGASIM NAME.pgt prints the answers that PGASIM gives."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def run(pgasim, *arguments):
    return subprocess.run([str(pgasim), *map(str, arguments)], capture_output=True, encoding="utf-8",
                          errors="surrogateescape", timeout=60, check=False)


def profile(pgasim, trace):
    return run(pgasim, "profile", "--top", "6", trace)


def states(pgasim, trace):
    page = run(pgasim, "report", "-o", "-", trace).stdout
    if not page:
        return ""  # built without
    data = json.loads(re.search(r"<script[^>]*application/json[^>]*>(.*?)</script>", page, re.S).group(1))
    found = {s["text"]: data["classes"][s["class"]]["key"] for s in data["timeline"]["states"] if s["text"]}
    return "".join(f"state {found[text]}: {text!r}\n" for text in sorted(found))


def answers(pgasim, trace):
    return profile(pgasim, trace).stdout + states(pgasim, trace)


def compare(pgasim, trace, wrong):
    with open(trace.with_suffix(".txt"), encoding="utf-8", errors="surrogateescape") as f:
        expected, got = f.read().splitlines(), answers(pgasim, trace).splitlines()
    if not any(line.startswith("state ") for line in got):
        expected = [line for line in expected if not line.startswith("state ")]
    wrong += [f"{trace.name}: {a!r}, expected {b!r}" for a, b in zip(got, expected) if a != b]
    if len(got) != len(expected):
        wrong.append(f"{trace.name}: {len(got)} lines, expected {len(expected)}")


def damage(pgasim, trace, folder, wrong):
    """Cuts the file off, or flips a bit. It is refused, or read up to there with a report, or nothing
    changes."""
    whole, good, other = trace.read_bytes(), profile(pgasim, trace), folder / trace.name
    for at in range(1, len(whole), 151):
        for what, content in (("cut off at", whole[:at]),
                              ("flipped at", whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1:])):
            other.write_bytes(content)
            done = profile(pgasim, other)
            noticed = done.returncode == 2 or "not all of it" in done.stdout
            if done.returncode not in (0, 2, 4) or not (noticed or done.stdout == good.stdout):
                wrong.append(f"{trace.name} {what} {at}: status {done.returncode}: {done.stderr[-300:]}")
            elif what == "cut off at" and not noticed:
                wrong.append(f"{trace.name} {what} {at}: nothing is said")


def main(argv):
    if argv[2].endswith(".pgt"):
        sys.stdout.write(answers(argv[1], argv[2]))
        return 0
    pgasim, wrong = pathlib.Path(argv[1]) / "bin" / "pgasim", []
    for version in range(1, 10):
        traces = sorted((pathlib.Path(argv[2]) / "tests" / "trace" / f"version{version}").glob("*.pgt"))
        for trace in traces:
            if trace.read_bytes()[8:12] != bytes([version, 0, 0, 0]):
                wrong.append(f"{trace.name} is not of version {version}")
            compare(pgasim, trace, wrong)
        with tempfile.TemporaryDirectory() as folder:
            damage(pgasim, traces[0], pathlib.Path(folder), wrong)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
