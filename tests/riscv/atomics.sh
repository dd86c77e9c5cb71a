#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# atomics.sh BUILD [PES...]: random remote atomics of that many cores, seven of which are targets or all,
# served by the network card or by the target's CPU: memory is what the sequential model says, and the same
# in all cases.
set -eu
build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/bin/pgasim" riscv-cc -O2 "$here/programs/random_atomics.c" -lxbgas -o "$work/atomics"
[ $# -gt 0 ] || set -- 2 7 64
for n; do
    for targets in 7 "$n"; do
        for card in rdma software; do
            "$build/bin/pgasim" riscv -q --set "rdma/profile=$card" -np "$n" "$work/atomics" \
                "$n" 40 "$targets" >"$work/$card"
        done
        cat "$work/rdma"
        cmp "$work/rdma" "$work/software"
    done
done
