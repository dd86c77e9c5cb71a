# SPDX-License-Identifier: BSD-3-Clause
"""Charts as SVG: bars in groups, points, lines. All sizes are in pixels."""
import math
from xml.sax.saxutils import escape

COLOURS = ("#3b6ea5", "#d98032", "#6a9f58", "#a05195", "#8c8c8c")
PUBLISHED, DASHES = "#b00", ("7 3", "2 2")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 340, 60, 14, 70, 50


class Picture:
    """A frame with a vertical axis from 0 (or `low`) to `high`, linear or by decades."""

    def __init__(self, title, axis, high, low=0.0, decades=False):
        self.high, self.low, self.decades = high, low, decades
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
                      f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">',
                      f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
        self.text(WIDTH / 2, 18, title, size=14)
        self.text(16, (TOP + HEIGHT - BOTTOM) / 2, axis, turn=-90)
        for value in self.ticks():
            y = self.y_of(value)
            self.parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
                              f'stroke="{"#888" if value == low else "#e2e2e2"}"/>')
            self.text(LEFT - 6, y + 4, f"{value:g}", anchor="end")

    def ticks(self):
        if self.decades:
            value, found = self.low, []
            while value <= self.high * 1.001:
                found.append(value)
                value *= 10
            return found
        return [self.low + (self.high - self.low) * k / 5 for k in range(6)]

    def y_of(self, value):
        if self.decades:
            value = max(value, self.low)
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - min(max(share, 0), 1) * (HEIGHT - BOTTOM - TOP)

    def text(self, x, y, words, anchor="middle", size=11, turn=0, colour="#222"):
        """With a white rim, so that it can be read over bars."""
        turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
                          f'fill="{colour}" stroke="#fff" stroke-width="2.5" paint-order="stroke"{turned}>'
                          f'{escape(words)}</text>')

    def level(self, value, x1, x2, dash):
        """A published number: a broken line."""
        y = self.y_of(value)
        self.parts.append(f'<line x1="{x1:.1f}" x2="{x2:.1f}" y1="{y:.1f}" y2="{y:.1f}" stroke="{PUBLISHED}" '
                          f'stroke-width="1.5" stroke-dasharray="{dash}"/>')

    def legend(self, names, levels):
        """Of the bars; below, of the published numbers."""
        x = LEFT
        for k, name in enumerate(names):
            self.parts.append(f'<rect x="{x:.0f}" y="30" width="10" height="10" fill="{COLOURS[k]}"/>')
            self.text(x + 15, 39, name, anchor="start")
            x += 30 + 6.6 * len(name)
        x = LEFT
        for (_, words, *_), dash in zip(levels, DASHES):
            self.parts.append(f'<line x1="{x:.0f}" x2="{x + 20:.0f}" y1="51" y2="51" stroke="{PUBLISHED}" '
                              f'stroke-width="1.5" stroke-dasharray="{dash}"/>')
            self.text(x + 24, 55, words, anchor="start", colour=PUBLISHED)
            x += 44 + 6.2 * len(words)

    def below(self, words):
        self.text(LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 10, words)

    def end(self):
        return "\n".join(self.parts + ["</svg>"]) + "\n"


def short(value):
    """Three digits at most."""
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2g}"


def bars(title, axis, groups, series, high, levels=(), low=0.0, decades=False, below=""):
    """`series` is {name: {group: value}}; a missing value has no bar. `levels` are published
    numbers, (value, words), with the groups that they are for, unless it is all."""
    picture = Picture(title, axis, high, low, decades)
    width = (WIDTH - LEFT - RIGHT) / len(groups)
    bar = min(width * 0.84 / len(series), 44)
    labels = []
    for g, group in enumerate(groups):
        middle = LEFT + width * (g + 0.5)
        for k, values in enumerate(series.values()):
            if group not in values:
                continue
            x, y = middle + (k - len(series) / 2) * bar, picture.y_of(values[group])
            picture.parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{bar - 1:.1f}" height="{HEIGHT - BOTTOM - y:.1f}" '
                f'fill="{COLOURS[k]}"><title>{escape(f"{group}: {values[group]:.2f}")}</title></rect>')
            labels.append((x + (bar - 1) / 2, y - 3, short(values[group])))
        picture.text(middle, HEIGHT - BOTTOM + 16, str(group), size=11 if width > 60 else 9)
    for (value, _, *of), dash in zip(levels, DASHES):
        places = [groups.index(group) for group in (of[0] if of else groups)]
        picture.level(value, LEFT + width * min(places), LEFT + width * (max(places) + 1), dash)
    if bar >= 18:
        for x, y, words in labels:
            picture.text(x, y, words, size=9, colour="#555")
    picture.legend(series if len(series) > 1 else (), levels)
    if below:
        picture.below(below)
    return picture.end()


def nice(value):
    """At least the value, and a fifth of it is a round number."""
    step = 10 ** math.floor(math.log10(value / 5))
    return next(5 * step * k for k in (1, 2, 2.5, 5, 10) if 5 * step * k >= value)


def points(title, axis, below, pairs):
    """Points (x, y), both from 0 on. A dot for each pixel that has any, all of them one path, which keeps the
    file small."""
    most = nice(max(x for x, _ in pairs))
    picture = Picture(title, axis, nice(max(y for _, y in pairs)))
    pixels = sorted({(round(LEFT + (WIDTH - LEFT - RIGHT) * x / most), round(picture.y_of(y)))
                     for x, y in pairs})
    steps = [f"m{b[0] - a[0]} {b[1] - a[1]}h0" for a, b in zip(pixels, pixels[1:])]
    picture.parts.append(f'<path d="M{pixels[0][0]} {pixels[0][1]}h0{"".join(steps)}" fill="none" '
                         f'stroke="{COLOURS[0]}" stroke-width="1.5" stroke-linecap="round"/>')
    for k in range(6):
        picture.text(LEFT + (WIDTH - LEFT - RIGHT) * k / 5, HEIGHT - BOTTOM + 16, f"{most * k / 5:.0f}",
                     anchor="end" if k == 5 else "middle")
    picture.below(below)
    return picture.end()
