#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim convert` to traces of liballprof: one whose calls such lines can say ends at the time of its run, and is the same text when
# it is read and written again; what they say otherwise, or not at all.
. "$(dirname "$0")/lib.sh"

ends() { python3 -c 'import json, sys; print(repr(json.load(open(sys.argv[1]))["simulated_seconds"]))' "$1"; }
# same PREFIX OTHER RANKS
same() {
    for ((rank = 0; rank < $3; rank++)); do
        cmp -s "$1-$rank.txt" "$2-$rank.txt" || fail "rank $rank: $2 is not $1: $(diff "$1-$rank.txt" "$2-$rank.txt" | head -5)"
    done
}
pgasim cc -O1 -o program "$top/tests/cli/convert_allprof_program.c" 2>cc.out || fail "$(cat cc.out)"
# round NAME ARGUMENT...: recorded, written, played, written again
round() {
    pgasim run -np 6 --map-by host --quiet --compute=off --json run.json --record-ti "$1.calls" ./program "${@:2}" >out 2>&1 || fail "$1: run: $(cat out)"
    pgasim convert "$1.calls" "$1-0.txt" >"$1.unsaid" 2>&1 || fail "$1: convert: $(cat "$1.unsaid")"
    pgasim replay --map-by host --quiet --json "$1.json" "$1-0.txt" >out 2>&1 || fail "$1: replay: $(cat out)"
    pgasim convert --quiet "$1-0.txt" "$1.again.calls" >out 2>&1 || fail "$1: again: $(cat out)"
    pgasim convert --to allprof "$1.again.calls" "$1.again-0.txt" >out 2>&1 || fail "$1: again: $(cat out)"
    [ -s out ] && fail "$1, again, unsaid: $(cat out)"
    same "$1" "$1.again" 6
}
round plain
grep -qvE "what the format cannot say:|: source: [0-9]+ times, as any source$" plain.unsaid && fail "unsaid: $(cat plain.unsaid)"
[ "$(ends plain.json)" = "$(ends run.json)" ] || fail "liballprof ends at $(ends plain.json), the run at $(ends run.json)"
grep -q '^MPI_Waitall:0.000:5:' plain-0.txt || fail "five requests that are waited for together have no line"
round others more
for what in 'MPI_Cart_create: 6 times, as MPI_Comm_split' 'MPI_Waitany: 6 times, as MPI_Wait' \
    'MPI_Waitall: 6 times, as MPI_Wait, for one request after the other' 'MPI_Iprobe: 1 times, as MPI_Probe'; do
    grep -qF "$what" others.unsaid || fail "'$what' is not in: $(cat others.unsaid)"
done
grep -q 'left out' others.unsaid && fail "left out: $(cat others.unsaid)"

# --- computation is the time between calls, to the nanosecond, also before the first one and behind the last one
cat >times.calls <<'T'
# pgasim trace of calls 1, ranks: 2
0 seconds 0.125
0 MPI_Init
0 seconds 0.5
0 seconds 1.4e-9
0 compute 1e9
0 seconds 0.4e-9
0 MPI_Win_fence 0 w0
0 MPI_Wait MPI_REQUEST_NULL
0 seconds 3
0 MPI_Finalize
0 seconds 0.0625
T
expect 2 'this trace has flops: --speed says' pgasim convert -np 2 times.calls times-0.txt
[ -e times-0.txt ] && fail "a file was written"
pgasim convert -np 2 --speed 4Gf times.calls times-0.txt >unsaid 2>&1 || fail "convert: $(cat unsaid)"
grep -qF 'MPI_Win_fence: 1 times, left out' unsaid || fail "unsaid: $(cat unsaid)"
printf '%s\n' MPI_Wtime:0.000:0.000 MPI_Init:125000.000:4096:4096:125000.000 MPI_Wait:875000.002:0:4096:875000.002 \
    MPI_Finalize:3875000.002:- MPI_Wtime:3937500.002:3937500.002 >wanted
cmp -s wanted times-0.txt || fail "times: $(cat times-0.txt)"
[ "$(cat times-1.txt)" = MPI_Wtime:0.000:0.000 ] || fail "a rank that does nothing: $(cat times-1.txt)"
pgasim convert --quiet times-0.txt again-0.txt || fail "again"
same times again 2
printf '0 %s\n' 'MPI_Init' 'seconds 3e9' 'MPI_Finalize' >long.ti
pgasim convert --to allprof long.ti long-0.txt >unsaid 2>&1 || fail "long"
grep -qF 'computation of more than 1e9 s: 1 times, as 1e9 s' unsaid || fail "unsaid: $(cat unsaid)"

# --- what it cannot be
expect 2 'expected the file of rank 0' pgasim convert --to allprof plain.calls plain.txt
echo MPI_Finalize:1:- >more-2.txt
expect 2 'more-2.txt is there, and would be read as a rank' pgasim convert -np 2 --speed 1Gf times.calls more-0.txt
finish
