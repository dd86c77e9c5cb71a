#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Whose messages receives from any source get: those of the recorded run, or whoever comes first; the same program recorded
# and replayed on its platform, on another one, converted to other formats; lines that are wrong.
. "$(dirname "$0")/lib.sh"

end_of() { # of a replay of $1 with the options behind it
    local trace=$1
    shift
    pgasim replay --quiet --map-by host --json end.json "$@" "$trace" >out 2>&1 || fail "$trace $*: status $?: $(cat out)"
    python3 -c 'import json; print("%.3f" % json.load(open("end.json"))["simulated_seconds"])'
}
exactly() { python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["simulated_seconds"].hex())' "$1"; }

# Rank 1 sends at 1 s, rank 2 at 3 s, and rank 0 sleeps a second after the first message that it gets.
sends='1 sleep 1
1 MPI_Send - 8 MPI_BYTE 0 5 MPI_COMM_WORLD
2 sleep 3
2 MPI_Send - 8 MPI_BYTE 0 6 MPI_COMM_WORLD'
trace() { # NAME, then the lines of rank 0
    {
        echo '# pgasim trace of calls 1, ranks: 3'
        printf '%s MPI_Init\n' 0 1 2
        cat
        echo "$sends"
        printf '%s MPI_Finalize\n' 0 1 2
    } >"$1"
}
trace blocking <<'T'
0 source 2 6
0 MPI_Recv - 8 MPI_BYTE -1 -2 MPI_COMM_WORLD
0 sleep 1
0 source 1 5
0 MPI_Recv - 8 MPI_BYTE -1 -2 MPI_COMM_WORLD
T
trace later <<'T'
0 MPI_Irecv - 8 MPI_BYTE -1 -2 MPI_COMM_WORLD r0
0 MPI_Irecv - 8 MPI_BYTE -1 -2 MPI_COMM_WORLD r1
0 source 2 6
0 MPI_Wait r0
0 sleep 1
0 source 1 5
0 MPI_Wait r1
T
trace standing <<'T'
0 MPI_Recv_init - 8 MPI_BYTE -1 -2 MPI_COMM_WORLD r0
0 MPI_Start r0
0 source 2 6
0 MPI_Wait r0
0 sleep 1
0 MPI_Start r0
0 source 1 5
0 MPI_Wait r0
T
trace tags <<'T'
0 MPI_Mprobe -1 6 MPI_COMM_WORLD m0
0 source 2 6
0 MPI_Mrecv - 8 MPI_BYTE m0
0 sleep 1
0 source 1 5
0 MPI_Recv - 8 MPI_BYTE 1 -2 MPI_COMM_WORLD
T
trace looking <<'T'
0 source 2 6
0 MPI_Iprobe -1 -2 MPI_COMM_WORLD 1
0 MPI_Recv - 8 MPI_BYTE 2 6 MPI_COMM_WORLD
0 sleep 1
0 MPI_Improbe -1 -2 MPI_COMM_WORLD 0 MPI_MESSAGE_NULL
0 source 1 5
0 MPI_Improbe -1 -2 MPI_COMM_WORLD 1 m0
0 MPI_Mrecv - 8 MPI_BYTE m0
T
for t in blocking later standing tags looking; do
    [ "$(end_of $t)" = 4.000 ] || fail "$t: $(cat end.json)"
done
for t in blocking later standing; do
    [ "$(end_of $t --set replay/sources=any)" = 3.000 ] || fail "$t, any: $(cat end.json)"
    for to in calls ti pgt goal; do
        pgasim convert --speed 1Gf $t $t.$to 2>/dev/null
        [ "$(end_of $t.$to)" = 4.000 ] || fail "$t.$to: $(cat end.json)"
    done
    grep -q -- '-1' $t.goal && fail "$t.goal: $(cat $t.goal)"
done
pgasim convert --share-ranks blocking shared.calls >/dev/null 2>&1
[ "$(end_of shared.calls)" = 4.000 ] || fail "shared: $(cat end.json shared.calls_files/*)"
expect 0 '2 receives and probes from any source get whom they got' pgasim replay --map-by host blocking
expect 0 'source: 2 times, as any source' pgasim convert --speed 1Gf blocking out.meta

