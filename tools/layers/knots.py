# SPDX-License-Identifier: BSD-3-Clause
"""Knots: groups of a module's objects in which each depends on all others, directly or indirectly (strongly
connected components of the uses of symbols), and the cheapest way to cut a large one."""
from layers import house


def components(graph):
    """The strongly connected components of {node: successors}, largest first (Tarjan, without recursion)."""
    index, low, stack, on, found = {}, {}, [], set(), []
    for root in graph:
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            node, rest = work[-1]
            child = next((c for c in rest if c not in index or c in on), None)
            if child is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    found.append(sorted(stack[at:]))
                    on.difference_update(stack[at:])
                    del stack[at:]
            elif child in index:
                low[node] = min(low[node], index[child])
            else:
                index[child] = low[child] = len(index)
                stack.append(child)
                on.add(child)
                work.append((child, iter(graph[child])))
    return sorted(found, key=lambda c: (-len(c), c))


def inside(links, nodes, gone=frozenset()):
    """The part of the links between these nodes, without the pairs in `gone`."""
    keep = set(nodes)
    return {a: {b: len(s) for b, s in links[a].items() if b in keep and (a, b) not in gone} for a in nodes}


def cheapest_cut(graph, source, sink):
    """Pairs (user, owner) with the fewest symbols, without which source does not depend on sink (maximum
    flow)."""
    left = {a: dict(out) for a, out in graph.items()}
    for a, out in graph.items():
        for b in out:
            left[b].setdefault(a, 0)
    while True:
        came, queue = {source: None}, [source]
        for a in queue:
            for b, room in left[a].items():
                if room and b not in came:
                    came[b] = a
                    queue.append(b)
        if sink not in came:
            return {(a, b) for a in came for b in graph[a] if b not in came}
        way, b = [], sink
        while b != source:
            way.append((came[b], b))
            b = came[b]
        most = min(left[a][b] for a, b in way)
        for a, b in way:
            left[a][b] -= most
            left[b][a] += most


def suggestion(links, knot, limit):
    """Pairs (user, owner) with few symbols, without which no knot is larger than `limit`. Each round takes
    the cut that costs the fewest symbols per object that the largest knot loses; at the end, pairs that
    turned out to be unnecessary are put back."""
    gone = set()
    while True:
        largest = components(inside(links, knot, gone))[0]
        if len(largest) <= limit:
            break
        graph = inside(links, largest, gone)
        best = None
        for other in largest[1:]:
            for ends in ((largest[0], other), (other, largest[0])):
                cut = cheapest_cut(graph, *ends)
                rest = len(components(inside(links, largest, gone | cut))[0])
                cost = sum(graph[a][b] for a, b in cut) / (len(largest) - rest)
                if best is None or (cost, sorted(cut)) < best:
                    best = (cost, sorted(cut))
        gone |= set(best[1])
    for pair in sorted(gone, key=lambda p: (-len(links[p[0]][p[1]]), p)):
        if len(components(inside(links, knot, gone - {pair}))[0]) <= limit:
            gone.remove(pair)
    return sorted(gone)


def of_module(links, module):
    """The knots of a module, largest first."""
    return components(inside(links, [name for name in links if house.place(name)[0] == module]))


def check(links):
    """Prints each knot that is too large, and where to cut it; returns their number."""
    wrong = 0
    for module in house.MODULES:
        limit = house.KNOTS.get(module, house.KNOT_LIMIT)
        for knot in of_module(links, module):
            if len(knot) <= limit:
                break
            wrong += 1
            print(f"src/{module}: a knot of {len(knot)} objects, more than {limit}: {' '.join(knot)}")
            for user, owner in suggestion(links, knot, limit):
                print(f"    cut src/{user} -> src/{owner}: {' '.join(sorted(links[user][owner]))}")
    return wrong
