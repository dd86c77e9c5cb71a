#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Files that commands write: whole or not at all, nothing left behind, never through a planted link, no two in one
# file; a run's JSON at each of its ends; what is no input; descriptors that have run out.
# shellcheck disable=SC2043,SC2086,SC2094 # words; lists of one; files that are read by what failed
. "$(dirname "$0")/lib.sh"
cat >p.c <<'C'
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    static long x[8];
    const char *how = argc > 1 ? argv[1] : "";
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_long_p(&x[0], me, (me + 1) % n);
    shmem_barrier_all();
    if (!strcmp(how, "abort") && me == 1)
        abort();
    if (!strcmp(how, "crash") && me == 1)
        *(volatile int *)8 = 1;
    if (!strcmp(how, "exit") && me == 1)
        exit(7);
    if (!strcmp(how, "global") && me == 1)
        shmem_global_exit(9);
    if (!strcmp(how, "deadlock") && me == 1)
        shmem_long_wait_until(&x[1], SHMEM_CMP_NE, 0);
    if (!strcmp(how, "wild") && me == 1)
        shmem_long_p((long *)8, 1, 0);
    if (!strcmp(how, "large") && me == 1)
        for (FILE *f = fopen("large.txt", "w"); fprintf(f, "a line of a file that grows\n") > 0;)
            fflush(f);
    if (!strcmp(how, "spin"))
        for (fprintf(stderr, "started\n");;)
            shmem_barrier_all();
    shmem_finalize();
    return 0;
}
C
pgasim cc -O1 -o p p.c || fail "cannot be built"
run="pgasim run -q -np 3 --compute=off"

json() { # KEY: its value in k.json
    python3 -c 'import json, sys; print(json.load(open("k.json"))[sys.argv[1]])' "$1"
}
well() { # COMMAND...: ends with 0
    "$@" >out 2>&1 </dev/null || fail "$*: status $?: $(cat out)"
}
no_parts() { # WHAT
    local left
    left=$(find . -name '.*.*' -type f)
    [ -z "$left" ] || fail "$1 left $left"
}

# --- a run's JSON at each of its ends, never that of an older run
while read -r how status ended error; do
    echo '{"of": "an older run"}' >k.json
    $run --json k.json ./p "$how" >out 2>&1 </dev/null
    [ $? -eq "$status" ] || fail "$how: not status $status: $(cat out)"
    [ "$(json ended)" = "$ended" ] || fail "$how: ended is $(json ended), expected $ended"
    [ "$(json status)" = "$status" ] || fail "$how: status is $(json status), expected $status"
    [[ "$(json error)" == *"$error"* ]] || fail "$how: error is $(json error), expected $error"
    [ "$(json simulated_seconds)" != 0 ] || fail "$how: no simulated time"
done <<'H'
well 0 finished None
exit 7 stopped exit status 7
global 9 stopped shmem_global_exit(9)
deadlock 3 deadlock deadlock
wild 5 stopped not a symmetric address
abort 134 crashed Aborted
crash 139 crashed Segmentation fault
H
for signal in TERM INT HUP; do
    echo '{"of": "an older run"}' >k.json
    rm -f said # what an earlier run said
    $run --json k.json ./p spin 2>said &
    pid=$!
    for _ in $(seq 100); do
        grep -qs started said && break
        sleep 0.1
    done
    # a shell's background job ignores SIGINT, which pgasim respects
    [ $signal = INT ] && { kill -TERM $pid; wait $pid; continue; }
    kill -$signal $pid
    wait $pid
    [ $? -gt 128 ] || fail "SIG$signal did not end the run"
    [ "$(json ended)" = interrupted ] || fail "SIG$signal: ended is $(json ended)"
done
echo '{"of": "an older run"}' >k.json
expect 2 'nosuch.xml' $run --json k.json --platform nosuch.xml ./p
[ "$(json ended) $(json status)" = "error 2" ] || fail "bad input: $(cat k.json)"
mkdir -p sub
well $run --json k.json --wdir sub ../p
[ "$(json ended)" = finished ] || fail "with --wdir: $(cat k.json)"
[ ! -e sub/k.json ] || fail "--json is relative to the folder of --wdir"

