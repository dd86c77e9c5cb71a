#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# smpi.sh BUILD: SimGrid reads the platform of pgasim calibrate, and SMPI's half round trips on it are pgasim's.
set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "FAIL: $*"
    exit 1
}

# Two protocols, overheads of all calls, a faster path within the node.
awk 'BEGIN { for (n = 1; n <= 4194304; n *= 2) { s = 1e-6 + n * 1e-10; r = 2e-6 + n * 2e-10; o = n < 65536 ? s + r : 0
    t = n <= 4096 ? 30e-6 + n / 5e7 : 70e-6 + n / 1e8
    printf "MPI_Send,%d,0,%.12f\nMPI_Recv,%d,0,%.12f\n", n, s, n, 2 * (o + t) - s
    printf "MPI_Isend,%d,0,%.12f\nMPI_Recv,%d,0,%.12f\n", n, s, n, n < 65536 ? r : t } }' >network.csv
printf 'MPI_Wtime,0,0,0.2\nMPI_Test,1,0,1e-7\nMPI_Iprobe,1,0,1e-7\n' >calls.csv
awk 'BEGIN { print "# OSU MPI Latency Test v5.9"
    for (n = 1; n <= 4194304; n *= 2) printf "%d %.6f\n", n, 6 + n / 900 }' >node.txt
{
    echo '{"kind":"calibrate","format":1,"library":"none","mpi":3.1,"ranks":2,"nodes":2,"tick":1e-09}'
    for kind in put get atomic; do
        for mode in latency rate; do
            echo "{\"kind\":\"$kind\",\"mode\":\"$mode\",\"from\":0,\"to\":1,\"where\":\"network\",\"bytes\":1,\"seconds\":2e-4,\"low\":2e-4,\"high\":2e-4,\"samples\":6,\"repetitions\":1,\"pass\":0,\"at\":1}"
        done
    done
} >onesided.jsonl
"$build/bin/pgasim" calibrate network.csv calls.csv onesided.jsonl --within-node node.txt -o fit.xml --cores 2 >text || fail "the fit"
for key in smpi/os smpi/ois smpi/or smpi/lat-factor smpi/bw-factor smpi/wtime smpi/test smpi/iprobe smpi/async-small-thresh \
    rdma/put-overhead rdma/read-service rdma/atomic-service; do
    grep -q "\"$key\"" fit.xml || fail "there is no $key: $(cat text)"
done
smpicc -O1 -o real "$here/halves.c" >out 2>&1 || fail "smpicc: $(cat out)"
"$build/bin/wrappers/mpicc" -O1 -o simulated "$here/halves.c"
# compare HOST HOST
compare() {
    printf '%s\n' "$@" >hosts
    printf '%s:1\n' "$@" >slots
    smpirun -np 2 -hostfile hosts -platform fit.xml --cfg=smpi/simulate-computation:no --log=root.thresh:critical ./real \
        >smpi.txt 2>err || fail "SMPI: $(cat err)"
    "$build/bin/pgasim" run --compute=off -hostfile slots -np 2 -platform fit.xml ./simulated >pgasim.txt 2>err ||
        fail "pgasim: $(cat err)"
    paste smpi.txt pgasim.txt | awk '{ off = $2 / $4 - 1; if ($1 != $3 || off > 1e-6 || off < -1e-6) { print; bad = 1 } }
        END { exit bad || NR != 11 }' >out || fail "SMPI and pgasim differ on $*: $(cat out)"
}
compare node-0 node-1
compare node-0 node-0
echo "pgasim calibrate: SMPI's times on the platform are pgasim's"
