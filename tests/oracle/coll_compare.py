#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the simulated times of SMPI's collective algorithms under pgasim and under SMPI, rank by rank, to
1e-6.

  coll_compare.py BUILD --smpi PROGRAM [--ranks N,...] [--bytes N,... | --all] [--hosts shared,apart]
                  [--selectors NAME,...] [--root N] [--jobs N] [--verbose] [OPERATION[:ALGORITHM,...]...]

PROGRAM is coll_times.c and coll_operations.c compiled by smpicc with -DUNDER_SMPI. The algorithms are those
of coll_algorithms.txt, which says why where times differ. SMPI runs all algorithms of an operation in one
process, and goes on with the next one in another where an algorithm ends it; pgasim has a process for each.
Algorithms that pgasim refuses are named; those that SMPI cannot run are counted. Where SMPI's result is
wrong, its times may differ, if the file says where it fails. --all takes the whole grid: 4 to 64 ranks, four
sizes, both ways of placing ranks (shared: four to a host, apart: one). With --selectors, SMPI's selectors of
these names choose (smpi/coll-selector).
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOLERANCE, INSTANT = 1e-6, 1e-12  # relative; seconds below which times are one
VECTORS = ["bcast", "reduce", "allreduce", "reduce_scatter"]  # whose size is that of the whole vector
SIZES = {True: [8, 1000, 70000, 1048576], False: [8, 1000, 20000, 70000]}
SAMPLE = {True: [70000], False: [1000]}
CLUSTER = ["cluster", "--hosts", "64", "--cores", "4", "--bw", "10Gbps", "--lat", "1us", "--loopback-bw", "10GBps",
           "--loopback-lat", "100ns"]
SELECTOR = "selector="
PER_HOST = {"shared": 4, "apart": 1}


def algorithms(words, selectors):
    """{operation: {algorithm: notes}} of coll_algorithms.txt, as far as `words` name them, all without; or of
    these selectors, whose rows may be missing."""
    wanted = {word.split(":")[0]: word.split(":")[1].split(",") if ":" in word else None for word in words}
    path, out = os.path.join(HERE, "coll_algorithms.txt"), {}
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            text, *rest = line.split("|")
            names, notes = text.split(), dict(note.strip().partition(": ")[::2] for note in rest)
            if not names or names[0].startswith("#"):
                continue
            known = all(re.fullmatch("(differs( [0-9]+)?|fails)", note) for note in notes)
            if len(names) != 2 or not all(notes.values()) or not known:
                expected = "OPERATION ALGORITHM [| differs [RANKS]: WHY] [| fails: WHERE]"
                sys.exit("%s:%d: %s: expected %s" % (path, number, line.strip(), expected))
            operation, name = names
            if not wanted or operation in wanted and name in (wanted[operation] or [name]):
                out.setdefault(operation, {})[name] = notes
    if selectors:
        return {operation: {SELECTOR + s: rows.get(SELECTOR + s, {}) for s in selectors}
                for operation, rows in out.items()}
    return {operation: {name: rows[name] for name in rows if not name.startswith(SELECTOR)}
            for operation, rows in out.items()}


