# SPDX-License-Identifier: BSD-3-Clause
"""memory.py BUILD: the benchmark on simulated nodes whose cores share a memory must find the memory's constants, and measure the
same on the platform that is made of them: what one rank and what all ranks compute and copy, and streams within a node."""
import json
import os
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1])
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime", "calibrate")
RANKS = 4  # of a node
MEMORY, CORE, COPYING, COPY, MESSAGE = 20e9, 8e9, 5e9, 1.6, 3
PLATFORM = f"""<platform version="4.1">
<config>
<prop id="smpi/os" value="0:2e-6:0"/><prop id="smpi/or" value="0:3e-6:0"/>
<prop id="smpi/lat-factor" value="1"/><prop id="smpi/bw-factor" value="1"/>
</config>
<cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" core="{RANKS}" bw="1GBps" lat="10us"
 loopback_bw="4GBps" loopback_lat="1us">
<prop id="local/memory-bandwidth" value="{MEMORY}"/><prop id="local/core-bandwidth" value="{CORE}"/>
<prop id="local/bandwidth" value="{COPYING}"/><prop id="local/copy-traffic" value="{COPY}"/>
<prop id="local/message-traffic" value="{MESSAGE}"/></cluster></platform>
"""
wrong = []


def near(what, got, expected, tolerance):
    """Notes a number that is further off than the tolerance, relative."""
    if not abs(got - expected) <= tolerance * expected:
        wrong.append(f"{what}: got {got:.9g}, expected {expected:.9g}")


def run(command, folder):
    """Runs a command, which must succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")


def measure(folder, platform, name):
    """What the benchmark measures there, by what it is."""
    run([os.path.join(BUILD, "bin", "pgasim"), "run", "--compute=off", "-np", str(2 * RANKS), "-platform", platform,
         "./calibrate", "-o", name, "-passes", "1", "-largest", "1048576", "-memory", "3000000", "-samples", "6",
         "-parts", "pingpong,sharing,compute"], folder)
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return {tuple(r.get(k) for k in ("kind", "mode", "where", "bytes", "width")): r["seconds"] for r in rows
            if "seconds" in r}


def check_measured(points):
    """On the first platform, whose constants are known."""
    for kind, mode, rate in ("triad", "one", CORE), ("triad", "all", MEMORY / RANKS), ("copy", "one", COPYING), \
            ("copy", "all", MEMORY / COPY / RANKS):
        found = [k for k in points if k[:2] == (kind, mode)]
        if len(found) != 1:
            wrong.append(f"{len(found)} points of {kind}, {mode}; expected one")
        for k in found:
            near(f"{kind} of {mode}, bytes/s", k[3] / points[k], rate, 0.01)
    if not any(k[0] == "pairs" and k[2] == "node" and k[4] == 2 for k in points):
        wrong.append("no streams of two pairs within a node")


def check_fit(fit, platform):
    """The constants, and what is not identified."""
    constants = {c["name"]: c for c in fit["constants"]}
    for name, value in {"memory bandwidth of a node": MEMORY, "memory bandwidth of a core": CORE, "copying by a core": COPYING,
                        "bytes of memory for each that is copied": COPY,
                        "bytes of memory for each of a message within a node": MESSAGE}.items():
        if name not in constants:
            wrong.append(f"the constant '{name}' is missing")
            continue
        near(name, constants[name]["value"], value, 0.02)
    missing = {m["name"] for m in fit["not_identified"]}
    for name in "memory bandwidth of a node", "memory bandwidth of a core", "sharing within a node":
        if name in missing:
            wrong.append(f"'{name}' is not identified")
    if 'id="local/memory-bandwidth"' not in platform:
        wrong.append("the platform has no memory")


def check_stalled(folder):
    """Ranks that lose their processor for most of the time have streams that say nothing about the memory."""
    with open(os.path.join(folder, "known"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for row in rows:
        if row["kind"] == "pairs" and row["where"] == "node":
            for key in "seconds", "least", "most":
                row[key] *= 1e7
    with open(os.path.join(folder, "stalled"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    program = os.path.join(BUILD, "bin", "pgasim")
    run([program, "calibrate", "stalled", "-o", "stalled.xml", "--json", "stalled.json"], folder)
    run([program, "platform", "check", "stalled.xml"], folder)
    with open(os.path.join(folder, "stalled.json"), encoding="utf-8") as file:
        if "memory that messages within a node move" not in {m["name"] for m in json.load(file)["not_identified"]}:
            wrong.append("stalled streams: the memory that messages move counts as identified")


def main():
    """Builds, measures, fits, measures again."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "known.xml"), "w", encoding="utf-8") as file:
            file.write(PLATFORM)
        run([os.path.join(SOURCE, "build.sh"), os.path.join(BUILD, "bin", "wrappers", "mpicc"), folder], folder)
        known = measure(folder, "known.xml", "known")
        check_measured(known)
        run([os.path.join(BUILD, "bin", "pgasim"), "calibrate", "known", "-o", "fit.xml", "--json", "fit.json"], folder)
        with open(os.path.join(folder, "fit.json"), encoding="utf-8") as file, \
                open(os.path.join(folder, "fit.xml"), encoding="utf-8") as platform:
            check_fit(json.load(file), platform.read())
        check_stalled(folder)
        again = measure(folder, "fit.xml", "again")
        for key in sorted(set(known) & set(again), key=str):
            if key[0] in ("triad", "copy") or (key[0] == "pairs" and key[2] == "node" and key[3] >= 131072):
                near(f"on the fitted platform, {key}", again[key], known[key], 0.02)
        if len(set(known) & set(again)) < 50:
            wrong.append("too few points can be compared")
    print("\n".join(wrong) or "calibrate: one rank and all ranks have what was measured")
    return 1 if wrong else 0


sys.exit(main())
