#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# bench/programs/meter leaves no process behind: neither of a command that is late, nor when it is ended itself, nor when
# the one who started it is killed.
#   meter.sh COMPILER
set -u
top=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
"$1" -std=gnu17 -D_GNU_SOURCE -O1 -o meter "$top/bench/programs/meter.c" || exit 1
wrong=0
fail() {
    echo "WRONG: $*"
    wrong=$((wrong + 1))
}

# A command as smpirun is one: a script whose child does the work. Both say that they are there.
cat >command.sh <<'SH'
sh -c 'echo $$ >>pids; exec sleep 300' &
echo $$ >>pids
wait
SH
begun() { # waits until both are there
    for ((k = 0; k < 400; k++)); do
        [ -e pids ] && [ "$(wc -l <pids)" -eq 2 ] && return
        sleep 0.05
    done
    fail "$1: the command did not begin"
}
gone() { # waits until neither is
    local pid
    while read -r pid; do
        for ((k = 0; k < 400; k++)); do
            kill -0 "$pid" 2>/dev/null || continue 2
            sleep 0.05
        done
        fail "$1: $pid is left: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
        kill -KILL "$pid"
    done <pids
    rm pids
}

./meter 1 report sh command.sh
read -r _ _ status late <report
{ [ "$late" = 1 ] && [ "$status" = -9 ]; } || fail "late: $(cat report)"
gone late
for signal in INT TERM HUP; do
    # python: a shell's background commands ignore SIGINT
    python3 - $signal <<'PY' &
import os, signal, sys, subprocess
meter = subprocess.Popen(["./meter", "300", "report", "sh", "command.sh"])
open("meter.pid", "w").write(str(meter.pid))
status = meter.wait()
open("meter.status", "w").write(str(status))
PY
    begun $signal
    kill -$signal "$(cat meter.pid)"
    wait $!
    gone $signal
    [ "$(cat meter.status)" = $((128 + $(kill -l $signal))) ] || fail "$signal: status $(cat meter.status)"
done
python3 -c 'import subprocess; subprocess.run(["./meter", "300", "report", "sh", "command.sh"])' &
begun 'a killed parent'
kill -KILL $!
wait $! 2>/dev/null
gone 'a killed parent'

# Otherwise it tells what the command did.
./meter 60 report sh -c 'exit 7'
read -r cpu kib status late <report
{ [ "$status" = 7 ] && [ "$late" = 0 ] && [ "$kib" -gt 100 ] && [ "${cpu%%.*}" -lt 60 ]; } || fail "figures: $(cat report)"
echo "$wrong wrong"
exit $((wrong > 0))
