# SPDX-License-Identifier: BSD-3-Clause
"""Schedules in GOAL: patterns of collectives as schedgen has them, a stencil, and random graphs."""


class Schedule:
    """Operations and dependencies of each rank; an operation is known by its number, and labelled l1, l2, ..."""

    def __init__(self, ranks):
        self.n, self.lines, self.count, self.comments = ranks, [[] for _ in range(ranks)], [0] * ranks, False

    def add(self, rank, text, *after, started=()):
        self.count[rank] += 1
        op = self.count[rank]
        self.lines[rank].append("l%d: %s" % (op, text))
        self.lines[rank] += ["l%d requires l%d" % (op, a) for a in after if a]
        self.lines[rank] += ["l%d irequires l%d" % (op, a) for a in started if a]
        return op

    def send(self, rank, to, size, *after, tag=0, more="", started=()):
        return self.add(rank, "send %db to %d tag %d%s" % (size, to, tag, more), *after, started=started)

    def recv(self, rank, source, size, *after, tag=0, more="", started=()):
        return self.add(rank, "recv %db from %d tag %d%s" % (size, source, tag, more), *after, started=started)

    def calc(self, rank, time, *after, more="", started=()):
        return self.add(rank, "calc %d%s" % (time, more), *after, started=started)

    def write(self, path):
        with open(path, "w", encoding="utf-8") as f:
            f.write("num_ranks %d\n" % self.n)
            for rank, lines in enumerate(self.lines):
                f.write("\nrank %d {\n" % rank)
                f.write("// rank %d of /* %d\n" % (rank, self.n) if self.comments else "")
                f.writelines(line + "\n" for line in lines)
                f.write("}\n")


def broadcast(n, size):
    s = Schedule(n)
    for rank in range(n):
        got, mask = None, 1
        while mask < n and not rank & mask:
            mask *= 2
        if rank:
            got = s.recv(rank, rank - mask, size)
        mask //= 2
        while mask:
            if rank + mask < n:
                s.send(rank, rank + mask, size, got)
            mask //= 2
    return s


def reduce(n, size):
    s = Schedule(n)
    for rank in range(n):
        last, mask = None, 1
        while mask < n and not rank & mask:
            if rank + mask < n:
                last = s.calc(rank, size, s.recv(rank, rank + mask, size), last)
            mask *= 2
        if rank:
            s.send(rank, rank - mask, size, last)
    return s


def dissemination(n, size, ways=1):
    s = Schedule(n)
    last, step = [[] for _ in range(n)], 1
    while step < n:
        for rank in range(n):
            now = []
            for way in range(1, ways + 1):
                if way * step < n:
                    s.send(rank, (rank + way * step) % n, size, *last[rank])
                    now.append(s.recv(rank, (rank - way * step) % n, size, *last[rank]))
            last[rank] = now
        step *= ways + 1
    return s


def alltoall(n, size):
    s = Schedule(n)
    for rank in range(n):
        for k in range(1, n):
            s.send(rank, (rank + k) % n, size)
            s.recv(rank, (rank - k) % n, size)
    return s


