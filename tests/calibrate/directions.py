# SPDX-License-Identifier: BSD-3-Clause
"""directions.py BUILD: why both directions lose is told by the benchmark on simulated machines of each cause, and a
simulation on the platform that is made of it measures the same."""
import json
import os
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1])
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime", "calibrate")
PGASIM = os.path.join(BUILD, "bin", "pgasim")
PLATFORM = """<platform version="4.1"><config>
<prop id="network/model" value="SMPI"/><prop id="network/TCP-gamma" value="0"/>
<prop id="network/crosstraffic" value="{crosstraffic}"/><prop id="network/bidirectional" value="{bidirectional}"/>
<prop id="smpi/os" value="0:2e-6:0"/><prop id="smpi/ois" value="0:1e-6:0"/><prop id="smpi/or" value="0:3e-6:0"/>
<prop id="smpi/lat-factor" value="0:1;65551:3"/><prop id="smpi/bw-factor" value="0:1"/>
<prop id="smpi/async-small-thresh" value="65536"/><prop id="smpi/send-is-detached-thresh" value="65536"/>
</config><cluster id="c" prefix="n" suffix="" radical="0-{last}" speed="1Gf" core="{cores}" bw="100MBps" lat="25us" {more}/>
</platform>
"""
SPLIT = 'sharing_policy="SPLITDUPLEX"'
# Name, nodes, ranks of a node, cause, crosstraffic, bidirectional, what the cluster has besides; what must be found.
CASES = [
    ("full", 4, 1, "no", "2", SPLIT, {"cause": "full", "crosstraffic": 0, "bidirectional": 2}),
    ("half", 4, 1, "no", "2", 'sharing_policy="SHARED"', {"cause": "half", "crosstraffic": 0, "bidirectional": 2}),
    ("middle", 6, 1, "no", "2", SPLIT + ' bb_bw="260MBps" bb_lat="0s" bb_sharing_policy="SHARED"',
     {"cause": "middle", "backbone": 260e6}),
    ("loose", 8, 1, "no", "2", SPLIT + ' bb_bw="400MBps" bb_lat="0s" bb_sharing_policy="SHARED"',
     {"cause": "middle", "backbone": 400e6}),
    ("protocol", 8, 1, "65551:0.5", "65551:1", SPLIT,
     {"cause": "protocol", "crosstraffic": 0.5, "bidirectional": 1, "above": 65551}),
    ("several", 4, 2, "65551:0.25", "65551:1.2", SPLIT,
     {"cause": "protocol", "crosstraffic": 0.25, "bidirectional": 1.2, "above": 65551}),
    ("all sizes", 4, 1, "0:0.25", "2", SPLIT, {"cause": "protocol", "crosstraffic": 0.25, "bidirectional": 2}),
    ("two", 2, 1, "no", "65551:1", SPLIT,
     {"cause": "protocol", "crosstraffic": 0, "bidirectional": 1, "above": 65551}),
    ("two half", 2, 2, "no", "2", 'sharing_policy="SHARED"', {"cause": "half", "bidirectional": 2}),
]
wrong = []


def run(command, folder):
    """Runs a command, which must succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def rows_of(folder, name):
    """The points of a file of measurements."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return [r for r in map(json.loads, file) if "seconds" in r]


def measure(folder, platform, ranks, out, parts="pingpong,sharing"):
    """The benchmark on a platform."""
    run([PGASIM, "run", "--compute=off", "-np", str(ranks), "-platform", platform, "./calibrate", "-o", out, "-passes", "1",
         "-samples", "6", "-largest", "1048576", "-parts", parts], folder)


def fit(folder, measured, more=()):
    """What pgasim calibrate says of measurements."""
    text = run([PGASIM, "calibrate", measured, "-o", "fit.xml", "--json", "fit.json", *more], folder)
    with open(os.path.join(folder, "fit.json"), encoding="utf-8") as file:
        return text, json.load(file)


def check_again(folder, name, ranks):
    """A simulation on the fitted platform measures the same of streams of long messages."""
    measure(folder, "fit.xml", ranks, "again")
    first = {(r["kind"], r["width"], r["bytes"]): r["seconds"] for r in rows_of(folder, "all")
             if r["kind"] in ("oneway", "ring", "bisection") and r["bytes"] >= 131072}
    again = {(r["kind"], r["width"], r["bytes"]): r["seconds"] for r in rows_of(folder, "again") if "width" in r}
    if len(first) < 4:
        wrong.append(f"{name}: {len(first)} streams of long messages; expected 4")
    for key, seconds in first.items():
        if not abs(again[key] / seconds - 1) < 0.03:
            wrong.append(f"{name}: on the fitted platform {key} takes {again[key]:.6g} s, measured {seconds:.6g} s")


