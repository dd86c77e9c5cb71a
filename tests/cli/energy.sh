#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# energy.sh BUILD: joules from a run to its trace, and from there to `pgasim profile`, `pgasim diff` and the page of
# `pgasim report`: the same as the run's own, and adding up.
. "$(dirname "$0")/lib.sh"

cat >phases.c <<'C'
#include <mpi.h>
#include <pgasim.h>
static char bytes[1000000];
int main(int argc, char **argv)
{
    int me, n;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int k = 0; k < 5; k++) {
        pgasim_mark_begin("work");
        pgasim_compute_flops(1e7 * (me + 1));
        pgasim_mark_end();
        pgasim_mark_begin("talk");
        MPI_Sendrecv_replace(bytes, sizeof bytes, MPI_CHAR, (me + 1) % n, 0, (me + n - 1) % n, 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
        pgasim_mark_end();
    }
    MPI_Finalize();
    return 0;
}
C
platform() { # file pstate-of-b
    cat >"$1" <<X
<?xml version="1.0"?>
<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="a" speed="1Gf" core="2"><prop id="wattage_per_state" value="95:120:200"/></host>
    <host id="b" speed="1Gf,500Mf" pstate="$2" core="2"><prop id="wattage_per_state" value="95:120:200, 90:110:150"/></host>
    <link id="l" bandwidth="100MBps" latency="10us"><prop id="wattage_range" value="10:30"/></link>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
X
}
platform slow.xml 1
platform fast.xml 0
pgasim cc -O1 -o phases phases.c || fail 'phases.c does not compile'
run() { # name platform
    pgasim run --quiet --compute=off -np 4 --map-by host -platform "$2" --json "$1.json" --trace "$1.pgt" ./phases ||
        fail "$1: status $?"
    pgasim profile --json "$1.pgt" >"$1.profile" || fail "profile of $1: status $?"
}
run slow slow.xml
run fast fast.xml

# --- the trace has what the run says, to its nJ
cat >check.py <<'P'
import json, sys
name = sys.argv[1]
run, got = json.load(open(name + ".json"))["energy"], json.load(open(name + ".profile"))["energy"]
near = lambda a, b: abs(a - b) <= 1e-8
wrong = []
def same(what, a, b):
    if not near(a, b):
        wrong.append("%s: the run says %.9g, its profile %.9g" % (what, a, b))
same("joules", run["joules"], got["joules"])
same("links", run["links_joules"], got["links_joules"])
for key in ("hosts", "links", "phases"):
    mine = {x["name"]: x for x in got[key]}
    assert len(mine) == len(got[key]) == len(run[key]), (key, mine)
    for x in run[key]:
        same(key + " " + x["name"], x["joules"], mine[x["name"]]["joules"])
    order = [x["joules"] for x in got[key]]
    assert order == sorted(order, reverse=True), order
for x in got["ranks"]:
    same("rank %d" % x["rank"], run["ranks"][x["rank"]], x["joules"])
for key in ("ranks", "phases"):
    same("all " + key, run["hosts_joules"], sum(x["joules"] for x in got[key]))
assert got["joules"] > 50 and len(got["ranks"]) == 4 and len(got["phases"]) == 3, got
# host b computes 0.3 s at 1 Gf (ranks 1 and 3), twice that at half the speed
cores = sum(x["core_seconds"] for x in got["ranks"] if x["rank"] % 2)
same("core seconds of b", {"slow": 0.6, "fast": 0.3}[name], cores)
sys.exit("\n".join(wrong) or 0)
P
for name in slow fast; do
    python3 check.py $name || fail "$name: the profile"
done

# --- counters for other tools: the last one is the run's, and mean power adds up to it
pgasim run --quiet --compute=off -np 4 --map-by host -platform slow.xml --trace chrome.json ./phases || fail 'chrome.json'
pgasim run --quiet --compute=off -np 4 --map-by host -platform slow.xml --trace slow.paje ./phases || fail 'slow.paje'
python3 -c '
import json, re
run = {h["name"]: h["joules"] for h in json.load(open("slow.json"))["energy"]["hosts"]}
events = json.load(open("chrome.json"))
hosts = {e["pid"]: e["args"]["name"] for e in events if e.get("name") == "process_name"}
of = lambda name, pid: [(e["ts"] * 1e-6, list(e["args"].values())[0]) for e in events if e["ph"] == "C" and e["name"] == name
                        and e["pid"] == pid]
