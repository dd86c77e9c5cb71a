#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim replay --jobs`: jobs that share hosts and links, their places, workloads in SWF, background traffic; times that
# can be computed by hand, and what is said of wrong lists.
. "$(dirname "$0")/lib.sh"

cat >four.xml <<'XML'
<?xml version="1.0"?>
<platform version="4.1">
<zone id="z" routing="Full">
<host id="a" speed="1Gf" core="2"/><host id="b" speed="2Gf" core="2"/>
<host id="c" speed="4Gf" core="2"/><host id="d" speed="8Gf" core="2"/>
<link id="l" bandwidth="1MBps" latency="1ms"/>
<route src="a" dst="b"><link_ctn id="l"/></route><route src="a" dst="c"><link_ctn id="l"/></route>
<route src="a" dst="d"><link_ctn id="l"/></route><route src="b" dst="c"><link_ctn id="l"/></route>
<route src="b" dst="d"><link_ctn id="l"/></route><route src="c" dst="d"><link_ctn id="l"/></route>
</zone>
</platform>
XML
jobs() { pgasim replay --platform four.xml --cfg=network/model:CM02 --cfg=network/crosstraffic:no --json run.json "$@"; }

# shown LIST OPTIONS -- EXPECTED...: "name start end" of each job, and with --alone its slowdown
shown() {
    local words=()
    while [ "$1" != -- ]; do
        words+=("$1")
        shift
    done
    shift
    jobs --jobs "${words[@]}" >out 2>&1 || fail "${words[*]}: status $?: $(cat out)"
    python3 - "$@" <<'PY' || fail "${words[*]}"
import json, sys
jobs = [j for j in json.load(open("run.json"))["jobs"] if not j["background"]]
wanted = [w.split() for w in sys.argv[1:]]
got = [[j["name"], j["start_seconds"], j["end_seconds"]] + ([j["slowdown"]] if "slowdown" in j else []) for j in jobs]
same = len(got) == len(wanted) and all(
    len(g) == len(w) and g[0] == w[0] and all(abs(a - float(b)) < 1e-9 * max(1, a) for a, b in zip(g[1:], w[1:]))
    for g, w in zip(got, wanted))
if not same:
    sys.exit("expected %s, got %s" % (wanted, got))
PY
}

printf '0 compute 1e9\n' >one
printf '0 compute 1e9\n1 compute 2e9\n2 compute 4e9\n3 compute 8e9\n' >rising
cat >talking <<'TI'
0 init
1 init
0 compute 1e8
0 isend 1 3 5000
0 wait 0 1 3
1 recv 0 3 5000
0 allreduce 100 1e6 0
1 allreduce 100 1e6 0
0 ibcast 1000 1
1 ibcast 1000 1
0 gatherv 10 10 20 0
1 gatherv 20 10 20 0
0 waitall
1 waitall
0 sendRecv 10 1 20 1
1 sendRecv 20 0 10 0
0 finalize
1 finalize
TI

# --- a job alone takes the time of its replay, to the last bit; so does the second of two that do not meet
echo '[{"trace": "talking", "hosts": ["a", "b"]}]' >alone.json
echo '{"jobs": [{"trace": "one", "compute-scale": 0.1, "hosts": ["d"]}, {"trace": "talking", "hosts": ["a", "b"]}]}' >apart.json
simulated() { python3 -c 'import json; d = json.load(open("run.json")); print(repr(d["simulated_seconds"]))'; }
jobs --quiet --map-by host talking || fail "talking: status $?"
by_itself=$(simulated)
for list in alone apart; do
    jobs --quiet --alone --jobs $list.json || fail "$list.json: status $?"
    [ "$(simulated)" = "$by_itself" ] || fail "$list.json: $(simulated), expected $by_itself"
    python3 -c '
import json, sys
d = json.load(open("run.json"))["jobs"][-1]
assert d["alone_seconds"] == d["end_seconds"] and d["slowdown"] == 1, d' || fail "$list.json: alone"
done

