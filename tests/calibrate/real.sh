#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# real.sh BUILD: the benchmark with Debian's MPIs, two ranks on this machine, a moment only: that it builds, ends, and
# writes what others can read. And wait.h, really and simulated.
set -eu
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../../runtime/calibrate" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "FAIL: $*"
    exit 1
}

# Blocks are executed and timed, or waited for: 40 ms each by the file, of which pgasim must take exactly 120.
cc -O1 -I"$source" -o waiting "$here/waiting.c"
[ "$(./waiting | cut -d' ' -f1)" = 3 ] || fail "wait.h: blocks are not executed"
WAIT_MEASURE=lengths ./waiting >/dev/null
awk '$1 != "block" || $2 < 0.01 || $2 > 5 { bad = 1 } END { exit bad || NR != 1 }' lengths || fail "wait.h: $(cat lengths)"
echo "block 0.04" >lengths
WAIT_LENGTHS=lengths ./waiting >out
awk '$1 != 0 || $2 < 120 { bad = 1 } END { exit bad }' out || fail "wait.h: $(cat out); expected 0 blocks, 120 ms"
"$build/bin/wrappers/mpicc" -O1 -I"$source" -o simulated "$here/waiting.c"
WAIT_LENGTHS=lengths "$build/bin/pgasim" run --compute=off -np 1 ./simulated >out 2>err || fail "$(cat err)"
grep -qx '0 120' out || fail "wait.h, simulated: $(cat out); expected 0 120"
status=0
WAIT_LENGTHS=none ./waiting 2>err || status=$?
if [ $status != 2 ] || ! grep -q 'none: cannot be read' err; then
    fail "wait.h: a missing file, status $status"
fi

tried=0
for mpi in openmpi mpich; do
    command -v mpicc.$mpi >/dev/null || continue
    command -v mpirun.$mpi >/dev/null || continue
    tried=$((tried + 1))
    "$source/build.sh" mpicc.$mpi $mpi >/dev/null
    start=("mpirun.$mpi" -np 2)
    [ $mpi = mpich ] || start+=(--allow-run-as-root --oversubscribe -mca mpi_yield_when_idle 1)
    timeout 300 "${start[@]}" ./$mpi/calibrate -o $mpi.jsonl -passes 1 -largest 32 -memory 24000 -seconds 0.002 -samples 6 \
        >out 2>&1 || fail "$mpi: $(cat out)"
    python3 -c '
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
kinds = {r["kind"] for r in rows}
assert kinds >= {"calibrate", "rank", "clock", "pingpong", "call", "late", "put", "get", "atomic", "barrier", "allreduce",
                 "flops", "triad", "copy", "noise"}, kinds
for r in rows:
    assert "seconds" not in r or 0 < r["least"] <= r["seconds"] <= r["most"], r
assert rows[0]["ranks"] == 2 and len([r for r in rows if r["kind"] == "rank"]) == 2' $mpi.jsonl || fail "$mpi: the file"
    "$build/bin/pgasim" calibrate $mpi.jsonl -o $mpi.xml --report $mpi.html >out 2>&1 || fail "$mpi: the fit: $(cat out)"
    "$build/bin/pgasim" platform check $mpi.xml >out 2>&1 || fail "$mpi: the platform: $(cat out)"
    status=0
    timeout 60 "${start[@]}" ./$mpi/calibrate -parts nonsense >out 2>&1 || status=$?
    if [ $status = 0 ] || ! grep -q 'expected names of parts' out; then
        fail "$mpi: bad options: $(cat out)"
    fi
    echo "$mpi: $(wc -l <$mpi.jsonl) lines"
done
[ $tried -gt 0 ] || echo "neither Open MPI nor MPICH is installed"
echo "calibrate: all passed"