# --- two outputs in one file, and an output in an input's place
expect 2 'k.json and --trace ./k.json are the same file, which would be written twice' $run --json k.json --trace ./k.json ./p
expect 2 'same file' $run --trace a.pgt --trace ./a.pgt ./p
expect 2 'same file' $run --trace new.pgt --trace "$PWD/new.pgt" ./p
: >a.pgt
ln -s a.pgt link.pgt
ln a.pgt hard.pgt
expect 2 'same file' $run --trace a.pgt --trace link.pgt ./p
expect 2 'same file' $run --trace a.pgt --trace hard.pgt ./p
ln -s nowhere.pgt dangling.pgt
expect 2 'same file' $run --trace nowhere.pgt --trace dangling.pgt ./p
cp p q
expect 2 'the program ./q and --json q are the same file, which would be overwritten' $run --json q ./q
cmp -s p q || fail "the program was overwritten"
pgasim platform default >d.xml
expect 2 'same file' $run --platform d.xml --json d.xml ./p
expect 2 'same file' pgasim platform draw -o ./d.xml d.xml
pgasim platform check d.xml >/dev/null || fail "the platform was overwritten"
well $run --json /dev/null ./p
rm -f a.pgt link.pgt hard.pgt dangling.pgt

# --- standard output that is a file
$run --json /dev/stdout ./p >whole 2>&1 || fail "--json /dev/stdout: $(cat whole)"
python3 -c 'import json; json.load(open("whole"))' || fail "--json /dev/stdout > file: $(cat whole)"
{ echo before && pgasim platform draw -o whole d.xml && echo after; } >whole
[ "$(head -n 1 whole) $(tail -n 1 whole)" = "before after" ] || fail "a picture has overwritten what was in standard output"

# --- two runs into one trace: the second is refused, and the first one's is whole
rm -f said
$run --trace one.pgt ./p spin 2>said &
pid=$!
for _ in $(seq 600); do
    grep -qs started said && break
    sleep 0.1
done
expect 2 'trace one.pgt: another run is writing it' $run --trace one.pgt ./p
expect 2 'another run is writing it' $run --trace ./sub/../one.pgt ./p
kill -TERM $pid
wait $pid
well pgasim profile one.pgt
grep -q damaged out && fail "the trace of the first of two runs is damaged: $(cat out)"
well $run --trace one.pgt ./p

# --- planted links. Reports have no predictable other name.
if pgasim report one.pgt -o r.html >out 2>&1; then
    echo precious >victim
    for name in q.html.part .q.html.part q.html.tmp; do
        ln -sf victim $name
    done
    well pgasim report one.pgt -o q.html
    [ "$(cat victim)" = precious ] || fail "report has overwritten a link's target"
    expect 2 'same file' pgasim report one.pgt -o ./one.pgt
    pgasim report one.pgt -o both.html >/dev/null 2>&1 &
    pgasim report one.pgt -o both.html >/dev/null 2>&1 || fail "one of two reports to one name failed"
    wait $! || fail "one of two reports to one name failed"
    cmp -s both.html r.html || fail "two reports to one name have damaged it"
    (ulimit -f 8 && pgasim report one.pgt -o small.html >out 2>&1)
    [ $? -eq 4 ] || fail "report at the limit of file sizes: $(cat out)"
    [ ! -e small.html ] || fail "report has left a part of a page"
fi
if [ "$(id -u)" -eq 0 ]; then
    mkdir -p open && chmod 1777 open
    echo precious >victim
    for name in k.json t.pgt d.svg; do
        ln -s ../victim open/$name
        chown -h 12345 open/$name
    done
    expect 2 'symbolic link of another user' $run --json open/k.json ./p
    expect 2 'symbolic link of another user' $run --trace open/t.pgt ./p
    expect 4 'symbolic link of another user' pgasim platform draw -o open/d.svg d.xml
    [ "$(cat victim)" = precious ] || fail "an output went through a planted link"
fi
echo old >real.svg && ln -s real.svg mine.svg # one's own link is followed
well pgasim platform draw -o mine.svg d.xml
{ [ -h mine.svg ] && grep -q '</svg>' real.svg; } || fail "an output has replaced the user's link"