# --- two jobs compute on the same cores, or one after the other; repetitions
echo '[{"name": "x", "trace": "one", "hosts": ["a"], "repeat": 4}]' >same.json
shown same.json --alone -- "x#1 0 2 2" "x#2 0 2 2" "x#3 0 2 2" "x#4 0 2 2"
echo '[{"name": "x", "trace": "one", "hosts": ["a"], "repeat": 3, "interval": "2s", "start": 1}]' >later.json
shown later.json -- "x#1 1 2" "x#2 3 4" "x#3 5 6"
echo '[{"trace": "one", "hosts": ["a"], "compute-scale": 3}, {"trace": "one", "hosts": ["b"]}]' >scaled.json
shown scaled.json --compute-scale 2 -- "job1 0 6" "job2 0 1"

# --- places: packed and round-robin take free cores; random the same ones for a seed
for how in packed round-robin; do echo "[{\"trace\": \"rising\", \"placement\": \"$how\"}]" >$how.json; done
shown packed.json -- "job1 0 4"
shown round-robin.json -- "job1 0 1"
echo '[{"trace": "one"}, {"trace": "one", "hosts": ["b"]}, {"trace": "one", "repeat": 3}]' >free.json
shown free.json -- "job1 0 1" "job2 0 0.5" "job3#1 0 1" "job3#2 0 0.5" "job3#3 0 0.25"
echo '[{"trace": "rising", "np": 4, "repeat": 3}]' >full.json
jobs --jobs full.json >out 2>&1 || fail "full: status $?"
grep -q 'notice (replay/crowded, 1 time): full.json:1: job job1#3 and later ones' out || fail "$(cat out)"
printf 'c\nd\n' >hostfile
echo '[{"trace": "rising", "hostfile": "hostfile"}]' >hostfile.json
shown hostfile.json -- "job1 0 1"
echo '[{"trace": "rising", "placement": "random", "seed": 5}]' >random.json
jobs --quiet --jobs random.json || fail "random.json"
cp run.json first.json
jobs --quiet --jobs random.json || fail "random.json"
python3 -c '
import json
a, b = (json.load(open(f))["jobs"] for f in ("first.json", "run.json"))
assert a == b, (a, b)' || fail "random placement differs"

# --- a workload: 8 cores, first come, first served; a job without a trace takes the time that it ran
cat >log.swf <<'SWF'
; Version: 2.2
1 0 -1 10 6 -1 -1 6 -1 -1 1 1 1 9 1 -1 -1 -1
2 1 -1 5 4 -1 -1 4 -1 -1 1 1 1 9 1 -1 -1 -1
3 2 -1 3 1 -1 -1 1 -1 -1 1 1 1 9 1 -1 -1 -1
4 2 -1 7 -1 -1 -1 -1 -1 -1 1 1 1 9 1 -1 -1 -1
5 3 -1 20 8 -1 -1 8 -1 -1 1 1 1 9 1 -1 -1 -1
6 30 -1 1 4 -1 -1 4 -1 -1 1 1 1 3 1 -1 -1 -1
SWF
shown log.swf --job-trace 3=rising -- "1 0 10" "2 10 15" "3 10 13" "5 15 35" "6 35 39"
gzip -k log.swf
shown log.swf.gz --job-trace 3=rising --alone -- "1 0 10 1" "2 10 15 1" "3 10 13 1" "5 15 35 1" "6 35 39 1"
mkdir -p traces && cp rising traces/app.4
sed 's/ 9 1 -1 -1 -1$/ 3 1 -1 -1 -1/; /^[1235] /d' log.swf >patterns.swf
shown patterns.swf --job-trace 'traces/app.%n' -- "6 30 34"
shown patterns.swf --job-trace 'traces/app.%n' -hostfile hostfile -- "6 30 31"

# --- EASY backfilling: by hand, and random workloads against a plain version of it
cat >fill.swf <<'SWF'
1 0 -1 10 6 -1 -1 6 12 -1 1 1 1 9 1 -1 -1 -1
2 1 -1 5 8 -1 -1 8 5 -1 1 1 1 9 1 -1 -1 -1
3 2 -1 10 1 -1 -1 1 11 -1 1 1 1 9 1 -1 -1 -1
4 2 -1 9 1 -1 -1 1 10 -1 1 1 1 9 1 -1 -1 -1
SWF
shown fill.swf -- "1 0 10" "2 10 15" "3 15 25" "4 15 24"
shown fill.swf --set replay/queue=easy -- "1 0 10" "2 11 16" "3 16 26" "4 2 11"
expect 2 "replay/queue: 'x' is unknown; expected first-come or easy" jobs --set replay/queue=x --jobs fill.swf
for seed in 1 2 3 4 5 6; do
    python3 - $seed >random.swf <<'PY'
