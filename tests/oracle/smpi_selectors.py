# SPDX-License-Identifier: BSD-3-Clause
"""SMPI's selectors as its sources (SimGrid 3.32, src/smpi/colls/smpi_*_selector.cpp) decide, read for
selector_points.py without pgasim's own tables. The numbers of mvapich2 and impi are in published/."""
import os

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "published")
ELSEWHERE = ["gatherv", "scatterv", "alltoallw", "scan", "exscan"]  # which SMPI has one way for
NAMED = ["barrier", "bcast", "reduce", "allreduce", "reduce_scatter", "allgather", "allgatherv", "alltoall", "alltoallv",
         "gather", "scatter"]


def one_way(p):
    """Scans are sent to all who need them, at once; the others have a linear exchange."""
    return "smpi:" + (p.operation if p.operation in ("scan", "exscan") else "linear")


def rows(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return [line.split() for line in f if line.strip() and not line.startswith("#")]


def pow2(n):
    return n & (n - 1) == 0


def below(n):
    """The largest power of two in n."""
    return 1 << n.bit_length() - 1


class Smpi:
    """What all of them have in common."""
    exact = True  # parameters are compared, too
    limits = {}

    def __init__(self, _):
        pass

    def ways(self):
        return [(False, o) for o in NAMED + ELSEWHERE] * 3 + [(True, o) for o in NAMED + ELSEWHERE]

    @staticmethod
    def near(operation, limit, ranks):
        return limit // ranks if operation in ("reduce_scatter", "allgatherv") else limit

    def choose(self, p):
        if p.nonblocking and p.operation == "reduce_scatter" or p.nonblocking or p.operation in ELSEWHERE:
            return one_way(p)
        return getattr(self, p.operation)(p)

    def __getattr__(self, name):
        """An operation with one algorithm."""
        if name in NAMED and name in self.ONE:
            return lambda p: "smpi:" + self.ONE[name]
        raise AttributeError(name)


class Mpich(Smpi):
    limits = {"alltoall": [(7, 32768), (8, 256), (9, 32768)], "bcast": [(8, 12288), (12, 12288), (12, 524288)],
              "allgather": [(8, 65536), (10, 8192)], "allgatherv": [(8, 524288), (10, 81920)],
              "reduce_scatter": [(8, 524288), (9, 524288)]}
    ONE = {"alltoallv": "bruck", "barrier": "ompi_bruck", "gather": "ompi_binomial", "scatter": "ompi_binomial"}

    @staticmethod
    def allreduce(p):
        if p.commutative:
            return "smpi:mvapich2_two_level"
        return "smpi:rdb"

    @staticmethod
    def alltoall(p):
        if p.part < 256 and p.ranks >= 8:
            return "smpi:bruck"
        if p.part < 32768:
            return "smpi:mvapich2_scatter_dest"
        return "smpi:pair" if p.ranks % 2 else "smpi:ring"

    @staticmethod
    def bcast(p):
        if p.per_node:
            return "smpi:SMP_binomial"
        if p.part < 12288 or p.ranks <= 8:
            return "smpi:binomial_tree"
        short = p.part < 524288 and p.ranks % 2 == 0
        return "smpi:scatter_rdb_allgather" if short else "smpi:scatter_LR_allgather"

    @staticmethod
    def reduce(p):
        return "smpi:mvapich2_two_level" if p.commutative else "smpi:binomial"

    @staticmethod
    def reduce_scatter(p):
        if p.commutative and p.all_count > 524288:
            return "smpi:mpich_pair"
        if not p.commutative and pow2(p.ranks) and p.regular:
            return "smpi:mpich_noncomm"
        return "smpi:mpich_rdb"

    @staticmethod
    def allgather(p):
        if pow2(p.ranks) and p.total < 524288:
            return "smpi:rdb"
        return "smpi:bruck" if p.total <= 81920 else "smpi:ring"

    @staticmethod
    def allgatherv(p):
        if pow2(p.ranks) and p.all_count < 524288:
            return "smpi:mpich_rdb"
        return "smpi:ompi_bruck" if p.all_count <= 81920 else "smpi:mpich_ring"


class OpenMpi(Smpi):
    """Open MPI's numbers, and the functions that stand in SMPI's arrays. Two of them call what the selector
    chooses for a reduction and a broadcast: in pgasim, nonoverlapping."""
    FUNCTIONS = {
        "allreduce": {"basic_linear": "", "nonoverlapping": "", "recursive_doubling": "rdb", "ring": "lr",
                      "segmented_ring": "ompi_ring_segmented", "rabenseifner": "rab_rdb"},
        "alltoall": {"linear": "basic_linear", "pairwise": "pair", "modified_bruck": "bruck",
                     "linear_sync": "basic_linear", "two_proc": "basic_linear"},
        "alltoallv": {"basic_linear": "ompi_basic_linear", "pairwise": "pair"},
        "barrier": {"linear": "ompi_basic_linear", "double_ring": "ompi_basic_linear",
                    "recursive_doubling": "ompi_recursivedoubling", "bruck": "ompi_bruck",
                    "two_proc": "ompi_two_procs", "tree": "ompi_tree"},
        "bcast": {"basic_linear": "NTSL", "chain": "ompi_pipeline", "pipeline": "ompi_pipeline",
                  "split_binary_tree": "ompi_split_bintree", "binary_tree": "NTSB", "binomial": "binomial_tree",
                  "knomial": "mvapich2_knomial_intra_node", "scatter_allgather": "scatter_rdb_allgather",
                  "scatter_allgather_ring": "scatter_LR_allgather"},
        "reduce": {"linear": "ompi_basic_linear", "chain": "ompi_chain", "pipeline": "ompi_pipeline",
                   "binary": "ompi_binary", "binomial": "ompi_binomial", "in-order_binary": "ompi_in_order_binary",
                   "rabenseifner": "ompi_basic_linear"},
        "reduce_scatter": {"recursive_halving": "ompi_basic_recursivehalving", "ring": "ompi_ring",
                           "butterfly": "ompi_butterfly"},
        "allgather": {"linear": "NTSLR_NB", "bruck": "bruck", "recursive_doubling": "rdb", "ring": "ring",
                      "neighbor": "ompi_neighborexchange", "two_proc": "pair"},
        "allgatherv": {"default": "GB", "bruck": "ompi_bruck", "ring": "mpich_ring",
                       "neighbor": "ompi_neighborexchange", "two_proc": "pair"},
        "gather": {"basic_linear": "ompi_basic_linear", "binomial": "ompi_binomial",
                   "linear_sync": "ompi_linear_sync"},
        "scatter": {"basic_linear": "ompi_basic_linear", "binomial": "ompi_binomial", "linear_nb": "ompi_linear_nb"},
    }

    def __init__(self, tuned):
        super().__init__(tuned)
        self.tuned, self.limits = tuned, tuned.limits
        self.near = tuned.near

    def choose(self, p):
        if p.nonblocking or p.operation in ELSEWHERE:
            return one_way(p)
        number = self.tuned.decide(p)[len("ompi:"):]
        if p.operation == "reduce_scatter" and number == "non-overlapping":
            return Default(self.tuned).reduce_scatter(p)
        return "smpi:" + self.FUNCTIONS[p.operation][number] if self.FUNCTIONS[p.operation][number] \
            else "ompi:nonoverlapping"


class Default(Smpi):
    ONE = {"bcast": "binomial_tree", "barrier": "ompi_basic_linear", "gather": "default", "scatter": "default",
           "allgather": "default", "allgatherv": "default", "alltoallv": "default"}

    def __init__(self, tuned):
        super().__init__(tuned)
        self.tuned = tuned

    def alltoall(self, p):
        return OpenMpi(self.tuned).choose(p)

    @staticmethod
    def reduce(p):
        return "smpi:default" if p.commutative and not p.derived else "smpi:ompi_basic_linear"

    def allreduce(self, p):
        return OpenMpi(self.tuned).choose(p) if p.derived else "smpi:default"

    def reduce_scatter(self, p):
        """Its reduction is that of `default`, whatever the selector."""
        return "smpi:default inter(use smpi-default)" if p.regular else Mpich.reduce_scatter(p)


class Mvapich2(Smpi):
    ONE = {"barrier": "mvapich2_pair"}
    STANDS_FOR_NOTHING = {"allgather": "rdb", "reduce_scatter": "default"}  # SMPI does nothing there

    def __init__(self, _):
        super().__init__(_)
        self.table, self.limits = {}, {}
        for operation, per_node, most, *words in rows("mvapich2.txt"):
            row = {"most": int(most), "two": "", "intra": []}
            key = "inter"
            row[key] = []
            for word in words:
                if word in ("two", "intra"):
                    key = word
                elif key == "two":
                    row[key] = word
                else:
                    row[key].append(word)
            self.table.setdefault(operation, {}).setdefault(int(per_node), []).append(row)
            for limit in row["inter"][1::2]:
                size = int(limit) * (int(most) if operation == "allgatherv" else 1)
                self.limits.setdefault(operation, []).append((int(most), size))

    @staticmethod
    def step(steps, size):
        """Which of the functions holds for a size."""
        k = sum(size > int(limit) for limit in steps[1::2])
        return k, steps[2 * k]

    def row(self, operation, per_node, ranks):
        found = self.table[operation][per_node]
        return next((row for row in found if ranks <= row["most"]), found[-1])

    def of_nodes(self, operation, p):
        """For the ranks a node that have a table, and whether they do."""
        known = p.per_node in self.table[operation]
        return self.row(operation, p.per_node if known else 1, p.ranks), known

    def alltoall(self, p):
        return "smpi:ring" if p.in_place else "smpi:" + self.step(self.row("alltoall", 1, p.ranks)["inter"], p.part)[1]

    @staticmethod
    def alltoallv(p):
        return "smpi:ompi_basic_linear" if p.in_place else "smpi:ring"

    def allgather(self, p):
        row, known = self.of_nodes("allgather", p)
        k, name = self.step(row["inter"], p.part)
        if row["two"][k] == "y":
            if not known:
                return "smpi:rdb"
            return "smpi:mvapich2_smp" if p.consecutive else Mpich.allgather(p)
        return "smpi:" + (self.STANDS_FOR_NOTHING["allgather"] if name == "nothing" else name)

    def allgatherv(self, p):
        row = self.row("allgatherv", 0, p.ranks)
        name = self.step([word if k % 2 == 0 else int(word) * p.ranks for k, word in enumerate(row["inter"])], p.total)[1]
        return "smpi:ompi_bruck" if name == "mpich_rdb" and not pow2(p.ranks) else "smpi:" + name

    def gather(self, p):
        row = self.row("gather", 0, p.ranks)
        name = self.step(row["inter"], p.part)[1]
        if not p.consecutive or name == "mpich":
            return "smpi:ompi_binomial"
        if name == "mvapich2_two_level":
            assert self.step(row["intra"], p.part)[1] == "mpich"
            return "smpi:mvapich2_two_level intra(use smpi-mpich)"
        return "smpi:" + name

    def allreduce(self, p):
        row = self.row("allreduce", 0, p.ranks)
        k, name = self.step(row["inter"], p.part)
        if row["two"][k] != "y":
            return "smpi:" + name
        if not p.commutative:
            return "smpi:rdb"
        # Leaders know two functions; a multicast is replaced by doubling before they are asked.
        among = "rdb" if name in ("rdb", "multicast") else "mvapich2_rs"
        return "smpi:mvapich2_two_level intra(use mvapich2) inter(smpi:%s)" % among

    def bcast(self, p):
        row = self.row("bcast", 0, p.ranks)
        k, name = self.step(row["inter"], p.part)
        if row["two"][k] != "y":
            return "smpi:" + name
        assert self.step(row["intra"], p.part)[1] == "mpich"
        among = "use smpi-mpich" if name == "mpich" else "smpi:" + name
        return "smpi:mvapich2_inter_node k=4 segment=8192 intra(use smpi-mpich) inter(%s)" % among

    @staticmethod
    def reduction(name):
        return "smpi:" + name + (" k=4" if name == "mvapich2_knomial" else "")

    def reduce(self, p):
        row = self.row("reduce", 0, p.ranks)
        k, name = self.step(row["inter"], p.part)
        two = row["two"][k] == "y"
        if not p.commutative and (two or name == "mvapich2_knomial"):
            return "smpi:binomial"
        if two:
            within = self.reduction(self.step(row["intra"], p.part)[1])
            return "smpi:mvapich2_two_level intra(%s) inter(%s)" % (within, self.reduction(name))
        if name == "scatter_gather" and p.count < below(p.ranks):
            return "smpi:binomial"
        return self.reduction(name)

    def reduce_scatter(self, p):
        if not p.commutative:  # SMPI runs mpich_rdb after mpich_noncomm
            return "smpi:mpich_noncomm" if pow2(p.ranks) and p.regular else "smpi:mpich_rdb"
        name = self.step(self.row("reduce_scatter", 0, p.ranks)["inter"], p.total)[1]
        return "smpi:" + (self.STANDS_FOR_NOTHING["reduce_scatter"] if name == "nothing" else name)

    def scatter(self, p):
        row, _ = self.of_nodes("scatter", p)
        k, name = self.step(row["inter"], p.part)
        if name == "multicast":
            name = row["inter"][2 * (k + 1)]
        if not name.startswith("mvapich2_two_level"):
            return "smpi:" + name
        if not p.consecutive:
            return "smpi:ompi_binomial"
        return "smpi:%s intra(smpi:%s)" % (name, self.step(row["intra"], p.part)[1])


class Impi(Smpi):
    """The functions behind Intel MPI's numbers; redbcast as in OpenMpi above."""
    FUNCTIONS = {
        "allreduce": ["rdb", "rab1", "", "mvapich2_two_level", "smp_binomial", "mvapich2_two_level",
                      "ompi_ring_segmented", "ompi_ring_segmented"],
        "alltoall": ["bruck", "mvapich2_scatter_dest", "pair", Mvapich2],
        "barrier": ["ompi_basic_linear", "ompi_recursivedoubling", "ompi_basic_linear", "ompi_recursivedoubling",
                    "default", "default"],
        "bcast": ["binomial_tree", "NTSL", "NTSL", "SMP_binomial", "NTSL", "SMP_linear", Mvapich2],
        "reduce": [Mvapich2, "binomial", Mvapich2, "mvapich2_two_level", "rab", "rab"],
        "reduce_scatter": ["ompi_basic_recursivehalving", "mpich_pair", "mpich_rdb", Default, Default],
        "allgather": ["rdb", "bruck", "ring", "GB"],
        "allgatherv": ["mpich_rdb", "ompi_bruck", "ring", "GB"],
        "gather": ["ompi_binomial", "ompi_binomial", Mvapich2],
        "scatter": ["ompi_binomial", "ompi_binomial", Mvapich2],
        "alltoallv": ["ompi_basic_linear", "bruck"],
    }

    def __init__(self, tuned):
        super().__init__(tuned)
        self.other = {Mvapich2: Mvapich2(tuned), Default: Default(tuned)}
        self.table, self.limits = {}, {}
        for operation, per_node, most, *steps in rows("impi.txt"):
            most = 1 << 31 if most == "-" else int(most)
            self.table.setdefault(operation, {}).setdefault(int(per_node), []).append((most, steps))
            self.limits.setdefault(operation, []).extend((min(most, 600), int(limit)) for limit in steps[1::2])

    def choose(self, p):
        if p.nonblocking or p.operation in ELSEWHERE:
            return one_way(p)
        table = self.table[p.operation]
        steps = next(steps for most, steps in table[p.per_node if p.per_node in table else 1] if p.ranks <= most)
        whole = p.operation in ("reduce_scatter", "allgatherv")
        size = 1 if p.operation in ("barrier", "alltoallv") else p.total if whole else p.part
        number = int(steps[2 * sum(int(limit) <= size for limit in steps[1::2])])
        function = self.FUNCTIONS[p.operation][number - 1]
        if p.operation == "reduce_scatter" and number == 1 and not p.commutative:
            function = Mvapich2
        if function in self.other:
            return self.other[function].choose(p)
        return "smpi:" + function if function else "ompi:nonoverlapping"
