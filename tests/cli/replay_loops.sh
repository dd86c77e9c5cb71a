#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Loops in traces: they are played as their lines one after the other; `pgasim run --record-ti` writes them, so that a trace
# does not grow with a program's iterations; and what is no loop is refused.
. "$(dirname "$0")/lib.sh"

cat >loops <<'T'
0 init
1 init
0 repeat 100
0 compute 1000
0 repeat 3
1 repeat 100
0 send 1 0 100
0 end
1 repeat 3
1 recv 0 0 100
1 end
0 recv 1 1 10
0 end
1 send 0 1 10
1 END
0 finalize
1 finalize
T
python3 - <<'PY'
lines = ["0 init", "1 init"]
for _ in range(100):
    lines += ["0 compute 1000"] + ["0 send 1 0 100"] * 3 + ["0 recv 1 1 10"] + ["1 recv 0 0 100"] * 3 + ["1 send 0 1 10"]
with open("lines", "w") as f:
    f.write("\n".join(lines + ["0 finalize", "1 finalize"]) + "\n")
PY
for trace in loops lines; do
    pgasim replay --json $trace.json --quiet $trace || fail "$trace: status $?"
    python3 -c 'import json, sys
j = json.load(open(sys.argv[1]))
print(repr(j["simulated_seconds"]), j["replay"]["actions"], j["replay"]["messages"])' $trace.json >$trace.end ||
        fail "$trace: its figures"
done
cmp loops.end lines.end || fail "loops: $(cat loops.end), lines: $(cat lines.end)"
expect 0 '2 ranks, 904 actions' pgasim trace-info loops

printf '0 repeat 3\n0 end\n' >wrong
expect 2 'wrong:2: end: expected actions since the repeat' pgasim replay wrong
printf '0 init\n0 end\n' >wrong
expect 2 'wrong:2: end: expected a repeat before it' pgasim replay wrong
printf '0 repeat 3\n0 compute 1\n' >wrong
expect 2 'wrong:2: rank 0: expected the end of a repeat' pgasim replay wrong
printf '0 repeat x\n0 compute 1\n0 end\n' >wrong
expect 2 'wrong:1: repeat x: expected a number of times' pgasim replay wrong
printf '0 repeat 2\n0 repeat 4294967295\n0 repeat 4294967295\n0 compute 1\n' >wrong
expect 2 'wrong:3: repeat: .* at most 2\^48' pgasim replay wrong

cat >steps.c <<'C'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, ranks;
    static double sent[100], received[100];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int step = 0; step < atoi(argv[1]); step++) {
        for (int k = 0; k < 5; k++) {
            MPI_Request r[2];
            MPI_Irecv(received, 100, MPI_DOUBLE, (rank + 1) % ranks, k % 2, MPI_COMM_WORLD, &r[0]);
            MPI_Isend(sent, 100, MPI_DOUBLE, (rank + ranks - 1) % ranks, k % 2, MPI_COMM_WORLD, &r[1]);
            MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        }
        MPI_Allreduce(sent, received, 10, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
C
pgasim cc -O1 -o steps steps.c || fail "pgasim cc: status $?"
for steps in 100 1000; do
    pgasim run -np 4 --quiet --compute off --record-ti $steps.calls --json run.json ./steps $steps || fail "run: status $?"
    pgasim replay --quiet --json replay.json $steps.calls || fail "replay: status $?"
    python3 -c 'import json
a, b = [json.load(open(f))["simulated_seconds"] for f in ("run.json", "replay.json")]
assert a == b, (a, b)' || fail "$steps steps: the ends differ"
done
[ "$(wc -l <100.calls)" -eq "$(wc -l <1000.calls)" ] || fail "lines: $(wc -l ./*.calls)"
[ "$(wc -l <1000.calls)" -lt 200 ] || fail "more than 200 lines: $(wc -l ./*.calls)"
finish
