#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs programs on several threads under ThreadSanitizer: `tsan.sh BUILD`, a tree of -DPGASIM_SANITIZE=thread.
# Programs and simulator are instrumented. There must be no report; and there must be one for a program whose
# ranks do race.
set -u
build=$(cd "$1" && pwd) || exit 1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TSAN_OPTIONS="halt_on_error=0 report_signal_unsafe=0"
wrong=0

fail() {
    echo "WRONG: $1"
    head -n 40 "$work/err"
    wrong=$((wrong + 1))
}

run() { # STATUS N PROGRAM [ARGUMENT...]: of jobs 2 and 3
    local status=$1 ranks=$2 got
    shift 2
    for jobs in 2 3; do
        timeout 60 "$build/bin/pgasim" run -np "$ranks" --quiet --compute=off --jobs "$jobs" "$@" \
            </dev/null >"$work/out" 2>"$work/err"
        got=$?
        [ "$got" -eq "$status" ] || fail "status $got, expected $status: $*"
        grep -q 'WARNING: ThreadSanitizer' "$work/err" && fail "a report: $*"
    done
    echo "ran $*"
}

build() { # COMPILER SOURCE PROGRAM
    "$build/bin/wrappers/$1" -fsanitize=thread -O1 -g "$2" -o "$work/$3" -lm || exit 1
}
build oshcc "$here/programs/jobs.c" jobs
build oshc++ "$here/programs/jobs_exceptions.cpp" exceptions
build oshcc "$here/tsan/race.c" race

cd "$work" || exit 1
for what in lines arrive mine wait clocks pointers; do
    run 0 7 ./jobs "$what"
done
run 0 4 ./jobs options -a 3 -b x
run 136 5 ./jobs crash
run 7 5 ./jobs exit
run 9 5 ./jobs global
run 3 5 ./jobs deadlock
run 0 6 ./exceptions
timeout 60 "$build/bin/pgasim" run -np 4 --quiet --compute=off --jobs 2 ./race </dev/null >"$work/out" \
    2>"$work/err"
grep -q 'WARNING: ThreadSanitizer: data race' "$work/err" || fail "no report of a race"
echo "$wrong wrong"
[ "$wrong" -eq 0 ]
