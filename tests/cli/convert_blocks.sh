#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim convert --compute-blocks`: computations at the same place of all turns of a loop take their mean, so that a trace grows
# with what the program does, whatever it computes each time; all together they take as long as before.
. "$(dirname "$0")/lib.sh"

# A ring, with an inner loop and a stall; what is computed differs each time. Now and then no time is between two calls.
cat >make.py <<'PY'
import random
import sys

ranks, steps, seed = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
draw = random.Random(seed)
print("# pgasim trace of calls 1, ranks: %d" % ranks)
for rank in range(ranks):
    def line(*words):
        print(rank, *words)
    line("MPI_Init")
    for step in range(steps):
        line("seconds %.9f" % (1e-4 * draw.uniform(0.5, 1.5)), 1000 + draw.randrange(100))
        if step == steps // 2 and rank == 1:
            line("seconds 0.01")
        line("MPI_Irecv - 100 MPI_DOUBLE", (rank + 1) % ranks, "0 MPI_COMM_WORLD r0")
        if step % 3:
            line("seconds %.9f" % (1e-6 * draw.uniform(0.5, 1.5)))
        line("MPI_Isend - 100 MPI_DOUBLE", (rank - 1) % ranks, "0 MPI_COMM_WORLD r1")
        line("MPI_Waitall 2 [r0,r1]")
        for k in range(5):
            line("compute %d" % draw.randrange(100000, 200000))
            line("MPI_Allreduce - - 10 MPI_DOUBLE MPI_SUM MPI_COMM_WORLD")
    line("seconds 1e-05")
    line("MPI_Finalize")
    line("compute 12345")
PY
# Of a trace: what each rank computes, in seconds, flops and instructions, and how many calls it has.
cat >sums.py <<'PY'
import re
import sys

sums, place, loops = {}, {}, {}
for line in open(sys.argv[1]):
    words = line.split()
    if words[0] == "#":
        continue
    rank, times = int(words[0]), loops.setdefault(int(words[0]), [1])
    x = sums.setdefault(rank, [0.0, 0.0, 0, 0])
    if words[1] == "repeat":
        times.append(times[-1] * int(words[2]))
    elif words[1] == "end":
        times.pop()
    elif words[1] == "seconds":
        x[0] += times[-1] * float(words[2])
        x[2] += times[-1] * int(words[3]) if len(words) > 3 else 0
    elif words[1] == "compute":
        x[1] += times[-1] * float(words[2])
    else:
        x[3] += times[-1]
print(sums)
PY
seed=$(date +%s)
echo "seed $seed"
for ranks in 2 5; do
    for steps in 12 600; do
        python3 make.py $ranks $steps "$seed" >trace
        pgasim convert --compute-blocks trace $steps.calls || fail "$ranks ranks, $steps steps: status $?"
        python3 - "$(python3 sums.py trace)" "$(python3 sums.py $steps.calls)" $steps <<'PY' ||
import ast
import sys

a, b, steps = ast.literal_eval(sys.argv[1]), ast.literal_eval(sys.argv[2]), int(sys.argv[3])
for rank in a:
    for k in (0, 1):
        assert abs(a[rank][k] - b[rank][k]) < 1e-7 * a[rank][k] > 0, (rank, a[rank], b[rank])
    assert 0 <= a[rank][2] - b[rank][2] <= steps, "instructions are whole in the mean"
    assert a[rank][3] == b[rank][3] > 0, "calls"
PY
            fail "$ranks ranks, $steps steps: other sums or calls"
    done
    [ "$(wc -l <12.calls)" -eq "$(wc -l <600.calls)" ] || fail "it grows with the steps: $(cat 600.calls)"
    [ "$(grep -c repeat 600.calls)" -eq $((2 * ranks)) ] || fail "not two loops of each rank: $(cat 600.calls)"
    pgasim replay --quiet 600.calls || fail "it is not played"
done

# By hand: a block's mean, of a loop within a loop; what never differs stays to the last bit; before a line and after the last.
{
    for k in 1 2 3 4; do printf '0 compute %d\n0 MPI_Barrier MPI_COMM_WORLD\n' $((k * 10)); done
    for k in 1 2 3 4 5 6; do printf '0 seconds 0.1%d 7\n0 MPI_Bcast - 1 MPI_INT 0 MPI_COMM_WORLD\n' $((k % 2)); done
    printf '0 seconds 0.123456789012345\n0 MPI_Finalize\n0 compute 3\n'
} >hand
pgasim convert --compute-blocks --quiet hand hand.calls || fail "hand: status $?"
sed 1d hand.calls >got
printf '0 %s\n' 'repeat 4' 'compute 25' 'MPI_Barrier MPI_COMM_WORLD' end 'repeat 6' 'seconds 0.105 7' \
    'MPI_Bcast - 1 MPI_INT 0 MPI_COMM_WORLD' end 'seconds 0.123456789012345' MPI_Finalize 'compute 3' >wanted
cmp -s got wanted || fail "by hand: $(cat hand.calls)"

# As computations that are the same each time fold without it, so do they with it, and nothing else changes: each end is that of
# the trace. Threads have blocks of their own.
for k in 1 2 3 4 5 6 7 8; do printf '0 compute 1e6\n0 MPI_Barrier MPI_COMM_WORLD\n'; done >same
printf '0 thread_create 2\n0.2 compute 1e6\n0.2 thread_end\n0 thread_join 2\n' >>same
pgasim convert --quiet same plain.calls || fail "plain: status $?"
pgasim convert --quiet --compute-blocks same blocks.calls || fail "blocks: status $?"
cmp -s plain.calls blocks.calls || fail "same: $(diff plain.calls blocks.calls)"
pgasim convert --quiet --compute-blocks trace trace.pgt || fail "pgt: status $?"
pgasim convert --quiet --compute-blocks trace trace.calls || fail "calls: status $?"
pgasim convert --quiet trace.pgt again.calls || fail "again: status $?"
cmp -s again.calls trace.calls || fail "pgt: $(diff again.calls trace.calls | head)"

expect 2 'compute-blocks: expected a trace of calls or a recording as output' \
    pgasim convert --compute-blocks trace x.goal
for other in --compute-mean --share-ranks; do
    expect 2 'compute-blocks: expected neither' pgasim convert --compute-blocks $other trace x.calls
done
finish