class Case:
    """One operation, number of ranks and placement: the commands, without what differs by algorithm."""

    def __init__(self, args, folder, operation, ranks, hosts):
        self.operation, self.ranks, self.hosts, self.args = operation, ranks, hosts, args
        vector = operation in VECTORS
        self.sizes = [0] if operation == "barrier" else args.bytes or (SIZES if args.all else SAMPLE)[vector]
        placed = ["-np", str(ranks), "-platform", folder + "/cluster.xml", "-hostfile", folder + "/" + hosts]
        model = ["--cfg=network/model:SMPI", "--cfg=smpi/wtime:0"]
        self.smpi = ["smpirun"] + placed + model + [
            "--cfg=network/optim:Full", "--cfg=smpi/simulate-computation:no", "--cfg=surf/precision:1e-13",
            "--log=root.thresh:critical", args.smpi]
        self.pgasim = [args.build + "/bin/pgasim", "run", "--quiet"] + placed + model + [
            "--compute=off", "--map-by", "host", "--set", "coll/reduce-bandwidth=1e21Bps"]
        self.ours = folder + "/coll_times"

    def play(self, command, names):
        """The status, what was said, and {(algorithm, bytes): {rank: (seconds, wrong)}} of second calls."""
        rest = [self.operation, ",".join(names), str(self.args.root)] + [str(s) for s in self.sizes]
        try:
            done = subprocess.run(command + rest, capture_output=True, text=True, errors="replace", timeout=1200,
                                  stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return 1, "no end after 20 minutes", {}
        out = {}
        for words in (line.split() for line in done.stdout.splitlines()):
            if len(words) == 6 and words[0] in names and words[2] == "1":
                times = out.setdefault((words[0], int(words[1])), {})
                times[int(words[3])] = (float(words[4]), int(words[5]))
        complete = {key: times for key, times in out.items() if len(times) == self.ranks}
        return done.returncode, done.stderr.strip(), complete

    def theirs(self, names):
        """SMPI's times; where an algorithm ends the run, the next one begins another. Selectors leave traces in
        a process: each has its own."""
        out, left = {}, [name for name in names if not name.startswith(SELECTOR)]
        for name in names:
            if name.startswith(SELECTOR):
                out.update(self.play(self.smpi, [name])[2])
        while left:
            out.update(self.play(self.smpi, left)[2])
            left = [name for name in left if any((name, size) not in out for size in self.sizes)][1:]
        return out

    def mine(self, name):
        option = self.operation + ":" + name
        if name.startswith(SELECTOR):
            option = "coll-selector:" + name[len(SELECTOR):]
        return self.play(self.pgasim + ["--cfg=smpi/" + option, self.ours], [name])

    def text(self, name, size):
        return "%s %s: %d ranks, %s, %d bytes" % (self.operation, name, self.ranks, self.hosts, size)


def difference(a, b):
    return 0.0 if abs(a - b) <= INSTANT else abs(a - b) / max(a, b)


class Count:
    def __init__(self):
        self.equal, self.explained, self.wrong, self.most, self.failing = 0, 0, 0, 0.0, 0
        self.compared, self.missing = set(), set()


def compare(smpi, ours, text, reason, verbose, count):
    far = max(difference(a, b) for a, b in zip(smpi, ours))
    if far <= TOLERANCE:
        count.equal, count.most = count.equal + 1, max(count.most, far)
        return
    if reason:
        count.explained += 1
    else:
        count.wrong += 1
    if verbose or not reason:
        print("DIFFER by %.2g: %s%s" % (far, text, reason and ": " + reason))
    for k, (a, b) in enumerate(zip(smpi, ours) if verbose else []):
        print("  rank %2d: SMPI %.12g, pgasim %.12g" % (k, a, b))


def judge(case, name, notes, theirs, answer, count):
    """Compares one algorithm's times at all sizes, and prints what is not as it should be."""
    status, said, mine = answer
    if status == 2:
        count.missing.add("%s %s" % (case.operation, name))
        return
    count.compared.add((case.operation, name))
    for size in case.sizes:
        ours, smpi = mine.get((name, size)), theirs.get((name, size))
        if ours is None or any(wrong for _, wrong in ours.values()):
            what = "wrong result" if ours else said[-500:]
            print("FAILED %s under pgasim: %s" % (case.text(name, size), what))
            count.wrong += 1
        elif smpi is None:
            count.failing += 1
            if "fails" not in notes:
                print("SMPI FAILS where coll_algorithms.txt does not say so: " + case.text(name, size))
                count.wrong += 1
        else:
            wrong = sum(smpi[k][1] for k in smpi)
            reason = notes.get("differs") or notes.get("differs %d" % case.ranks) or wrong and notes.get("fails") or ""
            compare([smpi[k][0] for k in range(case.ranks)], [ours[k][0] for k in range(case.ranks)],
                    case.text(name, size), reason, case.args.verbose, count)


def prepare(args, folder):
    with open(folder + "/cluster.xml", "w", encoding="utf-8") as f:
        subprocess.run([args.build + "/bin/pgasim", "platform", "generate"] + CLUSTER, check=True, stdout=f)
    for name, n in PER_HOST.items():
        with open(folder + "/" + name, "w", encoding="utf-8") as f:
            f.write("".join("node-%d\n" % (k // n) for k in range(64)))
    subprocess.run([args.build + "/bin/wrappers/mpicc", "-O1", "-o", folder + "/coll_times",
                    HERE + "/coll_times.c", HERE + "/coll_operations.c"], check=True)


def parse():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build")
    options.add_argument("--smpi", required=True)
    options.add_argument("--ranks")
    options.add_argument("--bytes", type=lambda text: [int(word) for word in text.split(",")])
    options.add_argument("--all", action="store_true")
    options.add_argument("--hosts")
    options.add_argument("--selectors", type=lambda text: text.split(","), default=[])
    options.add_argument("--root", type=int, default=0)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--verbose", action="store_true")
    options.add_argument("operations", nargs="*")
    args = options.parse_intermixed_args()
    args.build, args.smpi = os.path.abspath(args.build), os.path.abspath(args.smpi)
    args.ranks = [int(n) for n in (args.ranks or ("4,8,13,16,64" if args.all else "8,13")).split(",")]
    args.hosts = (args.hosts or ("shared,apart" if args.all else "shared")).split(",")
    return args


def main():
    args = parse()
    wanted, count = algorithms(args.operations, args.selectors), Count()
    if not wanted:
        sys.exit("coll_algorithms.txt has no algorithm %s" % " ".join(args.operations))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        prepare(args, folder)
        cases = [Case(args, folder, operation, ranks, hosts)
                 for operation in wanted for ranks in args.ranks for hosts in args.hosts]
        runs = [(case, pool.submit(case.theirs, list(wanted[case.operation])),
                 {name: pool.submit(case.mine, name) for name in wanted[case.operation]}) for case in cases]
        for case, theirs, mine in runs:
            for name, answer in mine.items():
                judge(case, name, wanted[case.operation][name], theirs.result(), answer.result(), count)
    if count.missing:
        print("pgasim has no algorithm for: " + ", ".join(sorted(count.missing)))
    print("%d algorithms: %d times equal (to %.1e), %d differ as explained, %d otherwise; SMPI fails at %d" %
          (len(count.compared), count.equal, count.most, count.explained, count.wrong, count.failing))
    return 1 if count.wrong or not count.equal else 0


if __name__ == "__main__":
    sys.exit(main())
