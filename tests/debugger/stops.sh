#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Where a job stops in the debugger: --stop-at a time, a warning, a report; `pgasim back`; a watchpoint on a
# symmetric variable at its delivery. --gdb and --wrapper start the right command. Results are the same with
# and without.
# shellcheck disable=SC2016 # values of gdb
. "$(dirname "$0")/lib.sh"
cat >wrong.c <<'C'
#include <shmem.h>
int main(void)
{
    static long here;
    long value = 1;
    shmem_init();
    if (shmem_my_pe() == 1)
        shmem_long_put((long *)&value, &value, 1, 0); /* not symmetric */
    shmem_barrier_all();
    shmem_finalize();
    return (int)here;
}
C
pgasim cc -g -O0 -o wrong wrong.c || fail "wrong.c does not compile"

way=stop
expect 2 'expected .*(or: warning, report)|--stop-at: ' pgasim run -np 2 --stop-at never ./relay
expect 0 'would stop by --stop-at, at 300.0 ns of simulated time, but there is no debugger' \
    pgasim run -q -np 4 --compute off --stop-at 300ns ./relay
grep -qx 'result 1, inbox 103, 1000' out || fail "--stop-at changes the result: $(cat out)"
expect 2 'one of them at a time' pgasim run --gdb --lldb -np 2 ./relay
expect 0 run pgasim run --wrapper "printf '[%s]'" -np 2 ./relay x
grep -q '\[run\]\[-np\]\[2\]\[./relay\]\[x\]' out || fail "--wrapper: $(cat out)"
expect 2 'cannot start no-such-debugger' pgasim run --wrapper=no-such-debugger -np 2 ./relay

cat >commands <<'G'
set pagination off
run
print $now()
pgasim back 250ns
print $now()
pgasim ranks
break relay_work if $rank() == 3
pgasim back 1us
print $now()
pgasim back 0.1us
continue
print $rank()
kill
quit
G
timeout 100 pgasim run --gdb -np 4 -q --compute=off --stop-at 300ns ./relay <commands >out 2>&1
has 'stopped by --stop-at, at 300.0 ns' '\$1 = 2.99*e-07|\$1 = 3.*e-07' 'stopped by --stop-at, at 250.0 ns' \
    '\$2 = 2.5e-07|\$2 = 2.49*e-07' \
    '4 ranks, at 250 ns of simulated time' 'stopped by --stop-at, at 1.000 us' \
        'Breakpoint 1.*relay_work \(me=3' '\$4 = 3'
grep -q 'declined' out && fail "--gdb: the extension was not loaded: $(cat out)"

printf 'run\npgasim ranks\nkill\nquit\n' >commands
timeout 100 pgasim run --gdb -np 2 -q --compute=off ./wrong <commands >out 2>&1
has 'error: rank 1 .*shmem_long_put' 'stopped because of the error above' 'rank 1: runs' 'in main, wrong\.c:8'

# The watched word is rank 0's; the put of rank 3 writes it when it is delivered.
way=watch
debug 4 ./relay --privatize=dlopen <<'G'
break pass_on if $rank() == 0
run
watch inbox
delete 1
continue
pgasim ranks
pgasim rank 0 print inbox
G
has 'Hardware watchpoint 2: inbox' '^Old value = -1$' '^New value = 103$' 'rma_.*|memcpy|write' '^\$1 = 103$'
finish
