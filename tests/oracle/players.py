# SPDX-License-Identifier: BSD-3-Clause
"""Plays cases with SimGrid and with pgasim, and says how the ends of their activities differ."""
import os
import subprocess

WITHIN = 1e-6  # relative


class Outcome:
    """A simulator's result for a case: the ends of its activities, or why there are none."""

    def __init__(self, ends=None, error=None):
        self.ends, self.error = ends, error


def ends_of(lines):
    ends = {}
    for line in lines:
        words = line.split()
        ends[words[0]] = (words[1] if len(words) == 3 or words[1] == "never" else "",
                          float(words[-1]) if words[-1] != "never" else 0.0)
    return ends


class Case:
    """A platform file, a list, and options KEY:VALUE."""

    def __init__(self, name, platform, activities, options):
        self.name, self.platform, self.list, self.options = name, platform, activities, options

    @classmethod
    def write(cls, folder, name, texts):
        case = cls(name, os.path.join(folder, "%s.xml" % name), os.path.join(folder, "%s.list" % name),
                   texts[2])
        for path, text in ((case.platform, texts[0]), (case.list, texts[1])):
            with open(path, "w") as f:
                f.write(text)
        return case

    def texts(self):
        with open(self.platform) as p, open(self.list) as l:
            return p.read(), l.read(), self.options

    def remove(self):
        os.remove(self.platform)
        os.remove(self.list)


# SimGrid's solver treats a remaining capacity below this as zero. A smaller value is more exact, but
# it crashes where rounding leaves more. (A route of 100 ns has the weight 1e7; three flows on it leave 1e-9.)
PRECISIONS = ["1e-9", "1e-7", "1e-5"]


def play_simgrid(oracle, cases, more=()):
    """Outcomes by the cases' names; `more`: options that override the cases' own."""
    out = {}
    for precision in PRECISIONS:
        left = [c for c in cases if c.name not in out or out[c.name].error]
        if left:
            out.update(play_once(oracle, left, ["maxmin/precision:" + precision, *more]))
    return out


def play_once(oracle, cases, more):
    lines = ["\t".join([c.name, c.platform, c.list, *c.options, *more]) for c in cases]
    done = subprocess.run([oracle], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    out, body = {}, []
    for line in done.stdout.splitlines():
        fields = line.split("\t")
        if fields[0] == "case":
            body = []
        elif fields[0] == "end":
            out[fields[1]] = Outcome(ends=ends_of(body))
        elif fields[0] == "error":
            out[fields[1]] = Outcome(error=fields[2])
        else:
            body.append(line)
    return out


def play_pgasim(pgasim, case):
    options = ["--cfg=" + o for o in case.options]
    done = subprocess.run([pgasim, "flows", "--platform", case.platform, *options, case.list],
                          capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1):
        return Outcome(error="status %d: %s" % (done.returncode, done.stderr.strip()))
    return Outcome(ends=ends_of(done.stdout.splitlines()))


def distance(a, b):
    if a[0] != b[0]:
        return float("inf")
    return abs(a[1] - b[1]) / max(abs(a[1]), abs(b[1]), 1e-300)


def farthest(a, b):
    """(distance, ID) of the activity whose ends differ most between two outcomes that both have ends."""
    if a.ends.keys() != b.ends.keys():
        return float("inf"), "?"
    return max(((distance(a.ends[k], b.ends[k]), k) for k in a.ends), default=(0.0, ""))
