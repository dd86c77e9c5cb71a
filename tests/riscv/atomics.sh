#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# atomics.sh BUILD [PES...]: random remote atomics of that many cores, each on a host of its own; seven of them
# are targets, or all. They are executed by a card that merges requests or does not (card/subentries=1), keeps
# lines or not, has room or not, by one that has no core (rdma), or by the target's CPU (software). Memory is
# what the sequential model says, old values have an order, and memory is the same in all cases.
#
# By default, a few cores. 1 024 are possible: atomics.sh build 256 1024.
set -eu
build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bin/pgasim" riscv-cc -O2 "$here/programs/random_atomics.c" -lxbgas -o "$work/atomics"
[ $# -gt 0 ] || set -- 2 7 20

# run NAME SETTING...: with n, targets, seed; the output is a file of that name
run() {
    local name=$1 setting options=()
    shift
    for setting; do
        options+=(--set "$setting")
    done
    "$build/bin/pgasim" riscv -q "${options[@]}" -np "$n" --map-by host --json "$work/$name.json" \
        "$work/atomics" "$seed" 40 "$targets" >"$work/$name"
    cmp "$work/software" "$work/$name"
}

# counted NAME COUNTER: what the cards of that run counted
counted() {
    sed -n "s/^ *\"$2\": \([0-9]*\),*\$/\1/p" "$work/$1.json"
}

seed=0
for n; do
    for targets in 7 "$n"; do
        [ "$n" -gt 7 ] || [ "$targets" -eq "$n" ] || continue
        seed=$((seed + 1))
        run software rdma/profile=software
        cat "$work/software"
        run rdma rdma/profile=rdma
        run merged rdma/profile=rae
        run unmerged rdma/profile=rae card/subentries=1
        run retained rdma/profile=rae card/policy=retain
        run retained-unmerged rdma/profile=rae card/policy=retain card/subentries=1
        run crowded rdma/profile=rae card/policy=retain card/mshrs=2 card/subentries=3 card/cache-size=64
        echo "  cards: $(counted merged merges) merged of $(counted merged requests)," \
            "$(counted retained hits) hits of retained lines, $(counted crowded stalls) stalls of a crowded card"
        [ "$n" -lt 7 ] || [ "$(counted merged merges)" -gt 0 ]
        [ "$(counted unmerged merges)" -eq 0 ] && [ "$(counted retained-unmerged merges)" -eq 0 ]
        [ "$(counted merged hits)" -eq 0 ] && [ "$(counted retained hits)" -gt 0 ]
    done
done
