# SPDX-License-Identifier: BSD-3-Clause
"""known.py BUILD: the benchmark on a simulated machine with known constants must measure these constants."""
import json
import os
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1])
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime", "calibrate")
LATENCY, BANDWIDTH, ENVELOPE, CLOCK = 50e-6, 100e6, 16, 10e-9
PLATFORM = """<platform version="4.1">
<config>
<prop id="smpi/os" value="0:2e-6:1e-10"/><prop id="smpi/ois" value="0:1e-6:0"/><prop id="smpi/or" value="0:3e-6:2e-10"/>
<prop id="smpi/lat-factor" value="1"/><prop id="smpi/bw-factor" value="1"/>
<prop id="smpi/async-small-thresh" value="16384"/><prop id="smpi/send-is-detached-thresh" value="32768"/>
</config>
<zone id="z" routing="Full">
<host id="a" speed="1Gf" core="2"/><host id="b" speed="1Gf" core="2"/>
<link id="l" bandwidth="100MBps" latency="50us"/><link id="n" bandwidth="1GBps" latency="1us"/>
<route src="a" dst="b"><link_ctn id="l"/></route>
<route src="a" dst="a"><link_ctn id="n"/></route><route src="b" dst="b"><link_ctn id="n"/></route>
</zone></platform>
"""
ONE_SIDED = ("put", "get", "atomic")
wrong = []


def near(what, got, expected, tolerance):
    """Notes a number that is further off than the tolerance, relative."""
    if not abs(got - expected) <= tolerance * expected:
        wrong.append(f"{what}: measured {got:.9g}, the platform says {expected:.9g}")


