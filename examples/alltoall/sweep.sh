#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# sweep.sh [RANKS...]: the time of an all-to-all by each of SMPI's algorithms on platforms/four-cabinets.xml, as
# CSV. Needs pgasim and its wrappers on the path (pgasim env). SIZES and ALGORITHMS, lists in the environment,
# take the places of those below.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mpicc -O2 "$here/alltoall.c" -o "$work/alltoall"
[ $# -gt 0 ] || set -- 16 64 128 256 512 1024
run=(pgasim run --quiet --compute=off --set coll/leave-folded=yes --map-by host
    -platform "$here/../../platforms/four-cabinets.xml")
echo algorithm,ranks,bytes,seconds
for ranks in "$@"; do
    for bytes in ${SIZES:-32768 262144 2097152}; do
        for name in ${ALGORITHMS:-2dmesh 3dmesh rdb ring pair bruck basic_linear mvapich2_scatter_dest}; do
            "${run[@]}" -np "$ranks" --set "coll/alltoall=smpi:$name" "$work/alltoall" "$bytes" |
                sed "s/^/$name,/; s/ /,/g"
        done
    done
done
