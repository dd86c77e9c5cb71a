# SPDX-License-Identifier: BSD-3-Clause
"""Lists for `pgasim flows` and programs/flows_simgrid.cpp, on the 4 096 hosts of platforms/fat_tree.xml."""
import random

HOSTS = 4096


def write(path, transfers):
    """Transfers are (from, to, bytes, at), in order of `at`."""
    with open(path, "w") as out:
        out.writelines("t%d send node-%d node-%d %d %.9g\n" % (i, *t) for i, t in enumerate(transfers))


def at_once(n, seconds=0.0):
    """Random pairs, sizes within a factor of 3, all at once or at random times within the given seconds."""
    rnd = random.Random(42)
    for at in sorted(rnd.uniform(0, seconds) for _ in range(n)):
        yield (*rnd.sample(range(HOSTS), 2), int((1 << 20) * (0.5 + rnd.random())), at)


def permutations(rounds, ranks):
    """Each rank, on every fourth host, sends 1 MiB to another and receives 1 MiB; a round every 100 ms."""
    rnd = random.Random(42)
    for r in range(rounds):
        to = list(range(ranks))
        rnd.shuffle(to)
        for i in range(ranks):
            if to[i] != i:
                yield (4 * i, 4 * to[i], 1 << 20, 0.1 * r)


def short(pairs, each):
    """Pairs of hosts that exchange 1 KiB again and again, out of step, and rarely meet other traffic."""
    rnd = random.Random(42)
    start = [rnd.random() * 1e-3 for _ in range(pairs)]
    order = sorted(range(pairs), key=start.__getitem__)
    for r in range(each):
        for i in order:
            yield (i, HOSTS // 2 + i, 1024, start[i] + 1e-3 * r)
