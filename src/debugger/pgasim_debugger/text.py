# SPDX-License-Identifier: BSD-3-Clause
"""How jobs are told in words: times, ranges of ranks, groups of equals, trees of stacks."""

UNITS = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 1e-9))


def show_time(seconds):
    for unit, size in UNITS:
        if abs(seconds) >= size:
            return f"{seconds / size:.10g} {unit}"
    return "0 s" if seconds == 0 else f"{seconds / 1e-9:.10g} ns"


def ranges(numbers, most=12):
    """"0-4, 6, 9-63": of sorted numbers."""
    found, k = [], 0
    while k < len(numbers):
        end = k
        while end + 1 < len(numbers) and numbers[end + 1] <= numbers[end] + 1:
            end += 1
        if len(found) == most:
            return ", ".join(found) + f", and {len(numbers) - k} more"
        found.append(str(numbers[k]) if numbers[end] == numbers[k] else f"{numbers[k]}-{numbers[end]}")
        k = end + 1
    return ", ".join(found)


def of_ranks(numbers):
    """"rank 3", "ranks 0-4, 6"."""
    numbers = sorted(set(numbers))
    return ("rank " if len(numbers) == 1 else "ranks ") + ranges(numbers)


def grouped(items, key):
    """[(key, items)] in the order in which each key is met first."""
    groups = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.items())


def tree(stacks):
    """Lines of a tree of stacks: [(rank, [place, outermost first])]. Branches with most ranks come first."""
    lines = []

    def branch(some, depth):
        groups = grouped([s for s in some if len(s[1]) > depth], lambda s: s[1][depth])
        for place, inside in sorted(groups, key=lambda g: (-len(g[1]), g[1][0][0])):
            numbers = [rank for rank, _ in inside]
            lines.append("  " * depth + f"{place}: {of_ranks(numbers)}")
            branch(inside, depth + 1)

    branch(stacks, 0)
    return lines
