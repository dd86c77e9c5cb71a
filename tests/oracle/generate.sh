#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# generate.sh PGASIM COMPARE ROUTES: files of `pgasim platform generate` mean the same to SimGrid.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
while read -ra parameters; do
    n=$((n + 1))
    "$1" platform generate "${parameters[@]}" >"$work/$n.xml"
done <<'END'
cluster --hosts 5 --backbone 1GBps --cores 2 --speed 1Gf --suffix .x&y
torus --hosts 30 --limiter 1GBps --loopback-bw 1GBps
torus --dimensions 4,3 --policy SHARED
torus --hosts 7 --id ring
torus --hosts 1
fat-tree --hosts 48 --levels 3
fat-tree --down 4,4 --up 1,2 --ports 1,2 --limiter 1GBps
fat-tree --hosts 36 --oversubscription 2
dragonfly
dragonfly --groups 3,4 --chassis 2,3 --routers 3 --nodes 1 --limiter 1GBps --lat 2us
two-level --prefix a"b
two-level --hosts 24 --leaf 8 --oversubscription 1
two-level --hosts 9 --leaf 3
mesh --dimensions 4,3 --prefix a"b
mesh --dimensions 3,2,2 --policy SHARED --suffix .x&y
mesh --hosts 7
mesh --dimensions 1,1
END
"$2" "$3" 1 0 "$work"/*.xml
