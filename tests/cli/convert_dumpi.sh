#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim convert` to DUMPI: a trace of MPI-2's calls ends at the time of its run, and is the same bytes when it is read and written
# again; what DUMPI has no call for.
. "$(dirname "$0")/lib.sh"

ends() { python3 -c 'import json, sys; print(repr(json.load(open(sys.argv[1]))["simulated_seconds"]))' "$1"; }
pgasim cc -O1 -o program "$top/tests/cli/convert_dumpi_program.c" 2>cc.out || fail "$(cat cc.out)"
pgasim run -np 6 --map-by host --quiet --compute=off --json run.json --record-ti run.calls ./program >out 2>&1 || fail "run: $(cat out)"
pgasim convert run.calls run.meta >out 2>&1 || fail "convert: $(cat out)"
grep -qvE "what the format cannot say:|: source: [0-9]+ times, as any source$" out && fail "unsaid: $(cat out)"
pgasim replay --map-by host --quiet --json replay.json run.meta >out 2>&1 || fail "replay: $(cat out)"
[ "$(ends replay.json)" = "$(ends run.json)" ] || fail "DUMPI ends at $(ends replay.json), the run at $(ends run.json)"
pgasim convert run.meta again.calls >out 2>&1 || fail "again: $(cat out)"
pgasim convert --to dumpi again.calls again.meta >out 2>&1 || fail "again: $(cat out)"
for rank in 0 1 2 3 4 5; do
    cmp -s run-000$rank.bin again-000$rank.bin || fail "rank $rank: other bytes"
done

# --- computation is the time between calls, to the nanosecond; a gap is kept over what DUMPI does not have
cat >times.calls <<'T'
# pgasim trace of calls 1, ranks: 1
0 MPI_Init
0 seconds 0.5
0 compute 1e9
0 MPI_Ibarrier MPI_COMM_SELF r0
0 MPI_Wait r0
0 seconds 0.25
0 seconds 40000
0 MPI_Finalize
T
expect 2 'this trace has flops: --speed says' pgasim convert times.calls times.meta
[ -e times-0000.bin ] && fail "a file was written"
pgasim convert --speed 4Gf times.calls times.meta >unsaid 2>&1 || fail "convert: $(cat unsaid)"
for what in 'MPI_Ibarrier: 1 times, left out' 'computation of more than 30000 s: 1 times, as 30000 s'; do
    grep -qF "$what" unsaid || fail "'$what' is not in: $(cat unsaid)"
done
pgasim convert times.meta back.calls >out 2>&1 || fail "$(cat out)"
printf '0 %s\n' MPI_Init 'seconds 0.75' 'MPI_Wait MPI_REQUEST_NULL' 'seconds 30000.25' MPI_Finalize >wanted
tail -n +2 back.calls | cmp -s - wanted || fail "back: $(cat back.calls)"
finish
