#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim replay` and `pgasim trace-info`: times that can be computed by hand, all forms of a trace, what is said of
# wrong ones, and that nothing is left behind.
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
replay() { pgasim replay --platform two.xml --map-by host --cfg=network/model:CM02 --cfg=network/crosstraffic:no "$@"; }

# takes WANTED OPTIONS TRACE: the simulated seconds
takes() {
    local wanted=$1
    shift
    replay --quiet --json run.json "$@" >out 2>&1 || fail "$*: status $?: $(cat out)"
    python3 - "$wanted" <<'PY' || fail "$*"
import json, sys
got = json.load(open("run.json"))["simulated_seconds"]
if abs(got - float(sys.argv[1])) > 1e-12:
    sys.exit("expected %s s, got %r" % (sys.argv[1], got))
PY
}

# --- times
cat >seconds <<'E'
0 seconds 0.5 @0+500000000
1 seconds 0.25
E
takes 0.5 seconds
takes 1 --compute-scale 2 seconds
takes 2 --set replay/recorded-speed=4e9 seconds # 0.5 s at 4 Gf are 2 s on host a; 0.25 s are 0.5 s on b
cat >send <<'E'
0 init
1 init
0 compute 1e9
0 send 1 0 1000000
1 recv 0 0 1000000
1 compute 1e9
# nothing
0 finalize
1 finalize
E
takes 2.501016 send # 1 s, 1 ms of latency, 1 s and 16 us (a header) at 1 MB/s, 0.5 s
takes 1.751016 --compute-scale 0.5 send
# two messages at once, by sends and by broadcasts: side by side, or one after the other (latencies pass meanwhile)
early=(--set smpi/async-small-thresh=4MB --set smpi/send-is-detached-thresh=4MB)
printf '0 send 1 0 1000000\n0 send 1 0 1000000\n1 recv 0 0 1000000\n1 recv 0 0 1000000\n' >twice
printf '0 bcast 1000000\n0 bcast 1000000\n1 bcast 1000000\n1 bcast 1000000\n' >broadcasts
for trace in twice broadcasts; do
    takes 1.001016 "${early[@]}" $trace
    takes 2.001032 "${early[@]}" --set network/in-order=yes $trace
done
# in frames: of four latencies, two are words of 66 bytes, if the receiver is asked
asked=(--set network/frame=1460 --set network/model=CM02 --set network/TCP-gamma=0 --set 'network/latency-factor=0:1;65536:4')
takes 2.504148 "${asked[@]}" send
takes 2.504016 "${asked[@]}" "${early[@]}" send
printf '0 sleep 0.5\n0 compute 5e8\n' >alone
takes 1 alone

# --- forms: one file, a list of one, a list for each rank, from another folder, compressed, of before 3.20
mkdir -p ranks
grep '^0' send >ranks/0
grep '^1' send >ranks/1
printf 'ranks/0\nranks/1\n' >list
printf '0\n# the second one\n1\n' >ranks/list
echo send >list1
gzip -k send
zstd -q send -o send.zst
printf 'send.gz\n' >packed
sed -e 's/ 1 0 1000000/ 1 1000000/; s/ 0 0 1000000/ 0 1000000/' send >old
for form in list ranks/list list1 send.gz send.zst packed old; do takes 2.501016 $form; done
replay -np 2 list >out 2>&1 || fail "-np 2: $(cat out)"
expect 2 '^pgasim: error: list: 2 files, one for each rank; expected 3, the number of ranks$' replay -np 3 list

# --- quirks: waits without a request pass; tests; nonblocking collectives
cat >quirks <<'E'
0 init
1 init
0 irecv 1 4 100
1 isend 0 4 100
0 test 1 0 4
0 waitall 1
0 wait 1 0 4
1 wait 1 0 4
1 wait 1 0 4
0 ibcast 100 0 6
1 ibcast 100 0 6
0 testall
1 waitany 1
0 waitall 1
0 comm_split
1 IO - read 100
0 issend 1 5 10 6
1 recv -555 5 -1 6
E
replay quirks >out 2>&1 || fail "quirks: status $?: $(cat out)"
grep -q 'passed: 2 waits and tests' out || fail "$(cat out)"
grep -q 'notice (replay/no-time, 1 time)' out || fail "$(cat out)"
grep -q 'warning (replay/not-played, 1 time)' out || fail "$(cat out)"

# --- traces, profile, report of a replay
replay --quiet --trace trace.pgt send || fail "--trace: status $?"
pgasim profile trace.pgt >out || fail "profile"
grep -q 'MPI_Send' out || fail "$(cat out)"

