#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the video application on the simulated hosts of i7-a15.xml: the tables and the chart of
docs/sdsm-examples.md.

    measure.py PROGRAMS [--pgasim PGASIM] [--chart FILE.svg]

PROGRAMS is a folder made by `pgasim env make -C examples/sdsm ANNOTATED=1 OUT=PROGRAMS`. Computation is
declared, so two runs print the same.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FRAMES = 160
COUNTS = (1, 2, 3, 4, 6, 8, 10, 12)


def i7_cores(n):
    """Hosts of n process tasks on the i7 machines that have nothing else to do."""
    return [f"i7-{1 + k // 4}" for k in range(n)]


def a15_cores(n):
    """Hosts of n process tasks on the A15 boards."""
    return [f"a15-{k // 2}" for k in range(n)]


def run(args, servers, processes, frames=FRAMES, options=()):
    """Frames a second and the frames of each process task. `servers` and `processes` are hosts."""
    hosts = servers + ["i7-0", "i7-0"] + processes
    with tempfile.TemporaryDirectory() as work:
        topology, ranks = os.path.join(work, "topology.xml"), os.path.join(work, "rankfile")
        with open(topology, "w", encoding="utf-8") as file:
            subprocess.run([sys.executable, os.path.join(HERE, "topology.py"), "--servers", str(len(servers)),
                            "--roles", f"1:1,3:1,2:{len(processes)}"], check=True, stdout=file)
        with open(ranks, "w", encoding="utf-8") as file:
            file.writelines(f"rank {k}={host}\n" for k, host in enumerate(hosts))
        done = subprocess.run(
            [args.pgasim, "run", "--quiet", "--compute=off", "-np", str(len(hosts)), "-rankfile", ranks,
             "-platform", os.path.join(HERE, "i7-a15.xml"), os.path.join(args.programs, "videostream"),
             "--topology", topology, "--frames", str(frames), *options],
            check=False, capture_output=True, text=True)
    rate = re.search(r"([0-9.]+) frames a second", done.stderr)
    if done.returncode != 0 or not rate:
        sys.exit(f"measure.py: status {done.returncode}\n{done.stderr}")
    share = {int(p): int(n) for p, n in re.findall(r"process (\d+) \(.*\): (\d+) frames", done.stderr)}
    first = len(servers) + 2
    return float(rate.group(1)), [share.get(first + k, 0) for k in range(len(processes))]


def curves(args):
    """Frames a second against the number of process tasks: (name, [rate])."""
    one, two, four = ["i7-0"], ["i7-0"] * 2, ["i7-0", "i7-1", "i7-2", "i7-3"]
    return [("i7, 1 server", [run(args, one, i7_cores(n))[0] for n in COUNTS]),
            ("i7, 2 servers on one host", [run(args, two, i7_cores(n))[0] for n in COUNTS]),
            ("i7, 4 servers on four hosts", [run(args, four, i7_cores(n))[0] for n in COUNTS]),
            ("A15, 1 server", [run(args, one, a15_cores(n))[0] for n in COUNTS])]


def table(rows):
    """Markdown."""
    print("| process tasks | " + " | ".join(name for name, _ in rows) + " |")
    print("| ---: |" + " ---: |" * len(rows))
    for k, n in enumerate(COUNTS):
        print(f"| {n} | " + " | ".join(f"{rates[k]:.1f}" for _, rates in rows) + " |")


def shares(args):
    """Who computes how much, on hosts of both kinds."""
    processes = i7_cores(2) + a15_cores(6)
    rate, frames = run(args, ["i7-0"], processes)
    print(f"\n{rate:.1f} frames a second on 2 i7 cores and 6 A15 cores:\n")
    print("| host of the process task | frames | share |\n| --- | ---: | ---: |")
    for host, n in zip(processes, frames):
        print(f"| {host} | {n} | {100 * n / FRAMES:.1f}% |")


def chart(rows, path):
    """Draws the curves as SVG."""
    width, height, left, top = 560, 300, 50, 20
    most, colours = max(max(rates) for _, rates in rows), ("#1f5fa8", "#3f9142", "#b8860b", "#c4314b")

    def x_of(n):
        return left + (width - 200) * n / COUNTS[-1]

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
    table(rows)
    shares(args)
    if args.chart:
        chart(rows, args.chart)


if __name__ == "__main__":
    main()
