#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""cards.py BUILD SOURCE: network cards and RISC-V cores in traces. The instants of one atomic are those derived by hand;
the sums of a trace's events are the counters of the run; traces do not change a run, are the same in two runs, and
walk.c finds nothing wrong with them. The part about cores is left out without a cross compiler."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

build, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
wrong = []

ONE = """#include <shmem.h>
static long word;
int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 1)
        (void)shmem_long_atomic_fetch_add(&word, 7, 0);
    shmem_finalize();
    return 0;
}
"""
# Nanoseconds after the request's arrival (docs/riscv.md, "One atomic, stage by stage").
INSTANTS = [("card-missed", 1.5), ("card-filled", 54.152), ("add", 54.152), ("card-wrote-back", 55.652),
            ("card-invalidated", 55.652), ("card-drained", 55.652)]
COUNTERS = {"requests": "requests", "hits": "hits", "merges": "merges", "misses": "misses", "streams": "streams",
            "conflicts": "conflicts", "stalls": "stalls", "lines_read": "host_reads", "lines_written": "host_writes"}


def expect(what, good):
    if not good:
        wrong.append(what)


def run(words, status=0):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=200, check=False)
    expect(f"{' '.join(map(str, words))}: status {done.returncode}: {done.stderr[-500:]}", done.returncode == status)
    return done


def pgasim(*words):
    return run([build / "bin/pgasim", *words])


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def one_atomic(folder):
    (folder / "one.c").write_text(ONE, encoding="utf-8")
    pgasim("cc", "-O1", folder / "one.c", "-o", folder / "one")
    trace = folder / "one.json"
    pgasim("run", "-q", "-np", "2", "--compute=off", "--map-by", "host", "--set", "rdma/profile=rae", "--trace",
           trace, folder / "one")
    events = [e for e in read(trace) if e.get("cat") == "card"]
    begin = next(e["ts"] for e in events if e["name"] == "card-arrived")
    expect(f"one request arrives: {events}", events[0]["args"]["from rank"] == 1)
    for name, after in INSTANTS:
        at = [(e["ts"] - begin) * 1e3 for e in events if e["name"] == name]
        expect(f"{name} at {at} ns, expected {after}", len(at) == 1 and abs(at[0] - after) < 2e-3)
    ends = [(e["ts"] - begin) * 1e3 for e in read(trace) if e["ph"] == "E" and e["tid"] == events[0]["tid"]]
    expect(f"executed at {ends} ns, expected 55.652", len(ends) == 1 and abs(ends[0] - 55.652) < 2e-3)


def check_sums(figures, profile):
    for ours, theirs in COUNTERS.items():
        sum_ = sum(card[ours] for card in profile["cards"])
        expect(f"{ours}: {sum_} events, the run counted {figures['card'][theirs]}", sum_ == figures["card"][theirs])
    loads = figures["card"]["loads"] + figures["card"]["stores"] + figures["card"]["atomics"]
    expect(f"{loads} loads, stores and atomics", loads == sum(card["executed"] for card in profile["cards"]))


def traced(folder, name, words, options):
    """Runs it once without a trace and twice with one; the last run's figures and its profile."""
    figures = folder / f"{name}.figures"
    run([*words, "-q", "--json", figures, *options])
    plain = read(figures)["simulated_seconds"]
    traces = [folder / f"{name}{k}.pgt" for k in range(2)]
    for trace in traces:
        run([*words, "-q", "--json", figures, "--trace", trace, *options])
    expect(f"{name}: a trace changes the time", read(figures)["simulated_seconds"] == plain)
    expect(f"{name}: two traces differ", traces[0].read_bytes() == traces[1].read_bytes())
    run([build / "bin/trace_walk", traces[0], "sleep"])
    profile = json.loads(pgasim("profile", "--json", traces[0]).stdout)
    check_sums(read(figures), profile)
    return read(figures), profile


def native(folder):
    programs = source / "tests/run/programs"
    program = folder / "random"
    pgasim("cc", "-O1", "-w", f"-I{programs}", programs / "shmem_atomic.c", "-o", program)
    start = [build / "bin/pgasim", "run", "-np", "5", "--compute=off", "--set", "rdma/profile=rae"]
    traced(folder, "merging", start, ["--map-by", "host", program])
    # One MSHR of two subentries, and places that lines compete for.
    narrow = ["--map-by", "host", "--set", "card/policy=retain", "--set", "card/mshrs=1", "--set", "card/subentries=2",
              "--set", "card/cache-size=128", program]
    figures, _ = traced(folder, "narrow", start, narrow)
    expect("nothing stalled", figures["card"]["stalls"] > 0)


def cores(folder):
    if not shutil.which("riscv64-unknown-elf-gcc"):
        return
    program = folder / "histogram"
    pgasim("riscv-cc", "-O2", source / "examples/riscv/histogram.c", "-lxbgas", "-o", program)
    figures, profile = traced(folder, "cores", [build / "bin/pgasim", "riscv", "-np", "6", "--stats", "--platform",
                                                "rae-table1"], [program])
    each = figures["cores"]["each"]
    for ours, theirs in zip(profile["cores"], each):
        for key in ("rank", "instructions", "cycles"):
            expect(f"core {theirs['rank']}: {key} {ours[key]} in the trace, {theirs[key]} in the figures",
                   ours[key] == theirs[key])
        for key in ("classes", "stalled_cycles"):
            for name, n in theirs[key].items():
                expect(f"core {theirs['rank']}: {name} {ours[key].get(name, 0)}, expected {n}",
                       ours[key].get(name, 0) == n)
    expect("a core's parts do not add up", all(sum(c["classes"].values()) == c["instructions"] and
                                               sum(c["stalled_cycles"].values()) == c["waited_cycles"] for c in each))
    expect("the sum of the cores", sum(c["cycles"] for c in each) == figures["cores"]["cycles"])
    expect("not all cores are there", len(profile["cores"]) == 6)
    expect(f"cores compute: {profile['by_rank'][0]}", profile["by_rank"][0]["computing"] > 0)


def main():
    os.environ.pop("PGASIM_COMPUTE", None)
    with tempfile.TemporaryDirectory() as name:
        one_atomic(pathlib.Path(name))
        native(pathlib.Path(name))
        cores(pathlib.Path(name))
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
