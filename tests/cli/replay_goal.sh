#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim replay` and `pgasim trace-info` of schedules in GOAL: in the LogGP model and on a platform, text and binary,
# deadlocks, and what is said of wrong ones.
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
loggp() { pgasim replay --set replay/model=LogGP "$@"; }
platform() { pgasim replay --platform two.xml --map-by host --cfg=network/model:CM02 --cfg=network/crosstraffic:no "$@"; }

# seconds COMMAND OPTIONS TRACE: prints the simulated seconds
seconds() {
    "$1" --quiet --json run.json "${@:2}" >out 2>&1 || fail "$*: status $?: $(cat out)"
    python3 -c 'import json; print(repr(json.load(open("run.json"))["simulated_seconds"]))'
}
# takes WANTED COMMAND OPTIONS TRACE
takes() {
    python3 - "$1" "$(seconds "${@:2}")" <<'PY' || fail "$*"
import sys
wanted, got = map(float, sys.argv[1:])
if abs(got - wanted) > 1e-14:
    sys.exit("expected %r s, got %r" % (wanted, got))
PY
}

# --- the LogGP model: 1 us of computation, o + L, and o + 1000 G at the receiver, 0.5 us of computation
cat >send <<'E'
num_ranks 2
rank 0 {
l1: calc 1000
l2: send 1001b to 1 tag 5
l2 requires l1
}
rank 1 {
l1: recv 1001b from 0 tag 5
l2: calc 500
l2 requires l1
}
E
takes 13.0e-6 loggp send
takes 12.25e-6 loggp --compute-scale 0.5 send
takes 3.704e-6 loggp --set loggp/latency=1us --set loggp/overhead=0 --set loggp/byte-gap=1.204ns send
takes 6.508e-6 loggp --set loggp/latency=1us --set loggp/overhead=0 --set loggp/byte-overhead=4.008ns --set loggp/byte-gap=0 send
gzip -k send
zstd -q send -o send.zst
for form in send.gz send.zst; do takes 13.0e-6 loggp $form; done
loggp send >out 2>&1 || fail "status $?"
grep -q 'LogGP model: 5 events' out || fail "$(cat out)"

# --- the same in LogGOPSim's binary form
python3 - <<'PY'
import struct
def schedule(ops, words):
    return struct.pack("<III", len(ops), 1, 0) + b"".join(struct.pack("<IBIQIBBIIII", *o) for o in ops) + words
first = schedule([(0, 3, 0, 1000, 0, 0, 0, 1, 0, 0, 1), (1, 1, 1, 1001, 5, 0, 0, 0, 1, 0, 1)], struct.pack("<I", 1))
second = schedule([(0, 2, 0, 1001, 5, 0, 0, 1, 0, 0, 1), (1, 3, 0, 500, 0, 0, 0, 0, 1, 0, 1)], struct.pack("<I", 1))
begin = 4 + 2 + 32
middle, end = begin + len(first), begin + len(first) + len(second)
head = struct.pack("<QIBBQQQQ", 4223, 2, 0, 0, begin, middle, middle, end)
open("binary", "wb").write(head + first + second)
PY
takes 13.0e-6 loggp binary
zstd -q binary -o binary.zst
takes 13.0e-6 loggp binary.zst
[ "$(pgasim trace-info send)" = "$(pgasim trace-info binary)" ] || fail "trace-info: text and binary differ"
head -c 200 binary >short
expect 2 '^pgasim: error: short: it ends after 200 bytes of content, within a trace$' loggp short

# --- on a platform: as the same calls in a time-independent trace
cat >calls <<'E'
0 sleep 0.000001
0 isend 1 5 1001 6
0 waitall
1 irecv 0 5 1001 6
1 waitall
1 sleep 0.0000005
E
wanted=$(seconds platform calls)
for form in send binary; do
    [ "$(seconds platform $form)" = "$wanted" ] || fail "$form: $(seconds platform $form), expected $wanted"
done

# Two CPUs compute at once, and a message starts when both have: 3 ms, 1 ms of latency, 1 s and 16 us (a header).
cat >cpus <<'E'
num_ranks 2
rank 0 {
a: calc 1000000 cpu 0
b: calc 3000000 cpu 1
c: send 1000000b to 1
c requires a
c requires b
d: calc 2000000
d irequires a
}
rank 1 {
recv 1000000b from -1 tag -1
}
E
takes 1.004016 platform cpus
platform --trace t.pgt --quiet cpus || fail "--trace: status $?"
pgasim profile t.pgt >out || fail "profile: status $?"
grep -q 'MPI_Isend' out || fail "$(cat out)"

# --- deadlocks, and messages that nobody receives
printf 'num_ranks 2\nrank 0 {\nl1: recv 1b from 1\nl2: send 1b to 1\nl2 requires l1\n}\nrank 1 {\nl1: recv 1b from 0\n}\n' >stuck
printf 'num_ranks 2\nrank 0 {\nsend 7b to 1 tag 3\n}\nrank 1 {\ncalc 1\n}\n' >unmatched
for how in loggp platform; do
    expect 3 '2 of the 2 operations of its schedule have not ended' $how stuck
    $how unmatched >out 2>&1 || fail "$how unmatched: status $?"
    grep -q '^pgasim:   rank 1 never receives 7 bytes from rank 0, tag 3\( (MPI_Isend)\)\?$' out || fail "$how: $(cat out)"
done
pgasim trace-info unmatched >out || fail "trace-info: status $?"
grep -q '^  rank 0 to rank 1, tag 3: 1 sent, 0 received$' out || fail "$(cat out)"
pgasim trace-info --json cpus | python3 -c '
import json, sys
d = json.load(sys.stdin)
assert d["ranks"] == 2 and d["actions"] == 5 and d["dependencies"] == 3 and d["cpus"] == 2 and d["unmatched"] == 0, d
assert abs(d["computed_seconds"] - 6e-3) < 1e-12, d
assert {"name": "send", "count": 1, "bytes": 1000000, "played": True} in d["calls"], d' || fail "trace-info --json"

# --- what is wrong
expect 2 '^pgasim: error: send:1: 2 ranks; expected 3$' loggp -np 3 send
expect 2 "^pgasim: error: setting replay/model: 'x' is unknown; expected platform or LogGP$" \
    pgasim replay --set replay/model=x send
expect 2 '^pgasim: error: calls: the LogGP model plays schedules in GOAL only$' loggp calls
printf 'num_ranks 1\nrank 0 {\nl1: sned 1b to 0\n}\n' >wrong
expect 2 '^pgasim: error: wrong:3: sned: expected send, recv or calc$' loggp wrong
finish
