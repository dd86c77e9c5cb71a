#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Settings noise/...: times that can be computed by hand, one kind of noise after the other; that a seed gives the same run
# whatever else is switched on, and its replay, too; what is said of wrong ones.
. "$(dirname "$0")/lib.sh"


cat >two.xml <<'XML'
<?xml version="1.0"?>
<platform version="4.1">
<zone id="z" routing="Full">
<host id="a" speed="1Gf"/><host id="b" speed="2Gf"/>
<link id="l" bandwidth="1MBps" latency="1ms" sharing_policy="FATPIPE"/>
<route src="a" dst="b"><link_ctn id="l"/></route>
</zone>
</platform>
XML
raw=(--platform two.xml --map-by host --cfg=network/model:CM02 --cfg=network/crosstraffic:no)

# simulated FILE WANTED WHAT: the simulated seconds in a file of --json
simulated() {
    python3 - "$@" <<'PY' || fail "$3"
import json, sys
got = json.load(open(sys.argv[1]))["simulated_seconds"]
if abs(got - float(sys.argv[2])) > 1e-9:
    sys.exit("expected %s s, got %r" % (sys.argv[2], got))
PY
}
# takes WANTED OPTIONS TRACE
takes() {
    local wanted=$1
    shift
    pgasim replay "${raw[@]}" --quiet --json run.json "$@" >out 2>&1 || fail "$*: status $?: $(cat out)"
    simulated run.json "$wanted" "$*"
}

# --- by hand: 1 s, 1 ms of latency, 1 s and 16 us (a header) at 1 MB/s, 0.5 s
cat >send <<'E'
0 init
1 init
0 compute 1e9
0 send 1 0 1000000
1 recv 0 0 1000000
1 compute 1e9
0 finalize
1 finalize
E
takes 2.501016 send
takes 2.501016 --set noise/seed=7 send
takes 2.502016 --set noise/latency=constant:1ms send
takes 2.503016 --set noise/latency-factor=constant:3 send
takes 2.501016 --set noise/local-latency=constant:1ms send
takes 3.501032 --set noise/bandwidth=constant:0.5 send
takes 1.751016 --set noise/speed=constant:2 send
takes 2.511016 --set noise/start=constant:10ms send
takes 2.516016 --set noise/compute=constant:10ms/constant:100us send # 100 ticks, then 50
takes 2.531016 --set 'noise/compute=constant:10ms/constant:100us;constant:100ms/constant:1ms' send
printf '# ticks\nconstant:10ms /\n  constant:100us # as above\n' >ticks
takes 2.516016 --set noise/compute=file:ticks send
sed 's,<zone,<config><prop id="noise/latency" value="constant:1ms"/></config><zone,' two.xml >noisy.xml
takes 2.502016 --platform noisy.xml send

# LogGP: computation and starts, by rank
cat >schedule.goal <<'E'
num_ranks 2
rank 0 {
a: calc 100000000
s: send 8b to 1 tag 1
s requires a
}
rank 1 {
r: recv 8b from 0 tag 1
c: calc 200000000
c requires r
}
E
loggp=(--set replay/model=LogGP)
takes 0.300005542 "${loggp[@]}" schedule.goal
takes 0.303005542 "${loggp[@]}" --set noise/compute=constant:10ms/constant:100us schedule.goal
takes 0.310005542 "${loggp[@]}" --set noise/start=constant:10ms schedule.goal
takes 0.150005542 "${loggp[@]}" --set noise/speed=constant:2 schedule.goal
takes 0.310005542 "${loggp[@]}" --set noise/latency=constant:10ms schedule.goal
takes 0.300008042 "${loggp[@]}" --set noise/latency-factor=constant:2 schedule.goal
takes 0.300005542 "${loggp[@]}" --set noise/local-latency=constant:10ms schedule.goal
# half the bandwidth: 7 further bytes take 12 ns each at the receiver
takes 0.300005584 "${loggp[@]}" --set noise/bandwidth=constant:0.5 schedule.goal
# interruptions as recorded: 10 and 20 of them, wherever in the trace the ranks are, unless that is within one
seq 0 10000000 30000000000 | sed 's/$/\t100000/' >interruptions
takes 0.303005542 "${loggp[@]}" --set loggp/noise-trace=interruptions schedule.goal
takes 0.303005542 "${loggp[@]}" --set loggp/noise-trace=interruptions --set loggp/noise-together=yes --set noise/seed=5 schedule.goal
printf '# nothing\n' >empty
printf '5 1\n4 1\n' >backwards
printf '5\n' >half
refuses() { expect 2 "$1" pgasim replay "${loggp[@]}" --set loggp/noise-trace="$2" schedule.goal; }
refuses '^pgasim: error: loggp/noise-trace: none: cannot be read: No such file or directory$' none
refuses '^pgasim: error: loggp/noise-trace: empty: expected interruptions, the last of which begins after 0$' empty
refuses '^pgasim: error: loggp/noise-trace: backwards:2: an interruption that begins before the one in front of it$' backwards
refuses '^pgasim: error: loggp/noise-trace: half:1: its duration is missing$' half

