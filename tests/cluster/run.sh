#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run.sh BUILD: small clusters with Debian's MPIs, where the kernel permits. The limits are wide, as other work
# on this machine delays frames: what must hold is that links are no faster than they are.
set -eu
build=$1
here=$(cd "$(dirname "$0")" && pwd)
cluster=$build/tools/cluster
"$cluster" check || exit $?
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "FAIL: $*"
    exit 1
}

cat >"$work/star.xml" <<'XML'
<platform version="4.1">
<cluster id="c" prefix="node-" suffix="" radical="0-3" speed="1Gf" bw="12.5MBps" lat="500us"/>
</platform>
XML

# A half round trip takes 1 ms and what 54 bytes of headers take; a megabyte at least 80 ms more.
tried=0
for mpi in openmpi mpich; do
    command -v mpicc.$mpi >/dev/null || continue
    tried=$((tried + 1))
    mpicc.$mpi -O1 -o "$work/ring" "$here/ring.c"
    for how in switch veth; do
        options=()
        least=1000
        [ $how = switch ] || { options=(-veth); least=1; }
        rm -f "$work/report"
        timeout 100 "$cluster" run "${options[@]}" -platform "$work/star.xml" -np 4 -report "$work/report" "$work/ring" \
            >"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err"; fail "$mpi, $how: status $?"; }
        echo "$mpi, $how: $(grep -E '^4 ' "$work/out")"
        awk -v least=$least '/^4 / { found = 1; if ($2 < least || $2 > 100 * 1000 || $3 < 80000 || $3 > 5000000) bad = 1 }
            END { exit !found || bad }' "$work/out" || fail "$mpi, $how: times of $(cat "$work/out")"
        python3 -c '
import json, sys
r = json.loads(open(sys.argv[1]).read())
assert r["nodes"] == 4 and r["ranks"] == 4 and r["status"] == 0 and r["seconds"] > 0, r
assert r["void"] == (r["busy"] > 0.5), r
assert sys.argv[2] == "veth" or r["frames"] > 1000 and r["late_99"] >= 0, r' "$work/report" $how || fail "report"
    done
done
[ $tried -gt 0 ] || echo "neither Open MPI nor MPICH is installed: only plain programs are run"

# OpenSHMEM: each PE gets what the one before has put.
if command -v oshcc >/dev/null && command -v oshrun >/dev/null && readlink -f "$(command -v oshcc)" | grep -q opal; then
    oshcc -O1 -o "$work/puts" "$here/puts.c"
    timeout 200 "$cluster" run -platform "$work/star.xml" -np 4 -mpi shmem "$work/puts" >"$work/out" 2>"$work/err" || {
        cat "$work/out" "$work/err"
        fail "shmem: status $?"
    }
    for line in '0 3' '1 0' '2 1' '3 2'; do
        grep -qx "$line" "$work/out" || fail "shmem: no line '$line' in: $(cat "$work/out")"
    done
    echo "shmem: $(grep puts "$work/out")"
fi

# The program's status, its nodes, and a setting of the kernel.
status=0
"$cluster" run -platform "$work/star.xml" -np 2 -mpi none -sysctl net.ipv4.tcp_congestion_control=reno \
    sh -c 'cat /proc/sys/net/ipv4/tcp_congestion_control /etc/hosts; hostname; exit 9' >"$work/out" 2>"$work/err" || status=$?
[ $status = 9 ] || fail "status $status; expected the program's, 9"
for line in reno '10.77.0.2 node-1' node-0; do
    grep -qx "$line" "$work/out" || fail "no line '$line' in: $(cat "$work/out")"
done

# Killed, the tool leaves no process; its folder goes with the next clean.
"$cluster" run -platform "$work/star.xml" -np 2 -mpi none sleep 98765.25 >/dev/null 2>&1 &
tool=$!
sleeping() { # processes of that command line
    local f n=0
    for f in /proc/[0-9]*/cmdline; do
        [ "$(tr '\0' ' ' 2>/dev/null <"$f")" != "sleep 98765.25 " ] || n=$((n + 1))
    done
    echo $n
}
for _ in $(seq 100); do
    [ "$(sleeping)" = 0 ] || break
    sleep 0.1
done
[ "$(sleeping)" = 1 ] || fail "the program did not start"
kill -9 $tool
wait $tool 2>/dev/null || true
for _ in $(seq 50); do
    [ "$(sleeping)" != 0 ] || break
    sleep 0.1
done
[ "$(sleeping)" = 0 ] || fail "the program outlives the tool"
[ -d "/tmp/pgasim-cluster-$tool" ] || fail "expected the folder of the killed run"
"$cluster" clean
[ ! -e "/tmp/pgasim-cluster-$tool" ] || fail "the folder was not removed"

# Bad input: one message that says what was expected, status 2.
refused() { # text arguments...
    local text=$1 status=0
    shift
    "$cluster" run "$@" >/dev/null 2>"$work/err" || status=$?
    [ $status = 2 ] || fail "$*: status $status; expected 2"
    grep -q -- "$text" "$work/err" || fail "$*: expected '$text' in: $(cat "$work/err")"
}
refused 'no/such.xml' -platform "$work/no/such.xml" -np 2 -mpi none true
refused "-np '0'" -platform "$work/star.xml" -np 0 true
refused 'expected a program' -platform "$work/star.xml" -np 2
refused 'expected -mpi' -platform "$work/star.xml" -np 2 /bin/true
refused 'unknown option' -bandwidth 3
echo "cluster: all passed"
