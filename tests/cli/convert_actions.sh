#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim convert` of traces of actions and schedules to formats of calls, DUMPI and liballprof: they end at the same time; what
# they say otherwise.
. "$(dirname "$0")/lib.sh"

pgasim platform generate torus --hosts 8 --cores 1 --speed 1Gf --bw 1Gbps --lat 50us >torus.xml || fail "a platform"
# ends NAME OPTION...
ends() {
    pgasim replay --platform torus.xml --map-by host --quiet --json end.json "${@:2}" "$1" >out 2>&1 || fail "$1: status $?: $(cat out)"
    python3 -c 'import json; print("%.9g" % json.load(open("end.json"))["simulated_seconds"])'
}
# same NAME: what NAME, a trace, becomes ends when it does. Times of DUMPI and liballprof are whole ns.
same() {
    local name=${1%.*}
    rm -f "$name"-*
    pgasim convert --speed 1Gf "$1" "$name.meta" >"$name.unsaid" 2>&1 || fail "$1 to DUMPI: $(cat "$name.unsaid")"
    pgasim convert --speed 1Gf "$1" "$name-0.txt" >"$name.unsaid2" 2>&1 || fail "$1 to liballprof: $(cat "$name.unsaid2")"
    [ "$(ends "$1")" = "$(ends "$name.meta")" ] || fail "$1 ends at $(ends "$1"), DUMPI at $(ends "$name.meta")"
    [ "$(ends "$1")" = "$(ends "$name-0.txt" --set coll/reduce-bandwidth=1e21Bps)" ] ||
        fail "$1 ends at $(ends "$1"), liballprof at $(ends "$name-0.txt" --set coll/reduce-bandwidth=1e21Bps)"
}
says() { grep -qF -e "$2" "$1" || fail "'$2' is not in $1: $(cat "$1")"; }

# --- each collective, of all types of sizes, and messages of all modes
for rank in 0 1 2 3 4 5 6; do
    next=$(((rank + 1) % 7)) last=$(((rank + 6) % 7))
    cat <<T
$rank init
$rank bcast 1000 2 6
$rank allreduce 3000 5e3 0
$rank barrier
$rank alltoall 10 10 6 6
$rank reduce 100 500 3 0
$rank allgather 7 7 0 0
$rank scan 9 100 0
$rank exscan 9 100 1
$rank compute $((1000 * rank))
$rank isend $next 3 1000 0
$rank irecv $last 3 1000 0
$rank test $rank $next 3
$rank wait $last $rank 3
$rank waitall
$rank alltoallv 70 10 10 10 10 10 10 10 70 10 10 10 10 10 10 10 6 6
$rank gather 10 10 4 6 6
$rank scatter 10 10 4 6 6
$rank gatherv 3 3 3 3 3 3 3 3 1 1 1
$rank sendRecv 10 $next 10 $last 6 6
$rank sendRecv 10 $rank 10 $rank 6 6
$rank allgatherv 3 3 3 3 3 3 3 3 1 1
$rank scatterv 3 3 3 3 3 3 3 3 1 1 1
$rank reducescatter 1 2 3 4 5 6 7 100 0
$rank ISsend $next 9 4000000000
$rank irecv $last 9 4000000000
$rank isend $next 5 10 6
$rank recv $last 5 10 6
$rank sleep 0.25
$rank finalize
T
done >all.ti
same all.ti
[ -s all.unsaid ] && fail "nothing is left unsaid by DUMPI, but: $(cat all.unsaid)"
says all.unsaid2 'allreduce: 7 times, as sums, which take time'
expect 2 'this trace has flops: --speed says' pgasim convert all.ti no.meta
expect 2 'this trace has flops: --speed says' pgasim convert all.ti no-0.txt
[ -e no-0000.bin ] || [ -e no-0.txt ] && fail "a file was written"

# --- schedules, which begin before MPI does
cat >list.goal <<'T'
num_ranks 2
rank 0 {
a: calc 1000000
b: recv 800b from 1 tag 4
c: send 1000b to 1 tag 3
d: calc 1000000
b requires a
c irequires b
d requires b
}
rank 1 {
a: recv 1000b from 0 tag 3
b: send 800b to 0 tag 4
b requires a
}
T
same list.goal

