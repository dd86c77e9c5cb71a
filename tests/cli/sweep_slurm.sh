#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# `pgasim sweep --slurm` with the real daemons of Slurm and munge on this machine: all points are there, once, also when a
# node is taken away in the middle, when the command is killed, and when arrays do not come to their end.
. "$(dirname "$0")/lib.sh"
. "$top/tests/cli/slurm.sh"
missing=$(slurm_missing)
[ -n "$missing" ] && { echo "skipped: $missing"; exit 77; }
trap 'slurm_stop; rm -rf "$work"' EXIT
slurm_start 3 || { echo "skipped: Slurm's daemons do not run here: $(tail -n 2 "$slurm_home"/*.log "$slurm_home"/*.out)"; exit 77; }

study() { # POINTS SECONDS
    cat <<YAML
command: [sh, -c, "echo \${n} >>log; sleep $2; echo v=\$((\${n} * 2))"]
parameters: {n: {from: 1, to: $1}}
keep: {v: {output: "v=(.*)"}}
slurm: {tasks: 5, options: --cpus-per-task=1 --time=5}
YAML
}
# complete POINTS: each once, with its value
complete() {
    pgasim sweep csv study.yaml | awk -F, -v n="$1" \
        'NR > 1 && ($1 != NR - 1 || $3 != 2 * $1 || $4 != "ok") { bad = 1 } END { exit bad || NR != n + 1 }' ||
        fail "$2: $(pgasim sweep csv study.yaml | head -5; pgasim sweep csv study.yaml | wc -l)"
    [ -e study.db.slurm ] && fail "$2: the folder of the array is left: $(ls study.db.slurm)"
}

# --- as here
study 40 0 >study.yaml
expect 0 '40 points: 40 ran now, 0 were there before, 0 are left; 0 failed' pgasim sweep --slurm study.yaml
complete 40 plain
[ "$(sort log | uniq -d | wc -l)" -eq 0 ] || fail "points were run twice: $(sort log | uniq -d)"
expect 0 '40 points: 0 ran now, 40 were there before' pgasim sweep --slurm study.yaml
expect 0 '40 points: 0 ran now, 40 were there before' pgasim sweep study.yaml

# --- a node is taken away in the middle
rm -f study.db log
study 60 0.3 >study.yaml
pgasim sweep --slurm study.yaml >node.out 2>&1 &
pid=$!
busy() { [ -e log ] && [ "$(wc -l <log)" -ge 8 ]; }
slurm_until busy || fail "no points after 30 s: $(cat node.out "$work"/study.db.slurm/*.out)"
victim=$(squeue -h -t R -o %N | head -n 1)
slurm_node_lose "${victim#n}" || fail "node: no task of $victim is to start again: $(squeue)"
wait $pid || fail "node: status $?: $(cat node.out)"
grep -q '60 points: 60 ran now, 0 were there before, 0 are left; 0 failed' node.out || fail "node: $(cat node.out)"
complete 60 node
[ "$(sort log | uniq -d | wc -l)" -le 2 ] || fail "more points than the node's two were run twice: $(sort log | uniq -d)"
slurm_node_start "${victim#n}"

# --- the command is killed: the next one waits for the same array
rm -f study.db log
pgasim sweep --slurm study.yaml >/dev/null 2>&1 &
pid=$!
slurm_until busy || fail "killed: no points after 30 s"
kill -9 $pid
wait $pid 2>/dev/null
job=$(cat study.db.slurm/job)
expect 0 '60 points: 60 ran now, .* 0 are left; 0 failed' pgasim sweep --slurm study.yaml
complete 60 killed
[ "$(sort log | uniq -d | wc -l)" -eq 0 ] || fail "job $job: points were run twice: $(sort log | uniq -d)"

# --- an interrupt ends the array, and keeps what has ended
rm -f study.db log
pgasim sweep --slurm study.yaml >stop.out 2>&1 &
pid=$!
slurm_until busy || fail "interrupt: no points after 30 s"
kill -TERM $pid
wait $pid
status=$?
[ $status -eq 143 ] || fail "interrupt: status $status: $(cat stop.out)"
grep -qE 'ended by SIGTERM; [1-9][0-9]* of 60 points' stop.out || fail "interrupt: $(cat stop.out)"
[ -z "$(squeue -h)" ] || fail "interrupt: left: $(squeue)"
expect 0 '60 points: .* 0 are left; 0 failed' pgasim sweep --slurm study.yaml
complete 60 interrupt

# --- what Slurm refuses
sed 's/--time=5/--partition=nothing/' study.yaml >wrong.yaml
expect 4 'sbatch: .*artition' pgasim sweep --slurm wrong.yaml
finish
