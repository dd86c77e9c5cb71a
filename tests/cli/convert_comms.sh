#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim convert` of calls on communicators of some of the ranks: the messages that it writes are those of a run, rank by rank
# in number and bytes, whatever the communicator was made by.
. "$(dirname "$0")/lib.sh"

pgasim cc -O1 -o program "$top/tests/cli/convert_comms_program.c" 2>cc.out || fail "$(cat cc.out)"
# moved JSON: messages and bytes, those of collectives included
moved() {
    python3 -c 'import json, sys
o = json.load(open(sys.argv[1]))["operations"]
print(o["messages"] + o["collective_messages"], o["message_bytes"] + o["collective_bytes"])' "$1"
}
# record FILE CHOICE ARGUMENTS
record() {
    pgasim run -np 8 --map-by $map --quiet --compute=off --set coll/selector="$2" --json "$1.json" --record-ti "$1" ./program "${@:3}" >run.out 2>&1 ||
        fail "run: $(cat run.out)"
}
less() { echo "$(moved "$1") $(moved "$2")" | awk '{print $1 - $3, $2 - $4}'; }
# What the communicators themselves take is left out, and what the end of a program does. Algorithms are chosen as for ranks that
# share no host, on a network that is not known.
for choice in auto ompi-4.1 mpich; do
    map=host
    [ $choice = auto ] && map=core
    record made.calls $choice
    record used.calls $choice use
    wanted=$(less used.calls.json made.calls.json)
    for to in goal ti; do
        for what in made used; do
            pgasim convert --set coll/selector=$choice $what.calls $what.$to 2>unsaid || fail "convert to $to: $(cat unsaid)"
            pgasim replay --map-by $map --set coll/selector=$choice --quiet --json $what.json $what.$to >out 2>&1 || fail "replay of $to, $choice: $(cat out)"
        done
        [ "$(less used.json made.json)" = "$wanted" ] ||
            fail "$to, $choice: messages and bytes $(less used.json made.json), expected $wanted"
    done
    grep -q 'iallreduce: 8 times, of some ranks, as its messages, and as the blocking one' unsaid || fail "unsaid: $(cat unsaid)"
done

# --- algorithms whose members learn sizes on the way have another one
pgasim convert --set coll/gatherv=binomial used.calls learned.goal 2>unsaid || fail "convert: $(cat unsaid)"
grep -q 'gatherv: 8 times, by an algorithm whose members learn no sizes on the way' unsaid || fail "unsaid: $(cat unsaid)"
pgasim replay --quiet --json replayed.json learned.goal >replay.out 2>&1 || fail "replay: $(cat replay.out)"

# --- two communicators of the same ranks, persistent collectives: started in any order, and waited for in any
{
    echo '# pgasim trace of calls 1, ranks: 2'
    for rank in 0 1; do
        printf "$rank %s\n" 'MPI_Comm_dup MPI_COMM_WORLD c0' 'MPI_Comm_dup MPI_COMM_WORLD c1' \
            'MPI_Bcast_init - 5 MPI_INT 0 c0 MPI_INFO_NULL r0' 'MPI_Bcast_init - 500 MPI_INT 1 c0 MPI_INFO_NULL r1'
    done
    printf '%s\n' '0 MPI_Startall 2 [r0,r1]' '1 MPI_Startall 2 [r1,r0]' '0 MPI_Wait r1' '1 MPI_Wait r0' '0 MPI_Wait r0' '1 MPI_Wait r1' \
        '0 MPI_Ibcast - 6 MPI_INT 0 c0 r2' '0 MPI_Ibcast - 600 MPI_INT 0 c1 r3' '1 MPI_Ibcast - 600 MPI_INT 0 c1 r2' \
        '1 MPI_Ibcast - 6 MPI_INT 0 c0 r3' '0 MPI_Waitall 2 [r2,r3]' '1 MPI_Waitall 2 [r2,r3]'
} >order.calls
pgasim convert --quiet order.calls order.goal || fail "order"
# Each message's receive has its size and tag.
[ "$(sed -n 's/.*send \(.*\) to [01]/\1/p' order.goal | sort)" = "$(sed -n 's/.*recv \(.*\) from [01]/\1/p' order.goal | sort)" ] ||
    fail "messages and receives differ: $(grep -e send -e recv order.goal)"
[ "$(grep -c send order.goal)" = 4 ] || fail "messages: $(grep send order.goal)"

# --- calls that do not agree, or communicators of unknown members: left out, and nothing else
cat >wrong.calls <<'T'
# pgasim trace of calls 1, ranks: 3
0 MPI_Comm_split MPI_COMM_WORLD 0 0 c0
1 MPI_Comm_split MPI_COMM_WORLD 0 0 c0
2 MPI_Comm_dup MPI_COMM_WORLD c0
0 MPI_Barrier c0
1 MPI_Send - 3 MPI_INT 0 1 c0
0 MPI_Recv - 3 MPI_INT 1 1 c0
0 MPI_Comm_dup c0 c1
0 MPI_Barrier c1
0 MPI_Comm_split_type MPI_COMM_WORLD 1 0 MPI_INFO_NULL c2
0 MPI_Bcast - 10 MPI_INT 0 c2
0 MPI_Barrier MPI_COMM_SELF
2 MPI_Comm_split MPI_COMM_WORLD 0 0 c0
0 MPI_Send - 5 MPI_INT 1 1 MPI_COMM_WORLD
1 MPI_Recv - 5 MPI_INT 0 1 MPI_COMM_WORLD
T
pgasim convert wrong.calls wrong.ti 2>unsaid || fail "convert: $(cat unsaid)"
printf '0 send 1 1 20 6\n1 recv 0 1 20 6\n' >wanted
cmp -s wrong.ti wanted || fail "wrong.ti: $(cat wrong.ti)"
for what in 'MPI_Barrier: 2 times, left out' 'MPI_Bcast: 1 times, left out' 'MPI_Send: 1 times, left out' \
    'MPI_Comm_split: 3 times, left out' 'MPI_Comm_split_type: 1 times, left out'; do
    grep -qF "$what" unsaid || fail "'$what' is not in: $(cat unsaid)"
done
finish
