#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Recordings of programs whose processes start others, of another program, after a computation, and meet them at a port
# and in windows: replays end when the runs did, where they were recorded and on another platform; what trace-info and
# convert say of them; lines that are wrong.
. "$(dirname "$0")/lib.sh"

cat >parent.c <<'C'
#include <mpi.h>
#include <pgasim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    MPI_Comm family, met;
    MPI_Info info[2];
    char port[MPI_MAX_PORT_NAME], *commands[] = {argv[1], argv[1]};
    int n[] = {2, 4}, me, codes[6];
    static char data[100000];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    pgasim_compute_flops(1e6 * (me + 1));
    MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Info_create(&info[0]);
    MPI_Info_create(&info[1]);
    MPI_Info_set(info[0], "host", "h5");
    MPI_Info_set(info[1], "soft", "1,3");
    MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, n, info, 1, MPI_COMM_WORLD, &family, codes);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, me == 1 ? MPI_ROOT : MPI_PROC_NULL, family);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (MPI_Comm_spawn("./nothing", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &met, codes) == MPI_SUCCESS)
        return 1;
    MPI_Comm_accept(port, MPI_INFO_NULL, 1, MPI_COMM_WORLD, &met);
    for (int k = 0; k < 3; k++)
        MPI_Send(data, sizeof data, MPI_CHAR, k, 3, met);
    MPI_Comm_disconnect(&met);
    MPI_Comm_disconnect(&family);
    MPI_Finalize();
    return 0;
}
C
cat >child.c <<'C'
#include <mpi.h>
#include <pgasim.h>

/* The children of the second command are those that are rank 2 and above. */
int main(int argc, char **argv)
{
    MPI_Comm family, met, all;
    char port[MPI_MAX_PORT_NAME];
    int me, n;
    static char data[100000];
    pgasim_compute_flops(5e5);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm_get_parent(&family);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, family);
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &met);
    for (int k = 0; me < 3 && k < 2; k++)
        MPI_Recv(data, sizeof data, MPI_CHAR, MPI_ANY_SOURCE, 3, met, MPI_STATUS_IGNORE);
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    MPI_Allreduce(MPI_IN_PLACE, data, 1000, MPI_INT, MPI_MAX, all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&met);
    MPI_Comm_disconnect(&family);
    MPI_Finalize();
    return 0;
}
C
pgasim cc -O1 -o parent parent.c || fail "the parents do not compile"
pgasim cc -O1 -o child child.c || fail "the children do not compile"

platform() { # the speed of the links
    cat <<X
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="all" prefix="h" suffix="" radical="0-7" speed="1Gf" bw="$1" lat="$2" core="2"/>
</platform>
X
}
platform 1GBps 10us >near.xml
platform 100MBps 50us >far.xml
exactly() { python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["simulated_seconds"].hex())' "$1"; }
run() { # RESULT, options
    local result=$1
    shift
    pgasim run --quiet -np 2 --map-by host --compute=off --json "$result" "$@" ./parent ./child >out 2>&1 || fail "run $*: $(cat out)"
}
play() { # RESULT, options and the trace
    local result=$1
    shift
    pgasim replay --quiet --map-by host --json "$result" "$@" >out 2>&1 || fail "replay $*: $(cat out)"
}

# The same end where it was recorded, also from a trace of events, and with the number of ranks that begin.
run near.json -platform near.xml --record-ti near.calls --trace near.pgt --trace-kinds default,replay
run far.json -platform far.xml --record-ti far.calls
[ "$(exactly near.json)" != "$(exactly far.json)" ] || fail "the platform makes no difference"
for trace in near.calls near.pgt "-np 2 near.calls"; do
    # shellcheck disable=SC2086 # options and the trace
    play play.json -platform near.xml $trace
    [ "$(exactly near.json)" = "$(exactly play.json)" ] || fail "another end of $trace: $(cat near.calls)"
