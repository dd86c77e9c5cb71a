#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Pins what tests/run/compare reports: a build equals itself; a run that takes a different time or ends in a
# different way differs; and the same holds if the reference's results come from the cache. `compare.sh BUILD`
set -u
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0

expect() { # STATUS PATTERN OPTION...
    local status=$1 pattern=$2 got
    shift 2
    "$here/compare" --programs '^(shmem_lock|ordering)$' --ranks 2,3 --jobs 2 --cache "$work/cache" "$@" \
        "$build" "$build" \
        >"$work/out" 2>&1
    got=$?
    if [ "$got" -ne "$status" ] || ! grep -Eq -- "$pattern" "$work/out"; then
        echo "WRONG: status $got, expected $status, with $pattern: compare $*"
        cat "$work/out"
        wrong=$((wrong + 1))
    fi
}
expect 0 '^[0-9]+ passed, 0 failed$'
expect 1 '^ +simulated_seconds [0-9.e-]+, not [0-9.e-]+$' --options '--set rdma/put-overhead=7us'
expect 1 '^ +status 2, not 0$' --options '--set no/such=setting' --exit-early
expect 0 '^[0-9]+ passed, 0 failed$'
[ "$(find "$work/cache" -name '*.json' | wc -l)" -eq 2 ] ||
    { echo "WRONG: not two specs in the cache"; wrong=1; }
[ "$wrong" -eq 0 ] && echo "compare tells what differs"
