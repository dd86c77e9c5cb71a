#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""figure.py times.csv > study.svg: draws what study.sh wrote: a pair of bars for each topology and selector, the
solver's time alone and beside other traffic."""
import csv
import math
import sys

WIDTH, HEIGHT, LEFT, TOP, BAR, GAP = 780, 260, 60, 30, 26, 18
COLORS = {("ompi-5.0", "alone"): "#1b6ca8", ("ompi-5.0", "busy"): "#9cc3e0", ("mpich", "alone"): "#27824a",
          ("mpich", "busy"): "#a5d3b6"}
WORDS = {"alone": "alone", "busy": "beside traffic"}


def read(name):
    """{topology: {(selector, others): milliseconds}}"""
    rows = {}
    with open(name, encoding="utf-8") as f:
        for row in csv.DictReader(f):
            rows.setdefault(row["topology"], {})[row["selector"], row["others"]] = 1000 * float(row["seconds"])
    return rows


def main():
    rows = read(sys.argv[1])
    most = 4 * math.ceil(max(t for bars in rows.values() for t in bars.values()) / 4)
    width = (WIDTH - LEFT) / len(rows)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">' % (
        WIDTH, TOP + HEIGHT + 70), '<rect width="100%" height="100%" fill="#fff"/>',
        '<text x="%d" y="18">milliseconds of the solver, 256 ranks on 512 hosts</text>' % LEFT]
    for k in range(5):
        y = TOP + HEIGHT * (1 - k / 4)
        out.append('<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.0f</text>' % (
            LEFT, y, WIDTH, LEFT - 6, y + 4, most * k / 4))
    for k, (topology, bars) in enumerate(rows.items()):
        x = LEFT + k * width + GAP
        for (selector, others), time in bars.items():
            height = HEIGHT * time / most
            out.append('<rect x="%.1f" y="%.1f" width="%d" height="%.1f" fill="%s"/>' % (
                x, TOP + HEIGHT - height, BAR, height, COLORS[selector, others]))
            out.append('<text x="%.1f" y="%.1f" text-anchor="middle" font-size="10">%.1f</text>' % (
                x + BAR / 2, TOP + HEIGHT - height - 3, time))
            x += BAR + (14 if others == "busy" else 2)
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%s</text>' % (
            LEFT + k * width + GAP + 2 * BAR + 9, TOP + HEIGHT + 18, topology))
    for k, ((selector, others), color) in enumerate(COLORS.items()):
        x = LEFT + k * 175
        out.append('<rect x="%d" y="%d" width="12" height="12" fill="%s"/><text x="%d" y="%d">%s, %s</text>' % (
            x, TOP + HEIGHT + 40, color, x + 18, TOP + HEIGHT + 51, selector, WORDS[others]))
    print("\n".join(out + ["</svg>"]))


if __name__ == "__main__":
    main()