for pid in (p for p, n in hosts.items() if n in run):
    so_far, power = of("energy", pid), of("power (mean)", pid)
    assert abs(so_far[-1][1] - run[hosts[pid]]) < 1e-6, (hosts[pid], so_far[-1], run)
    assert len(power) == len(so_far) > 10, (len(power), len(so_far))
    ends = [t for t, _ in power[1:]] + [so_far[-1][0]]
    total = sum(w * (end - begin) for (begin, w), end in zip(power, ends))
    assert abs(total - run[hosts[pid]]) < 1e-5, (hosts[pid], total, run)
    assert {"a": 200, "b": 150}[hosts[pid]] >= max(w for _, w in power) - 1e-6, power
text = open("slow.paje").read()
names = dict(re.findall(r"^6 \S+ (h\d+) H p0 \"(\w+)\"", text, re.M))
last = dict(re.findall(r"^10 \S+ J (h\d+) (\S+)$", text, re.M))
got = {names[h]: float(j) for h, j in last.items()}
assert got.keys() == run.keys() and all(abs(got[h] - run[h]) < 1e-6 for h in run), (got, run)
' || fail 'counters in Chrome and Paje'

# --- and metrics in OTF2
if ! command -v otf2-print >/dev/null; then
    echo 'no OTF2: otf2-print is not installed'
elif ! pgasim run --quiet --compute=off -np 4 --map-by host -platform slow.xml --trace slow.otf2 ./phases 2>err; then
    grep -q 'built without' err || fail "slow.otf2: $(cat err)"
else
    { otf2-print slow.otf2 >events && otf2-print -G slow.otf2 >definitions; } 2>err || fail 'otf2-print'
    [ -s err ] && fail "otf2-print warns: $(cat err)"
    python3 -c '
import json, re
run = {h["name"]: 1e9 * h["joules"] for h in json.load(open("slow.json"))["energy"]["hosts"]}
definitions, so_far = open("definitions").read(), {}
assert re.search(r"\"energy\".*Mode: ACCUMULATED_START,.*UINT64.*Exponent: -9, Unit: \"J\"", definitions), definitions
for metric, value in re.findall(r"^METRIC .*Metric: (\d+), 1 Value: \(\"energy\" <\d+>; UINT64; (\d+)\)", open("events").read(), re.M):
    so_far.setdefault(metric, []).append(int(value))
assert len(so_far) == len(run) == 2 and all(v == sorted(v) and len(v) > 10 for v in so_far.values()), so_far
last = sorted(v[-1] for v in so_far.values())
assert all(abs(a - b) < 1000 for a, b in zip(last, sorted(run.values()))), (last, run)
' || fail 'joules in OTF2'
fi

# --- a recording says who changes pstates: its replay takes the same joules
cat >pstates.c <<'C'
#include <mpi.h>
#include <pgasim.h>
#include <simgrid/host.h>
int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int k = 0; k < 6; k++) {
        if (me == 1)
            pgasim_pstate_set((unsigned)k % 2);
        if (me == 2 && k == 3) /* while rank 1 computes there */
            pgasim_compute_flops(2e6), sg_host_set_pstate(sg_host_by_name("b"), 0);
        pgasim_compute_flops(1e7 * (me + 1));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
C
pgasim cc -O1 -o pstates pstates.c || fail 'pstates.c does not compile'
pgasim run --quiet --compute=off -np 4 --map-by host -platform slow.xml --json run.json --record-ti run.calls --trace run.pgt \
    --trace-kinds default,replay ./pstates || fail "pstates: status $?"
grep -q '^2 pstate 0 1$' run.calls || fail "the recording has no pstate of another rank's host"
pgasim convert --to calls run.calls again.calls || fail "convert: status $?"
for trace in run.calls again.calls run.pgt; do
    pgasim replay --quiet --map-by host -platform slow.xml --json "$trace.json" $trace || fail "replay of $trace: status $?"
    python3 -c '
import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:])
assert a["simulated_seconds"] == b["simulated_seconds"], (a["simulated_seconds"], b["simulated_seconds"])
hosts = [{h["name"]: h["joules"] for h in x["energy"]["hosts"]} for x in (a, b)]
assert all(abs(hosts[0][h] - hosts[1][h]) <= 1e-9 * hosts[0][h] for h in hosts[0]) and len(hosts[0]) == 2, hosts
assert all(abs(x - y) <= 1e-9 * x for x, y in zip(a["energy"]["ranks"], b["energy"]["ranks"])), (a["energy"], b["energy"])
' run.json "$trace.json" || fail "joules of the replay of $trace"
done
sed 's/^1 pstate 1$/1 pstate 7/' run.calls >seven.calls
expect 0 'rank 1: host b has no pstate 7, which it had in the recorded run: it stays as it is' \
    pgasim replay --map-by host -platform slow.xml seven.calls
