#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim convert` to archives of OTF2: messages, requests, collectives and communicators, with which a replay ends at the same time;
# times of a recorded run; otf2-print reads them.
. "$(dirname "$0")/lib.sh"

printf '0 init\n' >probe.ti
pgasim convert probe.ti probe.otf2 >out 2>&1 || {
    echo "skipped: $(cat out)"
    exit 77
}
pgasim platform generate torus --hosts 8 --cores 1 --speed 1Gf --bw 1Gbps --lat 50us >torus.xml || fail "a platform"
# ends NAME OPTION...
ends() {
    pgasim replay --platform torus.xml --map-by host --quiet --json end.json "${@:2}" "$1" >out 2>&1 || fail "$1: status $?: $(cat out)"
    python3 -c 'import json; print("%.9g" % json.load(open("end.json"))["simulated_seconds"])'
}
# same NAME: an archive of NAME ends when it does
same() {
    pgasim convert --speed 1Gf "$1" archive.otf2 >unsaid 2>&1 || fail "$1: $(cat unsaid)"
    [ "$(ends "$1")" = "$(ends archive.otf2)" ] || fail "$1 ends at $(ends "$1"), its archive at $(ends archive.otf2)"
}
says() { grep -qF -e "$1" unsaid || fail "'$1' is not in: $(cat unsaid)"; }

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
$rank gather 10 10 4 6 6
$rank scatter 10 10 4 6 6
$rank gatherv 3 3 3 3 3 3 3 3 1 1 1
$rank sendRecv 10 $next 10 $last 6 6
$rank allgatherv 3 3 3 3 3 3 3 3 1 1
$rank scatterv 3 3 3 3 3 3 3 3 1 1 1
$rank reducescatter 1 2 3 4 5 6 7 100 0
$rank ISsend $next 9 100000
$rank irecv $last 9 100000
$rank iallreduce 100 0 0
$rank waitall
$rank isend $next 5 10 6
$rank recv $last 5 10 6
$rank sleep 0.25
$rank finalize
T
done >all.ti
same all.ti
[ -s unsaid ] && fail "nothing is left unsaid, but: $(cat unsaid)"
expect 2 'this trace has flops: --speed says' pgasim convert all.ti no.otf2
[ -e no.otf2 ] && fail "an archive was written"
cp -r archive archive.otf2 archive.def . 2>/dev/null
pgasim convert --speed 1Gf all.ti again.otf2 >out 2>&1 || fail "again: $(cat out)"
diff -r archive again >out || fail "two archives of a trace differ: $(cat out)"

# --- messages of all modes, and what is left out
cat >modes.ti <<'T'
0 init
1 init
0 Ssend 1 1 10
1 compute 1e6
1 recv 0 1 10
0 bsend 1 2 10
0 isend 1 3 10
1 recv 0 2 10
1 irecv 0 3 10
0 alltoallv 20 10 10 20 10 10 6 6
1 alltoallv 20 10 10 20 10 10 6 6
0 finalize
1 finalize
T
same modes.ti
says "alltoallv: 2 times, with sums of the parts' sizes"
printf '0 send 1 1 10\n1 recv -1 1 10\n1 irecv 0 1 -1\n1 testany\n1 waitany\n' >any.ti
pgasim convert any.ti any.otf2 >unsaid 2>&1 || fail "$(cat unsaid)"
for what in 'recv: 1 times, left out, as the trace does not say whose message it got' \
    'irecv: 1 times, left out, as the trace does not say how many bytes it got' 'testany: 1 times, as a region alone' \
    'waitany: 1 times, as a wait for the oldest'; do
    says "$what"
done

