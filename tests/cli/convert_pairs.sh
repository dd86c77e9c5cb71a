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
    [ "$3" = dumpi ] && out=out.meta
    rm -f out.ti out.calls out.goal out.meta out-*.bin
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
while IFS='|' read -r _ from ti calls goal dumpi _; do
    files=()
    case $from in
    *SMPI*) files=(in.ti) ;;
    *pgt*) files=(calls.calls in.pgt) ;;
    *liballprof*) files=(in-0.txt) ;;
    *DUMPI*) files=(in.meta) ;;
    *OTF2*) pgasim replay --quiet --trace in.otf2 in.ti >out 2>&1 && files=(in.otf2) ;; # without its library there is nothing to read
    *GOAL*) files=(in.goal) ;;
    *) fail "what is '$from'?" ;;
    esac
    for file in "${files[@]}"; do
        pair "$from" "$file" ti "${ti// /}"
        pair "$from" "$file" calls "${calls// /}"
        pair "$from" "$file" goal "${goal// /}"
        pair "$from" "$file" dumpi "${dumpi// /}"
        pairs=$((pairs + 4))
    done
done < <(sed -n "$table" "$top/docs/replay.md" | sed '1,2d;/^$/d')
[ $pairs -ge 24 ] || fail "only $pairs pairs: is the table there?"
finish
