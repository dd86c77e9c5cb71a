#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim replay --extrapolate` of OpenSHMEM: regular programs recorded with 16 PEs and played with 64 end as their recordings
# with 64 do; what is not regular is refused with a reason.
. "$(dirname "$0")/lib.sh"

pgasim platform generate torus --hosts 64 --cores 1 >torus.xml || fail "platform generate"
pgasim cc -O1 -o program "$top/tests/cli/replay_larger_program.c" || fail "pgasim cc"
record() { # KIND COLUMNS PES
    pgasim run -np "$3" --platform torus.xml --quiet --compute=off --record-ti "$1.$3" ./program "$1" "$2" >out 2>&1 ||
        fail "record $*: status $?: $(cat out)"
}
seconds() {
    pgasim replay --platform torus.xml --quiet --json run.json "$@" >out 2>&1 || fail "$*: status $?: $(cat out)"
    python3 -c 'import json; print(repr(json.load(open("run.json"))["simulated_seconds"]))'
}
# near A B PART: whether they differ by less than a part; 0: not at all
near() {
    python3 -c 'import sys; a, b, part = map(float, sys.argv[1:]); sys.exit(not (a > 0 and abs(a - b) <= part * a))' "$@"
}
# larger KIND PART COLUMNS MORE TO: from 16 PEs in so many columns to 64
larger() {
    local kind=$1 part=$2 wanted got
    record "$kind" "$3" 16
    record "$kind" "$4" 64
    wanted=$(seconds "$kind.64")
    got=$(seconds --extrapolate "$5" "$kind.16")
    near "$wanted" "$got" "$part" || fail "$kind as $5: $got, expected $wanted"
}
larger ring 0 16 64 64
larger stencil 0 4 8 64
larger gather 0 16 64 64
larger counter 0.05 4 8 8x8
[ "$(seconds --extrapolate 16 stencil.16)" = "$(seconds stencil.16)" ] || fail "stencil: the same ranks take another time"

# What is assumed is printed.
pgasim replay --extrapolate 64 stencil.16 >out 2>&1 || fail "stencil: status $?"
for line in '16 ranks, a grid of 4 x 4, are played as 64, a grid of 8 x 8' 'symmetric addresses are the same on all PEs'; do
    grep -q "^pgasim: $line" out || fail "no '$line' in: $(cat out)"
done
grep -q 'did not end as those' out && fail "all waits of a stencil end alike: $(cat out)"

# Strong scaling: puts shrink with the faces, flags and signals do not.
pgasim replay --quiet --extrapolate 64 --extrapolate-scaling strong --json strong.json stencil.16 || fail "strong: status $?"
pgasim replay --quiet --extrapolate 64 --json weak.json stencil.16 || fail "weak: status $?"
python3 - <<'PY' || fail "strong scaling"
import json
weak, strong = (json.load(open(f))["operations"] for f in ("weak.json", "strong.json"))
edges = 2 * 8 * 7 * 2 * 4 # both ways of each pair, in four steps
assert weak["puts"] == strong["puts"] == edges, (weak, strong)
assert weak["put_bytes"] - strong["put_bytes"] == edges * 2400, (weak, strong)
PY

# By hand: what a wait ends by moves with the neighbour, among whose operations it has another number.
python3 - >hand <<'PY'
n = 5
print("# pgasim trace of calls 1, ranks: %d" % n)
for pe in range(n):
    print(pe, "shmem_init 1048576 []")
    print(pe, "shmem_malloc 64")
    puts = [q for q in (pe - 1, pe + 1) if 0 <= q < n]
    for q in puts:
        print(pe, "shmem_putmem SHMEM_CTX_DEFAULT heap:0 - 8 %d" % q)
    for q in puts: # the one to its right is an inner PE's second operation, and the first one of PE 0
        print(pe, "shmem_wait_until heap:0 8 [%d,%d]" % (q, 2 if q > pe or q == 0 else 4))
    print(pe, "shmem_finalize")
PY
expect 0 '5 ranks, a grid of 5, are played as 10' pgasim replay --extrapolate 10 hand

# --- refused
refused() { # PATTERN TRACE RANKS
    expect 2 "^pgasim: error: $1" pgasim replay --extrapolate "$3" "$2"
}
for kind in all odd team; do record $kind 16 16; done
refused 'all.16: not regular: there is no grid in which all messages and operations are between neighbours' all.16 64
refused 'odd.16: not regular: ranks [0-9]+ and [0-9]+ are at the same boundaries of a grid of 16' odd.16 64
refused 'team.16: rank 0, line [0-9]+: shmem_team_split_strided cannot be extrapolated: expected teams' team.16 64
sed 's/^1 shmem_wait_until heap:0 8 \[0,2\]/1 shmem_wait_until heap:0 8 [3,2]/' hand >far
refused 'far: not regular: rank 1, line [0-9]+: what it waits for, operation 2 of rank 3, is not one of a neighbour' far 10
sed 's/^1 shmem_wait_until heap:0 8 \[0,2\]/1 shmem_wait_until heap:0 8 [0,4]/' hand >never
refused 'never: not regular: rank 1, line [0-9]+: what it waits for, operation 4 of rank 0, is not at this rank' never 10
sed 's/^0 shmem_putmem SHMEM_CTX_DEFAULT heap:0/0 shmem_putmem SHMEM_CTX_DEFAULT heap:8/' hand >elsewhere
refused 'elsewhere: not regular: rank 1, line [0-9]+: what it waits for, .*, is not done in the same way' elsewhere 10
sed 's/^0 shmem_init.*/0 MPI_Init/' hand >mixed
refused 'mixed: rank 0, line 2: MPI_Init cannot be extrapolated: expected calls of OpenSHMEM alone' mixed 10
finish
