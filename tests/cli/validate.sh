#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim validate` with real commands that are scripts: errors that are known, statistics, void and failed runs, going on
# after kills, reuse of measurements, comparison with an earlier version, seeds; and its messages.
# shellcheck disable=SC2016 # the dollars are the files' own
. "$(dirname "$0")/lib.sh"

# The simulated program sleeps so many microseconds, which is exact, and says so; the real one prints what a table says.
cat >nap.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double begin = MPI_Wtime();
    usleep((unsigned)atoi(argv[1]));
    if (!rank)
        printf("it took %.1f us\n", (MPI_Wtime() - begin) * 1e6);
    return MPI_Finalize();
}
C
"$bin/wrappers/mpicc" -o nap nap.c || exit 1
cat >one.xml <<'XML'
<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="1us"/></platform>
XML
cp one.xml two.xml
# real.sh RANKS PLATFORM US: logs, and prints a time between 0.98 and 1.02 times that of errors.txt, 1.00 the median.
cat >real.sh <<'SH'
echo "$1 $2 $3" >>"$LOG"
n=$(grep -cx "$1 $2 $3" "$LOG")
factor=$(awk -v p="$2" -v u="$3" '$1 == p && $2 == u { print $3 }' errors.txt)
jitter=$(echo "1.00 0.99 1.01 1.02 0.98 1.00 1.005 0.995" | cut -d' ' -f$(((n - 1) % 8 + 1)))
[ ! -e void-"$3" ] || [ "$n" -gt "$(cat void-"$3")" ] || echo "cluster: void: the CPUs were busy" >&2
[ ! -e bad-"$3" ] || { echo "no network" >&2; exit 3; }
awk -v u="$3" -v f="$factor" -v j="$jitter" 'BEGIN { printf "it took %.9f us\n", u * f * j }'
SH
export LOG=$work/log
: >log
# Predictions are 1/factor of measurements: errors of -20%, +25%, 0%, -1/3, +1/9.
cat >errors.txt <<'TXT'
one 1000 1.25
one 2000 0.8
one 4000 1.00
two 1000 1.5
two 2000 0.9
two 4000 1.00
TXT
cat >nap.yaml <<'YAML'
title: Naps & <others>
target: {median: 20%, p95: 34%, worst: 0.34, bias: 5%}
repetitions: {least: 6, most: 8, interval: 3%}
platforms:
  one: {file: one.xml, run: "sh real.sh ${ranks} one ${arguments} ${program}"}
  two: {file: two.xml, run: "sh real.sh ${ranks} two ${arguments} ${program}"}
programs:
  nap:
    real: real.sh
    simulated: nap
    arguments: ${us}
    parameters: {us: [1000, 2000, 4000]}
    ranks: 2
    seconds: {output: "it took ([0-9.]+)"}
    unit: us
YAML
expect 0 '^nap +us=1000 +one +2 +1\.250 ms +1\.225 ms to 1\.275 ms +6 +1\.000 ms +-20\.00%$' \
    pgasim validate nap.yaml --json a.json --csv a.csv --report a.html
grep -qE '^nap +us=2000 +two +2 +1\.800 ms .* \+11\.11%$' out || fail "a prediction that is too long: $(cat out)"
grep -qE '^all +6 +15\.56% +33\.33% +-33\.33% +-2\.87% +2$' out || fail "errors of all: $(cat out)"
grep -qE '^on two +3 +11\.11% +33\.33% +-33\.33% +-7\.41% +1$' out || fail "errors by platform: $(cat out)"
grep -q 'target: p95 at most 34%: 33.3%, met' out || fail "the target: $(cat out)"
[ "$(wc -l <log)" -eq 36 ] || fail "6 repetitions of 6 cases: $(wc -l <log)"
for k in nap.db.work nap.db.files; do [ -e "$k" ] && fail "left behind: $k"; done
python3 - <<'PY' || fail "what is read back"
import csv, json, re, sqlite3
import xml.etree.ElementTree as xml
r = json.load(open("a.json"))
errors = {(c["platform"], c["us"]): c["error"] for c in r["cases"]}
wanted = {("one", 1000): -0.2, ("one", 2000): 0.25, ("one", 4000): 0, ("two", 1000): -1 / 3, ("two", 2000): 1 / 9, ("two", 4000): 0}
assert all(abs(errors[k] - wanted[k]) < 1e-6 for k in wanted) and len(errors) == 6, errors
assert abs(r["all"]["bias"] - sum(wanted.values()) / 6) < 1e-6 and r["target"]["met"] is True, r["all"]
first = r["cases"][0]["measured"]
# of 6 values: the least and the greatest
assert abs(first["low"] / 1.25e-3 - 0.98) < 1e-6 and abs(first["high"] / 1.25e-3 - 1.02) < 1e-6 and first["runs"] == 6, first
rows = list(csv.DictReader(open("a.csv")))
assert len(rows) == 6 and all(abs(float(row["error"]) - errors[row["platform"], int(row["size"][3:])]) < 1e-9 for row in rows), rows
db = sqlite3.connect("nap.db")
db.row_factory = sqlite3.Row
stored = [dict(row) for row in db.execute("SELECT * FROM points")]
assert len(stored) == 42, len(stored)
for row in stored:
    assert row["status"] == "ok" and row["at"] and row["machine"] and row["kernel"] and len(row["platform_content"]) == 16, row
    assert bool(row["pgasim"]) == (row["side"] == "simulated"), row
