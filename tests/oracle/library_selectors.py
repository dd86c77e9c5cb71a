# SPDX-License-Identifier: BSD-3-Clause
"""Decisions of Open MPI's libnbc and han and of MPICH's ch4, read from their sources for selector_points.py
without pgasim's own tables. What they leave to another component comes from that one's published table."""
from smpi_selectors import below, pow2, rows

ALL = ["barrier", "bcast", "reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "allgather", "allgatherv",
       "alltoall", "alltoallv", "alltoallw", "gather", "gatherv", "scatter", "scatterv", "scan", "exscan"]


class Decisions:
    exact = True
    limits = {}

    def ways(self):
        return [(k, operation) for operation in ALL for k in (False, True)]

    @staticmethod
    def near(operation, limit, ranks):
        return limit


class Libnbc(Decisions):
    """ompi/mca/coll/libnbc/nbc_i*.c of 8efebee7; blocking or not, as somebody asks for it."""
    limits = {"bcast": [(4, 8), (16, 65536), (16, 524288)], "allreduce": [(3, 8), (9, 65536)],
              "reduce": [(4, 65536), (2, 65536), (9, 65536)]}

    def __init__(self, _):
        pass

    @staticmethod
    def algorithm(p):
        n, size = p.ranks, p.part
        if p.operation == "bcast":
            if n <= 4:
                return "linear"
            if size < 65536:
                return "binomial"
            return "chain segment=%d" % (8192 if size < 524288 else 32768)
        if p.operation == "allreduce":
            if n < 4 or size < 65536 or not p.commutative or p.in_place:
                return "binomial"
            return "reduce_scatter_allgather" if p.count >= below(n) else "ring"
        if p.operation == "reduce":
            if p.commutative and n > 2 and p.count >= below(n):
                return "reduce_scatter_gather"
            return "binomial" if n > 4 or size < 65536 or not p.commutative else "chain segment=8192"
        if p.operation == "alltoall" and p.in_place:
            return "inplace"
        return {"barrier": "dissemination", "reduce_scatter": "binomial",
                "reduce_scatter_block": "binomial"}.get(p.operation, "linear")

    def choose(self, p):
        return "libnbc:" + self.algorithm(p)


class Han(Decisions):
    """ompi/mca/coll/han of 8efebee7: what each function refuses, and its parameters' values by default."""
    EVEN = ["bcast", "reduce", "allgather", "gather", "gatherv", "scatter", "scatterv", "alltoall", "alltoallv"]
    PIPELINED = ["bcast", "reduce", "allreduce"]
    exact = False  # as of what is left to tuned

    def __init__(self, tuned):
        self.tuned, self.limits = tuned, tuned.limits
        self.near = tuned.near

    def supports(self, p):
        """All on one node: not at all. As many ranks on each, neighbours, an operator that commutes, two buffers."""
        if not p.shared or p.nodes == 1 or p.operation in self.EVEN and not p.per_node:
            return False
        if p.operation in ("alltoall", "alltoallv"):
            return p.consecutive and not p.in_place
        if p.operation in ("reduce", "allreduce"):
            return p.commutative
        return p.operation in self.EVEN + ["barrier"]

    def choose(self, p):
        if p.nonblocking:
            return Libnbc(None).choose(p)
        if not self.supports(p):
            tuned = any(key[0] == p.operation for key in self.tuned.table)
            return self.tuned.choose(p) if tuned else "basic:linear"
        name = {"gather": "simple", "barrier": "simple", "alltoall": "smsc", "alltoallv": "smsc"}.get(p.operation, "intra")
        segment = " segment=524288" if p.operation in self.PIPELINED else ""
        return "han:" + name + segment + " intra(use ompi-5.0) inter(use libnbc)"


class Ch4(Decisions):
    def __init__(self, generic):
        self.generic, self.limits, self.table = generic, generic.limits, {}
        self.near = generic.near
        for words in rows("ch4.txt"):
            at = words.index("->")
            self.table.setdefault(words[0], []).append((words[1:at], words[at + 1:]))

    def ways(self):
        return self.generic.ways() + [(False, operation) for operation in self.table] * 6

    @staticmethod
    def holds(test, p):
        yes = {"shared": p.shared, "node": p.nodes == 1, "commutative": p.commutative, "pow2": pow2(p.ranks),
               "blocks": 1 < p.nodes < p.ranks and p.consecutive}
        if test in yes:
            return yes[test]
        name, limit = test.split("<")
        value = {"ranks": p.ranks, "part": p.part}[name]
        return value <= int(limit[1:]) if limit.startswith("=") else value < int(limit)

    def choose(self, p):
        found = [] if p.nonblocking else self.table.get(p.operation, [])
        for tests, (name, between, within) in found:
            if all(self.holds(test, p) for test in tests):
                if between == within == "-":
                    break
                if between == "-":
                    return "posix:" + within
                composition = "ch4:%s_intra_composition_%s" % (p.operation.capitalize(), name)
                intra = "use mpich" if within == "network" else "posix:" + within
                return "%s intra(%s) inter(use mpich)" % (composition, intra)
        return self.generic.choose(p)