# --- communicators of calls, whose time is not in the archive; sources
cat >calls.calls <<'T'
# pgasim trace of calls 1, ranks: 3
0 MPI_Init
1 MPI_Init
2 MPI_Init
0 MPI_Comm_split MPI_COMM_WORLD 0 1 c0
1 MPI_Comm_split MPI_COMM_WORLD 0 0 c0
2 MPI_Comm_split MPI_COMM_WORLD -32766 0 MPI_COMM_NULL
0 MPI_Bcast - 100 MPI_BYTE 0 c0
1 MPI_Bcast - 100 MPI_BYTE 0 c0
0 MPI_Irecv - 8 MPI_BYTE -1 -2 MPI_COMM_WORLD r0
0 MPI_Irecv - 8 MPI_BYTE -1 -2 MPI_COMM_WORLD r1
0 source 2 6
0 source 1 7
0 MPI_Waitall 2 [r0,r1]
1 MPI_Sendrecv - 8 MPI_BYTE 0 7 - 0 MPI_BYTE -3 0 MPI_COMM_WORLD
2 MPI_Send - 8 MPI_BYTE 0 6 MPI_COMM_WORLD
2 seconds 0.5
0 MPI_Finalize
1 MPI_Finalize
2 MPI_Finalize
T
pgasim convert calls.calls calls.ti >/dev/null 2>&1 || fail "calls to ti"
pgasim convert calls.calls calls.otf2 >unsaid 2>&1 || fail "calls to OTF2: $(cat unsaid)"
says 'MPI_Comm_split: 3 times, left out'
[ "$(ends calls.ti)" = "$(ends calls.otf2)" ] || fail "calls: $(ends calls.ti), $(ends calls.otf2)"
# --- with times of the recorded run, calls are there
cat >timed.calls <<'T'
# pgasim trace of calls 1, ranks: 2
0 MPI_Init @100+50
1 MPI_Init @120+50
0 seconds 0.00000025
0 MPI_Send - 8 MPI_BYTE 1 6 MPI_COMM_WORLD @400+100
1 MPI_Recv - 8 MPI_BYTE 0 6 MPI_COMM_WORLD @300+300
0 MPI_Barrier MPI_COMM_WORLD @1000+200
1 MPI_Barrier MPI_COMM_WORLD @1000+100
T
pgasim convert timed.calls timed.otf2 >out 2>&1 || fail "timed: $(cat out)"
pgasim convert --compute-mean timed.calls means.otf2 >out 2>&1 || fail "means: $(cat out)"
if command -v otf2-print >/dev/null; then
    otf2-print timed.otf2 | sed -n 's/ *Region: "\([^"]*\)".*/ \1/; s/,.*//; s/  */ /g; /^[A-Z_]* [01] [0-9]/p' >got
    cat >wanted <<'T'
ENTER 0 0 MPI_Init
LEAVE 0 0 MPI_Init
ENTER 0 0 computation
ENTER 1 0 MPI_Init
LEAVE 1 20000 MPI_Init
ENTER 1 150000 MPI_Recv
LEAVE 0 250000 computation
ENTER 0 250000 MPI_Send
MPI_SEND 0 250000 Receiver: 1 ("rank 1" <1>)
LEAVE 0 350000 MPI_Send
MPI_RECV 1 450000 Sender: 0 ("rank 0" <0>)
LEAVE 1 450000 MPI_Recv
ENTER 0 850000 MPI_Barrier
MPI_COLLECTIVE_BEGIN 0 850000 
ENTER 1 850000 MPI_Barrier
MPI_COLLECTIVE_BEGIN 1 850000 
MPI_COLLECTIVE_END 1 950000 Operation: BARRIER
LEAVE 1 950000 MPI_Barrier
MPI_COLLECTIVE_END 0 1050000 Operation: BARRIER
LEAVE 0 1050000 MPI_Barrier
T
    cmp -s <(sed 's/ *$//' got) <(sed 's/ *$//' wanted) || fail "timed: $(diff got wanted)"
    otf2-print -G calls.otf2 | grep -q 'Name: "part [0-9]*".*2 Members: 1 ("rank 1" <1>), 0 ("rank 0" <0>)' ||
        fail "communicators: $(otf2-print -G calls.otf2 | grep COMM_GROUP)"
fi
# --- an archive is replaced, but nothing else
mkdir mine && touch mine/file
expect 2 'refusing to replace the folder' pgasim convert probe.ti mine.otf2
finish