page = open("a.html").read()
body = xml.fromstring(re.search("<body>.*</body>", page, re.S)[0])
pictures = list(body.iter("{http://www.w3.org/2000/svg}svg"))
assert len(pictures) == 3 and len(list(body.iter("table"))) == 3, len(pictures)
for p in pictures:
    texts = {e.get("id"): "".join(e.itertext()) for e in p.iter() if e.get("id")}
    assert p.get("role") == "img" and all(texts[i].strip() for i in p.get("aria-labelledby").split()), texts
assert len(list(pictures[0].iter("{http://www.w3.org/2000/svg}circle"))) == 6
assert "<others>" not in page and "<script" not in page
PY

# Nothing is measured twice; a target that is missed; conditions.
expect 0 '^all +6 ' pgasim validate nap.yaml
sed 's/median: 20%/median: 15%/' nap.yaml >strict.yaml
expect 1 'target: median at most 15%: 15.6%, missed' pgasim validate strict.yaml --database nap.db
expect 0 '^all +2 ' pgasim validate nap.yaml --only 'us == 4000'
[ "$(wc -l <log)" -eq 36 ] || fail "measured again: $(wc -l <log)"
expect 0 '^1: .*/sh real.sh 2 one 1000 ./real.sh$' pgasim validate nap.yaml --dry-run

# A changed program is measured again; not so with --simulate-only, and earlier predictions are compared.
cp nap.db earlier.db
echo "# changed" >>real.sh
sed 's/usleep(/usleep(100 + /' nap.c >slow.c
"$bin/wrappers/mpicc" -o nap slow.c || exit 1
expect 1 'against earlier.db: 4 predictions worse, 2 better, 0 equal, 0 without' \
    pgasim validate nap.yaml --simulate-only --against earlier.db
grep -qE '^nap +us=1000 +one +2 +-20.00% +-12.00% +better$' out || fail "better: $(cat out)"
grep -qE '^nap +us=4000 +two +2 +\+0.00% +\+2.50% +worse$' out || fail "worse: $(cat out)"
expect 1 'against nap.db: 4 predictions worse, 2 better' pgasim validate nap.yaml --simulate-only --against nap.db
[ "$(wc -l <log)" -eq 36 ] || fail "--simulate-only measured"
expect 2 'gone.db: there are no measurements yet' pgasim validate nap.yaml --simulate-only --database gone.db
expect 2 '--against nothere: No such file' pgasim validate nap.yaml --against nothere
: >log
expect 0 '^all +6 ' pgasim validate nap.yaml --json b.json
[ "$(wc -l <log)" -eq 36 ] || fail "a changed program: $(wc -l <log)"

# Void runs are repeated; those that stay void count nowhere. What fails twice is given up.
: >log
echo 2 >void-1000
echo 1000 >void-2000
touch bad-4000
expect 5 '^nap +us=1000 +one +2 .* 6 ' pgasim validate nap.yaml --database void.db
grep -qE '^nap +us=2000 +one +2 +- +0, 8 void ' out || fail "void: $(cat out)"
grep -qE '^nap +us=4000 +one +2 +- +0, 2 failed ' out || fail "failed: $(cat out)"
grep -q 'on one, 2 ranks, real: no network$' out || fail "a reason: $(cat out)"
grep -q 'on one, 2 ranks, real: the run says that it is void$' out || fail "a reason: $(cat out)"
grep -qE '^all +2 of 6 ' out || fail "compared: $(cat out)"
{ [ "$(grep -c 'one 1000' log)" -eq 8 ] && [ "$(grep -c 'one 2000' log)" -eq 24 ]; } || fail "void runs: $(sort log | uniq -c)"
rm -f void-* bad-*
expect 5 '^all +2 of 6 ' pgasim validate nap.yaml --database void.db
expect 0 '^all +6 ' pgasim validate nap.yaml --database void.db --retry-failed

