#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim sweep`: the same results for any number of runs at a time and after kills; what is repeated when something
# changes; points that fail; memory; its tables and its page read back; and its messages.
. "$(dirname "$0")/lib.sh"

results() { pgasim sweep csv "$1" | sed 's/,[^,]*,[^,]*,1$//; s/,[^,]*,[^,]*,current$//'; } # without what this machine measures

# --- pgasim's own runs: an allreduce on two platforms
cat >sum.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (!rank)
        printf("the sum is %d\n", sum);
    return MPI_Finalize();
}
C
"$bin/wrappers/mpicc" -o sum sum.c || exit 1
cat >own.yaml <<'YAML'
title: A <sum> & "more"
command: run
program: ./sum
ranks: ${ranks}
platform: {generate: "${topology} --hosts 16 --cores 1 --bw ${bw}GBps"}
settings: {coll/selector: "${selector}"}
parameters:
  topology: [fat-tree, torus]
  ranks: {powers: 2, from: 2, to: 16}
  selector: [ompi-5.0, mpich]
  bw: [1, 10]
where: [ranks > 2, not (topology == "torus" and ranks == 16)]
keep:
  seconds: simulated_seconds
  messages: operations.collective_messages
  sum: {output: "sum is ([0-9]+)"}
  each: {value: sum / ranks}
plots:
  - {chart: lines, x: ranks, y: seconds, series: [topology, selector], x-scale: log}
  - {chart: bars, x: topology, y: seconds, series: selector, by: bw}
  - {chart: heat, x: ranks, y: selector, value: messages, title: Messages}
  - {chart: pareto, x: messages, y: seconds, series: topology}
YAML
expect 0 '^20	topology=torus	ranks=8	selector=mpich	bw=10	$' pgasim sweep own.yaml --points
expect 0 '^1: .*/pgasim run --quiet --json .* -np 4 --set coll/selector=ompi-5.0 .*/sum$' pgasim sweep --dry-run --only 'point == 1' own.yaml
[ "$(wc -l <out)" -eq 1 ] || fail "--only: $(cat out)"
expect 0 '20 points: 20 ran now' pgasim sweep own.yaml -j 3
results own.yaml >three.csv
for k in own.db.*; do [ -e "$k" ] && fail "left behind: $k"; done
expect 0 '20 points: 20 ran now, 0 were there before, 0 are left; 0 failed; .*/one.db' pgasim sweep own.yaml -j 1 --database one.db
pgasim sweep csv --database one.db own.yaml | sed 's/,[^,]*,[^,]*,1$//; s/,[^,]*,[^,]*,current$//' | cmp -s - three.csv || fail "-j 1 and -j 3 differ"
expect 0 '20 points: 0 ran now, 20 were there before' pgasim sweep own.yaml
pgasim sweep jsonl own.yaml >own.jsonl
pgasim sweep csv own.yaml >own.csv
pgasim sweep plot own.yaml -o own.html
python3 - <<'PY' || fail "what is read back"
import csv, json, re, sqlite3
import xml.etree.ElementTree as xml
rows = list(csv.DictReader(open("own.csv")))
lines = [json.loads(line) for line in open("own.jsonl")]
db = sqlite3.connect("own.db")
db.row_factory = sqlite3.Row
stored = [dict(row) for row in db.execute("SELECT * FROM points")]
assert len(rows) == len(lines) == len(stored) == 20, (len(rows), len(lines), len(stored))
for row, line, kept in zip(rows, lines, stored):
    assert set(row) == set(line) == {*kept, "current"} and line["current"] == int(row["current"]) == 1, (row, line, kept)
    for key in kept:
        assert line[key] == kept[key], (key, line, kept)
        same = row[key] == (line[key] or "") if not isinstance(line[key], (int, float)) else float(row[key]) == line[key]
        assert same, (key, row, line)
    n = line["ranks"]
    assert line["sum"] == n * (n - 1) // 2 and line["each"] == (n - 1) / 2 and line["status"] == "ok" and line["seconds"] > 0
page = open("own.html").read()
body = xml.fromstring(re.search("<body>.*</body>", page, re.S)[0])
pictures = list(body.iter("{http://www.w3.org/2000/svg}svg"))
assert len(pictures) == 5 and len(list(body.iter("table"))) == 5, len(pictures)
for p in pictures:
    ids = p.get("aria-labelledby").split()
    texts = {e.get("id"): "".join(e.itertext()) for e in p.iter() if e.get("id")}
    assert p.get("role") == "img" and all(texts[i].strip() for i in ids), texts