sed 's/^1 pstate 1$/1 pstate fast/' run.calls >wrong.calls
expect 2 'wrong.calls:[0-9]+: .*fast' pgasim replay --map-by host -platform slow.xml wrong.calls

# --- as text
expect 0 '^Energy$' pgasim profile slow.pgt
expect 0 '^  b +[0-9.]+ +[0-9.]+% +[0-9.]+$' pgasim profile slow.pgt
expect 0 '^  \(outside of phases\) +[0-9.]+ ' pgasim profile slow.pgt
[ "$(pgasim profile --top 1 slow.pgt | sed -n '/^Energy/,/^$/p' | grep -c '^  and [0-9]* more')" = 2 ] ||
    fail 'profile --top 1: it does not count the hosts and phases that are left out'
pgasim run --quiet --compute=off -np 2 --set energy/account=off -platform slow.xml --trace off.pgt ./phases || fail 'off'
pgasim profile off.pgt | grep -q '^Energy' && fail 'a run without joules has a table of them'
pgasim profile --json off.pgt | grep -q '"energy"' && fail 'a run without joules has an object of them'

# --- differences
expect 0 '^Energy, joules$' pgasim diff slow.pgt fast.pgt
expect 0 '^  host b +[0-9.]+ J +[0-9.]+ J +[-+][0-9.]+ J$' pgasim diff slow.pgt fast.pgt
pgasim diff --json slow.pgt fast.pgt >diff.json || fail "diff --json: status $?"
python3 -c '
import json
a, b, d = json.load(open("slow.profile"))["energy"], json.load(open("fast.profile"))["energy"], json.load(open("diff.json"))
items = {x["name"]: x for x in d["energy_joules"]}
assert len(items) == 2 + 2 + 1 + 3, sorted(items)
assert items["all hosts"]["a"] == a["hosts_joules"] and items["all hosts"]["b"] == b["hosts_joules"], items["all hosts"]
phase = items["phase work"]
assert abs(phase["b"] - phase["a"] - phase["difference"]) < 1e-9 and phase["difference"] < 0, phase
' || fail 'diff --json'

# --- the page: power adds up to the joules of the hosts
pgasim report slow.pgt -o page.html >out 2>&1
if grep -q 'built without the report page' out; then
    echo 'no page: pgasim is built without it'
else
    python3 -c '
import json, re
text = re.search(r"<script type=\"application/json\" id=\"data\">(.*?)</script>", open("page.html").read(), re.S).group(1)
e = json.loads(text)["energy"]
sum_of_power = sum(e["power"]) * e["width"]
assert abs(sum_of_power - e["hosts"]) < 1e-4 * e["hosts"], (sum_of_power, e["hosts"])
assert len(e["byHost"]) == 2 and len(e["ranks"]) == 4 and len(e["byPhase"]) == 3, e
' || fail "the page's data"
fi

# --- the example: a lower pstate during communication saves joules and no time; the properties of a torus are its hosts'
if pgasim sweep --help >/dev/null 2>&1; then
    cp "$top"/examples/energy/*.xml "$top/examples/energy/study.yaml" .
    pgasim cc -O2 -o solver "$top/examples/energy/solver.c" || fail 'the example does not compile'
    pgasim sweep --only 'topology == "torus" and ranks == 16 and pstate <= 1' study.yaml >out 2>&1 || fail "the example: $(cat out)"
    pgasim sweep csv study.yaml >study.csv || fail "the example's rows"
    python3 -c '
import csv
rows = {(r["pstate"], r["communicating"]): r for r in csv.DictReader(open("study.csv"))}
assert len(rows) == 4, rows.keys()
for pstate in "01":
    same, low = rows[pstate, "same"], rows[pstate, "low"]
    assert same["seconds"] == low["seconds"] and float(low["joules"]) < float(same["joules"]), (same, low)
    assert float(same["hosts_joules"]) > 16 * 50 * float(same["seconds"]), same
assert float(rows["0", "same"]["seconds"]) < float(rows["1", "same"]["seconds"])
' || fail 'the rows of the example'
fi
finish