def run(command, folder):
    """Runs a command, which must succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")


def select(rows, **wanted):
    """The rows that have these values."""
    return [r for r in rows if all(r.get(k) == v for k, v in wanted.items())]


def one(rows, **wanted):
    """The seconds of the only row with these values."""
    found = select(rows, **wanted)
    if len(found) != 1:
        sys.exit(f"{len(found)} rows with {wanted}; expected one")
    return found[0]["seconds"]


def check_messages(rows):
    """Latency, bandwidth and overheads, from single messages."""
    send = lambda n: 2e-6 + 1e-10 * n
    receive = lambda n: 3e-6 + 2e-10 * n
    network = select(rows, where="network")
    small = [r for r in network if r["bytes"] < 16384]
    for r in select(small, kind="pingpong", mode="standard"):
        n = r["bytes"]
        near(f"half round trip of {n} bytes", r["seconds"],
             LATENCY + (n + ENVELOPE) / BANDWIDTH + send(n) + receive(n), 1e-3)
    for r in select(small, kind="call", mode="send") + select(small, kind="late"):
        near(f"MPI_Send of {r['bytes']} bytes", r["seconds"], send(r["bytes"]) + CLOCK, 1e-3)
    for r in select(small, kind="call", mode="isend"):
        near(f"MPI_Isend of {r['bytes']} bytes", r["seconds"], 1e-6 + CLOCK, 1e-3)
    for r in select(small, kind="call", mode="recv"):
        near(f"MPI_Recv of {r['bytes']} bytes", r["seconds"], receive(r["bytes"]) + CLOCK, 1e-3)
    late = [r for r in select(network, kind="late") if r["bytes"] > 32768]
    wrong.extend(f"a late receiver does not stop a send of {r['bytes']} bytes" for r in late if r["seconds"] < r["wait"])
    if len(late) < 2 or len(select(small, kind="pingpong")) < 40 or not select(rows, where="node", kind="pingpong"):
        wrong.append("there are too few points")


def check_sharing(rows):
    """One link is shared by all that crosses it."""
    pair = one(rows, kind="pairs", where="network", width=1, bytes=131072)
    near("a message of a stream", pair, 131072 / BANDWIDTH, 0.01)
    for what, factor in ({"kind": "pairs", "where": "network", "width": 2}, 2), ({"kind": "incast", "width": 2}, 2), \
            ({"kind": "outcast", "width": 2}, 2), ({"kind": "bisection"}, 4):
        near(f"{what}, times {factor}", one(rows, bytes=131072, **what), factor * pair, 0.01)


def check_constants(fit):
    """What pgasim calibrate has found."""
    constants = {c["name"]: c for c in fit["constants"]}
    for name, value in {"os": 2e-6, "os, each byte": 1e-10, "ois": 1e-6, "or": 3e-6, "or, each byte": 2e-10,
                        "latency of the network": LATENCY, "bandwidth of one message": BANDWIDTH,
                        "latency within a node": 1e-6, "bandwidth within a node": 1e9,
                        "threshold of sends that wait": 32768,
                        "threshold of messages that wait for a receive": 16384, "MPI_Wtime": CLOCK}.items():
        if name not in constants:
            wrong.append(f"the constant '{name}' is missing")
            continue
        c = constants[name]
        near(name, c["value"], value, 0.01)
        if not c["low"] <= value <= c["high"]:
            wrong.append(f"the interval of '{name}', {c['low']} to {c['high']}, does not hold {value}")
    if any(len(c["segments"]) != 1 for c in fit["curves"]) or len(fit["curves"]) != 5:
        wrong.append("expected five fits with a segment each")
    if not any(m["name"] == "speed of a core" and m["why"] == "no time passes" for m in fit["not_identified"]):
        wrong.append("the speed of a core cannot be identified")


def check_fit(folder, simulate):
    """The constants; and a simulation on the platform that is made of them measures the same."""
    run([os.path.join(BUILD, "bin", "pgasim"), "calibrate", "all", "-o", "fit.xml", "--json", "fit.json", "--report",
         "fit.html"], folder)
    with open(os.path.join(folder, "fit.json"), encoding="utf-8") as file:
        check_constants(json.load(file))
    run(simulate + ["-platform", "fit.xml", "./calibrate", "-o", "again", "-passes", "1", "-largest", "131072", "-samples",
                    "6", "-parts", "pingpong,sharing,onesided"], folder)
    rows = {}
    for name in "all", "again":
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            for row in map(json.loads, file):
                if "seconds" in row and row["kind"] in ("pingpong", "call", "late", "pairs", "bisection") + ONE_SIDED and \
                            (row["kind"] not in ONE_SIDED or row["where"] == "network"):
                    key = tuple(row.get(k) for k in ("kind", "mode", "where", "bytes", "width"))
                    rows.setdefault(key, {})[name] = row["seconds"]
    # Streams within a node: here they share a link, which a cluster's loopback does not.
    both = {k: r for k, r in rows.items() if len(r) == 2 and (k[0], k[2]) != ("pairs", "node")}
    for key, row in both.items():
        near(f"on the fitted platform, {key}", row["again"], row["all"], 0.01)
    if len(both) < 200:
        wrong.append(f"{len(both)} points can be compared; expected 200")


def check_others(rows):
    """What must be there, and what cannot be measured."""
    near("MPI_Wtime", one(rows, kind="clock"), CLOCK, 0.01)
    for kind in "put", "get":
        for r in select(rows, kind=kind, mode="latency", where="network"):
            if 8 <= r["bytes"] <= 256:
                near(f"{kind} of {r['bytes']} bytes", r["seconds"], 2 * LATENCY, 0.1)
    for kind in "flops", "triad", "copy", "noise":
        found = select(rows, kind=kind)
        if not found or any("seconds" in r or "unidentified" not in r for r in found):
            wrong.append(f"{kind}: expected 'unidentified', as computation takes no time")
    if not one(rows, kind="barrier") > LATENCY or len(select(rows, kind="allreduce")) < 8:
        wrong.append("collectives: a barrier crosses the network")


def main():
    """Builds, runs twice, compares."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "known.xml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PLATFORM)
        wrappers = os.path.join(BUILD, "bin", "wrappers")
        run([os.path.join(SOURCE, "build.sh"), f"{wrappers}/mpicc", folder, f"{wrappers}/oshcc"], folder)
        anywhere = [os.path.join(BUILD, "bin", "pgasim"), "run", "--compute=off", "-np", "4"]
        simulate = anywhere + ["-platform", path]
        text = []
        for name, largest in ("first", "64"), ("again", "64"), ("all", "131072"):
            run(simulate + ["./calibrate", "-o", name, "-passes", "1", "-largest", largest, "-memory", "30000",
                            "-samples", "6"], folder)
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text.append(file.read())
        if text[0] != text[1]:
            wrong.append("two runs differ")
        rows = [json.loads(line) for line in text[2].splitlines()]
        check_messages(rows)
        check_sharing(rows)
        check_others(rows)
        check_fit(folder, anywhere)
        run(simulate + ["./calibrate-shmem", "shmem", "4096"], folder)
        with open(os.path.join(folder, "shmem"), encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        for r in select(rows, kind="get", mode="latency") + select(rows, kind="atomic", mode="latency"):
            if 8 <= r["bytes"] <= 256:
                near(f"OpenSHMEM: {r['kind']} of {r['bytes']} bytes", r["seconds"], 2 * LATENCY, 0.1)
        if len(select(rows, kind="reduce")) < 4 or len(select(rows, kind="put")) < 40:
            wrong.append("OpenSHMEM: there are too few points")
    print("\n".join(wrong) or "calibrate: the platform's constants are measured")
    return 1 if wrong else 0


sys.exit(main())