def doubling(n, size):
    """An allreduce by recursive doubling; n is a power of two."""
    s = Schedule(n)
    last, mask = [None] * n, 1
    while mask < n:
        for rank in range(n):
            sent = s.send(rank, rank ^ mask, size, last[rank], tag=mask)
            got = s.recv(rank, rank ^ mask, size, last[rank], tag=mask)
            last[rank] = s.calc(rank, size // 4, sent, got)
        mask *= 2
    return s


def ring(n, size):
    """An allreduce of n pieces, each of which goes round twice."""
    s = Schedule(n)
    last = [None] * n
    for step in range(2 * n - 2):
        for rank in range(n):
            s.send(rank, (rank + 1) % n, size, last[rank], tag=step)
            got = s.recv(rank, (rank - 1) % n, size, tag=step)
            last[rank] = s.calc(rank, size // 10, got) if step < n - 1 else got
    return s


def gather(n, size):
    s = Schedule(n)
    for rank in range(1, n):
        s.send(rank, 0, size)
        s.recv(0, rank, size)
    return s


def stencil(n, rounds, size):
    """Four neighbours on a torus that is 32 wide, with computation of different lengths."""
    s = Schedule(n)
    last = [[] for _ in range(n)]
    for k in range(rounds):
        for rank in range(n):
            c = s.calc(rank, 1000 + (rank * 7 + k) % 500, *last[rank])
            last[rank] = []
            for d in (1, -1, 32, -32):
                last[rank].append(s.send(rank, (rank + d) % n, size, c, tag=k))
                last[rank].append(s.recv(rank, (rank + d) % n, size, c, tag=k))
    return s


def patterns():
    """(name, schedule)"""
    for n in (2, 5, 8, 16, 33, 64):
        for size in (1, 1000, 100000):
            yield "broadcast %d %d" % (n, size), broadcast(n, size)
            yield "reduce %d %d" % (n, size), reduce(n, size)
            yield "dissemination %d %d" % (n, size), dissemination(n, size)
            yield "2-way dissemination %d %d" % (n, size), dissemination(n, size, 2)
            yield "alltoall %d %d" % (n, size), alltoall(n, size)
            yield "gather %d %d" % (n, size), gather(n, size)
            if not n & (n - 1):
                yield "recursive doubling %d %d" % (n, size), doubling(n, size)
            if size < 65536: # in a ring of rendezvous all would wait for the next one
                yield "ring %d %d" % (n, size), ring(n, size)
    yield "stencil", stencil(128, 5, 1000)


def random_schedule(draw):
    """Dependencies are on earlier operations of the same CPU, as LogGOPSim lets others start in the past. What meets has
    one size, which a receive says, too. Some schedules come to a deadlock."""
    n = draw.choice([2, 3, 4, 7, 16, 40])
    s = Schedule(n)
    s.comments = draw.random() < 0.3
    wild = draw.choice(["", "", "source", "tag", "both"])
    cpus, nics = (1, 1) if wild else (draw.choice([1, 1, 2, 3]), draw.choice([1, 1, 2]))
    sizes = {}
    ops = [[[] for _ in range(cpus)] for _ in range(n)]
    close = draw.choice([1, 3, 10, 1000])  # how far back dependencies reach

    def before(rank, cpu):
        earlier = ops[rank][cpu][-close:]
        some = draw.sample(earlier, min(len(earlier), draw.choice([0, 0, 1, 1, 2])))
        cut = draw.randrange(len(some) + 1) if draw.random() < 0.3 else len(some)
        return {"after": some[:cut], "started": some[cut:]}

    for _ in range(draw.choice([5, 40, 300])):
        cpu, nic, rank = draw.randrange(cpus), draw.randrange(nics), draw.randrange(n)
        more = " cpu %d nic %d" % (cpu, nic) if cpu or nic else ""
        if draw.random() < 0.3:
            b = before(rank, cpu)
            where = " cpu %d" % cpu if cpu else ""
            ops[rank][cpu].append(s.calc(rank, draw.choice([0, 1, 10, 999, 12345]), *b["after"], more=where,
                                         started=b["started"]))
            continue
        # A message is charged to the CPU and NIC of its send, so its receive is of the same ones.
        to, tag = draw.randrange(n), draw.choice([0, 0, 1, 7]) + 10 * cpu + 100 * nic
        key = (to, tag if wild in ("", "source") else 0)
        size = sizes.setdefault(key, draw.choice([1, 1, 8, 1000, 65535, 65536, 70000]))
        source = -1 if wild in ("source", "both") else rank
        wanted = -1 if wild in ("tag", "both") else tag
        for who, act, peer, t in ((rank, s.send, to, tag), (to, s.recv, source, wanted)):
            b = before(who, cpu)
            ops[who][cpu].append(act(who, peer, size, *b["after"], tag=t, more=more, started=b["started"]))
    return s