# --- parts of the ranks, whose communicators are made before; what is not known of requests and sizes
cat >parts.ti <<'T'
0 init
1 init
2 init
3 init
0 allreduce 100 50 0
1 allreduce 100 50 0
0 barrier
1 barrier
2 barrier
3 barrier
2 bcast 10 0 6
3 bcast 10 0 6
0 ibcast 10 0 6
1 ibcast 10 0 6
2 ibcast 10 0 6
3 ibcast 10 0 6
0 waitall
0 Ssend 2 5 100000
2 recv 0 5 -1
3 isend 2 0 10
2 irecv -1 -1 10
2 waitany
3 bsend 2 1 10
2 recv 3 1 10
T
pgasim convert parts.ti parts.meta --speed 1Gf >parts.unsaid 2>&1 || fail "$(cat parts.unsaid)"
for what in 'communicator of a part of the ranks: 4 times, made by MPI_Comm_split' 'ibcast: 4 times, as the blocking one' \
    'recv: 1 times, as a probe' 'waitany: 1 times, as a wait for the oldest'; do
    says parts.unsaid "$what"
done
pgasim convert --quiet parts.meta parts.calls
grep '^[02] ' parts.calls >got
cat >wanted <<'T'
0 MPI_Init
0 MPI_Comm_split MPI_COMM_WORLD 1 0 c0
0 MPI_Op_create 1 o0
0 MPI_Allreduce - - 100 MPI_DOUBLE o0 c0
0 seconds 5e-08
0 MPI_Barrier MPI_COMM_WORLD
0 MPI_Bcast - 10 MPI_BYTE 0 MPI_COMM_WORLD
0 MPI_Waitall 0 []
0 MPI_Ssend - 100000 MPI_BYTE 2 5 MPI_COMM_WORLD
0 MPI_Finalize
2 MPI_Init
2 MPI_Comm_split MPI_COMM_WORLD 2 0 c0
2 MPI_Barrier MPI_COMM_WORLD
2 MPI_Bcast - 10 MPI_BYTE 0 c0
2 MPI_Bcast - 10 MPI_BYTE 0 MPI_COMM_WORLD
2 MPI_Probe 0 5 MPI_COMM_WORLD
2 MPI_Recv - 2147483647 MPI_BYTE 0 5 MPI_COMM_WORLD
2 MPI_Irecv - 10 MPI_BYTE -1 -2 MPI_COMM_WORLD r0
2 MPI_Wait r0
2 MPI_Recv - 10 MPI_BYTE 3 1 MPI_COMM_WORLD
2 MPI_Finalize
T
cmp -s got wanted || fail "parts: $(diff got wanted)"
ends parts.meta >/dev/null

# --- lines of actions among calls
cat >mixed.calls <<'T'
# pgasim trace of calls 1, ranks: 2
0 MPI_Init
1 MPI_Init
0 MPI_Isend - 5 MPI_INT 1 7 MPI_COMM_WORLD r0
0 isend 1 8 100 6
0 wait 0 1 8
0 MPI_Wait r0
1 MPI_Recv - 5 MPI_INT 0 7 MPI_COMM_WORLD
1 recv 0 8 100 6
0 MPI_Finalize
1 MPI_Finalize
T
same mixed.calls
# --- computation before the first call, and behind the last one
cat >around.calls <<'T'
# pgasim trace of calls 1, ranks: 1
0 seconds 2
0 MPI_Init
0 MPI_Finalize
0 seconds 1
T
same around.calls
[ "$(ends around.meta)" = 3 ] || fail "around: $(ends around.meta)"
# --- threads
cat >threads.calls <<'T'
# pgasim trace of calls 1, ranks: 1
0 MPI_Init
0 thread_create 2
0.2 MPI_Barrier MPI_COMM_SELF
0.2 thread_end
0 thread_join 2
0 MPI_Finalize
T
expect 0 'actions of further threads: 2 times, left out' pgasim convert threads.calls threads.meta
finish
