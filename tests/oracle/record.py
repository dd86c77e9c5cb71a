#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Records a program with real MPIs by `pgasim record`. The calls are those that `pgasim run --record-ti` records of the
same program; the trace is played; and a stall of one rank is where the program has it."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

RANKS, STALL = 4, 200  # ms
HERE = os.path.dirname(os.path.abspath(__file__))
MAKERS = re.compile(r"MPI_(I\w+|\w+_init|File_i\w+) ")
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
               "OMPI_MCA_btl_base_warn_component_unused": "0"}


def run(command, folder, environment):
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=120, check=False)
    if done.returncode:
        sys.exit("%s: status %d\n%s" % (" ".join(command), done.returncode, done.stdout))
    return done.stdout


def lines_of(path):
    """The lines of a file, compressed or not."""
    command = {"zst": ["zstd", "-dc"], "gz": ["gzip", "-dc"]}.get(path.rsplit(".", 1)[-1], ["cat"])
    return subprocess.run(command + [path], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def unrolled(lines):
    """The lines of one rank, with loops as lines one after the other."""
    out, bodies = [], []
    for line in lines:
        word = line.split()[1]
        if word == "repeat":
            bodies.append((out, int(line.split()[2])))
            out = []
        elif word == "end":
            outer, times = bodies.pop()
            out = outer + out * times
        else:
            out.append(line)
    return out


def calls(lines):
    """The calls of one rank without their times, requests numbered in the order in which they are made."""
    out, now, made = [], {}, 0
    for line in lines:
        line = re.sub(r" @-?\d+\+\d+$", "", line)
        action = line.split(" ", 1)[1]
        if not action.startswith("MPI_"):
            continue
        if MAKERS.match(action):
            head, request = action.rsplit(" ", 1)
            made += 1
            now[request] = "r%d" % made
            action = head + " " + now[request]
        else:
            action = re.sub(r"\br\d+\b", lambda m: now[m.group(0)], action)
        out.append(action)
    return out


def recorded(folder, trace):
    """Of each rank the lines."""
    with open(os.path.join(folder, trace), encoding="utf-8") as f:
        return [lines_of(os.path.join(folder, name.strip())) for name in f]


def compare(what, expected, got):
    for rank in range(RANKS):
        for k in range(max(len(expected[rank]), len(got[rank]))):
            pair = [x[rank][k] if k < len(x[rank]) else "nothing" for x in (expected, got)]
            if pair[0] != pair[1]:
                sys.exit("%s: rank %d, call %d: simulated: %s\nrecorded: %s" % (what, rank, k, pair[0], pair[1]))


def seconds(lines):
    return max(float(line.split()[2]) for line in lines if " seconds " in line)


def check_stall(what, lines):
    longest = [seconds(x) for x in lines]
    if not STALL / 1e3 <= longest[1] < 2 * STALL / 1e3 or longest[1] != max(longest):
        sys.exit("%s: rank 1 stalled for %d ms; recorded at most, in seconds, rank by rank: %s" % (what, STALL, longest))


def check_diff(what, pgasim, folder, environment):
    """The recorded run against its replay without what is not typical: the stall of rank 1 is what differs the most."""
    run([pgasim, "replay", "-q", "--compute-typical", "--measured", "measured.pgt", "--trace", "typical.pgt", "trace"], folder,
        environment)
    drift = json.loads(run([pgasim, "diff", "--json", "measured.pgt", "typical.pgt"], folder, environment))["drift"]["ranks"]
    outside = drift[0]["outside"]
    if drift[0]["rank"] != 1 or not STALL / 1e3 <= outside["a"] < 2 * STALL / 1e3 or outside["b"] > STALL / 2e3:
        sys.exit("%s: expected a stall of rank 1, %d ms: %s" % (what, STALL, json.dumps(drift, indent=1)))
    stalled_until = outside["begin"] + outside["a"] + 1e-9  # sums of rounded times
    if not all(x["same_calls"] and "apart_from" in x for x in drift) or drift[0]["apart_from"] > stalled_until:
        sys.exit("%s: expected that all ranks drift apart: %s" % (what, json.dumps(drift, indent=1)))


def check_counter(cc, start, pgasim, folder, environment):
    """The processor's time as the counter: a stall has none of it. A replay that counts instructions plays it so."""
    command = [pgasim, "record", "--mpicc", cc, "--counter", "task-clock", "-o", "counted", start, "-np", str(RANKS), "./real", str(STALL)]
    if "are not counted" in run(command, folder, environment):
        print("%s: this system does not let programs count" % cc)
        return
    stall = max((x.split() for x in recorded(folder, "counted")[1] if " seconds " in x), key=lambda words: float(words[2]))
    if len(stall) != 4 or not 0 < int(stall[3]) < STALL * 1e6 / 4:
        sys.exit("%s: the stall of %d ms is '%s', expected a count of few ns" % (cc, STALL, " ".join(stall)))
    ends = []
    for what in ("0", "1", "2"):
        text = run([pgasim, "replay", "--set", "replay/instructions-per-flop=" + what, "--trace", "end.pgt", "counted"], folder, environment)
        ends.append(json.loads(run([pgasim, "profile", "--json", "end.pgt"], folder, environment))["simulated_seconds"])
        if "replay/uncounted" in text:
            sys.exit("%s: %s" % (cc, text))
    if not ends[0] > STALL / 1e3 > ends[1] > ends[2]:
        sys.exit("%s: with 0, 1, 2 instructions per flop the replay ends at %s" % (cc, ends))


def check_threads(cc, start, pgasim, folder, environment):
    """Each thread has its own lines; their replay ends, which one thread after the other would not."""
    run([cc, "-O2", "-pthread", "-o", "threads", os.path.join(HERE, "record_threads.c")], folder, environment)
    run([pgasim, "record", "--mpicc", cc, "-o", "threaded", start, "-np", "2", "./threads"], folder, environment)
    for rank, lines in enumerate(recorded(folder, "threaded")):
        messages = {"%d.%d" % (rank, k): 0 for k in (2, 3, 4)}
        for who, what in (x.split()[:2] for x in lines):
            if what in ("MPI_Send", "MPI_Recv"):
                messages[who] = messages.get(who, 0) + 1
        if set(messages.values()) != {10} or not any(x.startswith("%d MPI_Init_thread 4096 " % rank) for x in lines):
            sys.exit("%s: the threads of rank %d: %s, %s" % (cc, rank, messages, lines[0]))
    text = run([pgasim, "replay", "threaded"], folder, environment)
    if "30 messages" not in text or "warning" in text:
        sys.exit("%s: the replay of threads: %s" % (cc, text))


def check_sources(cc, start, pgasim, folder, environment):
    """Each call that takes any source says whose message it got, in the order of the calls; the replay gets the same."""
    run([cc, "-O2", "-w", "-o", "sources", os.path.join(HERE, "record_sources.c")], folder, environment)
    run([pgasim, "record", "--mpicc", cc, "-o", "sought", start, "-np", str(RANKS), "./sources"], folder, environment)
    told = [x.split()[2:] for x in recorded(folder, "sought")[0] if x.split()[1] == "source"]
    known = [x for x in told if len(x) == 2]
    # Of each other rank five messages, whose tags are its number; of two requests that get none, one is freed.
    if len(known) != 5 * (RANKS - 1) or any(known.count([str(k)] * 2) != 5 for k in range(1, RANKS)):
        sys.exit("%s: whose messages were received: %s" % (cc, told))
    if sorted(x for x in told if len(x) != 2) != [[], ["any"]]:
        sys.exit("%s: receives without a message: %s" % (cc, told))
    text = run([pgasim, "replay", "--map-by", "host", "sought"], folder, environment)
    if "%d receives and probes from any source get whom they got" % len(known) not in text:
        sys.exit("%s: the replay of receives from any source: %s" % (cc, text))


def has_zstd(cc, folder):
    source = os.path.join(folder, "packs.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write("#include <zlib.h>\n#include <zstd.h>\nint main(void) { return 0; }\n")
    return not subprocess.run([cc, "-o", source + ".out", source, "-lzstd", "-lz"], stderr=subprocess.DEVNULL, check=False).returncode


def check_compression(cc, start, pgasim, folder, environment):
    """Files are compressed by zstd; where a program cannot be linked with it, by gzip; and where neither is there, not."""
    for without, ending in (("", ".zst"), ("-lzstd", ".gz"), ("-lzstd -lz", "")):
        wrapper = os.path.join(folder, "mpicc-without")
        with open(wrapper, "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\nfor word; do for other in %s; do [ \"$word\" != \"$other\" ] || exit 1; done; done\nexec %s \"$@\"\n"
                    % (without, cc))
        os.chmod(wrapper, 0o755)
        own = dict(environment, XDG_CACHE_HOME=os.path.join(folder, "cache-of" + ending))
        run([pgasim, "record", "--mpicc", wrapper, "-o", "packed", start, "-np", "2", "./real"], folder, own)
        with open(os.path.join(folder, "packed"), encoding="utf-8") as f:
            names = f.read().split()
        if names != ["packed_files/rank-%d%s" % (k, ending) for k in range(2)]:
            sys.exit("%s without '%s': the files are %s" % (cc, without, names))
        begins = {".zst": b"\x28\xb5\x2f\xfd", ".gz": b"\x1f\x8b", "": b"0 MPI_"}[ending]
        with open(os.path.join(folder, names[0]), "rb") as f:
            if not f.read().startswith(begins):
                sys.exit("%s: %s is not as its name says" % (cc, names[0]))
        if "2 ranks" not in run([pgasim, "replay", "packed"], folder, environment):
            sys.exit("%s: the replay of files named '%s'" % (cc, ending))


def check_fold(cc, start, pgasim, folder, environment):
    """A folded trace has the calls of the whole one, and nothing else is left."""
    run([pgasim, "record", "--fold", "--mpicc", cc, "-o", "short", start, "-np", str(RANKS), "./real", "0"], folder, environment)
    if [x for x in os.listdir(folder) if x.startswith("short.whole")]:
        sys.exit("%s: --fold has left the whole trace" % cc)
    run([pgasim, "convert", "--quiet", "short", "short.calls"], folder, environment)
    lines = lines_of(os.path.join(folder, "short.calls"))
    compare(cc + ", folded", [calls(x) for x in recorded(folder, "trace")],
            [calls(unrolled([x for x in lines if x.split()[0] == str(rank)])) for rank in range(RANKS)])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build")
    parser.add_argument("--mpi", nargs=2, action="append", metavar=("CC", "RUN"), default=[])
    arguments = parser.parse_args()
    if not arguments.mpi:
        print("skipped: no MPI is installed whose mpicc and mpirun CMake has found")
        sys.exit(77)
    if not shutil.which("zstd"):
        print("skipped: no zstd to read the recorded files with")
        sys.exit(77)
    pgasim = os.path.join(os.path.abspath(arguments.build), "bin", "pgasim")
    program = os.path.join(HERE, "record_program.c")
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache"), **ENVIRONMENT)
        run([pgasim, "cc", "-O2", "-o", "simulated", program], folder, environment)
        run([pgasim, "run", "-np", str(RANKS), "-q", "--record-ti", "calls", "simulated"], folder, environment)
        lines = [x for x in lines_of(os.path.join(folder, "calls")) if not x.startswith("#")]
        expected = [calls(unrolled([x for x in lines if x.split()[0] == str(rank)])) for rank in range(RANKS)]
        for cc, start in arguments.mpi:
            run([cc, "-O2", "-o", "real", program], folder, environment)
            run([pgasim, "record", "--mpicc", cc, "-o", "trace", start, "-np", str(RANKS), "./real", str(STALL)], folder,
                environment)
            got = recorded(folder, "trace")
            compare(cc, expected, [calls(x) for x in got])
            check_stall(cc, got)
            played = run([pgasim, "replay", "trace"], folder, environment)
            if "%d ranks" % RANKS not in played:
                sys.exit("%s: the replay: %s" % (cc, played))
            check_diff(cc, pgasim, folder, environment)
            check_counter(cc, start, pgasim, folder, environment)
            check_threads(cc, start, pgasim, folder, environment)
            check_fold(cc, start, pgasim, folder, environment)
            check_sources(cc, start, pgasim, folder, environment)
            if cc == arguments.mpi[0][0] and has_zstd(cc, folder):
                check_compression(cc, start, pgasim, folder, environment)
            print("%s: %d calls of rank 0 as simulated" % (cc, len(expected[0])))


if __name__ == "__main__":
    main()
