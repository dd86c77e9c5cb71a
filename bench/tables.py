# SPDX-License-Identifier: BSD-3-Clause
"""The tables of bench/run as text."""
import math
import statistics

from case import SIDES


def amount(x):
    """A human-readable number: 3 digits and k or M."""
    for limit, factor, suffix in (1e6, 1e6, " M"), (1e3, 1e3, " k"):
        if x >= limit * 0.9995:
            return "%.3g%s" % (x / factor, suffix)
    return "%.3g" % x


def seconds(x):
    digits = 0 if x >= 99.95 else 1 if x >= 9.995 else 2 if x >= 0.9995 else 3
    return "%.*f" % (digits, x)


def mib(kib):
    return "%.0f" % (kib / 1024) if kib >= 10240 else "%.1f" % (kib / 1024)


def verdict(word, aim, met):
    return "%s%s: %s" % (word, aim, "met" if met else "missed")


def spread(case, who):
    values = case.values(who, "cpu")
    return "%s..%s" % (seconds(min(values)), seconds(max(values))) if len(values) > 1 else "once"


def missing(case, who):
    return "no end in %d s" % case.limit if case.late[who] else "failed" if case.failure[who] else ""


def seconds_of(case, who):
    if case.has(who):
        return ["%s s" % seconds(case.median(who)), spread(case, who)]
    return [missing(case, who), ""]


def line_seconds(case):
    """CPU time of the whole run, and the ratio per unit of work."""
    said, peer = [], all(case.has(who) for who in SIDES)
    if "ratio" in case.aims and peer:
        said.append(verdict("", case.aims["ratio"], case.ratio() >= case.aims["ratio"]))
    if "most" in case.aims and peer:
        said.append(verdict("<= ", "%g" % case.aims["most"], case.ratio() <= case.aims["most"]))
    if "more" in case.aims and peer:
        said.append(verdict("<= ", "%g s more" % case.aims["more"],
                            case.median("ours") - case.median("theirs") <= case.aims["more"]))
    if "seconds" in case.aims and case.has("ours"):
        said.append(verdict("<= ", "%g s" % case.aims["seconds"],
                            case.median("ours") <= case.aims["seconds"]))
    return (case.name, *seconds_of(case, "ours"), *seconds_of(case, "theirs"),
            "%.3g" % case.ratio() if peer else "", ", ".join(said))


def line_rate(case):
    def cell(who):
        return [amount(1 / case.cost(who)) if case.has(who) else "", ""]
    aim, said = case.aims.get("rate"), ""
    if aim and case.has("ours"):
        said = verdict("", amount(aim), 1 / case.cost("ours") >= aim)
    return ("  %s per CPU second" % case.unit, *cell("ours"), *cell("theirs"), "", said)


def line_memory(case):
    def cell(who):
        return ["%s MiB" % mib(case.median(who, "memory")) if case.has(who) else "", ""]
    said, peer = [], all(case.has(who) for who in SIDES)
    if "memory" in case.aims and peer:
        said.append(verdict("", case.aims["memory"], case.memory_ratio() >= case.aims["memory"]))
    if "memory most" in case.aims and peer:
        said.append(verdict("<= ", "%g" % case.aims["memory most"],
                            case.memory_ratio() <= case.aims["memory most"]))
    if "mib" in case.aims and case.has("ours"):
        said.append(verdict("<= ", "%g MiB" % case.aims["mib"],
                            case.median("ours", "memory") <= 1024 * case.aims["mib"]))
    return ("  peak memory", *cell("ours"), *cell("theirs"), "%.2g" % case.memory_ratio() if peer else "",
            ", ".join(said))


def line_reported(case):
    """The program's own timing: units of work per second, and their spread."""
    def cell(who):
        rates = [1 / s.cost() for s in case.samples[who]]
        if not rates:
            return [missing(case, who), ""]
        return [amount(statistics.median(rates)),
                "%s..%s" % (amount(min(rates)), amount(max(rates))) if len(rates) > 1 else "once"]
    peer = all(case.has(who) for who in SIDES)
    aim, said = case.aims.get("ratio"), ""
    if aim and peer:
        said = verdict("", aim, case.ratio() >= aim)
    return case.name, *cell("ours"), *cell("theirs"), "%.3g" % case.ratio() if peer else "", said


def rows_compared(title, cases):
    ours, theirs = cases[0].heads
    yield title, ours, "min..max", theirs, "min..max", "ratio", "target"
    for case in cases:
        if case.reports:
            yield line_reported(case)
            continue
        yield line_seconds(case)
        if case.unit:
            yield line_rate(case)
        yield line_memory(case)


def slope(points):
    """The slope of the line fitted through the logarithms of (x, y)."""
    x, y = zip(*((math.log(a), math.log(b)) for a, b in points))
    mean_x, mean_y = statistics.mean(x), statistics.mean(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def rows_points(title, cases):
    yield title, "CPU", "min..max", "peak memory", "a rank", "CPU a rank"
    for case in cases:
        ranks = case.growth[1]
        if case.has("ours"):
            yield (case.name, *seconds_of(case, "ours"), "%s MiB" % mib(case.median("ours", "memory")),
                   "%s B" % amount(1024 * case.median("ours", "memory") / ranks),
                   "%.2f us" % (1e6 * case.median("ours") / ranks))


def rows_growth(cases):
    yield "grows as", "from", "to", "CPU", "in the last step", "memory", "in the last step"
    for group in dict.fromkeys(case.growth[0] for case in cases):
        members = [c for c in cases if c.growth[0] == group and c.has("ours")]
        if len(members) < 2:
            continue
        slopes = []
        for what in "cpu", "memory":
            points = [(c.growth[1], c.median("ours", what)) for c in members]
            slopes += ["%.2f" % slope(points), "%.2f" % slope(points[-2:])]
        yield (group, amount(members[0].growth[1]), amount(members[-1].growth[1]), *slopes)


def text_of(rows):
    """Empty columns are left out."""
    rows = list(rows)
    used = [i for i in range(len(rows[0])) if i == 0 or any(row[i] for row in rows[1:])]
    rows = [[row[i] for i in used] for row in rows]
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(w) if i == 0 else cell.rjust(w)
                       for i, (cell, w) in enumerate(zip(r, widths)))
             for r in rows]
    lines.insert(1, "-" * (sum(widths) + 2 * len(widths) - 2))
    return "\n".join(line.rstrip() for line in lines)


def text_of_theme(title, cases):
    """Up to three tables: comparisons, growth with the number of ranks, and its exponents."""
    points, growing = [c for c in cases if c.point], [c for c in cases if c.growth]
    compared = [c for c in cases if not c.point]
    return "\n\n".join(text_of(rows) for rows, there in (
        (rows_compared(title, compared), compared), (rows_points(title, points), points),
        (rows_growth(growing), growing)) if there)


def missed(case):
    """Names of the lines whose targets are missed."""
    lines = () if case.reports else (line_seconds(case), line_rate(case), line_memory(case))
    return [case.name + ("" if line[0] == case.name else ":" + line[0][1:]) for line in lines
            if "missed" in line[-1]]