# --- one seed, one run
noise=(--set 'noise/compute=exponential:10ms/lognormal:50us:0.8;constant:4ms/constant:3us' --set noise/latency=pareto:1us:1.5
    --set noise/latency-factor=lognormal:1:0.1 --set noise/local-latency=gamma:2:1us --set noise/bandwidth=lognormal:1:0.05
    --set noise/speed=lognormal:1:0.02 --set noise/start=exponential:1ms)
cat >hosts.xml <<'XML'
<?xml version='1.0'?>
<platform version='4.1'>
<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" core="2" bw="125MBps" lat="50us">
<prop id="wattage_per_state" value="10:20:30"/>
</cluster>
</platform>
XML
"$bin/wrappers/mpicc" -O1 -I"$top/include" -o program "$top/tests/cli/noise_program.c" || fail "noise_program.c does not compile"
exact() { # FILE: all digits of the simulated time
    python3 -c 'import json, sys; print(repr(json.load(open(sys.argv[1]))["simulated_seconds"]))' "$1"
}
one() { # NAME OPTIONS: a run
    local name=$1
    shift
    pgasim run --compute=off --quiet --platform hosts.xml --map-by host -np "$ranks" --json "$name.json" "$@" ./program >out 2>&1 ||
        fail "$*: status $?: $(cat out)"
}
for ranks in 4 12; do # with a core each, and sharing them
    one quiet
    one first "${noise[@]}"
    one other "${noise[@]}" --set noise/seed=2
    wanted=$(exact first.json)
    for name in quiet other; do
        [ "$(exact $name.json)" != "$wanted" ] || fail "$ranks ranks: $name as with seed 1: $wanted"
    done
    one again "${noise[@]}" --trace events.pgt
    [ "$(exact again.json)" = "$wanted" ] || fail "$ranks ranks, traced: $(exact again.json), not $wanted"
    one again "${noise[@]}" --jobs 3
    [ "$(exact again.json)" = "$wanted" ] || fail "$ranks ranks, --jobs: $(exact again.json), not $wanted"
    one again "${noise[@]}" --set clocks/offset=1ms --set energy/account=off
    [ "$(exact again.json)" = "$wanted" ] || fail "$ranks ranks, clocks: $(exact again.json), not $wanted"
    one again "${noise[@]}" --set fold/stacks=own --record-ti recorded
    [ "$(exact again.json)" = "$wanted" ] || fail "$ranks ranks, recorded: $(exact again.json), not $wanted"
    pgasim replay --quiet --platform hosts.xml --map-by host "${noise[@]}" --json again.json recorded >out 2>&1 ||
        fail "replay: $(cat out)"
    [ "$(exact again.json)" = "$wanted" ] || fail "$ranks ranks, replayed: $(exact again.json), not $wanted"
done

# --- several seeds: the runs one by one, their median and the whole range; the first one's output alone
for seed in 1 2 3; do
    pgasim replay "${raw[@]}" --quiet --set noise/start=exponential:1s --set noise/seed=$seed --json $seed.json send ||
        fail "seed $seed"
done
wanted=$(python3 -c 'import json
t = sorted(json.load(open("%d.json" % k))["simulated_seconds"] for k in (1, 2, 3))
print("pgasim: 3 seeds: median %.3f s; 50%% of runs take %.3f s to %.3f s" % (t[1], t[0], t[2]))')
pgasim replay "${raw[@]}" --quiet --seeds 3 --set noise/start=exponential:1s --json first.json send >out 2>&1 ||
    fail "--seeds: $(cat out)"
[ "$(cat out)" = "$wanted" ] || fail "--seeds: $(cat out); expected $wanted"
[ "$(exact first.json)" = "$(exact 1.json)" ] || fail "--seeds: --json is not the first seed's"
python3 - <<'PY' || fail "--seeds: what --json says of them"
import json
t = [json.load(open("%d.json" % k))["simulated_seconds"] for k in (1, 2, 3)]
got = json.load(open("first.json"))["seeds"]
wanted = {"runs": 3, "median_seconds": sorted(t)[1], "low_seconds": min(t), "high_seconds": max(t), "probability": 0.5,
          "simulated_seconds": t}
assert got == wanted and "seeds" not in json.load(open("1.json")), (got, wanted)
PY
pgasim replay "${raw[@]}" --quiet --seeds 40 --set noise/start=exponential:1s --json - send >out 2>err || fail "40 seeds: $(cat err)"
python3 - <<'PY' || fail "40 seeds"
import json
got = json.load(open("out"))["seeds"]
t = sorted(got["simulated_seconds"])
assert got["runs"] == len(set(t)) == 40 and (got["low_seconds"], got["high_seconds"], got["probability"]) == (t[1], t[38], 0.9), got
PY
expect 2 'none: .*No such file' pgasim replay --seeds 2 none
# One of the others fails: it is named, and its status is the command's, whose own run may take much longer.
cat >late.c <<'C'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (MPI_Wtime() > atof(argv[1]))
        exit(9);
    for (volatile long k = 0; k < 500000000; k++)
        ;
    return MPI_Finalize();
}
C
"$bin/wrappers/mpicc" -o late late.c || fail "late.c does not compile"
late() { # JSON LIMIT OPTIONS: the program begins at a random time, and fails after LIMIT
    local json=$1 limit=$2
    shift 2
    pgasim run --compute=off --quiet --platform two.xml -np 1 --set noise/start=exponential:1s --json "$json" "$@" ./late "$limit"
}
begins() { late t.json 1e9 --set noise/seed="$1" && exact t.json; }
first=$(begins 1) second=$(begins 2)
limit=$(python3 -c 'import sys; print(sum(map(float, sys.argv[1:])) / 2)' "$first" "$second")
if python3 -c 'import sys; sys.exit(float(sys.argv[1]) > float(sys.argv[2]))' "$first" "$second"; then
    expect 9 'seed 2 ended with status 9; --set noise/seed=2 without --seeds shows it' late pair.json "$limit" --seeds 2