# Killed at any time, it goes on without repeating or losing a run.
: >log
sed 's/^n=/sleep 0.05; n=/' real.sh >slow.sh
sed 's/sh real.sh/sh slow.sh/' nap.yaml >slow.yaml
runs_until() { # runs_until N: waits until so many real runs have begun, for a minute at most
    for _ in $(seq 1200); do
        [ "$(wc -l <log)" -lt "$1" ] || break
        sleep 0.05
    done
}
for k in 3 7 13 14; do
    pgasim validate slow.yaml -q >/dev/null 2>&1 &
    runs_until $k
    kill -9 $!
    wait $! 2>/dev/null
done
before=$(python3 -c 'import sqlite3; print(sqlite3.connect("slow.db").execute("SELECT count(*) FROM results").fetchone()[0])')
[ "$before" -gt 0 ] || fail "nothing was kept"
expect 0 '^all +6 ' pgasim validate slow.yaml
count=$(wc -l <log)
{ [ "$count" -ge 36 ] && [ "$count" -le 40 ]; } || fail "$count runs after 4 kills, of 36"
: >log
pgasim validate slow.yaml --database int.db -q >/dev/null 2>err &
runs_until 2
kill -TERM $!
wait $!
status=$?
{ [ $status -eq 143 ] && grep -q 'ended by SIGTERM' err; } || fail "an interrupt: $status, $(cat err)"

# The time of the whole run, environment, and a command's version.
cat >whole.yaml <<'YAML'
repetitions: 2
version: echo "Some MPI 1.2"; echo more
environment: {NAP: "${ms}"}
platforms:
  one: {file: one.xml, run: "sh sleeper.sh ${program}"}
programs:
  sleep: {real: real.sh, simulated: sleep.out, parameters: {ms: [200]}, ranks: 1}
YAML
echo 'sleep "$(awk "BEGIN { print $NAP / 1000 }")"' >sleeper.sh
cat >sleep.c <<'C'
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    usleep((unsigned)atoi(getenv("NAP")) * 1000);
    return MPI_Finalize();
}
C
"$bin/wrappers/mpicc" -o sleep.out sleep.c || exit 1
expect 0 '^sleep +ms=200 +one +1 +[2-9][0-9.]* ms .* 2 +200.0 ms ' pgasim validate whole.yaml
python3 - <<'PY' || fail "the version"
import sqlite3
row = sqlite3.connect("whole.db").execute("SELECT DISTINCT mpi FROM points WHERE side = 'real'").fetchall()
assert row == [("Some MPI 1.2",)], row
PY

# Seeds: the prediction is their median, its interval from the least to the greatest; real runs are within or not.
cat >seeds.yaml <<'YAML'
seeds: 5
repetitions: 8
platforms: {one: {file: one.xml, run: "sh ${program}"}}
settings: {noise/start: "exponential:${us}us"}
programs:
  nap: {real: seeds.sh, simulated: nap, arguments: "${us}", parameters: {us: [1000]}, ranks: 1,
        measured: {output: "took (.*)"}, predicted: {json: simulated_seconds}}
YAML
for k in 1 2 3 4 5; do
    pgasim run -q --compute=off -np 1 --platform one.xml --set noise/start=exponential:1000us --set noise/seed=$k --json s$k.json \
        ./nap 1000 >out 2>&1 || fail "seed $k: $(cat out)"
done
# Three of eight real runs are outside of the interval.
python3 - >seeds.times <<'PY'
import json
t = sorted(json.load(open("s%d.json" % k))["simulated_seconds"] for k in range(1, 6))
low, high = t[0], t[-1]
for part in (-0.5, 0.1, 0.3, 0.5, 0.7, 0.9, 1.5, 2):
    print(repr(low + part * (high - low)))
PY
cat >seeds.sh <<'SH'
echo >>seeds.log
echo "took $(sed -n "$(wc -l <seeds.log)p" seeds.times)"
SH
expect 0 '^62.5% of 8 real runs are within the interval of the seeds$' pgasim validate seeds.yaml --json seeds.json
python3 - <<'PY' || fail "seeds: $(cat out)"
import json
t = sorted(json.load(open("s%d.json" % k))["simulated_seconds"] for k in range(1, 6))
r = json.load(open("seeds.json"))
p = r["cases"][0]["predicted"]
assert len(set(t)) == 5 and p["runs"] == 5, (t, p)
for key, wanted in (("low", t[0]), ("median", t[2]), ("high", t[4])):
    assert abs(p[key] / wanted - 1) < 1e-5, (key, p, t)
assert r["all"]["real_runs"] == 8 and r["all"]["within_seeds"] == 5, r["all"]
PY
expect 0 '^62.5% of 8 ' pgasim validate seeds.yaml
[ "$(wc -l <seeds.log)" -eq 8 ] || fail "seeds: $(wc -l <seeds.log) real runs"

