#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# demo.sh BUILD: runs heat, mandel and heat with MPI on 64 ranks of the built-in cluster, and says what that was.
set -eu
build=$(cd "${1:-build}" && pwd)
examples=$(cd "$(dirname "$0")" && pwd)
out=$build/demo
mkdir -p "$out"
wrappers=$build/bin/wrappers

# The simulated and the real time of a run, in ms, from its figures.
figure() {
    sed -n "s/.*\"$2\": \([0-9.e+-]*\).*/\1/p" "$1" | awk '{ printf "%.1f ms", $1 * 1000 }'
}

echo "== heat: temperatures of a plate of 1024 x 1024 cells, 200 steps, on 64 PEs, each on a host of its own"
"$wrappers/oshcc" -O2 "$examples/heat/heat.c" -o "$out/heat" -lm
"$wrappers/oshrun" --json "$out/heat.json" -np 64 --map-by host "$out/heat" -n 1024 -i 200 -r 50

echo
echo "== mandel: a picture of 1200 x 900 points, its rows handed out by an atomic counter, on 64 PEs"
"$wrappers/oshcc" -O2 "$examples/mandel/mandel.c" -o "$out/mandel" -lpng
"$wrappers/oshrun" --json "$out/mandel.json" -np 64 --map-by host "$out/mandel" -w 1200 -h 900 -o "$out/mandel.png"

echo
echo "== heat-mpi: the same plate with messages, on 64 ranks"
"$wrappers/mpicc" -O2 "$examples/heat-mpi/heat.c" -o "$out/heat-mpi" -lm
"$wrappers/mpirun" --json "$out/heat-mpi.json" -np 64 --map-by host "$out/heat-mpi" -n 1024 -i 200 -r 50

cat <<END

These are ordinary OpenSHMEM and MPI programs, built by compiler wrappers; their 64 ranks ran in one process here.
What they computed is real: the checksums do not depend on the number of ranks, and the picture is
    $out/mandel.png
When they computed it is predicted, for a cluster that is not here ('pgasim platform default' prints it):
    heat      $(figure "$out/heat.json" simulated_seconds) there, simulated in $(figure "$out/heat.json" wall_seconds) here
    heat-mpi  $(figure "$out/heat-mpi.json" simulated_seconds) there, simulated in $(figure "$out/heat-mpi.json" wall_seconds) here
    mandel    $(figure "$out/mandel.json" simulated_seconds) there, simulated in $(figure "$out/mandel.json" wall_seconds) here
Next: build/bin/pgasim --help, README.md, examples/README.md.
END