import random, sys
draw, at = random.Random(int(sys.argv[1])), 0
for k in range(1, 201):
    at += draw.choice([0, 0, 1, 3, 9])
    ran = draw.randint(1, 30)
    asked = draw.choice([-1, ran, ran + draw.randint(0, 20), max(1, ran - draw.randint(0, 9))])
    print(k, at, -1, ran, draw.choice([1, 1, 2, 3, 4, 6, 8]), -1, -1, -1, asked, -1, 1, 1, 1, 9, 1, -1, -1, -1)
PY
    jobs --quiet --set replay/queue=easy --jobs random.swf || fail "random workload $seed: status $?"
    python3 - <<'PY' || fail "random workload $seed: backfilling"
import json
jobs = []
for line in open("random.swf"):
    f = [int(w) for w in line.split()]
    jobs.append({"at": f[1], "ran": f[3], "n": f[4], "asked": f[8] if f[8] > 0 else f[3]})

def begin(job, now):
    job["begin"], job["end"] = now, now + job["ran"]

def free_at(when, now):
    """Cores that nobody is expected to hold then."""
    return 8 - sum(j["n"] for j in jobs if "begin" in j and j["end"] > now and max(j["begin"] + j["asked"], now) > when)

def pass_over(now):
    queue = [j for j in jobs if "begin" not in j and j["at"] <= now]
    while queue and queue[0]["n"] <= 8 - sum(j["n"] for j in jobs if "begin" in j and j["end"] > now):
        begin(queue.pop(0), now)
    if not queue:
        return
    running = [j for j in jobs if "begin" in j and j["end"] > now]
    shadow = min(t for t in [max(j["begin"] + j["asked"], now) for j in running] if free_at(t, now) >= queue[0]["n"])
    for j in queue[1:]:
        held = 8 - sum(r["n"] for r in jobs if "begin" in r and r["end"] > now)
        if j["n"] <= held and (now + j["asked"] <= shadow or j["n"] <= free_at(shadow, now) - queue[0]["n"]):
            begin(j, now)

now = 0
while any("begin" not in j for j in jobs):
    pass_over(now)
    now = min([j["at"] for j in jobs if j["at"] > now] + [j["end"] for j in jobs if j.get("end", 0) > now])
got = [(j["start_seconds"], j["end_seconds"]) for j in json.load(open("run.json"))["jobs"]]
assert got == [(j["begin"], j["end"]) for j in jobs], [(k + 1, g, j) for k, (g, j) in enumerate(zip(got, jobs))
                                                       if g != (j["begin"], j["end"])][:3]
PY
done

# --- messages of two jobs on one core are told apart, and so are those that nobody receives
printf '0 isend 1 1 10\n0 isend 1 2 20\n1 recv 0 1 10\n' >leaves
cat >two.swf <<'SWF'
1 0 -1 1 2 -1 -1 2 -1 -1 1 1 1 1 1 -1 -1 -1
2 0 -1 1 2 -1 -1 2 -1 -1 1 1 1 1 1 -1 -1 -1
SWF
printf 'a\n' >hosts
jobs --jobs two.swf --job-trace leaves -hostfile hosts >out 2>&1 || fail "leaves: status $?: $(cat out)"
grep -q 'job 1, rank 1 never receives 20 bytes from rank 0, tag 2' out || fail "$(cat out)"
grep -q 'job 2, rank 1 never receives 20 bytes from rank 0, tag 2' out || fail "$(cat out)"

