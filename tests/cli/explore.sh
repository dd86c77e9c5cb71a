#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim explore` with a program that behaves as one of the S-DSM: the same results for any number of jobs, after
# interruptions, and from a table; configurations that fail; and its messages.
. "$(dirname "$0")/lib.sh"

pgasim cc "$top/tests/cli/explore_program.c" -o program || exit 1
cat >two.xml <<'XML'
<?xml version="1.0"?>
<platform version="4.1"><zone id="z" routing="Full">
<cluster id="f" prefix="fast-" suffix="" radical="0-1" speed="8Gf" core="4" bw="1Gbps" lat="20us" router_id="fr">
<prop id="sat/power-user" value="25"/></cluster>
<cluster id="s" prefix="slow-" suffix="" radical="0-1" speed="2Gf" core="2" bw="1Gbps" lat="20us" router_id="sr">
<prop id="sat/power-user" value="3"/></cluster>
<link id="l" bandwidth="1Gbps" latency="0"/>
<zoneRoute src="f" dst="s" gw_src="fr" gw_dst="sr"><link_ctn id="l"/></zoneRoute>
</zone></platform>
XML
explore() { pgasim explore --platform two.xml "$@"; }
small=(--servers 1-2 --roles "1:1 2:1-2" --serve nearest)

# same FILE OTHER
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ: $(diff "$1" "$2" | head -5)"; }
rows() { tail -n +2 "$1" | wc -l; }

# --- the same for any number of jobs, and from a table
for jobs in 1 3; do
    explore "${small[@]}" --grid --jobs $jobs --table $jobs.csv --svg $jobs.svg --json $jobs.json ./program >$jobs.out ||
        fail "--jobs $jobs: status $?"
done
for kind in csv svg json out; do same 1.$kind 3.$kind; done
all=$(rows 1.csv)
[ "$all" -gt 80 ] || fail "only $all configurations"
grep -q "^configurations: $all, of which $all ran now; 0 failed$" 1.out || fail "$(cat 1.out)"
grep -q '^hosts: fast-0 and 1 like it; slow-0 and 1 like it$' 1.out || fail "$(cat 1.out)"
grep -q '<svg xmlns=' 1.svg || fail "no picture"
cp 1.csv again.csv
explore "${small[@]}" --grid --table again.csv ./program >again.out || fail "again: status $?"
same 1.csv again.csv
grep -q "of which 0 ran now and $all are from the table" again.out || fail "$(cat again.out)"
diff <(tail -n +3 1.out) <(tail -n +3 again.out) || fail "another front"

# --- the front is that of all values
awk -F, 'NR > 1 && (NR == 2 || $4 < least) { least = $4; print $11 }' 1.csv >front
grep -oE '0@.*' 1.out | sed 's/ (and .*//' | cmp -s - front || fail "front: $(diff <(grep -oE '0@.*' 1.out) front)"

# --- half a table, the last row cut
head -n 40 1.csv >half.csv
tail -n 1 1.csv | head -c 30 >>half.csv
explore "${small[@]}" --grid --table half.csv ./program >half.out 2>half.err || fail "half: status $?"
same 1.csv half.csv
grep -q 'half.csv: a row that was not written whole is left out' half.err || fail "$(cat half.err)"
grep -q "of which $((all - 39)) ran now and 39 are from" half.out || fail "$(cat half.out)"

# --- killed at any time: what had ended is kept, no process is left
: >killed.csv
kept=0
for round in 1 2; do
    pgasim explore --platform two.xml "${small[@]}" --grid --jobs 2 --table killed.csv ./program slow >/dev/null 2>&1 &
    for ((k = 0; k < 600 && $(rows killed.csv) < kept + 2; k++)); do sleep 0.05; done
    kill -9 $!
    wait $! 2>/dev/null
    now=$(rows killed.csv)
    [ "$now" -ge $((kept + 2)) ] || fail "round $round: $now rows after $kept"
    kept=$now
done
for k in 1 2 3 4 5 6 7 8 9 10; do
    pgrep -f "$work/|-rankfile .*pgasim-explore-.* ./program slow" >left || break
    sleep 0.2