# What got no message, because it was cancelled, takes none here either; what is not known takes whoever comes first.
trace cancelled <<'T'
0 MPI_Irecv - 8 MPI_BYTE -1 -2 MPI_COMM_WORLD r0
0 MPI_Recv_init - 8 MPI_BYTE -1 5 MPI_COMM_WORLD r1
0 MPI_Start r1
0 sleep 2
0 MPI_Cancel r0
0 source
0 MPI_Wait r0
0 MPI_Cancel r1
0 source
0 MPI_Wait r1
0 source 2 6
0 MPI_Recv - 8 MPI_BYTE -1 -2 MPI_COMM_WORLD
0 sleep 1
0 MPI_Start r1
0 source 1 5
0 MPI_Wait r1
T
[ "$(end_of cancelled)" = 4.000 ] || fail "cancelled: $(cat end.json)"
for to in calls pgt ti; do
    pgasim convert --speed 1Gf cancelled cancelled.$to 2>/dev/null
    [ "$(end_of cancelled.$to)" = 4.000 ] || fail "cancelled.$to: $(cat end.json)"
done
sed 's/^0 source .*/0 source any/' blocking >unknown
[ "$(end_of unknown)" = 3.000 ] || fail "unknown: $(cat end.json)"
pgasim convert unknown unknown.calls || fail "unknown to calls"
grep -q '^0 source any$' unknown.calls || fail "unknown.calls: $(cat unknown.calls)"
[ "$(end_of unknown.calls)" = 3.000 ] || fail "unknown.calls: $(cat end.json)"

# In loops, and of a further thread, whose lines are apart.
trace loops <<'T'
0 thread_create 2
0.2 repeat 1
0.2 MPI_Recv - 8 MPI_BYTE -1 -2 MPI_COMM_WORLD
0.2 source 2 6
0.2 end
0.2 thread_end
0 thread_join 2
0 sleep 1
0 MPI_Recv - 8 MPI_BYTE -1 -2 MPI_COMM_WORLD
0 source 1 5
T
[ "$(end_of loops)" = 4.000 ] || fail "loops: $(cat end.json)"

# What is wrong.
sed '/^0 source 1/d' blocking >less
expect 2 'less: rank 0, line 8: MPI_Recv takes any source or tag: expected one more line "source"' \
    pgasim replay --quiet --map-by host less
[ "$(end_of less --set replay/sources=any)" = 3.000 ] || fail "less, any: $(cat end.json)"
for line in '0 source 3 1' '0 source 1' '0 source 1 -1' '0 source x 1'; do
    { cat blocking && echo "$line"; } >bad
    expect 2 "bad:17: source" pgasim replay --quiet bad
done
expect 2 "replay/sources: 'x' is unknown; expected recorded or any" pgasim replay --set replay/sources=x blocking

# Random programs: the same end where they were recorded, in both ways; no deadlock elsewhere, nor as a schedule.
pgasim cc -O1 -o wild "$top/tests/run/programs/mpi_sources_random.c" || fail "the program does not compile"
pgasim platform generate torus --hosts 8 --cores 1 --bw 1Gbps --lat 50us >torus.xml || fail "a platform"
first=${PGASIM_TEST_SEED:-1}
for seed in $(seq "$first" $((first + 7))); do
    np=$((seed % 5 + 2))
    pgasim run -np $np --map-by host --quiet --compute=off --json run.json --record-ti wild.zst ./wild "$seed" >out 2>&1 ||
        fail "run, seed $seed: $(cat out)"
    for how in recorded any; do
        end_of wild.zst --set replay/sources=$how >/dev/null
        [ "$(exactly run.json)" = "$(exactly end.json)" ] || fail "seed $seed, $how: another end"
    done
    end_of wild.zst -platform torus.xml >/dev/null
    pgasim convert --speed 1Gf wild.zst wild.goal >/dev/null 2>&1 || fail "seed $seed: no schedule"
    end_of wild.goal >/dev/null
done
finish