# --- traces of calls: each job has MPI_COMM_WORLD to itself, also where ranks play one job after the other
cat >calls <<'TI'
# pgasim trace of calls 1, ranks: 2
0 MPI_Init
1 MPI_Init
0 MPI_Comm_split MPI_COMM_WORLD 0 0 c0
1 MPI_Comm_split MPI_COMM_WORLD 0 0 c0
0 compute 1e8
0 seconds 0.5
0 MPI_Isend - 1000 MPI_DOUBLE 1 7 c0 r0
0 MPI_Wait r0
1 MPI_Recv - 1000 MPI_DOUBLE 0 7 c0
0 MPI_Win_create null 0 1 MPI_INFO_NULL MPI_COMM_WORLD w0
1 MPI_Win_create - 80 8 MPI_INFO_NULL MPI_COMM_WORLD w0
0 MPI_Win_fence 0 w0
1 MPI_Win_fence 0 w0
0 MPI_Put - 10 MPI_DOUBLE 1 0 10 MPI_DOUBLE w0
0 MPI_Win_fence 0 w0
1 MPI_Win_fence 0 w0
0 MPI_Allreduce - - 100 MPI_DOUBLE MPI_SUM MPI_COMM_WORLD
1 MPI_Allreduce - - 100 MPI_DOUBLE MPI_SUM MPI_COMM_WORLD
0 MPI_Barrier MPI_COMM_SELF
0 MPI_Win_free w0
1 MPI_Win_free w0
0 MPI_Finalize
1 MPI_Finalize
TI
printf 'c\nd\n' >c-d
for trace in calls talking; do
    jobs --quiet --map-by host -hostfile c-d $trace || fail "$trace: status $?"
    by_itself=$(simulated)
    sed "s/LEFT/$trace/; s/RIGHT/calls/" >mixed.json <<'JSON'
[{"trace": "RIGHT", "hosts": ["a", "b"]}, {"trace": "LEFT", "hosts": ["c", "d"]}]
JSON
    jobs --quiet --alone --jobs mixed.json || fail "mixed.json: status $?"
    python3 -c '
import json, sys
d = json.load(open("run.json"))["jobs"]
assert d[1]["alone_seconds"] == float(sys.argv[1]) and d[0]["end_seconds"] > 0.5, d' "$by_itself" ||
        fail "$trace beside calls: $by_itself by itself"
done
jobs --jobs two.swf --job-trace calls -hostfile hosts >out 2>&1 || fail "calls in turn: status $?: $(cat out)"
python3 -c '
import json
a, b = json.load(open("run.json"))["jobs"]
assert a["end_seconds"] - a["start_seconds"] > 0.5, a
assert abs(b["duration_seconds"] - a["duration_seconds"]) < 1e-9 and b["start_seconds"] == a["end_seconds"], (a, b)' ||
    fail "calls in turn"

# --- OpenSHMEM: each job has PEs from 0, heaps, locks and teams of its own, and its waits end by its own operations
for k in 0 1 2 3; do
    cat <<TI
$k shmem_init 1048576 [64,0]
$k shmem_malloc 4096
$k shmem_putmem_signal SHMEM_CTX_DEFAULT heap:0 - 2400 static:8 0 $(((k + 1) % 4))
$k shmem_wait_until static:8 8 [$(((k + 3) % 4)),3]
$k shmem_set_lock static:16
$k shmem_atomic_add SHMEM_CTX_DEFAULT heap:8 8 0
$k shmem_quiet SHMEM_CTX_DEFAULT
$k shmem_clear_lock static:16
$k shmem_putmem SHMEM_CTX_DEFAULT heap:64 - 8 $(((k + 1) % 4))
$k pgasim_polled [$(((k + 3) % 4)),6]
$k shmem_team_split_strided SHMEM_TEAM_WORLD 0 2 2 $([ $((k % 2)) = 0 ] && echo p3 || echo SHMEM_TEAM_INVALID)
TI
    [ $((k % 2)) = 1 ] || echo "$k shmem_sum_reduce p3 heap:0 heap:2048 10 \"long\""
    [ $((k % 2)) = 1 ] || echo "$k shmem_barrier 0 1 2 static:32"
    printf '%s\n' "$k shmem_barrier_all" "$k shmem_finalize"
done | sed '1i # pgasim trace of calls 1, ranks: 4' >symmetric
jobs --quiet --map-by host symmetric || fail "symmetric: status $?"
by_itself=$(simulated)
cat >symmetric.json <<'JSON'
[{"trace": "calls", "hosts": ["a", "b"]},
 {"name": "x", "trace": "symmetric", "hosts": ["a", "b", "c", "d"], "start": 60, "repeat": 2, "interval": "60s"},
 {"name": "y", "trace": "symmetric", "hosts": ["a", "b", "c", "d"], "start": 120}]
