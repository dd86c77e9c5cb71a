#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# study.sh FOLDER: one trace of 256 ranks on four topologies of 512 hosts, with two selectors, alone and beside
# traffic of the other 256 hosts. Writes FOLDER/times.csv and FOLDER/study.svg (docs/replay-study.md).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"

"$here/trace.py" >solver.ti
one=(--cores 1 --speed 10Gf --bw 10GBps)
pgasim platform generate fat-tree --hosts 512 --oversubscription 2 "${one[@]}" >fat-tree.xml
pgasim platform generate torus --dimensions 8,8,8 "${one[@]}" >torus.xml
pgasim platform generate dragonfly --groups 8 --chassis 4 --routers 8 --nodes 2 "${one[@]}" >dragonfly.xml
pgasim platform generate two-level --hosts 512 --oversubscription 4 "${one[@]}" >two-level.xml

solver='{"name": "solver", "trace": "solver.ti", "placement": "random", "seed": 1}'
traffic='{"name": "traffic", "np": 256, "placement": "random", "seed": 2,
          "background": {"pattern": "uniform-random", "bytes": "1MB", "interval": "100us", "seed": 3}}'
echo "[$solver]" >alone.json
echo "[$solver, $traffic]" >busy.json

echo topology,selector,others,seconds >times.csv
for topology in fat-tree torus dragonfly two-level; do
    for selector in ompi-5.0 mpich; do
        for others in alone busy; do
            pgasim replay --quiet --jobs $others.json --platform $topology.xml --set coll/selector=$selector \
                --json result.json
            python3 -c 'import json; print(json.load(open("result.json"))["jobs"][0]["duration_seconds"])' >seconds
            echo "$topology,$selector,$others,$(cat seconds)" | tee -a times.csv
        done
    done
done
rm -f seconds result.json
"$here/figure.py" times.csv >study.svg
