#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The progress line on a terminal, the summary, JSON, and the line that SIGTERM leaves.
. "$(dirname "$0")/lib.sh"
cat >spin.c <<'C'
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static long counter;
int main(int argc, char **argv)
{
    long seconds = argc > 1 ? atol(argv[1]) : 0;
    struct timespec t; /* of the machine: the program has only simulated time */
    (void)t;
    shmem_init();
    printf("started\n");
    for (long n = 0; n < seconds * 400000; n++)
        shmem_long_atomic_inc(&counter, (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
C
sed -i '/timespec/d; /(void)t;/d; /time.h/d' spin.c
pgasim cc -O2 spin.c -o spin || fail "spin.c does not compile"

# With a terminal, supplied by `script`. The run must take more than two seconds; then it is ended.
timeout -s INT 4 script -qec "pgasim run -np 8 --compute=off ./spin 100000" /dev/null >terminal 2>&1 \
    </dev/null
grep -q 'pgasim: .* simulated, .* a second; [0-9]* ranks ready, [0-9]* waiting' terminal ||
    fail "no progress line: $(head -c 600 terminal)"
# Without a terminal: no progress line.
timeout -s TERM 3 pgasim run -np 8 --compute=off ./spin 100000 >out 2>err
status=$?
[ $status -eq 124 ] || fail "SIGTERM: status $status of timeout"
grep -q 'ranks ready' err && fail "a progress line without a terminal"
grep -qx 'pgasim: ended by SIGTERM at .* of simulated time' err || fail "SIGTERM left: $(cat err)"
[ "$(grep -cx started out)" -eq 8 ] || fail "SIGTERM lost output: $(cat out)"

expect 0 '^pgasim: .* simulated in .*: 8 ranks on 1 host of the built-in cluster$' pgasim run -np 8 \
    --compute=off ./spin
expect 0 'collective: 8 calls' pgasim run -np 8 --compute=off ./spin
expect 0 'memory: .* globals: ' pgasim run -np 8 --compute=off ./spin
pgasim run --quiet -np 2 ./spin >out 2>err
[ -s err ] && fail "--quiet said: $(cat err)"

pgasim run -np 8 --compute=off --json figures.json --quiet ./spin >out || fail "--json: status $?"
python3 - <<'P' || fail "figures.json: $(cat figures.json)"
import json
f = json.load(open("figures.json"))
assert f["status"] == 0 and f["ranks"] == 8 and f["hosts"] == 1, f
assert f["simulated_seconds"] > 0 and f["wall_seconds"] > 0 and f["peak_memory_bytes"] > 0, f
assert f["command"] == ["./spin"] and f["platform"] == "" and f["warnings"] == [], f
assert f["privatize"] in ("dlopen", "swap"), f
assert set(f["operations"]) == {"puts", "put_bytes", "gets", "get_bytes", "atomics", "messages", "message_bytes",
                                "collective_calls", "collective_messages", "collective_bytes"}, f
P
expect 0 '"simulated_seconds"' pgasim run -np 2 --json - --quiet ./spin
echo 'of an older run' >kept
expect 2 'no-such-program' pgasim run -np 2 --json kept ./no-such-program
grep -q '"ended": "error"' kept || fail "a failed run has left the JSON of another run: $(cat kept)"
expect 4 'json /dev/full: No space' pgasim run -np 2 --json /dev/full --quiet ./spin
finish