JSON
jobs --alone --jobs symmetric.json >out 2>&1 || fail "symmetric.json: status $?: $(cat out)"
grep -q warning out && fail "symmetric.json: $(cat out)"
python3 -c '
import json, sys
d = json.load(open("run.json"))["jobs"]
assert all(j["alone_seconds"] == float(sys.argv[1]) for j in d[1:]), d
assert abs(d[1]["duration_seconds"] - float(sys.argv[1])) < 1e-9 and d[1]["slowdown"] < 1 + 1e-9, d
assert d[2]["slowdown"] > 1.01 and d[3]["slowdown"] > 1.01, d' "$by_itself" || fail "OpenSHMEM in a list: $by_itself by itself"
cat >cores.swf <<'SWF'
1 0 -1 90 1 -1 -1 1 -1 -1 1 1 1 9 1 -1 -1 -1
2 0 -1 1 1 -1 -1 1 -1 -1 1 1 1 9 1 -1 -1 -1
3 0 -1 90 1 -1 -1 1 -1 -1 1 1 1 9 1 -1 -1 -1
4 2 -1 1 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1
5 2 -1 1 4 -1 -1 4 -1 -1 1 1 1 1 1 -1 -1 -1
6 2 -1 1 2 -1 -1 2 -1 -1 1 1 1 2 1 -1 -1 -1
SWF
jobs --jobs cores.swf --job-trace 1=symmetric --job-trace 2=calls >out 2>&1 || fail "OpenSHMEM in turn: status $?: $(cat out)"
grep -q warning out && fail "OpenSHMEM in turn: $(cat out)"
python3 -c '
import json
d = json.load(open("run.json"))["jobs"]
a, b, c = d[3:]
assert a["start_seconds"] == 2 and b["start_seconds"] == a["end_seconds"] and c["start_seconds"] == b["start_seconds"], d
assert abs(a["duration_seconds"] - b["duration_seconds"]) < 1e-3 and c["duration_seconds"] > 0.5, d' || fail "OpenSHMEM in turn"
sed 's/^2 shmem_wait_until.*/2 shmem_wait_until static:8 8 [1,99]/' symmetric >symmetric.stuck
echo '[{"trace": "one"}, {"name": "s", "trace": "symmetric.stuck", "hosts": ["a", "b"]}]' >stuck.json
expect 3 'job s, rank 2: plays line .* of the trace: shmem_wait_until' jobs --jobs stuck.json
expect 3 'operation 99 of job s, rank 1, has not come' jobs --jobs stuck.json

# --- schedules in GOAL: alone as by themselves, several at once from one file, and one after the other on the same cores
cat >goal <<'GOAL'
num_ranks 2
rank 0 {
l1: calc 100000000
l2: send 50000b to 1 tag 3
l3: recv 8b from 1 tag 4
l4: calc 20000000
l2 requires l1
l4 requires l3
}
rank 1 {
l1: recv 50000b from -1 tag -1
l2: send 8b to 0 tag 4
l3: calc 30000000 cpu 1
l2 requires l1
l3 irequires l2
}
GOAL
jobs --quiet --map-by host goal || fail "goal: status $?"
by_itself=$(simulated)
cat >goal.json <<'JSON'
[{"trace": "calls", "hosts": ["c", "d"]}, {"trace": "goal", "hosts": ["a", "b"]}]
JSON
jobs --quiet --alone --jobs goal.json || fail "goal.json: status $?"
python3 -c '
import json, sys
d = json.load(open("run.json"))["jobs"][1]
assert d["alone_seconds"] == float(sys.argv[1]), d' "$by_itself" || fail "goal as a job: $by_itself by itself"
echo '[{"trace": "goal", "hosts": ["a", "b"], "repeat": 3, "interval": 0.05}]' >goals.json
jobs --quiet --alone --trace t.pgt --jobs goals.json || fail "goals.json: status $?"
python3 -c '
import json, sys
d = json.load(open("run.json"))["jobs"]
assert len(d) == 3 and all(j["alone_seconds"] == float(sys.argv[1]) for j in d), d
assert d[0]["slowdown"] > 1 and d[2]["end_seconds"] > d[1]["end_seconds"], d' "$by_itself" || fail "three of goal at once"
jobs --jobs two.swf --job-trace goal -hostfile hosts >out 2>&1 || fail "goal in turn: status $?: $(cat out)"
python3 -c '
import json
a, b = json.load(open("run.json"))["jobs"]
assert a["end_seconds"] > 0.12 and b["start_seconds"] == a["end_seconds"], (a, b)
assert abs(b["duration_seconds"] - a["duration_seconds"]) < 1e-9, (a, b)' || fail "goal in turn"
printf 'num_ranks 2\nrank 0 {\nl1: calc 1\n}\nrank 1 {\nl1: recv 1b from 0\n}\n' >goal.stuck
echo '[{"trace": "one"}, {"name": "s", "trace": "goal.stuck", "hosts": ["a", "b"]}]' >stuck.json
expect 3 'job s, rank 1: 1 of the 1 operations of its schedule have not ended' jobs --jobs stuck.json
expect 2 'the LogGP model plays one trace: expected platform' jobs --set replay/model=LogGP --jobs goal.json
expect 2 "replay/model: 'x' is unknown" jobs --set replay/model=x --jobs goal.json

