# SPDX-License-Identifier: BSD-3-Clause
"""`pgasim replay` in the LogGP model against LogGOPSim, on the same binary schedules in GOAL. LogGOPSim is looked for in
the folders of programs, and in the one that the environment's LOGGOPSIM names."""
import os
import shutil
import struct

from case import Case, grouped


class Schedule:
    """A rank's schedule in LogGOPSim's binary form."""

    def __init__(self):
        self.ops, self.after = [], []

    def add(self, kind, peer, size, tag, *before):
        self.ops.append((len(before), kind, peer, size, tag))
        self.after.append([])
        for b in before:
            self.after[b].append(len(self.ops) - 1)
        return len(self.ops) - 1

    def bytes(self):
        roots = [k for k, op in enumerate(self.ops) if not op[0]]
        out, at = [struct.pack("<II%dI" % len(roots), len(self.ops), len(roots), *roots)], 0
        for op, after in zip(self.ops, self.after):
            out.append(struct.pack("<IBIQIBBIIII", *op, 0, 0, len(after), at, 0, at + len(after)))
            at += len(after)
        words = [w for after in self.after for w in after]
        return b"".join(out) + struct.pack("<%dI" % at, *words)


def write_goal(path, schedules):
    parts = [s.bytes() for s in schedules]
    at = 6 + 16 * len(parts)
    with open(path, "wb") as f:
        f.write(struct.pack("<QIBB", 4223, len(parts), 0, 0))
        for part in parts:
            f.write(struct.pack("<QQ", at, at + len(part)))
            at += len(part)
        f.writelines(parts)


SEND, RECV, CALC = 1, 2, 3


def stencil(rank, ranks, rounds):
    """Computation, then messages to and from four neighbours."""
    s, last = Schedule(), []
    for k in range(rounds):
        c = s.add(CALC, 0, 1000 + (rank * 7 + k) % 500, 0, *last)
        last = []
        for d in (1, -1, 32, -32):
            last.append(s.add(SEND, (rank + d) % ranks, 1000, k, c))
            last.append(s.add(RECV, (rank + d) % ranks, 1000, k, c))
    return s


def alltoall(rank, ranks, _):
    s = Schedule()
    for k in range(1, ranks):
        s.add(SEND, (rank + k) % ranks, 1000, 0)
        s.add(RECV, (rank - k) % ranks, 1000, 0)
    return s


class GoalCase(Case):
    heads = "pgasim", "LogGOPSim"


def goal_case(c, name, ranks, rounds, schedule, events):
    """Of `events` of LogGOPSim: operations and messages."""
    path = os.path.join(c.work, "%s_%d.goal" % (schedule.__name__, ranks))

    def prepare():
        write_goal(path, [schedule(r, ranks, rounds) for r in range(ranks)])
    theirs = shutil.which("LogGOPSim") or os.path.join(os.environ.get("LOGGOPSIM", ""), "LogGOPSim")
    return GoalCase("%s, %s ranks" % (name, grouped(ranks)),
                    [c.pgasim, "replay", "--quiet", "--set", "replay/model=LogGP", path],
                    [theirs, "-b", "-f", path] if os.path.exists(theirs) else None, work=events, unit="events",
                    prepare=prepare, aims={"ratio": 5})


def cases(c):
    return [
        goal_case(c, "stencil", 1024, 100, stencil, 1024 * 100 * 13),
        goal_case(c, "stencil", 16384, 10, stencil, 16384 * 10 * 13),
        goal_case(c, "linear alltoall", 256, 1, alltoall, 256 * 255 * 3),
    ]
