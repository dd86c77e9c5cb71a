#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The table of docs/replay.md that says which formats `pgasim convert` can write of which: each pair is tried, and what was written
# is played.
. "$(dirname "$0")/lib.sh"

pgasim cc -O1 -o program "$top/tests/cli/convert_dumpi_program.c" 2>cc.out || fail "$(cat cc.out)"
# run OPTION...
run() { pgasim run -np 4 --quiet --compute=off "$@" ./program >out 2>&1; }
run --record-ti calls.calls || fail "run: $(cat out)"
run --trace in.pgt --trace-kinds default,replay || fail "run: $(cat out)"
pgasim convert --quiet calls.calls in.meta || fail "a trace of DUMPI"
printf '%s\n' '0 send 1 3 100 6' '1 recv 0 3 100 6' '0 barrier' '1 barrier' >in.ti
printf '%s\n' 'num_ranks 2' 'rank 0 {' 'a: send 10b to 1' '}' 'rank 1 {' 'a: recv 10b from 0' '}' >in.goal
for rank in 0 1; do
    other=$((1 - rank))
    printf '%s\n' 'MPI_Init:-:0:0:10' "MPI_Sendrecv:20:140:10:1,4,4:$other:3:150:10:1,4,4:$other:3:91,$rank,2:1:30" 'MPI_Finalize:40:-' >in-$rank.txt
done
# pair FORMAT FILE TO yes|no
pair() {
    local out=out.$3 status
    case $3 in
    dumpi) out=out.meta ;;
    allprof) out="out-0.txt" ;;
    otf2) [ -d in.otf2 ] || return 0 ;; # without its library nothing is written
    esac
    rm -rf out.* out-*
    pgasim convert --quiet --speed 1Gf --to "$3" "$2" "$out" >log 2>&1
    status=$?
    if [ "$4" = no ]; then
        [ $status = 2 ] || fail "$1 to $3: status $status, expected 2: $(cat log)"
        [ -e "$out" ] && fail "$1 to $3: something was written"
        return
    fi
    [ $status = 0 ] || fail "$1 to $3: status $status: $(cat log)"
    pgasim replay --quiet "$out" >log 2>&1 || fail "$1 to $3, played: $(cat log)"
}
table='/^| from | .ti./,/^$/p'
pairs=0
pgasim replay --quiet --trace in.otf2 in.ti >out 2>&1
while IFS='|' read -r _ from ti calls pgt goal dumpi allprof otf2 _; do
    files=()
    case $from in
    *SMPI*) files=(in.ti) ;;
    *pgt*) files=(calls.calls in.pgt) ;;
    *liballprof*) files=(in-0.txt) ;;
    *DUMPI*) files=(in.meta) ;;
    *OTF2*) [ -d in.otf2 ] && files=(in.otf2) ;;
    *GOAL*) files=(in.goal) ;;
    *) fail "what is '$from'?" ;;
    esac
    for file in "${files[@]}"; do
        pair "$from" "$file" ti "${ti// /}"
        pair "$from" "$file" calls "${calls// /}"
        pair "$from" "$file" pgt "${pgt// /}"
        pair "$from" "$file" goal "${goal// /}"
        pair "$from" "$file" dumpi "${dumpi// /}"
        pair "$from" "$file" allprof "${allprof// /}"
        pair "$from" "$file" otf2 "${otf2// /}"
        pairs=$((pairs + 7))
    done
done < <(sed -n "$table" "$top/docs/replay.md" | sed '1,2d;/^$/d')
[ $pairs -ge 42 ] || fail "only $pairs pairs: is the table there?"

# --- lines in a .pgt are played as they are, and are the same when they are read again
ends() { python3 -c 'import json, sys; print(repr(json.load(open(sys.argv[1]))["simulated_seconds"]))' "$1"; }
pgasim convert calls.calls again.pgt >log 2>&1 || fail "a recording: $(cat log)"
[ -s log ] && fail "a recording, unsaid: $(cat log)"
pgasim convert again.pgt again.calls && pgasim convert calls.calls wanted.calls
cmp -s wanted.calls again.calls || fail "a recording has other lines: $(diff wanted.calls again.calls | head -5)"
for trace in calls.calls again.pgt; do
    pgasim replay --quiet --json "$trace.json" $trace || fail "$trace is not played"
done
[ "$(ends calls.calls.json)" = "$(ends again.pgt.json)" ] || fail "a recording ends at $(ends again.pgt.json), the run at $(ends calls.calls.json)"
finish