# --- wrong traces
# refused TEXT WANTED
refused() {
    printf '%b' "$1" >wrong
    expect 2 "^pgasim: error: $2\$" replay wrong
}
refused '0 init\n\n0 sned 0 0 1\n' 'wrong:3: sned: no action of a time-independent trace'
refused '0 init\n1 send 2 0 1\n' 'wrong:2: send 2: expected a destination below 2, the number of ranks'
refused '' 'wrong: its first bytes are of no known format of traces'
refused 'no/such/file\nother\n' 'no/such/file: No such file or directory'
refused 'two words\n' 'wrong: its first bytes are of no known format of traces'
refused '\0001\0002\0000' 'wrong: its first bytes are of no known format of traces'
head -c 60 send.gz >cut.gz
expect 2 '^pgasim: error: cut.gz: the gzip data is cut off after [0-9]* bytes of content \(line [0-9]*\)$' replay cut.gz
head -c 30 send.zst >cut.zst
expect 2 '^pgasim: error: cut.zst: the zstd data is (cut off|damaged) after ' replay cut.zst
expect 2 '^pgasim: error: no trace was named' pgasim replay
expect 2 '^pgasim: error: two: expected one trace$' replay send two
expect 2 '^pgasim: error: --check is an option for programs' replay --check=nasty send
expect 2 "^pgasim: error: --compute-scale -1: expected a factor" replay --compute-scale -1 send

# --- what does not fit together
printf '0 recv 1 5 100\n1 send 0 6 100\n' >stuck
expect 3 'plays line 1 of the trace: MPI_Recv' replay stuck
printf '0 irecv 1 5 100\n1 barrier\n0 barrier\n' >open
expect 3 'is at the end of the trace, and waits for requests that are open there' replay open
printf '1 send 0 6 100\n1 barrier\n0 barrier\n' >unmatched
replay unmatched >out 2>&1 || fail "unmatched: status $?"
grep -q '^pgasim:   rank 0 never receives 100 bytes from rank 1, tag 6 (MPI_Send)$' out || fail "$(cat out)"
pgasim trace-info unmatched >out || fail "trace-info: status $?"
grep -q '^  rank 1 to rank 0, tag 6: 1 sent, 0 received$' out || fail "$(cat out)"
pgasim trace-info --json send | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["ranks"] == 2 and d["actions"] == 8 and d["flops"] == 2e9 and d["unmatched"] == 0, d
assert {"name": "MPI_Send", "count": 1, "bytes": 1000000, "played": True} in d["calls"], d' || fail "trace-info --json"

# --- trace-info of calls: bytes by datatypes, persistent requests, communicators by their members, what was never made
cat >surveyed <<'E'
# pgasim trace of calls 1, ranks: 4
0 MPI_Init
1 MPI_Init
2 MPI_Init
3 MPI_Init
0 sleep 0.25
0 seconds 0.5
0 MPI_Type_vector 10 2 5 MPI_DOUBLE t0
0 MPI_Type_commit t0
0 MPI_Send_init - 3 t0 1 7 MPI_COMM_WORLD r0
0 MPI_Start r0
0 MPI_Wait r0
0 MPI_Start r0
0 MPI_Wait r0
0 MPI_Request_free r0
1 MPI_Recv - 480 MPI_BYTE 0 7 MPI_COMM_WORLD
1 MPI_Recv - 480 MPI_BYTE 0 7 MPI_COMM_WORLD
2 MPI_Send - 5 MPI_INT 3 1 MPI_COMM_WORLD
0 MPI_Comm_split MPI_COMM_WORLD 0 0 c0
1 MPI_Comm_split MPI_COMM_WORLD 0 0 c0
2 MPI_Comm_split MPI_COMM_WORLD 0 0 c0
3 MPI_Comm_split MPI_COMM_WORLD 1 0 c0
0 MPI_Comm_dup c0 c1
1 MPI_Comm_dup c0 c1
2 MPI_Comm_dup c0 c1
0 MPI_Allgatherv - 10 MPI_INT - [10,20,30] [0,10,30] MPI_INT c1
1 MPI_Allgatherv in_place 0 MPI_DATATYPE_NULL - [10,20,30] [0,10,30] MPI_INT c1
2 MPI_Allgatherv - 30 MPI_INT - [10,20,30] [0,10,30] MPI_INT c1
0 MPI_Comm_free c1
3 MPI_Win_create - 800 8 MPI_INFO_NULL c0 w0
3 MPI_Put - 4 MPI_DOUBLE 0 0 4 MPI_DOUBLE w0
0 MPI_Barrier c1
E
pgasim trace-info --json surveyed | python3 -c '
import json, sys
d = json.load(sys.stdin)
calls = {c["name"]: (c["count"], c["bytes"]) for c in d["calls"]}
assert calls["MPI_Start"] == (2, 960) and calls["MPI_Send_init"] == (1, 0), calls
assert calls["MPI_Send"] == (1, 20) and calls["MPI_Recv"] == (2, 0) and calls["MPI_Put"] == (1, 32), calls
assert calls["MPI_Allgatherv"] == (3, 4 * (10 + 60 + 30)), calls
made = sorted((c["made_by"], c["ranks"], c["count"]) for c in d["communicators"])
assert made == [("MPI_Comm_dup", 3, 1), ("MPI_Comm_split", 1, 1), ("MPI_Comm_split", 3, 1)], made
pairs = [(p["from"], p["to"], p["messages"], p["bytes"]) for p in d["pairs_with_most_bytes"]]
assert d["pairs"] == 2 and pairs == [(0, 1, 2, 960), (2, 3, 1, 20)], pairs
assert d["unmatched"] == 1 and d["not_made"] == 1 and d["slept_seconds"] == 0.25 and d["computed_seconds"] == 0.5, d' ||
    fail "trace-info of calls"
