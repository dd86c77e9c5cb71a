#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# record: `pgasim record`: runs a command with libpgasim-record before its MPI or OpenSHMEM. The library is compiled by the
# user's mpicc or oshcc when it is first needed, and kept in a cache folder, by the header of MPI or OpenSHMEM and pgasim's
# sources.
set -eu

usage() {
    cat <<'EOF'
usage: pgasim record [options] COMMAND [arguments]

Records what a program of MPI or OpenSHMEM does on this machine as a trace for `pgasim replay`. COMMAND starts
the program (mpirun -np 4 ./prog), or is the program (mpirun -np 4 pgasim record ./prog).

  -o FILE          the trace: a list of files, which are in FILE_files/ (default: pgasim-record)
  --fold           in the end, the same as a short trace: with means of computations and loops, and ranks that do
                   the same share a file. Here COMMAND starts the program
  --mpicc CC       the compiler wrapper of the program's MPI (default: $MPICC, else mpicc)
  --shmem          the program is one of OpenSHMEM
  --oshcc CC       the same, and the compiler wrapper of its OpenSHMEM (default: $OSHCC, else oshcc)
  --instructions   also count the instructions of computations, where the system allows it
  --counter NAME   count this instead: instructions, cycles, task-clock (ns on a processor)
  --library        only build the library, and print its path, to be preloaded or linked
  --help           this text

exit status: the command's; 2 bad options, 4 the library cannot be built, or the trace not be folded.
EOF
}

fail() {
    status=$1
    shift
    echo "pgasim: error: record: $*" >&2
    exit "$status"
}

here=$(cd "$(dirname "$0")" && pwd -P)
api=mpi
mpicc=${MPICC:-mpicc}
oshcc=${OSHCC:-oshcc}
counter=${PGASIM_RECORD_COUNTER:-}
file=pgasim-record
only_library=no
fold=no
while [ $# -gt 0 ]; do
    case $1 in
    -o)
        [ $# -ge 2 ] || fail 2 "-o: expected a file"
        file=$2
        shift
        ;;
    -mpicc | --mpicc)
        [ $# -ge 2 ] || fail 2 "--mpicc: expected a compiler wrapper"
        mpicc=$2
        shift
        ;;
    -fold | --fold) fold=yes ;;
    -shmem | --shmem) api=shmem ;;
    -oshcc | --oshcc)
        [ $# -ge 2 ] || fail 2 "--oshcc: expected a compiler wrapper"
        api=shmem
        oshcc=$2
        shift
        ;;
    -instructions | --instructions) counter=instructions ;;
    -counter | --counter)
        [ $# -ge 2 ] || fail 2 "--counter: expected instructions, cycles or task-clock"
        counter=$2
        shift
        ;;
    -library | --library) only_library=yes ;;
    -h | -help | --help)
        usage
        exit 0
        ;;
    --)
        shift
        break
        ;;
    -*) fail 2 "unknown option $1 (see pgasim record --help)" ;;
    *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || [ "$only_library" = yes ] || fail 2 "expected a command (see pgasim record --help)"
case $counter in
"" | instructions | cycles | task-clock) ;;
*) fail 2 "--counter $counter: expected instructions, cycles or task-clock" ;;
esac
if [ $fold = yes ]; then
    [ -z "${PMIX_RANK:-}${PMI_RANK:-}${OMPI_COMM_WORLD_RANK:-}" ] ||
        fail 2 "--fold: expected a command that starts all ranks, such as mpirun; in one rank, use pgasim convert --share-ranks later"
    simulator=${PGASIM_RECORD_FOLDER:-$here/../../../bin/pgasim}
    [ -x "$simulator" ] || simulator=$(command -v pgasim) || fail 2 "--fold: pgasim itself is not here to do it"
fi
if [ $api = shmem ]; then
    wrapper=$oshcc
    command -v "$wrapper" >/dev/null ||
        fail 2 "$wrapper: no such compiler wrapper; expected --oshcc CC of the program's OpenSHMEM"
else
    wrapper=$mpicc
    command -v "$wrapper" >/dev/null || fail 2 "$wrapper: no such compiler wrapper; expected --mpicc CC of the program's MPI"
fi

# Where the sources are: in an installation below this folder, else in pgasim's own tree.
sources=$here
[ -d "$here/record" ] || sources=$here/../../src

# What differs between MPIs is in their mpi.h, between OpenSHMEMs in their shmem.h.
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/pgasim
mkdir -p "$cache" || fail 4 "$cache: cannot be made"
probe=$cache/probe.$$
trap 'rm -f "$probe" "$probe".*' EXIT
printf '#include <%s.h>\nint main(void) { return 0; }\n' "$api" >"$probe.c"
"$wrapper" -E -P "$probe.c" >"$probe.i" || fail 4 "$wrapper cannot compile a program with $api.h"
key=$(cat "$probe.i" "$here"/*.[ch] "$here/$api"/*.[ch] "$here/record.sh" "$sources"/record/*.[ch] "$sources"/record/*.def |
    cksum | tr ' ' -)
library=$cache/libpgasim-record-$api-$key.so

build() {
    "$wrapper" -std=gnu11 -O2 -fPIC -fno-semantic-interposition -shared -Wl,-Bsymbolic -w -D_GNU_SOURCE -I"$here" \
        -I"$here/$api" -I"$sources" "$@" -o "$library.$$" "$here"/*.c "$here/$api"/*.c "$sources"/record/*.c -lpthread -ldl
}

# Whether a library of compression is there, with its header.
has() {
    printf '#include <%s.h>\nint main(void) { return 0; }\n' "$1" >"$probe.c"
    "$wrapper" -o "$probe" "$probe.c" "-l$2" >/dev/null 2>&1
}

if [ ! -f "$library" ]; then
    log=$cache/build.$$.log
    if has zstd zstd; then
        build -DRECORDER_ZSTD >"$log" 2>&1 -Wl,--no-as-needed -lzstd || failed=yes
    elif has zlib z; then
        build -DRECORDER_GZIP >"$log" 2>&1 -Wl,--no-as-needed -lz || failed=yes
    else
        build >"$log" 2>&1 || failed=yes
    fi
    if [ "${failed:-no}" = yes ]; then
        cat "$log" >&2
        rm -f "$log" "$library.$$"
        fail 4 "$wrapper cannot build the library"
    fi
    rm -f "$log"
    mv "$library.$$" "$library"
fi
if [ "$only_library" = yes ]; then
    echo "$library"
    exit 0
fi
case $file in
/*) ;;
*) file=$PWD/$file ;;
esac
[ -d "$(dirname "$file")" ] || fail 2 "$file: there is no such folder"
rm -f "$probe" "$probe".*
[ $fold = no ] || whole=$file.whole
export PGASIM_RECORD="${whole:-$file}" PGASIM_RECORD_COUNTER="$counter"
if [ $fold = no ]; then
    LD_PRELOAD=$library${LD_PRELOAD:+:$LD_PRELOAD} exec "$@"
fi

# A trace of an earlier run is not to be taken for this one's.
rm -f "$whole"
status=0
LD_PRELOAD=$library${LD_PRELOAD:+:$LD_PRELOAD} "$@" || status=$?
[ -f "$whole" ] || fail 4 "the command has left no trace to be folded (its status is $status)"
"$simulator" convert --to calls --share-ranks "$whole" "$file" || fail 4 "$whole: this is the whole trace, which could not be folded"
rm -f "$whole"
rm -rf "${whole}_files"
exit "$status"