done
[ -s left ] && fail "left: $(ps -o pid,args -p "$(paste -sd, left)")"
explore --servers 1 --roles 1:1 --serve nearest --hosts "fast-0 1:fast-*" --table killed.csv ./program slow >killed.out ||
    fail "after kill: status $?"
[ "$(rows killed.csv)" -ge "$kept" ] || fail "rows were lost"
rm -rf "${TMPDIR:-/tmp}"/pgasim-explore-*

# --- an interrupt
pgasim explore --platform two.xml "${small[@]}" --grid --jobs 2 --table stopped.csv ./program slow >/dev/null \
    2>stopped.err &
sleep 1
kill -TERM $!
wait $!
status=$?
[ $status -eq 143 ] || fail "interrupt: status $status"
grep -qE 'ended by SIGTERM; [0-9]+ configurations are in stopped.csv: the same command goes on' stopped.err ||
    fail "$(cat stopped.err)"

# --- a search: the same for any number of jobs, another one with another seed
for jobs in 1 3; do
    explore --servers 1-3 --roles "1:1 2:1-4 3:1" --search 40 --seed 5 --jobs $jobs --table s$jobs.csv ./program \
        >s$jobs.out || fail "search --jobs $jobs: status $?"
done
same s1.csv s3.csv
same s1.out s3.out
[ "$(rows s1.csv)" -eq 40 ] || fail "a search of $(rows s1.csv)"
explore --servers 1-3 --roles "1:1 2:1-4 3:1" --search 40 --seed 6 --table s6.csv ./program >/dev/null || fail "seed 6"
cmp -s s1.csv s6.csv && fail "seeds 5 and 6 do the same"
# a part of the space, with a third of its configurations
explore "${small[@]}" --search $((all / 3)) --table part.csv ./program >/dev/null || fail "part"
python3 - 1.csv part.csv <<'PY' || fail "the search found too little"
import csv, sys
def points(name):
    return sorted((float(r["time"]), float(r["energy"])) for r in csv.DictReader(open(name)))
def area(p, ref):
    total, energy = 0, ref[1]
    for t, e in p:
        if t < ref[0] and e < energy:
            total, energy = total + (ref[0] - t) * (energy - e), e
    return total
grid, found = points(sys.argv[1]), points(sys.argv[2])
front = [p for p in grid if not any(q[0] <= p[0] and q[1] <= p[1] and q != p for q in grid)]
ref = 1.1 * max(p[0] for p in front), 1.1 * max(p[1] for p in front)
share = area(found, ref) / area(grid, ref)
print(f"{len(found)} of {len(grid)} configurations: {share:.4f} of the best area")
sys.exit(share < 0.95)
PY

# --- the files of the front repeat its runs
explore "${small[@]}" --protocols home-lazy,update --search 20 --output best ./program >best.out || fail "--output"
[ "$(grep -c '0@' best.out)" -eq "$(find best -name '*.xml' | wc -l)" ] || fail "best: $(ls best)"
command=$(sed -n '1s/^# //; 1p' best/1.rankfile)
wanted=$(sed -n 's/^ *1  *\([0-9.]*\) ms .*/\1/p' best.out)
eval "${command/--topology/--sat-summary=$work/again.json --topology}" >/dev/null 2>repeat.err || fail "$command: $(cat repeat.err)"
python3 -c 'import json; print("%.4g" % (json.load(open("again.json"))["time"] * 1e3))' >repeat.out
[ "$(cat repeat.out)" = "$(printf '%.4g' "$wanted")" ] || fail "repeated: $(cat repeat.out) ms, not $wanted ms: $command"

# --- idle power of hosts that are used
sed 's|<prop id="sat/power-user" value="3"/>|&<prop id="sat/power-idle" value="100"/>|' two.xml >idle.xml
pgasim explore --platform idle.xml --hosts "slow-*" --json idle.json ./program >/dev/null || fail "idle"
explore --hosts "slow-*" --json plain.json ./program >/dev/null || fail "plain"
python3 - <<'PY' || fail "idle power"
import json
rows = {r["configuration"]: r for r in json.load(open("plain.json"))["results"]}
for r in json.load(open("idle.json"))["results"]:
    hosts = len({w.split("@")[1].split("*")[0] for w in r["configuration"].split()})
    wanted = rows[r["configuration"]]["energy"] + 100 * hosts * r["time"]
    assert abs(r["energy"] - wanted) < 1e-9 * wanted, (r, wanted)
