#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# demo.sh BUILD: runs heat and mandel on 64 PEs of the built-in cluster, and says what that was.
set -eu
build=$(cd "${1:-build}" && pwd)
examples=$(cd "$(dirname "$0")" && pwd)
out=$build/demo
mkdir -p "$out"
oshcc=$build/bin/wrappers/oshcc
oshrun=$build/bin/wrappers/oshrun

# The simulated and the real time of a run, in ms, from its figures.
figure() {
    sed -n "s/.*\"$2\": \([0-9.e+-]*\).*/\1/p" "$1" | awk '{ printf "%.1f ms", $1 * 1000 }'
}

echo "== heat: temperatures of a plate of 1024 x 1024 cells, 200 steps, on 64 PEs, each on a host of its own"
"$oshcc" -O2 "$examples/heat/heat.c" -o "$out/heat" -lm
"$oshrun" --json "$out/heat.json" -np 64 --map-by host "$out/heat" -n 1024 -i 200 -r 50

echo
echo "== mandel: a picture of 1200 x 900 points, its rows handed out by an atomic counter, on 64 PEs"
"$oshcc" -O2 "$examples/mandel/mandel.c" -o "$out/mandel" -lpng
"$oshrun" --json "$out/mandel.json" -np 64 --map-by host "$out/mandel" -w 1200 -h 900 -o "$out/mandel.png"

cat <<END

Both are ordinary OpenSHMEM programs, built by a compiler wrapper; their 64 PEs ran in one process here.
What they computed is real: the checksums do not depend on the number of PEs, and the picture is
    $out/mandel.png
When they computed it is predicted, for a cluster that is not here ('pgasim platform default' prints it):
    heat    $(figure "$out/heat.json" simulated_seconds) there, simulated in $(figure "$out/heat.json" wall_seconds) here
    mandel  $(figure "$out/mandel.json" simulated_seconds) there, simulated in $(figure "$out/mandel.json" wall_seconds) here
Next: build/bin/pgasim --help, README.md, examples/README.md.
END
