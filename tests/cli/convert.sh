#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim convert`: round trips between formats, equal ends, what a format cannot say, and wrong requests.
. "$(dirname "$0")/lib.sh"

cat >two.xml <<'XML'
<?xml version="1.0"?>
<platform version="4.1">
<zone id="z" routing="Full">
<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<link id="l" bandwidth="1MBps" latency="1ms" sharing_policy="FATPIPE"/>
<route src="a" dst="b"><link_ctn id="l"/></route>
</zone>
</platform>
XML
ends() {
    pgasim replay --platform two.xml --map-by host --quiet --json run.json "$1" >out 2>&1 || fail "$1: status $?: $(cat out)"
    python3 -c 'import json; print(repr(json.load(open("run.json"))["simulated_seconds"]))'
}
# convert IN OUT OPTIONS: what is not said is left in the file `unsaid`
convert() { pgasim convert "$@" >unsaid 2>&1 || fail "convert $*: status $?: $(cat unsaid)"; }
# equal A B
equal() { cmp -s "$1" "$2" || fail "$1 and $2 differ: $(diff "$1" "$2")"; }
# same A B: they end at the same time
same() { [ "$(ends "$1")" = "$(ends "$2")" ] || fail "$1 ends at $(ends "$1"), $2 at $(ends "$2")"; }
# says TEXT: it was not said
says() { grep -qF -e "$1" unsaid || fail "'$1' is not in: $(cat unsaid)"; }
all_said() { [ -s unsaid ] && fail "nothing was left unsaid, but: $(cat unsaid)"; }

# --- lines in their normal form: all of a rank together, types always, numbers in plain digits
cat >a.ti <<'E'
0 init 1
1 init
0 compute 1e6
0 send 1 3 1000
1 recv 0 3 1000 0
0 irecv 1 4 -1
1 compute 2500000.5
1 isend 0 4 100 0
1 wait 1 0 4
1 wait 1 0 4
0 test 1 0 4
0 wait 1 0 4
0 allreduce 10 1000 5
1 allreduce 10 1000 5
0 gatherv 3 3 4 1 1 1
1 gatherv 4 3 4 1 1 1
0 alltoallv 3 1 2 4 3 1 1 1
1 alltoallv 3 1 2 4 2 2 1 1
0 sendRecv 10 1 20 1 6 6
1 sendRecv 20 0 10 0 6 6
0 scan 3 4 14
1 scan 3 4 14
0 finalize
1 finalize
E
convert a.ti b.ti
all_said
cat >wanted <<'E'
0 init
0 compute 1000000
0 send 1 3 8000 6
0 irecv 1 4 -1 6
0 test 1 0 4
0 wait 1 0 4
0 allreduce 10 1000 1
0 gatherv 3 3 4 1 1 1
0 alltoallv 3 1 2 4 3 1 1 1
0 sendRecv 10 1 20 1 6 6
0 scan 3 4 26
0 finalize
1 init
1 recv 0 3 8000 6
1 compute 2500000.5
1 isend 0 4 800 6
1 wait 1 0 4
1 allreduce 10 1000 1
1 gatherv 4 3 4 1 1 1
1 alltoallv 3 1 2 4 2 2 1 1
1 sendRecv 20 0 10 0 6 6
1 scan 3 4 26
1 finalize
E
equal b.ti wanted
same a.ti b.ti
for end in "" .gz .zst; do
    convert a.ti x.calls$end
    convert x.calls$end c.ti
    equal b.ti c.ti
    same a.ti x.calls$end
done

# --- what SMPI's replayer does not know, and traces of ours do
cat >smpi <<'E'
0 Ssend 1 1 10 6
1 recv 0 1 10 6
0 ibcast 100 0 6
1 ibcast 100 0 6
0 seconds 0.25
0 waitall
1 waitany
0 Win_fence
E
convert smpi more.calls
says 'Win_fence: 1 times, left out'
grep -v Win_fence smpi >played
same played more.calls
convert smpi more.ti
for what in 'Ssend: 1 times, in standard mode' 'ibcast: 2 times, as the blocking one' 'waitany: 1 times, left out' \
    'Win_fence: 1 times, left out'; do
    says "$what"