# --- bad input
bad() { # bad PATTERN TEXT: nap.yaml with another line in place of one
    sed "$2" nap.yaml >bad.yaml
    expect 2 "$1" pgasim validate bad.yaml --database bad.db
}
bad "bad.yaml:2: unknown key 'mean' of target; the nearest known one is" 's/median: 20%/mean: 20%/'
bad "bad.yaml:2: expected a part, as in 3%, not 'much'" 's/median: 20%/median: much/'
bad "bad.yaml:3: repetitions: expected least <= most \(8\), not 9" 's/least: 6/least: 9/'
bad 'bad.yaml:5: platform one: expected run, a command in which \$\{program\} is the program' 's/one ${arguments} ${program}/one/'
bad "bad.yaml:8: program nap: expected source, or real with simulated or trace" '/simulated:/d'
bad "bad.yaml:8: program nap: expected ranks" '/ranks: 2/d'
bad "unit: expected s, ms, us or ns, not 'h'" 's/unit: us/unit: h/'
bad "there is no platform 'three'" 's/ranks: 2/platforms: three\n    ranks: 2/'
bad "'seed' is no name for a parameter here" 's/{us:/{seed: 1, us:/'
bad "there is no program nix" 's/sh real.sh/nix real.sh/'
bad "nix.xml: No such file" 's/two.xml/nix.xml/'
bad "a source needs real-cc" 's/real: real.sh/source: nap.c/; /simulated:/d'
expect 2 'the file of a validation is missing' pgasim validate
expect 2 "'b': expected one file" pgasim validate a b
cat >two.yaml <<'YAML'
repetitions: 1
seconds: {output: "it took ([0-9.]+)"}
platforms: {one: {file: one.xml, run: "sh real.sh ${ranks} one ${program}"}}
programs:
  a: {real: real.sh, simulated: nap, arguments: "${us}", parameters: {us: [1000, 2000]}, ranks: 2, unit: us}
  b: {real: real.sh, simulated: nap, arguments: "4000", ranks: [1, 2], unit: us}
YAML
chosen() { # chosen NUMBER CONDITION: so many cases
    pgasim validate two.yaml --dry-run --only "$2" >out 2>&1
    [ "$(grep -c '^[0-9]*: /.*/sh real.sh ' out)" -eq "$1" ] || fail "--only '$2': expected $1 cases: $(cat out)"
}
chosen 2 'us > 1500 or ranks == 1'
chosen 1 'us == 2000'
chosen 3 'us != 2000'
chosen 2 'not us > 0'
chosen 1 'us + 1 > 1500'
cat >built.yaml <<'YAML'
real-cc: sh count_cc.sh
version: echo a compiler
repetitions: 1
seconds: {output: "it took ([0-9.]+)"}
platforms: {one: {file: one.xml, run: "sh real.sh ${ranks} one ${us} ${program}"}}
programs:
  a: {source: nap.c, arguments: "${us}", parameters: {us: [1000, 2000]}, ranks: 2, unit: us}
  b: {source: nap.c, flags: -DB, arguments: "${us}", parameters: {us: 4000}, ranks: 2, unit: us}
YAML
# A compiler whose programs do nothing; each call is counted.
cat >count_cc.sh <<'SH'
echo "$*" >>"$BUILDS"
while [ "$1" != -o ]; do shift; done
echo : >"$2"
chmod +x "$2"
SH
export BUILDS=$work/builds
: >builds
builds() { [ "$(wc -l <builds)" -eq "$1" ] || fail "$2: $(wc -l <builds) programs built, expected $1"; }
expect 0 '^1: .*/sh real.sh 2 one 4000 ./built.db.programs/b-real-' pgasim validate built.yaml --dry-run
grep -qE '^1: .*/pgasim run .* -np 2 .*/built.db.programs/a-simulated-[0-9a-f]{16} 1000$' out || fail "--dry-run: $(cat out)"
builds 0 --dry-run
[ -e built.db.programs ] && fail "--dry-run left: $(ls built.db.programs)"
expect 2 "--only 'us > 1e9' holds for none of 3 cases" pgasim validate built.yaml --only 'us > 1e9'
builds 0 'no case is wanted'
expect 0 '^a +us=1000 ' pgasim validate built.yaml --only 'us == 1000'
builds 1 'one program is wanted'
expect 0 '^b +us=4000 ' pgasim validate built.yaml
builds 2 'all are wanted'
expect 0 '^1: ' pgasim validate built.yaml --dry-run
builds 2 'they are there'
expect 2 "--only 'us > 1e9' holds for none of 6 cases" pgasim validate nap.yaml --only 'us > 1e9'
expect 2 "--only: 'hosts': there is no 'hosts' here" pgasim validate nap.yaml --only hosts
sed 's/real: real.sh/source: wrong.c/; /simulated:/d; 1s/^/real-cc: "false"\n/' nap.yaml >bad.yaml
echo >wrong.c
expect 2 'bad.yaml:[0-9]+: program nap cannot be built by false' pgasim validate bad.yaml --database bad.db
finish
