#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim replay` and `pgasim trace-info` of traces that other tools wrote: what is read, how long it takes, and what is
# said of wrong ones.
. "$(dirname "$0")/lib.sh"

cat >two.xml <<'XML'
<?xml version="1.0"?>
<platform version="4.1">
<zone id="z" routing="Full">
<host id="a" speed="1Gf"/><host id="b" speed="2Gf"/>
<link id="l" bandwidth="1MBps" latency="1ms" sharing_policy="FATPIPE"/>
<route src="a" dst="b"><link_ctn id="l"/></route>
</zone>
</platform>
XML
play() { pgasim replay --platform two.xml --map-by host --cfg=network/model:CM02 --cfg=network/crosstraffic:no "$@"; }
# takes WANTED OPTIONS TRACE: simulated seconds
takes() {
    play --quiet --json run.json "${@:2}" >out 2>&1 || fail "$*: status $?: $(cat out)"
    python3 - "$1" <<'PY' || fail "$*"
import json
import sys
wanted, got = float(sys.argv[1]), json.load(open("run.json"))["simulated_seconds"]
if abs(got - wanted) > 1e-9:
    sys.exit("expected %r s, got %r" % (wanted, got))
PY
}

# --- .pgt: the calls of a run stand beside its events, whatever these are filtered by
cat >calls.c <<'C'
#include <mpi.h>
int main(void)
{
    int me, sum;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int k = 0; k < 20; k++) {
        MPI_Bcast(&sum, 1, MPI_INT, k % 2, MPI_COMM_WORLD);
        MPI_Sendrecv(&me, 1, MPI_INT, 1 - me, 1, &sum, 1, MPI_INT, 1 - me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
C
"$bin/wrappers/mpicc" -o calls calls.c || fail "mpicc"
end_of() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["simulated_seconds"])' "$1"; }
run() { pgasim run -np 2 --quiet --platform two.xml --map-by host --compute=off "$@" ./calls; }
run --trace all.pgt --trace-kinds default,replay --json ran.json || fail "a run that is recorded"
run --trace part.pgt --trace-kinds replay --trace-ranks 1 --trace-to 1ns || fail "a run of which nothing is traced"
run --trace without.pgt || fail "a run that is not recorded"
for trace in all part; do
    pgasim replay --quiet --platform two.xml --map-by host --json played.json $trace.pgt || fail "$trace.pgt is not played"
    [ "$(end_of ran.json)" = "$(end_of played.json)" ] || fail "$trace.pgt: $(end_of played.json), ran $(end_of ran.json)"
done
expect 0 'MPI_Sendrecv +40' pgasim trace-info part.pgt
expect 2 'without.pgt: a trace without the run.s calls' play without.pgt
head -c $(($(stat -c %s all.pgt) - 10)) all.pgt >cut.pgt
expect 2 'cut.pgt: the end is damaged' play cut.pgt

# --- liballprof: 3 s of computation, 1 000 bytes and the envelope's 16 in 1 ms + 1.016 ms, 1 s of computation
cat >prof-0.txt <<'E'
# collprof 0.9 output file
# host: a

MPI_Init:-:1:1:1000000
MPI_Comm_rank:1000000:77,0,2:5:1000000
MPI_Isend:4000000:5:250:2,4,4:1:7:77,0,2:4096:4000000
MPI_Wait:4000000:4096:1:4000000
MPI_Finalize:4000000:-
E
cat >prof-1.txt <<'E'
# collprof 0.9 output file

MPI_Init:-:1:1:1000000.0
MPI_Irecv:1000000.0:5:250:2,4,4:-1:-1:78,1,2:4096:1000000.0
MPI_Waitall:1000000.0:1:4096:1:4500000.0
MPI_Finalize:5500000.0:-
E
takes 4.002016 prof-0.txt
takes 4.002016 -np 2 prof-0.txt
takes 2.002016 --compute-scale 0.5 prof-0.txt
takes 3.502016 --set replay/recorded-speed=1e9 prof-0.txt
expect 0 'MPI_Isend +1' pgasim trace-info prof-0.txt
expect 2 'prof-1.txt: expected the file of rank 0' play prof-1.txt
expect 2 'files of 2 ranks; expected 3' play -np 3 prof-0.txt

# Communicators that are made, types of any size, counts of each rank, arrays of requests of 4 bytes.
for rank in 0 1; do
    other=$((1 - rank))
    cat >split-$rank.txt <<E
MPI_Init:-:1:1:0
MPI_Comm_split:0:91,$rank,2:0:$other:500:0
MPI_Gatherv:0:5:3:0,24,24:5:6:3,3:7:0,3:0,24,24:0:91,$rank,2:0
MPI_Bcast:0:5:10:0,24,24:0:92,$other,2:0
MPI_Isend:0:5:2:0,8,8:$rank:1:92,$other,2:100:0
MPI_Irecv:0:5:2:0,8,8:$rank:1:92,$other,2:104:0
MPI_Waitall:0:2:100:0:0
MPI_Allreduce:0:1:5:4:0,12,16:3:92,$other,2:0
MPI_Finalize:0:-
E
done
# With the key the ranks change places: each sends to the other, whose number there is its own here.
expect 0 'two-sided: 2 messages \(32' play split-0.txt

wrong() {
    printf 'MPI_Init:-:1:1:0\n%s\n' "$1" >wrong-0.txt
    expect 2 "wrong-0.txt:2: $2" play wrong-0.txt
}
wrong 'MPI_Barrier:1:5,0,3:2' "expected a communicator \(handle,rank,size\), not '5,0,3'"
wrong 'MPI_Isend:1:5:x:2,4,4:0:7:0,0,1:4096:2' "MPI_Isend, count: expected a number, not 'x'"
wrong 'MPI_Send:1:5:1:2:0:7:0,0,1:2' "expected a type \(number,size,extent\), not '2'"
wrong 'MPI_Send:3:5:1:2,4,4:0:7:0,0,1:2' 'MPI_Send: it ends before it starts'
wrong 'MPI_Send:1:5:1:2,4,4:0:7:0,0,1:8:2' "MPI_Send: more arguments than it has, from '8' on"
wrong 'MPI_Gatherv:1:5:3:0,4,4:5:6:3,3:7:0,3:0,4,4:0:0,0,1:2' 'MPI_Gatherv, recvcounts: 2 numbers; expected 1'
wrong 'MPI_Allreduce:1:1:5:4:0,24,24:3:0,0,1:2' 'MPI_Allreduce: a reduction of elements of a size other than'
wrong 'Barrier' 'expected MPI_Name:start:arguments:end'
wrong 'MPI_Barrier:x:0,0,1:2' "expected a time in microseconds, not 'x'"

# --- arrays of calls that are too short for what the function reads
# short LINE WANTED: a call of rank 0
short() {
    printf '# pgasim trace of calls 1, ranks: 2\n0 MPI_Init\n1 MPI_Init\n0 %s\n' "$1" >short.calls
    expect 2 "^pgasim: error: short.calls: rank 0, line 4: $2\$" pgasim replay --quiet short.calls
}
short 'MPI_Alltoallv - [1] [0,1] MPI_INT - [1,1] [0,1] MPI_INT MPI_COMM_WORLD' \
    'MPI_Alltoallv, sendcounts: 1 elements: expected 2'
short 'MPI_Gatherv - 1 MPI_INT - [1,1] [] MPI_INT 0 MPI_COMM_WORLD' 'MPI_Gatherv, displs: 0 elements: expected 2'
short 'MPI_Type_indexed 3 [1,1,1] [0,1] MPI_INT t0' 'MPI_Type_indexed, array_of_displacements: 2 elements: expected 3'
short 'MPI_Waitall 5 [r0]' 'MPI_Waitall, array_of_requests: 1 elements: expected 5'

finish
