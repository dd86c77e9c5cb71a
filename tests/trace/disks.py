#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""disks.py BUILD SOURCE: accesses to files, requests and disks in traces of each form, against the run's own totals:
examples/files on a parallel file system, independently and collectively; and POSIX calls of one rank."""
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

RANKS, ROWS, PIECE = 16, 256, 1024
AGGREGATORS = RANKS * ROWS * PIECE >> 20  # a stripe of 1 MiB each
POSIX = """
#include <fcntl.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
    static char bytes[40000];
    shmem_init();
    int f = open("posix", O_CREAT | O_RDWR | O_TRUNC, 0666);
    for (int k = 0; k < 20; k++)
        if (pwrite(f, bytes, 2000, 4000 * k) != 2000)
            return 1;
    fsync(f);
    if (pread(f, bytes, sizeof bytes, 1000) != sizeof bytes)
        return 1;
    close(f);
    unlink("posix");
    shmem_finalize();
    return 0;
}
"""
wrong = []


def equal(what, got, wanted):
    if got != wanted:
        wrong.append(f"{what}: {got!r}, expected {wanted!r}")


def run(*command, folder=None):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=100, check=False,
                          cwd=folder)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {done.returncode}: {done.stderr}")
    return done.stdout


def play(build, folder, platform, ranks, program, *more):
    """Runs with a trace in each form. What the run says of its file system, and the profile."""
    run(build / "bin/pgasim", "run", "--quiet", "--compute=off", "-np", ranks, "-platform", platform, "--json",
        "run.json", *[f"--trace=t.{form}" for form in ("pgt", "json", "paje", "otf2")], *more, *program, folder=folder)
    volume = json.loads((folder / "run.json").read_text())["volumes"][0]
    return volume, json.loads(run(build / "bin/pgasim", "profile", "--json", "--top", 0, folder / "t.pgt"))


def chrome(folder):
    """Bytes of reads and writes that disks have done, and how many slices of files, of steps there are."""
    moved, slices, open_parts = collections.Counter(), collections.Counter(), {}
    for e in json.loads((folder / "t.json").read_text()):
        if e.get("cat") == "disk" and e["ph"] == "b":
            moved[e["args"]["does"]] += e["args"]["bytes"]
            open_parts[e["id"]] = e["ts"]
        elif e.get("cat") == "disk":
            equal("a slice of a disk ends after it begins", open_parts.pop(e["id"]) <= e["ts"], True)
        elif e["ph"] == "B" and e.get("cat") in ("file", "two phases"):
            slices[e["cat"]] += 1
            equal("a slice's arguments", set(e["args"]) - {"file", "offset", "round"}, {"bytes"})
    equal("slices of disks that do not end", open_parts, {})
    return moved, slices


def paje(folder):
    """The last of each host's bytes, added."""
    last = {}
    if not shutil.which("pj_dump"):
        return None
    for line in run("pj_dump", "-e", "1e9", folder / "t.paje").splitlines():
        words = line.split(", ")
        if words[0] == "Variable" and words[2] == "bytes that disks have moved so far":
            last[words[1]] = max(last.get(words[1], 0), float(words[6]))
    return sum(last.values())


def otf2(folder):
    """Reads and writes that begin and that are complete, with their bytes; files."""
    count = collections.Counter()
    if not shutil.which("otf2-print"):
        return None
    for line in run("otf2-print", folder / "t.otf2").splitlines():
        found = re.match(r"IO_OPERATION_(BEGIN|COMPLETE) .*Bytes [A-Za-z]+: (\d+)", line)
        if found:
            count[found.group(1)] += 1
            count[found.group(1), "bytes"] += int(found.group(2))
    return count, len(re.findall(r"^IO_REGULAR_FILE ", run("otf2-print", "-G", folder / "t.otf2"), re.M))


