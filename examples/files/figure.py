#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""figure.py FOLDER: draws the four runs of figure.sh: how long writing and reading took, on a logarithmic axis, and of
what size the requests were that made the difference. Prints an SVG."""
import json
import math
import pathlib
import re
import sys

RUNS = [("server", "one server with one disk"), ("parallel", "four storage hosts, eight disks, striped")]
WAYS = ["independent", "collective"]
LEFT, WIDTH, BAR, TOP = 150, 560, 16, 62
COLOURS = {"written": "#0f7c7c", "read": "#e69f00"}


def size(n):
    return f"{n / 2**20:g} MiB" if n >= 2**20 else f"{n / 2**10:g} KiB"


def grouped(n):
    return f"{n:,}".replace(",", "\u202f")


def load(folder, system, way):
    """Seconds of writing and of reading, and what was asked of the file system meanwhile."""
    said = (folder / f"{system}-{way}.txt").read_text()
    seconds = [float(t) for t in re.findall(r"in ([0-9.]+) s", said)]
    volume = json.loads((folder / f"{system}-{way}.json").read_text())["volumes"][0]
    return {"written": (seconds[0], volume["writes"], volume["written_bytes"], volume["lock_conflicts"]),
            "read": (seconds[1], volume["reads"], volume["read_bytes"], 0)}


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{words}</text>'


def axis(low, high, bottom):
    at = lambda t: LEFT + WIDTH * (math.log10(t) - low) / (high - low)
    yield text(LEFT, TOP - 26, "seconds (each line is ten times the one before)", 'class="soft"')
    for power in range(low, high + 1):
        x = at(10.0**power)
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 4}" y2="{bottom}" class="line"/>'
        yield text(x, TOP - 10, f"{10.0**power:g}", 'class="soft" text-anchor="middle"')


def bar(at, y, kind, row):
    seconds, requests, whole, conflicts = row
    locks = f", {grouped(conflicts)} conflicts of locks" if conflicts else ""
    words = f"{kind} in {seconds * 1e3:.1f} ms: {grouped(requests)} requests of {size(whole // requests)}{locks}"
    right = at(seconds)
    inside = right > LEFT + WIDTH * 0.62
    place = text(LEFT + 6, y + BAR - 4, words, 'fill="#fff"') if inside else text(right + 6, y + BAR - 4, words)
    return (f'<rect x="{LEFT}" y="{y}" width="{right - LEFT:.1f}" height="{BAR}" fill="{COLOURS[kind]}"/>{place}')


def main(argv):
    folder = pathlib.Path(argv[1])
    runs = {(s, w): load(folder, s, w) for s, _ in RUNS for w in WAYS}
    times = [row[0] for run in runs.values() for row in run.values()]
    low, high = math.floor(math.log10(min(times) / 1.2)), math.ceil(math.log10(max(times)))
    at = lambda t: LEFT + WIDTH * (math.log10(t) - low) / (high - low)
    body, y = [], TOP + 6
    for system, title in RUNS:
        body.append(text(12, y + 12, title, 'font-weight="600"'))
        y += 20
        for way in WAYS:
            body.append(text(12, y + BAR + 4, way))
            for kind, row in runs[system, way].items():
                body.append(bar(at, y, kind, row))
                y += BAR + 3
            y += 8
        y += 12
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 90} {y}" width="{LEFT + WIDTH + 90}" '
          f'height="{y}" font-family="system-ui, sans-serif" font-size="12" fill="#1d2430">')
    print("<title>Time of writing and reading 16 MiB, independently and collectively, on two file systems</title>")
    print('<style>.soft { fill: #5b6678 } .line { stroke: #d9dee6 }</style><rect width="100%" height="100%" fill="#fff"/>')
    print(text(12, 20, "64 ranks write a matrix by columns, and read it back", 'font-size="14" font-weight="600"'))
    print("\n".join([*axis(low, high, y - 14), *body]))
    print("</svg>")
    return 0


sys.exit(main(sys.argv))