assert "http:" not in re.sub("http://www.w3.org/2000/svg", "", page) and "https:" not in page
data = json.loads(re.search('id="data">(.*?)</script>', page, re.S)[1])
assert len(data["points"]) == 20 and len(data["charts"]) == 5 and page.count('id="data"') == 1, data["charts"]
columns = {c["name"]: c.get("values") or [c["distinct"][k] for k in c["of"]] for c in data["columns"]}
assert columns["seconds"] == [r["seconds"] for r in lines] and columns["topology"] == [r["topology"] for r in lines], columns
first = list(body.iter("table"))[0]
cells = [["".join(c.itertext()) for c in row] for row in first.iter("tr")]
assert cells[0] == ["ranks", "fat-tree, ompi-5.0", "fat-tree, mpich", "torus, ompi-5.0", "torus, mpich"], cells
wanted = [r["seconds"] for r in lines if (r["ranks"], r["topology"], r["selector"]) == (8, "torus", "mpich")]
value = float(cells[2][4].split()[0])
assert abs(value - sum(wanted) / len(wanted)) < 1e-3 * value, (value, wanted)
PY

# One picture, as a file of its own.
for k in 1 5; do
    pgasim sweep plot --picture $k -o $k.svg own.yaml || fail "--picture $k"
    python3 -c 'import sys, xml.etree.ElementTree as xml; assert xml.parse(sys.argv[1]).getroot().tag.endswith("}svg")' $k.svg || fail "picture $k"
done
expect 2 'the study has 5 charts; there is no chart 6' pgasim sweep plot --picture 6 own.yaml
expect 2 'picture is for plot' pgasim sweep csv --picture 1 own.yaml

# Pandas and R, where they are installed, read what Python reads: numbers as numbers, what is missing as missing.
if python3 -c 'import pandas' 2>/dev/null; then
    python3 - <<'PY' || fail "pandas"
import pandas
csv, lines = pandas.read_csv("own.csv", float_precision="round_trip"), pandas.read_json("own.jsonl", lines=True, precise_float=True)
assert list(csv.columns) == list(lines.columns) and len(csv) == len(lines) == 20, csv
assert csv.ranks.dtype == lines.ranks.dtype == "int64" and csv.seconds.dtype == lines.seconds.dtype == "float64", csv.dtypes
assert (abs(csv.seconds - lines.seconds) <= 1e-15 * csv.seconds).all() and (csv.topology == lines.topology).all(), csv
assert csv.reason.isna().all() and lines.reason.isna().all() and (csv["each"] == (csv.ranks - 1) / 2).all(), csv
PY
else
    echo 'SKIPPED: pandas is not installed'
fi
if command -v Rscript >/dev/null; then
    Rscript --vanilla - <<'R' >r.txt 2>&1 || fail "R: $(cat r.txt)"
rows <- read.csv("own.csv")
stopifnot(nrow(rows) == 20, is.integer(rows$ranks), is.numeric(rows$seconds), all(is.na(rows$reason)),
          identical(names(rows)[1:3], c("point", "topology", "ranks")), all(rows$each == (rows$ranks - 1) / 2))
write.table(sprintf("%.17g", rows$seconds), "r.seconds", row.names = FALSE, col.names = FALSE, quote = FALSE)
R
    python3 - <<'PY' || fail "R reads other numbers"
import csv
wanted = [float(row["seconds"]) for row in csv.DictReader(open("own.csv"))]
read = [float(line) for line in open("r.seconds")]
assert all(abs(a - b) <= 4e-16 * a for a, b in zip(wanted, read)) and len(read) == 20, (wanted, read)
PY
else
    echo 'SKIPPED: R is not installed'
fi

