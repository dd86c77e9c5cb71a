#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""figure.py FILE.csv... > FILE.svg: draws what sweep.sh wrote: for each size the time of an all-to-all per byte of a
part, over the number of ranks, a line for each algorithm. Both axes are logarithmic."""
import csv
import math
import sys

WIDTH, HEIGHT, LEFT, TOP, GAP, LEGEND = 360, 300, 64, 34, 84, 190
COLORS = ["#1b6ca8", "#c0392b", "#27824a", "#8e44ad", "#c77700", "#2c3e50", "#0f8b8d", "#7f5539"]


def refuse(what):
    print("figure.py: " + what, file=sys.stderr)
    sys.exit(2)


def read(files):
    """{bytes: {algorithm: [(ranks, seconds a byte)]}}"""
    sizes = {}
    for name in files:
        with open(name, encoding="utf-8") as f:
            for row in csv.DictReader(f):
                try:
                    n, size, seconds = int(row["ranks"]), int(row["bytes"]), float(row["seconds"])
                except (KeyError, TypeError, ValueError):
                    refuse("%s: expected columns algorithm, ranks, bytes and seconds of numbers: %s" % (name, row))
                sizes.setdefault(size, {}).setdefault(row["algorithm"], []).append((n, seconds / size))
    return sizes


def text(x, y, what, more=""):
    return '<text x="%.1f" y="%.1f" %s>%s</text>' % (x, y, more, what)


def amount(size):
    return "%d MiB" % (size >> 20) if size >> 20 else "%d KiB" % (size >> 10)


def panel(x0, size, lines, colors, low, high):
    ranks = sorted({n for points in lines.values() for n, _ in points})
    span = math.log(max(ranks) / min(ranks)) or 1

    def at(n, t):
        return (x0 + WIDTH * math.log(n / min(ranks)) / span, TOP + HEIGHT * (high - math.log10(t)) / (high - low))

    out = ['<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#999"/>' % (x0, TOP, WIDTH, HEIGHT),
           text(x0 + WIDTH / 2, TOP - 12, "%s: seconds per byte of a part" % amount(size), 'text-anchor="middle"'),
           text(x0 + WIDTH / 2, TOP + HEIGHT + 36, "ranks", 'text-anchor="middle"')]
    free = x0 + WIDTH
    for n in reversed(ranks):
        x = at(n, 10 ** low)[0]
        if x <= free:
            out.append(text(x, TOP + HEIGHT + 18, n, 'text-anchor="middle"'))
            free = x - 34
    for power in range(low, high + 1):
        y = at(min(ranks), 10 ** power)[1]
        out.append('<path d="M%d %.1fh%d" stroke="#ddd"/>' % (x0, y, WIDTH))
        out.append(text(x0 - 6, y + 4, "1e%d" % power, 'text-anchor="end"'))
    for name, points in sorted(lines.items()):
        path = " ".join("%.1f,%.1f" % at(n, t) for n, t in sorted(points))
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (path, colors[name]))
    return out


def main():
    if len(sys.argv) < 2:
        refuse("expected files that sweep.sh wrote")
    sizes = read(sys.argv[1:])
    if not sizes:
        refuse("%s: no rows" % ", ".join(sys.argv[1:]))
    names = sorted({name for lines in sizes.values() for name in lines})
    colors = {name: COLORS[k % len(COLORS)] for k, name in enumerate(names)}
    times = [t for lines in sizes.values() for points in lines.values() for _, t in points]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    out = []
    for k, size in enumerate(sorted(sizes)):
        out += panel(LEFT + k * (WIDTH + GAP), size, sizes[size], colors, low, max(high, low + 1))
    x = LEFT + len(sizes) * (WIDTH + GAP) - GAP + 16
    for k, name in enumerate(names):
        y = TOP + 16 + 20 * k
        out.append('<path d="M%d %dh20" stroke="%s" stroke-width="2"/>' % (x, y, colors[name]))
        out.append(text(x + 26, y + 4, name))
    print('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">'
          % (x + LEGEND, TOP + HEIGHT + 46))
    print('<rect width="100%" height="100%" fill="#fff"/>')
    print("\n".join(out + ["</svg>"]))


if __name__ == "__main__":
    main()