PY

# --- failures are rows
one=(--servers 1-2 --roles 1:1 --hosts "fast-0 1:fast-0,slow-0")
fails() { # HOW STATUS PATTERN
    explore "${one[@]}" --serve blocks --timeout 3 --json failed.json ./program "$1" >out 2>&1
    local status=$?
    [ $status -eq "$2" ] || fail "$1: status $status: $(cat out)"
    grep -qE -e "$3" out || fail "$1: '$3' is not in: $(cat out)"
}
fails crash 139 'failed: 1 with signal 11: rank 1 .host fast-0. at 0 s was ended by signal 11'
fails exit 9 'failed: 4 with exit 9: no, "thanks"'
fails deadlock 3 'failed: 2 with exit 3: deadlock at'
fails silent 5 'failed: 4 with no summary: the program wrote no summary; is it linked with libsat\?'
fails nonsense 5 'failed: 4 with no summary: not JSON'
explore --servers 1 --hosts fast-0 --timeout 0.5 ./program hang >out 2>&1
[ $? -eq 5 ] || fail "hang: $(cat out)"
grep -q 'failed: 1 with timeout: it did not end within 0.5 s' out || fail "hang: $(cat out)"
explore "${one[@]}" --serve blocks --table mixed.csv ./program crash 2 >out || fail "mixed: status $?"
grep -q '; 2 failed' out || fail "mixed: $(cat out)"
[ "$(grep -c ',signal 11,,,2,1,' mixed.csv)" -eq 2 ] || fail "mixed: $(cat mixed.csv)"
explore "${one[@]}" --serve blocks --table mixed.csv ./program crash 2 >out || fail "mixed again: status $?"
grep -q 'of which 0 ran now and 4 are from the table; 2 failed' out || fail "mixed again: $(cat out)"

# --- wrong input
printf 'a,b\n1,2\n' >foreign.csv
expect 2 'foreign.csv:1: this is no table of pgasim explore' explore --table foreign.csv ./program
same foreign.csv <(printf 'a,b\n1,2\n')
expect 2 '1.csv:2: this table is of another exploration' explore --table 1.csv ./program other
expect 2 '1.csv:2: this table is of another exploration' explore --table 1.csv --distinct ./program
sed '3s/fast-/fest-/' 1.csv >wrong.csv
expect 2 "wrong.csv:3: 'fest-[0-9]' is no host of the platform" explore --table wrong.csv ./program
expect 2 "another|no host matches 'x'" explore --hosts x ./program
expect 2 '\-\-platform FILE is missing' pgasim explore ./program
expect 2 '\-\-platform FILE is missing' pgasim explore --servers 2 ./program
expect 2 'no program was named' explore
expect 2 'the program ./nothing: No such file' explore ./nothing
expect 2 '\-np is what is explored: see --servers' explore -np 4 ./program
expect 2 '\-\-hostfile is what is explored' explore --hostfile two.xml ./program
expect 2 '\-\-trace is an option of pgasim run, for one run' explore --trace x.pgt ./program
expect 2 "one program for all processes" explore ./program : ./program
expect 2 '\-\-grid and --search' explore --grid --search 5 ./program
expect 2 '\-\-grid: there are more than 100000 configurations' explore --servers 4 --roles 1:8 --grid ./program
expect 2 '\-\-search 0: expected 1 to' explore --search 0 ./program
expect 2 '\-\-timeout x: expected a time' explore --timeout x ./program
expect 2 "no configuration fits|room for" explore --hosts "slow-0" --servers 3 ./program
expect 2 '\-\-table.*one file|two|same' explore --table x.csv --json x.csv ./program
expect 2 'another pgasim explore uses this table' flock 1.csv "$bin/pgasim" explore --platform two.xml --table 1.csv ./program
ls "${TMPDIR:-/tmp}"/pgasim-explore-* >/dev/null 2>&1 && fail "temporary folders are left"
finish
