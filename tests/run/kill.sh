#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# kill.sh SIGNAL COMMAND...: starts the command, waits until it says "started" on stderr, looks for files of
# it in /dev/shm, /tmp and $TMPDIR that still have a name, sends the signal, and prints the exit status.
set -u
signal=$1
shift
said=$W/said
: >"$said"
set -m # so that the command does not inherit an ignored SIGINT
"$@" >"$W/out" 2>"$said" &
pid=$!
for _ in $(seq 300); do
    grep -q started "$said" && break
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
done
grep -q started "$said" || { echo "not started"; cat "$said"; }
sleep 0.2
named() {
    { cat "/proc/$pid/maps"; ls -l "/proc/$pid/fd"; } | grep -E "/dev/shm/|/tmp/|$TMPDIR/" |
        grep -vE "\(deleted\)|memfd:|$W/|/lib/libpgasim|/bin/pgasim"
    ls -A "$TMPDIR"
}
left=$(named)
[ -z "$left" ] || printf 'has a name:\n%s\n' "$left"
kill -s "$signal" "$pid"
for _ in $(seq 100); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
done
kill -0 "$pid" 2>/dev/null && { echo "still runs"; kill -KILL "$pid"; }
wait "$pid" 2>/dev/null
echo "status $?"
ls -A "$TMPDIR"