# --- background traffic slows a job down, the same in each run, and ends with it
printf '0 send 1 0 1000000\n1 recv 0 0 1000000\n' >send
for pattern in uniform-random permutation all-to-all incast ping-pong; do
    cat >noise.json <<JSON
[{"trace": "send", "hosts": ["a", "b"]},
 {"name": "noise", "np": 4, "placement": "round-robin",
  "background": {"pattern": "$pattern", "bytes": "100kB", "interval": "50ms", "seed": 3}}]
JSON
    jobs --quiet --alone --trace noise.pgt --jobs noise.json || fail "$pattern: status $?"
    python3 - run.json first.json <<'PY' || fail "$pattern"
import json, sys
d = json.load(open("run.json"))
job, noise = d["jobs"]
ok = job["slowdown"] > 1.5 and noise["background"] and job["end_seconds"] <= noise["end_seconds"] < job["end_seconds"] + 1
ok = ok and "slowdown" not in noise and abs(job["alone_seconds"] - 1.001016) < 1e-9
sys.exit(0 if ok else "got %s" % d["jobs"])
PY
    cp noise.pgt first.pgt
    jobs --quiet --alone --trace noise.pgt --jobs noise.json
    cmp -s noise.pgt first.pgt || fail "$pattern: two runs differ"
done

# --- a deadlock is found, traffic or not
printf '0 recv 1 0 8\n1 recv 0 0 8\n' >stuck
echo '[{"name": "s", "trace": "stuck", "hosts": ["a", "b"]},
       {"np": 4, "background": {"pattern": "all-to-all", "bytes": 10, "interval": "1ms"}}]' >stuck.json
expect 3 'job s, rank 1: plays line 2 of the trace: MPI_Recv' jobs --jobs stuck.json

# Ranks are named with their jobs: those of messages, threads, and operations that would end waits.
expect 3 'a message from job s, rank 0, tag 0' jobs --jobs stuck.json
printf '0 compute 1\n1 compute 1\n' >fine
printf '0 barrier\n1 recv 0 0 8\n1 barrier\n2 barrier\n' >stuck
echo '[{"trace": "fine", "hosts": ["a"]}, {"name": "s", "trace": "stuck", "hosts": ["b", "c", "d"]}]' >stuck.json
expect 3 'rank 2 \(job s, rank 0\) since .*: collective 0 of 3 ranks from job s, rank 0 to job s, rank 2, 1 of 3 members have not called it: job s, rank 1$' jobs --jobs stuck.json
expect 3 '^    rank 1 since .*: a message from rank 0' pgasim replay -platform four.xml stuck
printf '0 barrier\n1 recv 0 0 8\n1 barrier\n2 recv 0 0 8\n2 barrier\n' >stuck
expect 3 '2 of 3 members have not called it: job s, rank 1; job s, rank 2$' jobs --jobs stuck.json
{
    echo '# pgasim trace of calls 1, ranks: 2'
    printf '%d shmem_init 1048576 []\n%d shmem_malloc 8\n' 0 0 1 1
    echo '0 shmem_putmem SHMEM_CTX_DEFAULT heap:0 - 8 1'
    echo '1 shmem_wait_until heap:0 8 [0,8]'
    printf '%d shmem_finalize\n' 0 1
} >lost
printf '%s\n' '0 thread_create 2' '0.2 thread_wait 1.1' '0.2 thread_end' '0 thread_wait 2' '0 thread_join 2' '1 compute 1' >asleep
echo '[{"trace": "one", "hosts": ["a"]}, {"name": "l", "trace": "lost", "hosts": ["b", "c"]},
       {"name": "t", "trace": "asleep", "hosts": ["c", "d"]}]' >named.json
