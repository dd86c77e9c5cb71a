#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim tune`: times are those of a program's collectives, to all digits; the same files for any number of
# processes, and from a journal; what a program calls; its messages.
. "$(dirname "$0")/lib.sh"

"$bin/wrappers/mpicc" "$top/tests/cli/tune_program.c" -o program || exit 1

# same FILE OTHER
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ: $(diff "$1" "$2" | head -5)"; }

# --- the time of a program
for op in bcast reduce allreduce allgather alltoall scan; do
    pgasim run --quiet --compute=off --set smpi/wtime=0 -np 12 -ppn 4 ./program $op | sort -g | tail -1 >run.out
    pgasim tune --quiet -np 12 -ppn 4 --op $op --sizes 6000 --csv - | tail -1 | cut -d, -f10 >tune.out
    same run.out tune.out
done

# (the ranks meet to a nanosecond)
for op in neighbor_allgather neighbor_alltoall; do
    for way in linear by-dimension common-neighbors distance-halving two-step three-step; do
        set -- --set coll/neighbor-allgather=$way --set coll/neighbor-alltoall=$way
        pgasim run --quiet --compute=off --set smpi/wtime=0 "$@" -np 12 -ppn 4 ./program $op | sort -g | tail -1 >run.out
        pgasim tune --quiet -np 12 -ppn 4 "$@" --op $op --shapes grid-2d --sizes 6000 --csv - | tail -1 |
            cut -d, -f10 >tune.out
        paste run.out tune.out | awk '{ d = $1 - $2; exit !($1 > 1e-6 && d < 2e-3 * $1 && d > -2e-3 * $1) }' ||
            fail "$op $way: $(paste run.out tune.out)"
    done
done

# compare_between SETTING OPERATION ALGORITHM... - groups of 7 and 6 ranks, by each algorithm
compare_between() {
    local setting=$1 op=$2 way
    for way in "${@:3}"; do
        set -- --set coll/inter-"$setting"="$way"
        pgasim run --quiet --compute=off --set smpi/wtime=0 "$@" -np 13 -ppn 4 ./program "$op" | sort -g | tail -1 >run.out
        pgasim tune --quiet -np 13 -ppn 4 "$@" --op "$op" --sizes 6000 --csv - | tail -1 | cut -d, -f10 >tune.out
        paste run.out tune.out | awk '{ d = $1 - $2; exit !($1 > 1e-6 && d < 2e-3 * $1 && d > -2e-3 * $1) }' ||
            fail "$op $way: $(paste run.out tune.out)"
    done
}
compare_between barrier inter_barrier whole leaders broadcast
compare_between broadcast inter_bcast remote-send-local-broadcast flat
compare_between gather inter_gather linear local-gather-remote-send
compare_between reduce inter_reduce local-reduce-remote-send reduce-scatter-gather
compare_between allreduce inter_allreduce reduce-exchange-broadcast reduce-scatter-exchange-allgather
compare_between allgather inter_allgather linear gather-exchange-broadcast exchange-allgather
compare_between alltoall inter_alltoall linear pairwise-exchange

# --- the same for any number of processes, and from a journal
for jobs in 1 3; do
    pgasim tune -np 4,40 -ppn 4 --op bcast,barrier --sizes 64:16KiB --jobs $jobs --csv $jobs.csv --page $jobs.html \
        --journal $jobs.journal >$jobs.out || fail "--jobs $jobs: status $?"
done
for kind in csv html out; do same 1.$kind 3.$kind; done
[ "$(wc -l <1.csv)" -eq 21 ] || fail "$(cat 1.csv)"
grep -q '^bcast,40,4,4096,' 1.csv || fail "$(cat 1.csv)"
grep -q '<h2>bcast</h2>' 1.html || fail "no map"
pgasim tune -np 4,40 -ppn 4 --op bcast,barrier --sizes 64:16KiB --csv again.csv --journal 1.journal >again.out
same 1.csv again.csv
grep -q '^0 trials, and [0-9]* from the journal$' again.out || fail "$(cat again.out)"
expect 2 '^pgasim: error: 1.journal:1: the journal is of another platform, or of other settings' \
    pgasim tune -np 4,40 --op bcast --set coll/reduce-bandwidth=1GBps --journal 1.journal

