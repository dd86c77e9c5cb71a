#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# applications.sh SOURCES OUT [RANKS]: traces of public applications, for the player (docs/cluster.md).
#
# SOURCES has checked-out sources in folders of these names, each of which may be missing: npb (the MPI version of the NAS
# Parallel Benchmarks 3.3, or a folder that has it in NPB3.3-MPI), prk (ParRes/Kernels), lulesh (LLNL/LULESH), comd
# (ECP-copa/CoMD). They are built with pgasim's wrappers in OUT/build and run once in a simulation of a star with 100 Mbit/s
# and 1 ms, where computation is measured. OUT/NAME.RANKS.calls is the trace, with computation as seconds, by a common factor
# longer or shorter so that communication is SHARE (0.4) of the time on that star. OUT/list has a line for each.
set -eu
[ $# -ge 2 ] || {
    sed -n '3,10s/^# \{0,1\}//p' "$0"
    exit 2
}
sources=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
ranks=${3:-8}
share=${SHARE:-0.4}
build=${BUILD:-$(cd "$(dirname "$0")/../../build" && pwd)}
pgasim=$build/bin/pgasim
PATH=$build/bin/wrappers:$PATH
export PATH
mkdir -p "$out/build"
: >"$out/list"

cat >"$out/star.xml" <<'XML'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="star" prefix="node-" suffix="" radical="0-15" speed="1Gf" core="1" bw="100Mbps" lat="500us"
         sharing_policy="SPLITDUPLEX"/>
</platform>
XML

# The simulated seconds of a trace whose computations are multiplied by a factor.
seconds() {
    "$pgasim" replay --quiet -platform "$out/star.xml" --compute-scale "$2" --json "$out/build/figures.json" "$1" >/dev/null
    sed -n 's/.*"simulated_seconds": \([^,]*\),*/\1/p' "$out/build/figures.json"
}

# record NAME PROGRAM ARGUMENT...: the trace of a program.
record() {
    local name=$1.$ranks raw=$out/build/$1.$ranks.raw none all factor
    shift
    (cd "$out/build" &&
        "$pgasim" run --quiet -np "$ranks" -platform "$out/star.xml" --compute=measured --record-ti "$raw" "$@") \
        >"$out/build/$name.out" 2>&1 </dev/null || {
        echo "$name: left out: $(tail -1 "$out/build/$name.out")"
        return 0
    }
    none=$(seconds "$raw" 1e-9)
    all=$(awk '$2 == "compute" { sum += $3 } END { print sum / 1e9 / '"$ranks"' }' "$raw")
    factor=$(awk "BEGIN { print ($all > 0 ? $none / $all * (1 - $share) / $share : 1) }")
    awk -v factor="$factor" '$2 == "compute" { printf "%s seconds %.9f\n", $1, $3 / 1e9 * factor; next } { print }' "$raw" \
        >"$out/$name.calls"
    rm -f "$raw"
    echo "$name.calls communication $none s, computation times $factor, simulated $(seconds "$out/$name.calls" 1) s" |
        tee -a "$out/list"
}

# make_npb NAME CLASS: in a copy of the sources.
npb=$sources/npb
[ -d "$npb/NPB3.3-MPI" ] && npb=$npb/NPB3.3-MPI
make_npb() {
    local folder=$out/build/npb
    [ -d "$folder" ] || {
        cp -r "$npb" "$folder"
        mkdir -p "$folder/bin"
        cat >"$folder/config/make.def" <<'DEF'
MPIF77 = mpif77
FLINK = mpif77
FFLAGS = -O2 -std=legacy -fallow-argument-mismatch -fallow-invalid-boz
FLINKFLAGS = -O2
MPICC = mpicc
CLINK = mpicc
CFLAGS = -O2
CLINKFLAGS = -O2
CC = cc
BINDIR = ../bin
RAND = randi8
DEF
    }
    make -C "$folder" "$1" NPROCS="$ranks" CLASS="$2" >"$out/build/$1.log" 2>&1 || {
        echo "$1: not built: $(tail -1 "$out/build/$1.log")"
        return 1
    }
}

if [ -d "$npb" ]; then
    for wanted in CG:S FT:S IS:W LU:S MG:S; do
        name=${wanted%:*}
        low=$(echo "$name" | tr '[:upper:]' '[:lower:]')
        if make_npb "$name" "${wanted#*:}"; then
            record "$low" "$out/build/npb/bin/$low.${wanted#*:}.$ranks"
        fi
    done
fi
if [ -d "$sources/prk" ]; then
    common=("$sources/prk/common/MPI_bail_out.c" "$sources/prk/common/wtime.c")
    mpicc -O2 -std=gnu99 -DMPI -DSTAR=1 -DRADIUS=2 -DDOUBLE=1 -DRESTRICT_KEYWORD=0 -DVERBOSE=0 -I"$sources/prk/include" \
        -o "$out/build/stencil" "$sources/prk/MPI1/Stencil/stencil.c" "${common[@]}" -lm
    record stencil "$out/build/stencil" 50 2000
    mpicc -O2 -std=gnu99 -DMPI -DRESTRICT_KEYWORD=0 -DVERBOSE=0 -DSYNCHRONOUS=0 -I"$sources/prk/include" \
        -o "$out/build/transpose" "$sources/prk/MPI1/Transpose/transpose.c" "${common[@]}" -lm
    record transpose "$out/build/transpose" 10 400
fi
if [ -d "$sources/lulesh" ] && [ "$ranks" = 8 ]; then # a cube
    mpicxx -O2 -w -DUSE_MPI=1 -o "$out/build/lulesh" "$sources"/lulesh/lulesh*.cc
    record lulesh "$out/build/lulesh" -s 12 -i 30
fi
if [ -d "$sources/comd" ]; then
    mkdir -p "$out/build/comd"
    cp "$sources"/comd/src-mpi/*.[ch] "$out/build/comd"
    printf '#ifndef CoMD_info_hpp\n#define CoMD_info_hpp\n%s\n#endif\n' '#define CoMD_VARIANT "CoMD-mpi"
#define CoMD_HOSTNAME "star"
#define CoMD_KERNEL_NAME "Linux"
#define CoMD_KERNEL_RELEASE ""
#define CoMD_PROCESSOR ""
#define CoMD_COMPILER "cc"
#define CoMD_COMPILER_VERSION ""
#define CoMD_CFLAGS ""
#define CoMD_LDFLAGS ""' >"$out/build/comd/CoMD_info.h"
    mpicc -O2 -w -std=gnu99 -DDOUBLE -DDO_MPI -o "$out/build/CoMD" "$out"/build/comd/*.c -lm
    record comd "$out/build/CoMD" -x 16 -y 16 -z 16 -i 2 -j 2 -k $((ranks / 4)) -N 20 -n 10
fi