done
grep -q '^0 sleep 0.25$' more.ti || fail "$(cat more.ti)"
convert smpi more.ti --speed 2Gf
grep -q '^0 compute 500000000$' more.ti || fail "$(cat more.ti)"

# --- schedules
cat >p2p.ti <<'E'
0 compute 1000000
0 irecv 1 4 800 6
0 send 1 3 1000 6
0 compute 1000000
0 wait 1 0 4
0 compute 500000
0 sendRecv 100 1 200 1 6 6
1 recv 0 3 1000 6
1 isend 0 4 800 6
1 compute 3000000
1 sendRecv 200 0 100 0 6 6
1 waitall
1 compute 10
E
convert p2p.ti p2p.goal --speed 1Gf
all_said
same p2p.ti p2p.goal
cat >wanted <<'E'
num_ranks 2

rank 0 {
l1: calc 1000000
l2: recv 800b from 1 tag 4
l3: send 1000b to 1 tag 3
l4: calc 1000000
l5: calc 500000
l6: send 100b to 1
l7: recv 200b from 1
l2 requires l1
l5 requires l2
l3 irequires l2
l4 requires l3
l5 requires l4
l6 requires l5
l7 irequires l6
}

rank 1 {
l1: recv 1000b from 0 tag 3
l2: send 800b to 0 tag 4
l3: calc 3000000
l4: send 200b to 0
l5: recv 100b from 0
l6: calc 10
l2 requires l1
l6 requires l2
l3 irequires l2
l4 requires l3
l6 requires l4
l5 irequires l4
l6 requires l5
}
E
equal p2p.goal wanted
convert p2p.goal back.ti
all_said
same p2p.ti back.ti
convert back.ti again.goal
equal p2p.goal again.goal
convert p2p.goal again.goal.gz
same again.goal.gz p2p.goal
# Collectives become the messages of their schedules: as many, and of as many bytes, as the replay itself has.
for rank in 0 1 2 3 4 5 6; do
    cat <<E
$rank init
$rank bcast 1000 2 6
$rank allreduce 3000 5e3 0
$rank barrier
$rank alltoall 10 10 6 6
$rank iallreduce 5 0 0
$rank reduce 100 0 3 0
$rank allgather 7 7 0 0
$rank scan 9 0 0
$rank compute 1000
$rank waitall
$rank alltoallv 70 10 10 10 10 10 10 10 70 10 10 10 10 10 10 10 6 6
$rank gather 10 10 4 6 6
$rank finalize
E
done >all.ti
moved() {
    python3 -c 'import json, sys
o = json.load(open(sys.argv[1]))["operations"]
print(o["messages"] + o["collective_messages"], o["message_bytes"] + o["collective_bytes"])' "$1"
}
for choice in ompi-4.1 mpich fixed; do
    convert all.ti all.goal --speed 1Gf --set coll/selector=$choice
    all_said
    pgasim replay --quiet --json collectives.json --map-by host --set coll/selector=$choice all.ti || fail "replay, $choice"
    pgasim replay --quiet --json messages.json --map-by host all.goal || fail "replay all.goal, $choice"
    [ "$(moved collectives.json)" = "$(moved messages.json)" ] ||
        fail "$choice: $(moved messages.json) messages and bytes, expected $(moved collectives.json)"
done
expect 2 'coll/selector: ' pgasim convert all.ti all.goal --speed 1Gf --set coll/selector=nothing

cat >free.goal <<'E'
num_ranks 1
rank 0 {
a: calc 10
b: calc 20 cpu 1
c: calc 30
a requires c
}
E
convert free.goal free.ti
says 'operations in no order: 1 times, in one'
says 'operations of another CPU: 1 times, on the one that there is'
[ "$(cut -d ' ' -f 3 free.ti | tr '\n' ' ')" = "2e-08 3.0000000000000004e-08 1e-08 " ] || fail "order: $(cat free.ti)"