# --- a program
pgasim tune --compute=off -np 8 -ppn 2 ./program >program.out || fail "a program: status $?"
grep -qE '^bcast +4 +6000 B +6 ' program.out || fail "$(cat program.out)"
# (MPI_Comm_split and MPI_Cart_create have one, too)
grep -qE '^allreduce +8 +8 B +4 ' program.out || fail "$(cat program.out)"
grep -qE '^neighbor_alltoall grid-2d +8 +6000 B +3 ' program.out || fail "$(cat program.out)"
grep -qE '^inter_allreduce +8 +6000 B +4 ' program.out || fail "$(cat program.out)"
grep -qE '^inter_bcast +8 +6000 B +5 ' program.out || fail "$(cat program.out)"
# the steps of these are no calls of the program
grep -qE '^(reduce|gather) ' program.out && fail "$(cat program.out)"
grep -q '^all: .* now, .* with the best; [0-9]* trials$' program.out || fail "$(cat program.out)"

# --- files for libraries
pgasim tune --quiet -np 4,8 -ppn 8 --op bcast,barrier --sizes 64:64KiB --form ompi -o o.conf || fail "ompi: status $?"
# every number of the file, in order: each count says how many follow
python3 - o.conf <<'PY' || fail "$(cat o.conf)"
import sys
words = [int(w) for line in open(sys.argv[1]) for w in line.split("#")[0].split()]
take = lambda: words.pop(0)
for _ in range(take()):
    assert take() in (6, 7)
    ranks = []
    for _ in range(take()):
        ranks.append(take())
        sizes = [[take() for _ in range(4)] for _ in range(take())]
        assert sizes[0][0] == 0 and sizes == sorted(sizes) and all(s[1] <= 9 for s in sizes), sizes
    assert ranks == [0, 4, 8], ranks
assert not words
PY
pgasim tune --quiet -np 4,8 -ppn 8 --op bcast,alltoall --sizes 64:64KiB --form ompi-json -o o.json || fail "ompi-json: status $?"
pgasim tune --quiet -np 4,8 -ppn 8 --op bcast,alltoall --sizes 64:64KiB --form mpich -o m.json || fail "mpich: status $?"
python3 - <<'PY' || fail "JSON: $(head -50 o.json)"
import json
rules = json.load(open("o.json"))["collectives"]["bcast"]
assert [r["comm_size_min"] for r in rules] == [4, 8] and rules[0]["comm_size_max"] == 7
assert rules[0]["rules"][0]["msg_size_min"] == 0 and isinstance(rules[0]["rules"][0]["alg"], str)
tree = json.load(open("m.json"))
assert len(tree) == 44 and list(tree["collective=bcast"]["comm_type=intra"]) == ["comm_size<8", "comm_size=any"]
assert "algorithm=MPIR_Bcast_intra_" in json.dumps(tree["collective=bcast"])
PY
pgasim tune --quiet -np 4,8 -ppn 8 --op bcast --sizes 64:64KiB -o - >our.rules || fail "pgasim: status $?"
grep -q '^  ranks>=4 ranks<8 {$' our.rules || fail "$(cat our.rules)"

# --- neighbours: a file of ours tells graphs apart, and is followed; no other form has rules for them
pgasim tune --quiet -np 12 -ppn 4 --op neighbor_alltoall,bcast --sizes 8,6000 --shapes grid-2d,moore-3d,random-7 \
    -o near.rules --csv near.csv || fail "neighbours: status $?"
best() { grep "^neighbor_alltoall,.*,$1\$" near.csv | grep ",$2," | cut -d, -f5; }
# expect_best SHAPE FACT... - what the rules say of such a graph is the best in the table
expect_best() {
    local shape=$1 size
    shift
    for size in 8 6000; do
        pgasim info selectors near.rules neighbor_alltoall ranks=12 part=$size "$@" >chosen.out || fail "$shape"
        grep -q "^coll:$(best "$shape" $size)\b" chosen.out || fail "$shape $size: $(cat chosen.out near.csv)"
    done
}
expect_best grid-2d dimensions=2 degree=4
expect_best moore-3d degree=26
expect_best random-7 degree=12
pgasim info selectors near.rules neighbor_alltoall ranks=12 degree=6 dimensions=3 part=8 >chosen.out
grep -q $'\tfixed:' chosen.out || fail "a graph that was not tuned: $(cat chosen.out)"
# a run follows rules that ask for the graph and the size, which all members know here
cat >graphs.rules <<'END'
selector graphs
library coll
base auto
on neighbor_alltoall { dimensions=2 degree=4 { part<6000 -> linear  part<6001 -> distance-halving } }
END
time_of() { pgasim run --quiet --compute=off --set smpi/wtime=0 "$@" -np 12 -ppn 4 ./program neighbor_alltoall | sort -g | tail -1; }
time_of --set coll/selector=graphs.rules >ruled.out
time_of --set coll/neighbor-alltoall=distance-halving >set.out
time_of >linear.out
same ruled.out set.out
cmp -s ruled.out linear.out && fail "the rules made no difference"
pgasim tune -np 4,8 -ppn 8 --op bcast,neighbor_allgather --sizes 64 --form ompi -o o.conf >left.out 2>&1 || fail "ompi"
grep -q 'files of this form have no rules for neighbor_allgather: left out' left.out || fail "$(cat left.out)"
grep -q '^neighbor' left.out && fail "$(cat left.out)"
expect 2 'files of this form have no rules for neighbor_alltoall' pgasim tune -np 4 --op neighbor_alltoall --form mpich
expect 2 '--shapes: no shape "ring": expected grid-2d, ' pgasim tune -np 4 --shapes grid-2d,ring