# --- no space, a limit on the size of files
echo old >old.svg
chmod 640 old.svg
(ulimit -f 1 && pgasim platform draw -o old.svg d.xml >out 2>&1)
[ $? -eq 4 ] || fail "draw at the limit of file sizes: $(cat out)"
[ "$(cat old.svg)" = old ] || fail "a failed picture has overwritten the old one"
well pgasim platform draw -o old.svg d.xml
[ "$(stat -c %a old.svg)" = 640 ] || fail "a new picture has other permissions than the old one"
(ulimit -f 0 && $run --json small.json --platform nosuch.xml ./p 2>&1 | cat >/dev/null)
[ ! -e small.json ] || fail "a JSON file that could not be written is there: $(cat small.json)"
rm -f said
(ulimit -f 2000 && exec $run --trace long.json ./p spin >/dev/null 2>said) &
pid=$!
for _ in $(seq 150); do
    grep -qs 'events from now on are lost' said && break
    sleep 0.1
done
grep -q 'long.json: File too large: events from now on are lost' said || fail "a trace at the limit: $(cat said)"
kill -TERM $pid
wait $pid
(ulimit -f 2000 && $run --json k.json ./p large >out 2>&1)
[ $? -eq 153 ] || fail "a rank at the limit of file sizes: $(cat out)"
grep -q 'rank 1 .* was ended by signal 25' out || fail "a rank at the limit of file sizes: $(cat out)"
[ "$(json ended)" = crashed ] || fail "a rank at the limit of file sizes: $(cat k.json)"
expect 4 'cannot write standard output' bash -c 'pgasim info >/dev/full'
expect 4 'cannot write standard output' bash -c 'pgasim platform show >/dev/full'
expect 4 'cannot write standard output' bash -c 'pgasim profile one.pgt >/dev/full'
no_parts "the commands"

# --- what is no input: said at once
mkfifo pipe
for bad in /dev/zero . /dev/urandom; do
    expect 2 . timeout 20 pgasim platform check $bad
    expect 2 . timeout 20 $run --platform $bad ./p
    expect 2 . timeout 20 $run --hostfile $bad ./p
    expect 2 . timeout 20 pgasim profile $bad
    expect 2 . timeout 20 pgasim flows --platform d.xml $bad
    expect 2 . timeout 20 pgasim info $bad
    expect 2 . timeout 20 $run $bad
done
expect 2 . timeout 20 pgasim profile pipe
expect 2 . timeout 20 $run ./pipe
expect 124 'waiting for somebody to write to the pipe pipe' timeout 6 pgasim platform check pipe
expect 124 'waiting for somebody to write to the pipe pipe' timeout 6 pgasim flows --platform d.xml pipe
pgasim platform default -np 4 >pipe &
expect 0 OK timeout 20 pgasim platform check pipe
truncate -s 3G huge
expect 2 'File too large' timeout 20 pgasim platform check huge
expect 2 'File too large' timeout 20 $run --hostfile huge ./p
expect 2 . timeout 20 pgasim profile huge

# --- a program whose segments lie across each other
for k in 0; do
    python3 - "$k" <<'P'
import struct, sys
data = bytearray(open("p", "rb").read())
at, = struct.unpack_from("<Q", data, 32)
size, n = struct.unpack_from("<HH", data, 54)
loads = [at + size * i for i in range(n) if struct.unpack_from("<I", data, at + size * i)[0] == 1]
memory, = struct.unpack_from("<Q", data, loads[int(sys.argv[1])] + 40)
struct.pack_into("<Q", data, loads[int(sys.argv[1])] + 40, memory + (4 << 20))
open("across", "wb").write(data)
P
    chmod +x across
    expect 2 'damaged ELF file .segment [0-9]+ overlaps the one before' $run --privatize=swap ./across
    expect 2 'damaged ELF file' pgasim info ./across
done

# --- descriptors that have run out
for most in 4 5 6 7 8 9 10 12; do
    for command in "platform check d.xml" "run -q -np 3 --compute=off --platform d.xml ./p" "profile one.pgt" \
        "info ./p" "flows --platform d.xml list" "run -q -np 3 --compute=off --json k.json --trace two.pgt ./p"; do
        : >list
        (ulimit -n $most && exec pgasim $command) >out 2>&1 </dev/null
        status=$?
        case $status in
        0 | 4) ;;
        127) grep -q 'Too many open files\|cannot open shared object' out || fail "$most descriptors: $command: $(cat out)" ;;
        *) fail "$most descriptors: pgasim $command: status $status: $(cat out)" ;;
        esac
    done
done
finish
