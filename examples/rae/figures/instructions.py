# SPDX-License-Identifier: BSD-3-Clause
"""Figures of instruction counts: 1, 3, 8."""
import chart
import published
from figure import CALIBRATED, NOT, REPRODUCED, Figure, near
from runs import Run
from workloads import EIGHT, GRAPHS, OTHERS, mean, run_of

LIBRARIES = {"OpenSHMEM": "oshmem", "OpenSHMEM, first": "oshmem-first", "MPI": "mpi-rdma",
             "MPI, first": "mpi-rdma-first", "MPI, pt2pt": "mpi-pt2pt", "xBGAS runtime": "xbrtime"}


def figure_1(runner, unmeasured, sizes):
    """Atomic instructions of all that a kernel executes."""
    share = {}
    for pes in (1, 6):
        share[pes] = {}
        for name in GRAPHS:
            run = Run("graphs", "rae", (name, "-g", sizes.scale, "-n", sizes.rounds), pes)
            share[pes][name] = 100 * runner(run).line["atomics"] / unmeasured(run).line["executed"]
    average = mean(share[1].values())
    good = near(average, published.ATOMIC_SHARE, published.TOLERANCE["fig1"])
    return Figure(
        1, "Atomic instructions of all", f"{published.ATOMIC_SHARE} % on average",
        f"{average:.2f} % on average", REPRODUCED if good else NOT,
        "The suite's own kernels have 0.2 to 2.5 % (gcc 12, counted by qemu, 2^8 vertices), PageRank and TC "
        "none. Ours push along every edge, which is the most that these algorithms can do, and have little "
        "more. 17 % of what such loops execute cannot be atomics, unless instructions around each atomic are "
        "counted with it; the paper does not say.",
        {"figure-1": chart.bars("Figure 1: atomic instructions", "% of instructions", GRAPHS,
                                {f"{pes} PE{'s' if pes > 1 else ''}": share[pes] for pes in share}, 20,
                                [(published.ATOMIC_SHARE, f"published average {published.ATOMIC_SHARE} %")])},
        [("Share of atomics, %", ["PEs", *GRAPHS, "mean"],
          [[pes, *(f"{share[pes][n]:.2f}" for n in GRAPHS), f"{mean(share[pes].values()):.2f}"]
           for pes in share])])


def operations(runner, library=""):
    """{operation: (instructions of the first one, of a later one)}."""
    settings = (("software/library", library),) if library else ()
    lines = runner(Run("operations", "rae", (), 2, settings)).output.splitlines()[:-1]
    words = [line.split() for line in lines]
    return {w[0]: tuple(int(w[w.index(which) + 2]) for which in ("first", "then")) for w in words}


def figure_3(runner):
    """One operation of each kind: instructions by the extension, and by libraries."""
    ours = operations(runner)
    theirs = {title: {op: counts[1] for op, counts in operations(runner, name).items()
                      if op in published.MEASURED[name]} for title, name in LIBRARIES.items()}
    fewer = all(10 * ours[op][1] <= n for of in theirs.values() for op, n in of.items())
    least = min(n for title, of in theirs.items() if title != "xBGAS runtime" for n in of.values())
    bars = {"extension": {op: n for op, (_, n) in ours.items()},
            **{title: theirs[title] for title in ("xBGAS runtime", "OpenSHMEM", "MPI")}}
    rows = [[op, first, n, *(theirs[title].get(op, "-") for title in LIBRARIES)]
            for op, (first, n) in ours.items()]
    later = [n for _, n in ours.values()]
    return Figure(
        3, "Instructions of one remote atomic", "far fewer for each operation; no numbers",
        f"{min(later)} to {max(later)}, against {least} and more of Open MPI", REPRODUCED if fewer else NOT,
        "All are read from the core's own counter; ours contain those that form the address. What Open MPI's "
        "libraries take is an input (`software/library`), measured on x86-64: a direction and an order of "
        "magnitude, which is all that was published. A dash: not measured.",
        {"figure-3": chart.bars("Figure 3: instructions of one remote atomic at the origin", "instructions",
                                list(ours), bars, 1000, low=1, decades=True)},
        [("Instructions", ["operation", "extension: first", "extension", *LIBRARIES], rows)])


def saved(of, than):
    return 100 * (1 - of / than)


def figure_8(runner, sizes):
    """Instructions of remote atomics that are saved, with and without a runtime library around them."""
    names, paths = EIGHT + OTHERS, ("served by the host", "card", "xBGAS runtime, then the card",
                                    "get, modify, put")
    count = {n: [runner(run_of(sizes, n, path)).instructions() for path in paths] for n in names}
    bare = {n: saved(c[1], c[0]) for n, c in count.items()}
    runtime = {n: saved(c[2], c[0]) for n, c in count.items()}
    one, with_runtime = mean(bare[n] for n in EIGHT), mean(runtime[n] for n in EIGHT)
    alone, through = (mean(count[n][k] for n in EIGHT) for k in (1, 2))
    others = []
    for library in ("oshmem", "mpi-rdma", "mpi-rdma-flush", "mpi-pt2pt", "mpi-rdma-first", "oshmem-first"):
        settings = (("software/library", library),)
        long = mean(runner(run_of(sizes, n, "card", settings)).instructions() for n in EIGHT)
        others.append((library, long, saved(alone, long), saved(through, long)))
    close = [o[0] for o in others if near(o[3], published.INSTRUCTIONS_SAVED, published.TOLERANCE["fig8"])]
    good = near(one, published.INSTRUCTIONS_SAVED, published.TOLERANCE["fig8"])
    return Figure(
        8, "Instructions saved in remote atomics", f"{published.INSTRUCTIONS_SAVED} % on average",
        f"against Open MPI's OpenSHMEM {one:.2f} % by the instructions alone and {with_runtime:.2f} % "
        f"through the xBGAS runtime; against its other paths {min(o[3] for o in others):.0f} to "
        f"{max(o[2] for o in others):.0f} %",
        REPRODUCED if good else CALIBRATED if close else NOT,
        "How long the software path is, is an input. The published mean lies between what the instructions "
        "alone save and what is left through the runtime. Through the runtime it needs a path of "
        f"{through / (1 - published.INSTRUCTIONS_SAVED / 100):.0f} instructions"
        + (f"; that of {', '.join(close)} is near." if close else "; none is near."),
        {"figure-8": chart.bars("Figure 8: instructions saved, against OpenSHMEM", "%", names,
                                {"instructions alone": bare, "through the xBGAS runtime": runtime}, 100,
                                [(published.INSTRUCTIONS_SAVED,
                                  f"published average {published.INSTRUCTIONS_SAVED} %")])},
        [("Instructions of one remote atomic at the origin",
          ["kernel", "OpenSHMEM", "extension", "with runtime", "get, modify, put", "saved, %",
           "with runtime, %"],
          [[n, *(f"{c:.1f}" for c in count[n]), f"{bare[n]:.2f}", f"{runtime[n]:.2f}"] for n in names]),
         ("Against other software paths (`software/library`), mean of the eight",
          ["path", "instructions", "saved, %", "with runtime, %"],
          [[name, f"{n:.0f}", f"{a:.2f}", f"{b:.2f}"] for name, n, a, b in others])])
