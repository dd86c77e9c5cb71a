#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the video application on the simulated hosts of i7-a15.xml: the tables and the chart of
docs/sdsm-examples.md.

    measure.py PROGRAMS [--pgasim PGASIM] [--chart FILE.svg]

PROGRAMS is a folder made by `pgasim env make -C examples/sdsm ANNOTATED=1 OUT=PROGRAMS`. Computation is
declared, so two runs print the same.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FRAMES = 160
COUNTS = (1, 2, 3, 4, 6, 8, 10, 12)
ONE, FOUR = ["i7-0"], ["i7-0", "i7-1", "i7-2", "i7-3"]  # hosts of servers
PROTOCOLS = ("home-lazy", "home-mesi", "update", "migratory", "multiple-writer")
POLLING = ("--sat-sleep", "off")


def i7_cores(n):
    """Hosts of n process tasks on the i7 machines that have nothing else to do."""
    return [f"i7-{1 + k // 4}" for k in range(n)]


def a15_cores(n):
    """Hosts of n process tasks on the A15 boards, two on each."""
    return [f"a15-{k // 2}" for k in range(n)]


def own_host(processes):
    """The server of each client if each of four serves its host."""
    return ",".join(host[-1] for host in ["i7-0", "i7-0"] + processes)


def files_write(work, servers, processes, attach):
    """The topology and the rankfile: input and output are on i7-0."""
    topology, ranks = os.path.join(work, "topology.xml"), os.path.join(work, "rankfile")
    with open(topology, "w", encoding="utf-8") as file:
        subprocess.run([sys.executable, os.path.join(HERE, "topology.py"), "--servers", str(len(servers)),
                        "--attach", attach, "--roles", f"1:1,3:1,2:{len(processes)}"],
                       check=True, stdout=file)
    with open(ranks, "w", encoding="utf-8") as file:
        for k, host in enumerate(servers + ["i7-0", "i7-0"] + processes):
            file.write(f"rank {k}={host}\n")
    return topology, ranks


class Result:
    """Of one run: frames a second, the frames of each process task, and joules for a frame."""

    def __init__(self, said, summary, servers, tasks):
        self.rate = float(re.search(r"([0-9.]+) frames a second", said).group(1))
        of = {int(p): int(n) for p, n in re.findall(r"process (\d+) \(.*\): (\d+) frames", said)}
        self.frames = [of.get(servers + 2 + k, 0) for k in range(tasks)]
        with open(summary, encoding="utf-8") as file:
            self.energy = json.load(file)["energy"] / FRAMES


def run(args, servers, processes, attach="cyclic", options=(), binary=("videostream",)):
    """Runs the application. `servers` and `processes` are hosts; `binary` is that of the process tasks."""
    with tempfile.TemporaryDirectory() as work:
        topology, ranks = files_write(work, servers, processes, attach)
        summary = os.path.join(work, "summary.json")
        done = subprocess.run(
            [args.pgasim, "run", "--quiet", "--compute=off", "-platform", os.path.join(HERE, "i7-a15.xml"),
             "-rankfile", ranks, "-np", str(len(servers) + 2), os.path.join(args.programs, "videostream"),
             "--topology", topology, "--sat-summary", summary, "--frames", str(FRAMES), *options,
             ":", "-np", str(len(processes)), os.path.join(args.programs, binary[0]), *binary[1:]],
            check=False, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"measure.py: status {done.returncode}\n{done.stderr}")
        return Result(done.stderr, summary, len(servers), len(processes))


def curves(args):
    """Frames a second against the number of process tasks: (name, [rate])."""
    def each(servers, cores, attach=None, options=()):
        return [run(args, servers, cores(n), attach(cores(n)) if attach else "cyclic", options).rate
                for n in COUNTS]

    return [("i7, 1 server", each(ONE, i7_cores)),
            ("i7, 1 server, polling", each(ONE, i7_cores, options=POLLING)),
            ("i7, 4 servers, each for its host", each(FOUR, i7_cores, own_host)),
            ("i7, 4 servers, clients in turn", each(FOUR, i7_cores)),
            ("A15, 1 server", each(ONE, a15_cores))]


