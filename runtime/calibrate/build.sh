#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# build.sh MPICC [FOLDER [OSHCC]]: compiles calibrate and play with an MPI's wrapper, and calibrate-shmem with an OpenSHMEM's.
set -eu
mpicc=${1:?usage: build.sh MPICC [FOLDER [OSHCC]]}
folder=${2:-.}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
command -v "$mpicc" >/dev/null || {
    echo "calibrate: $mpicc: no such compiler; expected the wrapper of an MPI" >&2
    exit 2
}
# -ffp-contract and -O2: the work of `flops` must be the same everywhere.
set -- "$folder" "$mpicc" "${3:-}"
"$2" -std=c11 -O2 -ffp-contract=off -w -o "$1/calibrate" "$here/main.c" "$here/bench.c" "$here/measure.c" "$here/pingpong.c" \
    "$here/sharing.c" "$here/onesided.c" "$here/collectives.c" "$here/compute.c" "$here/socket.c" -lm
echo "$1/calibrate"
# The player reads traces with the recorder's words: in an installation they are in its folder, else in pgasim's own tree.
record=$(cd "$here/../record" && pwd -P)
words=$record
[ -d "$words/record" ] || words=$record/../../src
"$2" -std=gnu11 -O2 -w -I"$here" -I"$record" -I"$record/mpi" -I"$words" -o "$1/play" "$here"/play/*.c "$record/mpi/constants.c" \
    "$record/base.c" "$words"/record/*.c -lm -ldl
echo "$1/play"
[ -z "$3" ] || {
    "$3" -std=gnu11 -O2 -w -o "$1/calibrate-shmem" "$here/shmem.c" "$here/measure.c" -lm
    echo "$1/calibrate-shmem"
}
