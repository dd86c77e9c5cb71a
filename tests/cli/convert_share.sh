#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim convert --share-ranks`: ranks that do the same share a file, which does not grow with the iterations; and what lines
# of such a file ("-", "+1", numbers with commas) mean.
. "$(dirname "$0")/lib.sh"

# As a recorder writes it: a ring, messages to rank 0, a reduction; ranks compute differently long, by 2% more or less each time.
cat >make.py <<'PY'
import random
import sys

ranks, steps = int(sys.argv[1]), int(sys.argv[2])
random.seed(1)
name = "trace.%d.%d" % (ranks, steps)
with open(name, "w") as out:
    print("# pgasim trace of calls 1, ranks: %d" % ranks, file=out)
    for rank in range(ranks):
        def line(*words):
            print(rank, *words, file=out)
        line("MPI_Init")
        for step in range(steps):
            line("seconds %.9f" % (1e-4 * (1 + 0.1 * (rank % 3)) * random.uniform(0.98, 1.02)), 1000 + rank)
            line("MPI_Irecv - 100 MPI_DOUBLE", (rank + 1) % ranks, "0 MPI_COMM_WORLD r0")
            if step % 3:  # now and then no time is between two calls
                line("seconds 0.00000002")
            line("MPI_Isend - 100 MPI_DOUBLE", (rank - 1) % ranks, "0 MPI_COMM_WORLD r1")
            line("MPI_Waitall 2 [r0,r1]")
            for k in range(1, ranks) if rank == 0 else []:
                line("MPI_Recv - 1 MPI_DOUBLE", k, "1 MPI_COMM_WORLD")
            if rank:
                line("MPI_Send - 1 MPI_DOUBLE 0 1 MPI_COMM_WORLD")
            line("MPI_Allreduce - - 10 MPI_DOUBLE MPI_SUM MPI_COMM_WORLD")
        line("MPI_Finalize")
PY
end_of() {
    pgasim replay --quiet --json end.json "$1" >&2 || fail "$1: status $?"
    python3 -c 'import json; print(repr(json.load(open("end.json"))["simulated_seconds"]))'
}
# near A B PART: whether they differ by less than a part.
near() {
    python3 -c 'import sys; a, b, part = map(float, sys.argv[1:]); sys.exit(not (a > 0 and abs(a - b) < part * a))' "$@"
}
for ranks in 4 16; do
    for steps in 10 1000; do
        python3 make.py $ranks $steps
        expect 0 "$ranks ranks share 2 files" pgasim convert --share-ranks trace.$ranks.$steps $ranks.$steps.calls
        [ "$(wc -l <$ranks.$steps.calls)" -eq $ranks ] || fail "the list: $(cat $ranks.$steps.calls)"
        near "$(end_of trace.$ranks.$steps)" "$(end_of $ranks.$steps.calls)" 0.01 ||
            fail "$ranks ranks, $steps steps: another end"
        pgasim trace-info --json trace.$ranks.$steps >whole.json || fail "trace-info: status $?"
        pgasim trace-info --json $ranks.$steps.calls >short.json || fail "trace-info: status $?"
        python3 -c 'import json
a, b = [{c["name"]: c["count"] for c in json.load(open(f))["calls"] if c["name"] != "computation"} for f in ("whole.json", "short.json")]
assert a == b and a, (a, b)' || fail "$ranks ranks, $steps steps: other calls"
    done
    [ "$(wc -l <$ranks.10.calls_files/rank-1)" -eq "$(wc -l <$ranks.1000.calls_files/rank-1)" ] ||
        fail "it grows with the steps: $(wc -l $ranks.*.calls_files/rank-1)"
    near "$(cat $ranks.10.calls_files/* | wc -c)" "$(cat $ranks.1000.calls_files/* | wc -c)" 0.1 ||
        fail "it grows with the steps: $(wc -c $ranks.*.calls_files/*)"
done
[ "$(wc -l <4.10.calls_files/rank-1)" -eq "$(wc -l <16.10.calls_files/rank-1)" ] ||
    fail "lines grow with the ranks: $(cat 16.10.calls_files/rank-1)"