# A changed program: what is there is shown, and said to be of another version, until it is run again.
cp own.db kept.db
cp sum sum.first
sed 's/the sum/The sum/' sum.c >newer.c
"$bin/wrappers/mpicc" -o sum newer.c || exit 1
expect 0 '20 points are shown as an earlier version' pgasim sweep plot own.yaml --database kept.db -o older.html
grep -q '<p>20 of them are of an earlier version of pgasim' older.html || fail "older.html says nothing"
grep -q 'earlier version' own.html && fail "own.html is of this version"
[ "$(grep -c '<svg' older.html)" -eq 5 ] || fail "older.html has $(grep -c '<svg' older.html) charts"
pgasim sweep jsonl own.yaml --database kept.db 2>/dev/null | sed 's/"current":0/"current":1/' | cmp -s - own.jsonl || fail "older rows"
expect 0 '20 points: 5 ran now, 0 were there before, 15 are left' pgasim sweep own.yaml --database kept.db --only 'point <= 5'
expect 0 '15 of 20 points are shown as an earlier version' pgasim sweep csv own.yaml --database kept.db
{ [ "$(grep -c ',1$' out)" -eq 5 ] && [ "$(grep -c ',0$' out)" -eq 15 ]; } || fail "current: $(cat out)"
sed 's/chart: lines, /&where: current, /' own.yaml >current.yaml
pgasim sweep plot current.yaml --database kept.db -q -o current.html 2>err || fail "where: current: $(cat err)"
python3 - <<'PY' || fail "where: current"
import json, re
data = json.loads(re.search('id="data">(.*?)</script>', open("current.html").read(), re.S)[1])
assert len(data["points"]) == 20 and data["charts"][0]["points"] == [0, 1, 2, 3, 4], data["charts"][0]
PY
# Of several earlier versions the newest is shown.
sed 's/the sum/THE sum/; s/MPI_SUM/MPI_MAX/' sum.c >newest.c
"$bin/wrappers/mpicc" -o sum newest.c || exit 1
grep -q 'THE sum is' newest.c || exit 1
expect 0 '20 points: 20 ran now' pgasim sweep own.yaml --database kept.db
sed 's/sum is/sum  is/' sum.c >last.c
"$bin/wrappers/mpicc" -o sum last.c || exit 1
pgasim sweep jsonl own.yaml --database kept.db -q | python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
assert len(rows) == 20 and all(r["sum"] == r["ranks"] - 1 and not r["current"] for r in rows), rows' || fail "not the newest"
cp sum.first sum
expect 2 "--only 'ranks > 99' holds for none of 20 points" pgasim sweep own.yaml --only 'ranks > 99'

# A changed program repeats its points; a changed back one repeats none.
cp sum sum.first
sed 's/sum is/sum is  /' sum.c >other.c
"$bin/wrappers/mpicc" -o sum other.c || exit 1
expect 5 '20 points: 20 ran now.*' pgasim sweep own.yaml
expect 5 'no result: sum: .* is not in the output' pgasim sweep own.yaml
cp sum.first sum
expect 0 '20 points: 0 ran now' pgasim sweep own.yaml
sed 's/\[1, 10\]/[1, 10, 100]/' own.yaml >more.yaml
expect 0 '30 points: 10 ran now, 20 were there' pgasim sweep more.yaml --database own.db

# --- any command: what fails is a row
cat >work.sh <<'SH'
echo "$2 $(date +%s%N)" >>"$LOG"
case $1 in
good) echo "value=$2" ;;
bad) echo "this is wrong" >&2; exit 3 ;;
dead) kill -9 $$ ;;
late) sleep 100 ;;
silent) ;;
file) echo "$2" >"$3/made"; echo "value=$2" ;;
esac
echo "{\"a\": [{\"b\": $2}], \"c\\u0041\": \"x\"}" >"$3/json"
SH
export LOG=$work/log
cat >any.yaml <<'YAML'
command: [sh, work.sh, "${kind}", "${n}", "${folder}"]
inputs: work.sh
parameters: {kind: [good, bad, dead, late, silent], n: [1, 2]}
timeout: 1s
keep: {value: {output: "value=(.*)"}, b: {json: "a[0].b"}, t: {json: cA}}
YAML
: >log
expect 5 '10 points: 10 ran now, 0 were there before, 0 are left; 8 failed' pgasim sweep any.yaml
results any.yaml >any.csv
cat >any.expected <<'CSV'
point,kind,n,value,b,t,status,reason,exit_status
1,good,1,1,1,x,ok,,0
2,good,2,2,2,x,ok,,0
3,bad,1,,,,exit 3,this is wrong,3
4,bad,2,,,,exit 3,this is wrong,3
5,dead,1,,,,signal 9,,137
6,dead,2,,,,signal 9,,137
7,late,1,,,,timeout,it did not end within 1 s,
8,late,2,,,,timeout,it did not end within 1 s,
9,silent,1,,,,no result,value: 'value=(.*)' is not in the output,0
10,silent,2,,,,no result,value: 'value=(.*)' is not in the output,0
CSV
cmp -s any.csv any.expected || fail "any: $(diff any.csv any.expected)"
[ "$(wc -l <log)" -eq 10 ] || fail "not each point once: $(cat log)"
pgrep -f "sh work.sh late" >left && fail "left: $(cat left)"
expect 5 '0 ran now, 10 were there before' pgasim sweep any.yaml
expect 5 '2 ran now, 8 were there before' pgasim sweep any.yaml --retry-failed --only 'kind == "bad"'
sed 's/inputs: work.sh/inputs: nothing.sh/' any.yaml >no.yaml
expect 2 "no.yaml:2: .*/nothing.sh: No such file" pgasim sweep no.yaml
cat >file.yaml <<'YAML'
command: [sh, work.sh, file, "${n}", "${folder}"]
parameters: {n: [4, 5]}
keep: {where: {file: made}}
YAML
expect 0 '2 ran now' pgasim sweep file.yaml
pgasim sweep jsonl file.yaml | python3 -c '
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    assert open(row["where"]).read() == "%d\n" % row["n"], row' || fail "kept files"

