# SPDX-License-Identifier: BSD-3-Clause
"""Charts as SVG: bars in groups, points, lines. All sizes are in pixels."""
import math
from xml.sax.saxutils import escape

COLOURS = ("#3b6ea5", "#d98032", "#6a9f58", "#a05195", "#8c8c8c")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 300, 56, 12, 34, 58


class Picture:
    """A frame with a vertical axis from 0 (or `low`) to `high`, linear or by decades."""

    def __init__(self, title, axis, high, low=0.0, decades=False):
        self.high, self.low, self.decades = high, low, decades
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
                      f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11">',
                      f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
        self.text(WIDTH / 2, 14, title, size=13)
        self.text(14, (TOP + HEIGHT - BOTTOM) / 2, axis, turn=-90)
        for value in self.ticks():
            y = self.y_of(value)
            self.parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" '
                              'stroke="#ddd"/>')
            self.text(LEFT - 5, y + 4, f"{value:g}", anchor="end")

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
        turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
                          f'fill="{colour}"{turned}>{escape(words)}</text>')

    def level(self, value, words):
        """A published average: a broken line over the whole width."""
        y = self.y_of(value)
        self.parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#b00" '
                          'stroke-dasharray="5 3"/>')
        self.text(WIDTH - RIGHT - 2, y - 4, words, anchor="end", colour="#b00")

    def legend(self, names):
        x = LEFT
        for k, name in enumerate(names):
            self.parts.append(f'<rect x="{x}" y="20" width="9" height="9" fill="{COLOURS[k]}"/>')
            self.text(x + 13, 28, name, anchor="start")
            x += 26 + 6.2 * len(name)

    def end(self):
        return "\n".join(self.parts + ["</svg>"]) + "\n"


def bars(title, axis, groups, series, high, levels=(), low=0.0, decades=False):
    """`series` is {name: {group: value}}; a missing value has no bar. `levels` are (value, words)."""
    picture = Picture(title, axis, high, low, decades)
    width = (WIDTH - LEFT - RIGHT) / len(groups)
    bar = min(width * 0.8 / len(series), 40)
    for g, group in enumerate(groups):
        middle = LEFT + width * (g + 0.5)
        for k, values in enumerate(series.values()):
            if group not in values:
                continue
            x, y = middle + (k - len(series) / 2) * bar, picture.y_of(values[group])
            picture.parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{bar - 1:.1f}" height="{HEIGHT - BOTTOM - y:.1f}" '
                f'fill="{COLOURS[k]}"><title>{escape(f"{group}: {values[group]:.2f}")}</title></rect>')
        picture.text(middle, HEIGHT - BOTTOM + 16, str(group))
    for value, words in levels:
        picture.level(value, words)
    picture.legend(series)
    return picture.end()


def points(title, axis, below, pairs, high):
    """Points (x, y), x from 0 on."""
    picture = Picture(title, axis, high)
    most = max(x for x, _ in pairs)
    for x, y in pairs:
        at = LEFT + (WIDTH - LEFT - RIGHT) * x / most
        picture.parts.append(f'<circle cx="{at:.1f}" cy="{picture.y_of(y):.1f}" r="0.7" '
                             f'fill="{COLOURS[0]}"/>')
    for k in range(6):
        picture.text(LEFT + (WIDTH - LEFT - RIGHT) * k / 5, HEIGHT - BOTTOM + 16, f"{most * k / 5:.0f}")
    picture.text(WIDTH / 2, HEIGHT - BOTTOM + 36, below)
    return picture.end()
