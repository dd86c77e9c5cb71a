#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Files of POSIX that are truncated, renamed and linked by name: a replay ends when the run did, to the last bit; and each of
# the three lines is needed for that, because what comes later depends on it.
. "$(dirname "$0")/lib.sh"

cat >names.c <<'C'
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The disk has room for 100 kB of each rank. */
static char data[60000];
static char name[5][16];

static void expect(int right)
{
    if (!right)
        abort();
}

static void put(const char *path, int bytes)
{
    int f = open(path, O_CREAT | O_WRONLY, 0600);
    expect(write(f, data, bytes) == bytes);
    close(f);
}

static void get(const char *path, int bytes)
{
    int f = open(path, O_RDONLY);
    expect(read(f, data, sizeof data) == bytes);
    close(f);
}

int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int k = 0; k < 5; k++)
        snprintf(name[k], sizeof name[k], "%c-%d", "abcde"[k], me);
    put(name[0], 60000);
    expect(!link(name[0], name[1]));
    expect(!unlink(name[0]));
    get(name[1], 60000); /* the same file, whose bytes the host has in memory */
    put(name[2], 30000);
    expect(!rename(name[2], name[3]));
    get(name[3], 30000); /* likewise */
    expect(!truncate(name[1], 10000));
    get(name[1], 10000);
    put(name[4], 55000); /* there is room since then */
    expect(!truncate(name[4], 1000));
    for (int k = 1; k < 5; k++)
        unlink(name[k]);
    MPI_Finalize();
    return 0;
}
C
pgasim cc -O1 -o names names.c || fail "the program does not compile"
cat >disks.xml <<X
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="all" routing="Full">
$(for h in a b; do
    echo "    <host id=\"$h\" speed=\"1Gf\">"
    echo "      <disk id=\"disk-$h\" read_bw=\"10MBps\" write_bw=\"20MBps\"><prop id=\"mount\" value=\"$PWD\"/><prop id=\"size\" value=\"100kB\"/>"
    echo '        <prop id="cache" value="1MB"/><prop id="cache_bw" value="1GBps"/><prop id="change_time" value="30us"/></disk></host>'
done)
    <link id="net" bandwidth="1GBps" latency="10us" sharing_policy="FATPIPE"/>
    <route src="a" dst="b"><link_ctn id="net"/></route>
  </zone>
</platform>
X
exactly() { python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["simulated_seconds"].hex())' "$1"; }
play() { # RESULT TRACE
    pgasim replay --quiet -platform disks.xml -host a,b --json "$1" "$2" >out 2>&1 || fail "replay of $2: $(cat out)"
}

pgasim run --quiet -np 2 -platform disks.xml -host a,b --compute=off --set io/posix=yes --json run.json --record-ti names.calls ./names >out 2>&1 ||
    fail "run: $(cat out)"
play play.json names.calls
[ "$(exactly run.json)" = "$(exactly play.json)" ] ||
    fail "the run ends at $(exactly run.json), its replay at $(exactly play.json): $(cat names.calls)"
for line in posix_link posix_rename posix_truncate; do
    grep -q " $line " names.calls || fail "$line is not in the recording: $(cat names.calls)"
    grep -v " $line " names.calls >without.calls
    play without.json without.calls
    [ "$(exactly run.json)" != "$(exactly without.json)" ] || fail "without $line the replay ends at the same time"
done
finish
