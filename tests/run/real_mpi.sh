#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# real_mpi.sh NAME: the S-DSM's listings and examples with a real MPI (mpicc.NAME, mpirun.NAME): libsat is built
# from the same files, and each program must print what the tests of this folder expect of it on pgasim.
set -euo pipefail
name=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
sat=$work/sat

run() { timeout 120 "mpirun.$name" "$@"; }

compare() { # what, expected lines in alphabetical order; stdin: the output, in any order
    local what=$1
    shift
    diff <(printf '%s\n' "$@") <(sort) || { echo "FAIL $what with $name" >&2; exit 1; }
    echo "ok   $what"
}

topology() { python3 "$top/examples/sdsm/topology.py" "$@"; }

"$top/tools/sat" "mpicc.$name" "$sat" >build.log 2>&1 || { cat build.log; exit 1; }
make -s -C "$top/examples/sdsm" MPICC="mpicc.$name" SAT="$sat" OUT="$work/out"
for program in sat_listings sat_listings_corrected sat_listing10; do
    "mpicc.$name" -g -I"$sat/include" "$top/tests/run/programs/$program.c" -o $program -L"$sat" -lsat
    "mpicxx.$name" -x c++ -g -I"$sat/include" "$top/tests/run/programs/$program.c" -x none -o $program.cxx \
        -L"$sat" -lsat
done

topology --servers 3 --roles 1:1,2:1,3:1,4:1 >listings.xml
topology --servers 2 --roles 1:1,2:1,3:1 >corrected.xml
for suffix in "" .cxx; do
    run -np 7 ./sat_listings$suffix --topology listings.xml |
        compare "listings 5 and 8$suffix" "B finds: changed by A" "C finds: changed by B" \
            "listing 5: 100, 99, ..., 1, and the stores of the READ scope are lost"
    run -np 5 ./sat_listings_corrected$suffix --topology corrected.xml |
        compare "listings 4, 6, 7, 9$suffix" "listing 4: chunks of 24, 91, 54 bytes in a chain" \
            "listing 6: 0 1 2 3 4 5 6 7 8 9" "listing 6: process 2 finds the same" \
            "listing 7: the squares, and 'from process 2'" "listing 9: handler called 1 time"
    run -np 3 ./sat_listing10$suffix --topology "$top/examples/sdsm/prodcons/1server.xml" --sat-debug |
        grep "Starting code" | compare "listing 10$suffix" "0 Starting code (role 0)" \
            "1 Starting code (role 1)" "2 Starting code (role 2)"
done

topology --servers 2 --roles 1:1,3:1,2:3 >video.xml
video=$top/examples/sdsm/videostream/topology_pubsub_sched.xml
out/videostream-seq --frames 12 --save a >frames
run -np 7 out/videostream --topology video.xml --frames 12 2>err | diff frames - && echo "ok   videostream"
grep -q "frames a second" err
run -np 3 out/videostream --topology "$video" --frames 12 : -np 1 out/videostreampthread : \
    -np 1 out/videostreamopenmp 2>err | diff frames - && echo "ok   videostream of three binaries"
run -np 3 out/prodcons --topology "$top/examples/sdsm/prodcons/1server.xml" --input a-out-0000.png \
    --output b.png | compare prodcons "process 1 has produced 320 x 240 pixels" "process 2 has written b.png"
cmp a-out-0000.png b.png
run -np 5 out/matmul --topology "$top/examples/sdsm/matmul/1server.xml" -n 90 -b 16 2>err |
    compare matmul "90 x 90: 0 wrong rows, checksum a3c137fdc6a069b0"

for program in sat_litmus sat_random; do
    "mpicc.$name" -O2 -g -I"$sat/include" "$top/tests/run/programs/$program.c" -o $program -L"$sat" -lsat
done
run -np 5 ./sat_litmus --sat-servers 2 |
    compare "litmus programs" "all handlers were called" "all litmus programs are right"
run -np 5 ./sat_random mixed 1 3 --sat-servers 2 | compare "random programs" "mixed: 3 programs are right"
for program in jia_basics jia_random jia_mistakes; do
    "mpicc.$name" -O2 -g -I"$sat/include" "$top/tests/run/programs/$program.c" -o $program -L"$sat" -lsat
done
run -np 5 ./jia_basics | compare "JIAJIA's calls" "4 hosts, 0 errors"
SAT_OPTIONS="--sat-servers=2 --sat-jia-prefetch=4" run -np 5 ./jia_basics |
    compare "JIAJIA's calls, two servers" "3 hosts, 0 errors"
run -np 4 ./jia_random 3 1 | compare "random programs of JIAJIA's" "3 random programs of 3 hosts agree with the model"
for mistake in "beyond:an access to shared memory that is not allocated: 8192 bytes from its start, of which 4096 are" \
    "freed:an access to shared memory that was freed, 0 bytes from its start" \
    "after:an access to shared memory after jia_exit" "unlock:jia_unlock: lock 4 is not held by this process"; do
    status=0
    run -np 2 ./jia_mistakes "${mistake%%:*}" >out.txt 2>report || status=$?
    [ $status = 5 ] || { echo "FAIL ${mistake%%:*} ends with status $status with $name"; cat report; exit 1; }
    grep -q "${mistake#*:}" report out.txt || { echo "FAIL ${mistake%%:*} with $name"; cat report; exit 1; }
done
echo "ok   JIAJIA's mistakes"
# A deadlock: all say what they have and want, and the run ends.
"mpicc.$name" -g -I"$sat/include" "$top/tests/run/programs/sat_misuse.c" -o sat_misuse -L"$sat" -lsat
status=0
run -np 3 ./sat_misuse cycle --sat-timeout 1 2>report || status=$?
[ $status = 5 ] || { echo "FAIL a deadlock ends with status $status with $name"; cat report; exit 1; }
grep -q "chunk 7@0 (home-mesi, version 1): written by process 1 (sat_misuse.c:[0-9]*); WRITE wanted by process 2" report
echo "ok   a deadlock is explained"
