# SPDX-License-Identifier: BSD-3-Clause
"""One line of the table: what each side runs, what was measured, and the targets."""
import statistics

SIDES = "ours", "theirs"


def grouped(n):
    """1 048 576"""
    return format(n, ",").replace(",", " ")


class Sample:
    """One run: CPU seconds, peak memory in KiB, units of work done."""

    def __init__(self, cpu, memory, work):
        self.cpu, self.memory, self.work = cpu, memory, work

    def cost(self):
        return self.cpu / self.work


class Case:
    """A command of ours and one of theirs (or None).

    `work`: units of work of a run; `unit`: their name (empty: no line of its own in the table); `their_work`:
    the other side's units, if it does less. `reports`: the command measures itself and prints "name work
    seconds" last. `aims`: {"ratio": their CPU seconds per unit of work by ours, "memory": the same for peak
    memory, "rate": units of work per CPU second, "seconds": the most CPU seconds, "mib": the most memory}.
    `large`: True: only with --large; "theirs": the other side only with --large. `growth`: (group, size): the
    group's sizes give its exponent of growth. `point`: there is no other side; shows the cost per rank
    instead. `prepare` is called once, before the first run. `limit`: seconds after which a run is aborted.
    """

    heads = "pgasim", "SMPI, SimGrid"

    def __init__(self, name, ours, theirs=None, *, work=1, unit="", their_work=None, aims=(), reports=False,
                 large=False, growth=None, point=False, prepare=None, limit=300):
        self.name, self.commands = name, {"ours": ours, "theirs": theirs}
        self.work, self.unit = {"ours": work, "theirs": their_work or work}, unit
        self.aims, self.reports, self.large, self.growth = dict(aims), reports, large, growth
        self.point, self.prepare, self.limit = point, prepare, limit
        self.samples = {who: [] for who in SIDES}
        self.failure = {who: None for who in SIDES}
        self.late = {who: False for who in SIDES}

    def runs(self, who, large):
        """Whether that side is run at all."""
        return self.commands[who] is not None and (large or self.large is False or
                                                   self.large == "theirs" and who == "ours")

    def has(self, who):
        return bool(self.samples[who])

    def spent(self, who):
        return sum(s.cpu for s in self.samples[who])

    def values(self, who, what):
        return [getattr(s, what) for s in self.samples[who]]

    def median(self, who, what="cpu"):
        return statistics.median(self.values(who, what))

    def cost(self, who):
        """CPU seconds per unit of work."""
        return statistics.median(s.cost() for s in self.samples[who])

    def ratio(self):
        """The median of the ratios of pairs of runs, if there are pairs."""
        ours, theirs = self.samples["ours"], self.samples["theirs"]
        if len(ours) == len(theirs):
            return statistics.median(t.cost() / o.cost() for o, t in zip(ours, theirs))
        return self.cost("theirs") / self.cost("ours")

    def memory_ratio(self):
        return self.median("theirs", "memory") / self.median("ours", "memory")


class Slowdown(Case):
    """A command under a checker, and the same without one. Ratios say how many times as much it takes; `aims`:
    {"most": the ratio of CPU seconds, "more": how many more they may be, "memory most": the ratio of memory}."""

    heads = "checked", "not checked"

    def ratio(self):
        ours, theirs = self.samples["ours"], self.samples["theirs"]
        if len(ours) == len(theirs):
            return statistics.median(o.cost() / t.cost() for o, t in zip(ours, theirs))
        return self.cost("ours") / self.cost("theirs")

    def memory_ratio(self):
        return self.median("ours", "memory") / self.median("theirs", "memory")
