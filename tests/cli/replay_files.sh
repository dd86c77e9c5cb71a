#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Recordings of programs that use files: MPI's and POSIX's. Their replays end when the runs did, take the time of another
# platform's devices there, and touch no file; what trace-info and convert say of them; lines that are wrong.
. "$(dirname "$0")/lib.sh"

cat >both.c <<'C'
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Blocks of each rank are every n-th ones of the shared file; each rank has a file of its own, too. */
enum { BLOCKS = 50, SIZE = 4000 };
static char data[BLOCKS * SIZE];

int main(int argc, char **argv)
{
    int me, n, pair[2] = {1, 2};
    char name[40];
    MPI_File f;
    MPI_Datatype blocks;
    MPI_Request r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (MPI_File_open(MPI_COMM_WORLD, "missing", MPI_MODE_RDONLY, MPI_INFO_NULL, &f) == MPI_SUCCESS)
        return 1;
    MPI_File_open(MPI_COMM_WORLD, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);
    MPI_Type_vector(BLOCKS, SIZE, n * SIZE, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(f, (MPI_Offset)me * SIZE, MPI_BYTE, blocks, "native", MPI_INFO_NULL);
    MPI_File_write_all(f, data, BLOCKS * SIZE, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_seek(f, -SIZE, MPI_SEEK_END);
    MPI_File_iread(f, data, SIZE, MPI_BYTE, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "external32", MPI_INFO_NULL);
    MPI_File_seek_shared(f, 0, MPI_SEEK_END);
    MPI_File_write_ordered(f, pair, 2, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(f);
    MPI_File_close(&f);
    snprintf(name, sizeof name, "own-%d", me);
    int own = open(name, O_CREAT | O_RDWR, 0600);
    if (write(own, data, sizeof data) != sizeof data || pread(own, data, SIZE, sizeof data - SIZE / 2) != SIZE / 2)
        return 1;
    int other = dup(own);
    fsync(other);
    ftruncate(other, SIZE);
    close(own);
    close(other);
    unlink(name);
    MPI_Type_free(&blocks);
    MPI_Finalize();
    return 0;
}
C
pgasim cc -O1 -o both both.c || fail "the program does not compile"

platform() { # the bandwidth of the servers' disks
    cat <<X
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
    <prop id="storage/pfs/servers" value="s0 s1"/>
    <prop id="storage/pfs/mount" value="$PWD"/>
    <prop id="storage/pfs/read_bw" value="$1"/>
    <prop id="storage/pfs/write_bw" value="$1"/>
    <prop id="storage/pfs/stripe_count" value="${2:-1}"/>
    <prop id="storage/pfs/stripe_size" value="64KiB"/>
    <prop id="storage/pfs/lookup_time" value="1ms"/>
    <prop id="storage/pfs/change_time" value="2ms"/>
    <prop id="storage/pfs/lock_time" value="100us"/>
X
    for h in a b c s0 s1; do echo "    <host id=\"$h\" speed=\"1Gf\"/>"; done
    echo '    <link id="net" bandwidth="1GBps" latency="10us" sharing_policy="FATPIPE"/>'
    for pair in a:b a:c a:s0 a:s1 b:c b:s0 b:s1 c:s0 c:s1 s0:s1; do
        echo "    <route src=\"${pair%:*}\" dst=\"${pair#*:}\"><link_ctn id=\"net\"/></route>"
    done
    echo '  </zone></platform>'
}
platform 50MBps 1 >slow.xml
platform 500MBps 2 >fast.xml
exactly() { python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["simulated_seconds"].hex())' "$1"; }
later() { python3 -c 'import json,sys; a,b=(json.load(open(f))["simulated_seconds"] for f in sys.argv[1:]); sys.exit(not a > 2 * b)' "$@"; }
run() { # RESULT, options
    local result=$1
    shift
    rm -f shared
    pgasim run --quiet -np 6 -host a,b,c --map-by host --compute=off --set io/posix=yes --json "$result" "$@" ./both >out 2>&1 ||
        fail "run $*: $(cat out)"
}
play() { # RESULT, options and the trace
    local result=$1
    shift
    pgasim replay --quiet -host a,b,c --map-by host --json "$result" "$@" >out 2>&1 || fail "replay $*: $(cat out)"
}

# The same end where it was recorded, also from a trace of events; and no file is made.
run run.json -platform slow.xml --record-ti slow.calls --trace run.pgt --trace-kinds default,replay
rm -f shared
play play.json -platform slow.xml slow.calls
[ "$(exactly run.json)" = "$(exactly play.json)" ] || fail "another end: $(cat slow.calls)"
play play.json -platform slow.xml run.pgt
[ "$(exactly run.json)" = "$(exactly play.json)" ] || fail "another end of the trace of events"
if [ -e shared ] || [ -e own-0 ]; then fail "a replay has made a file"; fi

# On another platform the replay ends as a run there does, wherever it was recorded.
run fast.json -platform fast.xml --record-ti fast.calls
later run.json fast.json || fail "the faster disks make no difference: $(cat run.json fast.json)"
play play.json -platform fast.xml slow.calls
[ "$(exactly fast.json)" = "$(exactly play.json)" ] || fail "another end on the other platform"
play play.json -platform slow.xml fast.calls
[ "$(exactly run.json)" = "$(exactly play.json)" ] || fail "another end on the first platform"
# So it does if the platform of the recorded run had no time for files at all.
run none.json -platform slow.xml --set storage/mounts=.=none --record-ti none.calls --trace none.pgt
later run.json none.json || fail "files take time without a volume: $(cat none.json)"
play play.json -platform slow.xml none.calls
[ "$(exactly run.json)" = "$(exactly play.json)" ] || fail "another end of the recording without times"

# What is in the trace.
expect 0 'MPI_File_write_all  *6 ' pgasim trace-info slow.calls
python3 - "$(pgasim trace-info --json slow.calls)" <<'P' || fail "volumes: $(pgasim trace-info --json slow.calls)"
import json, sys
calls = {c["name"]: c for c in json.loads(sys.argv[1])["calls"]}
assert calls["MPI_File_write_all"]["bytes"] == 6 * 200000
assert calls["MPI_File_iread"]["bytes"] == 6 * 4000
assert calls["MPI_File_write_ordered"]["bytes"] == 6 * 8
assert calls["posix_write"]["bytes"] == 6 * 200000
assert calls["posix_read"]["bytes"] == 6 * 2000
assert calls["posix_sync"]["count"] == 6
P
grep -q '^0 MPI_File_open MPI_COMM_WORLD ".*/missing" 16 MPI_INFO_NULL MPI_FILE_NULL -2$' slow.calls || fail "missing: $(cat slow.calls)"
grep -q '^0 MPI_File_open MPI_COMM_WORLD ".*/shared" 34 MPI_INFO_NULL f0 -1$' slow.calls || fail "shared: $(cat slow.calls)"

# Other formats have no files; the trace in its own format has.
expect 0 'MPI_File_write_all: 6 times, left out' pgasim convert --speed 1Gf slow.calls slow.ti
expect 0 'posix_write: 6 times, left out' pgasim convert --speed 1Gf slow.calls slow.goal
expect 0 'MPI_File_open: 12 times, left out' pgasim convert --speed 1Gf slow.calls slow.meta
pgasim convert slow.calls again.pgt >out 2>&1 || fail "to pgt: $(cat out)"
play play.json -platform slow.xml again.pgt
[ "$(exactly run.json)" = "$(exactly play.json)" ] || fail "another end after convert"

# What is wrong.
trace() { { echo '# pgasim trace of calls 1, ranks: 1'; echo '0 MPI_Init'; cat; } >bad; }
trace <<<'0 posix_read 3 0 10'
expect 2 'bad: rank 0, line 3: posix_read, file: expected a file that posix_open has named before' pgasim replay bad
trace <<<'0 MPI_File_write f0 - 1 MPI_INT'
expect 2 'bad: rank 0, line 3: MPI_File_write, fh: no object number 0 of its kind was made before' pgasim replay bad
expect 0 'objects which were not made before, and cannot be played: 1' pgasim trace-info bad
trace <<<'0 datarep_extent "mine" MPI_INT 8'
expect 2 'bad: rank 0, line 3: datarep_extent, representation: expected one that MPI_Register_datarep has named' pgasim replay bad
for line in 'posix_open -1 "/x" 0' 'posix_open 1048576 "/x" 0' 'posix_open 1 "" 0' 'posix_open 1 "/x" -1' 'posix_read 1 -1 1' \
    'posix_write 1 9223372036854775807 1' 'posix_write 1 1 -1' 'posix_lookup ""' 'datarep_extent "mine" t0 8' 'posix_fly 1'; do
    trace <<<"0 $line"
    expect 2 'bad:3: (posix_|datarep_)' pgasim replay bad
done
finish