pgasim trace-info surveyed >out || fail "trace-info: status $?"
grep -q 'cannot be played: 1; the first is of rank 0, line 32: MPI_Barrier$' out || fail "$(cat out)"

# --- calls: wrong ones, one that names what was never made, a test that succeeds only later, and no run at all
refused '0 MPI_Init\n0 MPI_Sned - 1 MPI_INT 0 0 c0\n' 'wrong:2: MPI_Sned: no function of MPI or OpenSHMEM that traces of calls have'
refused '0 MPI_Init\n0 MPI_Send - 1 MPI_INT 0\n' 'wrong:2: MPI_Send: the line ends before tag'
refused '0 MPI_Init\n0 MPI_Waitall 1 r0\n' "wrong:2: MPI_Waitall, array_of_requests: expected an array in brackets, not 'r0'"
refused '0 MPI_Init\n0 MPI_Barrier c7\n' 'wrong: rank 0, line 2: MPI_Barrier, comm: no object number 7 of its kind was made before'
cat >calls <<'E'
0 MPI_Init
1 MPI_Init
0 sleep 0.5
0 MPI_Send - 0 MPI_INT 1 3 MPI_COMM_WORLD
1 MPI_Irecv - 0 MPI_INT 0 3 MPI_COMM_WORLD r0
1 MPI_Test r0 1
1 sleep 0.25
0 MPI_Finalize
1 MPI_Finalize
E
replay --set smpi/test=1ms --json run.json calls >out 2>&1 || fail "calls: status $?: $(cat out)"
grep -q '^pgasim:   assumed: ' out || fail "$(cat out)"
python3 -c 'import json; assert 0.75 < json.load(open("run.json"))["simulated_seconds"] < 0.8' || fail "$(cat run.json)"

# --- OpenSHMEM: wrong lines; a wait for what never comes; a test that waits for what comes later; and no job of a list
refused '0 shmem_putmen x0\n' 'wrong:1: shmem_putmen: no function of MPI or OpenSHMEM that traces of calls have'
refused '0 shmem_free heap:x\n' "wrong:1: shmem_free, ptr: expected a place .heap:OFFSET, static:OFFSET, - or null., not 'heap:x'"
refused '0 shmem_init 65536 []\n0 shmem_quiet x3\n' 'wrong: rank 0, line 2: shmem_quiet, ctx: expected one that was made before'
printf '0 shmem_init 65536 []\n0 shmem_wait_until heap:0 8 [0,4]\n' >never
expect 3 'the end of its wait in the recorded run, operation 4 of rank 0, has not come' replay never
cat >values <<'E'
0 shmem_init 65536 []
1 shmem_init 65536 []
0 shmem_malloc 64
1 shmem_malloc 64
0 shmem_test heap:0 8 1 [1,2]
1 sleep 0.5
1 shmem_putmem SHMEM_CTX_DEFAULT heap:0 - 8 0
0 shmem_wait_until heap:8 8 [1,5]
1 shmem_putmem_signal SHMEM_CTX_DEFAULT heap:16 - 16 heap:8 1 0
0 shmem_finalize
1 shmem_finalize
E
replay --json run.json values >out 2>&1 || fail "values: status $?: $(cat out)"
grep -q '^pgasim:   assumed: 1 waits for values' out || fail "$(cat out)"
python3 -c 'import json; assert 0.5 < json.load(open("run.json"))["simulated_seconds"] < 0.51' || fail "$(cat run.json)"
cat >held <<'E'
0 shmem_init 65536 []
1 shmem_init 65536 []
0 shmem_malloc 8
1 shmem_malloc 8
0 shmem_test_lock heap:0 0
1 sleep 0.01
1 shmem_test_lock heap:0 0
0 sleep 1
0 shmem_clear_lock heap:0
1 shmem_clear_lock heap:0
0 shmem_finalize
1 shmem_finalize
E
replay --json run.json held >out 2>&1 || fail "held: status $?: $(cat out)"
python3 -c 'import json; assert 1 < json.load(open("run.json"))["simulated_seconds"] < 1.01' || fail "$(cat run.json)"
grep -v 'clear_lock\|finalize' held >never
expect 3 'plays line 7 of the trace: shmem_test_lock' replay never
pgasim run --quiet --record-ti none.gz no-such-program >out 2>&1 && fail "no program: status 0"
[ -e none.gz ] && fail "a trace of a run that never began"