def check_forms(what, folder, profile, volume):
    read, written = volume["read_bytes"], volume["written_bytes"]
    moved, slices = chrome(folder)
    equal(f"{what}: Chrome's bytes", (moved["reading"], moved["writing"]), (read, written))
    equal(f"{what}: Paje's bytes", paje(folder), None if not shutil.which("pj_dump") else read + written)
    accesses = sum(f[way]["accesses"] for f in profile["files"] for way in ("read", "written"))
    whole = sum(f[way]["bytes"] for f in profile["files"] for way in ("read", "written"))
    others = sum(f["other_operations"] for f in profile["files"])
    equal(f"{what}: Chrome's slices of files", slices["file"], accesses + others)
    equal(f"{what}: Chrome's slices of steps", slices["two phases"],
          sum(s["count"] for s in profile["two_phase_steps"]))
    records = otf2(folder)
    if records:
        equal(f"{what}: OTF2's operations", (dict(records[0]), records[1] > 0),
              ({"BEGIN": accesses, "COMPLETE": accesses, ("BEGIN", "bytes"): whole, ("COMPLETE", "bytes"): whole}, True))


def matrix(build, source, folder, way):
    mine, all_bytes = ROWS * PIECE, RANKS * ROWS * PIECE
    volume, profile = play(build, folder, source / "examples/files/parallel.xml", RANKS, ["./files", way],
                           "--map-by", "host")
    for kind, totals in (("read", "reads"), ("written", "writes")):
        f = profile["files"][0][kind]
        together = way == "collective"
        requests = AGGREGATORS if together else RANKS * ROWS
        equal(f"{way}: {kind}", (f["accesses"], f["collective_accesses"], f["accesses_with_gaps"], f["bytes"]),
              (RANKS, RANKS * together, RANKS, RANKS * mine))
        equal(f"{way}: requests, {kind}", (f["requests"], f["request_bytes"]), (requests, all_bytes))
        equal(f"{way}: the run's requests", volume[totals], requests)
        equal(f"{way}: further on", f["requests_further_on"], 0 if together else RANKS * (ROWS - 1))
        hint = "MPI_File_" in f.get("hint", "") and "gaps" in f.get("remark", "")
        equal(f"{way}: {kind}: a hint", hint, not together)
    equal(f"{way}: aggregators", [g["rank"] for g in sorted(profile["aggregators"], key=lambda g: g["rank"])],
          list(range(AGGREGATORS)) if way == "collective" else [])
    waited = sum(w["seconds"] for w in profile["disk_waits"])
    within = sum(f["access_seconds"] for f in profile["files"])
    least = 0.2 if way == "collective" else 0.999  # collectively, ranks also wait for each other
    named = sum(w["seconds"] for w in profile["disk_waits"] if w["disk"].startswith("names of"))
    equal(f"{way}: waits for disks {waited:.6f} s of {within:.6f} s", least * within < waited - named <= within, True)
    check_forms(way, folder, profile, volume)


def posix(build, source, folder):
    volume, profile = play(build, folder, source / "examples/files/server.xml", 1, ["./posix_calls"], "--set",
                           "io/posix=yes")
    f = [x for x in profile["files"] if x["path"].endswith("/posix")][0]
    equal("posix: written", (f["written"]["accesses"], f["written"]["bytes"], f["written"]["requests"]), (20, 40000, 20))
    equal("posix: read", (f["read"]["accesses"], f["read"]["bytes"], f["read"]["requests"]), (1, 40000, 1))
    equal("posix: gaps", (f["written"]["accesses_with_gaps"], f["written"]["requests_further_on"]), (0, 19))
    equal("posix: made, synced, removed", f["other_operations"], 3)
    check_forms("posix", folder, profile, volume)


def main(argv):
    build, source = pathlib.Path(argv[1]), pathlib.Path(argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "posix.c").write_text(POSIX)
        run(build / "bin/wrappers/mpicc", "-O1", source / "examples/files/files.c", "-o", folder / "files")
        run(build / "bin/wrappers/oshcc", "-O1", folder / "posix.c", "-o", folder / "posix_calls")
        for way in ("independent", "collective"):
            matrix(build, source, folder, way)
        posix(build, source, folder)
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main(sys.argv))