# --- calls
cat >whole.calls <<'E'
# pgasim trace of calls 1, ranks: 2
0 MPI_Init
1 MPI_Init
0 MPI_Type_vector 5 2 7 MPI_INT t0
0 MPI_Comm_dup MPI_COMM_WORLD c0
1 MPI_Comm_dup MPI_COMM_WORLD c0
0 MPI_Isend - 3 t0 1 7 c0 r0
1 MPI_Recv - 120 MPI_BYTE -1 -2 c0
0 MPI_Irecv - 4 MPI_DOUBLE 1 8 MPI_COMM_WORLD r1
0 MPI_Waitany 2 [r0,r1] 0
1 MPI_Sendrecv - 4 MPI_DOUBLE 0 8 - 1 MPI_INT -3 0 MPI_COMM_WORLD
0 MPI_Wait r1
0 MPI_Recv_init - 1 MPI_INT 1 9 MPI_COMM_WORLD r2
0 MPI_Start r2
1 MPI_Send - 1 MPI_INT 0 9 MPI_COMM_WORLD
0 MPI_Test r2 0
0 MPI_Test r2 1
0 MPI_Allreduce in_place - 3 MPI_DOUBLE MPI_SUM MPI_COMM_WORLD
1 MPI_Allreduce - - 3 MPI_DOUBLE MPI_SUM MPI_COMM_WORLD
0 MPI_Gatherv - 1 MPI_INT - [1,2] [0,1] MPI_INT 0 MPI_COMM_WORLD
1 MPI_Gatherv - 2 MPI_INT - [] [] MPI_DATATYPE_NULL 0 MPI_COMM_WORLD
0 MPI_Win_create - 8 1 MPI_INFO_NULL MPI_COMM_WORLD w0
1 MPI_Win_create - 8 1 MPI_INFO_NULL MPI_COMM_WORLD w0
0 MPI_Put - 1 MPI_INT 1 0 1 MPI_INT w0
0 compute 1000
0 MPI_Finalize
1 MPI_Finalize
E
convert whole.calls whole.ti
for what in 'MPI_Comm_dup: 2 times, left out' 'MPI_Win_create: 2 times, left out' 'MPI_Put: 1 times, left out'; do
    says "$what"
done
[ "$(wc -l <unsaid)" = 4 ] || fail "more is unsaid: $(cat unsaid)"
cat >wanted <<'E'
0 init
0 isend 1 7 120 6
0 irecv 1 8 32 6
0 wait 0 1 7
0 wait 1 0 8
0 irecv 1 9 4 6
0 test 1 0 9
0 wait 1 0 9
0 allreduce 3 0 0
0 gatherv 1 1 2 0 1 1
0 compute 1000
0 finalize
1 init
1 recv -555 -444 120 6
1 send 0 8 32 6
1 send 0 9 4 6
1 allreduce 3 0 0
1 gatherv 2 0 2 0 1 1
1 finalize
E
equal whole.ti wanted
convert whole.calls same.calls
[ "$(sort same.calls)" = "$(sort whole.calls)" ] || fail "calls: $(cat same.calls)"

# --- wrong requests
expect 2 'out: the name says no format: expected .ti, .calls, .goal, .meta, .txt, .pgt or .otf2' pgasim convert a.ti out
expect 2 'to x: expected ti, calls, goal, dumpi, allprof, pgt or otf2' pgasim convert a.ti out --to x
expect 2 'expected a trace, and the name of what is written' pgasim convert a.ti
expect 2 'this trace has flops: --speed says' pgasim convert a.ti out.goal
[ -e out.goal ] && fail "a schedule was written"
expect 2 '^pgasim: error: none: ' pgasim convert none out.ti
expect 2 'expected a speed' pgasim convert a.ti out.goal --speed 0
finish
