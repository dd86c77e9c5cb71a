#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# tests/soak (make soak) on a build of two programs, one of which fails: it names the seed, and when it is ended, nothing that
# it has started goes on, or is said to have failed.
. "$(dirname "$0")/lib.sh"

mkdir -p fake/bin bin tmp
cat >bin/ninja <<'N'
#!/bin/sh
for name in fails waits; do
    printf 'CMakeFiles/test_a_%s.dir/tests/a/test_%s.c.o: #deps 1\n    /x/tests/seed.h\n' $name $name
done
N
printf '#!/bin/sh\necho "wrong: 3"\nexit 1\n' >fake/bin/test_a_fails
cat >fake/bin/test_a_waits <<'W'
#!/bin/sh
echo $$ >>"$WAITS"
exec sleep "$SLEEPS"
W
chmod +x bin/ninja fake/bin/*
export PATH=$work/bin:$PATH TMPDIR=$work/tmp WAITS=$work/waits

start() { # SECONDS that a test takes
    : >waits
    SLEEPS=$1 env --default-signal=INT "$top/tests/soak" fake 5 2 >out 2>&1 &
    pid=$!
    for ((k = 0; k < 400; k++)); do [ -s waits ] && grep -q 'wrong: 3' out && break; sleep 0.05; done
    [ -s waits ] || fail "no test was started: $(cat out)"
}
left() { xargs -r ps -o pid= -p <waits; }

for signal in TERM INT HUP; do
    start 600
    kill -$signal $pid
    wait $pid
    got=$?
    [ $got -eq $((128 + $(kill -l $signal))) ] || fail "$signal: status $got: $(cat out)"
    [ -z "$(left)" ] || fail "$signal: left behind: $(left)"
    grep -qE '^FAILED: PGASIM_TEST_SEED=[0-9]+ .*/fake/bin/test_a_fails$' out || fail "$signal: the seed that fails: $(cat out)"
    grep -q 'test_a_waits\|No such file' out && fail "$signal: what had not failed: $(cat out)"
    [ -z "$(ls tmp)" ] || fail "$signal: left behind in the temporary folder: $(ls tmp)"
done

# Killed at once, it cannot end what runs; but no other test is started.
start 1
kill -KILL $pid
wait $pid 2>/dev/null
for ((k = 0; k < 200; k++)); do [ -z "$(left)" ] && break; sleep 0.05; done
[ -z "$(left)" ] || fail "KILL: left behind: $(left)"
wc -l <waits >before
sleep 1.5
wc -l <waits >after
cmp -s before after || fail "KILL: $(cat before) tests became $(cat after)"
grep -q 'test_a_waits' out && fail "KILL: what had not failed: $(cat out)"
finish
