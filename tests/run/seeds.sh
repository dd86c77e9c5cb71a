#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# seeds.sh N PATTERN OPTIONS PROGRAM...: runs a program under the adversary with the seeds 1 to N, until it fails in
# the way that the pattern tells: "wrong". PATTERN "": it may not fail: "right".
set -u
n=$1 pattern=$2
shift 2
for seed in $(seq "$n"); do
    $RUN --quiet --check=nasty --seed "$seed" "$@" > "$W/out" 2> "$W/err" && continue
    status=$?
    if [ -n "$pattern" ] && grep -Eq -- "$pattern" "$W/err"; then
        echo wrong
        exit 0
    fi
    if [ -z "$pattern" ]; then
        echo "seed $seed: status $status"
        head -5 "$W/err"
        exit 0
    fi
done
if [ -z "$pattern" ]; then echo right; else echo "not within $n seeds"; fi
