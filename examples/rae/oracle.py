#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The checksums that the programs of this folder have to print, by sequential programs that share no line
with them and use other algorithms where there are others.

    oracle.py atomics PES KERNEL add|cas [WORDS ITERATIONS STRIDE SEED]
    oracle.py graphs KERNEL [SCALE ROUNDS SEED]
    oracle.py scatter PES [ITERATIONS SEED]
    oracle.py facts SCALE       what the GAP Benchmark Suite's graph of this scale is known by
"""
import collections
import heapq
import sys

MASK = (1 << 64) - 1
UNREACHED = (1 << 63) - 1
FRACTION = 40


def hash64(x):
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & MASK
    x = (x ^ x >> 27) * 0x94d049bb133111eb & MASK
    return x ^ x >> 31


class Stream:
    """Random numbers of random.h."""

    def __init__(self, seed, which):
        self.state = hash64((hash64(seed) + which) & MASK)

    def below(self, n):
        self.state = (self.state + 0x9e3779b97f4a7c15) & MASK
        return hash64(self.state) % n


def checksum(where, index, word):
    return hash64((hash64(where) + hash64(index) + word) & MASK)


# --- atomics.c ----------------------------------------------------------------------------------------


class Memory:
    """Arrays of all PEs, and the atomics of one of them."""

    def __init__(self, pes, words, iterations, seed, chases):
        self.array, self.index, self.returned = [], [], 0
        for pe in range(pes):
            first, second = Stream(seed, pe), Stream(seed + 1, pe)
            self.array.append([first.below(1 << 31) for _ in range(words)])
            self.index.append([second.below(iterations if chases else words) for _ in range(iterations + 1)])

    def atomics_of(self, pe, cas):
        step = 0

        def atomic(of, at, value):
            nonlocal step
            old = of[at]
            if not cas:
                of[at] = (old + value) & MASK
            elif old == 0:
                of[at] = value
            self.returned = (self.returned + checksum(pe + 1, step, old)) & MASK
            step += 1
            return old
        return atomic


def kernel_run(name, atomic, array, index, iterations, stride, one, fifteen):
    """One PE's loop over the arrays of its target."""
    words = len(array)
    for i in range(iterations):
        if name == "RAND":
            atomic(array, index[i], one)
        elif name == "STRIDE1":
            atomic(array, i % words, fifteen)
        elif name == "STRIDEN":
            atomic(array, i * stride % words, fifteen)
        elif name == "CENTRAL":
            atomic(array, 0, one)
        elif name == "SG":
            source, to = atomic(index, i, 0), atomic(index, i + 1, 0)
            atomic(array, to, atomic(array, source, one))
        elif name == "SCATTER":
            to = atomic(index, i + 1, 0)
            atomic(array, to, atomic(array, i % words, one))
        elif name == "GATHER":
            source = atomic(index, i + 1, 0)
            atomic(array, i % words, atomic(array, source, one))
        else:
            sys.exit(f"oracle.py: no kernel {name}")


def atomics(pes, name, way, words=4096, iterations=4096, stride=9, seed=1):
    memory = Memory(pes, words, iterations, seed, name == "PTRCHASE")
    for pe in range(pes):
        atomic = memory.atomics_of(pe, way == "cas")
        if name == "PTRCHASE":
            stream, at = Stream(seed + 2, pe), 0
            for _ in range(iterations):
                at = atomic(memory.index[stream.below(pes)], at, 0)
        else:
            target = (pe + 1) % pes
            kernel_run(name, atomic, memory.array[target], memory.index[target], iterations, stride,
                       0 if way == "cas" else 1, 0 if way == "cas" else 15)
    total = memory.returned
    for pe in range(pes):
        for i, word in enumerate(memory.array[pe]):
            total += checksum(1000000 + pe, i, word)
    return total & MASK


def scatter(pes, iterations=4096, seed=1):
    memory = [[0] * 4096 for _ in range(pes)]
    for pe in range(pes):
        where, what = Stream(seed, 2 * pe), Stream(seed, 2 * pe + 1)
        for _ in range(iterations):
            at, value = where.below(4096 * pes), what.below(1 << 32)
            memory[at % pes][at // pes] = max(memory[at % pes][at // pes], value)
    return sum(checksum(pe, i, word) for pe in range(pes) for i, word in enumerate(memory[pe])) & MASK


# --- graphs.c -----------------------------------------------------------------------------------------


def twister(seed):
    """MT19937, a whole generation of 624 words at a time."""
    state = [seed]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + i) & 0xffffffff)
    while True:
        for i in range(624):
            joined = state[i] & 0x80000000 | state[(i + 1) % 624] & 0x7fffffff
            state[i] = state[(i + 397) % 624] ^ joined >> 1 ^ (0x9908b0df if joined & 1 else 0)
        for y in state:
            y ^= y >> 11
            y ^= y << 7 & 0x9d2c5680
            y ^= y << 15 & 0xefc60000
            yield y ^ y >> 18