def check_case(folder, case):
    """One machine."""
    name, nodes, each, crosstraffic, bidirectional, more, expected = case
    with open(os.path.join(folder, "machine.xml"), "w", encoding="utf-8") as file:
        file.write(PLATFORM.format(crosstraffic=crosstraffic, bidirectional=bidirectional, last=nodes - 1, cores=each,
                                   more=more))
    measure(folder, "machine.xml", nodes * each, "all")
    text, found = fit(folder, "all")
    found = found["directions"]
    for key, value in expected.items():
        if isinstance(value, str) and found[key] != value or \
                not isinstance(value, str) and not abs(found[key] - value) <= 0.03 * max(value, 1):
            wrong.append(f"{name}: {key} is {found[key]}, expected {value}\n{text}")
    check_again(folder, name, nodes * each)


def check_collectives(folder):
    """Collectives of a simulated machine are what a simulation on its fitted platform predicts."""
    with open(os.path.join(folder, "machine.xml"), "w", encoding="utf-8") as file:
        file.write(PLATFORM.format(crosstraffic="no", bidirectional="2", last=7, cores=1, more=SPLIT))
    measure(folder, "machine.xml", 8, "all", "pingpong,collectives")
    text, found = fit(folder, "all", ["--report", "fit.html"])
    for row in found["kept"]:
        if not abs(row.get("error", 1)) < 0.03:
            wrong.append(f"a collective is measured and predicted otherwise: {row}")
    if {r["kind"] for r in found["kept"]} != {"barrier", "allreduce"} or len(found["kept"]) < 10:
        wrong.append(f"there are too few collectives: {found['kept']}")
    with open(os.path.join(folder, "fit.html"), encoding="utf-8") as file:
        page = file.read()
    if page.count("<th scope=\"row\">allreduce</th>") < 9 or "not simulated" in page or "predicted    error" not in text:
        wrong.append("the page or the text lacks collectives")
    with open(os.path.join(folder, "all"), encoding="utf-8") as file, \
            open(os.path.join(folder, "nowhere"), "w", encoding="utf-8") as out:
        out.writelines(line for line in file if json.loads(line)["kind"] != "rank")
    text, found = fit(folder, "nowhere")
    if any("predicted" in row for row in found["kept"]):
        wrong.append("collectives are predicted of ranks that are nowhere")


def check_old(folder):
    """Without rings: what cannot be told apart is said, and what shorter messages tell is known."""
    for name, case in (("half", CASES[1]), ("protocol", CASES[4])):
        _, nodes, each, crosstraffic, bidirectional, more, _ = case
        with open(os.path.join(folder, "machine.xml"), "w", encoding="utf-8") as file:
            file.write(PLATFORM.format(crosstraffic=crosstraffic, bidirectional=bidirectional, last=nodes - 1,
                                       cores=each, more=more))
        measure(folder, "machine.xml", nodes * each, "all")
        with open(os.path.join(folder, "all"), encoding="utf-8") as file, \
                open(os.path.join(folder, "old"), "w", encoding="utf-8") as old:
            old.writelines(line for line in file if json.loads(line)["kind"] not in ("ring", "oneway"))
        text, found = fit(folder, "old")
        cause, words = {"half": ("middle", "half-duplex links or a protocol of the MPI would do the same"),
                        "protocol": ("protocol", "expected rings of three nodes or more")}[name]
        if found["directions"]["cause"] != cause or words not in text:
            wrong.append(f"{name} without rings: {found['directions']}, expected {cause} and '{words}'\n{text}")


def main():
    """All cases."""
    with tempfile.TemporaryDirectory() as folder:
        run([os.path.join(SOURCE, "build.sh"), os.path.join(BUILD, "bin", "wrappers", "mpicc"), folder], folder)
        for case in CASES:
            check_case(folder, case)
        check_old(folder)
        check_collectives(folder)
    print("\n".join(wrong) or f"calibrate: the causes of {len(CASES)} machines are told")
    return 1 if wrong else 0


sys.exit(main())