done
# On another platform it ends as a run there does.
play play.json -platform far.xml near.calls
[ "$(exactly far.json)" = "$(exactly play.json)" ] || fail "another end on the other platform: $(cat near.calls)"
play play.json -platform near.xml far.calls
[ "$(exactly near.json)" = "$(exactly play.json)" ] || fail "another end on the first platform"
# Where the host of the info object is missing, and slots are too few.
sed 's/0-7/0-2/' near.xml >small.xml
pgasim replay -platform small.xml near.calls >out 2>&1 || fail "on three hosts: $(cat out)"
expect 0 'rank 1 starts 3 processes, and [0-2] of 6 slots are free: they share cores' pgasim replay -platform small.xml -host h0,h1,h2 near.calls

# Two of them at once, whose ranks are started between one another.
cat >jobs.json <<'J'
[{"trace": "near.calls", "hosts": ["h0", "h1", "h5"]}, {"trace": "near.calls", "hosts": ["h2", "h3", "h4"], "start": 0.0001}]
J
expect 0 'slowdown|alone' pgasim replay -platform near.xml --jobs jobs.json --alone

# What is in the trace, and other formats.
grep -qx '1 MPI_Comm_spawn_multiple 2 \[i[01],i[01]\] 1 MPI_COMM_WORLD c0 2 \[2,3\]' near.calls || fail "the root's call: $(cat near.calls)"
grep -qx '0 MPI_Comm_spawn_multiple 0 null 1 MPI_COMM_WORLD c0 -1 null' near.calls || fail "the other one's: $(cat near.calls)"
grep -qx '0 MPI_Comm_spawn 1 MPI_INFO_NULL 0 MPI_COMM_SELF MPI_COMM_NULL -1 null' near.calls || fail "the failed one: $(cat near.calls)"
expect 0 '^5 of the ranks are started by others' pgasim trace-info near.calls
expect 0 '"started_ranks": 5' pgasim trace-info --json near.calls
# Its messages: of each parent to the first three of those whom it met at the port, ranks 2 to 4 of the trace.
for trace in near.calls near.pgt; do
    pgasim trace-info --json $trace >info.json || fail "trace-info $trace"
    python3 - <<'PY' || fail "messages and communicators of $trace"
import json
got = json.load(open("info.json"))
pairs = got["pairs_with_most_bytes"]
made = [c for c in got["communicators"] if c["made_by"] == "MPI_Comm_dup"]
assert got["pairs"] == 6 and got["unmatched"] == 0 and len(pairs) >= 3, got
for p in pairs:
    assert p["from"] in (0, 1) and p["to"] in (2, 3, 4) and (p["messages"], p["bytes"]) == (1, 100000), p
assert made == [{"made_by": "MPI_Comm_dup", "ranks": 5, "count": 1}], got["communicators"]
PY
done
# Two worlds, whose ranks have the same numbers; on MPI_COMM_WORLD, between parents and children, merged, and at a socket.
# One message is not received.
cat >worlds <<'E'
# pgasim trace of calls 1, ranks: 1, and those that they start
0 MPI_Init
0 MPI_Comm_spawn 2 MPI_INFO_NULL 0 MPI_COMM_WORLD c0 1 [2]
0 MPI_Comm_spawn 2 MPI_INFO_NULL 0 MPI_COMM_WORLD c1 3 [2]
0 MPI_Send - 10 MPI_INT 1 5 c0
0 MPI_Send - 10 MPI_INT 1 5 c1
0 MPI_Intercomm_merge c0 0 c2
0 MPI_Recv - 1 MPI_INT 2 9 c2
0 MPI_Comm_join 3 c3
0 MPI_Send - 1 MPI_INT 0 4 c3
1 MPI_Init
1 MPI_Comm_get_parent c0
1 MPI_Intercomm_merge c0 1 c1
1 MPI_Send - 1 MPI_INT 1 7 MPI_COMM_WORLD
2 MPI_Init
2 MPI_Comm_get_parent c0
2 MPI_Recv - 10 MPI_INT 0 5 c0
2 MPI_Intercomm_merge c0 1 c1
2 MPI_Send - 1 MPI_INT 0 9 c1
2 MPI_Recv - 1 MPI_INT 0 7 MPI_COMM_WORLD
3 MPI_Init
3 MPI_Comm_join 0 c0
3 MPI_Recv - 1 MPI_INT 0 4 c0
3 MPI_Send - 1 MPI_INT 1 7 MPI_COMM_WORLD
4 MPI_Init
4 MPI_Comm_get_parent c0
4 MPI_Recv - 10 MPI_INT 0 5 c0
E
expect 0 '^Messages between 6 pairs of ranks' pgasim trace-info worlds
expect 0 'not sent as often as they are received: 1 of' pgasim trace-info worlds
expect 0 '^  rank 3 to rank 4, tag 7: 1 sent, 0 received$' pgasim trace-info worlds
# Two that accept at a port, and two that connect: who met whom is not known, and their messages are not counted.
cat >ports <<'E'
# pgasim trace of calls 1, ranks: 4
0 MPI_Comm_accept "port" MPI_INFO_NULL 0 MPI_COMM_SELF c0
0 MPI_Send - 1 MPI_INT 0 1 c0
1 MPI_Comm_accept "port" MPI_INFO_NULL 0 MPI_COMM_SELF c0
2 MPI_Comm_connect "port" MPI_INFO_NULL 0 MPI_COMM_SELF c0
2 MPI_Recv - 1 MPI_INT 0 1 c0
3 MPI_Comm_connect "port" MPI_INFO_NULL 0 MPI_COMM_SELF c0
E
expect 0 '"pairs": 0' pgasim trace-info --json ports
expect 0 '"unmatched": 0' pgasim trace-info --json ports
sed -i '/^[13] /d' ports
expect 0 '^  0 to 2 +1 ' pgasim trace-info -np 4 ports
pgasim convert near.calls again.calls >out 2>&1 || fail "to calls: $(cat out)"
pgasim convert again.calls again.pgt >out 2>&1 || fail "to pgt: $(cat out)"
for trace in again.calls again.pgt; do
    play play.json -platform near.xml -np 2 $trace
    [ "$(exactly near.json)" = "$(exactly play.json)" ] || fail "another end of $trace"
