#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# play_real.sh BUILD: the player of traces with Debian's MPIs: plays to the end, takes at least the computation's time, and
# refuses what it cannot play before it starts. And over tools/cluster where the kernel permits.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "FAIL: $*"
    exit 1
}
"$build/bin/wrappers/mpicc" -o played "$here/played.c"
"$build/bin/pgasim" run --quiet -np 4 --compute=off --record-ti calls ./played
cp calls calls.plain
gzip -k calls
printf '0 init\n0 repeat 20\n0 compute 1e6\n0 isend 1 0 100000 6\n0 waitall\n0 allReduce 10 0 0\n0 end\n0 finalize\n' >ti-0
printf '1 init\n1 repeat 20\n1 irecv 0 0 100000 6\n1 compute 2e6\n1 waitall\n1 allReduce 10 0 0\n1 end\n1 finalize\n' >ti-1
printf 'ti-0\nti-1\n' >ti

# expect STATUS TEXT COMMAND...: the exit status and what its output has.
expect() {
    local wanted=$1 text=$2 status=0
    shift 2
    timeout 200 "$@" >out 2>&1 || status=$?
    [ "$status" = "$wanted" ] || fail "$*: status $status: $(cat out)"
    grep -q -- "$text" out || fail "$*: no '$text' in: $(cat out)"
}

tried=0
for mpi in openmpi mpich; do
    command -v mpicc.$mpi >/dev/null || continue
    command -v mpirun.$mpi >/dev/null || continue
    tried=$((tried + 1))
    "$build/share/pgasim/calibrate/build.sh" mpicc.$mpi $mpi >/dev/null
    start=("mpirun.$mpi")
    [ $mpi = mpich ] || start+=(--allow-run-as-root --oversubscribe -mca mpi_yield_when_idle 1)
    expect 0 '^time [0-9.]* s$' "${start[@]}" -np 4 $mpi/play -ranks calls.gz
    [ "$(grep -c '^rank ' out)" = 4 ] || fail "$mpi: a line for each rank: $(cat out)"
    expect 0 '^time ' "${start[@]}" -np 2 $mpi/play -speed 1e8 ti
    awk '/^time / { exit !($2 >= 0.4 && $2 < 30) }' out || fail "$mpi: 20 computations of 20 ms: $(cat out)"
    echo "$mpi: $(grep '^time' out)"
    expect 2 'computations are in flops; expected -speed' "${start[@]}" -np 2 $mpi/play ti
    expect 2 'calls:[0-9]*: rank 2: the trace has more than the 2 ranks' "${start[@]}" -np 2 $mpi/play calls
    expect 2 'no action of rank 4; expected as many processes' "${start[@]}" -np 5 $mpi/play calls
    echo '1 MPI_Win_fence 0 w0' | cat calls - >windows
    expect 2 'windows:[0-9]*: MPI_Win_fence: no call that can be played' "${start[@]}" -np 4 $mpi/play windows
    expect 2 'missing: cannot be read' "${start[@]}" -np 2 $mpi/play missing
    expect 2 'expected a number above 0' "${start[@]}" -np 2 $mpi/play -speed fast ti
    printf '0 bcast 1\n0 compute 1\n1 compute 1\n' >parts
    expect 2 'do not make the same collectives' "${start[@]}" -np 2 $mpi/play -speed 1 parts
    if "$build/tools/cluster" check >/dev/null 2>&1; then
        printf '<platform version="4.1">\n<cluster id="c" prefix="node-" suffix="" radical="0-3" speed="1Gf" bw="12.5MBps" lat="500us"/>\n</platform>\n' \
            >star.xml
        expect 0 '^time ' "$build/tools/cluster" run -platform star.xml -np 4 $mpi/play calls
        # Each of 12 collectives of all ranks takes two latencies of 1 ms at least.
        awk '/^time / { exit !($2 >= 0.024 && $2 < 100) }' out || fail "$mpi over a cluster: $(cat out)"
        echo "$mpi over a cluster: $(grep '^time' out)"
    fi
done
[ $tried -gt 0 ] || {
    echo "neither Open MPI nor MPICH is installed"
    exit 77
}
echo "play: all passed"
