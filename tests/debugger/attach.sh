#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# gdb attached to a running job, which goes on unharmed; core files.
# shellcheck disable=SC2016 # values of gdb
. "$(dirname "$0")/lib.sh"
cat >busy.c <<'C'
#include <shmem.h>
#include <stdio.h>
int outside = 5;
static long counter;
int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    outside += me;
    for (long n = 0; n < 200000000; n++)
        shmem_long_atomic_inc(&counter, (me + 1) % shmem_n_pes());
    shmem_finalize();
    return 0;
}
C
cat >fall.c <<'C'
#include <shmem.h>
int outside = 5, *nothing;
static void fall(int me)
{
    if (me == 2)
        *nothing = outside;
    shmem_barrier_all();
}
int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    outside += me;
    shmem_barrier_all();
    fall(me);
    shmem_finalize();
    return 0;
}
C
pgasim cc -g -O0 -o busy busy.c || fail "busy.c does not compile"
pgasim cc -g -O0 -o fall fall.c || fail "fall.c does not compile"
gdb=(timeout 100 gdb -q -nx -batch -iex 'set auto-load safe-path /' -ex 'set pagination off')

for way in "${ways[@]}"; do
    # shellcheck disable=SC2086 # the way is several words
    pgasim run -q -np 6 --compute off $way ./busy >/dev/null 2>&1 &
    job=$!
    sleep 1
    "${gdb[@]}" -p $job -ex 'pgasim ranks' -ex 'pgasim bt' -ex 'pgasim rank 3 print outside' \
        -ex 'pgasim rank 4 print outside' -ex 'pgasim rank 3 print outside' -ex detach >out 2>&1
    has '^6 ranks, at ' '^main, busy\.c:[0-9]*: ranks 0-5$' '^\$1 = 8' '^\$2 = 9$' '^\$3 = 8$'
    kill -0 $job || fail "$way: the job has died"
    kill $job
    wait $job
done

ulimit -c unlimited 2>/dev/null
for way in "${ways[0]}" "${ways[3]}"; do
    rm -f core*
    # shellcheck disable=SC2086 # the way is several words
    bash -c "pgasim run -q --core -np 5 --compute off $way ./fall; true" >crash 2>&1
    core=$(echo core*)
    if [ ! -f "$core" ]; then
        echo "no core file: $(cat /proc/sys/kernel/core_pattern)"
        break
    fi
    sum=$(cksum "$core")
    "${gdb[@]}" -ex bt -ex 'pgasim ranks' -ex 'pgasim rank 3 print outside' -ex 'pgasim rank 1' \
        -ex 'print $rank()' \
        "$bin/pgasim" "$core" >out 2>&1
    has 'fall \(me=2\) at .*fall\.c' '^  rank 2: runs$' '^  rank 1: waits: shmem_barrier_all$' \
        'in fall, fall\.c:7' '^\$1 = 8' \
        'fall \(me=1\)' '^\$2 = 2$'
    [ "$sum" = "$(cksum "$core")" ] || fail "$way: the core file was changed"
done
finish