jobs --jobs named.json >out 2>&1
[ $? -eq 3 ] || fail "named.json: $(cat out)"
for text in 'operation 8 of job l, rank 0, has not come' 'job t, rank 1, thread 1, which woke it in the recorded run' \
    'job l, rank 1: plays line 7 of the trace: shmem_wait_until'; do
    grep -qF "$text" out || fail "named.json: no '$text': $(cat out)"
done
expect 3 'operation 8 of rank 0, has not come' pgasim replay lost

# --- traces of runs of jobs
jobs --quiet --alone --trace t.pgt --jobs same.json || fail "--trace: status $?"
pgasim profile t.pgt >out || fail "profile: status $?"
grep -q 'unknown kind' out && fail "$(cat out)"
grep -qE '^  x#4 +1 +0 s +2.000 s +2.000 s +1.000 s +2.000$' out || fail "$(cat out)"
pgasim profile --json t.pgt >profile.json || fail "profile --json: status $?"
python3 -c '
import json
d = json.load(open("profile.json"))
assert d["job_count"] == 4 and [j["name"] for j in d["jobs"]] == ["x#%d" % k for k in (1, 2, 3, 4)], d["jobs"]
assert all(j["slowdown"] == 2 and j["begin"] == 0 and j["end"] == 2 for j in d["jobs"]), d["jobs"]' || fail "profile --json"
pgasim report -o page.html t.pgt >out 2>&1 || fail "report: status $?: $(cat out)"
grep -q '"jobsFound":4' page.html || fail "report: no jobs"

# --- wrong lists
# refused TEXT WANTED
refused() {
    printf '%b' "$1" >wrong
    expect 2 "^pgasim: error: wrong:$2\$" jobs --jobs wrong
}
refused '[{"trace": "one", "hosts": ["x"]}]' "1: job job1: unknown host 'x': expected a host of the platform"
refused '[\n{"trase": "one"}]' '2: "trase": expected one of "name", "trace", .*'
refused '[{"trace": "one", "start": "soon"}]' '1: "start": expected a time, in seconds or with a unit .*'
refused '[{"trace": "one", "start": -1}]' '1: "start": expected a time, .*'
refused '[{"trace": "no"}]' '1: job job1: no: No such file or directory'
refused '[{"trace": "one", "np": 0}]' '1: "np": expected a whole number from 1 to 4194304'
refused '[{"trace": "one", "placement": "near"}]' '1: "placement": expected one of "packed", "round-robin", "random"'
refused '[{"trace": "one", "placement": "packed", "hosts": ["a"]}]' \
    '1: expected one of "hosts", "hostfile" and "placement" in a job'
refused '[{"name": "x"}]' '1: expected either "trace" or "background" in a job'
refused '[{"np": 2, "background": {"bytes": 1}}]' '1: "background": expected "pattern" in it'
refused '[{"np": 2, "background": {"pattern": "incast", "bytes": 1}}]' \
    ' background traffic ends with the jobs: expected at least one with a trace'
refused '[{"np": 1, "background": {"pattern": "incast", "bytes": 1}}]' '1: expected two ranks at least .*'
refused '[]' '1: expected at least one job'
refused '{}' '1: expected "jobs", an array of jobs'
refused '1 2 3\n' '1: the end of the line: expected 18 numbers, of which the 14th is that of the executable'
refused '; x\n1 0 -1 x 2\n' '2: x: expected a number'
refused '1 0 -1 10 99 -1 -1 2 -1 -1 1 1 1 9 1 -1 -1 -1\n' \
    '1: job 1: 99 processors: expected 8 at most, which is how many there are'
expect 2 '^pgasim: error: --job-trace is for workloads in SWF: same.json names its traces$' \
    jobs --jobs same.json --job-trace one
expect 2 '^pgasim: error: -hostfile is for workloads in SWF' jobs --jobs same.json -hostfile hosts
expect 2 '^pgasim: error: --alone: for several jobs' jobs --alone one
expect 2 '^pgasim: error: one: --jobs names the traces' jobs --jobs same.json one
expect 2 '^pgasim: error: --jobs: jobs share a platform' pgasim replay --jobs same.json
expect 2 '^pgasim: error: --jobs: the list says how many ranks there are' jobs --jobs same.json -np 4
finish
