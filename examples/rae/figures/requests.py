# SPDX-License-Identifier: BSD-3-Clause
"""Figures of where requests go: 2, 9, 10."""
import random

import chart
import published
from figure import CALIBRATED, NOT, REPRODUCED, Figure, near
from runs import Run
from workloads import GRAPHS, IRREGULAR, OTHERS, REGULAR, mean, run_of

LINE = 64
POLICIES = {"retain": "lines kept", "drain-invalidate": "given up when drained"}
# Figure 2 goes beyond Table I: a mesh of the same kind with a node for each PE.
MESHES = {1: "1x1", 2: "2x1", 4: "2x2", 8: "4x2", 16: "4x4", 32: "8x4", 64: "8x8"}
PES = tuple(MESHES)


def figure_2(runner, sizes):
    """The share of a scatter's atomics that are remote, by the number of PEs."""
    ours, exact = {}, {}
    for pes, mesh in MESHES.items():
        line = runner(Run("scatter", "rae", ("-i", sizes.scattered // pes), pes,
                          platform=f"rae-mesh:{mesh}")).line
        ours[pes], exact[pes] = 100 * line["remote"] / line["atomics"], 100 * (pes - 1) / pes
    worst = max(abs(ours[p] - exact[p]) for p in PES)
    good = worst <= published.TOLERANCE["fig2"] and all(
        near(ours[p], v, published.TOLERANCE["fig2"]) for p, v in published.REMOTE_SHARE.items())
    return Figure(
        2, "Remote atomics of a scatter", "0 % with 1 PE, 98.44 % with 64",
        f"{ours[1]:.2f} % and {ours[64]:.2f} %", REPRODUCED if good else NOT,
        f"Uniform indices give (P - 1)/P; the sample is at most {worst:.2f} points off. Table I has six "
        "nodes; these meshes of the same kind have a node for each PE, up to 8 x 8.",
        {"figure-2": chart.bars("Figure 2: remote atomics of a[b[i]] = c[i]", "%", PES,
                                {"run": ours, "(P - 1)/P": exact}, 100, below="PEs")},
        [("Remote share, %", ["PEs", *PES],
          [[what, *(f"{of[p]:.2f}" for p in PES)] for what, of in (("run", ours), ("(P - 1)/P", exact))])])


def figure_9(runner, sizes):
    """10 000 of the compare-and-swaps that reach PE 0 in SCATTER."""
    output = runner(Run("atomics", "rae", ("SCATTER", "cas", "-m", sizes.words, "-i", sizes.iterations, "-l",
                                           3 * sizes.iterations))).output
    addresses = [int(line.split()[1]) for line in output.splitlines() if line.startswith("address ")]
    drawn = sorted(random.Random(1).sample(range(len(addresses)), sizes.sample))
    array = [k for k in drawn if addresses[k] < 8 * sizes.words]
    lines = len({addresses[k] // LINE for k in drawn})
    steps = list(zip(drawn, drawn[1:]))
    jumps = mean(addresses[b] // LINE != addresses[a] // LINE for a, b in steps)
    far = mean(abs(addresses[b] - addresses[a]) > 4096 for a, b in steps)
    return Figure(
        9, "Requests to PE 0 in SCATTER", "sparsely scattered over the shared memory; 10 000 drawn",
        f"{lines} lines in {sizes.sample} requests; {100 * jumps:.1f} % go to another line than the one "
        f"before, {100 * far:.1f} % farther than 4 KiB", REPRODUCED if jumps > 0.9 else NOT,
        f"{len(addresses)} compare-and-swaps, all from the PE before; a third reads the index, a third walks "
        "through the array (the two straight lines), a third is scattered by the index.",
        {"figure-9": chart.points("Figure 9: compare-and-swaps to PE 0 in SCATTER", "offset, KiB",
                                  "sequence of requests", [(k, addresses[k] / 1024) for k in drawn])},
        [("The sample", ["requests", "in array", "in index", "distinct lines"],
          [[sizes.sample, len(array), sizes.sample - len(array), lines]])])


# --- Figure 10 ----------------------------------------------------------------------------------------


class Misses:
    """What the cards did, by policy and kernel. The regular kernels pass many times over as much memory as a
    card's cache holds: in one pass, one access of eight misses."""

    REGULAR = REGULAR + ("STRIDE1",)
    OTHERS = tuple(n for n in OTHERS if n not in REGULAR + ("STRIDE1",))
    ALL = IRREGULAR + REGULAR + OTHERS

    def __init__(self, runner, sizes):
        self.card = {p: {n: self.counts(runner, sizes, n, p) for n in self.ALL} for p in POLICIES}

    def counts(self, runner, sizes, name, policy):
        settings = (("card/policy", policy),)
        run = run_of(sizes, name, settings=settings)
        if name in self.REGULAR:
            run = Run("atomics", "rae", (name, "add", "-m", sizes.small, "-i", sizes.repeated),
                      settings=settings)
        return runner(run).summary["card"]

    def rate(self, policy, name):
        """In %. A request that joins one under way is no miss."""
        c = self.card[policy][name]
        return 100 * c["misses"] / (c["hits"] + c["misses"] + c["merges"])

    def rates(self, policy, names):
        return {n: self.rate(policy, n) for n in names}

    def means(self, policy):
        return (mean(self.rates(policy, IRREGULAR).values()), mean(self.rates(policy, self.REGULAR).values()))

    def row(self, policy, name):
        c = self.card[policy][name]
        accesses = (c["host_reads"] + c["host_writes"]) / c["atomics"]
        return [c["hits"], c["misses"], c["merges"], f"{self.rate(policy, name):.2f}", f"{accesses:.2f}"]


def figure_10(runner, sizes):
    """Misses of the card's cache, when it keeps lines and when it does not."""
    m = Misses(runner, sizes)
    names = IRREGULAR + m.REGULAR
    kept, given_up = m.means("retain"), m.means("drain-invalidate")
    good = (near(kept[0], published.MISSES_IRREGULAR, published.TOLERANCE["fig10"]),
            near(kept[1], published.MISSES_REGULAR, published.TOLERANCE["fig10 regular"]))
    columns = [f"{what}, {policy}" for policy in POLICIES
               for what in ("hits", "misses", "merges", "misses %", "host accesses for an atomic")]
    return Figure(
        10, "Misses of the card's cache",
        f"irregular {published.MISSES_IRREGULAR} %, regular {published.MISSES_REGULAR} %",
        f"lines kept: irregular {kept[0]:.2f} %, regular {kept[1]:.2f} %; lines given up when drained: "
        f"{given_up[0]:.2f} % and {given_up[1]:.2f} %",
        CALIBRATED if all(good) else NOT, reason_10(good, m),
        {"figure-10": chart.bars("Figure 10: misses of the card's cache", "%", names,
                                 {POLICIES[p]: m.rates(p, names) for p in POLICIES}, 100,
                                 [(published.MISSES_IRREGULAR,
                                   f"published, irregular: {published.MISSES_IRREGULAR} %", IRREGULAR),
                                  (published.MISSES_REGULAR,
                                   f"published, regular: {published.MISSES_REGULAR} %", m.REGULAR)])},
        [("What the cards did, by policy (`card/policy`)", ["kernel", *columns],
          [[n, *(cell for p in POLICIES for cell in m.row(p, n))] for n in names + m.OTHERS])])


def reason_10(good, m):
    text = ("The paper gives up a line as soon as its requests are done (III-C). With one request at a time "
            "from each core even the hot spot then misses in "
            f"{m.rate('drain-invalidate', 'CENTRAL'):.0f} % of cases, so the published rate of regular "
            "workloads is one of lines that are kept, over a footprint that the cache holds, in many passes.")
    if good[1]:
        text += " Kept so, the regular ones agree."
    rate = m.rates("retain", IRREGULAR)
    graphs = [n for n in IRREGULAR if n in GRAPHS]
    text += (f" Of the irregular ones, PTRCHASE, uniform over its table, has {rate['PTRCHASE']:.2f} %. "
             f"SCATTER and GATHER ({rate['SCATTER']:.2f} and {rate['GATHER']:.2f} %) also walk through two "
             "arrays in order, eight words to a line. These arrays are a multiple of 64 KiB apart, as arrays "
             "of a size that is a power of two are, so that the lines at hand have one place in the "
             "direct-mapped cache and drive each other out; at another distance 42 % would be the most. The "
             "values of "
             f"{', '.join(graphs)} fit into the cache at this scale ({min(rate[n] for n in graphs):.1f} to "
             f"{max(rate[n] for n in graphs):.1f} %): larger graphs would miss more often.")
    return text