done
for to in ti goal meta; do
    expect 2 'ranks from 2 on are started by others \(MPI_Comm_spawn\)' pgasim convert --speed 1Gf near.calls near.$to
done
expect 2 'expected a trace whose ranks start no others' pgasim replay -platform near.xml --extrapolate 4 near.calls

# What is wrong.
trace() { { echo '# pgasim trace of calls 1, ranks: 1, and those that they start'; echo '0 MPI_Init'; cat; } >bad; }
trace <<<'0 MPI_Comm_spawn 1 MPI_INFO_NULL 0 MPI_COMM_WORLD c0 2 [1]
1 MPI_Init'
expect 2 '1 ranks begin|2 ranks begin with the trace: expected as many' pgasim replay -np 1 bad
trace <<<'0 MPI_Comm_spawn 1 MPI_INFO_NULL 0 MPI_COMM_WORLD c0 1 [1]
2 MPI_Init'
expect 2 'bad: its calls of MPI_Comm_spawn start 1 ranks, the first one of which is 1, and the trace has 3' pgasim replay bad
trace <<<'0 repeat 2
0 MPI_Comm_spawn 1 MPI_INFO_NULL 0 MPI_COMM_WORLD c0 1 [1]
0 end'
expect 2 'bad: rank 0, line 4: ranks 1 to 1 are started: expected ranks behind those' pgasim replay bad
trace <<<'0 MPI_Comm_spawn 1 MPI_INFO_NULL 0 MPI_COMM_WORLD c0 1 [1]
1 barrier'
expect 2 'bad:4: barrier: rank 1 is started by others' pgasim replay bad
trace <<<'0 MPI_Comm_spawn 1 MPI_INFO_NULL 0 MPI_COMM_WORLD c0 1 [1]
1 shmem_barrier_all'
expect 2 'bad:4: shmem_barrier_all: rank 1 is started by others: expected calls of MPI' pgasim replay bad
trace <<<'0 pstate 0 1
0 MPI_Comm_spawn 1 MPI_INFO_NULL 0 MPI_COMM_WORLD c0 1 [1]'
expect 2 'bad: an action names rank 1 before it is started' pgasim replay bad
sed 's/, and those.*//' bad >strict
expect 2 'strict:3: .*expected .* below 1, the number of ranks' pgasim replay -np 1 strict
sed -i '/pstate/d' strict
expect 2 'strict:3: MPI_Comm_spawn: ranks from 1 on are started: expected one file' pgasim replay -np 1 strict
finish