# --- runs that do not fit together do not meet
cat >big.yaml <<'YAML'
command: [sh, -c, "mkdir busy 2>/dev/null || exit 9; sleep 0.05; rmdir busy"]
parameters: {n: {from: 1, to: 6}}
memory: 60MB
YAML
expect 0 '6 ran now.* 0 failed' pgasim sweep big.yaml -j 4 --memory 100MB
sed 's/memory: .*/memory: 20MB/' big.yaml >small.yaml
expect 5 '6 ran now' pgasim sweep small.yaml -j 4 --memory 100MB

# --- killed at any time: complete, none twice, none lost
cat >kill.yaml <<'YAML'
command: [sh, -c, "echo ${n} >>log2; sleep 0.01; echo v=${n}"]
parameters: {n: {from: 1, to: 120}}
keep: {v: {output: "v=(.*)"}}
YAML
kills=0
[ "${PGASIM_TEST_SEED:-}" = random ] || RANDOM=$((${PGASIM_TEST_SEED:-1} & 32767))
for ((k = 0; k < 6; k++)); do
    pgasim sweep -q -j 2 kill.yaml &
    pid=$!
    sleep "0.$((RANDOM % 5 + 1))"
    kill -9 $pid 2>/dev/null && kills=$((kills + 1))
    wait $pid 2>/dev/null
done
expect 0 '120 points: .* 0 are left; 0 failed' pgasim sweep kill.yaml
results kill.yaml | awk -F, 'NR > 1 && ($1 != NR - 1 || $2 != $1 || $3 != $1 || $4 != "ok") { bad = 1 } END { exit bad || NR != 121 }' ||
    fail "after kills: $(results kill.yaml | head -5)"
[ "$(wc -l <log2)" -le $((120 + 2 * kills)) ] || fail "$kills kills, but $(wc -l <log2) runs of 120 points"
[ "$(sort -u log2 | wc -l)" -eq 120 ] || fail "points were not run"
[ -e kill.db.work ] && fail "the work folder is left"

# --- an interrupt, and two at a time
sed 's/0.01/1/; s/log2/log3/' kill.yaml >slow.yaml
pgasim sweep -j 2 slow.yaml 2>slow.err &
pid=$!
for ((k = 0; k < 100; k++)); do [ -e slow.db.work/1 ] && break; sleep 0.05; done
expect 4 'slow.db is in use by another pgasim sweep' pgasim sweep slow.yaml
kill -TERM $pid
wait $pid
status=$?
[ $status -eq 143 ] || fail "SIGTERM: status $status"
grep -qE 'ended by SIGTERM; [0-9]+ of 120 points are in .*slow.db: the same command goes on' slow.err || fail "$(cat slow.err)"
[ -e slow.db.work ] && fail "interrupt: the work folder is left"

# --- wrong input
echo 'ranks: [1' >wrong.yaml
expect 2 'wrong.yaml:[12]: .*' pgasim sweep wrong.yaml
expect 2 'nothing.yaml: No such file' pgasim sweep nothing.yaml
expect 2 "only: 'nn > 1': there is no 'nn' here" pgasim sweep --only 'nn > 1' kill.yaml
# shellcheck disable=SC2016 # for pgasim
sed 's/v=.{n}/v=${m}/' kill.yaml >kill2.yaml
expect 2 "kill2.yaml:1: 'm': there is no 'm' here" pgasim sweep kill2.yaml
echo text >text.db
expect 2 'text.db: file is not a database' pgasim sweep --database text.db kill.yaml
expect 2 'kill2.db: there are no results yet|there is no' pgasim sweep csv kill2.yaml
expect 2 'the study has no plots' pgasim sweep plot kill.yaml
expect 2 'the file of a study is missing' pgasim sweep plot
expect 2 'expected one study' pgasim sweep a.yaml b.yaml
finish
