#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim replay`, `trace-info` and `convert` of traces of DUMPI: how long they take, which files they are, compressed or
# not, and what is not played.
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

# write.py NAME RANK: rank 0 sends 250 integers (type 9) after 3 s, and computes 1 s; rank 1 receives them from whomever.
# Both write to a file (call 230) in between.
cat >write.py <<'PY'
import struct
import sys
MAGIC, WALL, THREAD, LAST, CALLS = 0xFFAADD44554D5049, 8, 64, 293, 290
name, rank = sys.argv[1], int(sys.argv[2])
out = struct.pack(">QII", MAGIC, 0, 1000)
def call(number, begin, end, layout="", *fields):
    global out
    times = [x for t in (begin, end) for x in (int(t), round((t - int(t)) * 1e9))]
    out += struct.pack(">HBHHIHI", number, WALL + THREAD, 0, *times) + struct.pack(">" + layout, *fields)
call(124, 0, 1, "i", 0)
call(82, 1, 1, "Hi", 2, rank)
if rank == 0:
    call(8, 4, 4.5, "iHiiHi", 250, 9, 1, 7, 2, 2)
    call(13, 4.5, 4.5, "i", 2)
else:
    call(1, 1, 4.5, "iHiiH", 250, 9, -1, -1, 2)
call(230, 4.5, 4.5, "HiBHH", 2, 0, 1, 0, 1)
call(125, 5.5, 6)
out += struct.pack(">H", LAST)
header = len(out)
out += struct.pack(">BBBQHHII", 1, 0, 0, 1000, 0, 0, 0, 0)
footer = len(out)
out += struct.pack(">Q", 0xF007FEE7) + bytes(8 * (CALLS + 1))
sizes = len(out)
out += struct.pack(">I", 0) + struct.pack(">8Q", MAGIC, sizes, 0, 0, header, 8, footer, 0)
open(name, "wb").write(out)
PY
for rank in 0 1; do
    python3 write.py "run-000$rank.bin" $rank || fail "write.py"
done
printf '%s\n' hostname=a numprocs=2 username=u startime=1000 fileprefix=/elsewhere/run version=1 >run.meta

# 3 s, 1 000 bytes and the envelope's 16 in 1 ms + 1.016 ms at the other rank, 1 s.
for trace in run.meta run-0000.bin; do
    takes 4.002016 $trace
done
takes 4.002016 -np 2 run.meta
takes 2.002016 --compute-scale 0.5 run.meta
takes 4 --set replay/recorded-speed=1e9 run.meta # rank 1 computes on a host of twice the speed
expect 0 'MPI_Isend +1 +1000 B' pgasim trace-info run.meta
expect 0 'MPI_File_open +2 +not played' pgasim trace-info run-0000.bin
expect 0 'MPI_File_open takes no time, as such a trace does not say enough' play run.meta
expect 0 '5.000 s simulated' sh -c 'pgasim replay --quiet --measured m.pgt run.meta && pgasim profile m.pgt'

# As a trace of calls it takes the same time; in a list of jobs, too.
expect 0 'MPI_File_open: 2 times' pgasim convert run.meta run.calls
grep -q '^1 MPI_Recv - 250 MPI_INT -1 -2 MPI_COMM_WORLD$' run.calls || fail "run.calls: $(cat run.calls)"
takes 4.002016 run.calls
echo '[{"trace": "run.meta"}]' >jobs.json
expect 0 '4.002 s simulated' pgasim replay --platform two.xml --cfg=network/model:CM02 --jobs jobs.json

# Compressed files, each on its own; the text has the prefix, and its own name does not matter.
mkdir packed
gzip -c run-0000.bin >packed/run-0000.bin.gz
gzip -c run-0001.bin >packed/run-0001.bin.gz
cp run.meta packed/trace.meta
takes 4.002016 packed/trace.meta
takes 4.002016 packed/run-0000.bin.gz

# What cannot be.
expect 2 'run.meta: there are 2 ranks; expected 3' play -np 3 run.meta
expect 2 'run-0001.bin: expected the file of rank 0' play run-0001.bin
head -c 200 run-0000.bin >cut-0000.bin
expect 2 'cut-0000.bin: expected the index of a trace of DUMPI in its last 64 bytes' play cut-0000.bin
rm run-0001.bin
expect 2 'run-0001.bin: No such file' play run.meta

finish