# --- a poll of a window's memory waits for the operation that wrote there, also as a schedule in GOAL
cat >polled <<'E'
0 MPI_Init
1 MPI_Init
0 MPI_Win_allocate 8 8 MPI_INFO_NULL MPI_COMM_WORLD w0
1 MPI_Win_allocate 8 8 MPI_INFO_NULL MPI_COMM_WORLD w0
0 MPI_Win_lock_all 0 w0
1 pgasim_polled [0,4]
0 MPI_Put - 1 MPI_LONG 0 0 1 MPI_LONG w0
0 sleep 0.5
0 MPI_Put - 1 MPI_LONG 1 0 1 MPI_LONG w0
0 MPI_Win_unlock_all w0
1 sleep 0.25
E
replay --json run.json polled >out 2>&1 || fail "polled: status $?: $(cat out)"
grep -q '^pgasim:   assumed: 1 waits for values' out || fail "$(cat out)"
python3 -c 'import json; assert 0.75 < json.load(open("run.json"))["simulated_seconds"] < 0.76' || fail "$(cat run.json)"
pgasim convert polled polled.goal >out 2>&1 || fail "polled.goal: status $?: $(cat out)"
replay --quiet --json run.json polled.goal >out 2>&1 || fail "polled.goal: status $?: $(cat out)"
python3 -c 'import json; assert 0.75 < json.load(open("run.json"))["simulated_seconds"] < 0.76' || fail "$(cat run.json)"
sed 's/polled \[0,4\]/polled [0,6]/' polled >never
expect 3 'operation 6 of rank 0, has not come' replay never

# --- a collective directly behind a send that only started: its rank waits for the clock, and others play theirs meanwhile
cat >ahead <<'E'
0 isend 1 0 10 6
0 bcast 400 0 6
1 irecv 0 0 10 6
1 wait 0 1 0
1 bcast 400 0 6
0 waitall
E
replay ahead >out 2>&1 || fail "ahead: status $?: $(cat out)"

# --- more ranks than have actions
replay -np 2 alone >out 2>&1 || fail "-np 2: status $?"
grep -q 'the trace has no action of ranks 1 to 1' out || fail "$(cat out)"
# A test that had succeeded is repeated until it does; where the message can never come, that is a deadlock.
cat >vain <<'T'
# pgasim trace of calls 1, ranks: 3
0 MPI_Init
0 MPI_Irecv - 1 MPI_BYTE 1 0 MPI_COMM_WORLD r0
0 MPI_Test r0 1
1 MPI_Init
1 MPI_Iprobe 0 0 MPI_COMM_WORLD 1
2 MPI_Init
2 compute 1e9
T
expect 3 'a test that had succeeded in the recorded run, and never does here: 2 ranks: 0-1' timeout 60 pgasim replay vain
expect 3 'plays line 4 of the trace: MPI_Test' timeout 60 pgasim replay vain
expect 3 'plays line 6 of the trace: MPI_Iprobe' timeout 60 pgasim replay vain
sed -i 's/compute 1e9/MPI_Send - 1 MPI_BYTE 0 0 MPI_COMM_WORLD/; s/BYTE 1 0/BYTE 2 0/; /^1/d' vain
sed -i '/^2 MPI_Init/a 2 compute 1e10' vain
expect 0 'tests repeated' timeout 60 pgasim replay vain
finish