grep -q '^- MPI_Irecv - 100 MPI_DOUBLE +1 0 MPI_COMM_WORLD r0$' 16.10.calls_files/rank-1 || fail "no neighbour +1"
grep -q '^- MPI_Isend - 100 MPI_DOUBLE +15 0 MPI_COMM_WORLD r1$' 16.10.calls_files/rank-1 || fail "no neighbour +15"
grep -q '^- MPI_Send - 1 MPI_DOUBLE 0 1 MPI_COMM_WORLD$' 16.10.calls_files/rank-1 || fail "rank 0 is not rank 0 to all"
grep -q '^0 MPI_Recv - 1 MPI_DOUBLE 15 1 MPI_COMM_WORLD$' 16.10.calls_files/rank-0 || fail "a file of one rank"

# Computation that never differs stays, to the last bit, in SMPI's lines, too; so does the end. Files are compressed as the list.
python3 - >lines <<'PY'
for rank in range(6):
    to, source = (rank + 2) % 6, (rank + 4) % 6
    step = ["compute 123456.7", "isend %d 0 1000 6" % to, "recv %d 0 1000 6" % source, "wait %d %d 0" % (rank, to),
            "allreduce 10 0 0", "sleep 1e-05"]
    for line in ["init"] + 5 * step + ["finalize"]:
        print(rank, line)
PY
expect 0 '6 ranks share 1 files' pgasim convert --share-ranks lines lines.calls.zst
[ "$(end_of lines)" = "$(end_of lines.calls.zst)" ] || fail "lines: $(end_of lines), shared: $(end_of lines.calls.zst)"
pgasim convert --quiet lines.calls.zst again.calls || fail "again: status $?"
pgasim convert --quiet lines first.calls || fail "first: status $?"
cmp again.calls first.calls || fail "the shared trace is another one"

# By hand: the first of the ranks that name a file has the first number.
printf '%s\n' '- MPI_Init' '- seconds 0.5,2' '- MPI_Send - 1 MPI_BYTE +1 7 MPI_COMM_WORLD' \
    '- MPI_Recv - 1 MPI_BYTE +3 7 MPI_COMM_WORLD' '- MPI_Finalize' >two
printf '%s\n' two two four four >list
cp two four
near 2 "$(end_of list)" 0.01 || fail "two of four ranks compute 2 s, and it ends at $(end_of list)"
pgasim convert --quiet list plain.calls || fail "list: status $?"
for line in '1 seconds 2' '2 seconds 0.5' '3 MPI_Send - 1 MPI_BYTE 0 7 MPI_COMM_WORLD' '0 MPI_Recv - 1 MPI_BYTE 3 7 MPI_COMM_WORLD'; do
    grep -qx -e "$line" plain.calls || fail "no line $line: $(cat plain.calls)"
done

# What is wrong.
expect 2 'two:1: -: expected a rank; only in a file that a list names' pgasim replay two
printf '%s\n' two four four >list
expect 2 'two:2: seconds 0.5,2: 2 numbers; expected one for each rank of the file, 1' pgasim replay list
printf '%s\n' two two >list
expect 2 'two:4: MPI_Recv, source: expected a relative rank below \+2' pgasim replay list
for bad in '- MPI_Send - 1 MPI_BYTE +x 7 MPI_COMM_WORLD:a number after \+' '- send +9 0 1:a destination below 2' \
    '- seconds 1,:a number is missing' '0 seconds 1,2:expected a number of seconds' '0 MPI_Barrier +1:expected a handle' \
    '- MPI_Send - +1 MPI_BYTE 1 7 MPI_COMM_WORLD:MPI_Send, count: expected a number'; do
    printf '%s\n' "${bad%:*}" >two
    expect 2 "two:1: .*${bad##*:}" pgasim replay list
done
printf 'num_ranks 1\nrank 0 {\nl1: calc 10\n}\n' >schedule.goal
expect 2 'schedules in GOAL' pgasim convert --share-ranks schedule.goal x.calls
expect 2 'expected a trace of calls' pgasim convert --share-ranks lines x.goal
expect 2 'expected one' pgasim convert --share-ranks --compute-mean lines x.calls
expect 2 'the name of a file' pgasim convert --share-ranks --to calls lines -
printf '0 thread_create 2\n0.2 compute 1\n0.2 thread_end\n0 thread_join 2\n' >threads
expect 2 'each rank has one thread' pgasim convert --share-ranks threads x.calls
finish