def table(head, rows):
    """Prints Markdown; cells are text."""
    print("| " + " | ".join(head) + " |\n| --- |" + " ---: |" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def protocols(args):
    """Frames a second for each protocol, 8 process tasks on i7."""
    tasks, rows = i7_cores(8), []
    for name in PROTOCOLS:
        for how, more in (("", ()), (", polling", POLLING)):
            options = ("--sat-protocol", name) + more
            rows.append([name + how] + [f"{run(args, *where, options).rate:.0f}" for where in (
                (ONE, tasks, "cyclic"), (FOUR, tasks, own_host(tasks)), (FOUR, tasks, "cyclic"))])
    table(["protocol", "1 server", "4 servers, each for its host", "4 servers, clients in turn"], rows)


def kinds(args):
    """Frames a second, and what a frame costs, on different hosts and by different binaries."""
    boards, cores = [f"a15-{k}" for k in range(8)], i7_cores(8)
    rows = [("2 i7, 8 sequential tasks", cores, ("videostream",), ()),
            ("the same, polling", cores, ("videostream",), POLLING),
            ("8 A15 boards, 8 sequential tasks", boards, ("videostream",), ()),
            ("8 A15 boards, 16 sequential tasks", a15_cores(16), ("videostream",), ()),
            ("the same, polling", a15_cores(16), ("videostream",), POLLING),
            ("8 A15 boards, 8 tasks of 2 pthreads", boards, ("videostreampthread", "--threads", "2"), ()),
            ("8 A15 boards, 8 tasks of 2 OpenMP threads", boards,
             ("videostreamopenmp", "--threads", "2"), ())]
    lines = []
    for name, where, binary, options in rows:
        result = run(args, ONE, where, options=options, binary=binary)
        lines.append([name, f"{result.rate:.1f}", f"{1000 * result.energy:.1f}"])
    table(["process tasks", "frames a second", "mJ for a frame"], lines)


def shares(args):
    """Who computes how much, on hosts of both kinds."""
    processes = i7_cores(2) + a15_cores(6)
    result = run(args, ONE, processes)
    print(f"{result.rate:.1f} frames a second on 2 i7 cores and 6 A15 cores:\n")
    table(["host of the process task", "frames", "share"],
          [[host, str(n), f"{100 * n / FRAMES:.1f}%"] for host, n in zip(processes, result.frames)])


def chart(rows, path):
    """Draws the curves as SVG."""
    width, height, left, top = 620, 320, 50, 20
    colours = ("#1f5fa8", "#3f9142", "#b8860b", "#c4314b", "#7a5195")
    most = max(max(rates) for _, rates in rows)

    def x_of(n):
        return left + (width - 250) * n / COUNTS[-1]

    def y_of(rate):
        return top + (height - 70) * (1 - rate / most)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">',
           "<style>text{font-family:DejaVu Sans,Helvetica,Arial,sans-serif;font-size:11px;fill:#1f2933}"
           "polyline{fill:none;stroke-width:2}line{stroke:#cbd2d9}</style>",
           f'<rect width="{width}" height="{height}" fill="#fff"/>']
    step = 10 ** (len(str(int(most))) - 1)
    step = step if most / step >= 4 else step // 2
    for rate in range(0, int(most) + 1, max(step, 1)):
        y = y_of(rate)
        out.append(f'<line x1="{left}" x2="{x_of(COUNTS[-1]):.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
                   f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{rate}</text>')
    for n in COUNTS:
        out.append(f'<text x="{x_of(n):.1f}" y="{y_of(0) + 16:.1f}" text-anchor="middle">{n}</text>')
    out.append(f'<text x="{x_of(COUNTS[-1] / 2):.1f}" y="{y_of(0) + 34:.1f}" text-anchor="middle">'
               "process tasks</text>")
    out.append(f'<text x="{left}" y="{top - 7}">frames a second</text>')
    last = -100.0
    for (name, rates), colour in sorted(zip(rows, colours), key=lambda row: -row[0][1][-1]):
        points = " ".join(f"{x_of(n):.1f},{y_of(rate):.1f}" for n, rate in zip(COUNTS, rates))
        last = max(last + 14, y_of(rates[-1]) + 4)
        out.append(f'<polyline points="{points}" stroke="{colour}"/>'
                   f'<text x="{x_of(COUNTS[-1]) + 6:.1f}" y="{last:.1f}" style="fill:{colour}">{name}</text>')
    out.append("</svg>\n")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out))


def main():
    """Prints the tables; writes the chart."""
    parser = argparse.ArgumentParser(description="measure the S-DSM's video application")
    parser.add_argument("programs")
    parser.add_argument("--pgasim", default="pgasim")
    parser.add_argument("--chart")
    args = parser.parse_args()
    rows = curves(args)
    table(["process tasks"] + [name for name, _ in rows],
          [[str(n)] + [f"{rates[k]:.1f}" for _, rates in rows] for k, n in enumerate(COUNTS)])
    protocols(args)
    kinds(args)
    shares(args)
    if args.chart:
        chart(rows, args.chart)


if __name__ == "__main__":
    main()