else
    late pair.json "$limit" --seeds 2 >out 2>&1
    [ $? = 9 ] || fail "seed 1 does not fail: $(cat out)"
fi
python3 -c 'import json; d = json.load(open("pair.json")); assert d["status"] == 9 and "seeds" not in d, d' || fail "pair.json"
# Ended in the middle, it leaves no run behind.
printf '#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); for (;;) MPI_Wtime(); }\n' >endless.c
"$bin/wrappers/mpicc" -o endless endless.c || fail "endless.c does not compile"
runs() { pgrep -f -- "--json $work/ended.json ./endless"; }
pgasim run --compute=off --quiet --platform two.xml -np 1 --seeds 4 --json "$work/ended.json" ./endless >out 2>&1 &
pid=$!
for ((k = 0; k < 200; k++)); do [ "$(runs | wc -l)" -ge 3 ] && break; sleep 0.05; done
sleep 0.2
kill -TERM $pid
wait $pid
for ((k = 0; k < 200; k++)); do runs >left || break; sleep 0.05; done
[ -s left ] && fail "left behind: $(cat left)"
grep -q '"ended": "interrupted"' ended.json || fail "an interrupt: $(cat ended.json)"
# Who starts the others is killed, and then the first seed's run is over: which seeds are missing, and the status.
cat >until.c <<'C'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    while (access(argv[1], F_OK))
        ;
    return MPI_Finalize();
}
C
"$bin/wrappers/mpicc" -o until until.c || fail "until.c does not compile"
runs() { pgrep -f -- "--json $work/killed.json ./until"; }
pgasim run --compute=off --quiet --platform two.xml -np 1 --seeds 4 --json "$work/killed.json" ./until "$work/go" >out 2>&1 &
pid=$!
for ((k = 0; k < 200; k++)); do [ "$(runs | wc -l)" -ge 3 ] && break; sleep 0.05; done
pkill -KILL -P $pid || fail "nobody starts the others"
for ((k = 0; k < 200; k++)); do [ "$(runs)" = $pid ] && break; sleep 0.05; done
touch go
wait $pid
got=$?
if [ $got != 137 ] || ! grep -qx 'pgasim: error: seeds 2-4 are missing: the process that starts them was ended by signal 9; there is no interval' out; then
    fail "without those who start the others: status $got: $(cat out)"
fi
python3 -c 'import json; d = json.load(open("killed.json")); assert d["status"] == 137 and "seeds" not in d, d' || fail "killed.json"
expect 2 'expected 2 to 100000 runs' pgasim replay --seeds 1 send

# --- joules: interruptions keep the core busy. 100 ms and 10 ticks of 1 ms: 20 W above Idle with both cores, 15 with one
printf '0 init\n0 compute 1e8\n0 finalize\n' >alone
pgasim replay --quiet --platform hosts.xml --set noise/compute=constant:10ms/constant:1ms --json run.json alone >out 2>&1 ||
    fail "joules: $(cat out)"
simulated run.json 0.11 "joules: the time"
python3 - <<'PY' || fail "joules"
import json
host = json.load(open("run.json"))["energy"]["hosts"][0]
if abs(host["joules"] - 0.11 * 25) > 1e-9:
    raise SystemExit("expected 2.75 J, got %r" % host)
PY

# --- wrong ones
refused() { # TEXT OPTIONS
    local text=$1 status=0
    shift
    pgasim replay "${raw[@]}" --quiet "$@" send >out 2>&1 || status=$?
    if [ $status != 2 ] || ! grep -qF "$text" out; then
        fail "$*: status $status, $(cat out); expected: $text"
    fi
}
refused "noise/latency: 'fast': expected constant:X" --set noise/latency=fast
refused "noise/speed: '1us': expected a number" --set noise/speed=constant:1us
refused "noise/compute: 'constant:1ms': expected EVERY/FOR" --set noise/compute=constant:1ms
refused "noise/start: none.txt: cannot be read" --set noise/start=file:none.txt
refused "noise/bandwidth: 'constant:0': expected factors above" --set noise/bandwidth=constant:0
finish