def graph(scale):
    """Neighbours of each vertex, as sorted lists."""
    size, stream, names = 1 << scale, Stream(27491095, 0), list(range(1 << scale))
    for v in range(size, 1, -1):
        other = stream.below(v)
        names[v - 1], names[other] = names[other], names[v - 1]
    draws, neighbours = None, [set() for _ in range(size)]
    quadrants = [int(share * 4294967295.0) for share in (.57, .76, .95)]
    for e in range(16 * size):
        if e % (1 << 18) == 0:
            draws = twister(27491095 + (e >> 18))
        u = v = 0
        for _ in range(scale):
            r = next(draws)
            down = r >= quadrants[1]
            right = r > quadrants[2] if down else r > quadrants[0]
            u, v = 2 * u + down, 2 * v + right
        if u != v:
            neighbours[names[u]].add(names[v])
            neighbours[names[v]].add(names[u])
    return [sorted(n) for n in neighbours]


def source_of(edges, seed):
    v = Stream(seed, 1).below(len(edges))
    while not edges[v]:
        v = (v + 1) % len(edges)
    return v


def weight(u, v):
    return 1 + hash64(min(u, v) << 32 | max(u, v)) % 255


def bfs(edges, source, _rounds=0):
    level, queue = [UNREACHED] * len(edges), collections.deque([source])
    level[source] = 0
    while queue:
        u = queue.popleft()
        for v in edges[u]:
            if level[v] == UNREACHED:
                level[v] = level[u] + 1
                queue.append(v)
    return level


def sssp(edges, source, _rounds=0):
    distance, heap = [UNREACHED] * len(edges), [(0, source)]
    while heap:
        d, u = heapq.heappop(heap)
        if distance[u] != UNREACHED:
            continue
        distance[u] = d
        for v in edges[u]:
            if distance[v] == UNREACHED:
                heapq.heappush(heap, (d + weight(u, v), v))
    return distance


def components(edges, _source=0, _rounds=0):
    label = [None] * len(edges)
    for start in range(len(edges)):
        stack = [start] if label[start] is None else []
        while stack:
            u = stack.pop()
            if label[u] is None:
                label[u] = start
                stack += edges[u]
    return label


def pagerank(edges, _source, rounds):
    """Pulled, in the same fixed-point numbers."""
    one, size = 1 << FRACTION, len(edges)
    rank = [one // size] * size
    for _ in range(rounds):
        share = [r // len(e) if e else 0 for r, e in zip(rank, edges)]
        rank = [one // size // 128 * 19 + sum(share[u] for u in e) // 128 * 109 for e in edges]
    return rank


def betweenness(edges, source, _rounds=0):
    level, size = bfs(edges, source), len(edges)
    paths, given, dependency = [0] * size, [0] * size, [0] * size
    paths[source] = 1
    order = sorted((v for v in range(size) if level[v] != UNREACHED), key=lambda v: level[v])
    for v in order[1:]:
        paths[v] = sum(paths[u] for u in edges[v] if level[u] + 1 == level[v])
    for v in reversed(order):
        dependency[v] = given[v] * paths[v] & MASK
        share = ((1 << FRACTION) + dependency[v]) // paths[v]
        for u in edges[v]:
            if level[u] + 1 == level[v]:
                given[u] += share
    return dependency


def triangles(edges, _source=0, _rounds=0):
    sets, count = [set(e) for e in edges], [0] * len(edges)
    for v, adjacent in enumerate(edges):
        above = [u for u in adjacent if u > v]
        count[v] = sum(w < v for u in above for w in sets[u] & sets[v])
    return count


GRAPH_KERNELS = {"BFS": bfs, "SSSP": sssp, "CC": components, "PR": pagerank, "BC": betweenness,
                 "TC": triangles}


def graphs(name, scale=8, rounds=20, seed=1):
    edges = graph(scale)
    found = GRAPH_KERNELS[name](edges, source_of(edges, seed), rounds)
    return sum(checksum(0, v, word) for v, word in enumerate(found)) & MASK


def facts(scale):
    """Numbers that do not depend on how vertices are numbered."""
    edges = graph(scale)
    labels = collections.Counter(components(edges))
    largest, size = labels.most_common(1)[0]
    reached = [v for v, d in enumerate(bfs(edges, largest)) if d != UNREACHED]
    arcs = sum(len(edges[v]) for v in reached)
    return {"edges": sum(map(len, edges)) // 2, "components": len(labels), "largest": size,
            "reached": len(reached), "arcs reached": arcs, "triangles": sum(triangles(edges))}


def main(args):
    if not args or args[0] not in ("atomics", "graphs", "scatter", "facts"):
        sys.exit(__doc__)
    words = [int(a) if a.isdigit() else a for a in args[1:]]
    found = globals()[args[0]](*words)
    print(f"{found:016x}" if isinstance(found, int) else found)


if __name__ == "__main__":
    main(sys.argv[1:])
