#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim replay --measured`, `--compute-typical`, and what `pgasim diff` says of a recorded run and its simulation: a trace as
# a recorder writes it, in which rank 2 stalls for 200 ms before its 7th barrier.
. "$(dirname "$0")/lib.sh"

printf 'num_ranks 1\nrank 0 {\nl1: calc 10\n}\n' >schedule.goal

cat >make.py <<'PY'
RANKS, STEPS, COMPUTED, CALL, OVERHEAD, STALLED, STALL = 4, 20, 1000000, 10000, 1000, (2, 6), 200000000
now = [1000 * rank for rank in range(RANKS)]  # MPI_Init: ends at these times
out = [[] for _ in range(RANKS)]
for rank in range(RANKS):
    out[rank].append("%d MPI_Init @%d+%d" % (rank, now[rank] - 5000000, 5000000))
for step in range(STEPS):
    computed = [COMPUTED + 1000 * rank + (STALL if (rank, step) == STALLED else 0) for rank in range(RANKS)]
    begin = [now[rank] + OVERHEAD + computed[rank] for rank in range(RANKS)]
    end = max(begin) + CALL
    for rank in range(RANKS):
        out[rank].append("%d seconds %.9f" % (rank, computed[rank] * 1e-9))
        out[rank].append("%d MPI_Barrier MPI_COMM_WORLD @%d+%d" % (rank, begin[rank], end - begin[rank]))
        now[rank] = end
for rank in range(RANKS):
    out[rank].append("%d MPI_Finalize @%d+1000" % (rank, now[rank]))
with open("trace", "w") as f:
    print("# pgasim trace of calls 1, ranks: %d" % RANKS, file=f)
    f.write("\n".join(line for rank in out for line in rank) + "\n")
PY
python3 make.py

# As it was: the recorded seconds are played, and the end is that of the recorded run, but for the recorder's own time.
expect 0 '4 ranks' pgasim replay --measured measured.pgt --trace same.pgt trace
cat >check.py <<'PY'
import json
import sys

what, path = sys.argv[1:3]
d = json.load(open(path))
ranks = {r["rank"]: r for r in d["drift"]["ranks"]}
a, b = d["a"]["simulated_seconds"], d["b"]["simulated_seconds"]


def check(good, text):
    if not good:
        print("WRONG: %s: %s: %s" % (what, text, json.dumps(d["drift"], indent=1)))
        sys.exit(1)


check(len(ranks) == 4 and all(r["same_calls"] and r["calls"] == 22 for r in ranks.values()), "22 calls of 4 ranks")
check(abs(a - 0.2202) < 0.001, "the recorded run takes 0.2202 s, not %g" % a)
if what == "same":
    check(abs(a - b) < 0.001, "the replay takes as long, not %g" % b)
    check(not any("apart" in r for r in ranks.values()), "no rank drifts")
else:
    check(abs(b - 0.020) < 0.001, "the replay takes 20 ms, not %g" % b)
    worst = d["drift"]["ranks"][0]
    check(worst["rank"] == 2, "rank 2 is the first one")
    outside = worst["outside"]
    check(outside["call"] == 8 and outside["name"] == "MPI_Barrier", "its 8th call, the 7th barrier")
    check(abs(outside["a"] - 0.201) < 2e-5 and abs(outside["b"] - 0.001) < 2e-5, "201 ms in place of 1 ms")
    check(abs(outside["begin"] - 0.00608) < 5e-5, "from 6.1 ms on")
    check(worst["apart_call"] == 8 and abs(worst["apart"] + 0.2) < 1e-3, "it is 200 ms apart from there on")
    others = [ranks[k] for k in (0, 1, 3)]
    check(all(abs(r["outside"]["a"] - r["outside"]["b"]) < 1e-4 for r in others), "others compute the same")
    check(all(r["inside"]["call"] == 8 and abs(r["inside"]["a"] - 0.2) < 1e-3 for r in others), "others wait")
PY
pgasim diff --json measured.pgt same.pgt >diff.json || fail "diff: status $?"
python3 check.py same diff.json || fail "a replay of what was recorded"

# Typical computation: the stall is only in the recorded run.
expect 0 '80 computations take what is typical at their 5 places' \
    pgasim replay --compute-typical --measured measured.pgt --trace typical.pgt trace
pgasim diff --json measured.pgt typical.pgt >diff.json || fail "diff: status $?"
python3 check.py stalled diff.json || fail "a replay without the stall"
expect 0 'rank 2: at 207.* MPI_Barrier \(call 8\), B is 200.* ms earlier' pgasim diff measured.pgt typical.pgt
expect 0 'MPI_Barrier' pgasim profile measured.pgt

# Means: lines repeat, and become loops; what is far from the mean stays. The end is that of the trace.
expect 0 '79 computations take what is typical at their 20 places, the mean of their rank' \
    pgasim convert --compute-mean trace mean.calls
[ "$(wc -l <mean.calls)" -lt 100 ] || fail "means: $(cat mean.calls)"
[ "$(grep -c '2 seconds 0.201' mean.calls)" -eq 1 ] || fail "the stall: $(cat mean.calls)"
grep -q '^2 repeat 13$' mean.calls || fail "no loop of the 13 steps after the stall: $(cat mean.calls)"
for trace in trace mean.calls; do
    pgasim replay --quiet --json $trace.json $trace || fail "$trace: status $?"
done
python3 -c 'import json
a, b = [json.load(open(f + ".json"))["simulated_seconds"] for f in ("trace", "mean.calls")]
assert abs(a - b) < 1e-9 and a > 0.22, (a, b)' || fail "means: another end"
expect 2 'schedules in GOAL' pgasim convert --compute-mean schedule.goal x.calls

# The files of liballprof have times, too; their clock begins anywhere.
for rank in 0 1; do
    printf '%s\n' 'MPI_Init:-:1:1:5000100' "MPI_Barrier:500110$rank:0,$rank,2:5001120" 'MPI_Finalize:5001140:-' \
        >"prof-$rank.txt"
done
expect 0 '2 ranks' pgasim replay --measured prof.pgt prof-0.txt
expect 0 '1.040 ms simulated' pgasim profile prof.pgt

# What cannot be.
printf '0 compute 1\n' >untimed
expect 2 'no line says when its call was' pgasim replay --measured m.pgt untimed
expect 2 'unknown|extension|expected' pgasim replay --measured m.xyz trace
expect 2 'is for one trace' pgasim replay --jobs x --measured m.pgt
expect 2 'is for one trace' pgasim replay --jobs x --compute-typical
expect 2 'measured' pgasim replay --measured trace trace
expect 2 'schedules in GOAL' pgasim replay --compute-typical schedule.goal
expect 2 'schedules in GOAL' pgasim replay --measured m.pgt schedule.goal
finish