# --- between groups: a file of ours tells them from calls within one
pgasim tune --quiet -np 12 -ppn 4 --op allreduce,inter_allreduce,inter_bcast,inter_allgather --sizes 8,60000 \
    -o between.rules --csv between.csv || fail "between groups: status $?"
# expect_between FACTS OPERATION BYTES - what the rules say of such a call is the best in the table
expect_between() {
    local best
    best=$(grep "^$2,12,4,$3," between.csv | cut -d, -f5)
    # shellcheck disable=SC2086
    pgasim info selectors between.rules $1 >chosen.out || fail "$1"
    grep -q "^coll:$best\b" chosen.out || fail "$1: $(cat chosen.out between.csv)"
}
expect_between 'allreduce ranks=12 part=8 inter' inter_allreduce 8
expect_between 'allreduce ranks=12 part=60000 inter' inter_allreduce 60000
expect_between 'allreduce ranks=12 part=8' allreduce 8
expect_between 'allreduce ranks=12 part=60000' allreduce 60000
expect_between 'allgather ranks=12 total=96 inter' inter_allgather 8
expect_between 'allgather ranks=12 total=720000 inter' inter_allgather 60000
expect_between 'bcast ranks=12 inter' inter_bcast 60000
pgasim tune --quiet -np 40 -ppn 4 --op inter_reduce --sizes 8,60000 --csv many.csv || fail "40 ranks: status $?"
[ "$(grep -c '^inter_reduce,40,4,.*,searched,$' many.csv)" -eq 2 ] || fail "$(cat many.csv)"
pgasim tune --quiet -np 4 --op inter_bcast,bcast --sizes 8 --one-sided --csv - >one.csv 2>one.err || fail "--one-sided"
grep -q inter_bcast one.csv && fail "$(cat one.csv)"
expect 2 'files of this form have no rules for inter_bcast' pgasim tune -np 4 --op inter_bcast --form ompi

# Candidates whose messages arrive while the CPU is busy.
pgasim tune --quiet -np 16 -ppn 1 --op reduce --sizes 256KiB --csv reduce.csv || fail "reduce: status $?"
[ "$(wc -l <reduce.csv)" -eq 2 ] || fail "$(cat reduce.csv)"

# --- its messages
expect 2 'the numbers of ranks are missing: -np LIST, or a program' pgasim tune
expect 2 '-np 4,x: expected numbers of ranks from 2 on, such as 16,64,256' pgasim tune -np 4,x
expect 2 '--op: no operation "sum": expected all, barrier, bcast, ' pgasim tune -np 4 --op sum
expect 2 '--sizes: "8:4": the second size is less than the first' pgasim tune -np 4 --sizes 8:4
expect 2 '--form: no form "x": expected pgasim, ompi, ompi-json or mpich' pgasim tune -np 4 --form x
expect 2 '--budget 0: expected a number of minutes above 0' pgasim tune -np 4 --budget 0
pgasim platform generate torus --hosts 8 >torus.xml
pgasim tune --platform torus.xml -np 4 --op bcast --sizes 8 >torus.out 2>&1
[ $? -eq 2 ] || fail "$(cat torus.out)"
grep -q 'error: torus.xml: no route from host' torus.out || fail "$(cat torus.out)"
grep -q 'has ended without a result' torus.out && fail "$(cat torus.out)"
expect 2 '--op: the program decides what is tuned' pgasim tune -np 4 --op bcast ./program
finish
