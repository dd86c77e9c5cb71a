#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Valgrind: source lines in all copies of the program, and the rank beside each error; right programs are
# silent, also when leaks are looked for.
. "$(dirname "$0")/lib.sh"
if ! command -v valgrind >/dev/null || ! valgrind -q true 2>/dev/null; then
    echo "skipped: there is no valgrind"
    exit 77
fi
pgasim cc -g -O1 -o plain "$folder/plain.c" || fail "plain.c does not compile"
pgasim c++ -g -O1 -o objects "$folder/objects.cpp" || fail "objects.cpp does not compile"
pgasim cc -g -O1 -fopenmp -o teams "$folder/teams.c" || fail "teams.c does not compile"
export TMPDIR=$PWD/copies
mkdir "$TMPDIR"

# watch RANKS WAY PROGRAM ARGUMENT...: the job under valgrind; what it prints is in the file `out`.
watch() {
    local ranks=$1 way=$2
    shift 2
    timeout 200 valgrind -q --leak-check=full --show-leak-kinds=definite \
        "$(command -v pgasim)" run -q -np "$ranks" --compute off --privatize "$way" "$@" >out 2>&1 </dev/null ||
        fail "$*: status $?: $(cat out)"
}

for way in "${ways[@]}"; do
    for what in heap freed unset; do
        watch 3 "$way" ./plain $what 1
        at=$(line plain.c $what)
        grep -qE "(at|by) 0x[0-9A-F]+: $what \(plain.c:$at\)" out || fail "$what, $way: no line $at: $(cat out)"
        grep -qE "^pgasim: error: rank 1 \(host node-0\) at .*: 1 error, reported by Valgrind above" out ||
            fail "$what, $way: no rank: $(cat out)"
    done
    watch 3 "$way" ./objects heap 2
    grep -qE "past.*objects.cpp:$(line objects.cpp heap)" out || fail "objects, $way: $(cat out)"
    grep -qE "error: rank 2 " out || fail "objects, $way: no rank: $(cat out)"
    watch 3 "$way" ./plain leak 1
    grep -qE "by 0x[0-9A-F]+: leak \(plain.c:$(line plain.c leak)\)" out || fail "leak, $way: $(cat out)"
    [ "$(grep -c 'definitely lost' out)" = 1 ] || fail "leak, $way: more is lost: $(cat out)"
    watch 4 "$way" ./plain
    [ "$(cat out)" = 'ring of 4' ] || fail "plain, $way: not silent: $(cat out)"
    watch 3 "$way" ./objects
    [ "$(cat out)" = 'caught 8' ] || fail "objects, $way: not silent: $(cat out)"
done
expect 0 'sum 4950' pgasim run -q --wrapper 'valgrind -q' -np 2 ./teams
! grep -q 'Invalid' out || fail "teams: not silent: $(cat out)"
# The race detector reads the stacks of functions that return.
pgasim cc -g -O1 --check -o frames "$folder/frames.c" || fail "frames.c does not compile"
watch 3 dlopen --check=races ./frames
grep -q 'put 8' out || fail "frames: $(cat out)"
! grep -qE 'uninitialised|Valgrind' out || fail "frames: not silent: $(cat out)"
# A replay: of actions, and of calls with symmetric memory; nothing is wrong, and it ends when it does without Valgrind.
pgasim run -q -np 3 --compute off --record-ti recorded ./plain >out 2>&1 || fail "plain: not recorded: $(cat out)"
printf '%s\n' '0 compute 1e6' '0 send 1 0 1000' '0 allreduce 10 100' '1 recv 0 0 1000' '1 allreduce 10 100' >actions
for trace in recorded actions; do
    timeout 200 valgrind -q --error-exitcode=9 "$(command -v pgasim)" replay -q --json watched.json $trace >out 2>&1 </dev/null ||
        fail "replay of $trace: status $?: $(cat out)"
    [ ! -s out ] || fail "replay of $trace: not silent: $(cat out)"
    pgasim replay -q --json alone.json $trace >out 2>&1 || fail "replay of $trace: $(cat out)"
    python3 -c 'import json
a, b = (json.load(open(f))["simulated_seconds"] for f in ("watched.json", "alone.json"))
assert a == b > 0, (a, b)' || fail "replay of $trace: another end"
done
[ -z "$(ls -A "$TMPDIR")" ] || fail "files are left in $TMPDIR: $(ls "$TMPDIR")"
finish
